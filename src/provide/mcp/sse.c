#include "sse.h"

#include <string.h>

void sse_init(Sse *sse, const tn_allocator *allocator, size_t event_bytes)
{
    *sse = (Sse){0};
    buf_init(&sse->line, allocator, event_bytes + 64);
    buf_init(&sse->data, allocator, event_bytes + 1);
    buf_init(&sse->type, allocator, 256);
    buf_init(&sse->id, allocator, 4096);
}

void sse_release(Sse *sse)
{
    buf_release(&sse->line);
    buf_release(&sse->data);
    buf_release(&sse->type);
    buf_release(&sse->id);
}

static bool end_event(Sse *sse, const SseSink *sink)
{
    bool more = true;
    bool message = sse->type.length == 0 ||
                   (sse->type.length == 7 && memcmp(sse->type.data, "message", 7) == 0);

    if (sse->data.length > 0 && message && !sse->data.failed)
        more = sink->event(sink->context, (const char *)sse->data.data, sse->data.length - 1);
    buf_clear(&sse->data);
    buf_clear(&sse->type);
    return more;
}

static void set(Buf *buf, const char *text, size_t length)
{
    buf_clear(buf);
    buf_append(buf, text, length);
}

static void set_retry(Sse *sse, const char *digits, size_t length)
{
    uint64_t number = 0;

    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9' || i > 8)
            return;
        number = number * 10 + (uint64_t)(digits[i] - '0');
    }
    sse->retry_ms = number;
}

/* field (":" " "? value)?, or a comment if it begins with ":" */
static void take_field(Sse *sse, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    size_t name = colon ? (size_t)(colon - line) : length;
    const char *value = colon ? colon + 1 : line + length;
    size_t rest = length - name - (colon != NULL);

    if (rest > 0 && *value == ' ') {
        value++;
        rest--;
    }
    if (name == 4 && memcmp(line, "data", 4) == 0) {
        buf_append(&sse->data, value, rest);
        buf_append_byte(&sse->data, '\n');
    } else if (name == 5 && memcmp(line, "event", 5) == 0) {
        set(&sse->type, value, rest);
    } else if (name == 2 && memcmp(line, "id", 2) == 0 && !memchr(value, 0, rest)) {
        set(&sse->id, value, rest);
    } else if (name == 5 && memcmp(line, "retry", 5) == 0 && rest > 0) {
        set_retry(sse, value, rest);
    }
}

static bool end_line(Sse *sse, const SseSink *sink)
{
    const char *line = (const char *)sse->line.data;
    size_t length = sse->line.length;
    bool more = true;

    if (!sse->begun && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        length -= 3;
    }
    sse->begun = true;
    if (length == 0)
        more = end_event(sse, sink);
    else
        take_field(sse, line, length);
    buf_clear(&sse->line);
    sse->over_limit = sse->over_limit || sse->data.failed;
    return more && !sse->over_limit;
}

bool sse_feed(Sse *sse, const char *text, size_t length, const SseSink *sink)
{
    for (size_t i = 0; i < length; i++) {
        size_t from = i;
        if (sse->after_return && text[i] == '\n') {
            sse->after_return = false;
            continue;
        }
        sse->after_return = false;
        while (i < length && text[i] != '\n' && text[i] != '\r')
            i++;
        buf_append(&sse->line, text + from, i - from);
        if (sse->line.failed) {
            sse->over_limit = true;
            return false;
        }
        if (i == length)
            break;
        sse->after_return = text[i] == '\r';
        if (!end_line(sse, sink))
            return false;
    }
    return true;
}
