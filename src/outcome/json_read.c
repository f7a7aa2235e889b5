#include "json_read.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Values inside each other, as the limits of a run have it by default. */
enum { value_depth_most = 1000 };

void read_push(JsonReader *reader, ReadFrame frame)
{
    if (frame.depth > value_depth_most || reader->writer->depth + 2 * frame.depth > CBOR_DEPTH_MAX)
        reader->wrong = true;
    else
        buf_append(&reader->frames, &frame, sizeof frame);
}

void read_put_string(JsonReader *reader, const JsonToken *token)
{
    cbor_put_string(reader->out, tape_text(&reader->tape, token), token->length);
}

void read_put_shared(JsonReader *reader, uint32_t token)
{
    if (!tape_token(&reader->tape, token)->shared)
        return;
    Place *place = (Place *)(void *)reader->places.data + token;
    place->number = ++reader->writer->shared;
    cbor_put_tag(reader->out, CBOR_TAG_SHARED);
}

/* ---- repeated names: the first one's place, the last one's value ---- */

static int compare_names(const void *a, const void *b, void *context)
{
    const Tape *tape = context;
    uint32_t left_at = *(const uint32_t *)a, right_at = *(const uint32_t *)b;
    const JsonToken *left = tape_token(tape, left_at), *right = tape_token(tape, right_at);

    if (left->length != right->length)
        return left->length < right->length ? -1 : 1;
    int order = memcmp(tape_text(tape, left), tape_text(tape, right), left->length);
    if (order != 0)
        return order;
    return (left_at > right_at) - (left_at < right_at);
}

static bool same_name(const Tape *tape, uint32_t a, uint32_t b)
{
    const JsonToken *left = tape_token(tape, a), *right = tape_token(tape, b);
    return left->length == right->length &&
           memcmp(tape_text(tape, left), tape_text(tape, right), left->length) == 0;
}

/* `later` has the same name as `first`, which has not been given away itself. */
static void merge(Tape *tape, uint32_t first, uint32_t later)
{
    tape_token(tape, first)->next = tape_token(tape, later)->next;
    tape_token(tape, later)->dead = true;
}

static uint32_t merge_few(Tape *tape, const uint32_t *names, uint32_t count)
{
    uint32_t unique = count;

    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (!tape_token(tape, names[k])->dead && same_name(tape, names[k], names[i])) {
                merge(tape, names[k], names[i]);
                unique--;
                break;
            }
        }
    }
    return unique;
}

static uint32_t merge_many(Tape *tape, uint32_t *names, uint32_t count)
{
    uint32_t unique = count, first = 0;

    qsort_r(names, count, sizeof *names, compare_names, tape);
    for (uint32_t i = 1; i < count; i++) {
        if (same_name(tape, names[first], names[i])) {
            merge(tape, names[first], names[i]);
            unique--;
        } else {
            first = i;
        }
    }
    return unique;
}

uint32_t read_unique_members(JsonReader *reader, uint32_t object)
{
    enum { few = 12 };
    Tape *tape = &reader->tape;
    JsonToken *token = tape_token(tape, object);
    uint32_t count = token->length;
    uint32_t small[few];
    uint32_t *names = small;

    if (count > few) {
        buf_truncate(&reader->scratch, 0);
        names = (uint32_t *)(void *)buf_extend(&reader->scratch, count * sizeof *names);
        if (!names)
            return count;
    }
    uint32_t at = object + 1;
    for (uint32_t i = 0; i < count; i++) {
        names[i] = at;
        at = tape_token(tape, at + 1)->next;
    }
    return count > few ? merge_many(tape, names, count) : merge_few(tape, names, count);
}

/* ---- the walk ---- */

static void put_object(JsonReader *reader, uint32_t at)
{
    cbor_put_map(reader->out, read_unique_members(reader, at));
    read_push(reader, (ReadFrame){.kind = READ_MEMBERS,
                                  .at = at + 1,
                                  .end = tape_token(&reader->tape, at)->next,
                                  .depth = reader->depth + 1});
}

static void put_array(JsonReader *reader, uint32_t at)
{
    const JsonToken *token = tape_token(&reader->tape, at);

    cbor_put_array(reader->out, token->length);
    read_push(reader, (ReadFrame){.kind = READ_ITEMS,
                                  .at = at + 1,
                                  .end = token->next,
                                  .depth = reader->depth + 1});
}

static void put_token(JsonReader *reader, uint32_t at)
{
    const JsonToken *token = tape_token(&reader->tape, at);

    switch ((JsonKind)token->kind) {
    case JSON_NULL:
        cbor_put_simple(reader->out, CBOR_NULL);
        break;
    case JSON_FALSE:
        cbor_put_simple(reader->out, CBOR_FALSE);
        break;
    case JSON_TRUE:
        cbor_put_simple(reader->out, CBOR_TRUE);
        break;
    case JSON_NUMBER:
        cbor_put_number(reader->out, token->number);
        break;
    case JSON_STRING:
        read_put_string(reader, token);
        break;
    case JSON_ARRAY:
        read_put_shared(reader, at);
        put_array(reader, at);
        break;
    case JSON_OBJECT:
        if (!read_form(reader, at)) {
            read_put_shared(reader, at);
            put_object(reader, at);
        }
        break;
    }
}

/* The next member that counts; its name is written. */
static uint32_t next_member(JsonReader *reader, ReadFrame *frame)
{
    while (frame->at < frame->end) {
        const JsonToken *name = tape_token(&reader->tape, frame->at);
        frame->at = tape_token(&reader->tape, frame->at + 1)->next;
        if (name->dead || (frame->of_error && read_is_error_name(reader, name)))
            continue;
        read_put_string(reader, name);
        return name->next;
    }
    return 0;
}

/* A pair is an array of two; that it is was seen before its frame was pushed. */
static uint32_t next_of_pair(ReadFrame *frame, const Tape *tape)
{
    uint32_t key = frame->at + 1;

    frame->at_value = !frame->at_value;
    if (frame->at_value)
        return key;
    frame->at = tape_token(tape, frame->at)->next;
    return tape_token(tape, key)->next;
}

/* The next value to write; 0, which is the document itself, when all is written. */
static uint32_t next_value(JsonReader *reader)
{
    while (reader->frames.length > 0 && !reader->frames.failed) {
        ReadFrame *frame = (ReadFrame *)(void *)(reader->frames.data + reader->frames.length) - 1;
        uint32_t next = 0;
        reader->depth = frame->depth;
        if (frame->kind == READ_MEMBERS) {
            next = next_member(reader, frame);
        } else if (frame->at < frame->end && frame->kind == READ_ITEMS) {
            next = frame->at;
            frame->at = tape_token(&reader->tape, next)->next;
        } else if (frame->at < frame->end) {
            next = next_of_pair(frame, &reader->tape);
        }
        if (next != 0)
            return next;
        reader->frames.length -= sizeof(ReadFrame);
    }
    return 0;
}

static tn_status put_document(JsonReader *reader)
{
    uint32_t at = 0;

    if (reader->tape.has_circular)
        read_mark_circular(reader);
    do {
        if (reader->places.failed || reader->scratch.failed || reader->frames.failed)
            return TN_ERR_NOMEM;
        if (reader->wrong)
            return TN_ERR_ARGUMENT;
        put_token(reader, at);
        at = next_value(reader);
    } while (at != 0 && !reader->out->failed);
    if (reader->frames.failed || reader->scratch.failed)
        return TN_ERR_NOMEM;
    return reader->wrong ? TN_ERR_ARGUMENT : buf_status(reader->out);
}

/* The writer is as it was before if the text is no JSON: something else can be put there. */
tn_status tn_put_json(tn_writer *writer, const char *json, size_t length)
{
    JsonReader reader = {.writer = writer, .out = &writer->buf};
    const tn_allocator *allocator = &writer->allocator;

    tn_status status = tape_read(&reader.tape, allocator, json, length);
    bool key_next = writer->key_next, whole = writer->whole;
    size_t written = writer->buf.length;
    uint32_t shared = writer->shared;
    buf_init(&reader.frames, allocator, SIZE_MAX);
    buf_init(&reader.scratch, allocator, SIZE_MAX);
    buf_init(&reader.places, allocator, SIZE_MAX);
    if (status == TN_OK && !writer_admit(writer)) {
        status = writer_status(writer);
    } else if (status == TN_OK) {
        status = put_document(&reader);
        if (status == TN_ERR_ARGUMENT) {
            buf_truncate(&writer->buf, written);
            writer->key_next = key_next;
            writer->whole = whole;
            writer->shared = shared;
        }
    }
    /* A value is missing now: later calls must not make a whole of the rest. */
    if (status == TN_ERR_NOMEM || status == TN_ERR_LIMIT)
        writer_fail(writer, status);
    buf_release(&reader.frames);
    buf_release(&reader.scratch);
    buf_release(&reader.places);
    tape_release(&reader.tape);
    return status;
}
