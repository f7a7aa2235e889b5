#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "digest.h"
#include "record.h"

enum {
    STORE_MARK = 0x546e4a31, /* "TnJ1", in the file's head */
    STORE_VERSION = 1,
    BUSY_MS = 5000,
    PRUNE_EVERY = 64 /* runs */
};

static const char schema[] =
    "PRAGMA application_id=1416514097; PRAGMA user_version=1;"
    "CREATE TABLE runs(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, begun_ms REAL NOT NULL,"
    " level TEXT, name TEXT, language TEXT, label TEXT, policy TEXT, after TEXT, source TEXT,"
    " wall_ms REAL, calls INTEGER, status TEXT, ending BLOB);"
    "CREATE TABLE events(number INTEGER PRIMARY KEY, run TEXT NOT NULL, kind INTEGER NOT NULL,"
    " call INTEGER, time_ms REAL, flags INTEGER, line INTEGER, of INTEGER, object INTEGER,"
    " name TEXT, note TEXT, data BLOB, bytes INTEGER, sha256 TEXT);"
    "CREATE INDEX events_of_run ON events(run, number);";

/* ---- opening ---- */

static tn_status tell(const Store *store, char *out_fault, const char *what)
{
    snprintf(out_fault, STORE_FAULT_BYTES, "%s: %s", store->path, what);
    return TN_ERR_SYSTEM;
}

static tn_status tell_sqlite(const Store *store, char *out_fault)
{
    int code = sqlite3_extended_errcode(store->database);

    if ((code & 0xff) == SQLITE_NOTADB) {
        (void)tell(store, out_fault, "this is not a journal: it is left alone");
        return TN_ERR_ARGUMENT;
    }
    if ((code & 0xff) == SQLITE_CORRUPT)
        return tell(store, out_fault, "the file is damaged: move it away, and a new one is begun");
    if ((code & 0xff) == SQLITE_BUSY)
        return tell(store, out_fault, "another process has kept it locked for too long");
    return tell(store, out_fault, sqlite3_errmsg(store->database));
}

static bool run_sql(Store *store, const char *sql)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static int64_t number_of(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *ask = NULL;
    int64_t number = -1;

    if (sqlite3_prepare_v2(database, sql, -1, &ask, NULL) == SQLITE_OK &&
        sqlite3_step(ask) == SQLITE_ROW)
        number = sqlite3_column_int64(ask, 0);
    sqlite3_finalize(ask);
    return number;
}

/* Whose file is it? 0: nobody's yet; 1: ours; -1: somebody's, or it cannot be read. */
static int look(Store *store, char *out_fault, tn_status *out_status)
{
    int64_t mark = number_of(store->database, "PRAGMA application_id");
    int64_t version = number_of(store->database, "PRAGMA user_version");
    int64_t tables = number_of(store->database, "SELECT count(*) FROM sqlite_schema");

    if (mark < 0 || tables < 0) {
        *out_status = tell_sqlite(store, out_fault);
        return -1;
    }
    if (mark == 0 && tables == 0)
        return 0;
    if (mark == STORE_MARK && version == STORE_VERSION)
        return 1;
    (void)tell(store, out_fault,
               mark == STORE_MARK ? "a journal of another version of Tenon: it is left alone"
                                  : "this is a database, but no journal: it is left alone");
    *out_status = TN_ERR_ARGUMENT;
    return -1;
}

/* Others may be doing the same: one of them makes the tables. */
static tn_status set_up(Store *store, char *out_fault)
{
    struct timespec moment = {0, 5000000};
    tn_status status = TN_OK;
    int found = look(store, out_fault, &status);

    if (found < 0)
        return status;
    if (found == 0)
        (void)run_sql(store, "PRAGMA auto_vacuum=2");
    /* changing the mode does not wait for others by itself */
    for (int tries = 0; !run_sql(store, "PRAGMA journal_mode=WAL"); tries++) {
        if (sqlite3_errcode(store->database) != SQLITE_BUSY || tries == BUSY_MS / 5)
            return tell_sqlite(store, out_fault);
        nanosleep(&moment, NULL);
    }
    if (found == 1)
        return TN_OK;
    if (!run_sql(store, "BEGIN IMMEDIATE"))
        return tell_sqlite(store, out_fault);
    found = look(store, out_fault, &status);
    if (found == 0 && !run_sql(store, schema))
        status = tell_sqlite(store, out_fault);
    if (status == TN_OK && !run_sql(store, "COMMIT"))
        status = tell_sqlite(store, out_fault);
    if (status != TN_OK)
        (void)run_sql(store, "ROLLBACK");
    return status;
}

/* A file that nobody else reads: what SQLite puts beside it has the same mode. */
static tn_status make_file(const Store *store, char *out_fault)
{
    int flags = store->read_only ? O_RDONLY : O_RDWR | O_CREAT;
    int file = open(store->path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);

    if (file < 0) {
        (void)tell(store, out_fault, strerror(errno));
        return errno == ENOENT ? TN_ERR_NOT_FOUND : TN_ERR_SYSTEM;
    }
    close(file);
    return TN_OK;
}

static tn_status connect_to(Store *store, int flags, char *out_fault)
{
    if (sqlite3_open_v2(store->path, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        return store->database ? tell_sqlite(store, out_fault) : TN_ERR_NOMEM;
    sqlite3_busy_timeout(store->database, BUSY_MS);
    return TN_OK;
}

tn_status store_open(Store *store, char out_fault[STORE_FAULT_BYTES])
{
    tn_status status = make_file(store, out_fault);

    if (status == TN_OK && !store->read_only) {
        status = connect_to(store, SQLITE_OPEN_READWRITE, out_fault);
        /* the end of a command does not wait for the disk; whoever writes next does that work */
        if (status == TN_OK) {
            sqlite3_db_config(store->database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
            (void)run_sql(store, "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=256;"
                                 "PRAGMA temp_store=MEMORY");
            status = set_up(store, out_fault);
        }
    }
    if (status != TN_OK)
        store_close(store);
    return status;
}

void store_close(Store *store)
{
    for (int i = 0; i < STORE_STATEMENTS; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
    sqlite3_close(store->database);
    store->database = NULL;
}

tn_status store_reader(const char *path, sqlite3 **out_database, char out_fault[STORE_FAULT_BYTES])
{
    Store store = {.path = (char *)(uintptr_t)path, .read_only = true};
    tn_status status = make_file(&store, out_fault);

    if (status == TN_OK) /* a folder that cannot be written is read as it is */
        status = connect_to(&store, SQLITE_OPEN_READWRITE, out_fault);
    if (status == TN_OK) {
        int found = look(&store, out_fault, &status);
        if (found == 0)
            status = TN_ERR_NOT_FOUND;
    }
    if (status != TN_OK) {
        store_close(&store);
        return status;
    }
    sqlite3_db_config(store.database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    *out_database = store.database;
    return TN_OK;
}

/* ---- writing ---- */

typedef struct Pieces {
    const char *at[RECORD_PARTS];
    int length[RECORD_PARTS];
} Pieces;

static sqlite3_stmt *statement(Store *store, int which)
{
    static const char *const texts[STORE_STATEMENTS] = {
        "INSERT INTO runs(id, begun_ms, level, name, language, label, policy, after, source)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        "UPDATE runs SET wall_ms = ?2, calls = ?3, status = ?4, ending = ?5 WHERE id = ?1",
        "INSERT INTO events(run, kind, call, time_ms, flags, line, of, object, name, note, data,"
        " bytes, sha256) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"};

    if (!store->statements[which])
        (void)sqlite3_prepare_v3(store->database, texts[which], -1, SQLITE_PREPARE_PERSISTENT,
                                 &store->statements[which], NULL);
    return store->statements[which];
}

static void bind_text(sqlite3_stmt *to, int column, const Pieces *pieces, int part)
{
    if (pieces->length[part] > 0)
        sqlite3_bind_text(to, column, pieces->at[part], pieces->length[part], SQLITE_STATIC);
}

/* The whole value, or what tells it from all others. */
static void bind_value(const Store *store, sqlite3_stmt *to, int column, const Pieces *pieces,
                       int part)
{
    int length = pieces->length[part];
    char digest[DIGEST_HEX_BYTES];

    if ((uint64_t)length <= store->value_bytes) {
        sqlite3_bind_blob(to, column, pieces->at[part], length, SQLITE_STATIC);
        return;
    }
    sqlite3_bind_int64(to, column + 1, length);
    if (digest_hex(pieces->at[part], (size_t)length, digest))
        sqlite3_bind_text(to, column + 2, digest, -1, SQLITE_TRANSIENT);
}

static sqlite3_stmt *bind_begin(Store *store, const Record *head, const Pieces *pieces)
{
    sqlite3_stmt *to = statement(store, 0);

    if (!to)
        return NULL;
    sqlite3_bind_double(to, 2, head->time_ms);
    sqlite3_bind_text(to, 3, head->flags & RECORD_DURABLE ? "durable" : "normal", -1,
                      SQLITE_STATIC);
    for (int i = 0; i < RECORD_PARTS; i++)
        bind_text(to, 4 + i, pieces, i);
    return to;
}

static sqlite3_stmt *bind_end(Store *store, const Record *head, const Pieces *pieces)
{
    sqlite3_stmt *to = statement(store, 1);

    if (!to)
        return NULL;
    sqlite3_bind_double(to, 2, head->time_ms);
    sqlite3_bind_int64(to, 3, head->call);
    bind_text(to, 4, pieces, 0);
    sqlite3_bind_blob(to, 5, pieces->at[1], pieces->length[1], SQLITE_STATIC);
    return to;
}

static sqlite3_stmt *bind_event(Store *store, const Record *head, const Pieces *pieces)
{
    int data = head->kind == RECORD_MADE ? 2 : 1;
    sqlite3_stmt *to = statement(store, 2);

    if (!to)
        return NULL;
    sqlite3_bind_int(to, 2, head->kind);
    sqlite3_bind_int64(to, 3, head->call);
    sqlite3_bind_double(to, 4, head->time_ms);
    sqlite3_bind_int(to, 5, head->flags);
    sqlite3_bind_int64(to, 6, head->line);
    sqlite3_bind_int64(to, 7, head->of);
    sqlite3_bind_int64(to, 8, head->object);
    bind_text(to, 9, pieces, 0);
    if (head->kind == RECORD_MADE)
        bind_text(to, 10, pieces, 1);
    bind_value(store, to, 11, pieces, data);
    return to;
}

static bool write_record(Store *store, const uint8_t *record)
{
    Record head;
    Pieces pieces = {0};
    sqlite3_stmt *to;
    bool good;

    memcpy(&head, record, sizeof head);
    record += sizeof head;
    for (int i = 0; i < RECORD_PARTS; i++) {
        pieces.at[i] = (const char *)record;
        pieces.length[i] = (int)head.parts[i];
        record += head.parts[i];
    }
    to = head.kind == RECORD_BEGIN ? bind_begin(store, &head, &pieces)
         : head.kind == RECORD_END ? bind_end(store, &head, &pieces)
                                   : bind_event(store, &head, &pieces);
    if (!to)
        return false;
    store->begun += head.kind == RECORD_BEGIN;
    sqlite3_bind_text(to, 1, head.run, -1, SQLITE_TRANSIENT);
    good = sqlite3_step(to) == SQLITE_DONE;
    sqlite3_reset(to);
    sqlite3_clear_bindings(to);
    return good;
}

bool store_write(Store *store, const uint8_t *records, size_t length, bool durable,
                 char out_fault[STORE_FAULT_BYTES])
{
    bool good = true;

    if (length == 0)
        return true;
    if (durable != store->synchronous &&
        run_sql(store, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"))
        store->synchronous = durable;
    good = run_sql(store, "BEGIN IMMEDIATE");
    for (size_t at = 0; good && at < length;) {
        uint32_t bytes;
        memcpy(&bytes, records + at, sizeof bytes);
        good = write_record(store, records + at);
        at += bytes;
    }
    good = good && run_sql(store, "COMMIT");
    if (!good) {
        (void)tell_sqlite(store, out_fault);
        (void)run_sql(store, "ROLLBACK");
    }
    return good;
}

/* ---- dropping ---- */

bool store_wants_pruning(const Store *store)
{
    return store->begun >= PRUNE_EVERY || (store->begun > 0 && !store->pruned);
}

/* The oldest `count` runs. One that has not ended is another process's, unless it is old. */
static bool drop_oldest(Store *store, int64_t count)
{
    char sql[400];

    snprintf(sql, sizeof sql,
             "BEGIN IMMEDIATE;"
             "CREATE TEMP TABLE old AS SELECT id FROM main.runs WHERE status IS NOT NULL OR"
             " begun_ms < 1000.0 * (strftime('%%s') - 86400) ORDER BY number LIMIT %lld;"
             "DELETE FROM events WHERE run IN (SELECT id FROM old);"
             "DELETE FROM runs WHERE id IN (SELECT id FROM old);"
             "DROP TABLE old;"
             "COMMIT",
             (long long)count);
    if (run_sql(store, sql))
        return true;
    (void)run_sql(store, "ROLLBACK");
    return false;
}

static int64_t used_bytes(Store *store)
{
    return (number_of(store->database, "PRAGMA page_count") -
            number_of(store->database, "PRAGMA freelist_count")) *
           number_of(store->database, "PRAGMA page_size");
}

void store_prune(Store *store)
{
    enum { STEP = 100, ROUNDS = 64 };
    int64_t runs = number_of(store->database, "SELECT count(*) FROM runs"), last = runs + 1;
    bool dropped = false;

    store->begun = 0;
    store->pruned = true;
    for (int round = 0; round < ROUNDS && runs < last; round++) {
        int64_t many = runs - (int64_t)store->keep_runs;
        if (many <= 0 && used_bytes(store) > (int64_t)store->keep_bytes)
            many = runs > 1 ? 1 + runs / 16 : 0;
        if (many <= 0 || !drop_oldest(store, many < STEP ? many : STEP))
            break;
        dropped = true;
        last = runs;
        runs = number_of(store->database, "SELECT count(*) FROM runs");
    }
    if (dropped)
        (void)run_sql(store, "PRAGMA incremental_vacuum");
}
