/*
 * A JSON value as a tree: what schemas are read from and what they are held against.
 *
 * tn_value is made for crossing, not for looking things up: finding a member walks the object, and
 * a shared part is searched for. So a document is walked once, into memory that dies with an arena,
 * and from then on a member is found in O(log n), an element in O(1), and any two values are
 * ordered, which is what keeps `uniqueItems` from being quadratic.
 *
 * Members whose value is undefined are left out, as JSON would; a part that is met twice is there
 * twice, so that the tree's size is what it would be as JSON, and is limited as such.
 */
#ifndef DATUM_H
#define DATUM_H

#include "arena.h"
#include "base.h"

typedef enum DatumKind {
    DATUM_NULL,
    DATUM_BOOL,
    DATUM_NUMBER, /* finite; big integers too */
    DATUM_TEXT,   /* UTF-8, or WTF-8 with lone surrogates */
    DATUM_ARRAY,
    DATUM_OBJECT,
    DATUM_OTHER /* nothing that JSON has: undefined, NaN, a Date, bytes, ... */
} DatumKind;

/** An integer of any size: its magnitude, most significant byte first. */
typedef struct BigInteger {
    const uint8_t *bytes;
    size_t length;
    bool negative; /* it is then -1 - magnitude */
} BigInteger;

typedef struct Datum Datum;
typedef struct DatumMember DatumMember;

struct Datum {
    uint8_t kind;
    bool big;       /* a number that no double holds: `integer` has its digits */
    uint32_t count; /* bytes of a text, elements, members */
    union {
        bool truth;
        double number; /* of a big one the nearest */
        const char *text;
        Datum *items;
        DatumMember *members; /* in the document's order */
        const char *word;     /* DATUM_OTHER: what it is, for a message */
    };
    union {
        const BigInteger *integer; /* of a big number */
        void *note;                /* of a schema's document: what is known of this place */
    };
};

struct DatumMember {
    const char *name;
    uint32_t length;
    uint32_t sorted; /* members[i].sorted: the index of the i-th by name */
    Datum value;
};

/** What a tree may cost. */
typedef struct DatumLimits {
    uint32_t values; /* in all */
    uint32_t depth;  /* arrays and objects inside each other */
} DatumLimits;

/**
 * Make a tree of a value.
 *
 * Ownership: everything is in the arena; texts are views of the value's document, which must live
 *            as long.
 * Errors:    TN_ERR_ARGUMENT (a value that contains itself, or no value at all), TN_ERR_LIMIT (more
 *            than `limits` or the arena allow), TN_ERR_NOMEM. `*out_problem` then says it in words.
 */
tn_status datum_read(Arena *arena, tn_value value, DatumLimits limits, Datum **out_datum,
                     const char **out_problem);

/** The member of an object by name; NULL without one, or if it is no object. */
const DatumMember *datum_member(const Datum *object, const char *name, size_t length);

/** The value of a member by its NUL-terminated name; NULL without one. */
Datum *datum_get(const Datum *object, const char *name);

/** The texts of an array as the members of an object (their values are null), each once, sorted.
 * NULL if the arena fails. */
const Datum *datum_name_set(Arena *arena, const Datum *array);

/** Is it a text, and this one? */
bool datum_is(const Datum *datum, const char *text);

/**
 * An order over all values in which equal ones compare as 0: 1 and 1.0 are equal, members stand in
 * any order. `*steps` is counted down by what was looked at; at 0 the answer means nothing.
 */
int datum_compare(const Datum *a, const Datum *b, uint64_t *steps);

/**
 * The index of an element that is equal to an earlier one; UINT32_MAX if there is none. At most
 * n log n comparisons. `steps` as in datum_compare.
 * Errors: UINT32_MAX too if the arena refuses memory, which it remembers.
 */
uint32_t datum_repeated(Arena *arena, const Datum *array, uint64_t *steps);

#endif
