/* What a tool said, as a value. The rule:
 *
 *   structuredContent, if there is any           it is the value
 *   no content                                   null
 *   one text                                     an object or array if it is JSON of one; else the
 *                                                text ("007", "true" and "\"x\"" stay text)
 *   several texts, each JSON of an object or
 *   array                                        an array of them
 *   several texts otherwise                      one text, with line ends between
 *   anything else                                an array of parts; a single part is itself:
 *     text              {type, text}
 *     image, audio      {type, mimeType, data}   data: bytes
 *     resource          {type, uri, mimeType?, text} or {..., data}
 *     any other         as sent
 *
 * isError true (nothing else) makes it an error: the texts, else structuredContent as JSON. */
#include "inside.h"
#include "plain_json.h"

/* ---- parts ---- */

static bool is_text(tn_value value, const char *wanted)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text && length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

static bool is_type(tn_value block, const char *type)
{
    return is_text(tn_value_member(block, "type"), type);
}

static tn_value text_of(tn_value block)
{
    tn_value text = tn_value_member(block, "text");

    return is_type(block, "text") && tn_value_type(text) == TN_TYPE_TEXT ? text : (tn_value){0};
}

/* The JSON of an object or an array, read; false for all other text. */
static bool read_json(const tn_allocator *allocator, tn_value text, Buf *out)
{
    size_t length, at = 0;
    const char *json = tn_value_text(text, &length);

    buf_init(out, allocator, SIZE_MAX);
    while (at < length && strchr(" \t\r\n", json[at]) && json[at])
        at++;
    return at < length && (json[at] == '{' || json[at] == '[') &&
           plain_json_read(out, json, length) == TN_OK;
}

static tn_value view(const Buf *cbor)
{
    return (tn_value){cbor->data, cbor->data, cbor->data + cbor->length};
}

static void put_key(tn_writer *writer, tn_value key)
{
    size_t length;
    const char *text = tn_value_text(key, &length);
    char name[256];

    if (!text || length >= sizeof name)
        return;
    memcpy(name, text, length);
    name[length] = '\0';
    tn_put_key(writer, name);
}

/* An object with one member's base64 as bytes, under another name. */
static void put_decoded(tn_writer *writer, const tn_allocator *allocator, const char *type,
                        tn_value object, const char *encoded)
{
    tn_cursor cursor = {0};
    size_t length;

    tn_put_object_begin(writer);
    tn_put_key(writer, "type");
    tn_put_string(writer, type);
    while (tn_value_next(object, &cursor)) {
        size_t key_length;
        const char *key = tn_value_text(cursor.key, &key_length);
        if (!key || key_length >= 256 || memchr(key, 0, key_length) || is_text(cursor.key, "type"))
            continue;
        const char *text = tn_value_text(cursor.value, &length);
        Buf bytes;
        buf_init(&bytes, allocator, SIZE_MAX);
        if (text && is_text(cursor.key, encoded) && plain_json_unbase64(&bytes, text, length)) {
            tn_put_key(writer, "data");
            tn_put_bytes(writer, bytes.length ? bytes.data : (const uint8_t *)"", bytes.length);
        } else {
            put_key(writer, cursor.key);
            tn_put_value(writer, cursor.value);
        }
        buf_release(&bytes);
    }
    tn_put_object_end(writer);
}

static void put_part(tn_writer *writer, const tn_allocator *allocator, tn_value block)
{
    if (is_type(block, "image") || is_type(block, "audio"))
        put_decoded(writer, allocator, is_type(block, "image") ? "image" : "audio", block, "data");
    else if (is_type(block, "resource") &&
             tn_value_type(tn_value_member(block, "resource")) == TN_TYPE_OBJECT)
        put_decoded(writer, allocator, "resource", tn_value_member(block, "resource"), "blob");
    else
        tn_put_value(writer, block);
}

/* ---- texts ---- */

static bool all_texts(tn_value content)
{
    tn_cursor cursor = {0};

    while (tn_value_next(content, &cursor)) {
        if (tn_value_type(text_of(cursor.value)) == TN_TYPE_NONE)
            return false;
    }
    return true;
}

static void join_texts(tn_value content, Buf *out)
{
    tn_cursor cursor = {0};
    size_t length;

    while (tn_value_next(content, &cursor)) {
        const char *text = tn_value_text(text_of(cursor.value), &length);
        if (!text)
            continue;
        if (out->length > 0)
            buf_append_byte(out, '\n');
        buf_append(out, text, length);
    }
}

/* An array of what each text is as JSON; false if one of them is not, and nothing is of use. */
static bool read_all_json(const tn_allocator *allocator, tn_value content, Buf *out)
{
    tn_cursor cursor = {0};
    bool good = true;

    buf_init(out, allocator, SIZE_MAX);
    buf_append_byte(out, 0x9f);
    while (good && tn_value_next(content, &cursor)) {
        Buf one;
        good = read_json(allocator, text_of(cursor.value), &one);
        buf_append(out, one.data, good ? one.length : 0);
        buf_release(&one);
    }
    buf_append_byte(out, 0xff);
    return good && !out->failed;
}

static void put_texts(tn_writer *writer, const tn_allocator *allocator, tn_value content,
                      size_t count)
{
    Buf read;
    bool json = count == 1 ? read_json(allocator, text_of(tn_value_item(content, 0)), &read)
                           : read_all_json(allocator, content, &read);

    if (!json) {
        buf_release(&read);
        buf_init(&read, allocator, SIZE_MAX);
        join_texts(content, &read);
        tn_put_text(writer, read.length ? (const char *)read.data : "", read.length);
    } else {
        tn_put_value(writer, view(&read));
    }
    buf_release(&read);
}

/* ---- the whole ---- */

static void describe(tn_value result, Buf *out)
{
    tn_value structured = tn_value_member(result, "structuredContent");

    join_texts(tn_value_member(result, "content"), out);
    if (out->length == 0 && tn_value_type(structured) != TN_TYPE_NONE &&
        tn_value_type(structured) != TN_TYPE_NULL)
        (void)plain_json_write(out, structured, NULL);
    if (out->length == 0)
        buf_append_string(out, "the tool failed and did not say why");
}

bool result_write(tn_value result, tn_writer *writer, Buf *out_error, const char **out_code)
{
    const tn_allocator *allocator = out_error->allocator;
    tn_value structured = tn_value_member(result, "structuredContent");
    tn_value content = tn_value_member(result, "content");
    tn_type type = tn_value_type(content), structured_type = tn_value_type(structured);
    size_t count = tn_value_count(content);

    if (tn_value_bool(tn_value_member(result, "isError"))) {
        describe(result, out_error);
        *out_code = "tool_error";
        return false;
    }
    if (type != TN_TYPE_ARRAY && type != TN_TYPE_NONE && type != TN_TYPE_NULL &&
        structured_type == TN_TYPE_NONE) {
        buf_append_string(out_error, "content that is no list");
        *out_code = "protocol";
        return false;
    }
    if (structured_type != TN_TYPE_NONE && structured_type != TN_TYPE_NULL) {
        tn_put_value(writer, structured);
    } else if (type != TN_TYPE_ARRAY || count == 0) {
        tn_put_null(writer);
    } else if (all_texts(content)) {
        put_texts(writer, allocator, content, count);
    } else if (count == 1) {
        put_part(writer, allocator, tn_value_item(content, 0));
    } else {
        tn_cursor cursor = {0};
        tn_put_array_begin(writer);
        while (tn_value_next(content, &cursor))
            put_part(writer, allocator, cursor.value);
        tn_put_array_end(writer);
    }
    return true;
}
