/*
 * Names. Equal text is one pointer, so that whoever compares names compares pointers. The text is
 * the cooked one: an identifier written with escapes, or a string, has the name that it means.
 */
#ifndef INTERN_H
#define INTERN_H

#include "arena.h"

typedef struct Name {
    uint32_t length; /* bytes */
    uint32_t hash;
    uint16_t word;  /* the Token of this word, else 0 */
    uint16_t spare; /* for who owns the table */
    char text[];    /* UTF-8, in strings WTF-8; may hold NULs, ends in one */
} Name;

/* The hash stands beside the name, so that names of other texts are not touched. */
typedef struct NamePlace {
    Name *name;
    uint32_t hash;
} NamePlace;

/* Open addressing; a power of two of places, at most half of them taken. */
typedef struct Names {
    Arena *arena;
    NamePlace *places;
    uint32_t mask;
    uint32_t count;
    char *room; /* where the next name goes */
    size_t room_left;
} Names;

void names_init(Names *names, Arena *arena);

/** The name with this text. Never NULL: once the arena failed, an empty name. */
Name *names_get(Names *names, const char *text, size_t length);

/** The same if it is known what word of the language this is; 0: none. */
Name *names_get_word(Names *names, const char *text, size_t length, uint16_t word);

#endif
