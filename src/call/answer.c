/* What a call is answered with: values and errors, made fit for the realm. */
#include <string.h>

#include "tn_call.h"
#include "utf8.h"

void *call_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    const tn_allocator *allocator = &((tn_call *)context)->wake->allocator;

    return allocator->resize(allocator->context, old, old_bytes, new_bytes);
}

enum { LONGEST = 8 * 1024 };

/* A host's message as the program can read it: UTF-8, and not longer than a person would read. */
static void put_mended(Buf *out, const char *message)
{
    size_t length = strlen(message);
    char mended[LONGEST + 4];
    size_t at = 0;

    if (length > LONGEST)
        length = utf8_floor(message, length, LONGEST);
    if (utf8_valid(message, length)) {
        cbor_put_string(out, message, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        mended[at++] = (unsigned char)message[i] < 0x80 ? message[i] : '?';
    cbor_put_string(out, mended, at);
}

void call_write_error(tn_call *call, const char *code, const char *message, int retryable)
{
    Buf *out = &call->error;

    buf_clear(out);
    cbor_put_map(out, 1u + (code != NULL) + (retryable >= 0));
    cbor_put_string(out, "message", 7);
    put_mended(out, message);
    if (code) {
        cbor_put_string(out, "code", 4);
        cbor_put_string(out, code, strlen(code));
    }
    if (retryable >= 0) {
        cbor_put_string(out, "retryable", 9);
        cbor_put_simple(out, retryable ? 21 : 20);
    }
    call->state = CALL_FAILED;
}

void call_fail_with(tn_call *call, const char *code, const char *message, bool retryable,
                    tn_value details)
{
    tn_cursor cursor = {0};
    Buf more;

    call_write_error(call, code, message, retryable);
    buf_init(&more, &call->wake->allocator, SIZE_MAX);
    cbor_put_map(&more, 2u + (code != NULL) + tn_value_count(details));
    if (call->error.length > 0)
        buf_append(&more, call->error.data + 1, call->error.length - 1);
    while (tn_value_next(details, &cursor)) {
        buf_append(&more, cursor.key.start, (size_t)(cursor.value.start - cursor.key.start));
        CborReader in = {cursor.value.start, cursor.value.end};
        if (cbor_skip(&in, CBOR_DEPTH_MAX))
            buf_append(&more, cursor.value.start, (size_t)(in.at - cursor.value.start));
    }
    /* what is too much is left out: the error itself has its place */
    if (!more.failed && more.length <= call->error.limit) {
        buf_clear(&call->error);
        buf_append(&call->error, more.data, more.length);
    }
    buf_release(&more);
}

void call_refuse(tn_call *call, const char *message)
{
    call_write_error(call, "denied", message, 0);
    call->denied = true;
}

void call_deny(tn_call *call, const char *code, const char *const *parts)
{
    char message[LONGEST + 1];
    size_t at = 0;

    for (; *parts; parts++) {
        size_t length = strlen(*parts);
        if (length > LONGEST - at)
            length = utf8_floor(*parts, length, LONGEST - at);
        memcpy(message + at, *parts, length);
        at += length;
    }
    message[at] = 0;
    call_write_error(call, code, message, 0);
    call->denied = true;
}

/* What the function that ran does not stand for is no result. */
static void judge(tn_call *call)
{
    const Provider *provider = call->ran ? &call->ran->provider : NULL;
    const Buf *result = &call->result.buf;
    Buf why;

    if (!provider || !provider->accept)
        return;
    buf_init(&why, &call->wake->allocator, SIZE_MAX);
    if (!provider->accept(provider->context, tn_value_view(result->data, result->length), &why)) {
        buf_append_byte(&why, 0);
        call_write_error(call, "result", why.failed ? "" : (const char *)why.data, 0);
    }
    buf_release(&why);
}

void call_settle(tn_call *call)
{
    if (call->state == CALL_FAILED)
        return;
    if (!call->result.whole && call->result.buf.length == 0 && !call->result.buf.failed)
        tn_put_undefined(&call->result);
    switch (writer_status(&call->result)) {
    case TN_OK:
        call->state = CALL_VALUE_GIVEN;
        judge(call);
        break;
    case TN_ERR_LIMIT:
        call_write_error(call, "LIMIT", "the result is larger than the limit for one call", 0);
        break;
    case TN_ERR_NOMEM:
        call_write_error(call, "NOMEM", "the host has no memory for the result", 1);
        break;
    default:
        call_write_error(call, "HOST", "the host function did not write exactly one value", 0);
        break;
    }
}

CallReply call_reply(const tn_call *call)
{
    static const uint8_t nothing[] = {0xa1, 0x67, 'm', 'e', 's', 's', 'a', 'g', 'e', 0x60};

    if (call->state != CALL_FAILED)
        return (CallReply){.answer = CALL_ANSWER_VALUE,
                           .call_id = call->id,
                           .bytes = call->result.buf.data,
                           .length = call->result.buf.length};
    return (CallReply){.answer = CALL_ANSWER_ERROR,
                       .call_id = call->id,
                       .bytes = call->error.failed ? nothing : call->error.data,
                       .length = call->error.failed ? sizeof nothing : call->error.length};
}
