/* What a value is, without what is in it. */
#include <string.h>

#include "display.h"
#include "json.h"
#include "memory.h"

enum {
    shape_bytes_most = 300, /* then it is said less deeply */
    depth_most = 3,
    names_most = 10,
    name_bytes_most = 40,
    samples = 20, /* of the elements */
    kinds_most = 3
};

static void put_shape(const Display *display, tn_value value, unsigned depth, Buf *out);

static void put_count(Buf *out, const char *before, uint64_t count, const char *after)
{
    buf_append_string(out, before);
    buf_append_uint(out, count);
    buf_append_string(out, after);
}

static bool is_identifier(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0;
}

static void put_name(tn_value key, Buf *out)
{
    size_t length = 0;
    const char *text = tn_value_text(key, &length);

    if (!text || length > name_bytes_most)
        buf_append_string(out, "...");
    else if (is_identifier(text, length))
        buf_append(out, text, length);
    else
        json_put_string(out, text, length);
}

/* {name: shape, ...} */
static void put_object(const Display *display, tn_value value, unsigned depth, Buf *out)
{
    tn_cursor cursor = {0};
    size_t shown = 0, count = tn_value_count(value);

    if (depth == 0) {
        put_count(out, "object with ", count, count == 1 ? " member" : " members");
        return;
    }
    buf_append_string(out, "{");
    while (shown < names_most && tn_value_next(value, &cursor)) {
        buf_append_string(out, shown++ > 0 ? ", " : "");
        put_name(cursor.key, out);
        buf_append_string(out, ": ");
        put_shape(display, cursor.value, depth - 1, out);
    }
    if (shown < count)
        put_count(out, ", ... ", count - shown, " more");
    buf_append_string(out, "}");
}

static bool same(const Buf *a, const Buf *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

/* The shapes of the first elements, "(number | string)" if there are a few. */
static void put_elements(const Display *display, tn_value value, unsigned depth, Buf *out)
{
    Buf kinds[kinds_most + 1];
    size_t count = 0;
    tn_cursor cursor = {0};

    for (int i = 0; i < samples && count <= kinds_most && tn_value_next(value, &cursor); i++) {
        size_t at = 0;
        buf_init(&kinds[count], out->allocator, SIZE_MAX);
        put_shape(display, cursor.value, depth, &kinds[count]);
        while (at < count && !same(&kinds[at], &kinds[count]))
            at++;
        if (kinds[count].failed)
            out->failed = true;
        if (at < count)
            buf_release(&kinds[count]);
        else
            count++;
    }
    if (count > kinds_most)
        buf_append_string(out, " of several kinds");
    for (size_t i = 0; i < count && count <= kinds_most; i++) {
        buf_append_string(out, i > 0 ? " | " : count > 1 ? " (" : " ");
        buf_append(out, kinds[i].data, kinds[i].length);
    }
    if (count > 1 && count <= kinds_most)
        buf_append_string(out, ")");
    for (size_t i = 0; i < count; i++)
        buf_release(&kinds[i]);
}

static void put_map(const Display *display, tn_value value, unsigned depth, Buf *out)
{
    tn_cursor cursor = {0};

    put_count(out, "map of ", tn_value_count(value), "");
    if (depth == 0 || !tn_value_next(value, &cursor))
        return;
    buf_append_string(out, " ");
    put_shape(display, cursor.key, depth - 1, out);
    buf_append_string(out, " => ");
    put_shape(display, cursor.value, depth - 1, out);
}

static void put_bytes(tn_value value, Buf *out)
{
    Item item;
    size_t length = 0;

    if (!value_open(value, &item) || !item_text(&item, &length))
        return;
    const TypedArray *array = typed_array_of_tag(item.tag);
    buf_append_string(out, array->name);
    put_count(out, " of ", length / array->bytes, "");
}

/* Only a value for itself has a length worth telling; among others it is just its type. */
static void put_shape(const Display *display, tn_value value, unsigned depth, Buf *out)
{
    static const char *const words[] = {
        [TN_TYPE_NONE] = "nothing", [TN_TYPE_UNDEFINED] = "undefined", [TN_TYPE_NULL] = "null",
        [TN_TYPE_BOOL] = "boolean", [TN_TYPE_NUMBER] = "number",       [TN_TYPE_BIGINT] = "bigint",
        [TN_TYPE_TEXT] = "string",  [TN_TYPE_DATE] = "date",           [TN_TYPE_REGEXP] = "regexp",
        [TN_TYPE_ERROR] = "error",  [TN_TYPE_REFERENCE] = "reference"};
    value = display_resolve(display, value);
    tn_type type = tn_value_type(value);

    if (out->failed || out->length > 4 * shape_bytes_most)
        return;
    switch (type) {
    case TN_TYPE_ARRAY:
    case TN_TYPE_SET:
        put_count(out, type == TN_TYPE_SET ? "set of " : "array of ", tn_value_count(value), "");
        if (depth > 0)
            put_elements(display, value, depth - 1, out);
        break;
    case TN_TYPE_OBJECT:
        put_object(display, value, depth, out);
        break;
    case TN_TYPE_MAP:
        put_map(display, value, depth, out);
        break;
    case TN_TYPE_BYTES:
        put_bytes(value, out);
        break;
    default:
        buf_append_string(out, words[type]);
        break;
    }
}

void display_shape(const Display *display, tn_value value, Buf *out)
{
    size_t begin = out->length;

    for (unsigned depth = depth_most + 1; depth-- > 0;) {
        buf_truncate(out, begin);
        put_shape(display, value, depth, out);
        if (out->failed || out->length - begin <= shape_bytes_most)
            return;
    }
}
