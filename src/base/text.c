#include "text.h"

#include <stdalign.h>

#include "memory.h"

typedef struct TextHead {
    tn_allocator allocator;
    alignas(max_align_t) size_t bytes; /* of the whole block */
} TextHead;

void text_begin(Buf *buf, const tn_allocator *allocator, size_t limit_bytes)
{
    const size_t around = sizeof(TextHead) + 1;

    buf_init(buf, allocator, limit_bytes > SIZE_MAX - around ? SIZE_MAX : limit_bytes + around);
    (void)buf_extend(buf, sizeof(TextHead));
}

size_t text_length(const Buf *buf)
{
    return buf->length < sizeof(TextHead) ? 0 : buf->length - sizeof(TextHead);
}

tn_status text_finish(Buf *buf, char **out_text, size_t *out_length)
{
    TextHead head = {.allocator = *buf->allocator};
    size_t length = text_length(buf);

    buf_append_byte(buf, '\0');
    tn_status status = buf_status(buf);
    if (status != TN_OK) {
        buf_release(buf);
        return status;
    }
    size_t whole;
    uint8_t *block = buf_take(buf, &whole, &head.bytes);
    memcpy(block, &head, sizeof head);
    *out_text = (char *)block + sizeof head;
    if (out_length)
        *out_length = length;
    return TN_OK;
}

void tn_text_free(char *text)
{
    TextHead head;

    if (!text)
        return;
    memcpy(&head, text - sizeof head, sizeof head);
    memory_free(&head.allocator, text - sizeof head, head.bytes);
}
