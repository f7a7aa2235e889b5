#include "journal.h"

#include <assert.h>
#include <string.h>
#include <sys/random.h>

#include "log.h"
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
    if (journal->log && !journal->ended)
        journal_conclude(journal, 0, "abandoned", NULL, 0);
    arena_release(&journal->arena);
    journal->entries = NULL;
    journal->count = journal->capacity = 0;
    journal->log = NULL;
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

/* ---- on disk ---- */

static LogEntry begin_record(const Journal *journal, RecordKind kind, size_t index, double now_ms,
                             unsigned flags)
{
    const JournalEntry *entry = &journal->entries[index];
    Record head = {.kind = (uint8_t)kind,
                   .flags = (uint8_t)flags,
                   .call = (uint32_t)index + 1,
                   .of = entry->of,
                   .line = entry->line,
                   .time_ms = now_ms};

    memcpy(head.run, journal->run, sizeof head.run);
    return log_begin(journal->log, &head);
}

static void put_part(LogEntry *record, const void *bytes, size_t length)
{
    log_put(record, bytes, length);
    log_end_part(record);
}

static void put_string(LogEntry *record, const char *text)
{
    put_part(record, text, text ? strlen(text) : 0);
}

void journal_arguments(Journal *journal, size_t index, bool direct, uint32_t object,
                       const tn_value *arguments, size_t count)
{
    const JournalEntry *entry = &journal->entries[index];
    LogEntry record;

    if (!journal->log)
        return;
    record = begin_record(journal, RECORD_ASKED, index, entry->start_ms,
                          (entry->read_only ? RECORD_READ_ONLY : 0u) |
                              (direct && !journal->durable ? RECORD_DIRECT : 0u));
    record.head.object = object;
    put_string(&record, entry->name);
    for (size_t i = 0; i < count; i++)
        log_put(&record, arguments[i].document, (size_t)(arguments[i].end - arguments[i].document));
    log_end_part(&record);
    log_end(&record);
}

static bool write_made(const Journal *journal, size_t index, double now_ms,
                       const JournalMaking *making)
{
    LogEntry record =
        begin_record(journal, RECORD_MADE, index, now_ms,
                     (making->rule ? RECORD_PERSON : 0u) | (making->argument ? RECORD_BOUND : 0u));

    put_string(&record, making->ran);
    put_string(&record, making->rule);
    if (making->argument)
        log_put(&record, making->argument->document,
                (size_t)(making->argument->end - making->argument->document));
    log_end_part(&record);
    if (journal->durable)
        return log_end_durable(&record);
    log_end(&record);
    return true;
}

static void write_closed(const Journal *journal, RecordKind kind, size_t index, double now_ms,
                         const void *value, size_t length)
{
    LogEntry record = begin_record(journal, kind, index, now_ms, 0);

    put_string(&record, NULL);
    put_part(&record, value, length);
    log_end(&record);
}

/* ---- an entry ---- */

static void close_entry(Journal *journal, size_t index, double now_ms, JournalState state,
                        const void *value, size_t length)
{
    static const RecordKind kinds[] = {[JOURNAL_ANSWERED] = RECORD_ANSWERED,
                                       [JOURNAL_FAILED] = RECORD_FAILED,
                                       [JOURNAL_DENIED] = RECORD_DENIED};

    assert(index < journal->count && journal->entries[index].state == JOURNAL_OPEN);
    JournalEntry *entry = &journal->entries[index];
    entry->state = state;
    entry->duration_ms = now_ms - entry->start_ms;
    if (journal->log)
        write_closed(journal, kinds[state], index, now_ms, value, length);
}

/* Without memory for it the message is lost, but not that there was one. */
static void keep_message(Journal *journal, size_t index, const char *message, size_t length)
{
    if (length > message_bytes_most)
        length = utf8_floor(message, length, message_bytes_most);
    char *copy = arena_text(&journal->arena, message, length);
    journal->entries[index].error = copy ? copy : "(no memory for the message)";
}

bool journal_made(Journal *journal, size_t index, double now_ms, const JournalMaking *making)
{
    assert(index < journal->count && !journal->entries[index].made);
    if (journal->log && (journal->durable || !making->direct) &&
        !write_made(journal, index, now_ms, making))
        return false;
    journal->entries[index].made = true;
    journal->entries[index].ran = making->ran;
    return true;
}

void journal_original(Journal *journal, size_t index, size_t of)
{
    assert(index < journal->count);
    journal->entries[index].original = true;
    journal->entries[index].of = (uint32_t)of + 1;
}

void journal_answer(Journal *journal, size_t index, double now_ms, const void *result,
                    size_t result_length)
{
    close_entry(journal, index, now_ms, JOURNAL_ANSWERED, result, result_length);
}

void journal_fail(Journal *journal, size_t index, double now_ms, const char *message, size_t length,
                  const void *error, size_t error_length)
{
    close_entry(journal, index, now_ms, JOURNAL_FAILED, error, error_length);
    keep_message(journal, index, message, length);
}

void journal_deny(Journal *journal, size_t index, double now_ms, const char *message, size_t length,
                  const void *error, size_t error_length)
{
    close_entry(journal, index, now_ms, JOURNAL_DENIED, error, error_length);
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

/* ---- the run ---- */

/* Sixty bits that nobody can foresee, in letters and digits that are not taken for each other: a
 * beginning of it names the run. */
static bool draw_id(char out_id[RUN_ID_BYTES])
{
    static const char letters[] = "0123456789abcdefghjkmnpqrstvwxyz";
    enum { ID_LETTERS = 12 };
    uint64_t bits;

    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return false;
    memset(out_id, 0, RUN_ID_BYTES);
    for (int i = 0; i < ID_LETTERS; i++, bits >>= 5)
        out_id[i] = letters[bits & 31];
    return true;
}

bool journal_begin(Journal *journal, tn_journal *log, bool durable,
                   const JournalBeginning *beginning)
{
    Record head = {.kind = RECORD_BEGIN, .time_ms = beginning->time_ms};
    LogEntry record;

    if (!draw_id(head.run))
        return false;
    head.flags = durable ? RECORD_DURABLE : 0;
    memcpy(journal->run, head.run, sizeof head.run);
    journal->log = log;
    journal->durable = durable;
    journal->faults = log_faults(log);
    record = log_begin(log, &head);
    put_string(&record, beginning->name);
    put_string(&record, beginning->language);
    put_string(&record, beginning->label);
    put_string(&record, beginning->policy);
    put_string(&record, beginning->after);
    put_part(&record, beginning->source, beginning->source_length);
    log_end(&record);
    return true;
}

void journal_conclude(Journal *journal, double now_ms, const char *status, const void *ending,
                      size_t ending_length)
{
    Record head = {.kind = RECORD_END, .time_ms = now_ms, .call = (uint32_t)journal->count};
    LogEntry record;

    if (!journal->log || journal->ended)
        return;
    journal->ended = true;
    for (size_t i = 0; i < journal->count; i++) {
        if (journal->entries[i].state == JOURNAL_OPEN)
            write_closed(journal, RECORD_CANCELLED, i, now_ms, NULL, 0);
    }
    memcpy(head.run, journal->run, sizeof head.run);
    record = log_begin(journal->log, &head);
    put_string(&record, status);
    put_part(&record, ending, ending_length);
    if (journal->durable)
        (void)log_end_durable(&record);
    else
        log_end(&record);
}

bool journal_is_lacking(const Journal *journal)
{
    return journal->log && log_faults(journal->log) != journal->faults;
}

const JournalEntry *journal_entry(const Journal *journal, size_t index)
{
    return index < journal->count ? &journal->entries[index] : NULL;
}
