#include "keep.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "value.h"

/* What is written otherwise has another number. */
#define LAYOUT "2"

enum {
    WAIT_MS = 500, /* for other processes */
    DOCUMENT_BYTES_MOST = 64 * 1024 * 1024,
    SHAPE_BYTES_MOST = 1024 * 1024
};

struct Keep {
    tn_allocator allocator;
    pthread_mutex_t lock;
    sqlite3 *database; /* NULL: it cannot be used any more */
    char path[];
};

/* ---- the key ---- */

void keep_key_part(Buf *parts, const char *text, size_t length)
{
    buf_append(parts, &length, sizeof length);
    buf_append(parts, text, length);
}

/* Always the same key, so that it is the same in each process: nobody gains from two servers of one
 * person's that are taken for each other. */
KeepKey keep_key(const Buf *parts)
{
    static const HashKey fixed = {{0x74656e6f6e, 0x6b657074, 0x63617461, 0x6c6f677565}};
    KeepKey key;

    hash_hex(&fixed, parts->data, parts->length, key.hex);
    return key;
}

/* ---- the file ---- */

static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
}

/* A regular file of our own that nobody else can read or write. One that is there is not opened
 * here: closing it would take this process's other locks of it away. */
static bool is_ours(char *path)
{
    enum { HOW = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC };
    struct stat about;
    int made = open(path, HOW, 0600);

    if (made < 0 && errno == ENOENT) {
        make_folders(path);
        made = open(path, HOW, 0600);
    }
    if (made >= 0)
        close(made);
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & 077) == 0;
}

static int has_layout(void *context, int count, char **values, char **names)
{
    (void)names;
    *(bool *)context = count == 1 && values[0] && strcmp(values[0], LAYOUT) == 0;
    return 0;
}

/* Nothing of it is needed after a crash of the machine: it is not waited for. */
static const char manners[] = "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF;"
                              "PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF;";

static const char tables[] =
    "BEGIN IMMEDIATE; DROP TABLE IF EXISTS catalogue; DROP TABLE IF EXISTS learned;"
    "CREATE TABLE catalogue(key TEXT PRIMARY KEY, version TEXT, stored REAL, expires REAL, "
    "document "
    "BLOB);"
    "CREATE TABLE learned(key TEXT, tool TEXT, version TEXT, shape BLOB, PRIMARY KEY(key, tool));"
    "PRAGMA user_version=" LAYOUT "; COMMIT";

static int run(Keep *keep, const char *text)
{
    return sqlite3_exec(keep->database, text, NULL, NULL, NULL);
}

static int open_database(Keep *keep)
{
    bool known = false;
    int code = is_ours(keep->path)
                   ? sqlite3_open_v2(keep->path, &keep->database,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)
                   : SQLITE_CANTOPEN;

    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(keep->database, WAIT_MS);
    if (code == SQLITE_OK)
        code = run(keep, manners);
    if (code == SQLITE_OK)
        code = sqlite3_exec(keep->database, "PRAGMA user_version", has_layout, &known, NULL);
    if (code == SQLITE_OK && !known)
        code = run(keep, tables);
    return code;
}

static void shut(Keep *keep)
{
    sqlite3_close(keep->database);
    keep->database = NULL;
}

static bool is_broken(int code)
{
    return (code & 255) == SQLITE_CORRUPT || (code & 255) == SQLITE_NOTADB;
}

/* A broken file is nobody's loss: it is begun anew, once. */
static int open_anew(Keep *keep)
{
    char journal[4096];

    shut(keep);
    (void)unlink(keep->path);
    if (snprintf(journal, sizeof journal, "%s-journal", keep->path) < (int)sizeof journal)
        (void)unlink(journal);
    return open_database(keep);
}

Keep *keep_open(const tn_allocator *allocator, const char *path)
{
    size_t bytes = sizeof(Keep) + strlen(path) + 1;
    Keep *keep = memory_new(allocator, bytes);
    int code;

    if (!keep)
        return NULL;
    keep->allocator = *allocator;
    memcpy(keep->path, path, strlen(path) + 1);
    pthread_mutex_init(&keep->lock, NULL);
    code = open_database(keep);
    if (is_broken(code))
        code = open_anew(keep);
    if (code == SQLITE_OK)
        return keep;
    keep_close(keep);
    return NULL;
}

void keep_close(Keep *keep)
{
    tn_allocator allocator;

    if (!keep)
        return;
    shut(keep);
    pthread_mutex_destroy(&keep->lock);
    allocator = keep->allocator;
    memory_free(&allocator, keep, sizeof *keep + strlen(keep->path) + 1);
}

/* ---- statements ---- */

static sqlite3_stmt *prepare(Keep *keep, const char *text, const char *const *texts)
{
    sqlite3_stmt *statement = NULL;

    if (!keep->database ||
        sqlite3_prepare_v2(keep->database, text, -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    for (int i = 0; texts[i]; i++)
        (void)sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
    return statement;
}

/* One step; what it found broken is thrown away. */
static bool step(Keep *keep, sqlite3_stmt *statement, int wanted)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;

    if (!statement && keep->database)
        code = sqlite3_errcode(keep->database);
    if (is_broken(code)) {
        sqlite3_finalize(statement);
        if (keep->database && open_anew(keep) != SQLITE_OK)
            shut(keep);
        return false;
    }
    if (code != wanted)
        sqlite3_finalize(statement);
    return code == wanted;
}

/* The blob of a column as a value that can be walked without surprise. */
static tn_value column_value(sqlite3_stmt *statement, int column, Arena *arena)
{
    const void *bytes = sqlite3_column_blob(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column);
    char *copy =
        bytes && value_check(bytes, length, NULL) ? arena_text(arena, bytes, length) : NULL;

    return copy ? tn_value_view(copy, length) : (tn_value){0};
}

/* ---- catalogues ---- */

bool keep_catalogue(Keep *keep, const KeepKey *key, Arena *arena, KeptCatalogue *out_catalogue)
{
    const char *const texts[] = {key->hex, NULL};
    KeptCatalogue found = {0};

    pthread_mutex_lock(&keep->lock);
    sqlite3_stmt *statement = prepare(
        keep, "SELECT version, stored, expires, document FROM catalogue WHERE key=?1", texts);
    if (step(keep, statement, SQLITE_ROW)) {
        const char *version = (const char *)sqlite3_column_text(statement, 0);
        found.version = arena_string(arena, version ? version : "");
        found.stored_ms = sqlite3_column_double(statement, 1);
        found.expires_ms = sqlite3_column_double(statement, 2);
        found.document = column_value(statement, 3, arena);
        sqlite3_finalize(statement);
    }
    pthread_mutex_unlock(&keep->lock);
    if (!found.version || tn_value_type(found.document) == TN_TYPE_NONE)
        return false;
    *out_catalogue = found;
    return true;
}

void keep_put_catalogue(Keep *keep, const KeepKey *key, const KeptCatalogue *catalogue)
{
    const char *const texts[] = {key->hex, catalogue->version, NULL};
    const tn_value *document = &catalogue->document;
    size_t length = (size_t)(document->end - document->start);

    if (length > DOCUMENT_BYTES_MOST)
        return;
    pthread_mutex_lock(&keep->lock);
    sqlite3_stmt *statement =
        prepare(keep, "INSERT OR REPLACE INTO catalogue VALUES (?1, ?2, ?3, ?4, ?5)", texts);
    if (statement) {
        (void)sqlite3_bind_double(statement, 3, catalogue->stored_ms);
        (void)sqlite3_bind_double(statement, 4, catalogue->expires_ms);
        (void)sqlite3_bind_blob(statement, 5, document->start, (int)length, SQLITE_STATIC);
    }
    if (step(keep, statement, SQLITE_DONE))
        sqlite3_finalize(statement);
    pthread_mutex_unlock(&keep->lock);
}

/* ---- what was learned ---- */

static tn_value find_learned(Keep *keep, const char *const *texts, Arena *arena)
{
    tn_value found = {0};
    sqlite3_stmt *statement =
        prepare(keep, "SELECT shape FROM learned WHERE key=?1 AND version=?2 AND tool=?3", texts);

    if (step(keep, statement, SQLITE_ROW)) {
        found = column_value(statement, 0, arena);
        sqlite3_finalize(statement);
    }
    return found;
}

tn_value keep_learned(Keep *keep, const KeepKey *key, const char *version, const char *tool,
                      Arena *arena)
{
    const char *const texts[] = {key->hex, version, tool, NULL};

    pthread_mutex_lock(&keep->lock);
    tn_value found = find_learned(keep, texts, arena);
    pthread_mutex_unlock(&keep->lock);
    return found;
}

void keep_change_learned(Keep *keep, const KeepKey *key, const char *version, const char *tool,
                         KeepJoin *join, void *context)
{
    const char *const texts[] = {key->hex, version, tool, NULL};
    Arena arena;
    Buf shape;

    arena_init(&arena, &keep->allocator, 4 * SHAPE_BYTES_MOST);
    buf_init(&shape, &keep->allocator, SHAPE_BYTES_MOST);
    pthread_mutex_lock(&keep->lock);
    if (keep->database && run(keep, "BEGIN IMMEDIATE") == SQLITE_OK) {
        join(context, find_learned(keep, texts, &arena), &shape);
        sqlite3_stmt *statement = prepare(
            keep,
            "INSERT OR REPLACE INTO learned(key, version, tool, shape) VALUES (?1, ?2, ?3, ?4)",
            texts);
        if (statement)
            (void)sqlite3_bind_blob(statement, 4, shape.data, (int)shape.length, SQLITE_STATIC);
        if (!shape.failed && step(keep, statement, SQLITE_DONE))
            sqlite3_finalize(statement);
        else if (shape.failed)
            sqlite3_finalize(statement);
        if (keep->database)
            (void)run(keep, sqlite3_get_autocommit(keep->database) ? "" : "COMMIT");
    }
    pthread_mutex_unlock(&keep->lock);
    buf_release(&shape);
    arena_release(&arena);
}
