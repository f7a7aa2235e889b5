/* The tn_value functions: a value looked at without a copy and without a fear for its bytes. */
#include "value.h"

#include <math.h>
#include <string.h>

static const tn_value no_value = {0};

tn_value tn_value_view(const void *cbor, size_t length)
{
    const uint8_t *document = cbor;

    if (!document)
        return no_value;
    /* malformed: nothing can be read of it, but it is not the same as none at all */
    if (!value_check(document, length, NULL))
        return (tn_value){document, NULL, NULL};
    return (tn_value){document, document, document + length};
}

tn_type tn_value_type(tn_value value)
{
    Item item;
    return value_open(value, &item) ? item.type : TN_TYPE_NONE;
}

bool tn_value_bool(tn_value value)
{
    Item item;
    return value_open(value, &item) && item.type == TN_TYPE_BOOL && item.head.argument == CBOR_TRUE;
}

double tn_value_number(tn_value value)
{
    Item item;
    return value_open(value, &item) ? item_number(&item) : (double)NAN;
}

/* A big integer of up to 63 bits and its sign. */
static bool small_bigint(const Item *item, int64_t *out_integer)
{
    const uint8_t *bytes;
    size_t length;
    bool negative;
    uint64_t magnitude = 0;

    if (!item_bigint(item, &bytes, &length, &negative) || length > 8)
        return false;
    for (size_t i = 0; i < length; i++)
        magnitude = magnitude << 8 | bytes[i];
    if (magnitude > INT64_MAX)
        return false;
    *out_integer = negative ? -1 - (int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool tn_value_int(tn_value value, int64_t *out_integer)
{
    Item item;

    if (!value_open(value, &item))
        return false;
    if (item.type == TN_TYPE_BIGINT)
        return small_bigint(&item, out_integer);
    if (item.type != TN_TYPE_NUMBER)
        return false;
    if (item.head.major != CBOR_SIMPLE) {
        if (item.head.argument > INT64_MAX)
            return false;
        int64_t magnitude = (int64_t)item.head.argument;
        *out_integer = item.head.major == CBOR_UINT ? magnitude : -1 - magnitude;
        return true;
    }
    double number = item_number(&item);
    if (!(number >= -9223372036854775808.0 && number < 9223372036854775808.0) ||
        (double)(int64_t)number != number)
        return false;
    *out_integer = (int64_t)number;
    return true;
}

const char *tn_value_text(tn_value value, size_t *out_length)
{
    Item item;
    size_t length = 0;
    const char *text = value_open(value, &item) ? item_text(&item, &length) : NULL;

    if (text && out_length)
        *out_length = length;
    return text;
}

size_t tn_value_count(tn_value value)
{
    tn_cursor cursor = {0};
    size_t count = 0;
    Item item;

    if (!value_open(value, &item) ||
        (item.type != TN_TYPE_ARRAY && item.type != TN_TYPE_SET && !item_is_keyed(&item)))
        return 0;
    if (!item.head.indefinite)
        return (size_t)item.head.argument;
    while (tn_value_next(value, &cursor))
        count++;
    return count;
}

tn_value tn_value_item(tn_value value, size_t index)
{
    tn_cursor cursor = {0};
    tn_type type = tn_value_type(value);

    if (type != TN_TYPE_ARRAY && type != TN_TYPE_SET)
        return no_value;
    while (tn_value_next(value, &cursor)) {
        if (index-- == 0)
            return cursor.value;
    }
    return no_value;
}

/* Also reads an error's name, message and other properties. */
tn_value tn_value_member(tn_value value, const char *name)
{
    tn_cursor cursor = {0};
    tn_value error_name, properties;
    size_t wanted = strlen(name);
    tn_type type = tn_value_type(value);

    if (type == TN_TYPE_ERROR && value_error_parts(value, &error_name, &properties)) {
        if (strcmp(name, "name") == 0)
            return error_name;
        value = properties;
    } else if (type != TN_TYPE_OBJECT) {
        return no_value;
    }
    while (tn_value_next(value, &cursor)) {
        size_t length;
        const char *key = tn_value_text(cursor.key, &length);
        if (key && length == wanted && memcmp(key, name, length) == 0)
            return cursor.value;
    }
    return no_value;
}

/* ---- walking ---- */

/* The cursor's `left` holds the children left and, in its lowest bit, whether they have keys; all
 * ones above that bit for a container that ends in a break. */
static const size_t left_unknown = SIZE_MAX >> 1;

static bool begin_walk(tn_value parent, tn_cursor *cursor)
{
    Item item;

    cursor->started = true;
    cursor->left = 0;
    if (!value_open(parent, &item))
        return false;
    bool keyed = item_is_keyed(&item);
    if (!keyed && item.type != TN_TYPE_ARRAY && item.type != TN_TYPE_SET)
        return false;
    size_t left = item.head.indefinite ? left_unknown : (size_t)item.head.argument;
    cursor->left = left << 1 | keyed;
    cursor->next = item.in.at;
    return true;
}

bool tn_value_next(tn_value parent, tn_cursor *cursor)
{
    if (!cursor->started && !begin_walk(parent, cursor))
        return false;
    size_t left = cursor->left >> 1;
    bool keyed = cursor->left & 1;
    CborReader in = {cursor->next, parent.end};

    if (left == 0 || (left == left_unknown && cbor_break(&in))) {
        cursor->left = 0;
        return false;
    }
    tn_value key = {parent.document, in.at, parent.end};
    bool good = !keyed || cbor_skip(&in, CBOR_DEPTH_MAX);
    tn_value child = {parent.document, in.at, parent.end};
    good = good && cbor_skip(&in, CBOR_DEPTH_MAX);
    if (!good) {
        cursor->left = 0;
        return false;
    }
    cursor->key = keyed ? key : no_value;
    cursor->value = child;
    cursor->next = in.at;
    if (left != left_unknown)
        cursor->left -= 2;
    return true;
}

/* ---- values that are tagged arrays ---- */

/* The first `count` items of the array that an item holds. */
static bool read_parts(const tn_value *value, const Item *item, tn_value *parts, size_t count)
{
    CborReader in = item->in;

    if (!item->head.indefinite && item->head.argument != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        parts[i] = (tn_value){value->document, in.at, value->end};
        if (!cbor_skip(&in, CBOR_DEPTH_MAX))
            return false;
    }
    return true;
}

bool value_error_parts(tn_value value, tn_value *out_name, tn_value *out_properties)
{
    tn_value parts[2];
    Item item;

    if (!value_open(value, &item) || item.type != TN_TYPE_ERROR ||
        !read_parts(&value, &item, parts, 2))
        return false;
    *out_name = parts[0];
    *out_properties = parts[1];
    return true;
}

bool value_regexp_parts(tn_value value, tn_value *out_source, tn_value *out_flags)
{
    tn_value parts[2];
    Item item;

    if (!value_open(value, &item) || item.type != TN_TYPE_REGEXP ||
        !read_parts(&value, &item, parts, 2))
        return false;
    *out_source = parts[0];
    *out_flags = parts[1];
    return true;
}

bool value_reference_parts(tn_value value, tn_value *out_interface, uint64_t *out_id,
                           uint64_t *out_generation)
{
    tn_value parts[3];
    int64_t id, generation;
    Item item;

    if (!value_open(value, &item) || item.type != TN_TYPE_REFERENCE ||
        !read_parts(&value, &item, parts, 3) || !tn_value_int(parts[1], &id) || id < 0 ||
        !tn_value_int(parts[2], &generation) || generation < 0)
        return false;
    *out_interface = parts[0];
    *out_id = (uint64_t)id;
    *out_generation = (uint64_t)generation;
    return true;
}
