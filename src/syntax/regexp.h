/*
 * Is a regular expression one? Asked of each literal of a tree that parsed without findings, with
 * TypeScript's codes at TypeScript's places; without the flags u and v the old web rules hold
 * (ECMA-262, annex B), but for escapes, with which TypeScript is stricter than these.
 * regexp.c reads groups, quantifiers and references, regexp_escape.c what stands behind a
 * backslash, regexp_class.c what stands in brackets.
 */
#ifndef REGEXP_H
#define REGEXP_H

#include "grammar.h"
#include "scanner.h"

/* What an atom is, if it is not one character with a code. */
enum {
    ATOM_CLASS = -1, /* one of several: \d, \p{L}, a class in brackets */
    ATOM_TEXT = -2,  /* something wrong: no order can be told */
};

enum { REGEXP_END = -1 };

/* A name of a group, where it is given or referred to; or a number that refers to a group. */
typedef struct Mention {
    Name *name;
    uint32_t start;
    uint32_t end;
    uint32_t number;
} Mention;

/* A name that may not be given again: its group is in an alternative one is inside of. */
typedef struct LiveName {
    Name *name;
    uint32_t depth;
} LiveName;

typedef struct Regexp {
    Scanner scan; /* `at` is where one stands, `end` where the body ends */
    Arena *arena;
    Names names;
    /* The arrays stay for the next literal. */
    uint8_t *levels; /* of each open group: may it be repeated? */
    uint32_t levels_capacity;
    uint32_t depth;
    Mention *mentions;
    uint32_t mentions_capacity;
    uint32_t mentions_count;
    LiveName *live;
    uint32_t live_capacity;
    uint32_t live_count;
    uint32_t groups;
    uint32_t nested;  /* brackets in brackets */
    bool half;        /* one stands within a character: on the second of its UTF-16 units */
    bool unicode;     /* flag u or v */
    bool sets;        /* flag v */
    bool named;       /* there is a group with a name */
    bool may_be_text; /* what was read last may match more than one character */
    bool stopped;
} Regexp;

void regexp_wrong(Regexp *r, unsigned code, uint32_t start, uint32_t end);

/** Say that a token lacks; go past it, a single character, or say so. */
void regexp_lacks(Regexp *r, Token token);
void regexp_expect(Regexp *r, Token token);

/** The byte one stands on, REGEXP_END at the end; some byte beyond ASCII if it is such. */
static inline int regexp_peek(const Regexp *r)
{
    return r->scan.at >= r->scan.end ? REGEXP_END : r->half ? 0x80 : r->scan.text[r->scan.at];
}

/** A character of the text: a code point with u or v, else a UTF-16 unit. */
int32_t regexp_character(Regexp *r);

/** What stands behind a backslash, and means one character. */
int32_t regexp_escape(Regexp *r, bool atom);

/** Behind a backslash: \d \s \w \p{...}. False if nothing of it is there. */
bool regexp_class_escape(Regexp *r);

/** `name>` behind `(?<` or `\k<`. */
void regexp_group_name(Regexp *r, bool reference);

/** What was read from `start` on refers to a group; NULL if there is no memory. */
Mention *regexp_mention(Regexp *r, uint32_t start);

/** An alternative has ended: those after it may give the same names. */
void regexp_forget_names(Regexp *r);

/** What refers to a group must find it; names are as good as new for the next expression. */
void regexp_check_mentions(Regexp *r);

/** Room for one more in an array that grows; false if there is no memory, and then all ends. */
bool regexp_room(Regexp *r, void **array, uint32_t *capacity, uint32_t count, size_t bytes);

/** Behind `[`, up to `]`. */
void regexp_class(Regexp *r);

#endif
