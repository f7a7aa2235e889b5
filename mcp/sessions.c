/* Clients of the older era: named by 128 random bits, which are all that tells one from another. */
#include "http.h"

#include <stdlib.h>
#include <string.h>

static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void unref_locked(Session *session)
{
    if (--session->refs == 0)
        free(session);
}

/* Take it out of the table; the reference that the table had is the caller's. */
static Session *unlink_locked(Http *http, Session **link)
{
    Session *session = *link;

    *link = session->next;
    http->session_count--;
    return session;
}

static void end(Http *http, Session *session)
{
    Door *door = http->door;

    jobs_forget(door, &session->peer);
    watches_forget(door, &session->peer);
    pthread_mutex_lock(&door->lock);
    if (session->peer.stream)
        exchange_end((Exchange *)session->peer.stream);
    session->peer.stream = NULL;
    pthread_mutex_unlock(&door->lock);
    session_unref(http, session);
}

/* The one that was used longest ago. */
static Session *make_room_locked(Http *http)
{
    Session **oldest = &http->sessions;

    if (http->session_count < SESSIONS_MOST)
        return NULL;
    for (Session **link = &http->sessions; *link; link = &(*link)->next) {
        if ((*link)->used < (*oldest)->used)
            oldest = link;
    }
    return unlink_locked(http, oldest);
}

Session *session_new(Http *http)
{
    Session *session = calloc(1, sizeof *session), *gone;

    if (!session || !random_id(session->id)) {
        free(session);
        return NULL;
    }
    session->refs = 2;
    session->used = now_s();
    session->peer.log_level = LOG_INFO;
    pthread_mutex_lock(&http->lock);
    gone = make_room_locked(http);
    session->next = http->sessions;
    http->sessions = session;
    http->session_count++;
    pthread_mutex_unlock(&http->lock);
    if (gone)
        end(http, gone);
    return session;
}

static Session **place_locked(Http *http, const char *id)
{
    Session **link = &http->sessions;

    while (*link && strcmp((*link)->id, id) != 0)
        link = &(*link)->next;
    return link;
}

Session *session_find(Http *http, const char *id)
{
    pthread_mutex_lock(&http->lock);
    Session *session = *place_locked(http, id);
    if (session) {
        session->refs++;
        session->used = now_s();
    }
    pthread_mutex_unlock(&http->lock);
    return session;
}

void session_unref(Http *http, Session *session)
{
    pthread_mutex_lock(&http->lock);
    unref_locked(session);
    pthread_mutex_unlock(&http->lock);
}

bool session_end(Http *http, const char *id)
{
    pthread_mutex_lock(&http->lock);
    Session **link = place_locked(http, id);
    Session *session = *link ? unlink_locked(http, link) : NULL;
    pthread_mutex_unlock(&http->lock);
    if (session)
        end(http, session);
    return session != NULL;
}

void sessions_look(Http *http)
{
    time_t now = now_s();

    for (;;) {
        Session *old = NULL;
        pthread_mutex_lock(&http->lock);
        for (Session **link = &http->sessions; *link && !old;) {
            if (now - (*link)->used > SESSION_S)
                old = unlink_locked(http, link);
            else
                link = &(*link)->next;
        }
        pthread_mutex_unlock(&http->lock);
        if (!old)
            return;
        end(http, old);
    }
}

void sessions_release(Http *http)
{
    pthread_mutex_lock(&http->lock);
    while (http->sessions)
        unref_locked(unlink_locked(http, &http->sessions));
    pthread_mutex_unlock(&http->lock);
}
