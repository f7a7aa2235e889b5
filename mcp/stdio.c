/* Lines from standard input, until it ends. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>

int door_stdio(tn_engine *engine, const DoorOptions *options)
{
    Door door = {.engine = engine, .options = *options};
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    pthread_t watcher;
    bool watched;

    if (door.options.tokens == 0)
        door.options.tokens = 4000;
    if (door.options.jobs == 0)
        door.options.jobs = 8;
    pthread_mutex_init(&door.lock, NULL);
    pthread_mutex_init(&door.output, NULL);
    pthread_cond_init(&door.changed, NULL);
    watched = pthread_create(&watcher, NULL, jobs_watch, &door) == 0;
    while (!door.broken && (length = getline(&line, &room, stdin)) > 0)
        message_take(&door, line, (size_t)length);
    jobs_end(&door);
    if (watched)
        pthread_join(watcher, NULL);
    keep_release(&door);
    free(line);
    pthread_cond_destroy(&door.changed);
    pthread_mutex_destroy(&door.output);
    pthread_mutex_destroy(&door.lock);
    return door.broken ? -1 : 0;
}
