#include "calls.h"

#include <string.h>

#include "clock.h"
#include "memory.h"
#include "utf8.h"
#include "value.h"

typedef enum CallState {
    CALL_NEW,
    CALL_VALUE_GIVEN, /* or nothing was written: undefined */
    CALL_FAILED,
    CALL_DEFERRED
} CallState;

struct tn_call {
    tn_call *next;          /* live */
    tn_call *next_queue;    /* waiting or done */
    tn_allocator allocator; /* for the writer: marks it as a call's (see call_of_writer) */
    Calls *calls;           /* NULL once the run is gone; under the wake's lock */
    Wake *wake;
    const RegistryEntry *entry;
    CallState state;
    bool deferred;
    bool finished; /* its holder has let go of it */
    void *context; /* the run's: readable from any thread */
    volatile bool cancelled;
    void (*on_cancel)(void *user);
    void *on_cancel_user;
    uint32_t id, line, object, generation;
    size_t journal_entry;
    tn_writer result;
    Buf error; /* CBOR: {message, code?, retryable?} */
    size_t argument_count;
    tn_value *arguments;
    size_t bytes; /* of this block */
    uint8_t copy[];
};

/* ---- the writer of a result knows its call ---- */

static void *call_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    const tn_allocator *allocator = &((tn_call *)context)->wake->allocator;

    return allocator->resize(allocator->context, old, old_bytes, new_bytes);
}

static tn_call *call_of_writer(const tn_writer *writer)
{
    return writer->allocator.resize == call_resize ? writer->allocator.context : NULL;
}

/* ---- making and ending ---- */

static size_t count_arguments(const uint8_t *bytes, size_t length)
{
    size_t count = 0;
    uint32_t one;

    while (length >= 4) {
        memcpy(&one, bytes, 4);
        if (one > length - 4)
            break;
        bytes += 4 + (size_t)one;
        length -= 4 + (size_t)one;
        count++;
    }
    return length == 0 ? count : SIZE_MAX;
}

/* The arguments are copied once: the realm may be gone before a deferred call is answered. False if
 * they are not what an honest guest writes. */
static bool view_arguments(tn_call *call, const uint8_t *bytes, size_t length)
{
    uint8_t *at = call->copy + call->argument_count * sizeof(tn_value);
    uint32_t one;

    call->arguments = (tn_value *)(void *)call->copy;
    if (length > 0)
        memcpy(at, bytes, length);
    for (size_t i = 0; i < call->argument_count; i++) {
        memcpy(&one, at, 4);
        call->arguments[i] = (tn_value){at + 4, at + 4, at + 4 + one};
        if (!value_check(at + 4, one, NULL))
            return false;
        at += 4 + (size_t)one;
    }
    return true;
}

static tn_call *call_new(Calls *calls, const CallRequest *request)
{
    size_t count = count_arguments(request->arguments, request->length);
    size_t bytes = sizeof(tn_call) + request->length;
    tn_call *call;

    if (count == SIZE_MAX || request->function >= calls->registry->functions)
        return NULL;
    /* an honest guest has refused these already */
    if (request->length > calls->limits.argument_bytes + 4 * (uint64_t)count || count > 65536)
        return NULL;
    bytes += count * sizeof(tn_value);
    call = memory_resize(&calls->allocator, NULL, 0, bytes);
    if (!call)
        return NULL;
    *call = (tn_call){.calls = calls,
                      .bytes = bytes,
                      .argument_count = count,
                      .entry = calls->registry->by_number[request->function],
                      .line = request->line,
                      .object = request->object,
                      .generation = request->generation,
                      .id = ++calls->next_id,
                      .context = calls->context};
    call->allocator = (tn_allocator){call, call_resize};
    if (!view_arguments(call, request->arguments, request->length)) {
        memory_free(&calls->allocator, call, bytes);
        return NULL;
    }
    call->wake = wake_ref(calls->wake);
    writer_init(&call->result, &call->allocator, (size_t)calls->limits.reply_bytes);
    buf_init(&call->error, &calls->allocator, 64 * 1024);
    call->next = calls->live;
    calls->live = call;
    calls->held += bytes;
    return call;
}

static void call_free(tn_call *call)
{
    Wake *wake = call->wake;
    tn_allocator allocator = wake->allocator;

    writer_release(&call->result);
    buf_release(&call->error);
    memory_free(&allocator, call, call->bytes);
    wake_unref(wake);
}

static void unlink_live(Calls *calls, tn_call *call)
{
    for (tn_call **link = &calls->live; *link; link = &(*link)->next) {
        if (*link == call) {
            *link = call->next;
            calls->held -= call->bytes;
            break;
        }
    }
}

/* ---- answers ---- */

/* A host's message as the program can read it: UTF-8, and not longer than a person would read. */
static void put_mended(Buf *out, const char *message)
{
    enum { LONGEST = 8 * 1024 };
    size_t length = strlen(message);
    char mended[LONGEST + 4];
    size_t at = 0;

    if (length > LONGEST)
        length = utf8_floor(message, length, LONGEST);
    if (utf8_valid(message, length)) {
        cbor_put_string(out, message, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        mended[at++] = (unsigned char)message[i] < 0x80 ? message[i] : '?';
    cbor_put_string(out, mended, at);
}

static void write_error(tn_call *call, const char *code, const char *message, int retryable)
{
    Buf *out = &call->error;

    buf_clear(out);
    cbor_put_map(out, 1u + (code != NULL) + (retryable >= 0));
    cbor_put_string(out, "message", 7);
    put_mended(out, message);
    if (code) {
        cbor_put_string(out, "code", 4);
        cbor_put_string(out, code, strlen(code));
    }
    if (retryable >= 0) {
        cbor_put_string(out, "retryable", 9);
        cbor_put_simple(out, retryable ? 21 : 20);
    }
    call->state = CALL_FAILED;
}

/* A result that is no value becomes an error that says so, to the program and to the journal. */
static void settle(tn_call *call)
{
    if (call->state == CALL_FAILED)
        return;
    if (!call->result.whole && call->result.buf.length == 0 && !call->result.buf.failed)
        tn_put_undefined(&call->result);
    switch (writer_status(&call->result)) {
    case TN_OK:
        call->state = CALL_VALUE_GIVEN;
        break;
    case TN_ERR_LIMIT:
        write_error(call, "LIMIT", "the result is larger than the limit for one call", 0);
        break;
    case TN_ERR_NOMEM:
        write_error(call, "NOMEM", "the host has no memory for the result", 1);
        break;
    default:
        write_error(call, "HOST", "the host function did not write exactly one value", 0);
        break;
    }
}

static double run_clock_ms(const Calls *calls)
{
    return clock_monotonic_ms() - calls->start_ms;
}

static void close_entry(Calls *calls, tn_call *call)
{
    tn_value reply = {call->error.data, call->error.data, call->error.data + call->error.length};
    size_t length = 0;
    const char *text;

    if (call->state != CALL_FAILED) {
        journal_answer(calls->journal, call->journal_entry, run_clock_ms(calls));
        return;
    }
    text = call->error.failed ? NULL : tn_value_text(tn_value_member(reply, "message"), &length);
    journal_fail(calls->journal, call->journal_entry, run_clock_ms(calls), text ? text : "",
                 length);
}

static CallReply reply_of(const tn_call *call)
{
    static const uint8_t nothing[] = {0xa1, 0x67, 'm', 'e', 's', 's', 'a', 'g', 'e', 0x60};

    if (call->state != CALL_FAILED)
        return (CallReply){CALL_ANSWER_VALUE, call->id, call->result.buf.data,
                           call->result.buf.length};
    if (call->error.failed)
        return (CallReply){CALL_ANSWER_ERROR, call->id, nothing, sizeof nothing};
    return (CallReply){CALL_ANSWER_ERROR, call->id, call->error.data, call->error.length};
}

/* ---- the path ---- */

static void *object_of(const Calls *calls, const tn_call *call)
{
    const HostObject *object;

    if (call->object == 0 || call->object > calls->object_count ||
        call->generation != calls->generation)
        return NULL;
    object = &calls->objects[call->object - 1];
    size_t length = strlen(object->interface);
    return strncmp(call->entry->name, object->interface, length) == 0 &&
                   call->entry->name[length] == '.'
               ? object->object
               : NULL;
}

static bool object_exists(Calls *calls, const tn_call *call)
{
    bool exists;

    pthread_mutex_lock(&calls->wake->lock);
    exists = object_of(calls, call) != NULL;
    pthread_mutex_unlock(&calls->wake->lock);
    return exists;
}

/* Give the call to its provider. True if it is answered on return. */
static bool dispatch(Calls *calls, tn_call *call)
{
    bool answered;

    if (call->entry->kind == ENTRY_METHOD && !object_exists(calls, call)) {
        write_error(call, "REVOKED", "this object does not belong to this run", 0);
        return true;
    }
    calls->open++;
    call->entry->provider.invoke(call->entry->provider.context, call);
    pthread_mutex_lock(&calls->wake->lock);
    answered = !call->deferred;
    pthread_mutex_unlock(&calls->wake->lock);
    if (answered) {
        calls->open--;
        settle(call);
    }
    return answered;
}

static void queue_call(tn_call **first, tn_call **last, tn_call *call)
{
    call->next_queue = NULL;
    if (*first)
        (*last)->next_queue = call;
    else
        *first = call;
    *last = call;
}

static void port_call(void *context, const CallRequest *request, CallReply *out_reply)
{
    Calls *calls = context;
    tn_call *call;

    if (calls->replied) {
        call_free(calls->replied);
        calls->replied = NULL;
    }
    *out_reply = (CallReply){.answer = CALL_ANSWER_STOP};
    if (calls->made >= calls->limits.calls)
        return;
    calls->made++;
    if (calls->held > calls->limits.held_bytes) {
        static const char full[] =
            "\xa3\x67message\x78\x49"
            "the open calls hold too many bytes of arguments: await some of them first"
            "\x64"
            "code\x65LIMIT\x69retryable\xf5";
        *out_reply = (CallReply){CALL_ANSWER_ERROR, 0, (const uint8_t *)full, sizeof full - 1};
        return;
    }
    call = call_new(calls, request);
    if (call && journal_ask(calls->journal, call->entry->name, call->line,
                            (call->entry->flags & TN_FUNCTION_READ_ONLY) != 0, run_clock_ms(calls),
                            &call->journal_entry) != TN_OK) {
        /* what is not in the journal does not happen */
        unlink_live(calls, call);
        call_free(call);
        call = NULL;
    }
    if (!call) {
        static const char refused[] = "\xa1\x67message\x78\x23the host has no memory for the call";
        *out_reply =
            (CallReply){CALL_ANSWER_ERROR, 0, (const uint8_t *)refused, sizeof refused - 1};
        return;
    }
    if (calls->open >= calls->limits.calls_open && !(call->entry->flags & TN_FUNCTION_SYNC)) {
        queue_call(&calls->waiting, &calls->waiting_last, call);
        *out_reply = (CallReply){.answer = CALL_ANSWER_PENDING, .call_id = call->id};
    } else if (dispatch(calls, call)) {
        close_entry(calls, call);
        unlink_live(calls, call);
        calls->replied = call;
        *out_reply = reply_of(call);
    } else {
        *out_reply = (CallReply){.answer = CALL_ANSWER_PENDING, .call_id = call->id};
    }
}

CallPort calls_port(Calls *calls)
{
    return (CallPort){calls, port_call};
}

/* ---- later answers ---- */

tn_call *calls_next_done(Calls *calls)
{
    tn_call *call;

    pthread_mutex_lock(&calls->wake->lock);
    call = calls->done;
    if (call)
        calls->done = call->next_queue;
    pthread_mutex_unlock(&calls->wake->lock);
    if (call) {
        calls->open--;
        settle(call);
        close_entry(calls, call);
        return call;
    }
    /* a place is free: the next one that waited has its turn, and may be answered at once */
    while (calls->waiting && calls->open < calls->limits.calls_open) {
        call = calls->waiting;
        calls->waiting = call->next_queue;
        if (dispatch(calls, call)) {
            close_entry(calls, call);
            return call;
        }
    }
    return NULL;
}

CallDelivery calls_delivery(const tn_call *call)
{
    CallReply reply = reply_of(call);

    return (CallDelivery){.call_id = call->id,
                          .function = call->entry->number,
                          .failed = reply.answer == CALL_ANSWER_ERROR,
                          .bytes = reply.bytes,
                          .length = reply.length};
}

void calls_delivered(Calls *calls, tn_call *call)
{
    unlink_live(calls, call);
    call_free(call);
}

uint32_t calls_unanswered(const Calls *calls)
{
    uint32_t count = calls->open;

    for (const tn_call *call = calls->waiting; call; call = call->next_queue)
        count++;
    return count;
}

/* ---- a run's ---- */

void calls_init(Calls *calls, const tn_allocator *allocator, const Registry *registry,
                Journal *journal, Wake *wake, const CallLimits *limits, uint32_t generation,
                void *context)
{
    *calls = (Calls){.allocator = *allocator,
                     .registry = registry,
                     .journal = journal,
                     .wake = wake,
                     .limits = *limits,
                     .context = context,
                     .generation = generation,
                     .start_ms = clock_monotonic_ms()};
}

static void release_objects(Calls *calls)
{
    for (size_t i = 0; i < calls->object_count; i++) {
        if (calls->objects[i].release)
            calls->objects[i].release(calls->objects[i].object);
    }
    memory_free(&calls->allocator, calls->objects, calls->object_capacity * sizeof *calls->objects);
    calls->objects = NULL;
    calls->object_count = calls->object_capacity = 0;
}

/* Cut a call loose. Its holder still owes the finish; if it already came, the call ends here. */
static void orphan(tn_call *call)
{
    void (*cancelled)(void *) = NULL;
    void *user = NULL;
    bool held;

    pthread_mutex_lock(&call->wake->lock);
    call->calls = NULL;
    call->cancelled = true;
    held = call->deferred && !call->finished;
    if (held) {
        cancelled = call->on_cancel;
        user = call->on_cancel_user;
        call->on_cancel = NULL;
    }
    pthread_mutex_unlock(&call->wake->lock);
    if (!held)
        call_free(call);
    else if (cancelled)
        cancelled(user);
}

void calls_cancel(Calls *calls)
{
    tn_call *next;

    if (calls->replied)
        call_free(calls->replied);
    calls->replied = NULL;
    for (tn_call *call = calls->live; call; call = next) {
        next = call->next;
        orphan(call);
    }
    calls->live = calls->waiting = calls->done = NULL;
    calls->open = 0;
    calls->held = 0;
}

void calls_release(Calls *calls)
{
    calls_cancel(calls);
    release_objects(calls);
}

/* ---- the public side ---- */

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

void *tn_call_object(const tn_call *call)
{
    void *object = NULL;

    pthread_mutex_lock(&call->wake->lock);
    if (call->calls && call->entry->kind == ENTRY_METHOD)
        object = object_of(call->calls, call);
    pthread_mutex_unlock(&call->wake->lock);
    return object;
}

tn_writer *tn_call_result(tn_call *call)
{
    return &call->result;
}

void tn_call_fail(tn_call *call, const char *code, const char *message, bool retryable)
{
    write_error(call, code, message ? message : "", retryable);
}

tn_status tn_call_defer(tn_call *call)
{
    if (call->entry->flags & TN_FUNCTION_SYNC)
        return TN_ERR_STATE;
    pthread_mutex_lock(&call->wake->lock);
    call->deferred = true;
    pthread_mutex_unlock(&call->wake->lock);
    return TN_OK;
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
    orphaned = call->calls == NULL;
    if (!orphaned) {
        call->finished = true;
        queue_call(&call->calls->done, &call->calls->done_last, call);
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

/* ---- references ---- */

static bool add_object(Calls *calls, const HostObject *object, size_t *out_id)
{
    if (calls->object_count == calls->object_capacity) {
        size_t capacity = calls->object_capacity ? calls->object_capacity * 2 : 8;
        HostObject *grown =
            memory_resize(&calls->allocator, calls->objects, calls->object_capacity * sizeof *grown,
                          capacity * sizeof *grown);
        if (!grown)
            return false;
        calls->objects = grown;
        calls->object_capacity = capacity;
    }
    calls->objects[calls->object_count++] = *object;
    *out_id = calls->object_count;
    return true;
}

void tn_put_reference(tn_writer *writer, const char *interface_name, void *object,
                      void (*release)(void *object))
{
    tn_call *call = call_of_writer(writer);
    HostObject entry = {object, release, interface_name};
    bool added = false;
    size_t id = 0;
    uint32_t generation = 0;

    if (!call) {
        writer_fail(writer, TN_ERR_STATE); /* only a call's result can hold a reference */
    } else {
        pthread_mutex_lock(&call->wake->lock);
        entry.interface =
            call->calls ? registry_interface(call->calls->registry, interface_name) : NULL;
        if (entry.interface)
            added = add_object(call->calls, &entry, &id);
        if (added)
            generation = call->calls->generation;
        pthread_mutex_unlock(&call->wake->lock);
        if (!added)
            writer_fail(writer, call->cancelled ? TN_ERR_STATE : TN_ERR_NOMEM);
    }
    if (!added) {
        if (release)
            release(object);
        return;
    }
    if (!writer_admit(writer))
        return;
    cbor_put_tag(&writer->buf, CBOR_TAG_REFERENCE);
    cbor_put_array(&writer->buf, 3);
    cbor_put_string(&writer->buf, interface_name, strlen(interface_name));
    cbor_put_uint(&writer->buf, id);
    cbor_put_uint(&writer->buf, generation);
}
