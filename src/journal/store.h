/* The file: SQLite in WAL mode, so that several processes write it at once and others read
 * meanwhile.
 *
 *   runs     one row a run, filled in when it ends
 *   events   what happened in it, in the order in which it did
 *
 * A file that is not such a store is never touched. Values larger than `value_bytes` are kept by
 * their length and SHA-256. When there are more runs than `keep_runs`, or more bytes than
 * `keep_bytes`, the oldest go. */
#ifndef STORE_H
#define STORE_H

#include "tenon.h"

enum { STORE_FAULT_BYTES = 512, STORE_STATEMENTS = 3 };

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

typedef struct Store {
    char *path;
    size_t path_bytes;
    uint64_t value_bytes, keep_bytes;
    uint32_t keep_runs;
    bool read_only;
    sqlite3 *database;
    sqlite3_stmt *statements[STORE_STATEMENTS];
    bool synchronous; /* commits wait for the disk */
    uint32_t begun;   /* runs, since it was pruned */
    bool pruned;
} Store;

/** Open the store whose members above `database` are set; made if it is not there, unless it is
 * only read. Errors: TN_ERR_SYSTEM, TN_ERR_ARGUMENT (another file), TN_ERR_NOT_FOUND, with words
 * for it. */
tn_status store_open(Store *store, char out_fault[STORE_FAULT_BYTES]);
void store_close(Store *store);

/** Write records (record.h), all or none. `durable`: they are on disk afterwards. */
bool store_write(Store *store, const uint8_t *records, size_t length, bool durable,
                 char out_fault[STORE_FAULT_BYTES]);

bool store_wants_pruning(const Store *store);
/** Drop the oldest runs, of which there are too many. */
void store_prune(Store *store);

/** A handle for reading alone. As store_open. */
tn_status store_reader(const char *path, sqlite3 **out_database, char out_fault[STORE_FAULT_BYTES]);

#endif
