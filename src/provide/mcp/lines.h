/* A stream cut into lines; and the id of an answer that cannot be read as a whole. */
#ifndef TENON_LINES_H
#define TENON_LINES_H

#include "buf.h"

/* Follows JSON text byte by byte without keeping it: which integer is the member "id" of the
 * outermost object? Good enough for text that is no JSON in some other place. */
typedef struct IdFinder {
    int64_t id; /* 0: not met */
    unsigned depth;
    unsigned key_length;
    char key[2];
    bool in_string, escaped;
    bool at_key, in_id;
} IdFinder;

void id_finder_feed(IdFinder *finder, const char *text, size_t length);

typedef struct LineSink {
    void *context;
    /** Without its end. False: no more. */
    bool (*line)(void *context, const char *text, size_t length);
    /** One that was longer than is kept. */
    bool (*long_line)(void *context, int64_t id, uint64_t length);
} LineSink;

typedef struct Lines {
    Buf held;        /* the line that is not whole; its limit is that of a line */
    uint64_t passed; /* bytes of a line that is not kept; 0: it is kept */
    uint64_t most;   /* of such a line: then the stream is at its end */
    IdFinder finder;
} Lines;

void lines_init(Lines *lines, const tn_allocator *allocator, uint64_t keep_bytes);
void lines_release(Lines *lines);
/** False: the sink wants no more, or a line passed all measure (`passed` > `most`). */
bool lines_feed(Lines *lines, const char *text, size_t length, const LineSink *sink);

#endif
