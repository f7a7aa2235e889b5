#include "regexp.h"

/* Room for one more in an array that grows; false if there is no memory, and then all ends. */
bool regexp_room(Regexp *r, void **array, uint32_t *capacity, uint32_t count, size_t bytes)
{
    if (count < *capacity)
        return true;
    uint32_t more = *capacity * 2 + 32;
    void *grown = arena_grow(r->arena, *array, count * bytes, more * bytes);
    if (!grown) {
        r->stopped = true;
        r->scan.at = r->scan.end;
        return false;
    }
    *array = grown;
    *capacity = more;
    return true;
}

Mention *regexp_mention(Regexp *r, uint32_t start)
{
    void *array = r->mentions;
    bool room = regexp_room(r, &array, &r->mentions_capacity, r->mentions_count, sizeof(Mention));

    r->mentions = array;
    if (!room)
        return NULL;
    Mention *one = &r->mentions[r->mentions_count++];
    *one = (Mention){.start = start, .end = r->scan.at};
    return one;
}

/* What a table's owner may write at a name. */
enum { NAME_GIVEN = 1, NAME_LIVE = 2 };

static void give_name(Regexp *r, Name *name, uint32_t start)
{
    void *array = r->live;

    if (name->spare & NAME_LIVE) {
        regexp_wrong(r, 1515, start, r->scan.at);
        return;
    }
    bool room = regexp_room(r, &array, &r->live_capacity, r->live_count, sizeof(LiveName));
    r->live = array;
    if (!room)
        return;
    name->spare = NAME_GIVEN | NAME_LIVE;
    r->live[r->live_count++] = (LiveName){name, r->depth};
}

/* An alternative has ended: those after it may give the same names. */
void regexp_forget_names(Regexp *r)
{
    while (r->live_count > 0 && r->live[r->live_count - 1].depth >= r->depth)
        r->live[--r->live_count].name->spare &= (uint16_t)~NAME_LIVE;
}

/* `name>` behind `(?<` or `\k<`. */
void regexp_group_name(Regexp *r, bool reference)
{
    Scanner *s = &r->scan;
    uint32_t before = s->complaints->count;
    uint32_t start = s->at;
    uint32_t bytes;

    if (start >= s->end || !starts_name(code_at(s, start, &bytes))) {
        regexp_wrong(r, 1514, start, start);
    } else {
        s->at += bytes;
        scan_name_rest(s);
        if (!r->names.places)
            names_init(&r->names, r->arena);
        Name *name = s->complaints->count == before
                         ? scanner_cook(s, &r->names, r->arena, start, s->at, false)
                         : names_get(&r->names, (const char *)s->text + start, s->at - start);
        /* Without memory the name is one that nobody may write at. */
        Mention *one = regexp_mention(r, start);
        if (!one || arena_status(r->arena) != TN_OK)
            return;
        one->name = name;
        if (!reference)
            give_name(r, name, start);
    }
    regexp_expect(r, TOKEN_GREATER);
}

/* What refers to a group must find it; names are as good as new for the next expression. */
void regexp_check_mentions(Regexp *r)
{
    for (uint32_t i = 0; i < r->mentions_count; i++) {
        const Mention *one = &r->mentions[i];
        if (one->name ? !(one->name->spare & NAME_GIVEN) : one->number > r->groups)
            regexp_wrong(r, one->name ? 1532 : r->groups ? 1533 : 1534, one->start, one->end);
    }
    for (uint32_t i = 0; i < r->mentions_count; i++) {
        if (r->mentions[i].name)
            r->mentions[i].name->spare = 0;
    }
}
