#include "recall.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "record.h"

static const char columns[] =
    "SELECT id, level, name, language, label, policy, after, status, begun_ms, wall_ms, ending,"
    " coalesce(calls, (SELECT max(call) FROM events WHERE run = id AND kind = 3), 0), source"
    " FROM runs ";

static const char *text_of(sqlite3_stmt *row, int column, Arena *arena)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    const char *copy = text ? arena_string(arena, text) : NULL;

    return copy ? copy : "";
}

/* NULL for what is not there. */
static const char *text_if_any(sqlite3_stmt *row, int column, Arena *arena)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? NULL : text_of(row, column, arena);
}

static PastValue value_of(sqlite3_stmt *row, int column, Arena *arena)
{
    size_t length = (size_t)sqlite3_column_bytes(row, column);
    const void *bytes = sqlite3_column_blob(row, column);
    uint8_t *copy = bytes ? arena_push(arena, length) : NULL;

    if (!copy)
        return (PastValue){0};
    memcpy(copy, bytes, length);
    return (PastValue){.bytes = copy, .length = length};
}

static PastRun run_of(sqlite3_stmt *row, Arena *arena)
{
    PastRun run = {.id = text_of(row, 0, arena),
                   .level = text_of(row, 1, arena),
                   .name = text_of(row, 2, arena),
                   .language = text_of(row, 3, arena),
                   .label = text_of(row, 4, arena),
                   .policy = text_of(row, 5, arena),
                   .after = text_of(row, 6, arena),
                   .status = text_of(row, 7, arena),
                   .begun_ms = sqlite3_column_double(row, 8),
                   .wall_ms = sqlite3_column_double(row, 9),
                   .ending = value_of(row, 10, arena),
                   .call_count = (uint32_t)sqlite3_column_int64(row, 11)};

    run.source = text_of(row, 12, arena);
    run.source_length = strlen(run.source);
    return run;
}

/* ---- the calls of one ---- */

static PastValue reply_of(sqlite3_stmt *row, Arena *arena)
{
    PastValue value = value_of(row, 7, arena);

    value.left_out = (uint64_t)sqlite3_column_int64(row, 8);
    value.sha256 = text_of(row, 9, arena);
    return value;
}

static void take_asked(PastCall *call, sqlite3_stmt *row, Arena *arena)
{
    int flags = sqlite3_column_int(row, 3);

    call->asked_ms = call->made_ms = call->ended_ms = sqlite3_column_double(row, 2);
    call->name = text_of(row, 5, arena);
    call->read_only = (flags & RECORD_READ_ONLY) != 0;
    call->made = (flags & RECORD_DIRECT) != 0;
    call->line = (uint32_t)sqlite3_column_int64(row, 4);
    call->of = (uint32_t)sqlite3_column_int64(row, 10);
    call->object = (uint32_t)sqlite3_column_int64(row, 11);
    call->arguments = reply_of(row, arena);
}

static void take_made(PastCall *call, sqlite3_stmt *row, Arena *arena)
{
    int flags = sqlite3_column_int(row, 3);

    call->made = true;
    call->made_ms = call->ended_ms = sqlite3_column_double(row, 2);
    call->ran = text_if_any(row, 5, arena);
    call->rule = text_if_any(row, 6, arena);
    call->person = (flags & RECORD_PERSON) != 0;
    call->bound = (flags & RECORD_BOUND) != 0;
    if (call->bound)
        call->first = reply_of(row, arena);
}

static void take_event(PastRun *run, sqlite3_stmt *row, Arena *arena)
{
    static const PastState states[] = {[RECORD_ANSWERED] = PAST_ANSWERED,
                                       [RECORD_FAILED] = PAST_FAILED,
                                       [RECORD_DENIED] = PAST_DENIED,
                                       [RECORD_CANCELLED] = PAST_CANCELLED};
    int64_t number = sqlite3_column_int64(row, 1);
    int kind = sqlite3_column_int(row, 0);
    PastCall *call;

    if (number < 1 || number > run->call_count)
        return;
    call = &run->calls[number - 1];
    if (kind == RECORD_ASKED) {
        take_asked(call, row, arena);
    } else if (kind == RECORD_MADE) {
        take_made(call, row, arena);
    } else if (kind >= RECORD_ANSWERED && kind <= RECORD_CANCELLED) {
        call->state = states[kind];
        call->ended_ms = sqlite3_column_double(row, 2);
        call->reply = reply_of(row, arena);
    }
}

static int take_calls(sqlite3 *database, PastRun *run, Arena *arena)
{
    static const char sql[] = "SELECT kind, call, time_ms, flags, line, name, note, data, bytes,"
                              " sha256, of, object FROM events WHERE run = ?1 ORDER BY number";
    sqlite3_stmt *rows = NULL;
    int code;

    run->calls = ARENA_ARRAY(arena, PastCall, (size_t)run->call_count + 1);
    if (!run->calls)
        return SQLITE_NOMEM;
    for (uint32_t i = 0; i < run->call_count; i++)
        run->calls[i].name = "";
    code = sqlite3_prepare_v2(database, sql, -1, &rows, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(rows, 1, run->id, -1, SQLITE_STATIC);
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        take_event(run, rows, arena);
        code = SQLITE_OK;
    }
    sqlite3_finalize(rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* ---- runs ---- */

static tn_status finish(const char *path, sqlite3 *database, int code, const Arena *arena,
                        char *out_fault)
{
    tn_status status = TN_OK;

    if (code != SQLITE_OK && code != SQLITE_DONE) {
        snprintf(out_fault, STORE_FAULT_BYTES, "%s: %s", path, sqlite3_errmsg(database));
        status = code == SQLITE_NOMEM ? TN_ERR_NOMEM : TN_ERR_SYSTEM;
    }
    sqlite3_close(database);
    return status == TN_OK ? arena_status(arena) : status;
}

/* Ids have no letter that GLOB reads as more than itself. */
static bool is_id(const char *id)
{
    size_t length = strspn(id, "0123456789abcdefghijklmnopqrstuvwxyz");

    return length > 0 && length < RUN_ID_BYTES && id[length] == '\0';
}

static int take_run(sqlite3 *database, const char *id, Arena *arena, PastRun *out_run,
                    unsigned *out_found)
{
    char sql[sizeof columns + 120];
    sqlite3_stmt *rows = NULL;
    int code;

    if (id)
        snprintf(sql, sizeof sql, "%sWHERE id GLOB '%s*' LIMIT 2", columns, id);
    else
        snprintf(sql, sizeof sql, "%sORDER BY number DESC LIMIT 1", columns);
    code = sqlite3_prepare_v2(database, sql, -1, &rows, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        code = SQLITE_OK;
        if (++*out_found == 1)
            *out_run = run_of(rows, arena);
    }
    sqlite3_finalize(rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

tn_status recall_run(const char *path, const char *id, Arena *arena, PastRun *out_run,
                     char out_fault[STORE_FAULT_BYTES])
{
    sqlite3 *database;
    unsigned found = 0;
    int code = SQLITE_OK;

    TRY(store_reader(path, &database, out_fault));
    /* run and calls as they were at one moment */
    (void)sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    if (!id || is_id(id))
        code = take_run(database, id, arena, out_run, &found);
    if (code == SQLITE_OK && found == 1)
        code = take_calls(database, out_run, arena);
    TRY(finish(path, database, code, arena, out_fault));
    if (found == 1)
        return TN_OK;
    snprintf(out_fault, STORE_FAULT_BYTES,
             found > 1 ? "%s: several runs begin with \"%s\""
             : id      ? "%s: no run begins with \"%s\""
                       : "%s: there is no run in it",
             path, id);
    return found > 1 ? TN_ERR_ARGUMENT : TN_ERR_NOT_FOUND;
}

tn_status recall_runs(const char *path, unsigned most, Arena *arena, PastRun **out_runs,
                      size_t *out_count, char out_fault[STORE_FAULT_BYTES])
{
    char sql[sizeof columns + 120];
    sqlite3_stmt *rows = NULL;
    PastRun *runs = ARENA_ARRAY(arena, PastRun, (size_t)most + 1);
    sqlite3 *database;
    size_t count = 0;
    int code;

    if (!runs)
        return TN_ERR_NOMEM;
    TRY(store_reader(path, &database, out_fault));
    snprintf(sql, sizeof sql, "%sORDER BY number DESC LIMIT %u", columns, most);
    code = sqlite3_prepare_v2(database, sql, -1, &rows, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW && count < most) {
        runs[count] = run_of(rows, arena);
        runs[count++].source = "";
        code = SQLITE_OK;
    }
    sqlite3_finalize(rows);
    TRY(finish(path, database, code, arena, out_fault));
    *out_runs = runs;
    *out_count = count;
    return TN_OK;
}
