/* The original of a replaced function, called by what stands for it.
 *
 * It is a call of its own, with an entry in the journal and its own answer; the replaced call, its
 * parent, waits for it and is nobody's meanwhile. */
#include <string.h>

#include "tn_call.h"

/* What stands for a call is at work again, on this thread: as its function was. */
static void tell(tn_call *call, const tn_answer *answer)
{
    CallAnswered on_answer = call->on_answer;
    bool was_running = call->running;

    pthread_mutex_lock(&call->wake->lock);
    call->waits = call->deferred = call->finished = false;
    call->running = true;
    call->runner = pthread_self();
    pthread_mutex_unlock(&call->wake->lock);
    call->on_answer = NULL;
    if (on_answer)
        on_answer(call->on_answer_user, call, answer);
    pthread_mutex_lock(&call->wake->lock);
    call->running = was_running;
    pthread_mutex_unlock(&call->wake->lock);
}

static bool is_busy(tn_call *call)
{
    bool busy;

    pthread_mutex_lock(&call->wake->lock);
    busy = call->deferred || call->waits;
    pthread_mutex_unlock(&call->wake->lock);
    return busy;
}

/* Nothing was written: the original's answer is the call's. */
static void pass_on(tn_call *call, const CallReply *reply)
{
    Buf *result = &call->result.buf;

    if (call->state != CALL_NEW || result->length > 0 || result->failed || call->result.whole)
        return;
    if (reply->answer == CALL_ANSWER_ERROR) {
        buf_clear(&call->error);
        buf_append(&call->error, reply->bytes, reply->length);
        call->state = CALL_FAILED;
    } else if (writer_admit(&call->result)) {
        buf_append(result, reply->bytes, reply->length);
    }
}

static bool tell_reply(tn_call *call, const CallReply *reply)
{
    tn_answer answer = {reply->answer == CALL_ANSWER_ERROR,
                        {reply->bytes, reply->bytes, reply->bytes + reply->length}};

    tell(call, &answer);
    if (is_busy(call))
        return false;
    pass_on(call, reply);
    call->answered = true;
    return true;
}

bool original_done(Calls *calls, tn_call *original)
{
    tn_call *parent = original->parent;
    CallReply reply = call_reply(original);
    bool answered;

    call_unlink(calls, original);
    answered = tell_reply(parent, &reply);
    call_free(original);
    return answered;
}

static bool tell_failure(tn_call *call, const char *code, const char *message)
{
    tn_call scratch = {.entry = call->entry};
    CallReply reply;
    bool answered;

    buf_init(&scratch.error, &call->wake->allocator, SIZE_MAX);
    call_write_error(&scratch, code, message, 0);
    reply = call_reply(&scratch);
    answered = tell_reply(call, &reply);
    buf_release(&scratch.error);
    return answered;
}

/* On the record, or not at all. */
static tn_call *original_new(Calls *calls, tn_call *call)
{
    CallRequest request = {.function = call->entry->number,
                           .object = call->object,
                           .generation = call->generation,
                           .line = call->line,
                           .arguments = call->wanted.data,
                           .length = call->wanted.length};
    tn_call *original = call_new(calls, &request);

    buf_release(&call->wanted);
    if (!original)
        return NULL;
    original->parent = call;
    original->governed = call->governed;
    if (!call_open_entry(calls, original, call->governed->original_read_only)) {
        call_unlink(calls, original);
        call_free(original);
        return NULL;
    }
    return original;
}

bool original_begin(Calls *calls, tn_call *call)
{
    tn_call *original;

    if (calls->made >= calls->limits.calls) {
        buf_release(&call->wanted);
        return tell_failure(call, "LIMIT", "the run has made all the calls it may make");
    }
    calls->made++;
    original = original_new(calls, call);
    if (!original)
        return tell_failure(call, "NOMEM", "the host has no memory for the call");
    if (call_fits(original) && !call_dispatch(calls, original))
        return false;
    call_close_entry(calls, original);
    return original_done(calls, original);
}

bool original_cancelled(tn_call *call)
{
    static const char *const message = "the run has ended";
    bool held;

    buf_release(&call->wanted);
    /* it is freed here or by its finish, whichever is later */
    pthread_mutex_lock(&call->wake->lock);
    call->running = true;
    pthread_mutex_unlock(&call->wake->lock);
    (void)tell_failure(call, "CANCELLED", message);
    pthread_mutex_lock(&call->wake->lock);
    call->running = false;
    held = call->deferred && !call->finished;
    pthread_mutex_unlock(&call->wake->lock);
    return held;
}

/* ---- the public side ---- */

static tn_status write_wanted(tn_call *call, tn_value arguments, Buf *out)
{
    tn_cursor cursor = {0};
    tn_writer writer;

    if (tn_value_type(arguments) == TN_TYPE_NONE && !arguments.document) {
        call_write_arguments(call, out);
        return buf_status(out);
    }
    if (tn_value_type(arguments) != TN_TYPE_ARRAY)
        return TN_ERR_ARGUMENT;
    writer_init(&writer, &call->wake->allocator, SIZE_MAX);
    while (tn_value_next(arguments, &cursor)) {
        writer_clear(&writer);
        tn_put_value(&writer, cursor.value);
        uint32_t length = (uint32_t)writer.buf.length;
        buf_append(out, &length, sizeof length);
        buf_append(out, writer.buf.data, writer.buf.length);
        if (writer_status(&writer) != TN_OK)
            out->failed = true;
    }
    writer_release(&writer);
    return buf_status(out);
}

/* A call of a function that something of the host's stands for, that may call the original. */
static bool is_replaced(const tn_call *call)
{
    const Clause *override = call->governed && !call->parent ? call->governed->override : NULL;

    return override &&
           (override->override == OVERRIDE_HOST || override->override == OVERRIDE_FUNCTION);
}

tn_status tn_call_original(tn_call *call, tn_value arguments,
                           void (*answered)(void *user, tn_call *call, const tn_answer *answer),
                           void *user)
{
    Calls *calls;
    Buf wanted;
    tn_status status;
    bool here;

    if (!is_replaced(call))
        return TN_ERR_STATE;
    buf_init(&wanted, &call->wake->allocator, SIZE_MAX);
    status = write_wanted(call, arguments, &wanted);
    pthread_mutex_lock(&call->wake->lock);
    calls = call->calls;
    here = call->running && pthread_equal(call->runner, pthread_self());
    if (status == TN_OK &&
        (!calls || call->waits || call->answered || call->finished || (!here && !call->deferred)))
        status = TN_ERR_STATE;
    if (status == TN_OK && here && calls->made >= calls->limits.calls)
        status = TN_ERR_LIMIT;
    if (status == TN_OK) {
        call->waits = true;
        call->deferred = false;
        call->on_cancel = NULL;
        call->on_answer = answered;
        call->on_answer_user = user;
        call->wanted = wanted;
        if (!here) {
            call_queue(&calls->wanting, call);
            wake_signal_locked(call->wake);
        }
    }
    pthread_mutex_unlock(&call->wake->lock);
    if (status != TN_OK)
        buf_release(&wanted);
    else if (here)
        (void)original_begin(calls, call);
    return status;
}
