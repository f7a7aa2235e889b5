/*
 * The check that makes bytes a value: one pass over the document, no recursion, no allocation
 * unless the caller wants the lists.
 */
#include "value.h"

#include <stdlib.h>

#include "memory.h"
#include "utf8.h"

/* What a container's children must be. */
typedef enum Shape {
    SHAPE_ANY,      /* array, set: anything */
    SHAPE_PAIRS,    /* map: anything and anything */
    SHAPE_OBJECT,   /* text and anything */
    SHAPE_ERROR,    /* text, object */
    SHAPE_REGEXP,   /* text, text */
    SHAPE_REFERENCE /* text, integer, integer */
} Shape;

typedef struct Frame {
    size_t owed;   /* children still to come; SIZE_MAX until a break */
    size_t offset; /* of the container's head */
    uint8_t shape;
    uint8_t step; /* which child is next, in shapes that have steps */
    bool odd;     /* already listed */
} Frame;

typedef struct Check {
    const uint8_t *document;
    CborReader in;
    ValueIndex *index;
    unsigned level;
    Frame frames[CBOR_DEPTH_MAX];
} Check;

static unsigned steps_of(unsigned shape)
{
    static const unsigned steps[] = {1, 2, 2, 2, 2, 3};
    return steps[shape];
}

static Shape shape_of(const Item *item)
{
    switch (item->type) {
    case TN_TYPE_MAP:
        return SHAPE_PAIRS;
    case TN_TYPE_OBJECT:
        return SHAPE_OBJECT;
    case TN_TYPE_ERROR:
        return SHAPE_ERROR;
    case TN_TYPE_REGEXP:
        return SHAPE_REGEXP;
    case TN_TYPE_REFERENCE:
        return SHAPE_REFERENCE;
    default:
        return SHAPE_ANY;
    }
}

static bool is_container(const Item *item)
{
    return item->type != TN_TYPE_NONE &&
           (item->head.major == CBOR_ARRAY || item->head.major == CBOR_MAP);
}

/* Steps are fixed in errors, expressions and references: each is met once. */
static bool is_tuple(unsigned shape)
{
    return shape >= SHAPE_ERROR;
}

static bool fits_frame(const Frame *frame, const Item *item)
{
    switch (frame->shape) {
    case SHAPE_OBJECT:
        return frame->step == 1 || item->type == TN_TYPE_TEXT;
    case SHAPE_ERROR:
        return frame->step == 0 ? item->type == TN_TYPE_TEXT
                                : item->type == TN_TYPE_OBJECT && !item->shared;
    case SHAPE_REGEXP:
        return item->type == TN_TYPE_TEXT;
    case SHAPE_REFERENCE:
        return frame->step == 0 ? item->type == TN_TYPE_TEXT
                                : item->type == TN_TYPE_NUMBER && item->head.major == CBOR_UINT;
    default:
        return true;
    }
}

static bool leaf_is_good(const Item *item, CborReader *in)
{
    const uint8_t *bytes;
    size_t length;

    if (item->head.major != CBOR_BYTES && item->head.major != CBOR_TEXT)
        return true;
    if (!cbor_string(in, &item->head, &bytes, &length))
        return false;
    if (item->type == TN_TYPE_TEXT)
        return item->tag == CBOR_TAG_WTF8 ? wtf8_valid(bytes, length) : utf8_valid(bytes, length);
    if (item->type == TN_TYPE_BYTES)
        return length % typed_array_of_tag(item->tag)->bytes == 0;
    return true;
}

/* A key that JSON cannot hold plainly puts its object on the list. */
static void note_key(Check *check, Frame *frame, const Item *item)
{
    size_t length;
    const char *text = item_text(item, &length);
    bool odd = item->tag == CBOR_TAG_WTF8 || (text && length == 5 && memcmp(text, "$type", 5) == 0);

    if (odd && !frame->odd) {
        frame->odd = true;
        if (check->index->odd.allocator)
            buf_append(&check->index->odd, &frame->offset, sizeof frame->offset);
    }
}

static bool take_item(Check *check)
{
    Frame *frame = check->level > 0 ? &check->frames[check->level - 1] : NULL;
    size_t offset = (size_t)(check->in.at - check->document);
    ValueIndex *index = check->index;
    Item item;

    if (!item_read(check->in.at, check->in.end, &item) || (frame && !fits_frame(frame, &item)))
        return false;
    /* A reference is to what has been met: the document is written in the order it is read. */
    if (item.type == TN_TYPE_NONE && item.ref >= index->shared_count)
        return false;
    if (item.shared) {
        index->shared_count++;
        if (index->shared.allocator)
            buf_append(&index->shared, &offset, sizeof offset);
    }
    check->in.at = item.in.at;
    if (frame) {
        if (frame->shape == SHAPE_OBJECT && frame->step == 0)
            note_key(check, frame, &item);
        frame->step++;
        if (!is_tuple(frame->shape))
            frame->step = (uint8_t)(frame->step % steps_of(frame->shape));
        if (frame->owed != SIZE_MAX)
            frame->owed--;
    }
    if (!is_container(&item))
        return item.type == TN_TYPE_NONE || leaf_is_good(&item, &check->in);

    Shape shape = shape_of(&item);
    size_t owed =
        item.head.major == CBOR_MAP ? (size_t)item.head.argument * 2 : (size_t)item.head.argument;
    if (check->level == CBOR_DEPTH_MAX ||
        (is_tuple(shape) && (item.head.indefinite || owed != steps_of(shape))))
        return false;
    check->frames[check->level++] = (Frame){
        .owed = item.head.indefinite ? SIZE_MAX : owed, .offset = offset, .shape = (uint8_t)shape};
    return true;
}

bool value_check(const uint8_t *document, size_t length, ValueIndex *index)
{
    ValueIndex counts = {0};
    Check check;

    check.document = document;
    check.in = (CborReader){document, document + length};
    check.index = index ? index : &counts;
    check.level = 0;
    do {
        if (!take_item(&check))
            return false;
        while (check.level > 0) {
            const Frame *frame = &check.frames[check.level - 1];
            bool over = frame->owed == 0 ||
                        (frame->owed == SIZE_MAX && frame->step == 0 && cbor_break(&check.in));
            if (!over)
                break;
            check.level--;
        }
    } while (check.level > 0);
    return check.in.at == check.in.end;
}

/* ---- the lists ---- */

static int compare_offsets(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

tn_status value_index_init(ValueIndex *index, const tn_allocator *allocator,
                           const uint8_t *document, size_t length)
{
    *index = (ValueIndex){0};
    buf_init(&index->shared, allocator, SIZE_MAX);
    buf_init(&index->odd, allocator, SIZE_MAX);

    bool good = document && value_check(document, length, index);
    tn_status status = index->shared.failed || index->odd.failed ? TN_ERR_NOMEM
                       : good                                    ? TN_OK
                                                                 : TN_ERR_ARGUMENT;
    if (status != TN_OK)
        value_index_release(index);
    else if (index->odd.length > 0) /* listed when the key is met, so inner ones come first */
        qsort(index->odd.data, index->odd.length / sizeof(size_t), sizeof(size_t), compare_offsets);
    return status;
}

void value_index_release(ValueIndex *index)
{
    buf_release(&index->shared);
    buf_release(&index->odd);
}

static size_t listed(const Buf *list, size_t at)
{
    size_t offset;
    memcpy(&offset, list->data + at * sizeof offset, sizeof offset);
    return offset;
}

const uint8_t *value_index_shared(const ValueIndex *index, const uint8_t *document, uint64_t ref)
{
    if (ref >= index->shared.length / sizeof(size_t))
        return NULL;
    return document + listed(&index->shared, (size_t)ref);
}

size_t value_index_number(const ValueIndex *index, const uint8_t *document, const uint8_t *at)
{
    size_t wanted = (size_t)(at - document);
    size_t low = 0, high = index->shared.length / sizeof(size_t);

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (listed(&index->shared, middle) <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool value_index_is_odd(const ValueIndex *index, const uint8_t *document, const uint8_t *map)
{
    size_t wanted = (size_t)(map - document);
    size_t low = 0, high = index->odd.length / sizeof(size_t);

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (listed(&index->odd, middle) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->odd.length / sizeof(size_t) && listed(&index->odd, low) == wanted;
}
