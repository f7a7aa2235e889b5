/* A parameter as text: the styles of OpenAPI, which are those of RFC 6570 and a few more. */
#include "inside.h"
#include "plain_json.h"

enum { NESTED_MOST = 8 }; /* objects inside each other in a deepObject */

/* ---- text ---- */

/* Of all characters those that never need an escape. */
static bool is_unreserved(unsigned char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

/* What may stay in a query where the document allows it: no value ends it or begins another. */
static bool is_reserved(unsigned char c)
{
    return c < 0x80 && c && strchr(":/?@!$'()*,;[]", c);
}

void style_escape(Buf *out, const char *text, size_t length, Escape escape)
{
    static const char digits[] = "0123456789ABCDEF";

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (escape == ESCAPE_NONE || is_unreserved(c) ||
            (escape == ESCAPE_RESERVED_STAYS && is_reserved(c))) {
            buf_append_byte(out, c);
        } else if (escape == ESCAPE_FORM && c == ' ') {
            buf_append_byte(out, '+');
        } else {
            buf_append_byte(out, '%');
            buf_append_byte(out, (uint8_t)digits[c >> 4]);
            buf_append_byte(out, (uint8_t)digits[c & 15]);
        }
    }
}

bool style_scalar(Buf *out, tn_value value)
{
    size_t length;
    const char *text;

    switch (tn_value_type(value)) {
    case TN_TYPE_TEXT:
        text = tn_value_text(value, &length);
        buf_append(out, text, length);
        return true;
    case TN_TYPE_NULL:
    case TN_TYPE_UNDEFINED:
        return true;
    case TN_TYPE_BOOL:
    case TN_TYPE_NUMBER:
    case TN_TYPE_BIGINT:
        return plain_json_write(out, value, NULL) == TN_OK;
    case TN_TYPE_DATE: {
        Buf json;
        buf_init(&json, out->allocator, 200);
        bool good = plain_json_write(&json, value, NULL) == TN_OK && json.length > 2;
        if (good)
            buf_append(out, json.data + 1, json.length - 2);
        buf_release(&json);
        return good;
    }
    default:
        return false;
    }
}

/* ---- one value ---- */

typedef struct Putting {
    Buf *out;
    const OpenapiParameter *parameter;
    Escape escape;
    char separator; /* before the next pair */
    bool more;      /* a pair was put */
    Buf *why;
} Putting;

static bool refuse(const Putting *putting, const char *why)
{
    if (putting->why->length == 0) {
        buf_append_string(putting->why, putting->parameter->member);
        buf_append_string(putting->why, why);
    }
    return false;
}

static bool put_scalar(Putting *putting, tn_value value)
{
    Buf text;

    buf_init(&text, putting->out->allocator, SIZE_MAX);
    bool good = style_scalar(&text, value);
    style_escape(putting->out, (const char *)text.data, text.length, putting->escape);
    buf_release(&text);
    return good || refuse(putting, " holds a list or an object where its style has no room for "
                                   "one (style "
                                   "and explode in the document)");
}

static void put_name(Putting *putting, const char *text, size_t length)
{
    Escape escape = putting->escape == ESCAPE_RESERVED_STAYS ? ESCAPE_ALL : putting->escape;
    style_escape(putting->out, text, length, escape);
}

static void put_wire(Putting *putting)
{
    put_name(putting, putting->parameter->wire, strlen(putting->parameter->wire));
}

static bool is_list(tn_value value)
{
    return tn_value_type(value) == TN_TYPE_ARRAY || tn_value_type(value) == TN_TYPE_SET;
}

static bool is_object(tn_value value)
{
    return tn_value_type(value) == TN_TYPE_OBJECT || tn_value_type(value) == TN_TYPE_MAP;
}

/* Elements, or names and values, with something between: a,b,c; R,100,G,200; or R=100,G=200. */
static bool put_joined(Putting *putting, tn_value value, const char *between, bool pairs)
{
    tn_cursor cursor = {0};
    bool first = true, good = true;
    size_t length;

    if (!is_list(value) && !is_object(value))
        return put_scalar(putting, value);
    while (good && tn_value_next(value, &cursor)) {
        if (tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            continue;
        if (!first)
            buf_append_string(putting->out, between);
        first = false;
        const char *name = tn_value_text(cursor.key, &length);
        if (name) {
            put_name(putting, name, length);
            buf_append_string(putting->out, pairs ? "=" : between);
        }
        good = put_scalar(putting, cursor.value);
    }
    return good;
}

/* ---- in a path ---- */

static bool put_matrix(Putting *putting, tn_value value)
{
    tn_cursor cursor = {0};
    size_t length;
    bool good = true;

    if (!putting->parameter->explode || (!is_list(value) && !is_object(value))) {
        buf_append_byte(putting->out, ';');
        put_wire(putting);
        if (tn_value_type(value) == TN_TYPE_NULL)
            return true;
        buf_append_byte(putting->out, '=');
        return put_joined(putting, value, ",", false);
    }
    while (good && tn_value_next(value, &cursor)) {
        const char *name = tn_value_text(cursor.key, &length);
        buf_append_byte(putting->out, ';');
        if (name)
            put_name(putting, name, length);
        else
            put_wire(putting);
        buf_append_byte(putting->out, '=');
        good = put_scalar(putting, cursor.value);
    }
    return good;
}

/* ---- in a query, a form or cookies ---- */

static void next_pair(Putting *putting)
{
    if (putting->more || putting->separator)
        buf_append_byte(putting->out,
                        putting->more ? (putting->parameter->place == OPENAPI_COOKIE ? ';' : '&')
                                      : (uint8_t)putting->separator);
    if (putting->more && putting->parameter->place == OPENAPI_COOKIE)
        buf_append_byte(putting->out, ' ');
    putting->more = true;
}

static bool put_exploded(Putting *putting, tn_value value)
{
    tn_cursor cursor = {0};
    size_t length;
    bool good = true;

    while (good && tn_value_next(value, &cursor)) {
        const char *name = tn_value_text(cursor.key, &length);
        if (tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            continue;
        next_pair(putting);
        if (name)
            put_name(putting, name, length);
        else
            put_wire(putting);
        buf_append_byte(putting->out, '=');
        good = put_scalar(putting, cursor.value);
    }
    return good;
}

/* name[a]=1, name[b][c]=2, and lists by their indices: name[d][0]=3. */
static bool put_deep(Putting *putting, tn_value value, const Buf *path, unsigned depth)
{
    tn_cursor cursor = {0};
    bool good = depth < NESTED_MOST || refuse(putting, " is nested too deep for a deepObject");
    size_t length, index = 0;
    Buf inner;

    if (!is_list(value) && !is_object(value)) {
        next_pair(putting);
        buf_append(putting->out, path->data, path->length);
        buf_append_byte(putting->out, '=');
        return put_scalar(putting, value);
    }
    buf_init(&inner, putting->out->allocator, 64 * 1024);
    for (; good && tn_value_next(value, &cursor); index++) {
        const char *name = tn_value_text(cursor.key, &length);
        if (tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            continue;
        buf_clear(&inner);
        buf_append(&inner, path->data, path->length);
        buf_append_byte(&inner, '[');
        if (name)
            style_escape(&inner, name, length, ESCAPE_ALL);
        else
            buf_append_uint(&inner, index);
        buf_append_byte(&inner, ']');
        good = put_deep(putting, cursor.value, &inner, depth + 1);
    }
    buf_release(&inner);
    return good;
}

static bool put_form(Putting *putting, tn_value value)
{
    static const char *const between[] = {
        [OPENAPI_FORM] = ",", [OPENAPI_SPACE] = "%20", [OPENAPI_PIPE] = "%7C"};
    const OpenapiParameter *parameter = putting->parameter;

    if (parameter->style == OPENAPI_DEEP && (is_list(value) || is_object(value))) {
        Buf path;
        buf_init(&path, putting->out->allocator, 64 * 1024);
        style_escape(&path, parameter->wire, strlen(parameter->wire), ESCAPE_ALL);
        bool good = put_deep(putting, value, &path, 0);
        buf_release(&path);
        return good;
    }
    if (parameter->explode && (is_list(value) || is_object(value)))
        return put_exploded(putting, value);
    if (is_list(value) && tn_value_count(value) == 0)
        return true;
    next_pair(putting);
    put_wire(putting);
    buf_append_byte(putting->out, '=');
    const char *mark = parameter->style <= OPENAPI_PIPE ? between[parameter->style] : ",";
    return put_joined(putting, value, mark ? mark : ",", false);
}

/* `content`: the value as JSON, or its text. */
static bool put_content(Putting *putting, tn_value value)
{
    const OpenapiParameter *parameter = putting->parameter;
    Buf text;

    if (parameter->place == OPENAPI_QUERY || parameter->place == OPENAPI_COOKIE) {
        next_pair(putting);
        put_wire(putting);
        buf_append_byte(putting->out, '=');
    }
    buf_init(&text, putting->out->allocator, SIZE_MAX);
    bool good = parameter->style == OPENAPI_JSON
                    ? plain_json_write(&text, value, putting->why) == TN_OK
                    : style_scalar(&text, value) || refuse(putting, " must be a text");
    style_escape(putting->out, (const char *)text.data, text.length, putting->escape);
    buf_release(&text);
    return good;
}

bool style_put(Buf *out, const OpenapiParameter *parameter, tn_value value, Escape escape,
               char separator, Buf *why)
{
    Putting putting = {out, parameter, escape, separator, false, why};

    switch ((OpenapiStyle)parameter->style) {
    case OPENAPI_SIMPLE:
        return put_joined(&putting, value, ",", parameter->explode);
    case OPENAPI_LABEL:
        buf_append_byte(out, '.');
        return put_joined(&putting, value, parameter->explode ? "." : ",", parameter->explode);
    case OPENAPI_MATRIX:
        return put_matrix(&putting, value);
    case OPENAPI_JSON:
    case OPENAPI_TEXT:
        return put_content(&putting, value);
    default:
        return put_form(&putting, value);
    }
}
