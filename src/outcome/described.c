#include "described.h"

#include <string.h>

#include "writer.h"

/* The guest gives eight at the most. */
enum { causes_most = 16 };

const char *described_text(tn_value description, const char *name, size_t *out_length)
{
    tn_value member = tn_value_member(description, name);
    const char *text =
        tn_value_type(member) == TN_TYPE_TEXT ? tn_value_text(member, out_length) : NULL;
    if (!text)
        *out_length = 0;
    return text ? text : "";
}

/* Values inside a description number their shared objects each for itself: so each is a document of
 * its own. */
tn_value described_value(tn_value description)
{
    tn_value value = tn_value_member(description, "value");
    CborReader after = {value.start, value.end};

    if (!value.start || !cbor_skip(&after, CBOR_DEPTH_MAX))
        return (tn_value){0};
    return tn_value_view(value.start, (size_t)(after.at - value.start));
}

typedef struct Describing {
    Buf *out;
    uint32_t shared; /* objects that the document shares so far */
} Describing;

static void put_name(Describing *d, const char *name)
{
    cbor_put_text(d->out, name, strlen(name));
}

static void put_text_member(Describing *d, tn_value description, const char *name)
{
    size_t length;
    const char *text = described_text(description, name, &length);

    if (length == 0 && strcmp(name, "message") != 0)
        return;
    put_name(d, name);
    cbor_put_string(d->out, text, length);
}

static void put_value(Describing *d, tn_value value)
{
    tn_writer writer;

    writer_init(&writer, d->out->allocator, SIZE_MAX);
    writer.shared = d->shared;
    tn_put_value(&writer, value);
    if (writer_status(&writer) == TN_OK)
        buf_append(d->out, writer.buf.data, writer.buf.length);
    else if (writer_status(&writer) == TN_ERR_NOMEM)
        d->out->failed = true;
    else
        cbor_put_simple(d->out, CBOR_UNDEFINED);
    d->shared = writer.shared;
    writer_release(&writer);
}

static void put_described(Describing *d, tn_value description, unsigned depth);

static void put_errors(Describing *d, tn_value errors, unsigned depth)
{
    tn_cursor cursor = {0};

    put_name(d, "errors");
    cbor_put_array_open(d->out);
    while (tn_value_next(errors, &cursor))
        put_described(d, cursor.value, depth + 1);
    cbor_put_break(d->out);
}

/* Members that an error's form has itself come first: docs/values.md. */
static void put_error(Describing *d, tn_value description, unsigned depth)
{
    size_t length;
    const char *name = described_text(description, "name", &length);
    tn_value cause = tn_value_member(description, "cause");
    tn_value errors = tn_value_member(description, "errors");
    tn_value code = tn_value_member(description, "code");

    cbor_put_tag(d->out, CBOR_TAG_ERROR);
    cbor_put_array(d->out, 2);
    cbor_put_string(d->out, name, length);
    cbor_put_map_open(d->out);
    put_text_member(d, description, "message");
    put_text_member(d, description, "stack");
    if (tn_value_type(cause) == TN_TYPE_OBJECT && depth < causes_most) {
        put_name(d, "cause");
        put_described(d, cause, depth + 1);
    }
    if (tn_value_type(errors) == TN_TYPE_ARRAY && depth < causes_most)
        put_errors(d, errors, depth);
    if (tn_value_type(code) != TN_TYPE_NONE) {
        put_name(d, "code");
        put_value(d, code);
    }
    cbor_put_break(d->out);
}

static void put_described(Describing *d, tn_value description, unsigned depth)
{
    size_t length;
    tn_value value = described_value(description);

    if (tn_value_bool(tn_value_member(description, "isError"))) {
        put_error(d, description, depth);
    } else if (tn_value_type(value) != TN_TYPE_NONE) {
        put_value(d, value);
    } else {
        const char *text = described_text(description, "message", &length);
        cbor_put_string(d->out, text, length);
    }
}

bool described_write(tn_value description, Buf *out)
{
    Describing d = {.out = out};

    if (tn_value_type(description) != TN_TYPE_OBJECT)
        return false;
    put_described(&d, description, 0);
    return !out->failed;
}
