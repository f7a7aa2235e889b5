/* Connections, and how long each may do what it does. */
#include "http.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* A machine that vanishes is noticed after a minute or so. */
static void prepare(int fd)
{
    int on = 1, idle_s = 30, between_s = 10, count = 3;

    (void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &between_s, sizeof between_s);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

static void come(Http *http, struct MHD_Connection *connection, void **place)
{
    const union MHD_ConnectionInfo *info =
        http->mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    Guest *guest = calloc(1, sizeof *guest);

    *place = guest;
    if (!guest || !info) {
        free(guest);
        *place = NULL;
        return;
    }
    guest->fd = info->connect_fd;
    guest->since = now_s();
    prepare(guest->fd);
    pthread_mutex_lock(&http->lock);
    guest->next = http->guests;
    http->guests = guest;
    http->guest_count++;
    pthread_mutex_unlock(&http->lock);
}

static void go(Http *http, Guest *guest)
{
    pthread_mutex_lock(&http->lock);
    for (Guest **link = &http->guests; *link; link = &(*link)->next) {
        if (*link == guest) {
            *link = guest->next;
            http->guest_count--;
            break;
        }
    }
    pthread_mutex_unlock(&http->lock);
    free(guest);
}

void guest_notify(void *argument, struct MHD_Connection *connection, void **place,
                  enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        come(argument, connection, place);
    else if (*place)
        go(argument, *place);
}

void guest_state(Http *http, struct MHD_Connection *connection, GuestState state)
{
    const union MHD_ConnectionInfo *info =
        http->mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    Guest *guest = info ? info->socket_context : NULL;

    if (!guest)
        return;
    pthread_mutex_lock(&http->lock);
    guest->state = state;
    guest->since = now_s();
    pthread_mutex_unlock(&http->lock);
}

void guests_look(Http *http)
{
    time_t now = now_s();

    pthread_mutex_lock(&http->lock);
    bool crowded = http->guest_count > GUESTS_MOST - GUESTS_MOST / 8;
    for (Guest *guest = http->guests; guest; guest = guest->next) {
        time_t most = guest->state == GUEST_IDLE ? (crowded ? CROWDED_S : IDLE_S) : BODY_S;
        if (guest->state != GUEST_WAITING && now - guest->since > most)
            (void)shutdown(guest->fd, SHUT_RDWR); /* the library sees that, and closes it */
    }
    pthread_mutex_unlock(&http->lock);
}
