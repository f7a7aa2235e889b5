/* A place and what is known of it. */
#ifndef LEARN_INSIDE_H
#define LEARN_INSIDE_H

#include "arena.h"
#include "learn.h"

enum {
    LEARN_DEPTH_MAX = 12,        /* deeper, it is `any` */
    LEARN_MEMBERS_MAX = 64,      /* an object with more is a table */
    LEARN_NAME_MAX = 40,         /* a longer name is data */
    LEARN_VALUES_MAX = 20000,    /* of one result are looked at */
    LEARN_BYTES_MAX = 256 * 1024 /* of all that is known of one function */
};

typedef enum LearnedKind {
    LEARNED_NULL = 1,
    LEARNED_BOOLEAN = 2,
    LEARNED_NUMBER = 4,
    LEARNED_STRING = 8,
    LEARNED_BYTES = 16,
    LEARNED_ARRAY = 32,
    LEARNED_OBJECT = 64,
    LEARNED_OTHER = 128 /* anything else, or not looked at: `any` */
} LearnedKind;

typedef struct LearnedMember {
    struct LearnedMember *next;
    const char *name;
    uint32_t length;
    LearnedPlace *place;
} LearnedMember;

struct LearnedPlace {
    unsigned kinds;
    uint32_t count;   /* values that were here */
    uint32_t objects; /* of them */
    uint32_t member_count;
    LearnedMember *members, *last; /* in the order they were met */
    LearnedPlace *others;          /* under names that are data */
    LearnedPlace *element;
};

struct Learned {
    tn_allocator allocator;
    Arena arena;
    LearnedPlace *whole;
    unsigned left; /* values of the result at hand that may still be looked at */
};

/** `*link`, made if it is not there; NULL: no memory, and what holds it is `any`. */
LearnedPlace *place_made(Learned *learned, LearnedPlace *holder, LearnedPlace **link);
/** Where the values of a member go; NULL as place_made. */
LearnedPlace *place_of_member(Learned *learned, LearnedPlace *place, const char *name,
                              size_t length);
/** After something came in: is it a table? */
void place_settle(Learned *learned, LearnedPlace *place);
/** All that is known of `from` comes to `into`. */
void place_join(Learned *learned, LearnedPlace *into, const LearnedPlace *from, unsigned depth);
uint32_t count_add(uint32_t a, uint32_t b);

#endif
