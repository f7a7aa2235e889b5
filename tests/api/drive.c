/*
 * Driving a run: by steps, by its descriptor, by waiting; ending it early, from here and from other
 * threads; and what a caller may get wrong.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "try.h"

/* ---- one call that stays open ---- */

static tn_call *held;

static void hold(void *user, tn_call *call)
{
    (void)user;
    if (CHECK(tn_call_defer(call) == TN_OK))
        held = call;
}

static void answer(int64_t value)
{
    tn_call *call = held;

    held = NULL;
    tn_put_int(tn_call_result(call), value);
    tn_call_finish(call);
}

static void *answer_soon(void *unused)
{
    (void)unused;
    usleep(30000);
    answer(5);
    return NULL;
}

static void add_hold(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.hold", hold, NULL, 0) == TN_OK);
}

static bool readable(int descriptor, int timeout_ms)
{
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    int got;

    /* as any loop does: a last tick of ours may come after a step */
    while ((got = poll(&one, 1, timeout_ms)) < 0 && errno == EINTR)
        ;
    return got == 1 && (one.revents & POLLIN);
}

/* ---- steps ---- */

static void steps(void)
{
    Try try = {.setup = add_hold};
    tn_run_state state = TN_RUN_DONE;
    tn_outcome *none = NULL;

    if (!try_start(&try, "console.log('begun'); const a = await h.hold(); a + 1"))
        return;
    CHECK(tn_run_outcome(try.run, &none) == TN_ERR_STATE && !none);
    CHECK(!held);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(held != NULL);
    /* stepping too early changes nothing */
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(tn_run_outcome(try.run, &none) == TN_ERR_STATE && !none);
    answer(6);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_DONE);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_DONE);
    CHECK(tn_run_outcome(try.run, &try.outcome) == TN_OK);
    CHECK(strcmp(try_json(&try), "7") == 0);
    CHECK(tn_run_outcome(try.run, &none) == TN_ERR_STATE && !none);
    try_end(&try);
}

static void an_event_loop(void)
{
    Try try = {.setup = add_hold};
    tn_run_state state = TN_RUN_READY;
    int descriptor, wakes = 0;
    double start_ms;

    if (!try_start(&try, "await new Promise((yes) => setTimeout(yes, 40)); await h.hold()"))
        return;
    descriptor = tn_run_fd(try.run);
    if (!CHECK(descriptor >= 0))
        return;
    CHECK(readable(descriptor, 0)); /* before the first step there is something to do */
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(tn_run_fd(try.run) == descriptor);
    CHECK(!readable(descriptor, 0));
    start_ms = check_now_ms();
    CHECK(readable(descriptor, 2000));
    CHECK_SAY(check_now_ms() - start_ms < 40 + 1500, "%.1f ms", check_now_ms() - start_ms);
    while (state != TN_RUN_DONE && wakes++ < 50) {
        CHECK(tn_run_step(try.run, &state) == TN_OK);
        if (held) {
            CHECK(!readable(descriptor, 0));
            answer(8);
        }
        if (state == TN_RUN_WAITING)
            CHECK(readable(descriptor, 2000));
    }
    CHECK_SAY(wakes < 10, "woken %d times", wakes);
    CHECK(tn_run_outcome(try.run, &try.outcome) == TN_OK);
    CHECK(strcmp(try_json(&try), "8") == 0);
    try_end(&try);
}

/* The descriptor tells of a deadline, too. */
static void an_event_loop_deadline(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 80}, .setup = add_hold};
    tn_run_state state = TN_RUN_READY;
    double start_ms = check_now_ms();
    int descriptor;

    if (!try_start(&try, "await h.hold()"))
        return;
    descriptor = tn_run_fd(try.run);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(readable(descriptor, 2000));
    CHECK_SAY(check_now_ms() - start_ms < 80 + 1500, "%.1f ms", check_now_ms() - start_ms);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_DONE);
    CHECK(tn_run_outcome(try.run, &try.outcome) == TN_OK);
    CHECK(try_is_limit(&try, "wall"));
    CHECK(tn_call_cancelled(held));
    answer(0);
    try_end(&try);
}

static void waiting(void)
{
    Try try = {.setup = add_hold};
    tn_run_state state = TN_RUN_READY;
    pthread_t thread;
    double start_ms;

    if (!try_start(&try, "await h.hold()"))
        return;
    CHECK(tn_run_wait(try.run, -1) == TN_OK); /* nothing to wait for: it is ready */
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    start_ms = check_now_ms();
    CHECK(tn_run_wait(try.run, 30) == TN_OK);
    CHECK_SAY(check_now_ms() - start_ms >= 29 && check_now_ms() - start_ms < 1500, "%.1f ms",
              check_now_ms() - start_ms);
    CHECK(tn_run_wait(try.run, 0) == TN_OK);
    if (CHECK(pthread_create(&thread, NULL, answer_soon, NULL) == 0)) {
        start_ms = check_now_ms();
        CHECK(tn_run_wait(try.run, -1) == TN_OK);
        CHECK_SAY(check_now_ms() - start_ms < 1500, "%.1f ms", check_now_ms() - start_ms);
        pthread_join(thread, NULL);
        try_finish(&try);
        CHECK(strcmp(try_json(&try), "5") == 0);
        CHECK(tn_run_wait(try.run, -1) == TN_OK); /* done: at once */
    }
    try_end(&try);
}

typedef struct Baton {
    tn_run *run;
    tn_run_state state;
} Baton;

static void *one_step(void *argument)
{
    Baton *baton = argument;

    CHECK(tn_run_step(baton->run, &baton->state) == TN_OK);
    return NULL;
}

/* Another thread at each step. */
static void threads_in_turn(void)
{
    Try try = {0};
    Baton baton = {.state = TN_RUN_READY};
    pthread_t thread;

    baton.run = try_start(&try, "let n = 0; for (let i = 0; i < 20; i++) "
                                "n += await new Promise((yes) => setTimeout(yes, 1, i)); n");
    while (baton.run && baton.state != TN_RUN_DONE) {
        if (!CHECK(pthread_create(&thread, NULL, one_step, &baton) == 0))
            break;
        pthread_join(thread, NULL);
        if (baton.state == TN_RUN_WAITING)
            CHECK(tn_run_wait(baton.run, -1) == TN_OK);
    }
    if (baton.run)
        CHECK(tn_run_outcome(try.run, &try.outcome) == TN_OK);
    CHECK(strcmp(try_json(&try), "190") == 0);
    try_end(&try);
}

/* Two runs on one thread, a step of each in turn: neither sees the other. */
static void two_at_once(void)
{
    Try first = {0};
    tn_run_options options = TN_INIT(tn_run_options);
    tn_run_state states[2] = {TN_RUN_READY, TN_RUN_READY};
    tn_run *runs[2] = {try_start(&first, "globalThis.n = (globalThis.n ?? 0) + 1; for (let i = 0; "
                                         "i < 5; i++) await new Promise((y) => setTimeout(y, 1)); "
                                         "return n"),
                       NULL};

    if (!runs[0] || !CHECK(tn_run_start(first.program, &options, &runs[1]) == TN_OK))
        return;
    while (states[0] != TN_RUN_DONE || states[1] != TN_RUN_DONE) {
        for (int i = 0; i < 2; i++) {
            CHECK(tn_run_step(runs[i], &states[i]) == TN_OK);
            CHECK(tn_run_wait(runs[i], 1) == TN_OK);
        }
    }
    for (int i = 0; i < 2; i++) {
        tn_outcome_free(first.outcome);
        first.outcome = NULL;
        CHECK(tn_run_outcome(runs[i], &first.outcome) == TN_OK);
        CHECK(strcmp(try_json(&first), "1") == 0);
    }
    tn_run_free(runs[1]);
    try_end(&first);
}

/* ---- cancelling ---- */

static void cancelled_before(void)
{
    Try try = {.setup = add_hold};

    if (!try_start(&try, "console.log('begun'); await h.hold()"))
        return;
    tn_run_cancel(try.run);
    try_finish(&try);
    CHECK(try_status(&try) == TN_OUTCOME_CANCELLED);
    CHECK(strcmp(try_error(&try)->name, "CancelledError") == 0);
    CHECK(tn_outcome_console_count(try.outcome) == 0 && !held);
    try_end(&try);
}

static void *cancel_soon(void *run)
{
    usleep(40000);
    tn_run_cancel(run);
    return NULL;
}

static void cancelled_by_another(const char *text, bool leaves_call)
{
    Try try = {.setup = add_hold};
    pthread_t thread;
    double start_ms = check_now_ms();

    held = NULL;
    if (!try_start(&try, text) || !CHECK(pthread_create(&thread, NULL, cancel_soon, try.run) == 0))
        return;
    try_finish(&try);
    CHECK_SAY(try_status(&try) == TN_OUTCOME_CANCELLED, "%s: %s", text,
              tn_outcome_status_text(try_status(&try)));
    CHECK_SAY(check_now_ms() - start_ms < 40 + 1500, "%s: %.1f ms", text,
              check_now_ms() - start_ms);
    pthread_join(thread, NULL);
    CHECK((held != NULL) == leaves_call);
    if (held) {
        CHECK(tn_call_cancelled(held));
        answer(0);
    }
    try_end(&try);
}

static void cancelled_during(void)
{
    cancelled_by_another("await h.hold()", true);
    cancelled_by_another("for (;;);", false);
    cancelled_by_another("Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)", false);
    cancelled_by_another("await new Promise((yes) => setTimeout(yes, 60000))", false);
    cancelled_by_another("for (;;) { try { for (;;); } catch { } finally { for (;;); } }", false);
    cancelled_by_another("for (;;) await null", false);
}

static void cancelled_after(void)
{
    Try try = {0};

    if (!try_start(&try, "1 + 1"))
        return;
    try_finish(&try);
    tn_run_cancel(try.run);
    tn_run_cancel(try.run);
    CHECK(strcmp(try_json(&try), "2") == 0);
    try_end(&try);
}

static void freed_early(void)
{
    Try try = {.setup = add_hold};
    tn_run_state state;

    /* never stepped; waiting; done and its outcome not taken */
    CHECK(try_start(&try, "1") != NULL);
    try_clear(&try);
    held = NULL;
    if (try_start(&try, "setTimeout(() => {}, 50000); await h.hold()"))
        CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    try_clear(&try);
    if (CHECK(held != NULL)) {
        CHECK(tn_call_cancelled(held));
        answer(1);
    }
    if (try_start(&try, "1"))
        CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_DONE);
    try_end(&try);
    tn_run_free(NULL);
    tn_program_free(NULL);
    tn_engine_free(NULL);
    tn_outcome_free(NULL);
    tn_writer_free(NULL);
    tn_text_free(NULL);
}

/* ---- mistakes ---- */

static void bad_options(void)
{
    Try try = {0};
    tn_run_options options = TN_INIT(tn_run_options);
    tn_run *run = NULL;
    tn_outcome *outcome = NULL;
    tn_writer *writer = NULL;

    if (!try_program(&try, "1"))
        return;
    options.zone = "Mars/Olympus";
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    CHECK(tn_run_program(try.program, &options, &outcome) == TN_ERR_ARGUMENT && !outcome);
    options.zone = "../../etc/passwd";
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    options.zone = "/usr/share/zoneinfo/UTC";
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    options.zone = NULL;
    options.input = try_input(&writer, "[1, 2]");
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    options.input = tn_value_view("\xff", 1);
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    options.input = tn_value_view("\xa1\x61", 2); /* an object that is cut off */
    CHECK(tn_run_start(try.program, &options, &run) == TN_ERR_ARGUMENT && !run);
    tn_writer_free(writer);
    try_end(&try);
}

static void bad_engines(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;

    options.signal = 9; /* no real-time signal */
    CHECK(tn_engine_new(&options, &engine) == TN_ERR_ARGUMENT && !engine);
    options.signal = -3;
    CHECK(tn_engine_new(&options, &engine) == TN_ERR_ARGUMENT && !engine);
    options.signal = 0;
    options.bounds = (tn_bounds)7;
    CHECK(tn_engine_new(&options, &engine) == TN_ERR_ARGUMENT && !engine);
}

static void nothing(void *user, tn_call *call)
{
    (void)user, (void)call;
}

static void bad_names(void)
{
    static const char *const names[] = {"",      "f",    ".f",          "p.",         "p..f",
                                        "p.f.",  "p.1f", "p f.g",       "p.f-g",      "\xc3.f",
                                        "p.f\n", "1p.f", "p.__proto__", "__proto__.f"};
    static const tn_method twice[] = {{"a", nothing, NULL, 0}, {"a", nothing, NULL, 0}};
    tn_engine *engine = NULL;
    tn_program *program = NULL;

    if (!CHECK(tn_engine_new(NULL, &engine) == TN_OK))
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_SAY(tn_engine_add_function(engine, names[i], nothing, NULL, 0) == TN_ERR_ARGUMENT,
                  "\"%s\" was taken for a name", names[i]);
    CHECK(tn_engine_add_function(engine, "p.f", nothing, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "p.f", nothing, NULL, 0) == TN_ERR_STATE);
    CHECK(tn_engine_add_interface(engine, "Thing", NULL, 0) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Thing", NULL, 0) == TN_ERR_STATE);
    CHECK(tn_engine_add_interface(engine, "Twice", twice, 2) == TN_ERR_STATE);
    if (CHECK(tn_program_new(engine, "1", 1, NULL, &program) == TN_OK)) {
        CHECK(tn_engine_add_function(engine, "p.g", nothing, NULL, 0) == TN_ERR_STATE);
        CHECK(tn_engine_add_interface(engine, "Late", NULL, 0) == TN_ERR_STATE);
    }
    tn_program_free(program);
    tn_engine_free(engine);
}

static void words(void)
{
    for (int i = -1; i <= 20; i++) {
        CHECK(tn_status_text((tn_status)i) != NULL && tn_status_text((tn_status)i)[0]);
        CHECK(tn_outcome_status_text((tn_outcome_status)i) != NULL);
    }
    CHECK(strcmp(tn_version(), "0.1.0") == 0);
}

/* ---- what an outcome holds ---- */

static void outlives(void)
{
    Try try = {0};
    tn_outcome *outcome;
    char *text = NULL;
    size_t length = 0;

    try_run(&try, "console.log('kept'); throw new TypeError('gone', { cause: [1, 'x'] })");
    outcome = try.outcome;
    try.outcome = NULL;
    try_end(&try);
    if (!outcome)
        return;
    CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_FAILED);
    CHECK(strcmp(tn_outcome_error(outcome)->message, "gone") == 0);
    CHECK(strcmp(tn_outcome_console(outcome, 0)->text, "kept") == 0);
    CHECK(tn_value_type(tn_outcome_error(outcome)->cause) != TN_TYPE_NONE);
    CHECK(tn_outcome_json(outcome, &text, &length) == TN_OK && strlen(text) == length);
    tn_text_free(text);
    CHECK(tn_outcome_console(outcome, 1) == NULL && tn_outcome_finding(outcome, 0) == NULL &&
          tn_outcome_effect(outcome, 0) == NULL);
    tn_outcome_free(outcome);
}

static void named(void)
{
    Try try = {0};
    tn_program_options options = TN_INIT(tn_program_options);

    options.name = "task 7.js";
    if (!try_engine(&try) ||
        !CHECK(tn_program_new(try.engine, "\n\nnull.x", 8, &options, &try.program) == TN_OK))
        return;
    try_again(&try);
    CHECK(try_failed(&try, "TypeError"));
    CHECK(try_error(&try)->line == 3);
    CHECK_SAY(strstr(try_error(&try)->stack, "task 7.js:3:"), "%s", try_error(&try)->stack);
    try_end(&try);
}

static void inputs(void)
{
    Try try = {0};
    tn_writer *writer = NULL;

    try.input =
        try_input(&writer, "{\"name\": \"ada\", \"n\": [1, 2], \"when\": "
                           "{\"$type\": \"date\", \"value\": \"2026-01-01T00:00:00.000Z\"}, "
                           "\"odd key\": 5}");
    CHECK(try_gives(&try, "[name.toUpperCase(), n.length, when.getTime(), globalThis['odd key']]",
                    "[\"ADA\",2,1767225600000,5]"));
    CHECK(try_gives(&try, "n.push(3); n.length", "3")); /* a fresh copy each time */
    try_again(&try);
    CHECK(strcmp(try_json(&try), "3") == 0);
    /* names of the program's own come first */
    CHECK(try_gives(&try, "const name = 'own'; name", "\"own\""));
    try_end(&try);
    tn_writer_free(writer);
}

static void usage(void)
{
    Try try = {.setup = add_hold};
    const tn_usage *used;

    try_run(&try, "const a = new Uint8Array(3 << 20); for (let i = 0; i < 2e5; i++) a[i] = i; 1");
    if (!try.outcome)
        return;
    used = tn_outcome_usage(try.outcome);
    CHECK(used->peak_bytes >= 3 << 20 && used->peak_bytes < 8 << 20);
    CHECK(used->cpu_ms > 0 && used->cpu_ms <= used->wall_ms + 1);
    CHECK(used->compile_us > 0 && used->calls == 0);
    try_end(&try);
}

static void doctor(void)
{
    char *text = NULL;
    size_t length = 0;

    CHECK(tn_doctor(&text, &length) == TN_OK && strlen(text) == length);
    CHECK(text && strstr(text, "\"checks\"") && strstr(text, "\"ok\""));
    tn_text_free(text);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"steps", steps}, {"an event loop", an_event_loop},
               {"an event loop, deadline", an_event_loop_deadline}, {"waiting", waiting},
               {"threads in turn", threads_in_turn}, {"two at once", two_at_once},
               {"cancelled before", cancelled_before}, {"cancelled during", cancelled_during},
               {"cancelled after", cancelled_after}, {"freed early", freed_early},
               {"bad options", bad_options}, {"bad engines", bad_engines}, {"bad names", bad_names},
               {"words", words}, {"outlives", outlives}, {"named", named}, {"inputs", inputs},
               {"usage", usage}, {"doctor", doctor});
}
