/*
 * What a program printed, within a limit: the head of it and the tail, and between them an entry
 * that says how much was dropped. Fed entry by entry; memory is bounded however much is printed.
 */
#ifndef CONSOLE_H
#define CONSOLE_H

#include "buf.h"

typedef struct Console {
    size_t limit;        /* bytes of text kept */
    size_t entries_most; /* entries kept: empty ones take memory too */
    Buf head;            /* of records: what fits in half the limit, from the start */
    Buf tail;            /* of records, from `tail_start` on */
    size_t tail_start;
    size_t head_bytes, head_entries; /* of text */
    size_t tail_bytes, tail_entries;
    uint64_t written_bytes;
    uint64_t dropped_bytes;
    uint64_t dropped_entries; /* wholly or in part */
    double dropped_ms;        /* time of the last one */
    bool head_full;
} Console;

void console_init(Console *console, const tn_allocator *allocator, size_t limit_bytes);
void console_release(Console *console);

/** Text of any bytes; what is not UTF-8 becomes U+FFFD when it is shown. */
void console_add(Console *console, tn_level level, double time_ms, const char *text, size_t length);

/** TN_ERR_NOMEM if something could not be kept for lack of memory. */
tn_status console_status(const Console *console);

/** Where a walk over the entries stands. Zero it to begin. */
typedef struct ConsoleWalk {
    size_t at;
    unsigned part; /* head, marker, tail */
    char marker[96];
} ConsoleWalk;

/** The next entry, text borrowed from the console (the marker's from the walk). False at the end.
 */
bool console_next(const Console *console, ConsoleWalk *walk, tn_console_entry *out_entry);

#endif
