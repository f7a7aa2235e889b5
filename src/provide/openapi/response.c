/* What an answer means: a value, or an error that carries what the service said.
 *
 *   2xx     JSON is its value; text (XML too) is text; anything else is bytes; nothing is
 * undefined. The answer to HEAD is {status, headers}. others  an error with the code HTTP_<status>;
 * 429, 503 and 504 may be tried again. */
#include <stdio.h>
#include <stdlib.h>

#include "cbor.h"
#include "inside.h"
#include "plain_json.h"
#include "utf8.h"
#include "writer.h"

static const char *header(const OpenapiAnswer *answer, const char *name)
{
    for (size_t i = 0; i < answer->header_count; i++) {
        if (strcmp(answer->headers[i].name, name) == 0)
            return answer->headers[i].value;
    }
    return NULL;
}

/* Without a type: what it looks like. */
static OpenapiKind kind_of(const OpenapiAnswer *answer)
{
    const char *type = header(answer, "content-type");

    if (answer->body_length == 0)
        return OPENAPI_NO_CONTENT;
    if (type && type[0])
        return content_kind(type, strlen(type));
    if (answer->body[0] == '{' || answer->body[0] == '[')
        return OPENAPI_CONTENT_JSON;
    return utf8_valid(answer->body, answer->body_length) ? OPENAPI_CONTENT_TEXT
                                                         : OPENAPI_CONTENT_BYTES;
}

/* The body as CBOR. False: it says JSON and is none. */
static bool put_body(const OpenapiAnswer *answer, Buf *out)
{
    const char *text = (const char *)answer->body;
    size_t length = answer->body_length, blank = 0;

    switch (kind_of(answer)) {
    case OPENAPI_NO_CONTENT:
        cbor_put_simple(out, CBOR_UNDEFINED);
        return true;
    case OPENAPI_CONTENT_JSON:
        if (length > 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
            text += 3, length -= 3;
        while (blank < length && memchr(" \t\r\n", text[blank], 4))
            blank++;
        if (blank == length) {
            cbor_put_simple(out, CBOR_UNDEFINED);
            return true;
        }
        return plain_json_read(out, text, length) == TN_OK;
    case OPENAPI_CONTENT_TEXT:
    case OPENAPI_CONTENT_FORM:
        if (utf8_valid(text, length)) {
            cbor_put_string(out, text, length);
            return true;
        }
        break;
    default:
        break;
    }
    cbor_put_bytes(out, text, length);
    return true;
}

static void put_headers(const OpenapiAnswer *answer, Buf *out)
{
    cbor_put_map_open(out);
    for (size_t i = 0; i < answer->header_count; i++) {
        const char *name = answer->headers[i].name;
        size_t at = 0;
        while (strcmp(answer->headers[at].name, name) != 0)
            at++;
        if (at < i || strcmp(name, "set-cookie") == 0) /* said before; or a credential */
            continue;
        cbor_put_string(out, name, strlen(name));
        Buf value;
        buf_init(&value, out->allocator, SIZE_MAX);
        for (; at < answer->header_count; at++) {
            if (strcmp(answer->headers[at].name, name) != 0)
                continue;
            buf_append_string(&value, value.length > 0 ? ", " : "");
            buf_append_string(&value, answer->headers[at].value);
        }
        size_t length = value.length;
        if (utf8_valid(value.data, length))
            cbor_put_string(out, length > 0 ? (const char *)value.data : "", length);
        else
            cbor_put_string(out, "?", 1);
        buf_release(&value);
    }
    cbor_put_break(out);
}

static void put_word(Buf *out, const char *word)
{
    cbor_put_string(out, word, strlen(word));
}

static tn_value view(const Buf *cbor)
{
    return (tn_value){cbor->data, cbor->data, cbor->data + cbor->length};
}

/* ---- failures ---- */

enum { FAILURE_BYTES_MOST = 32 * 1024 }; /* of a failure's body; what is longer is cut, as text */

/* What a service says about its error, in one of the usual places. */
static const char *told(tn_value body, size_t *out_length)
{
    static const char *const names[] = {"message", "error_description", "detail", "error",
                                        "title",   "errorMessage",      "msg",    "description"};
    const char *text = NULL;

    if (tn_value_type(body) == TN_TYPE_TEXT)
        return tn_value_text(body, out_length);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        tn_value said = tn_value_member(body, names[i]);
        if (tn_value_type(said) == TN_TYPE_OBJECT)
            said = tn_value_member(said, "message");
        if (tn_value_type(said) == TN_TYPE_TEXT && (text = tn_value_text(said, out_length)) &&
            *out_length > 0)
            return text;
    }
    if (tn_value_type(body) == TN_TYPE_OBJECT) {
        tn_value list = tn_value_member(body, "errors");
        if (tn_value_type(list) == TN_TYPE_ARRAY && tn_value_count(list) > 0)
            return told(tn_value_item(list, 0), out_length);
    }
    return NULL;
}

/* "Retry-After: 120" in seconds; -1 without one. A date is left to the program. */
static long retry_after(const OpenapiAnswer *answer)
{
    const char *text = header(answer, "retry-after");
    char *end;

    if (!text || *text < '0' || *text > '9')
        return -1;
    long seconds = strtol(text, &end, 10);
    return *end == '\0' && seconds >= 0 && seconds < 100000000 ? seconds : -1;
}

static void say_failure(const OpenapiOperation *operation, const OpenapiAnswer *answer,
                        tn_value body, Buf *out)
{
    size_t length = 0;
    const char *text = told(body, &length);
    char status[80];

    (void)snprintf(status, sizeof status, "%u%s%.60s", answer->status,
                   answer->status_text && answer->status_text[0] ? " " : "",
                   answer->status_text ? answer->status_text : "");
    buf_append_string(out, operation->method);
    buf_append_byte(out, ' ');
    buf_append_string(out, operation->path);
    buf_append_string(out, " answered ");
    buf_append_string(out, status);
    if (text) {
        buf_append_string(out, ": ");
        size_t kept = length > 500 ? utf8_floor(text, length, 500) : length;
        buf_append(out, text, kept);
        buf_append_string(out, kept < length ? "..." : "");
    }
    if ((answer->status == 401 || answer->status == 403) && operation->missing) {
        buf_append_string(out, " (the service wants credentials that were not given: ");
        buf_append_string(out, operation->missing);
        buf_append_byte(out, ')');
    }
}

static void put_failure(const OpenapiOperation *operation, const OpenapiAnswer *answer,
                        Arena *arena, OpenapiFailure *failure)
{
    long seconds = retry_after(answer);
    Buf body, message;

    buf_init(&body, arena->allocator, SIZE_MAX);
    if (answer->body_length > FAILURE_BYTES_MOST || !put_body(answer, &body)) {
        bool text = utf8_valid(answer->body, answer->body_length);
        size_t length = answer->body_length > FAILURE_BYTES_MOST
                            ? utf8_floor(answer->body, answer->body_length, FAILURE_BYTES_MOST)
                            : answer->body_length;
        buf_clear(&body);
        if (text)
            cbor_put_string(&body, (const char *)answer->body, length);
        else
            cbor_put_bytes(&body, answer->body, length);
    }
    buf_init(&message, arena->allocator, SIZE_MAX);
    say_failure(operation, answer, view(&body), &message);
    (void)snprintf(failure->code, sizeof failure->code, "HTTP_%u", answer->status % 1000);
    failure->message = arena_text(arena, (const char *)message.data, message.length);
    failure->retryable = answer->status == 429 || answer->status == 503 || answer->status == 504;
    buf_init(&failure->details, arena->allocator, SIZE_MAX);
    cbor_put_map(&failure->details, 3u + (seconds >= 0));
    put_word(&failure->details, "status");
    cbor_put_uint(&failure->details, answer->status);
    put_word(&failure->details, "body");
    buf_append(&failure->details, body.data, body.length);
    put_word(&failure->details, "headers");
    put_headers(answer, &failure->details);
    if (seconds >= 0) {
        put_word(&failure->details, "retryAfter");
        cbor_put_uint(&failure->details, (uint64_t)seconds);
    }
    buf_release(&body);
    buf_release(&message);
}

/* ---- the whole ---- */

static bool bad_answer(const OpenapiOperation *operation, Arena *arena, OpenapiFailure *failure)
{
    (void)snprintf(failure->code, sizeof failure->code, "protocol");
    failure->message = arena_printf(arena, "%s %s answered with what it calls JSON and is none",
                                    operation->method, operation->path);
    failure->retryable = false;
    buf_init(&failure->details, arena->allocator, SIZE_MAX);
    cbor_put_map(&failure->details, 0);
    return false;
}

bool openapi_answer(const OpenapiOperation *operation, const OpenapiAnswer *answer, Arena *arena,
                    tn_writer *writer, OpenapiFailure *out_failure)
{
    bool good = true;
    Buf out;

    if (answer->status < 200 || answer->status > 299) {
        put_failure(operation, answer, arena, out_failure);
        return false;
    }
    buf_init(&out, arena->allocator, SIZE_MAX);
    if (strcmp(operation->method, "HEAD") == 0) {
        cbor_put_map(&out, 2);
        put_word(&out, "status");
        cbor_put_uint(&out, answer->status);
        put_word(&out, "headers");
        put_headers(answer, &out);
    } else {
        good = put_body(answer, &out);
    }
    if (good && !out.failed)
        tn_put_value(writer, view(&out));
    buf_release(&out);
    return good || bad_answer(operation, arena, out_failure);
}
