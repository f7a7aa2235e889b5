/*
 * tn_put_value: a value copied out of its document into another.
 *
 * Shared references are numbered by document, and a part that is taken out may refer to what is
 * not in it. So the copy numbers them anew, and writes an object where it is first met in the
 * copy, jumping to it in the old document and back. Each object is written once; so even a web of
 * references costs no more than the document.
 */
#include "memory.h"
#include "value.h"
#include "writer.h"

/* A container being copied, or a jump that returns when its one item is done. */
typedef struct CopyFrame {
    size_t owed;          /* items still to come; SIZE_MAX until a break */
    const uint8_t *after; /* of a jump: where to go on */
} CopyFrame;

typedef struct Copy {
    tn_value value;
    tn_writer *writer;
    ValueIndex index;
    uint32_t *numbers; /* of each shared object in the copy, from 1; 0: not met yet */
    size_t count;
    unsigned depth_most;
    Buf frames;
    CborReader in;
} Copy;

static CopyFrame *top(const Copy *copy)
{
    return (CopyFrame *)(void *)copy->frames.data + copy->frames.length / sizeof(CopyFrame) - 1;
}

static void push(Copy *copy, size_t owed, const uint8_t *after)
{
    CopyFrame frame = {owed, after};
    buf_append(&copy->frames, &frame, sizeof frame);
}

/* An object that is shared: written here if it is met for the first time, else referred to.
 * Returns whether it follows. */
static bool meet(Copy *copy, size_t number)
{
    Buf *out = &copy->writer->buf;
    uint32_t *met = &copy->numbers[number];

    if (*met != 0) {
        cbor_put_tag(out, CBOR_TAG_SHARED_REF);
        cbor_put_uint(out, *met - 1);
        return false;
    }
    *met = ++copy->writer->shared;
    cbor_put_tag(out, CBOR_TAG_SHARED);
    return true;
}

/* Copies the head of one item and opens its container, if it is one. */
static void copy_item(Copy *copy)
{
    const uint8_t *at = copy->in.at;
    Item item;

    if (!item_read(at, copy->in.end, &item)) {
        writer_fail(copy->writer, TN_ERR_ARGUMENT);
        return;
    }
    if (copy->frames.length > 0 && top(copy)->owed != SIZE_MAX)
        top(copy)->owed--;
    copy->in.at = item.in.at;
    if (item.type == TN_TYPE_NONE) {
        if (!meet(copy, (size_t)item.ref))
            return;
        push(copy, 0, copy->in.at);
        at = value_index_shared(&copy->index, copy->value.document, item.ref);
        if (!item_read(at, copy->in.end, &item))
            return;
        copy->in.at = item.in.at;
    } else if (item.shared &&
               !meet(copy, value_index_number(&copy->index, copy->value.document, at))) {
        copy->in.at = at;
        (void)cbor_skip(&copy->in, CBOR_DEPTH_MAX);
        return;
    }
    /* What stands between the sharing and the content is copied byte for byte. */
    if (item.shared) {
        CborReader tag = {at, copy->in.end};
        CborHead head;
        (void)cbor_head(&tag, &head);
        at = tag.at;
    }
    if (item.head.major == CBOR_BYTES || item.head.major == CBOR_TEXT)
        copy->in.at += item.head.argument;
    buf_append(&copy->writer->buf, at, (size_t)(copy->in.at - at));
    size_t each = item.head.major == CBOR_MAP ? 2 : 1;
    if (item.head.major == CBOR_ARRAY || item.head.major == CBOR_MAP)
        push(copy, item.head.indefinite ? SIZE_MAX : (size_t)item.head.argument * each, NULL);
}

static void copy_all(Copy *copy)
{
    tn_writer *writer = copy->writer;

    do {
        copy_item(copy);
        while (copy->frames.length > 0) {
            CopyFrame *frame = top(copy);
            if (frame->owed == SIZE_MAX && cbor_break(&copy->in))
                cbor_put_break(&writer->buf);
            else if (frame->owed != 0)
                break;
            if (frame->after)
                copy->in.at = frame->after;
            copy->frames.length -= sizeof(CopyFrame);
        }
        if (copy->frames.length / sizeof(CopyFrame) > copy->depth_most)
            writer_fail(writer, TN_ERR_LIMIT);
    } while (copy->frames.length > 0 && !copy->frames.failed && !writer->buf.failed &&
             writer->status == TN_OK);
    if (copy->frames.failed)
        writer_fail(writer, TN_ERR_NOMEM);
}

/* Is anything in these bytes, which are whole items, shared? */
static bool mentions_shared(const uint8_t *at, const uint8_t *end)
{
    CborReader in = {at, end};
    CborHead head;

    while (in.at < end) {
        if (cbor_break(&in))
            continue;
        if (!cbor_head(&in, &head))
            return false;
        if (head.major == CBOR_BYTES || head.major == CBOR_TEXT)
            in.at += head.argument;
        else if (head.major == CBOR_TAG &&
                 (head.argument == CBOR_TAG_SHARED || head.argument == CBOR_TAG_SHARED_REF))
            return true;
    }
    return false;
}

static tn_status copy_shared(Copy *copy)
{
    const tn_allocator *allocator = &copy->writer->allocator;
    tn_value value = copy->value;

    tn_status status = value_index_init(&copy->index, allocator, value.document,
                                        (size_t)(value.end - value.document));
    if (status != TN_OK)
        return status;
    copy->count = copy->index.shared_count;
    size_t bytes = (copy->count + 1) * sizeof *copy->numbers;
    copy->numbers = memory_new(allocator, bytes);
    if (copy->numbers)
        copy_all(copy);
    memory_free(allocator, copy->numbers, bytes);
    buf_release(&copy->frames);
    value_index_release(&copy->index);
    return copy->numbers ? TN_OK : TN_ERR_NOMEM;
}

void tn_put_value(tn_writer *writer, tn_value value)
{
    Copy copy = {.value = value, .writer = writer, .in = {value.start, value.end}};

    if (!value.start || value.start >= value.end) {
        writer_fail(writer, TN_ERR_ARGUMENT);
        return;
    }
    if (!writer_admit(writer))
        return;
    buf_init(&copy.frames, &writer->allocator, SIZE_MAX);
    copy.depth_most = CBOR_DEPTH_MAX - writer->depth;
    CborReader after = copy.in;
    tn_status status = TN_OK;
    if (!cbor_skip(&after, copy.depth_most))
        status = cbor_skip(&after, CBOR_DEPTH_MAX) ? TN_ERR_LIMIT : TN_ERR_ARGUMENT;
    else if (mentions_shared(value.start, after.at))
        status = copy_shared(&copy);
    else
        buf_append(&writer->buf, value.start, (size_t)(after.at - value.start));
    if (status != TN_OK)
        writer_fail(writer, status);
}
