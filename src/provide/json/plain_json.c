#include "plain_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base.h"
#include "cbor.h"
#include "json_tape.h"
#include "number.h"
#include "utf8.h"
#include "value.h"

/* ---- reading ---- */

static const double largest_safe = 9007199254740991;
enum { DIGITS_MOST = 308 }; /* of an integer whose number is finite */

typedef struct Reader {
    const Tape *tape;
    Buf *out;
    bool exact;     /* some integer needs its digits: follow the numbers in the text */
    const char *at; /* in the text, after the last number */
    const char *end;
    unsigned depth;
    bool too_deep;
} Reader;

static const char *after_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\')
            at++;
    }
    return at + 1;
}

/* The text of the next number: the tape has them in the order of the text. */
static const char *next_number(Reader *reader, size_t *out_length)
{
    const char *at = reader->at;

    while (at < reader->end && *at != '-' && (*at < '0' || *at > '9'))
        at = *at == '"' ? after_string(at, reader->end) : at + 1;
    const char *begin = at;
    while (at < reader->end && (strchr("+-.eE", *at) || (*at >= '0' && *at <= '9')) && *at)
        at++;
    reader->at = at;
    *out_length = (size_t)(at - begin);
    return begin;
}

/* Decimal digits to bytes, most significant first: nine digits a step onto limbs of 32 bits. */
static void put_digits(Buf *out, const char *digits, size_t length)
{
    uint32_t limbs[DIGITS_MOST / 9 + 1] = {0}; /* least significant first */
    uint8_t bytes[sizeof limbs];
    size_t used = 0;
    bool minus = *digits == '-';

    for (size_t i = minus; i < length;) {
        uint32_t chunk = 0, scale = 1;
        for (; i < length && scale < 1000000000; i++, scale *= 10)
            chunk = chunk * 10 + (uint32_t)(digits[i] - '0');
        uint64_t carry = chunk;
        for (size_t k = 0; k < used; k++) {
            carry += (uint64_t)limbs[k] * scale;
            limbs[k] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry != 0)
            limbs[used++] = (uint32_t)carry;
    }
    for (size_t k = 0; k < used * 4; k++)
        bytes[used * 4 - 1 - k] = (uint8_t)(limbs[k / 4] >> (k % 4 * 8));
    cbor_put_bigint(out, minus ? -1 : 1, bytes, used * 4);
}

static void put_number(Reader *reader, double number)
{
    size_t length = 0;
    const char *text = reader->exact ? next_number(reader, &length) : NULL;

    if (text && isfinite(number) && fabs(number) > largest_safe && length <= DIGITS_MOST + 1 &&
        !memchr(text, '.', length) && !memchr(text, 'e', length) && !memchr(text, 'E', length))
        put_digits(reader->out, text, length);
    else
        cbor_put_number(reader->out, number);
}

/* A member that a later one of its name replaces. */
static void pass_over(Reader *reader, uint32_t at)
{
    uint32_t end = tape_token(reader->tape, at)->next;
    size_t length;

    for (; reader->exact && at < end; at++) {
        if (tape_token(reader->tape, at)->kind == JSON_NUMBER)
            (void)next_number(reader, &length);
    }
}

static bool same_name(const Tape *tape, uint32_t a, uint32_t b)
{
    const JsonToken *one = tape_token(tape, a), *other = tape_token(tape, b);

    return one->length == other->length &&
           memcmp(tape_text(tape, one), tape_text(tape, other), one->length) == 0;
}

static int compare_names(const void *a, const void *b, void *tape)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    const JsonToken *x = tape_token(tape, one), *y = tape_token(tape, other);
    int order;

    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    order = memcmp(tape_text(tape, x), tape_text(tape, y), x->length);
    return order != 0 ? order : one < other ? -1 : one > other;
}

/* The last of several members of one name stands: sorted by name, then by place. */
static void mark_repeated(Reader *reader, uint32_t at, uint32_t end, uint32_t count)
{
    const Tape *tape = reader->tape;
    uint32_t few[8];
    Buf many;

    if (count < 2)
        return;
    buf_init(&many, reader->out->allocator, SIZE_MAX);
    uint32_t *names =
        count <= COUNT_OF(few) ? few : (uint32_t *)(void *)buf_extend(&many, count * sizeof *names);
    if (!names) {
        reader->out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count && at < end; i++) {
        names[i] = at;
        at = tape_token(tape, at + 1)->next;
    }
    qsort_r(names, count, sizeof *names, compare_names, (void *)(uintptr_t)tape);
    for (uint32_t i = 1; i < count; i++) {
        if (same_name(tape, names[i - 1], names[i]))
            tape_token(tape, names[i - 1])->dead = true;
    }
    buf_release(&many);
}

static void put_token(Reader *reader, uint32_t at);

static void put_object(Reader *reader, uint32_t at, uint32_t end, uint32_t count)
{
    mark_repeated(reader, at, end, count);
    cbor_put_map_open(reader->out);
    while (at < end && !reader->too_deep) {
        const JsonToken *name = tape_token(reader->tape, at);
        if (name->dead) {
            pass_over(reader, at + 1);
        } else {
            cbor_put_string(reader->out, tape_text(reader->tape, name), name->length);
            put_token(reader, at + 1);
        }
        at = tape_token(reader->tape, at + 1)->next;
    }
    cbor_put_break(reader->out);
}

static void put_array(Reader *reader, uint32_t at, uint32_t end)
{
    cbor_put_array_open(reader->out);
    while (at < end && !reader->too_deep) {
        put_token(reader, at);
        at = tape_token(reader->tape, at)->next;
    }
    cbor_put_break(reader->out);
}

static void put_token(Reader *reader, uint32_t at)
{
    const JsonToken *token = tape_token(reader->tape, at);

    switch ((JsonKind)token->kind) {
    case JSON_NULL:
    case JSON_FALSE:
    case JSON_TRUE:
        cbor_put_simple(reader->out, token->kind == JSON_NULL    ? CBOR_NULL
                                     : token->kind == JSON_FALSE ? CBOR_FALSE
                                                                 : CBOR_TRUE);
        return;
    case JSON_NUMBER:
        put_number(reader, token->number);
        return;
    case JSON_STRING:
        cbor_put_string(reader->out, tape_text(reader->tape, token), token->length);
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    if (++reader->depth > PLAIN_JSON_DEPTH_MAX)
        reader->too_deep = true;
    else if (token->kind == JSON_OBJECT)
        put_object(reader, at + 1, token->next, token->length);
    else
        put_array(reader, at + 1, token->next);
    reader->depth--;
}

static bool has_large(const Tape *tape)
{
    size_t count = tape->tokens.length / sizeof(JsonToken);

    for (uint32_t at = 0; at < count; at++) {
        const JsonToken *token = tape_token(tape, at);
        if (token->kind == JSON_NUMBER && fabs(token->number) > largest_safe)
            return true;
    }
    return false;
}

tn_status plain_json_read(Buf *out, const char *json, size_t length)
{
    Tape tape;
    size_t before = out->length;
    tn_status status = length > UINT32_MAX ? TN_ERR_LIMIT : TN_OK;

    if (status != TN_OK)
        return status;
    status = tape_read(&tape, out->allocator, json, length);
    if (status == TN_OK) {
        Reader reader = {.tape = &tape, .out = out, .at = json, .end = json + length};
        reader.exact = has_large(&tape);
        put_token(&reader, 0);
        status = reader.too_deep ? TN_ERR_LIMIT : buf_status(out);
    }
    tape_release(&tape);
    if (status != TN_OK)
        buf_truncate(out, before);
    return status;
}

/* ---- writing ---- */

/* Where in the value the writer is, for the complaint. */
typedef struct Step {
    const struct Step *outer;
    tn_value key; /* TN_TYPE_NONE: an element */
    size_t index;
} Step;

typedef struct Writer {
    Buf *out;
    Buf *why;
    unsigned depth;
    bool refused;
} Writer;

static void put_path(Buf *why, const Step *step)
{
    size_t length;
    const char *key;

    if (!step)
        return;
    put_path(why, step->outer);
    key = tn_value_text(step->key, &length);
    if (key && utf8_valid(key, length) && length < 100) {
        if (step->outer)
            buf_append_byte(why, '.');
        buf_append(why, key, length);
    } else {
        buf_append_byte(why, '[');
        buf_append_uint(why, step->index);
        buf_append_byte(why, ']');
    }
}

static void refuse(Writer *writer, const Step *step, const char *what)
{
    if (writer->refused)
        return;
    writer->refused = true;
    if (!writer->why)
        return;
    buf_append_string(writer->why, "the argument ");
    put_path(writer->why, step);
    buf_append_string(writer->why, what);
}

void plain_json_string(Buf *out, const char *text, size_t length)
{
    size_t from = 0;
    char escape[8];

    buf_append_byte(out, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        /* a lone surrogate is ED A0..BF xx in WTF-8 */
        bool lone = c == 0xED && i + 2 < length && (unsigned char)text[i + 1] >= 0xA0;
        if (c >= 0x20 && c != '"' && c != '\\' && !lone)
            continue;
        buf_append(out, text + from, i - from);
        if (lone) {
            unsigned unit = 0xD000u | ((unsigned char)text[i + 1] & 0x3Fu) << 6 |
                            ((unsigned char)text[i + 2] & 0x3Fu);
            snprintf(escape, sizeof escape, "\\u%04x", unit);
            i += 2;
        } else if (c >= 0x20) {
            snprintf(escape, sizeof escape, "\\%c", c);
        } else {
            snprintf(escape, sizeof escape, "\\u%04x", c);
        }
        buf_append_string(out, escape);
        from = i + 1;
    }
    buf_append(out, text + from, length - from);
    buf_append_byte(out, '"');
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void plain_json_base64(Buf *out, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0u);
        char four[4] = {alphabet[group >> 18], alphabet[group >> 12 & 63],
                        left > 1 ? alphabet[group >> 6 & 63] : '=',
                        left > 2 ? alphabet[group & 63] : '='};
        buf_append(out, four, 4);
    }
}

bool plain_json_unbase64(Buf *out, const char *text, size_t length)
{
    uint32_t group = 0;
    unsigned bits = 0;

    while (length > 0 && text[length - 1] == '=')
        length--;
    if (length % 4 == 1)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
        const char *found = c ? strchr(alphabet, c) : NULL;
        if (!found)
            return false;
        group = group << 6 | (uint32_t)(found - alphabet);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            buf_append_byte(out, (uint8_t)(group >> bits));
        }
    }
    return true;
}

static void write_date(Buf *out, double ms)
{
    char text[48];
    struct tm parts;

    if (isnan(ms)) {
        buf_append_string(out, "null");
        return;
    }
    double seconds = floor(ms / 1000);
    time_t time = (time_t)seconds;
    if (!gmtime_r(&time, &parts))
        return;
    int year = parts.tm_year + 1900;
    int at = snprintf(text, sizeof text, year < 0 || year > 9999 ? "\"%+07d" : "\"%04d", year);
    snprintf(text + at, sizeof text - (size_t)at, "-%02d-%02dT%02d:%02d:%02d.%03dZ\"",
             parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
             (int)(ms - seconds * 1000));
    buf_append_string(out, text);
}

/* The digits of a big integer, by long division by ten. */
static void write_bigint(Writer *writer, tn_value value, const Step *step)
{
    enum { BYTES_MOST = 1024, TEXT_MOST = BYTES_MOST * 5 / 2 };
    uint8_t number[BYTES_MOST + 1];
    char text[TEXT_MOST];
    const uint8_t *bytes;
    size_t length, first = 0, at = TEXT_MOST;
    bool negative;
    Item item;

    if (!value_open(value, &item) || !item_bigint(&item, &bytes, &length, &negative) ||
        length > BYTES_MOST) {
        refuse(writer, step, " is too large an integer");
        return;
    }
    number[0] = 0;
    memcpy(number + 1, bytes, length);
    for (size_t i = length + 1; negative && i-- > 0;) { /* magnitude = n + 1 */
        if (++number[i] != 0)
            break;
    }
    do {
        unsigned rest = 0;
        while (first < length && number[first] == 0)
            first++;
        for (size_t i = first; i <= length; i++) {
            rest = rest << 8 | number[i];
            number[i] = (uint8_t)(rest / 10);
            rest %= 10;
        }
        text[--at] = (char)('0' + rest);
    } while (first < length || number[length] != 0);
    if (negative)
        text[--at] = '-';
    buf_append(writer->out, text + at, TEXT_MOST - at);
}

static void write_number(Writer *writer, double number, const Step *step)
{
    char text[NUMBER_TEXT_MAX];

    if (!isfinite(number))
        refuse(writer, step,
               isnan(number) ? " is NaN, which JSON cannot hold"
                             : " is infinite, which JSON cannot hold");
    else
        buf_append(writer->out, text, number_text(number, text));
}

static void write_value(Writer *writer, tn_value value, const Step *step);

static void write_list(Writer *writer, tn_value value, const Step *step)
{
    tn_cursor cursor = {0};
    Step inner = {.outer = step};

    buf_append_byte(writer->out, '[');
    for (; !writer->refused && !writer->out->failed && tn_value_next(value, &cursor);
         inner.index++) {
        if (inner.index > 0)
            buf_append_byte(writer->out, ',');
        if (tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            buf_append_string(writer->out, "null");
        else
            write_value(writer, cursor.value, &inner);
    }
    buf_append_byte(writer->out, ']');
}

static void write_members(Writer *writer, tn_value value, const Step *step)
{
    tn_cursor cursor = {0};
    Step inner = {.outer = step};
    bool first = true;
    size_t length;

    buf_append_byte(writer->out, '{');
    for (; !writer->refused && !writer->out->failed && tn_value_next(value, &cursor);
         inner.index++) {
        const char *key = tn_value_text(cursor.key, &length);
        if (tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            continue;
        inner.key = cursor.key;
        if (!key || tn_value_type(cursor.key) != TN_TYPE_TEXT) {
            refuse(writer, step, " is a Map with keys that are no text");
            return;
        }
        if (!first)
            buf_append_byte(writer->out, ',');
        first = false;
        plain_json_string(writer->out, key, length);
        buf_append_byte(writer->out, ':');
        write_value(writer, cursor.value, &inner);
    }
    buf_append_byte(writer->out, '}');
}

static void write_text(Writer *writer, tn_value value, bool bytes)
{
    size_t length = 0;
    const char *text = tn_value_text(value, &length);

    if (!bytes) {
        plain_json_string(writer->out, text, length);
        return;
    }
    buf_append_byte(writer->out, '"');
    plain_json_base64(writer->out, (const uint8_t *)text, length);
    buf_append_byte(writer->out, '"');
}

static void write_value(Writer *writer, tn_value value, const Step *step)
{
    tn_type type = tn_value_type(value);

    if (writer->depth == PLAIN_JSON_DEPTH_OUT) {
        refuse(writer, NULL, "is nested too deep, or refers to itself");
        return;
    }
    writer->depth++;
    if (type == TN_TYPE_UNDEFINED || type == TN_TYPE_NULL)
        buf_append_string(writer->out, "null");
    else if (type == TN_TYPE_BOOL)
        buf_append_string(writer->out, tn_value_bool(value) ? "true" : "false");
    else if (type == TN_TYPE_NUMBER)
        write_number(writer, tn_value_number(value), step);
    else if (type == TN_TYPE_BIGINT)
        write_bigint(writer, value, step);
    else if (type == TN_TYPE_TEXT || type == TN_TYPE_BYTES)
        write_text(writer, value, type == TN_TYPE_BYTES);
    else if (type == TN_TYPE_DATE)
        write_date(writer->out, tn_value_number(value));
    else if (type == TN_TYPE_ARRAY || type == TN_TYPE_SET)
        write_list(writer, value, step);
    else if (type == TN_TYPE_OBJECT || type == TN_TYPE_MAP)
        write_members(writer, value, step);
    else
        refuse(writer, step, " is of a kind that JSON cannot hold");
    writer->depth--;
}

tn_status plain_json_write(Buf *out, tn_value value, Buf *out_why)
{
    Writer writer = {.out = out, .why = out_why};

    write_value(&writer, value, NULL);
    return writer.refused ? TN_ERR_ARGUMENT : buf_status(out);
}
