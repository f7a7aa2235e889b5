#include "intern.h"

#include <string.h>

#include "words.h"

enum { places_first = 256 };

void names_init(Names *names, Arena *arena)
{
    *names = (Names){.arena = arena};
    names->places = ARENA_ARRAY(arena, NamePlace, places_first);
    names->mask = names->places ? places_first - 1 : 0;
}

/* ---- texts, eight bytes a step ---- */

static uint64_t eight(const char *text)
{
    uint64_t bytes;

    memcpy(&bytes, text, 8);
    return bytes;
}

/* All of a text of up to eight bytes whose length is known. */
static inline uint64_t last_bytes(const char *text, size_t length)
{
    if (length >= 4) {
        uint32_t first, last;
        memcpy(&first, text, 4);
        memcpy(&last, text + length - 4, 4);
        return (uint64_t)first << 32 | last;
    }
    if (length == 0)
        return 0;
    return (uint64_t)(uint8_t)text[0] << 16 | (uint64_t)(uint8_t)text[length / 2] << 8 |
           (uint8_t)text[length - 1];
}

/* The multiplier spreads the bytes to the high bits, which are folded down. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length * 0x9E3779B97F4A7C15u;

    for (; length > 8; text += 8, length -= 8) {
        hash = (hash ^ eight(text)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    hash = (hash ^ last_bytes(text, length)) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32 ^ hash >> 16);
}

static bool is_same(const char *a, const char *b, size_t length)
{
    for (; length > 8; a += 8, b += 8, length -= 8) {
        if (eight(a) != eight(b))
            return false;
    }
    return last_bytes(a, length) == last_bytes(b, length);
}

/* ---- the table ---- */

static void grow(Names *names)
{
    uint32_t mask = names->mask * 2 + 1;
    NamePlace *places = ARENA_ARRAY(names->arena, NamePlace, (size_t)mask + 1);

    if (!places)
        return;
    for (uint32_t i = 0; i <= names->mask; i++) {
        if (!names->places[i].name)
            continue;
        uint32_t at = names->places[i].hash & mask;
        while (places[at].name)
            at = (at + 1) & mask;
        places[at] = names->places[i];
    }
    names->places = places;
    names->mask = mask;
}

/* Names are cut from pieces of the arena. */
static Name *room_for(Names *names, size_t length)
{
    enum { piece_bytes = 2048 };
    size_t bytes = (sizeof(Name) + length + 1 + 7) & ~(size_t)7;

    if (bytes > piece_bytes / 4)
        return arena_push(names->arena, bytes);
    if (bytes > names->room_left) {
        char *room = arena_push(names->arena, piece_bytes);
        if (!room)
            return NULL;
        names->room = room;
        names->room_left = piece_bytes;
    }
    Name *name = (Name *)(void *)names->room;
    names->room += bytes;
    names->room_left -= bytes;
    return name;
}

static Name *add(Names *names, const char *text, size_t length, uint32_t hash)
{
    /* with bytes behind it: the text of a name ends in NUL */
    static const _Alignas(Name) char empty[sizeof(Name) + 4] = {0};
    Name *name = room_for(names, length);

    if (!name)
        return (Name *)(uintptr_t)empty;
    name->length = (uint32_t)length;
    name->hash = hash;
    memcpy(name->text, text, length);
    return name;
}

Name *names_get_word(Names *names, const char *text, size_t length, uint16_t word)
{
    uint32_t hash = hash_of(text, length);
    uint32_t at = hash & names->mask;

    if (!names->places)
        return add(names, text, length, hash);
    for (NamePlace *place; (place = &names->places[at])->name; at = (at + 1) & names->mask) {
        if (place->hash == hash && place->name->length == length &&
            is_same(place->name->text, text, length))
            return place->name;
    }
    Name *name = add(names, text, length, hash);
    if (arena_status(names->arena) != TN_OK)
        return name;
    name->word = word;
    names->places[at] = (NamePlace){name, hash};
    if (++names->count > names->mask / 2)
        grow(names);
    return name;
}

Name *names_get(Names *names, const char *text, size_t length)
{
    return names_get_word(names, text, length, (uint16_t)word_token(text, length));
}
