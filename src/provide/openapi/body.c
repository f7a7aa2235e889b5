/* The body of a request: JSON, a form, the parts of a multipart, text, bytes. */
#include <stdio.h>
#include <sys/random.h>

#include "inside.h"
#include "plain_json.h"

static const OpenapiEncoding *encoding_of(const OpenapiBody *body, const char *name, size_t length)
{
    for (size_t i = 0; i < body->encoding_count; i++) {
        const char *member = body->encodings[i].member;
        if (member && strlen(member) == length && memcmp(member, name, length) == 0)
            return &body->encodings[i];
    }
    return NULL;
}

static bool is_structure(tn_value value)
{
    tn_type type = tn_value_type(value);
    return type == TN_TYPE_ARRAY || type == TN_TYPE_OBJECT || type == TN_TYPE_MAP ||
           type == TN_TYPE_SET;
}

/* ---- a form ---- */

static bool put_field(const OpenapiBody *body, Arena *arena, tn_cursor *cursor, Buf *out, Buf *why)
{
    size_t length;
    const char *name = tn_value_text(cursor->key, &length);
    const OpenapiEncoding *encoding = name ? encoding_of(body, name, length) : NULL;
    OpenapiParameter parameter = {
        .place = OPENAPI_QUERY, .style = OPENAPI_FORM, .explode = true, .required = false};

    if (!name || tn_value_type(cursor->value) == TN_TYPE_UNDEFINED)
        return true;
    parameter.wire = parameter.member = arena_text(arena, name, length);
    if (!parameter.wire || strlen(parameter.wire) != length)
        return true;
    if (encoding && encoding->styled) {
        parameter.style = encoding->style;
        parameter.explode = encoding->explode;
    } else if (tn_value_type(cursor->value) == TN_TYPE_OBJECT ||
               (encoding && encoding->type &&
                content_kind(encoding->type, strlen(encoding->type)) == OPENAPI_CONTENT_JSON)) {
        parameter.style = OPENAPI_JSON;
    }
    return style_put(out, &parameter, cursor->value,
                     encoding && encoding->reserved ? ESCAPE_RESERVED_STAYS : ESCAPE_FORM,
                     out->length > 0 ? '&' : 0, why);
}

static bool write_form(const OpenapiBody *body, tn_value value, Arena *arena, Buf *out, Buf *why)
{
    tn_cursor cursor = {0};
    size_t length;
    const char *text = tn_value_text(value, &length);

    if (text) { /* written by the program itself */
        buf_append(out, text, length);
        return true;
    }
    while (tn_value_next(value, &cursor)) {
        if (!put_field(body, arena, &cursor, out, why))
            return false;
    }
    return true;
}

/* ---- parts ---- */

/* In a header's quotes, as browsers write it. */
static void put_quoted(Buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            buf_append_string(out, "%22");
        else if (text[i] == '\r' || text[i] == '\n')
            buf_append_string(out, text[i] == '\r' ? "%0D" : "%0A");
        else
            buf_append_byte(out, (uint8_t)text[i]);
    }
}

typedef struct Parting {
    const char *boundary;
    Buf *out;
    Buf *why;
    const OpenapiBody *body;
} Parting;

static bool is_media_type(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] > 0x7e)
            return false;
    }
    return length > 0;
}

/* A file as the document's FilePart has it: {data, name?, type?}. */
static bool is_file(tn_value value)
{
    tn_type data = tn_value_type(tn_value_member(value, "data"));
    tn_type name = tn_value_type(tn_value_member(value, "name"));

    return tn_value_type(value) == TN_TYPE_OBJECT &&
           (data == TN_TYPE_BYTES || (data == TN_TYPE_TEXT && name == TN_TYPE_TEXT));
}

static bool put_part(Parting *parting, tn_value key, tn_value value)
{
    size_t key_length, length, type_length = 0;
    const char *name = tn_value_text(key, &key_length);
    const OpenapiEncoding *encoding = encoding_of(parting->body, name, key_length);
    const char *type = encoding ? encoding->type : NULL;
    bool file = is_file(value);
    tn_value data = file ? tn_value_member(value, "data") : value;
    bool bytes = tn_value_type(data) == TN_TYPE_BYTES;
    const char *file_name = file ? tn_value_text(tn_value_member(value, "name"), &length) : NULL;
    const char *own_type =
        file ? tn_value_text(tn_value_member(value, "type"), &type_length) : NULL;
    Buf *out = parting->out;

    buf_append_string(out, "--");
    buf_append_string(out, parting->boundary);
    buf_append_string(out, "\r\nContent-Disposition: form-data; name=\"");
    put_quoted(out, name, key_length);
    if (file_name || bytes || file) {
        buf_append_string(out, "\"; filename=\"");
        put_quoted(out, file_name ? file_name : name, file_name ? length : key_length);
    }
    buf_append_string(out, "\"\r\n");
    if (own_type && !is_media_type(own_type, type_length)) {
        buf_append_string(parting->why, "the type of a file must be a media type");
        return false;
    }
    if (!own_type && !type)
        type = bytes ? "application/octet-stream" : is_structure(data) ? "application/json" : NULL;
    if (own_type || type) {
        buf_append_string(out, "Content-Type: ");
        buf_append(out, own_type ? own_type : type, own_type ? type_length : strlen(type));
        buf_append_string(out, "\r\n");
    }
    buf_append_string(out, "\r\n");
    const char *text = tn_value_text(data, &length);
    bool good = true;
    if (text)
        buf_append(out, text, length);
    else if (is_structure(data))
        good = plain_json_write(out, data, parting->why) == TN_OK;
    else
        good = style_scalar(out, data);
    buf_append_string(out, "\r\n");
    return good;
}

/* Each member a part, each element of a list one too. */
static bool write_parts(const OpenapiBody *body, tn_value value, const char *boundary, Buf *out,
                        Buf *why)
{
    Parting parting = {boundary, out, why, body};
    tn_cursor cursor = {0};
    bool good = true;

    while (good && tn_value_next(value, &cursor)) {
        tn_type type = tn_value_type(cursor.value);
        tn_cursor inner = {0};
        size_t length;
        if (type == TN_TYPE_UNDEFINED || !tn_value_text(cursor.key, &length))
            continue;
        if (type != TN_TYPE_ARRAY && type != TN_TYPE_SET)
            good = put_part(&parting, cursor.key, cursor.value);
        while (good && (type == TN_TYPE_ARRAY || type == TN_TYPE_SET) &&
               tn_value_next(cursor.value, &inner))
            good = put_part(&parting, cursor.key, inner.value);
    }
    buf_append_string(out, "--");
    buf_append_string(out, boundary);
    buf_append_string(out, "--\r\n");
    return good;
}

/* Nobody can foresee it, so nobody can put it into a value. */
static const char *draw_boundary(Arena *arena)
{
    uint64_t random[2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return NULL;
    return arena_printf(arena, "tenon-%016llx%016llx", (unsigned long long)random[0],
                        (unsigned long long)random[1]);
}

/* ---- the whole ---- */

tn_status body_write(const OpenapiBody *body, tn_value value, Arena *arena, Buf *out,
                     const char **out_type, Buf *why)
{
    const char *boundary = NULL, *text;
    bool good = true;
    size_t length;

    *out_type = body->type;
    switch ((OpenapiKind)body->kind) {
    case OPENAPI_CONTENT_JSON:
        good = plain_json_write(out, value, why) == TN_OK;
        break;
    case OPENAPI_CONTENT_FORM:
        good = write_form(body, value, arena, out, why);
        break;
    case OPENAPI_CONTENT_MULTIPART:
        boundary = draw_boundary(arena);
        if (!boundary)
            return TN_ERR_NOMEM;
        good = write_parts(body, value, boundary, out, why);
        *out_type = arena_printf(arena, "%s; boundary=%s", body->type, boundary);
        break;
    default:
        text = tn_value_text(value, &length);
        if (text)
            buf_append(out, text, length);
        else
            good = plain_json_write(out, value, why) == TN_OK;
    }
    if (!good && why->length == 0)
        buf_append_string(why, "the body holds what cannot be sent");
    return good ? buf_status(out) : TN_ERR_ARGUMENT;
}
