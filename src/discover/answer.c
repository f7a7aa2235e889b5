#include "answer.h"

#include <stdio.h>
#include <string.h>

enum { CHOSEN = 1, LEFT = 2, SHORT = 4 };

tn_status answer_begin(Answer *answer, const Inventory *inventory, const Form *form, size_t room)
{
    *answer = (Answer){.inventory = inventory, .form = form, .room = room};
    arena_init(&answer->arena, &inventory->allocator, SIZE_MAX);
    buf_init(&answer->scratch, &inventory->allocator, SIZE_MAX);
    answer->states = arena_push(&answer->arena, inventory->count + 1);
    answer->chosen = ARENA_ARRAY(&answer->arena, const Item *, inventory->count + 1);
    answer->queue = ARENA_ARRAY(&answer->arena, const Item *, inventory->count + 1);
    answer->next = ARENA_ARRAY(&answer->arena, uint32_t, inventory->count + 2);
    answer->groups = ARENA_ARRAY(&answer->arena, Group, inventory->count + 1);
    return arena_status(&answer->arena);
}

void answer_release(Answer *answer)
{
    arena_release(&answer->arena);
    buf_release(&answer->scratch);
}

/* ---- choosing ---- */

/* NULL: nothing of it was chosen yet. */
static Group *group_of(const Answer *answer, const Item *item)
{
    const void *key = answer->form->group(item);

    for (uint32_t i = answer->group_count; i > 0; i--) {
        if (answer->groups[i - 1].key == key)
            return &answer->groups[i - 1];
    }
    return NULL;
}

static size_t size_of(Answer *answer, const Item *item, void (*put)(Buf *, const Item *))
{
    Buf *scratch = &answer->scratch;

    buf_clear(scratch);
    put(scratch, item);
    if (!group_of(answer, item)) {
        answer->form->open(scratch, item);
        answer->form->close(scratch, item);
    }
    answer->arena.failed = answer->arena.failed || scratch->failed;
    return scratch->length;
}

/* 0: it does not fit. */
static size_t take(Answer *answer, const Item *item, void (*put)(Buf *, const Item *), size_t most)
{
    size_t size = size_of(answer, item, put);
    Group *group = group_of(answer, item);

    if (answer->used + size > answer->room || size > most)
        return 0;
    answer->used += size;
    answer->states[item->index] |= CHOSEN;
    answer->chosen[answer->chosen_count++] = item;
    if (!group) {
        group = &answer->groups[answer->group_count++];
        *group = (Group){answer->form->group(item), answer->chosen_count, 0};
    } else {
        answer->next[group->last] = answer->chosen_count;
    }
    group->last = answer->chosen_count;
    return size;
}

void answer_choose(Answer *answer, const Item *item)
{
    const Form *form = answer->form;

    if (answer->states[item->index] & CHOSEN)
        return;
    if (!answer->full && take(answer, item, form->put, SIZE_MAX) > 0)
        return;
    answer->left++;
    if (!answer->full && form->put_short && take(answer, item, form->put_short, SIZE_MAX) > 0)
        answer->states[item->index] |= SHORT;
    else
        answer->full = true;
}

void answer_choose_needs(Answer *answer, const Item *item, size_t most)
{
    const Item **queue = answer->queue;
    uint32_t first = 0, end = 0, begin = answer->chosen_count;

    if (!(answer->states[item->index] & CHOSEN))
        return;
    queue[end++] = item;
    for (; first < end; first++) {
        for (uint32_t i = 0; i < queue[first]->need_count; i++) {
            const Item *need = queue[first]->needs[i]->shown;
            uint8_t *state = &answer->states[need->index];
            if (*state & CHOSEN || need == item)
                continue;
            size_t size = take(answer, need, answer->form->put, most);
            if (size == 0)
                *state |= LEFT;
            else
                most -= size;
        }
        /* what was chosen for this one, in turn */
        if (begin + first < answer->chosen_count)
            queue[end++] = answer->chosen[begin + first];
    }
}

/* ---- writing ---- */

static uint32_t types_left(const Answer *answer)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < answer->inventory->count; i++)
        count += (answer->states[i] & (LEFT | CHOSEN)) == LEFT;
    return count;
}

static void put_last_line(const Answer *answer, Buf *out)
{
    uint32_t types = types_left(answer);

    if (answer->left == 0 && types == 0) {
        buf_append_string(out, "COMPLETE\n");
        return;
    }
    buf_append_string(out, "PARTIAL (");
    if (answer->left > 0) {
        buf_append_uint(out, answer->left);
        buf_append_string(out, " more");
    }
    if (types > 0) {
        buf_append_string(out, answer->left > 0 ? " and " : "");
        buf_append_uint(out, types);
        buf_append_string(out, types == 1 ? " type" : " types");
    }
    buf_append_string(out, ": ");
    buf_append_string(out, answer->form->remedy);
    buf_append_string(out, ")\n");
}

static void put_chosen(const Answer *answer, Buf *out, const Item *item)
{
    if (answer->states[item->index] & SHORT)
        answer->form->put_short(out, item);
    else
        answer->form->put(out, item);
}

/* Functions, then the types. */
static void put_group(const Answer *answer, Buf *out, const Group *group)
{
    const Item *first = answer->chosen[group->first - 1];

    answer->form->open(out, first);
    for (int types = 0; types < 2; types++) {
        for (uint32_t at = group->first; at > 0; at = answer->next[at]) {
            const Item *item = answer->chosen[at - 1];
            if ((item->kind == ITEM_TYPE) == types)
                put_chosen(answer, out, item);
        }
    }
    answer->form->close(out, first);
}

void answer_write(Answer *answer, Buf *out)
{
    for (uint32_t i = 0; i < answer->group_count; i++)
        put_group(answer, out, &answer->groups[i]);
    put_last_line(answer, out);
}
