/* A result comes in. An object is a record, whose members have each a meaning, or a table, whose
 * names are data; one value does not tell. It is a table if its names look like data, if there are
 * too many, or if each result has others that are all of one kind. */
#include <string.h>

#include "inside.h"
#include "memory.h"

tn_status learned_new(const tn_allocator *allocator, Learned **out_learned)
{
    Learned *learned = memory_new(allocator, sizeof *learned);

    if (!learned)
        return TN_ERR_NOMEM;
    learned->allocator = *allocator;
    arena_init(&learned->arena, &learned->allocator, LEARN_BYTES_MAX);
    learned->whole = ARENA_NEW(&learned->arena, LearnedPlace);
    if (!learned->whole) {
        learned_free(learned);
        return TN_ERR_NOMEM;
    }
    *out_learned = learned;
    return TN_OK;
}

void learned_free(Learned *learned)
{
    tn_allocator allocator;

    if (!learned)
        return;
    arena_release(&learned->arena);
    allocator = learned->allocator;
    memory_free(&allocator, learned, sizeof *learned);
}

uint32_t learned_results(const Learned *learned)
{
    return learned->whole->count;
}

uint32_t count_add(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* ---- members ---- */

LearnedPlace *place_made(Learned *learned, LearnedPlace *holder, LearnedPlace **link)
{
    if (!*link)
        *link = ARENA_NEW(&learned->arena, LearnedPlace);
    if (!*link)
        holder->kinds |= LEARNED_OTHER;
    return *link;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Ids, dates, addresses, paths, and what is not of ASCII: no name that a programmer gave. */
static bool is_data(const char *name, size_t length)
{
    size_t digits = 0, hex = 0;

    if (length == 0 || length > LEARN_NAME_MAX || (name[0] >= '0' && name[0] <= '9'))
        return true;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        bool digit = c >= '0' && c <= '9';
        if (!letter && !digit && !(c && strchr("_$-. ", c)) && !(c == '@' && i == 0 && length > 1))
            return true;
        digits += digit;
        hex += is_hex(c);
    }
    return digits > 5 || (hex == length && length >= 12 && digits > 0);
}

static LearnedMember *find(const LearnedPlace *place, const char *name, size_t length)
{
    LearnedMember *member = place->members;

    while (member && !(member->length == length && memcmp(member->name, name, length) == 0))
        member = member->next;
    return member;
}

/* All its members are others from now on. */
static void fold(Learned *learned, LearnedPlace *place)
{
    LearnedMember *member = place->members;
    LearnedPlace *others = place_made(learned, place, &place->others);

    place->members = place->last = NULL;
    place->member_count = 0;
    for (; member && others; member = member->next)
        place_join(learned, others, member->place, 0);
}

LearnedPlace *place_of_member(Learned *learned, LearnedPlace *place, const char *name,
                              size_t length)
{
    LearnedMember *member = find(place, name, length);

    if (member)
        return member->place;
    if (is_data(name, length) || (place->others && place->member_count == 0))
        return place_made(learned, place, &place->others);
    if (place->member_count == LEARN_MEMBERS_MAX) {
        fold(learned, place);
        return place->others;
    }
    member = ARENA_NEW(&learned->arena, LearnedMember);
    if (member) {
        member->name = arena_text(&learned->arena, name, length);
        member->length = (uint32_t)length;
        member->place = ARENA_NEW(&learned->arena, LearnedPlace);
    }
    if (!member || !member->name || !member->place) {
        place->kinds |= LEARNED_OTHER;
        return NULL;
    }
    if (place->last)
        place->last->next = member;
    else
        place->members = member;
    place->last = member;
    place->member_count++;
    return member->place;
}

/* Many names, each in few of the objects, and the same kinds under all of them. */
void place_settle(Learned *learned, LearnedPlace *place)
{
    uint64_t present = 0;
    bool alike = true;

    if (place->objects < 4 || place->member_count < 8)
        return;
    for (const LearnedMember *member = place->members; member; member = member->next) {
        present += member->place->count;
        alike = alike && member->place->kinds == place->members->place->kinds;
    }
    if (alike && present * 5 < 2 * (uint64_t)place->objects * place->member_count)
        fold(learned, place);
}

/* ---- joining ---- */

void place_join(Learned *learned, LearnedPlace *into, const LearnedPlace *from, unsigned depth)
{
    into->kinds |= from->kinds;
    into->count = count_add(into->count, from->count);
    into->objects = count_add(into->objects, from->objects);
    if (depth >= 2 * LEARN_DEPTH_MAX) {
        into->kinds |= LEARNED_OTHER;
        return;
    }
    for (const LearnedMember *member = from->members; member; member = member->next) {
        LearnedPlace *place = place_of_member(learned, into, member->name, member->length);
        if (place)
            place_join(learned, place, member->place, depth + 1);
    }
    if (from->element && place_made(learned, into, &into->element))
        place_join(learned, into->element, from->element, depth + 1);
    if (from->others && place_made(learned, into, &into->others))
        place_join(learned, into->others, from->others, depth + 1);
    place_settle(learned, into);
}

/* ---- one result ---- */

static LearnedKind kind_of(tn_value value)
{
    switch (tn_value_type(value)) {
    case TN_TYPE_NULL:
        return LEARNED_NULL;
    case TN_TYPE_BOOL:
        return LEARNED_BOOLEAN;
    case TN_TYPE_NUMBER:
        return LEARNED_NUMBER;
    case TN_TYPE_TEXT:
        return LEARNED_STRING;
    case TN_TYPE_BYTES:
        return LEARNED_BYTES;
    case TN_TYPE_ARRAY:
        return LEARNED_ARRAY;
    case TN_TYPE_OBJECT:
        return LEARNED_OBJECT;
    default:
        return LEARNED_OTHER;
    }
}

static void look(Learned *learned, LearnedPlace *place, tn_value value, unsigned depth);

static void look_inside(Learned *learned, LearnedPlace *place, tn_value value, bool object,
                        unsigned depth)
{
    tn_cursor cursor = {0};
    size_t length;

    while (tn_value_next(value, &cursor)) {
        const char *name = object ? tn_value_text(cursor.key, &length) : NULL;
        LearnedPlace *inner = object && !name ? place_made(learned, place, &place->others)
                              : object        ? place_of_member(learned, place, name, length)
                                              : place_made(learned, place, &place->element);
        if (inner)
            look(learned, inner, cursor.value, depth + 1);
    }
}

static void look(Learned *learned, LearnedPlace *place, tn_value value, unsigned depth)
{
    LearnedKind kind = kind_of(value);

    place->count = count_add(place->count, 1);
    if (learned->left == 0 || depth >= LEARN_DEPTH_MAX) {
        place->kinds |= LEARNED_OTHER;
        return;
    }
    learned->left--;
    place->kinds |= kind;
    if (kind == LEARNED_OBJECT) {
        place->objects = count_add(place->objects, 1);
        look_inside(learned, place, value, true, depth);
        place_settle(learned, place);
    } else if (kind == LEARNED_ARRAY) {
        look_inside(learned, place, value, false, depth);
    }
}

void learned_observe(Learned *learned, tn_value result)
{
    learned->left = LEARN_VALUES_MAX;
    look(learned, learned->whole, result, 0);
}
