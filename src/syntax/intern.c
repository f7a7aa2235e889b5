#include "intern.h"

#include <string.h>

#include "token.h"
#include "words.h"

enum { places_first = 256 };

void names_init(Names *names, Arena *arena)
{
    *names = (Names){.arena = arena};
    names->places = ARENA_ARRAY(arena, Name *, places_first);
    names->mask = names->places ? places_first - 1 : 0;
}

/* Eight bytes a step; the multiplier spreads them to the high bits, which are folded down. */
static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length * 0x9E3779B97F4A7C15u;

    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
        text += 8;
        length -= 8;
    }
    uint64_t word = 0;
    if (length >= 4) {
        uint32_t a, b;
        memcpy(&a, text, 4);
        memcpy(&b, text + length - 4, 4);
        word = (uint64_t)a << 32 | b;
    } else if (length > 0) {
        word = (uint64_t)(uint8_t)text[0] << 16 | (uint64_t)(uint8_t)text[length / 2] << 8 |
               (uint8_t)text[length - 1];
    }
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(hash >> 32 ^ hash >> 16);
}

static void grow(Names *names)
{
    uint32_t mask = names->mask * 2 + 1;
    Name **places = ARENA_ARRAY(names->arena, Name *, (size_t)mask + 1);

    if (!places)
        return;
    for (uint32_t i = 0; i <= names->mask; i++) {
        Name *name = names->places[i];
        if (!name)
            continue;
        uint32_t place = name->hash & mask;
        while (places[place])
            place = (place + 1) & mask;
        places[place] = name;
    }
    names->places = places;
    names->mask = mask;
}

static Name *add(Names *names, const char *text, size_t length, uint32_t hash)
{
    /* with bytes behind it: the text of a name ends in NUL */
    static const _Alignas(Name) char empty[sizeof(Name) + 4] = {0};
    Name *name = arena_push(names->arena, sizeof(Name) + length + 1);

    if (!name)
        return (Name *)(uintptr_t)empty;
    name->length = (uint32_t)length;
    name->hash = hash;
    name->word = (uint16_t)word_token(text, length);
    memcpy(name->text, text, length);
    return name;
}

Name *names_get(Names *names, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length);
    uint32_t place = hash & names->mask;

    if (!names->places)
        return add(names, text, length, hash);
    for (Name *name; (name = names->places[place]); place = (place + 1) & names->mask) {
        if (name->hash == hash && name->length == length && !memcmp(name->text, text, length))
            return name;
    }
    Name *name = add(names, text, length, hash);
    if (arena_status(names->arena) != TN_OK)
        return name;
    names->places[place] = name;
    if (++names->count > names->mask / 2)
        grow(names);
    return name;
}
