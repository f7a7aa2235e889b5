#include "buf.h"

#include "memory.h"

void buf_init(Buf *buf, const tn_allocator *allocator, size_t limit_bytes)
{
    *buf = (Buf){.allocator = allocator, .limit = limit_bytes};
}

void buf_release(Buf *buf)
{
    if (buf->data)
        memory_free(buf->allocator, buf->data, buf->capacity);
    buf->data = NULL;
    buf->length = buf->capacity = 0;
}

void buf_clear(Buf *buf)
{
    buf->length = 0;
    buf->failed = buf->over_limit = false;
}

/* Doubles, so that n appends cost O(n); but never past the limit, which is what was promised. */
static size_t grown_capacity(const Buf *buf, size_t needed)
{
    size_t capacity = buf->capacity < 64 ? 64 : buf->capacity;

    while (capacity < needed)
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    if (capacity > buf->limit)
        capacity = buf->limit;
    return capacity;
}

bool buf_reserve(Buf *buf, size_t more)
{
    if (buf->failed)
        return false;
    if (more <= buf->capacity - buf->length)
        return true;
    if (buf->length > buf->limit || more > buf->limit - buf->length) {
        buf->failed = buf->over_limit = true;
        return false;
    }
    size_t capacity = grown_capacity(buf, buf->length + more);
    uint8_t *data = memory_resize(buf->allocator, buf->data, buf->capacity, capacity);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->capacity = capacity;
    return true;
}

uint8_t *buf_extend(Buf *buf, size_t bytes)
{
    if (!buf_reserve(buf, bytes) || !buf->data)
        return NULL;
    uint8_t *place = buf->data + buf->length;
    buf->length += bytes;
    return place;
}

void buf_append(Buf *buf, const void *bytes, size_t length)
{
    if (length == 0)
        return;
    uint8_t *place = buf_extend(buf, length);
    if (place)
        memcpy(place, bytes, length);
}

void buf_append_byte(Buf *buf, uint8_t byte)
{
    uint8_t *place = buf_extend(buf, 1);
    if (place)
        *place = byte;
}

void buf_append_string(Buf *buf, const char *string)
{
    buf_append(buf, string, strlen(string));
}

void buf_append_uint(Buf *buf, uint64_t decimal)
{
    char digits[20];
    size_t at = sizeof digits;

    do {
        digits[--at] = (char)('0' + decimal % 10);
        decimal /= 10;
    } while (decimal != 0);
    buf_append(buf, digits + at, sizeof digits - at);
}

void buf_truncate(Buf *buf, size_t length)
{
    if (length < buf->length)
        buf->length = length;
}

tn_status buf_status(const Buf *buf)
{
    if (buf->over_limit)
        return TN_ERR_LIMIT;
    return buf->failed ? TN_ERR_NOMEM : TN_OK;
}

uint8_t *buf_take(Buf *buf, size_t *out_length, size_t *out_capacity)
{
    uint8_t *data = buf->data;

    *out_length = buf->length;
    *out_capacity = buf->capacity;
    buf->data = NULL;
    buf->length = buf->capacity = 0;
    return data;
}
