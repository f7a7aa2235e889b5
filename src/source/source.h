/*
 * source: text, and talking about places in it.
 *
 * A Source is the program's text as the engine gets it, an index of its lines, and what stood
 * around it. Read in this order:
 *
 *   source     the text, its fences taken off, offsets to lines and columns and back
 *   frame      the lines around a place, with a caret, as errors show them
 *   findings   the list of what is wrong with a program before it runs
 *   foreign    is this plainly another language?
 *
 * The invariant: **a place is a byte offset; lines and columns are for people.** Inside, spans are
 * offsets into `text`; at the edge they become lines from 1 and columns from 1 in UTF-16 units, as
 * editors count. Taking fences off changes no place: what is taken off becomes spaces, so every
 * token keeps the line and column it had in what the model wrote.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "arena.h"

typedef struct Span {
    uint32_t start;
    uint32_t end;
} Span;

typedef struct Position {
    unsigned line;      /* from 1 */
    unsigned column;    /* from 1, in UTF-16 units: as editors count */
    unsigned character; /* from 1, in code points: as people do */
} Position;

typedef struct Source {
    const char *name;
    const char *text; /* ends in NUL; fences and what is around them are spaces */
    size_t length;
    const uint32_t *lines; /* where each line begins */
    size_t line_count;
    const char *language;  /* the fence's tag in lower case, "js"; "" without one */
    unsigned fences;       /* fenced blocks that were found */
    uint32_t second_fence; /* where it begins, if nothing but prose is around the first; 0 */
    bool unfenced;         /* one of them was taken out */
    bool is_utf8;
} Source;

/** Everything is copied into the arena. Text is at most 1 GiB (TN_ERR_LIMIT). */
tn_status source_load(Arena *arena, const char *name, const char *text, size_t length,
                      Source **out_source);

/** The first byte that makes a text that is not UTF-8 none; the length if there is none. */
uint32_t source_no_text_at(const Source *source);

/** An offset past the end is the end. */
Position source_position(const Source *source, uint32_t offset);

/** A column past its line's end is that end; a line past the last is the text's end. */
uint32_t source_offset(const Source *source, Position position);

/** One line without its terminator; empty if there is none such. */
const char *source_line(const Source *source, unsigned line, size_t *out_length);

/**
 * The lines around a span with carets below it: two before, one after. Long lines are cut to a
 * window around the caret, tabs made spaces, and what a terminal would obey made visible.
 * NULL if the arena failed.
 */
const char *source_frame(Arena *arena, const Source *source, Span span);

/** "python", "shell" or "diff" for text that is plainly that; else NULL. For text that did not
 * parse, to say why. */
const char *source_foreign(const char *text, size_t length);

#endif
