/* The socket, the daemon, and waiting for the signal that ends it. */
#include "http.h"

#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <unistd.h>

/* ---- the address ---- */

typedef struct Address {
    char host[256], port[8];
} Address;

/* "PORT", "HOST:PORT" or "[HOST]:PORT". */
static bool read_address(const char *text, Address *out)
{
    const char *colon = strrchr(text, ':');
    const char *port = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *end;
    unsigned long number = strtoul(port, &end, 10);

    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        text++;
        length -= 2;
    } else if (memchr(text, ':', length)) {
        return false; /* an address of version 6 stands in brackets */
    }
    if (*port < '0' || *port > '9' || *end || number > 65535 || length >= sizeof out->host)
        return false;
    (void)snprintf(out->port, sizeof out->port, "%lu", number);
    if (colon)
        (void)snprintf(out->host, sizeof out->host, "%.*s", (int)length, text);
    else
        (void)snprintf(out->host, sizeof out->host, "127.0.0.1");
    return out->host[0] != '\0';
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 ==
               127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static int listen_at(const struct addrinfo *info)
{
    int on = 1, fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (info->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, info->ai_addr, info->ai_addrlen) != 0 || listen(fd, 64) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;

    if (getsockname(fd, (struct sockaddr *)&address, &length) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6
                     ? ((struct sockaddr_in6 *)(void *)&address)->sin6_port
                     : ((struct sockaddr_in *)(void *)&address)->sin_port);
}

HttpFault http_listen(const char *text, bool has_token, HttpPlace *out_place)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    Address address;
    HttpFault fault = HTTP_FINE;

    if (!read_address(text, &address) ||
        getaddrinfo(address.host, address.port, &hints, &found) != 0)
        return HTTP_NO_ADDRESS;
    out_place->loopback = is_loopback(found->ai_addr);
    if (!out_place->loopback && !has_token) {
        fault = HTTP_OPEN_TO_ALL;
    } else {
        out_place->fd = listen_at(found);
        fault = out_place->fd < 0 ? HTTP_TAKEN : HTTP_FINE;
    }
    bool six = found->ai_family == AF_INET6;
    freeaddrinfo(found);
    if (fault == HTTP_FINE)
        (void)snprintf(out_place->url, sizeof out_place->url, "http://%s%s%s:%u/mcp",
                       six ? "[" : "", address.host, six ? "]" : "", port_of(out_place->fd));
    return fault;
}

/* ---- the daemon ---- */

/* What the library has to say is about its clients, and nobody reads it. */
static void log_nothing(void *argument, const char *format, va_list arguments)
{
    (void)argument;
    (void)format;
    (void)arguments;
}

static struct MHD_Daemon *start(Http *http, int fd)
{
    enum { STACK_BYTES = 1 << 20 };
    struct MHD_OptionItem items[] = {
        {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)log_nothing, NULL},
        {MHD_OPTION_LISTEN_SOCKET, fd, NULL},
        {MHD_OPTION_CONNECTION_LIMIT, GUESTS_MOST, NULL},
        {MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_MOST, NULL},
        {MHD_OPTION_CONNECTION_TIMEOUT, 0, NULL},
        {MHD_OPTION_THREAD_STACK_SIZE, STACK_BYTES, NULL},
        {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)visit_over, http},
        {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)guest_notify, http},
        {MHD_OPTION_END, 0, NULL},
    };

    return http->mhd->MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
            MHD_USE_ERROR_LOG,
        0, NULL, NULL, visit, http, MHD_OPTION_ARRAY, items, MHD_OPTION_END);
}

/* Until SIGINT or SIGTERM: they are blocked in every thread, so this is where they arrive. */
static void wait_for_end(Http *http, const sigset_t *ends)
{
    const struct timespec second = {.tv_sec = 1};

    while (sigtimedwait(ends, NULL, &second) < 0) {
        guests_look(http);
        sessions_look(http);
    }
}

static void block_ends(sigset_t *out_ends, sigset_t *out_before)
{
    sigemptyset(out_ends);
    sigaddset(out_ends, SIGINT);
    sigaddset(out_ends, SIGTERM);
    sigaddset(out_ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, out_ends, out_before);
}

DoorEnd door_http(tn_engine *engine, const DoorOptions *options, const HttpOptions *http_options)
{
    Mhd mhd;
    sigset_t ends, before;
    Http http = {.options = http_options, .mhd = &mhd, .loopback = http_options->place.loopback};

    if (!library_open(&mhd)) {
        close(http_options->place.fd);
        tn_engine_free(engine);
        return DOOR_NO_LIBRARY;
    }
    block_ends(&ends, &before);
    http.door = door_new(engine, options);
    if (!http.door)
        return DOOR_BROKEN;
    pthread_mutex_init(&http.lock, NULL);
    http.daemon = start(&http, http_options->place.fd);
    if (http.daemon) {
        http_options->ready(http_options->place.url);
        wait_for_end(&http, &ends);
        jobs_end(http.door);
        watches_end(http.door);
        mhd.MHD_stop_daemon(http.daemon);
    } else {
        http.door->broken = true;
        close(http_options->place.fd);
    }
    sessions_release(&http);
    DoorEnd end = door_end(http.door);
    pthread_mutex_destroy(&http.lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return end;
}
