/*
 * Values as text to read. Plain data is JSON; the rest is written as JavaScript says it:
 * undefined, NaN, 10n, Map(1) {"a" => 1}, [circular]. Three ways: whole if it fits, cut to a number
 * of bytes with what is left out counted, and over lines for a person.
 */
#ifndef DISPLAY_H
#define DISPLAY_H

#include "value.h"

/* Deeper values are shown as an ellipsis: nobody reads them, and this recurses. */
enum { DISPLAY_DEPTH = 48 };

typedef struct Display {
    tn_value root;
    ValueIndex index;
    bool spaced; /* ", " and ": " as people write them */
} Display;

/** Errors: TN_ERR_ARGUMENT (malformed), TN_ERR_NOMEM. */
tn_status display_init(Display *display, const tn_allocator *allocator, tn_value value);
void display_release(Display *display);

/** Write the whole value in one line if that takes at most `room` bytes; else nothing. */
bool display_whole(const Display *display, tn_value value, size_t room, Buf *out);

/** About `room` bytes of the value, cut between elements and characters, cuts counted. */
void display_cut(const Display *display, tn_value value, size_t room, Buf *out);

/** Over lines of about a hundred columns, two spaces a level; at most about `room` bytes, which
 * begin at column `column`. False, and nothing is written, if it takes more. */
bool display_lines(const Display *display, tn_value value, size_t room, Buf *out);

/** What it is, not what is in it: "array of 200000 {i: number, s: string}". */
void display_shape(const Display *display, tn_value value, Buf *out);

/** A reference's object by the index: the tn_value functions would search the document for it. */
tn_value display_resolve(const Display *display, tn_value value);

/** A value that needs no lines of its own: neither container nor long. */
bool display_is_scalar(tn_type type);

#endif
