/* The `$type` forms that hold no other values: numbers, dates, bytes, text. */
#include <math.h>
#include <string.h>

#include "json_read.h"
#include "utf8.h"

static const JsonToken *token_at(const JsonReader *reader, uint32_t at)
{
    return tape_token(&reader->tape, at);
}

/* ---- numbers ---- */

static bool special_number(const JsonReader *reader, const JsonToken *token, double *out_number)
{
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"NaN", (double)NAN},
                   {"Infinity", (double)INFINITY},
                   {"-Infinity", -(double)INFINITY},
                   {"-0", -0.0}};

    for (size_t i = 0; token && i < sizeof numbers / sizeof numbers[0]; i++) {
        if (tape_is(&reader->tape, token, numbers[i].name)) {
            *out_number = numbers[i].value;
            return true;
        }
    }
    return false;
}

void form_put_undefined(JsonReader *reader, uint32_t form)
{
    (void)form;
    cbor_put_simple(reader->out, CBOR_UNDEFINED);
}

void form_put_number(JsonReader *reader, uint32_t form)
{
    double number = 0;

    if (!special_number(reader, form_string(reader, form, "value"), &number))
        reader->wrong = true;
    cbor_put_number(reader->out, number);
}

/* Decimal digits into bytes, least first, by multiplying. It costs the square of the length. */
enum { decimal_digits_most = 10000, decimal_bytes_most = 4200 };

static size_t decimal_bytes(const char *digits, size_t length, uint8_t *bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned carry = (unsigned)(digits[i] - '0');
        for (size_t k = 0; k < count; k++) {
            carry += bytes[k] * 10u;
            bytes[k] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry)
            bytes[count++] = (uint8_t)carry;
    }
    return count;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static void put_decimal(JsonReader *reader, const char *text, size_t length, int sign)
{
    uint8_t bytes[decimal_bytes_most];

    if (length == 0 || length > decimal_digits_most) {
        reader->wrong = true;
        return;
    }
    for (size_t i = 0; i < length; i++)
        reader->wrong = reader->wrong || text[i] < '0' || text[i] > '9';
    if (reader->wrong)
        return;
    size_t count = decimal_bytes(text, length, bytes);
    for (size_t i = 0; i < count / 2; i++) {
        uint8_t low = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = low;
    }
    cbor_put_bigint(reader->out, sign, bytes, count);
}

static void put_hexadecimal(JsonReader *reader, const char *text, size_t length, int sign)
{
    Buf *bytes = &reader->scratch;

    buf_truncate(bytes, 0);
    for (size_t i = 0; i < length; i++) {
        int digit = hex_digit(text[i]);
        bool high = (length - i) % 2 == 0;
        if (digit < 0) {
            reader->wrong = true;
            return;
        }
        if (high || i == 0)
            buf_append_byte(bytes, (uint8_t)(high ? digit << 4 : digit));
        else if (!bytes->failed)
            bytes->data[bytes->length - 1] |= (uint8_t)digit;
    }
    if (length == 0)
        reader->wrong = true;
    else if (!bytes->failed)
        cbor_put_bigint(reader->out, sign, bytes->data, bytes->length);
}

/* value = "-"? (digit{1,10000} | "0x" hexadecimal+) */
void form_put_bigint(JsonReader *reader, uint32_t form)
{
    const JsonToken *token = form_string(reader, form, "value");

    if (!token)
        return;
    const char *text = tape_text(&reader->tape, token);
    size_t length = token->length;
    bool minus = length > 0 && *text == '-';
    text += minus;
    length -= minus;
    if (length > 2 && text[0] == '0' && text[1] == 'x')
        put_hexadecimal(reader, text + 2, length - 2, minus ? -1 : 1);
    else
        put_decimal(reader, text, length, minus ? -1 : 1);
}

/* ---- dates ---- */

static bool read_digits(const char **at, const char *end, int count, int *out)
{
    *out = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (*at == end || **at < '0' || **at > '9')
            return false;
        *out = *out * 10 + (**at - '0');
    }
    return true;
}

static bool read_char(const char **at, const char *end, char wanted)
{
    if (*at == end || **at != wanted)
        return false;
    (*at)++;
    return true;
}

/* Days since 1970-01-01; years counted from March, eras of 400 of them. */
static int64_t days_of_civil(int year, int month, int day)
{
    int64_t y = year - (month <= 2);
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

static int days_in_month(int year, int month)
{
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 ? 28 + leap : 30 + ((month + month / 8) % 2);
}

/* date = (year4 | ("+" | "-") year6) "-" month "-" day */
static bool read_day(const char **at, const char *end, int64_t *out_days)
{
    int year, month, day, sign = 1, width = 4;

    if (*at < end && (**at == '+' || **at == '-')) {
        sign = **at == '-' ? -1 : 1;
        width = 6;
        (*at)++;
    }
    if (!read_digits(at, end, width, &year) || !read_char(at, end, '-') ||
        !read_digits(at, end, 2, &month) || !read_char(at, end, '-') ||
        !read_digits(at, end, 2, &day))
        return false;
    year *= sign;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    *out_days = days_of_civil(year, month, day);
    return true;
}

/* time = "T" hour ":" minute (":" second ("." digit{1,9})?)? ("Z" | ("+" | "-") hour ":" minute) */
static bool read_time(const char **at, const char *end, double *out_ms)
{
    int hour, minute, second = 0, zone_hour = 0, zone_minute = 0, digit;
    double fraction = 0, scale = 100;

    if (!read_char(at, end, 'T') || !read_digits(at, end, 2, &hour) || !read_char(at, end, ':') ||
        !read_digits(at, end, 2, &minute))
        return false;
    if (read_char(at, end, ':')) {
        if (!read_digits(at, end, 2, &second))
            return false;
        if (read_char(at, end, '.')) {
            if (!read_digits(at, end, 1, &digit))
                return false;
            do {
                fraction += digit * scale;
                scale /= 10;
            } while (read_digits(at, end, 1, &digit));
        }
    }
    int sign = read_char(at, end, '+') ? 1 : read_char(at, end, '-') ? -1 : 0;
    bool zoned = sign != 0 ? read_digits(at, end, 2, &zone_hour) && read_char(at, end, ':') &&
                                 read_digits(at, end, 2, &zone_minute)
                           : read_char(at, end, 'Z');
    if (!zoned || hour > 24 || minute > 59 || second > 59 || zone_hour > 23 || zone_minute > 59 ||
        (hour == 24 && (minute != 0 || second != 0 || fraction > 0)))
        return false;
    *out_ms = ((hour - sign * zone_hour) * 60.0 + (minute - sign * zone_minute)) * 60000.0 +
              second * 1000.0 + trunc(fraction + 1e-6);
    return true;
}

void form_put_date(JsonReader *reader, uint32_t form)
{
    uint32_t value = tape_member(&reader->tape, form, "value");
    double ms = (double)NAN;

    read_put_shared(reader, form);
    if (value == 0 || token_at(reader, value)->kind != JSON_NULL) {
        const JsonToken *token = form_string(reader, form, "value");
        if (!token)
            return;
        const char *at = tape_text(&reader->tape, token), *end = at + token->length;
        int64_t days;
        double in_day = 0;
        if (!read_day(&at, end, &days) || (at != end && !read_time(&at, end, &in_day)) ||
            at != end) {
            reader->wrong = true;
            return;
        }
        ms = (double)days * 86400000.0 + in_day;
        if (fabs(ms) > 8.64e15)
            ms = (double)NAN;
    }
    cbor_put_tag(reader->out, CBOR_TAG_DATE);
    cbor_put_number(reader->out, ms / 1000);
}

/* ---- bytes ---- */

static int base64_digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Base64 with its padding, into the scratch. */
static bool read_base64(JsonReader *reader, const JsonToken *token)
{
    const char *text = token ? tape_text(&reader->tape, token) : "";
    size_t length = token ? token->length : 1;
    Buf *bytes = &reader->scratch;

    buf_truncate(bytes, 0);
    if (length % 4 != 0)
        return false;
    for (size_t i = 0; i < length; i += 4) {
        bool last = i + 4 == length;
        unsigned pads = !last || text[i + 3] != '=' ? 0 : text[i + 2] == '=' ? 2 : 1;
        uint32_t group = 0;
        for (unsigned k = 0; k < 4; k++) {
            int digit = k >= 4 - pads ? 0 : base64_digit(text[i + k]);
            if (digit < 0)
                return false;
            group = group << 6 | (uint32_t)digit;
        }
        const uint8_t three[3] = {(uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group};
        buf_append(bytes, three, 3 - pads);
    }
    return true;
}

void form_put_bytes(JsonReader *reader, uint32_t form)
{
    uint32_t view = tape_member(&reader->tape, form, "view");

    if (!read_base64(reader, form_string(reader, form, "base64"))) {
        reader->wrong = true;
        return;
    }
    if (view != 0 && tape_is(&reader->tape, token_at(reader, view), "ArrayBuffer"))
        cbor_put_tag(reader->out, CBOR_TAG_ARRAY_BUFFER);
    else if (view != 0 && tape_is(&reader->tape, token_at(reader, view), "DataView"))
        cbor_put_tag(reader->out, CBOR_TAG_DATA_VIEW);
    else if (view != 0)
        reader->wrong = true;
    cbor_put_bytes(reader->out, reader->scratch.data, reader->scratch.length);
}

void form_put_text(JsonReader *reader, uint32_t form)
{
    if (!read_base64(reader, form_string(reader, form, "wtf8Base64")) ||
        !wtf8_valid(reader->scratch.data, reader->scratch.length)) {
        reader->wrong = true;
        return;
    }
    cbor_put_string(reader->out, (const char *)reader->scratch.data, reader->scratch.length);
}

/* An element of a typed array as its bits. */
static bool element_bits(JsonReader *reader, const TypedArray *array, uint32_t at,
                         uint64_t *out_bits)
{
    const JsonToken *token = token_at(reader, at);
    double number = token->kind == JSON_NUMBER ? token->number : 0;

    if (token->kind == JSON_OBJECT) {
        uint32_t value = tape_member(&reader->tape, at, "value");
        if (value == 0 || !special_number(reader, token_at(reader, value), &number))
            return false;
    } else if (token->kind != JSON_NUMBER) {
        return false;
    }
    return typed_array_bits(array, number, out_bits);
}

/* 64-bit integers are decimal strings. */
static bool element_bits64(JsonReader *reader, const TypedArray *array, uint32_t at,
                           uint64_t *out_bits)
{
    const JsonToken *token = token_at(reader, at);
    uint64_t magnitude = 0;

    if (token->kind != JSON_STRING)
        return false;
    const char *text = tape_text(&reader->tape, token);
    size_t length = token->length, i = 0;
    bool minus = length > 1 && text[0] == '-' && array->kind == ELEMENT_INT;
    for (i = minus; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' ||
            __builtin_mul_overflow(magnitude, (uint64_t)10, &magnitude) ||
            __builtin_add_overflow(magnitude, (uint64_t)(text[i] - '0'), &magnitude))
            return false;
    }
    uint64_t most = array->kind == ELEMENT_UINT ? UINT64_MAX : (uint64_t)INT64_MAX + minus;
    *out_bits = minus ? 0 - magnitude : magnitude;
    return length > 0 && magnitude <= most;
}

void form_put_typed_array(JsonReader *reader, uint32_t form, const TypedArray *array)
{
    uint32_t values = form_array(reader, form, "values");
    bool wide = array->bytes == 8 && array->kind != ELEMENT_FLOAT;

    if (values == 0)
        return;
    const JsonToken *list = token_at(reader, values);
    if (array->tag != 0)
        cbor_put_tag(reader->out, array->tag);
    cbor_put_head(reader->out, CBOR_BYTES, (uint64_t)list->length * array->bytes);
    for (uint32_t at = values + 1; at < list->next; at = token_at(reader, at)->next) {
        uint64_t bits = 0;
        if (!(wide ? element_bits64 : element_bits)(reader, array, at, &bits)) {
            reader->wrong = true;
            return;
        }
        for (unsigned i = 0; i < array->bytes; i++)
            buf_append_byte(reader->out, (uint8_t)(bits >> (8 * i)));
    }
}
