/* The type, and questions about a place. */
#include <string.h>

#include "base.h"
#include "inside.h"

static void put(const LearnedPlace *place, unsigned depth, Buf *out);

static bool is_identifier(const char *name)
{
    bool first = true;

    for (; *name; name++, first = false) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                      *name == '_' || *name == '$';
        if (!letter && (first || *name < '0' || *name > '9'))
            return false;
    }
    return !first;
}

/* Names hold no quotes and no controls: others are data. */
static void put_members(const LearnedPlace *place, unsigned depth, Buf *out)
{
    const char *between = "{ ";

    for (const LearnedMember *member = place->members; member; member = member->next) {
        const char *quote = is_identifier(member->name) ? "" : "\"";
        buf_append_string(out, between);
        buf_append_string(out, quote);
        buf_append(out, member->name, member->length);
        buf_append_string(out, quote);
        buf_append_string(out, member->place->count < place->objects ? "?: " : ": ");
        put(member->place, depth - 1, out);
        between = "; ";
    }
    buf_append_string(out, " }");
}

static void put_object(const LearnedPlace *place, unsigned depth, Buf *out)
{
    if (place->members)
        put_members(place, depth, out);
    if (place->members && place->others)
        buf_append_string(out, " & ");
    if (place->others || !place->members) {
        buf_append_string(out, "Record<string, ");
        if (place->others)
            put(place->others, depth - 1, out);
        else
            buf_append_string(out, "any");
        buf_append_byte(out, '>');
    }
}

static void put(const LearnedPlace *place, unsigned depth, Buf *out)
{
    static const struct {
        unsigned kind;
        const char *name;
    } plain[] = {{LEARNED_STRING, "string"},
                 {LEARNED_NUMBER, "number"},
                 {LEARNED_BOOLEAN, "boolean"},
                 {LEARNED_BYTES, "Uint8Array"},
                 {LEARNED_NULL, "null"}};
    const char *between = "";

    if (!place || depth == 0 || (place->kinds & LEARNED_OTHER) ||
        (place->kinds & ~(unsigned)LEARNED_NULL) == 0) {
        buf_append_string(out, "any");
        return;
    }
    if (place->kinds & LEARNED_OBJECT) {
        put_object(place, depth, out);
        between = " | ";
    }
    if (place->kinds & LEARNED_ARRAY) {
        buf_append_string(out, between);
        buf_append_string(out, "Array<");
        put(place->element, depth - 1, out);
        buf_append_byte(out, '>');
        between = " | ";
    }
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        if (!(place->kinds & plain[i].kind))
            continue;
        buf_append_string(out, between);
        buf_append_string(out, plain[i].name);
        between = " | ";
    }
}

void learned_type(const Learned *learned, size_t budget, Buf *out)
{
    size_t start = out->length;
    unsigned depth = LEARN_DEPTH_MAX;

    do {
        buf_truncate(out, start);
        put(learned->whole, depth, out);
    } while (out->length - start > budget && --depth > 0 && !out->failed);
    if (out->length - start > budget) {
        buf_truncate(out, start);
        buf_append_string(out, "any");
    }
}

/* ---- places ---- */

const LearnedPlace *learned_whole(const Learned *learned)
{
    return learned->whole;
}

uint32_t learned_count(const LearnedPlace *place)
{
    return place ? place->count : 0;
}

LearnedAnswer learned_member(const LearnedPlace *place, const char *name, size_t length,
                             const LearnedPlace **out_place)
{
    *out_place = NULL;
    if (!place || (place->kinds & ~(unsigned)LEARNED_NULL) != LEARNED_OBJECT || place->others ||
        !place->members)
        return LEARNED_UNKNOWN;
    for (const LearnedMember *member = place->members; member; member = member->next) {
        if (member->length == length && memcmp(member->name, name, length) == 0) {
            *out_place = member->place;
            return LEARNED_SEEN;
        }
    }
    return LEARNED_UNSEEN;
}

const LearnedPlace *learned_element(const LearnedPlace *place)
{
    return place && (place->kinds & ~(unsigned)LEARNED_NULL) == LEARNED_ARRAY ? place->element
                                                                              : NULL;
}

size_t learned_names(const LearnedPlace *place, const char **out_names, size_t most)
{
    size_t count = 0;

    for (const LearnedMember *member = place->members; member && count < most;
         member = member->next)
        out_names[count++] = member->name;
    return count;
}
