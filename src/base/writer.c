#include "writer.h"

#include <math.h>

#include "memory.h"
#include "utf8.h"
#include "value.h"

void writer_init(tn_writer *writer, const tn_allocator *allocator, size_t limit_bytes)
{
    memset(writer, 0, sizeof *writer);
    writer->allocator = *allocator;
    writer->depth_most = CBOR_DEPTH_MAX;
    buf_init(&writer->buf, &writer->allocator, limit_bytes);
}

void writer_release(tn_writer *writer)
{
    buf_release(&writer->buf);
}

void writer_clear(tn_writer *writer)
{
    buf_clear(&writer->buf);
    writer->status = TN_OK;
    writer->depth = 0;
    writer->key_next = writer->whole = false;
    writer->shared = 0;
}

tn_status writer_new(const tn_allocator *allocator, size_t limit_bytes, tn_writer **out_writer)
{
    tn_writer *writer = memory_new(allocator, sizeof *writer);

    if (!writer)
        return TN_ERR_NOMEM;
    writer_init(writer, allocator, limit_bytes);
    *out_writer = writer;
    return TN_OK;
}

tn_status tn_writer_new(tn_writer **out_writer)
{
    return writer_new(memory_default(), SIZE_MAX, out_writer);
}

void tn_writer_free(tn_writer *writer)
{
    if (!writer)
        return;
    tn_allocator allocator = writer->allocator;
    writer_release(writer);
    memory_free(&allocator, writer, sizeof *writer);
}

tn_status writer_status(const tn_writer *writer)
{
    if (writer->buf.failed)
        return buf_status(&writer->buf);
    if (writer->status != TN_OK)
        return writer->status;
    return writer->whole ? TN_OK : TN_ERR_STATE;
}

tn_value tn_writer_value(const tn_writer *writer)
{
    if (!writer || writer_status(writer) != TN_OK)
        return (tn_value){0};
    const uint8_t *data = writer->buf.data;
    return (tn_value){data, data, data + writer->buf.length};
}

/* ---- the grammar: one value; in objects a key before each ---- */

void writer_fail(tn_writer *writer, tn_status status)
{
    if (writer->status == TN_OK)
        writer->status = status;
}

static bool in_object(const tn_writer *writer)
{
    unsigned level = writer->depth - 1;
    return writer->depth > 0 && (writer->is_object[level / 8] >> (level % 8) & 1);
}

bool writer_admit(tn_writer *writer)
{
    if (writer->status != TN_OK || writer->buf.failed)
        return false;
    if (writer->whole || writer->key_next) {
        writer_fail(writer, TN_ERR_STATE);
        return false;
    }
    writer->whole = writer->depth == 0;
    writer->key_next = in_object(writer);
    return true;
}

static void begin(tn_writer *writer, bool object)
{
    if (!writer_admit(writer))
        return;
    if (writer->depth == writer->depth_most) {
        writer_fail(writer, TN_ERR_LIMIT);
        return;
    }
    unsigned level = writer->depth++;
    uint8_t bit = (uint8_t)(1u << (level % 8));
    if (object)
        writer->is_object[level / 8] |= bit;
    else
        writer->is_object[level / 8] &= (uint8_t)~bit;
    writer->whole = false;
    writer->key_next = object;
    if (object)
        cbor_put_map_open(&writer->buf);
    else
        cbor_put_array_open(&writer->buf);
}

static void end(tn_writer *writer, bool object)
{
    if (writer->status != TN_OK || writer->buf.failed)
        return;
    if (writer->depth == 0 || in_object(writer) != object || (object && !writer->key_next)) {
        writer_fail(writer, TN_ERR_STATE);
        return;
    }
    cbor_put_break(&writer->buf);
    writer->depth--;
    writer->whole = writer->depth == 0;
    writer->key_next = in_object(writer);
}

/* ---- the values ---- */

void tn_put_undefined(tn_writer *writer)
{
    if (writer_admit(writer))
        cbor_put_simple(&writer->buf, CBOR_UNDEFINED);
}

void tn_put_null(tn_writer *writer)
{
    if (writer_admit(writer))
        cbor_put_simple(&writer->buf, CBOR_NULL);
}

void tn_put_bool(tn_writer *writer, bool value)
{
    if (writer_admit(writer))
        cbor_put_simple(&writer->buf, value ? CBOR_TRUE : CBOR_FALSE);
}

void tn_put_number(tn_writer *writer, double value)
{
    if (writer_admit(writer))
        cbor_put_number(&writer->buf, value);
}

/* What a JavaScript number cannot hold exactly becomes a big integer: a rounded identifier would
 * be another one. */
void tn_put_int(tn_writer *writer, int64_t value)
{
    const int64_t safe = 9007199254740991;
    uint8_t magnitude[8];

    if (!writer_admit(writer))
        return;
    if (value >= -safe && value <= safe) {
        cbor_put_int(&writer->buf, value);
        return;
    }
    uint64_t bits = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    for (unsigned i = 0; i < 8; i++)
        magnitude[i] = (uint8_t)(bits >> (56 - 8 * i));
    cbor_put_bigint(&writer->buf, value < 0 ? -1 : 1, magnitude, sizeof magnitude);
}

/* Text from a host is UTF-8, or WTF-8 where it came from a program. Other bytes are refused, not
 * mended: nobody would learn of it. */
static bool is_text(tn_writer *writer, const char *text, size_t length)
{
    if (wtf8_valid(text, length))
        return true;
    writer_fail(writer, TN_ERR_ARGUMENT);
    return false;
}

void tn_put_text(tn_writer *writer, const char *text, size_t length)
{
    if (is_text(writer, text, length) && writer_admit(writer))
        cbor_put_string(&writer->buf, text, length);
}

void tn_put_string(tn_writer *writer, const char *text)
{
    tn_put_text(writer, text, strlen(text));
}

void tn_put_bytes(tn_writer *writer, const void *bytes, size_t length)
{
    if (writer_admit(writer))
        cbor_put_bytes(&writer->buf, bytes, length);
}

void tn_put_date(tn_writer *writer, double unix_ms)
{
    if (!writer_admit(writer))
        return;
    bool is_date = unix_ms >= -8.64e15 && unix_ms <= 8.64e15;
    cbor_put_tag(&writer->buf, CBOR_TAG_DATE);
    cbor_put_number(&writer->buf, is_date ? trunc(unix_ms) / 1000 + 0.0 : (double)NAN);
}

void tn_put_array_begin(tn_writer *writer)
{
    begin(writer, false);
}

void tn_put_array_end(tn_writer *writer)
{
    end(writer, false);
}

void tn_put_object_begin(tn_writer *writer)
{
    begin(writer, true);
}

void tn_put_object_end(tn_writer *writer)
{
    end(writer, true);
}

void tn_put_key(tn_writer *writer, const char *name)
{
    size_t length = strlen(name);

    if (!is_text(writer, name, length) || writer->status != TN_OK || writer->buf.failed)
        return;
    if (!writer->key_next) {
        writer_fail(writer, TN_ERR_STATE);
        return;
    }
    cbor_put_string(&writer->buf, name, length);
    writer->key_next = false;
}
