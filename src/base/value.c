#include "value.h"

#include <assert.h>
#include <math.h>

#include "memory.h"

static const TypedArray typed_arrays[] = {
    {0, "Uint8Array", 1, ELEMENT_UINT},
    {CBOR_TAG_UINT8_CLAMPED, "Uint8ClampedArray", 1, ELEMENT_UINT},
    {CBOR_TAG_INT8, "Int8Array", 1, ELEMENT_INT},
    {CBOR_TAG_UINT16, "Uint16Array", 2, ELEMENT_UINT},
    {CBOR_TAG_INT16, "Int16Array", 2, ELEMENT_INT},
    {CBOR_TAG_UINT32, "Uint32Array", 4, ELEMENT_UINT},
    {CBOR_TAG_INT32, "Int32Array", 4, ELEMENT_INT},
    {CBOR_TAG_UINT64, "BigUint64Array", 8, ELEMENT_UINT},
    {CBOR_TAG_INT64, "BigInt64Array", 8, ELEMENT_INT},
    {CBOR_TAG_FLOAT16, "Float16Array", 2, ELEMENT_FLOAT},
    {CBOR_TAG_FLOAT32, "Float32Array", 4, ELEMENT_FLOAT},
    {CBOR_TAG_FLOAT64, "Float64Array", 8, ELEMENT_FLOAT},
    {CBOR_TAG_ARRAY_BUFFER, "ArrayBuffer", 1, ELEMENT_UINT},
    {CBOR_TAG_DATA_VIEW, "DataView", 1, ELEMENT_UINT},
};

const TypedArray *typed_array_of_tag(uint64_t tag)
{
    for (size_t i = 0; i < sizeof typed_arrays / sizeof typed_arrays[0]; i++) {
        if (typed_arrays[i].tag == tag)
            return &typed_arrays[i];
    }
    return NULL;
}

const TypedArray *typed_array_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof typed_arrays / sizeof typed_arrays[0]; i++) {
        if (strlen(typed_arrays[i].name) == length &&
            memcmp(typed_arrays[i].name, name, length) == 0)
            return &typed_arrays[i];
    }
    return NULL;
}

double typed_array_element(const TypedArray *array, const uint8_t *at, uint64_t *out_bits)
{
    uint64_t bits = 0;
    double value;

    assert(array->bytes >= 1 && array->bytes <= sizeof bits);
    for (unsigned i = array->bytes; i-- > 0;)
        bits = bits << 8 | at[i];
    *out_bits = bits;
    if (array->kind == ELEMENT_UINT)
        return (double)bits;
    if (array->kind == ELEMENT_INT) {
        unsigned spare = 64 - 8 * array->bytes;
        return (double)((int64_t)(bits << spare) >> spare);
    }
    /* A float of any width is what CBOR has as well. */
    CborHead head = {.major = CBOR_SIMPLE,
                     .info = array->bytes == 2   ? 25
                             : array->bytes == 4 ? 26
                                                 : 27,
                     .argument = bits};
    return cbor_number(&head, &value) ? value : (double)NAN;
}

/* The nearest half, ties to even. A double has all digits of every half and of every middle between
 * two, so one rounding decides. */
static uint64_t half_bits(double number)
{
    uint64_t sign = signbit(number) ? 0x8000 : 0;
    double size = fabs(number);

    if (isnan(number))
        return 0x7E00;
    if (size >= 65520.0)
        return sign | 0x7C00;
    if (size < 1.0 / 16384.0) /* subnormal: multiples of 2^-24; 1024 of them are the least normal */
        return sign | (uint64_t)nearbyint(size * 16777216.0);
    int exponent;
    double fraction = frexp(size, &exponent);                 /* 0.5 <= fraction < 1 */
    uint64_t digits = (uint64_t)nearbyint(fraction * 2048.0); /* 2048 carries into the exponent */
    return sign | ((uint64_t)(exponent + 13) * 1024 + digits);
}

bool typed_array_bits(const TypedArray *array, double number, uint64_t *out_bits)
{
    unsigned width = 8 * array->bytes;

    if (array->kind == ELEMENT_FLOAT) {
        float single = (float)number;
        uint32_t bits = 0;
        if (width == 64)
            memcpy(out_bits, &number, sizeof number);
        else if (width == 32)
            memcpy(&bits, &single, sizeof single);
        if (width != 64)
            *out_bits = width == 32 ? bits : half_bits(number);
        return true;
    }
    double low = array->kind == ELEMENT_INT ? -ldexp(1, (int)width - 1) : 0;
    double high = ldexp(1, (int)width - (array->kind == ELEMENT_INT)) - 1;
    if (!(number >= low && number <= high) || number != trunc(number))
        return false;
    *out_bits = (uint64_t)(int64_t)number;
    return true;
}

/* ---- one item ---- */

/* What an untagged head is. */
static tn_type plain_type(const CborHead *head)
{
    static const tn_type simple[] = {TN_TYPE_BOOL, TN_TYPE_BOOL, TN_TYPE_NULL, TN_TYPE_UNDEFINED};

    switch (head->major) {
    case CBOR_UINT:
    case CBOR_NEGATIVE:
        return TN_TYPE_NUMBER;
    case CBOR_BYTES:
        return TN_TYPE_BYTES;
    case CBOR_TEXT:
        return TN_TYPE_TEXT;
    case CBOR_ARRAY:
        return TN_TYPE_ARRAY;
    case CBOR_MAP:
        return TN_TYPE_OBJECT;
    case CBOR_SIMPLE:
        if (head->info >= 25)
            return TN_TYPE_NUMBER;
        return head->argument >= CBOR_FALSE && head->argument <= CBOR_UNDEFINED
                   ? simple[head->argument - CBOR_FALSE]
                   : TN_TYPE_NONE;
    default:
        return TN_TYPE_NONE;
    }
}

/* What a tag makes of the head it stands before; NONE if it may not stand there. */
static tn_type tagged_type(uint64_t tag, const CborHead *head)
{
    bool bytes = head->major == CBOR_BYTES;
    bool array = head->major == CBOR_ARRAY;

    switch (tag) {
    case CBOR_TAG_DATE:
        return plain_type(head) == TN_TYPE_NUMBER ? TN_TYPE_DATE : TN_TYPE_NONE;
    case CBOR_TAG_BIGINT:
    case CBOR_TAG_BIGINT_MINUS:
        return bytes ? TN_TYPE_BIGINT : TN_TYPE_NONE;
    case CBOR_TAG_WTF8:
        return bytes ? TN_TYPE_TEXT : TN_TYPE_NONE;
    case CBOR_TAG_ERROR:
        return array ? TN_TYPE_ERROR : TN_TYPE_NONE;
    case CBOR_TAG_SET:
        return array ? TN_TYPE_SET : TN_TYPE_NONE;
    case CBOR_TAG_MAP:
        return head->major == CBOR_MAP ? TN_TYPE_MAP : TN_TYPE_NONE;
    case CBOR_TAG_REGEXP:
        return array ? TN_TYPE_REGEXP : TN_TYPE_NONE;
    case CBOR_TAG_REFERENCE:
        return array ? TN_TYPE_REFERENCE : TN_TYPE_NONE;
    default:
        return bytes && tag != 0 && typed_array_of_tag(tag) ? TN_TYPE_BYTES : TN_TYPE_NONE;
    }
}

/* The hot spot of everything that reads values: so it fills its output in place. */
bool item_read(const uint8_t *at, const uint8_t *end, Item *out_item)
{
    Item *item = out_item;

    item->in = (CborReader){at, end};
    item->shared = false;
    item->tag = item->ref = 0;
    if (!cbor_head(&item->in, &item->head))
        return false;
    if (item->head.major == CBOR_TAG && item->head.argument == CBOR_TAG_SHARED) {
        item->shared = true;
        if (!cbor_head(&item->in, &item->head))
            return false;
    }
    if (item->head.major != CBOR_TAG) {
        item->type = plain_type(&item->head);
    } else {
        item->tag = item->head.argument;
        if (!cbor_head(&item->in, &item->head))
            return false;
        if (item->tag == CBOR_TAG_SHARED_REF) {
            item->type = TN_TYPE_NONE;
            item->ref = item->head.argument;
            return !item->shared && item->head.major == CBOR_UINT;
        }
        item->type = tagged_type(item->tag, &item->head);
    }
    /* Only objects are shared: a number or text has no identity. */
    bool object = item->type >= TN_TYPE_BYTES;
    return item->type != TN_TYPE_NONE && (!item->shared || object);
}

/* The n-th tag 28 of a document, heads read in order, no matter how they nest. */
static const uint8_t *find_shared(const uint8_t *document, const uint8_t *end, uint64_t ref)
{
    CborReader in = {document, end};
    CborHead head;

    while (in.at < end) {
        const uint8_t *at = in.at;
        if (cbor_break(&in))
            continue;
        if (!cbor_head(&in, &head))
            return NULL;
        if (head.major == CBOR_BYTES || head.major == CBOR_TEXT)
            in.at += head.argument;
        else if (head.major == CBOR_TAG && head.argument == CBOR_TAG_SHARED && ref-- == 0)
            return at;
    }
    return NULL;
}

bool value_open(tn_value value, Item *out_item)
{
    if (!value.start || !value.end || value.start >= value.end ||
        !item_read(value.start, value.end, out_item))
        return false;
    if (out_item->type != TN_TYPE_NONE)
        return true;
    const uint8_t *at = find_shared(value.document, value.end, out_item->ref);
    return at && item_read(at, value.end, out_item) && out_item->type != TN_TYPE_NONE;
}

bool item_bigint(const Item *item, const uint8_t **out_bytes, size_t *out_length,
                 bool *out_negative)
{
    CborReader in = item->in;

    if (item->type != TN_TYPE_BIGINT || !cbor_string(&in, &item->head, out_bytes, out_length))
        return false;
    while (*out_length > 0 && **out_bytes == 0) {
        (*out_bytes)++;
        (*out_length)--;
    }
    *out_negative = item->tag == CBOR_TAG_BIGINT_MINUS;
    return true;
}

double item_number(const Item *item)
{
    const uint8_t *bytes;
    size_t length;
    bool negative;
    double number = (double)NAN;

    if (item->type == TN_TYPE_NUMBER || item->type == TN_TYPE_DATE) {
        (void)cbor_number(&item->head, &number);
        return item->type == TN_TYPE_DATE ? cbor_date_ms(number) : number;
    }
    if (!item_bigint(item, &bytes, &length, &negative))
        return number;
    number = 0;
    for (size_t i = 0; i < length; i++)
        number = number * 256 + bytes[i];
    return negative ? -1 - number : number;
}

const char *item_text(const Item *item, size_t *out_length)
{
    CborReader in = item->in;
    const uint8_t *bytes;

    if ((item->type != TN_TYPE_TEXT && item->type != TN_TYPE_BYTES) ||
        !cbor_string(&in, &item->head, &bytes, out_length))
        return NULL;
    return (const char *)bytes;
}
