/*
 * SQLite has an allocator of its own for the whole process, which is the host's to choose: what a
 * finder holds is not counted by the engine's. Nothing of it is on a disk: the database, its
 * temporary tables and its journal are in memory.
 */
#include "finder.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>

#include "memory.h"

struct Finder {
    tn_allocator allocator;
    sqlite3 *database;
    sqlite3_stmt *add, *find;
    pthread_mutex_t lock; /* one statement serves all threads */
};

static tn_status status_of(int code)
{
    switch (code) {
    case SQLITE_OK:
    case SQLITE_DONE:
    case SQLITE_ROW:
        return TN_OK;
    case SQLITE_NOMEM:
        return TN_ERR_NOMEM;
    default:
        return TN_ERR_UNAVAILABLE;
    }
}

/* ---- the weight of an entry ---- */

/* Where the word was found counts, once, and whether it is all of it.
 * The parts: `word`, `word*`, and the whole name (finder_word). */
static void weigh(const Fts5ExtensionApi *api, Fts5Context *context, sqlite3_context *result,
                  int count, sqlite3_value **values)
{
    static const double columns[] = {10, 5, 3, 1}, begins = 0.6;
    double best = 0;
    int places = 0;

    (void)count;
    (void)values;
    (void)api->xInstCount(context, &places);
    for (int i = 0; i < places; i++) {
        int phrase, column, offset;
        if (api->xInst(context, i, &phrase, &column, &offset) != SQLITE_OK)
            break;
        double weight = columns[column & 3] * (phrase == 1 ? begins : 1.0);
        best = weight > best ? weight : best;
    }
    sqlite3_result_double(result, best);
}

static int add_weigh(sqlite3 *database)
{
    fts5_api *api = NULL;
    sqlite3_stmt *ask = NULL;
    int code = sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &ask, NULL);

    if (code != SQLITE_OK)
        return code;
    code = sqlite3_bind_pointer(ask, 1, (void *)&api, "fts5_api_ptr", NULL);
    if (code == SQLITE_OK)
        (void)sqlite3_step(ask);
    sqlite3_finalize(ask);
    if (!api)
        return SQLITE_ERROR;
    return api->xCreateFunction(api, "weigh", NULL, weigh, NULL);
}

/* ---- the table ---- */

static const char schema[] = "PRAGMA temp_store=MEMORY; PRAGMA journal_mode=OFF;"
                             "CREATE VIRTUAL TABLE entry USING fts5(name, package, description, "
                             "parameters, content='', columnsize=0, "
                             "tokenize='porter unicode61');"
                             "BEGIN";

tn_status finder_new(const tn_allocator *allocator, Finder **out_finder)
{
    Finder *finder = memory_new(allocator, sizeof *finder);
    int code;

    if (!finder)
        return TN_ERR_NOMEM;
    finder->allocator = *allocator;
    pthread_mutex_init(&finder->lock, NULL);
    code = sqlite3_open_v2(":memory:", &finder->database,
                           SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(finder->database, schema, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = add_weigh(finder->database);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(finder->database,
                                  "INSERT INTO entry(rowid, name, package, description, "
                                  "parameters) VALUES (?1, ?2, ?3, ?4, ?5)",
                                  -1, &finder->add, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(finder->database,
                                  "SELECT rowid, weigh(entry) FROM entry WHERE entry MATCH ?1", -1,
                                  &finder->find, NULL);
    if (code != SQLITE_OK) {
        finder_free(finder);
        return status_of(code);
    }
    *out_finder = finder;
    return TN_OK;
}

void finder_free(Finder *finder)
{
    tn_allocator allocator;

    if (!finder)
        return;
    sqlite3_finalize(finder->add);
    sqlite3_finalize(finder->find);
    sqlite3_close(finder->database);
    pthread_mutex_destroy(&finder->lock);
    allocator = finder->allocator;
    memory_free(&allocator, finder, sizeof *finder);
}

tn_status finder_add(Finder *finder, const FinderEntry *entry)
{
    const char *const texts[] = {entry->name, entry->package, entry->description,
                                 entry->parameters};
    int code = sqlite3_bind_int64(finder->add, 1, (sqlite3_int64)entry->id + 1);

    for (int i = 0; i < 4 && code == SQLITE_OK; i++)
        code = sqlite3_bind_text(finder->add, i + 2, texts[i], -1, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(finder->add);
    if (code == SQLITE_DONE)
        code = sqlite3_reset(finder->add);
    return status_of(code);
}

tn_status finder_seal(Finder *finder)
{
    return status_of(sqlite3_exec(finder->database, "COMMIT", NULL, NULL, NULL));
}

tn_status finder_word(Finder *finder, const char *word, const char *whole, FinderVisitor visit,
                      void *context)
{
    /* in quotes everything is a word; what quotes is in no word */
    char *query = sqlite3_mprintf(whole ? "\"%s\" OR \"%s\"%s OR \"%s\"" : "\"%s\" OR \"%s\"%s",
                                  word, word, strlen(word) > 1 ? "*" : "", whole);
    int code = SQLITE_NOMEM;

    if (!query)
        return TN_ERR_NOMEM;
    pthread_mutex_lock(&finder->lock);
    code = sqlite3_bind_text(finder->find, 1, query, -1, SQLITE_STATIC);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(finder->find);
        if (code == SQLITE_ROW)
            visit(context, (uint32_t)(sqlite3_column_int64(finder->find, 0) - 1),
                  sqlite3_column_double(finder->find, 1));
    }
    (void)sqlite3_reset(finder->find);
    pthread_mutex_unlock(&finder->lock);
    sqlite3_free(query);
    return status_of(code);
}
