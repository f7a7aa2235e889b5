#include "calls.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "tn_call.h"

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
    uint8_t *at = call->copy + (call->argument_count + 1) * sizeof(tn_value);
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

/* What every call has, whether a provider gets it or not. */
static tn_call *call_blank(Calls *calls, const RegistryEntry *entry, size_t bytes)
{
    tn_call *call = memory_resize(&calls->allocator, NULL, 0, bytes);

    if (!call)
        return NULL;
    *call = (tn_call){.calls = calls, .bytes = bytes, .entry = entry, .context = calls->context};
    call->allocator = (tn_allocator){call, call_resize};
    call->wake = wake_ref(calls->wake);
    writer_init(&call->result, &call->allocator, (size_t)calls->limits.reply_bytes);
    /* the call may outlive its run: what it holds is not of the run's allocator */
    buf_init(&call->error, &call->wake->allocator, 64 * 1024);
    buf_init(&call->bound, &call->wake->allocator, SIZE_MAX);
    call->next = calls->live;
    calls->live = call;
    calls->held += bytes;
    return call;
}

tn_call *call_new(Calls *calls, const CallRequest *request)
{
    size_t count = count_arguments(request->arguments, request->length);
    tn_call *call;

    if (count == SIZE_MAX || count > 65536 || request->function >= calls->registry->functions)
        return NULL;
    /* one more place than there are arguments: for what the host adds to none */
    call = call_blank(calls, calls->registry->by_number[request->function],
                      sizeof(tn_call) + request->length + (count + 1) * sizeof(tn_value));
    if (!call)
        return NULL;
    call->argument_count = count;
    call->line = request->line;
    call->object = request->object;
    call->generation = request->generation;
    call->id = ++calls->next_id;
    if (!view_arguments(call, request->arguments, request->length)) {
        call_unlink(calls, call);
        call_free(call);
        return NULL;
    }
    return call;
}

void call_free(tn_call *call)
{
    Wake *wake = call->wake;
    tn_allocator allocator = wake->allocator;

    writer_release(&call->result);
    buf_release(&call->error);
    buf_release(&call->bound);
    buf_release(&call->wanted);
    memory_free(&allocator, call, call->bytes);
    wake_unref(wake);
}

void call_unlink(Calls *calls, tn_call *call)
{
    for (tn_call **link = &calls->live; *link; link = &(*link)->next) {
        if (*link == call) {
            *link = call->next;
            calls->held -= call->bytes;
            break;
        }
    }
}

double calls_clock_ms(const Calls *calls)
{
    return clock_monotonic_ms() - calls->start_ms;
}

/* ---- the path ---- */

/* What runs in its place, for the record; NULL: it runs itself. */
static const char *replacement_name(const Clause *override)
{
    if (!override)
        return NULL;
    return override->override == OVERRIDE_FUNCTION ? override->function_name
           : override->override == OVERRIDE_VALUE  ? "a value"
                                                   : "a host function";
}

/* `entry` is what runs where no value and no host function stands for it. */
static void run(tn_call *call, const Clause *override, const RegistryEntry *entry)
{
    if (override && override->override == OVERRIDE_VALUE) {
        tn_put_value(&call->result, override->value);
    } else if (override && override->override == OVERRIDE_HOST) {
        override->function(override->user, call);
    } else {
        call->ran = entry;
        entry->provider.invoke(entry->provider.context, call);
    }
}

bool call_dispatch(Calls *calls, tn_call *call)
{
    const Governed *governed = call->parent ? NULL : call->governed;
    const Clause *override = governed ? governed->override : NULL;
    const RegistryEntry *entry =
        override && governed->replacement ? governed->replacement : call->entry;
    bool answered;

    if (call->entry->kind == ENTRY_METHOD && !tn_call_object(call)) {
        call_write_error(call, "REVOKED", "this object does not belong to this run", 0);
        return true;
    }
    if (!call_make_entry(calls, call, replacement_name(override)))
        return true;
    call->made = true;
    calls->open++;
    if (call->governed && call->governed->time_ms && !call->parent) {
        call->deadline_ns = clock_monotonic_ns() + (uint64_t)call->governed->time_ms * 1000000u;
        calls->has_times = true;
    }
    call->runner = pthread_self();
    call->running = true;
    run(call, override, entry);
    pthread_mutex_lock(&calls->wake->lock);
    call->running = false;
    answered = !call->deferred && !call->waits;
    pthread_mutex_unlock(&calls->wake->lock);
    if (answered) {
        calls->open--;
        call_settle(call);
    }
    return answered;
}

/* A provider or a turn for it. True if it is answered on return, and its entry closed. */
static bool go_on(Calls *calls, tn_call *call)
{
    if (calls->open >= calls->limits.calls_open && !(call->entry->flags & TN_FUNCTION_SYNC)) {
        call_queue(&calls->waiting, call);
        return false;
    }
    if (!call_dispatch(calls, call))
        return false;
    call_close_entry(calls, call);
    return true;
}

/* A call on the record; NULL: it is not to be. */
static tn_call *admit(Calls *calls, const CallRequest *request)
{
    tn_call *call;
    bool read_only;

    /* an honest guest has refused these already */
    if (request->length > calls->limits.argument_bytes +
                              4 * (uint64_t)count_arguments(request->arguments, request->length))
        return NULL;
    call = call_new(calls, request);
    if (!call)
        return NULL;
    read_only = (call->entry->flags & TN_FUNCTION_READ_ONLY) != 0;
    if (calls->terms.policy) {
        call->governed = govern_function(calls, call->entry);
        read_only = call->governed && call->governed->read_only;
    }
    /* what is not in the journal does not happen */
    if ((calls->terms.policy && !call->governed) || !call_open_entry(calls, call, read_only)) {
        call_unlink(calls, call);
        call_free(call);
        return NULL;
    }
    return call;
}

static CallReply refusal(const char *bytes, size_t length)
{
    return (CallReply){
        .answer = CALL_ANSWER_ERROR, .bytes = (const uint8_t *)bytes, .length = length};
}

static CallReply make_call(Calls *calls, const CallRequest *request)
{
    static const char full[] =
        "\xa3\x67message\x78\x49"
        "the open calls hold too many bytes of arguments: await some of them first"
        "\x64"
        "code\x65LIMIT\x69retryable\xf5";
    static const char no_memory[] = "\xa1\x67message\x78\x23the host has no memory for the call";
    Ruling ruling;
    tn_call *call;

    if (calls->replied) {
        call_free(calls->replied);
        calls->replied = NULL;
    }
    /* a program that only makes calls that are denied comes to its end as well */
    if (calls->made >= calls->limits.calls)
        return (CallReply){.answer = CALL_ANSWER_STOP};
    calls->made++;
    if (calls->held > calls->limits.held_bytes)
        return refusal(full, sizeof full - 1);
    call = admit(calls, request);
    if (!call)
        return refusal(no_memory, sizeof no_memory - 1);
    ruling = calls->terms.policy ? govern_call(calls, call)
             : call_fits(call)   ? RULING_GO
                                 : RULING_ANSWERED;
    if (ruling == RULING_ANSWERED)
        call_close_entry(calls, call);
    if (ruling == RULING_ASKED || (ruling == RULING_GO && !go_on(calls, call)))
        return (CallReply){.answer = CALL_ANSWER_PENDING, .call_id = call->id};
    call_unlink(calls, call);
    calls->replied = call;
    return call_reply(call);
}

static void port_call(void *context, const CallRequest *request, CallReply *out_reply)
{
    Calls *calls = context;

    calls->stay_deadline_ns = calls->terms.ask ? request->wall_deadline_ns : NULL;
    *out_reply = make_call(calls, request);
    if (calls->stay_deadline_ns)
        *calls->stay_deadline_ns = calls_wall_deadline(calls);
    calls->stay_deadline_ns = NULL;
}

CallPort calls_port(Calls *calls)
{
    return (CallPort){calls, port_call};
}

/* ---- letting go ---- */

/* Cut a call loose. Its holder still owes the finish; if it already came, the call ends here. */
static void orphan(tn_call *call)
{
    void (*cancelled)(void *) = NULL;
    void *user = NULL;
    bool held;

    pthread_mutex_lock(&call->wake->lock);
    question_expire(call);
    call->calls = NULL;
    call->cancelled = true;
    held = call->deferred && !call->finished;
    if (held) {
        cancelled = call->on_cancel;
        user = call->on_cancel_user;
        call->on_cancel = NULL;
    }
    pthread_mutex_unlock(&call->wake->lock);
    if (call->waits)
        held = original_cancelled(call);
    if (!held)
        call_free(call);
    else if (cancelled)
        cancelled(user);
}

/* ---- calls that take too long ---- */

/* The first call that is past its own time, out of reach of its holder from now on. */
static tn_call *take_late(Calls *calls, uint64_t now_ns)
{
    tn_call *call = calls->live;

    pthread_mutex_lock(&calls->wake->lock);
    while (call &&
           !(call->deadline_ns && call->deadline_ns <= now_ns && call->made && !call->finished))
        call = call->next;
    pthread_mutex_unlock(&calls->wake->lock);
    return call;
}

static void drop(Calls *calls, tn_call *call)
{
    pthread_mutex_lock(&calls->wake->lock);
    call_remove(&calls->done, call);
    call_remove(&calls->wanting, call);
    pthread_mutex_unlock(&calls->wake->lock);
    call_unlink(calls, call);
    calls->open--;
    orphan(call);
}

/* The call is its holder's until it finishes it; another one is answered in its place. */
static tn_call *next_late(Calls *calls)
{
    tn_call *late = take_late(calls, clock_monotonic_ns());
    tn_call *answer, *next;
    char message[300];

    if (!late)
        return NULL;
    answer = call_blank(calls, late->entry, sizeof *answer);
    if (!answer)
        return NULL; /* later, then */
    answer->id = late->id;
    answer->line = late->line;
    answer->journal_entry = late->journal_entry;
    answer->made = true;
    snprintf(message, sizeof message,
             "%s has not answered within %u ms, the time that the policy "
             "gives it; nobody knows whether it was done",
             late->entry->name, late->governed->time_ms);
    call_write_error(answer, "TIMEOUT", message, 1);
    for (tn_call *call = calls->live; call; call = next) {
        next = call->next;
        if (call->parent == late) {
            journal_fail(calls->journal, call->journal_entry, calls_clock_ms(calls), "cancelled", 9,
                         NULL, 0);
            call->parent = NULL;
            drop(calls, call);
        }
    }
    drop(calls, late);
    call_close_entry(calls, answer);
    return answer;
}

uint64_t calls_deadline(const Calls *calls)
{
    uint64_t first_ns = UINT64_MAX;

    for (const tn_call *call = calls->live; calls->has_times && call; call = call->next) {
        if (call->deadline_ns && call->deadline_ns < first_ns)
            first_ns = call->deadline_ns;
    }
    return first_ns;
}

/* ---- later answers ---- */

typedef enum Arrival { ARRIVED_NOTHING, ARRIVED_ANSWER, ARRIVED_RULING, ARRIVED_WISH } Arrival;

static Arrival take_arrival(Calls *calls, tn_call **out_call)
{
    Arrival arrival = ARRIVED_NOTHING;

    pthread_mutex_lock(&calls->wake->lock);
    if ((*out_call = call_unqueue(&calls->done)))
        arrival = ARRIVED_ANSWER;
    else if ((*out_call = call_unqueue(&calls->answered)))
        arrival = ARRIVED_RULING;
    else if ((*out_call = call_unqueue(&calls->wanting)))
        arrival = ARRIVED_WISH;
    pthread_mutex_unlock(&calls->wake->lock);
    return arrival;
}

static tn_call *settled(Calls *calls, tn_call *call)
{
    calls->open--;
    call_settle(call);
    call_close_entry(calls, call);
    return call;
}

/* What came from elsewhere. The call it answers, or NULL. */
static tn_call *receive(Calls *calls, Arrival arrival, tn_call *call)
{
    tn_call *parent = call->parent;

    switch (arrival) {
    case ARRIVED_ANSWER:
        settled(calls, call);
        if (!parent)
            return call;
        return original_done(calls, call) ? settled(calls, parent) : NULL;
    case ARRIVED_RULING:
        calls->asking--;
        if (govern_answered(call) == RULING_GO)
            return go_on(calls, call) ? call : NULL;
        call_close_entry(calls, call);
        return call;
    case ARRIVED_WISH:
        return original_begin(calls, call) ? settled(calls, call) : NULL;
    case ARRIVED_NOTHING:
        break;
    }
    return NULL;
}

tn_call *calls_next_done(Calls *calls)
{
    tn_call *call, *answered;
    Arrival arrival;

    while ((arrival = take_arrival(calls, &call)) != ARRIVED_NOTHING) {
        if ((answered = receive(calls, arrival, call)))
            return answered;
    }
    /* a place is free: the next one that waited has its turn, and may be answered at once */
    while (calls->waiting.first && calls->open < calls->limits.calls_open) {
        call = call_unqueue(&calls->waiting);
        if (go_on(calls, call))
            return call;
    }
    return calls->has_times ? next_late(calls) : NULL;
}

CallDelivery calls_delivery(const tn_call *call)
{
    CallReply reply = call_reply(call);

    return (CallDelivery){.call_id = call->id,
                          .function = call->entry->number,
                          .failed = reply.answer == CALL_ANSWER_ERROR,
                          .bytes = reply.bytes,
                          .length = reply.length};
}

void calls_delivered(Calls *calls, tn_call *call)
{
    call_unlink(calls, call);
    call_free(call);
}

uint32_t calls_unanswered(const Calls *calls)
{
    uint32_t count = calls->open + calls->asking;

    for (const tn_call *call = calls->waiting.first; call; call = call->next_queue)
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
    arena_init(&calls->arena, &calls->allocator, SIZE_MAX);
}

void calls_renew(Calls *calls)
{
    calls->made = 0;
    calls->hurried = false;
    calls->start_ms = clock_monotonic_ms();
    calls->paused_ns = 0;
    for (uint32_t i = 0; calls->governed && i < calls->registry->functions; i++) {
        if (calls->governed[i])
            calls->governed[i]->made = 0;
    }
}

void calls_withdraw(Calls *calls)
{
    static const char message[] = "the run ended before anybody said yes or no: it was not made";

    for (const tn_call *call = calls->live; call; call = call->next) {
        if (call->asking_rule && !call->made && !call->allowed)
            journal_deny(calls->journal, call->journal_entry, calls_clock_ms(calls), message,
                         sizeof message - 1, NULL, 0);
    }
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
    calls->live = NULL;
    calls->waiting = calls->done = calls->answered = calls->wanting = (CallQueue){0};
    calls->open = calls->asking = calls->questions = 0;
    calls->held = 0;
}

void calls_release(Calls *calls)
{
    calls_cancel(calls);
    calls_release_objects(calls);
    arena_release(&calls->arena);
    calls->governed = NULL;
}
