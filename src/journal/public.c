/* The public journal, but for how it is shown. */
#include <string.h>

#include "base.h"
#include "log.h"
#include "memory.h"
#include "text.h"

enum { KEEP_RUNS = 1000, KEEP_BYTES = 256 << 20, VALUE_BYTES = 64 << 10 };

static tn_journal_options read_options(const tn_journal_options *options)
{
    tn_journal_options result = {.size = sizeof result};

    if (options)
        memcpy(&result, options, options->size < sizeof result ? options->size : sizeof result);
    return result;
}

static tn_status tell(const char *fault, char **out_fault)
{
    size_t length;
    Buf text;

    if (!out_fault)
        return TN_OK;
    text_begin(&text, memory_default(), SIZE_MAX);
    buf_append_string(&text, fault);
    return text_finish(&text, out_fault, &length);
}

static void set_up(tn_journal *log, const tn_journal_options *options)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&log->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&log->work, &monotonic);
    pthread_cond_init(&log->done, NULL);
    pthread_condattr_destroy(&monotonic);
    buf_init(&log->waiting, &log->allocator, SIZE_MAX);
    buf_init(&log->writing, &log->allocator, SIZE_MAX);
    log->store.keep_runs = options->keep_runs ? options->keep_runs : KEEP_RUNS;
    log->store.keep_bytes = options->keep_bytes ? options->keep_bytes : KEEP_BYTES;
    log->store.value_bytes = options->value_bytes ? options->value_bytes : VALUE_BYTES;
    log->store.read_only = options->read_only;
}

tn_status tn_journal_open(const char *path, const tn_journal_options *options,
                          tn_journal **out_journal, char **out_fault)
{
    tn_journal_options chosen = read_options(options);
    const tn_allocator *allocator = memory_default();
    char fault[STORE_FAULT_BYTES] = "";
    size_t bytes = strlen(path) + 1;
    tn_journal *log = memory_new(allocator, sizeof *log);
    char *copy = memory_new(allocator, bytes);
    tn_status status = TN_ERR_NOMEM;

    if (!log || !copy) {
        memory_free(allocator, log, sizeof *log);
        memory_free(allocator, copy, bytes);
        return TN_ERR_NOMEM;
    }
    memcpy(copy, path, bytes);
    log->allocator = *allocator;
    log->store.path = copy;
    log->store.path_bytes = bytes;
    set_up(log, &chosen);
    status = store_open(&log->store, fault);
    if (status == TN_OK) {
        *out_journal = log;
        return TN_OK;
    }
    tn_journal_free(log);
    if (status != TN_ERR_NOMEM)
        TRY(tell(fault, out_fault));
    return status;
}

void tn_journal_free(tn_journal *log)
{
    tn_allocator allocator;

    if (!log)
        return;
    if (log->started) {
        pthread_mutex_lock(&log->lock);
        log->ending = true;
        pthread_cond_signal(&log->work);
        pthread_mutex_unlock(&log->lock);
        pthread_join(log->thread, NULL);
    }
    store_close(&log->store);
    buf_release(&log->waiting);
    buf_release(&log->writing);
    pthread_cond_destroy(&log->work);
    pthread_cond_destroy(&log->done);
    pthread_mutex_destroy(&log->lock);
    allocator = log->allocator;
    memory_free(&allocator, log->store.path, log->store.path_bytes);
    memory_free(&allocator, log, sizeof *log);
}

tn_status tn_journal_flush(tn_journal *log, char **out_fault)
{
    char fault[STORE_FAULT_BYTES] = "";
    bool told;

    log_flush(log);
    pthread_mutex_lock(&log->lock);
    told = log->faults == 0 || log->told;
    log->told = true;
    memcpy(fault, log->fault, sizeof fault);
    pthread_mutex_unlock(&log->lock);
    if (told)
        return TN_OK;
    TRY(tell(fault, out_fault));
    return TN_ERR_SYSTEM;
}
