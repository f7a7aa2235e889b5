#include "host.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- answers that come later ---- */

enum { SLEEPERS = 8192 };

/* A call that waits. Its place is used again; the generation tells who is meant. */
typedef struct Sleeper {
    tn_call *call;
    Meter *meter;
    uint64_t due_ns;
    uint32_t generation;
    bool answers_error;
} Sleeper;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool stopping;
    Sleeper list[SLEEPERS];
} bed = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Take the first that is due. When the next one is, otherwise. */
static bool take_due(Sleeper *out_due, uint64_t *out_next_ns)
{
    uint64_t now = now_ns(), next = UINT64_MAX;

    for (size_t i = 0; i < SLEEPERS; i++) {
        if (!bed.list[i].call)
            continue;
        if (bed.list[i].due_ns <= now) {
            *out_due = bed.list[i];
            bed.list[i].call = NULL;
            bed.list[i].generation++;
            return true;
        }
        if (bed.list[i].due_ns < next)
            next = bed.list[i].due_ns;
    }
    *out_next_ns = next;
    return false;
}

static void answer(const Sleeper *due)
{
    if (due->answers_error)
        tn_call_fail(due->call, "ESLOW", "slow and failed", true);
    else
        tn_put_string(tn_call_result(due->call), "slept");
    __atomic_fetch_sub(&due->meter->open, 1, __ATOMIC_RELAXED);
    tn_call_finish(due->call);
}

static void *answer_all(void *unused)
{
    uint64_t next_ns;
    Sleeper due;
    (void)unused;

    pthread_mutex_lock(&bed.lock);
    for (;;) {
        if (take_due(&due, &next_ns)) {
            pthread_mutex_unlock(&bed.lock);
            answer(&due);
            pthread_mutex_lock(&bed.lock);
        } else if (next_ns == UINT64_MAX) {
            if (bed.stopping)
                break;
            pthread_cond_wait(&bed.changed, &bed.lock);
        } else {
            struct timespec until = {(time_t)(next_ns / 1000000000u),
                                     (long)(next_ns % 1000000000u)};
            pthread_cond_timedwait(&bed.changed, &bed.lock, &until);
        }
    }
    pthread_mutex_unlock(&bed.lock);
    return NULL;
}

void host_start(void)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&bed.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    bed.stopping = false;
    if (pthread_create(&bed.thread, NULL, answer_all, NULL) != 0)
        abort();
}

void host_stop(void)
{
    pthread_mutex_lock(&bed.lock);
    bed.stopping = true;
    pthread_cond_broadcast(&bed.changed);
    pthread_mutex_unlock(&bed.lock);
    pthread_join(bed.thread, NULL);
    pthread_cond_destroy(&bed.changed);
}

/* The run does not want it any more: it is due now. */
static void wake_up(void *ticket)
{
    size_t index = (uintptr_t)ticket % SLEEPERS;
    uint32_t generation = (uint32_t)((uintptr_t)ticket / SLEEPERS);

    pthread_mutex_lock(&bed.lock);
    Sleeper *sleeper = &bed.list[index];
    if (sleeper->call && sleeper->generation == generation) {
        __atomic_fetch_add(&sleeper->meter->cancelled, 1, __ATOMIC_RELAXED);
        sleeper->due_ns = 0;
        pthread_cond_broadcast(&bed.changed);
    }
    pthread_mutex_unlock(&bed.lock);
}

static void count_open(Meter *meter)
{
    unsigned open = __atomic_add_fetch(&meter->open, 1, __ATOMIC_RELAXED);
    unsigned most = __atomic_load_n(&meter->most_open, __ATOMIC_RELAXED);

    while (open > most && !__atomic_compare_exchange_n(&meter->most_open, &most, open, false,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* A place for a call; it is not due until it is said when. */
static void *lie_down(tn_call *call, bool answers_error)
{
    void *ticket = NULL;

    pthread_mutex_lock(&bed.lock);
    for (size_t i = 0; i < SLEEPERS && !ticket; i++) {
        if (bed.list[i].call)
            continue;
        uint32_t generation = bed.list[i].generation + 1;
        bed.list[i] = (Sleeper){.call = call,
                                .meter = tn_call_context(call),
                                .due_ns = UINT64_MAX - 1,
                                .generation = generation,
                                .answers_error = answers_error};
        ticket = (void *)((uintptr_t)generation * SLEEPERS + i);
    }
    pthread_mutex_unlock(&bed.lock);
    return ticket;
}

/* Answer `call` after `ms` milliseconds; a negative number: never, until it is cancelled. */
static void sleep_on(tn_call *call, double ms, bool answers_error)
{
    uint64_t due_ns = ms < 0 || ms > 1e9 ? UINT64_MAX - 1 : now_ns() + (uint64_t)(ms * 1e6);
    Sleeper *sleeper;
    void *ticket;

    if (tn_call_defer(call) != TN_OK)
        return;
    count_open(tn_call_context(call));
    ticket = lie_down(call, answers_error);
    if (!ticket)
        abort();
    tn_call_on_cancel(call, wake_up, ticket);
    pthread_mutex_lock(&bed.lock);
    sleeper = &bed.list[(uintptr_t)ticket % SLEEPERS];
    if (sleeper->generation == (uintptr_t)ticket / SLEEPERS && sleeper->due_ns != 0)
        sleeper->due_ns = due_ns;
    pthread_cond_broadcast(&bed.changed);
    pthread_mutex_unlock(&bed.lock);
}

/* ---- the functions ---- */

static void count_call(const tn_call *call)
{
    Meter *meter = tn_call_context(call);

    __atomic_fetch_add(&meter->calls, 1, __ATOMIC_RELAXED);
}

/* tools.test.echo({value}) */
static void test_echo(void *user, tn_call *call)
{
    tn_value value = tn_value_member(tn_call_argument(call, 0), "value");
    (void)user;

    count_call(call);
    if (tn_value_type(tn_call_argument(call, 0)) != TN_TYPE_OBJECT)
        tn_call_fail(call, "EINVAL", "tools.test.echo wants an object {value}", false);
    else if (tn_value_type(value) == TN_TYPE_NONE)
        tn_put_undefined(tn_call_result(call));
    else
        tn_put_value(tn_call_result(call), value);
}

static void fail_with(tn_call *call, tn_value text, const char *code)
{
    size_t length = 0;
    const char *words = tn_value_text(text, &length);
    char *message = strndup(words ? words : "no message", words ? length : 10);

    if (message)
        tn_call_fail(call, code, message, false);
    free(message);
}

/* tools.test.fail({message}) */
static void test_fail(void *user, tn_call *call)
{
    (void)user;
    count_call(call);
    fail_with(call, tn_value_member(tn_call_argument(call, 0), "message"), NULL);
}

static void slow(tn_call *call, tn_value ms, bool answers_error)
{
    count_call(call);
    if (tn_value_type(ms) == TN_TYPE_NUMBER)
        sleep_on(call, tn_value_number(ms), answers_error);
    else
        tn_call_fail(call, "EINVAL", "ms must be a number", false);
}

/* tools.test.slow({ms}) */
static void test_slow(void *user, tn_call *call)
{
    (void)user;
    slow(call, tn_value_member(tn_call_argument(call, 0), "ms"), false);
}

/* tools.test.count(x) */
static void test_count(void *user, tn_call *call)
{
    Meter *meter = tn_call_context(call);
    (void)user;

    count_call(call);
    tn_put_int(tn_call_result(call), __atomic_add_fetch(&meter->counted, 1, __ATOMIC_RELAXED));
}

/* host.echo(x) and host.echoNow(x) */
static void host_echo(void *user, tn_call *call)
{
    (void)user;
    count_call(call);
    if (tn_call_count(call) == 0)
        tn_put_undefined(tn_call_result(call));
    else
        tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

/* host.ok(), host.tick() (an answer in the next turn) and host.never() */
static void host_ok(void *user, tn_call *call)
{
    (void)user;
    count_call(call);
    tn_put_string(tn_call_result(call), "ok");
}

static void host_tick(void *user, tn_call *call)
{
    (void)user;
    count_call(call);
    sleep_on(call, 0, false);
}

static void host_never(void *user, tn_call *call)
{
    (void)user;
    count_call(call);
    sleep_on(call, -1, false);
}

/* host.sleep(ms), host.slow(ms) and host.failsLater(ms) */
static void host_sleep(void *user, tn_call *call)
{
    (void)user;
    slow(call, tn_call_argument(call, 0), false);
}

static void host_fails_later(void *user, tn_call *call)
{
    (void)user;
    slow(call, tn_call_argument(call, 0), true);
}

/* host.fails(), host.failsNow(), host.failsWithEmptyMessage() */
static void host_fails(void *user, tn_call *call)
{
    count_call(call);
    tn_call_fail(call, "EBROKEN", user, true);
}

/* host.type(x): what the host sees it as. */
static void host_type(void *user, tn_call *call)
{
    static const char *const names[] = {
        "none",  "undefined", "null", "boolean", "number", "bigint", "text",  "bytes",
        "array", "object",    "map",  "set",     "date",   "regexp", "error", "reference"};
    (void)user;

    count_call(call);
    tn_put_string(tn_call_result(call), names[tn_value_type(tn_call_argument(call, 0))]);
}

tn_status host_add(tn_engine *engine)
{
    static char broken[] = "it is broken", empty[] = "";
    static const struct {
        const char *name;
        tn_function function;
        void *user;
        unsigned flags;
    } all[] = {
        {"tools.test.echo", test_echo, NULL, 0},
        {"tools.test.fail", test_fail, NULL, 0},
        {"tools.test.slow", test_slow, NULL, 0},
        {"tools.test.count", test_count, NULL, 0},
        {"host.echo", host_echo, NULL, 0},
        {"host.echoNow", host_echo, NULL, TN_FUNCTION_SYNC},
        {"host.typeNow", host_type, NULL, TN_FUNCTION_SYNC},
        {"host.ok", host_ok, NULL, 0},
        {"host.f", host_ok, NULL, 0},
        {"host.tick", host_tick, NULL, TN_FUNCTION_READ_ONLY},
        {"host.never", host_never, NULL, 0},
        {"host.sleep", host_sleep, NULL, 0},
        {"host.slow", host_sleep, NULL, 0},
        {"host.fails", host_fails, broken, 0},
        {"host.failsNow", host_fails, broken, TN_FUNCTION_SYNC},
        {"host.failsLater", host_fails_later, NULL, 0},
        {"host.failsWithEmptyMessage", host_fails, empty, 0},
        {"github.listIssues", host_ok, NULL, 0},
    };
    tn_status status = TN_OK;

    for (size_t i = 0; i < sizeof all / sizeof *all && status == TN_OK; i++)
        status =
            tn_engine_add_function(engine, all[i].name, all[i].function, all[i].user, all[i].flags);
    return status;
}
