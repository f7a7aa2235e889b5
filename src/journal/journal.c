#include "journal.h"

#include <assert.h>
#include <string.h>

#include "utf8.h"

enum { message_bytes_most = 1000, entry_bytes = 4096 };

void journal_init(Journal *journal, const tn_allocator *allocator, size_t limit_entries)
{
    size_t bytes =
        limit_entries > SIZE_MAX / entry_bytes - 16 ? SIZE_MAX : (limit_entries + 16) * entry_bytes;
    *journal = (Journal){.limit = limit_entries};
    arena_init(&journal->arena, allocator, bytes);
}

void journal_release(Journal *journal)
{
    arena_release(&journal->arena);
    journal->entries = NULL;
    journal->count = journal->capacity = 0;
}

static bool make_room(Journal *journal)
{
    if (journal->count < journal->capacity)
        return true;
    size_t capacity = journal->capacity ? journal->capacity * 2 : 16;
    JournalEntry *entries =
        arena_grow(&journal->arena, journal->entries, journal->count * sizeof *entries,
                   capacity * sizeof *entries);
    if (!entries)
        return false;
    journal->entries = entries;
    journal->capacity = capacity;
    return true;
}

tn_status journal_ask(Journal *journal, const char *name, unsigned line, bool read_only,
                      double now_ms, size_t *out_index)
{
    if (journal->count == journal->limit)
        return TN_ERR_LIMIT;
    if (!make_room(journal))
        return arena_status(&journal->arena);
    journal->entries[journal->count] = (JournalEntry){
        .name = name, .line = line, .read_only = read_only, .start_ms = now_ms, .error = ""};
    *out_index = journal->count++;
    return TN_OK;
}

static void close_entry(Journal *journal, size_t index, double now_ms, JournalState state)
{
    assert(index < journal->count && journal->entries[index].state == JOURNAL_OPEN);
    JournalEntry *entry = &journal->entries[index];
    entry->state = state;
    entry->duration_ms = now_ms - entry->start_ms;
}

/* Without memory for it the message is lost, but not that there was one. */
static void keep_message(Journal *journal, size_t index, const char *message, size_t length)
{
    if (length > message_bytes_most)
        length = utf8_floor(message, length, message_bytes_most);
    char *copy = arena_text(&journal->arena, message, length);
    journal->entries[index].error = copy ? copy : "(no memory for the message)";
}

void journal_made(Journal *journal, size_t index, const char *ran)
{
    assert(index < journal->count && !journal->entries[index].made);
    journal->entries[index].made = true;
    journal->entries[index].ran = ran;
}

void journal_original(Journal *journal, size_t index)
{
    assert(index < journal->count);
    journal->entries[index].original = true;
}

void journal_answer(Journal *journal, size_t index, double now_ms)
{
    close_entry(journal, index, now_ms, JOURNAL_ANSWERED);
}

void journal_fail(Journal *journal, size_t index, double now_ms, const char *message, size_t length)
{
    close_entry(journal, index, now_ms, JOURNAL_FAILED);
    keep_message(journal, index, message, length);
}

void journal_deny(Journal *journal, size_t index, double now_ms, const char *message, size_t length)
{
    close_entry(journal, index, now_ms, JOURNAL_DENIED);
    keep_message(journal, index, message, length);
}

void journal_end(Journal *journal, double now_ms)
{
    for (size_t i = 0; i < journal->count; i++) {
        JournalEntry *entry = &journal->entries[i];
        if (entry->state == JOURNAL_OPEN)
            entry->duration_ms = now_ms - entry->start_ms;
    }
}

const JournalEntry *journal_entry(const Journal *journal, size_t index)
{
    return index < journal->count ? &journal->entries[index] : NULL;
}
