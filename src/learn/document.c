/* A place as CBOR: [kinds, count, objects, [name, place, ...], others or null, element or null].
 * The members come first: where there are only others, all are. What is read is of a file that
 * somebody else may have written: it is taken as it comes, within the same bounds. */
#include "cbor.h"
#include "inside.h"
#include "value.h"

static void write_place(const LearnedPlace *place, Buf *out)
{
    if (!place) {
        cbor_put_simple(out, 22);
        return;
    }
    cbor_put_array(out, 6);
    cbor_put_uint(out, place->kinds);
    cbor_put_uint(out, place->count);
    cbor_put_uint(out, place->objects);
    cbor_put_array(out, 2u * place->member_count);
    for (const LearnedMember *member = place->members; member; member = member->next) {
        cbor_put_string(out, member->name, member->length);
        write_place(member->place, out);
    }
    write_place(place->others, out);
    write_place(place->element, out);
}

void learned_write(const Learned *learned, Buf *out)
{
    write_place(learned->whole, out);
}

static uint32_t next_number(tn_value document, tn_cursor *cursor)
{
    int64_t number = 0;

    if (!tn_value_next(document, cursor) || !tn_value_int(cursor->value, &number) || number < 0)
        return 0;
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static bool read_place(Learned *learned, LearnedPlace *place, tn_value document, unsigned depth);

/* `link`'s place; that there is none is fine. */
static bool read_next(Learned *learned, LearnedPlace *place, LearnedPlace **link, tn_value document,
                      tn_cursor *cursor, unsigned depth)
{
    if (!tn_value_next(document, cursor))
        return false;
    if (tn_value_type(cursor->value) == TN_TYPE_NULL || !place_made(learned, place, link))
        return true;
    return read_place(learned, *link, cursor->value, depth + 1);
}

static bool read_place(Learned *learned, LearnedPlace *place, tn_value document, unsigned depth)
{
    tn_cursor cursor = {0}, members = {0};
    size_t length;

    if (tn_value_count(document) != 6 || tn_value_type(document) != TN_TYPE_ARRAY ||
        depth > LEARN_DEPTH_MAX)
        return false;
    place->kinds |= next_number(document, &cursor) & 255;
    place->count = count_add(place->count, next_number(document, &cursor));
    place->objects = count_add(place->objects, next_number(document, &cursor));
    if (!tn_value_next(document, &cursor))
        return false;
    while (tn_value_next(cursor.value, &members)) {
        const char *name = tn_value_text(members.value, &length);
        if (!name || !tn_value_next(cursor.value, &members))
            return false;
        LearnedPlace *inner = place_of_member(learned, place, name, length);
        if (inner && !read_place(learned, inner, members.value, depth + 1))
            return false;
    }
    if (!read_next(learned, place, &place->others, document, &cursor, depth) ||
        !read_next(learned, place, &place->element, document, &cursor, depth))
        return false;
    place_settle(learned, place);
    return true;
}

bool learned_read(Learned *learned, tn_value document)
{
    size_t length = (size_t)(document.end - document.start);

    return value_check(document.start, length, NULL) &&
           read_place(learned, learned->whole, document, 0);
}
