/* A call as who answers it sees it: what it is, and the ways to answer now or later. */
#include "tn_call.h"

void *tn_call_context(const tn_call *call)
{
    return call->context;
}

const char *tn_call_name(const tn_call *call)
{
    return call->entry->name;
}

unsigned tn_call_line(const tn_call *call)
{
    return call->line;
}

size_t tn_call_count(const tn_call *call)
{
    return call->argument_count;
}

tn_value tn_call_argument(const tn_call *call, size_t index)
{
    return index < call->argument_count ? call->arguments[index] : (tn_value){0};
}

tn_writer *tn_call_result(tn_call *call)
{
    return &call->result;
}

void tn_call_fail(tn_call *call, const char *code, const char *message, bool retryable)
{
    call_write_error(call, code, message ? message : "", retryable);
}

CallSetting call_setting(const tn_call *call)
{
    const Calls *calls = call->calls;

    return (CallSetting){calls->terms.policy, calls->generation, calls->limits.reply_bytes};
}

tn_status tn_call_defer(tn_call *call)
{
    bool may;

    if (call->entry->flags & TN_FUNCTION_SYNC)
        return TN_ERR_STATE;
    pthread_mutex_lock(&call->wake->lock);
    may = !call->waits && !call->answered;
    call->deferred = call->deferred || may;
    pthread_mutex_unlock(&call->wake->lock);
    return may ? TN_OK : TN_ERR_STATE;
}

void tn_call_finish(tn_call *call)
{
    Wake *wake = wake_ref(call->wake);
    bool orphaned;

    pthread_mutex_lock(&wake->lock);
    if (!call->deferred || call->finished) {
        /* not the caller's to finish: it answers by returning */
        pthread_mutex_unlock(&wake->lock);
        wake_unref(wake);
        return;
    }
    call->finished = true;
    question_start_clock(call);
    /* one that is told of its run's end just now is freed by who tells it */
    orphaned = call->calls == NULL && !call->running;
    if (call->calls) {
        call_queue(&call->calls->done, call);
        wake_signal_locked(wake);
    }
    pthread_mutex_unlock(&wake->lock);
    if (orphaned)
        call_free(call);
    wake_unref(wake);
}

bool tn_call_cancelled(const tn_call *call)
{
    return call->cancelled;
}

void tn_call_on_cancel(tn_call *call, void (*cancelled)(void *user), void *user)
{
    bool already;

    pthread_mutex_lock(&call->wake->lock);
    already = call->cancelled;
    if (!already) {
        call->on_cancel = cancelled;
        call->on_cancel_user = user;
    }
    pthread_mutex_unlock(&call->wake->lock);
    if (already)
        cancelled(user);
}
