#include "console.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

typedef struct Record {
    double time_ms;
    uint32_t length;
    uint32_t level;
} Record; /* then its text */

static const char cut_mark[] = " [...] ";

void console_init(Console *console, const tn_allocator *allocator, size_t limit_bytes)
{
    if (limit_bytes > UINT32_MAX / 4)
        limit_bytes = UINT32_MAX / 4;
    *console = (Console){.limit = limit_bytes, .entries_most = 64 + limit_bytes / 16};
    buf_init(&console->head, allocator, SIZE_MAX);
    buf_init(&console->tail, allocator, SIZE_MAX);
}

void console_release(Console *console)
{
    buf_release(&console->head);
    buf_release(&console->tail);
}

tn_status console_status(const Console *console)
{
    return console->head.failed || console->tail.failed ? TN_ERR_NOMEM : TN_OK;
}

static void put_record(Buf *buf, tn_level level, double time_ms, size_t length)
{
    Record record = {.time_ms = time_ms, .length = (uint32_t)length, .level = (uint32_t)level};
    buf_append(buf, &record, sizeof record);
}

static Record record_at(const Buf *buf, size_t at)
{
    Record record;
    memcpy(&record, buf->data + at, sizeof record);
    return record;
}

static void note_dropped(Console *console, uint64_t bytes, double time_ms)
{
    console->dropped_bytes += bytes;
    console->dropped_entries++;
    console->dropped_ms = time_ms;
}

/* The oldest entry of the tail goes. Its place is taken back now and then: each byte is moved at
 * most about once for each byte that came. */
static void drop_oldest(Console *console)
{
    Record record = record_at(&console->tail, console->tail_start);

    note_dropped(console, record.length, record.time_ms);
    console->tail_start += sizeof record + record.length;
    console->tail_bytes -= record.length;
    console->tail_entries--;
    if (console->tail_start > console->tail.length / 2) {
        size_t left = console->tail.length - console->tail_start;
        memmove(console->tail.data, console->tail.data + console->tail_start, left);
        console->tail.length = left;
        console->tail_start = 0;
    }
}

/* One entry that is larger than all there is room for: its two ends are kept. */
static void add_cut(Console *console, tn_level level, double time_ms, const char *text,
                    size_t length, size_t room)
{
    size_t mark = sizeof cut_mark - 1;
    size_t half = room > mark ? (room - mark) / 2 : 0;
    size_t first = utf8_floor(text, length, half);
    size_t last = length - half;

    for (int i = 0; i < 3 && last < length && ((unsigned char)text[last] & 0xC0) == 0x80; i++)
        last++;
    note_dropped(console, last - first, time_ms);
    if (half == 0)
        return;
    size_t kept = first + mark + (length - last);
    put_record(&console->tail, level, time_ms, kept);
    buf_append(&console->tail, text, first);
    buf_append(&console->tail, cut_mark, mark);
    buf_append(&console->tail, text + last, length - last);
    console->tail_bytes += kept;
    console->tail_entries++;
}

void console_add(Console *console, tn_level level, double time_ms, const char *text, size_t length)
{
    console->written_bytes += length;
    if (console_status(console) != TN_OK) {
        note_dropped(console, length, time_ms);
        return;
    }
    if (!console->head_full && length <= console->limit / 2 - console->head_bytes &&
        console->head_entries < console->entries_most / 2) {
        put_record(&console->head, level, time_ms, length);
        buf_append(&console->head, text, length);
        console->head_bytes += length;
        console->head_entries++;
        return;
    }
    /* From here on all goes to the tail, or the order would be lost. */
    console->head_full = true;
    size_t room = console->limit - console->head_bytes;
    size_t entries = console->entries_most - console->head_entries;
    while (console->tail_entries > 0 &&
           (length > room - console->tail_bytes || console->tail_entries >= entries))
        drop_oldest(console);
    if (length > room) {
        add_cut(console, level, time_ms, text, length, room);
        return;
    }
    put_record(&console->tail, level, time_ms, length);
    buf_append(&console->tail, text, length);
    console->tail_bytes += length;
    console->tail_entries++;
}

static bool next_in(const Buf *buf, size_t *at, tn_console_entry *out_entry)
{
    if (buf->length - *at < sizeof(Record))
        return false;
    Record record = record_at(buf, *at);
    size_t text = *at + sizeof record;
    if (record.length > buf->length - text)
        return false; /* memory ran out in the middle of it */
    *out_entry = (tn_console_entry){.level = (tn_level)record.level,
                                    .time_ms = record.time_ms,
                                    .text = (const char *)buf->data + text,
                                    .length = record.length};
    *at = text + record.length;
    return true;
}

static bool next_marker(const Console *console, ConsoleWalk *walk, tn_console_entry *out_entry)
{
    if (console->dropped_entries == 0)
        return false;
    int length = snprintf(walk->marker, sizeof walk->marker,
                          "... %llu bytes of output in %llu entries dropped here ...",
                          (unsigned long long)console->dropped_bytes,
                          (unsigned long long)console->dropped_entries);
    *out_entry = (tn_console_entry){.level = TN_LEVEL_WARN,
                                    .time_ms = console->dropped_ms,
                                    .text = walk->marker,
                                    .length = (size_t)length};
    return true;
}

bool console_next(const Console *console, ConsoleWalk *walk, tn_console_entry *out_entry)
{
    if (walk->part == 0) {
        if (next_in(&console->head, &walk->at, out_entry))
            return true;
        walk->part = 1;
    }
    if (walk->part == 1) {
        walk->part = 2;
        walk->at = console->tail_start;
        if (next_marker(console, walk, out_entry))
            return true;
    }
    return next_in(&console->tail, &walk->at, out_entry);
}
