/* Questions: may this call be made?
 *
 * A question is the host's from the moment it is asked; the call and it know each other, under the
 * wake's lock, until one of them goes or the answer comes. It has a copy of the arguments: it can
 * be looked at, by any thread, when its run is long over. */
#include <assert.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "tn_call.h"

struct tn_question {
    tn_allocator allocator;
    Wake *wake;
    tn_call *call; /* NULL: answered or expired; under the lock */
    const char *name, *rule;
    unsigned line;
    char id[HASH_HEX_BYTES];
    size_t count, bytes;
    tn_value arguments[];
};

void call_write_arguments(const tn_call *call, Buf *out)
{
    for (size_t i = 0; i < call->argument_count; i++) {
        uint32_t length = (uint32_t)(call->arguments[i].end - call->arguments[i].document);
        buf_append(out, &length, sizeof length);
        buf_append(out, call->arguments[i].document, length);
    }
}

/* ---- making ---- */

/* What the id is a hash of: the call of this run, and all that it says. */
static void make_id(Calls *calls, const tn_call *call, Buf *text, size_t arguments, char *out_id)
{
    uint32_t numbers[] = {calls->generation, call->id, call->line, call->object};

    if (!calls->has_key)
        hash_key_draw(&calls->key);
    calls->has_key = true;
    buf_append(text, numbers, sizeof numbers);
    buf_append_string(text, call->entry->name);
    buf_append(text, &arguments, sizeof arguments);
    if (!text->failed)
        hash_hex(&calls->key, text->data, text->length, out_id);
}

static char *copy_text(uint8_t **at, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = memcpy(*at, text, length);

    *at += length;
    return copy;
}

static tn_question *question_new(Calls *calls, tn_call *call, const char *rule, Buf *text)
{
    size_t arguments, bytes;
    tn_question *question;
    uint8_t *at;

    call_write_arguments(call, text);
    arguments = text->length;
    bytes = sizeof *question + call->argument_count * sizeof(tn_value) + arguments +
            strlen(call->entry->name) + strlen(rule) + 2;
    question = memory_resize(&calls->allocator, NULL, 0, bytes);
    if (!question)
        return NULL;
    *question = (tn_question){.allocator = calls->allocator,
                              .call = call,
                              .line = call->line,
                              .count = call->argument_count,
                              .bytes = bytes};
    at = (uint8_t *)(question->arguments + question->count);
    if (arguments > 0 && !text->failed)
        memcpy(at, text->data, arguments);
    for (size_t i = 0; i < question->count; i++) {
        size_t length = (size_t)(call->arguments[i].end - call->arguments[i].document);
        question->arguments[i] = (tn_value){at + 4, at + 4, at + 4 + length};
        at += 4 + length;
    }
    question->name = copy_text(&at, call->entry->name);
    question->rule = copy_text(&at, rule);
    make_id(calls, call, text, arguments, question->id);
    if (text->failed) {
        memory_free(&calls->allocator, question, bytes);
        return NULL;
    }
    question->wake = wake_ref(calls->wake);
    return question;
}

/* ---- asking ---- */

static void pause_wall_locked(Calls *calls)
{
    if (calls->questions++ == 0)
        calls->paused_since_ns = clock_monotonic_ns();
}

static void resume_wall_locked(Calls *calls)
{
    if (--calls->questions == 0)
        calls->paused_ns += clock_monotonic_ns() - calls->paused_since_ns;
}

tn_status tn_call_stop_clock(tn_call *call)
{
    bool may;

    pthread_mutex_lock(&call->wake->lock);
    may = call->deferred && !call->finished;
    if (may && call->calls && !call->stops_clock) {
        call->stops_clock = call->calls->clock_stops = true;
        pause_wall_locked(call->calls);
    }
    pthread_mutex_unlock(&call->wake->lock);
    return may ? TN_OK : TN_ERR_STATE;
}

void question_start_clock(tn_call *call)
{
    if (call->stops_clock && call->calls)
        resume_wall_locked(call->calls);
    call->stops_clock = false;
}

void question_expire(tn_call *call)
{
    question_start_clock(call);
    if (!call->question)
        return;
    call->question->call = NULL;
    call->question = NULL;
    if (call->calls)
        resume_wall_locked(call->calls);
}

static Ruling refuse(tn_call *call, const char *why)
{
    const char *const parts[] = {call->entry->name,
                                 " is refused (rule \"",
                                 call->asking_rule,
                                 "\" asks about it): ",
                                 why,
                                 NULL};

    call_deny(call, "denied", parts);
    return RULING_ANSWERED;
}

/* The answer may have come while the host was asked, from whichever thread. */
static bool is_answered(tn_call *call)
{
    bool answered;

    pthread_mutex_lock(&call->wake->lock);
    answered = call->question == NULL;
    call->being_asked = false;
    if (!answered && call->entry->flags & TN_FUNCTION_SYNC)
        question_expire(call);
    pthread_mutex_unlock(&call->wake->lock);
    return answered;
}

Ruling question_ask(Calls *calls, tn_call *call, const Clause *rule)
{
    tn_question *question;
    Buf text;

    call->asking_rule = rule ? rule->pattern : "default";
    if (!calls->terms.ask)
        return refuse(call, "there is nobody here to ask, so that is final");
    buf_init(&text, &calls->allocator, SIZE_MAX);
    question = question_new(calls, call, call->asking_rule, &text);
    buf_release(&text);
    if (!question)
        return refuse(call, "the host has no memory to ask");
    pthread_mutex_lock(&calls->wake->lock);
    call->question = question;
    call->being_asked = true;
    pause_wall_locked(calls);
    pthread_mutex_unlock(&calls->wake->lock);
    if (calls->stay_deadline_ns)
        *calls->stay_deadline_ns = calls_wall_deadline(calls);
    calls->terms.ask(calls->terms.ask_user, question);
    if (is_answered(call))
        return govern_answered(call);
    if (call->entry->flags & TN_FUNCTION_SYNC)
        return refuse(call, "it has to be answered at once, and was not");
    calls->asking++;
    return RULING_ASKED;
}

/* ---- calls_wall_deadline ---- */

uint64_t calls_wall_deadline(Calls *calls)
{
    uint64_t deadline_ns;

    if ((!calls->terms.ask && !calls->clock_stops) || calls->hurried)
        return calls->wall_deadline_ns;
    pthread_mutex_lock(&calls->wake->lock);
    deadline_ns = calls->questions > 0 ? UINT64_MAX : calls->wall_deadline_ns + calls->paused_ns;
    pthread_mutex_unlock(&calls->wake->lock);
    return deadline_ns;
}

/* ---- the public side ---- */

const char *tn_question_name(const tn_question *question)
{
    return question->name;
}

unsigned tn_question_line(const tn_question *question)
{
    return question->line;
}

size_t tn_question_count(const tn_question *question)
{
    return question->count;
}

tn_value tn_question_argument(const tn_question *question, size_t index)
{
    return index < question->count ? question->arguments[index] : (tn_value){0};
}

const char *tn_question_rule(const tn_question *question)
{
    return question->rule;
}

const char *tn_question_id(const tn_question *question)
{
    return question->id;
}

bool tn_question_open(const tn_question *question)
{
    bool open;

    pthread_mutex_lock(&question->wake->lock);
    open = question->call != NULL;
    pthread_mutex_unlock(&question->wake->lock);
    return open;
}

static bool same_id(const char *one, const char *other)
{
    unsigned differs = strlen(one) != HASH_HEX_BYTES - 1;

    /* whoever guesses must not learn from the time how far the guess was right */
    for (size_t i = 0; i < HASH_HEX_BYTES - 1 && one[i]; i++)
        differs |= (unsigned)(one[i] ^ other[i]);
    return differs == 0;
}

tn_status tn_question_answer(tn_question *question, const char *id, bool allow)
{
    tn_status status = TN_OK;
    tn_call *call;

    pthread_mutex_lock(&question->wake->lock);
    call = question->call;
    if (!call || !call->calls) {
        status = TN_ERR_STATE;
    } else if (id && !same_id(id, question->id)) {
        status = TN_ERR_ARGUMENT;
    } else {
        call->allowed = allow;
        question_expire(call);
        if (!call->being_asked) {
            call_queue(&call->calls->answered, call);
            wake_signal_locked(question->wake);
        }
    }
    pthread_mutex_unlock(&question->wake->lock);
    return status;
}

void tn_question_free(tn_question *question)
{
    tn_allocator allocator;

    if (!question)
        return;
    /* what is answered or over stays as it is */
    if (tn_question_answer(question, NULL, false) == TN_OK)
        assert(!tn_question_open(question));
    allocator = question->allocator;
    wake_unref(question->wake);
    memory_free(&allocator, question, question->bytes);
}
