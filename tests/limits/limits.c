/*
 * Each limit, at it and one past it: what is allowed works, one more is told as that limit (or as
 * the catchable error it is), and by its number.
 */
#include <pthread.h>
#include <unistd.h>

#include "../api/try.h"

/* ---- the functions that programs call ---- */

typedef struct Flight {
    pthread_mutex_t lock;
    tn_call *calls[256];
    size_t count;
    unsigned most, made;
} Flight;

static Flight flight = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void count_up(void *user, tn_call *call)
{
    (void)user;
    tn_put_int(tn_call_result(call), (int64_t)++flight.made);
}

/* Kept open until `land`: how many are at one time is what is looked at. */
static void take_off(void *user, tn_call *call)
{
    (void)user;
    if (!CHECK(tn_call_defer(call) == TN_OK) || !CHECK(flight.count < 256))
        return;
    flight.calls[flight.count++] = call;
    flight.made++;
    if (flight.count > flight.most)
        flight.most = (unsigned)flight.count;
}

static void land_all(void)
{
    for (size_t i = 0; i < flight.count; i++) {
        tn_put_int(tn_call_result(flight.calls[i]), (int64_t)i);
        tn_call_finish(flight.calls[i]);
    }
    flight.count = 0;
}

/* big(n): text of n bytes, n + 1, 3 or 5 for its head in the reply. */
static void big(void *user, tn_call *call)
{
    int64_t length = 0;
    char *text;
    (void)user;

    if (!tn_value_int(tn_call_argument(call, 0), &length) || !(text = malloc((size_t)length + 1)))
        return;
    memset(text, 'b', (size_t)length);
    tn_put_text(tn_call_result(call), text, (size_t)length);
    free(text);
}

static void size_of(void *user, tn_call *call)
{
    size_t length = 0;
    (void)user;
    (void)tn_value_text(tn_call_argument(call, 0), &length);
    tn_put_int(tn_call_result(call), (int64_t)length);
}

static void nap(void *user, tn_call *call)
{
    int64_t ms = 0;
    (void)user;
    (void)tn_value_int(tn_call_argument(call, 0), &ms);
    usleep((useconds_t)ms * 1000);
    tn_put_undefined(tn_call_result(call));
}

static void echo(void *user, tn_call *call)
{
    (void)user;
    tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

static void add_functions(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.count", count_up, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.countNow", count_up, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.takeOff", take_off, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.big", big, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.size", size_of, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.nap", nap, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.echo", echo, NULL, TN_FUNCTION_SYNC) == TN_OK);
}

static double elapsed_ms;

static void timed(Try *try, const char *text)
{
    double start_ms;

    if (!try_program(try, text))
        return;
    start_ms = check_now_ms();
    try_again(try);
    elapsed_ms = check_now_ms() - start_ms;
}

static double slack_ms(void)
{
    const char *slack = getenv("TENON_TEST_SLACK_MS");

    return slack ? atof(slack) : CHECK_ASAN ? 3000 : 1000;
}

/* ---- time ---- */

static void wall(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 120}, .setup = add_functions};

    timed(&try, "h.nap(30); 'in time'");
    CHECK(strcmp(try_json(&try), "\"in time\"") == 0);
    timed(&try, "for (;;);");
    CHECK(try_is_limit(&try, "wall"));
    CHECK_SAY(elapsed_ms >= 119 && elapsed_ms <= 120 + slack_ms(), "%.1f ms", elapsed_ms);
    CHECK(strstr(try_error(&try)->message, "120 ms"));
    timed(&try, "await new Promise((yes) => setTimeout(yes, 60000))");
    CHECK(try_is_limit(&try, "wall"));
    CHECK_SAY(elapsed_ms >= 119 && elapsed_ms <= 120 + slack_ms(), "%.1f ms", elapsed_ms);
    timed(&try, "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)");
    CHECK(try_is_limit(&try, "wall"));
    CHECK_SAY(elapsed_ms <= 120 + slack_ms(), "%.1f ms", elapsed_ms);
    /* a host function that takes too long is not interrupted; then the run ends */
    timed(&try, "h.nap(200); for (;;);");
    CHECK(try_is_limit(&try, "wall"));
    CHECK_SAY(elapsed_ms <= 200 + slack_ms(), "%.1f ms", elapsed_ms);
    try_end(&try);
}

static void cpu(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .cpu_ms = 80, .wall_ms = 5000},
               .setup = add_functions};

    timed(&try, "for (;;);");
    CHECK(try_is_limit(&try, "cpu"));
    CHECK_SAY(elapsed_ms >= 75 && elapsed_ms <= 80 + 2 * slack_ms(), "%.1f ms", elapsed_ms);
    CHECK(tn_outcome_usage(try.outcome)->cpu_ms >= 75);
    timed(&try, "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)");
    CHECK(try_is_limit(&try, "cpu"));
    /* waiting for a timer, for the host, in a host function: none is computing */
    timed(&try, "await new Promise((yes) => setTimeout(yes, 200)); h.nap(150); 'rested'");
    CHECK(strcmp(try_json(&try), "\"rested\"") == 0);
    if (try.outcome)
        CHECK_SAY(tn_outcome_usage(try.outcome)->cpu_ms < 60, "%.1f ms of cpu",
                  tn_outcome_usage(try.outcome)->cpu_ms);
    /* host functions that sleep give a program no time to compute in, long or short, in any turn */
    timed(&try,
          "for (let i = 0; ; i++) { h.nap(i % 2 ? 3 : 0); for (let k = 0; k < 20000; k++); }");
    CHECK(try_is_limit(&try, "cpu"));
    CHECK_SAY(elapsed_ms < 2500, "%.1f ms", elapsed_ms);
    /* and many short ones take none of it away */
    timed(&try, "let n = 0; const end = performance.now() + 300;\n"
                "while (performance.now() < end) { h.nap(2); n++; } n > 10");
    CHECK(strcmp(try_json(&try), "true") == 0);
    try_end(&try);
}

static void linger(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .linger_ms = 100}, .setup = add_functions};

    timed(&try, "setTimeout(() => console.log('in time'), 40); 1");
    CHECK(tn_outcome_console_count(try.outcome) == 1);
    CHECK_SAY(elapsed_ms < 40 + slack_ms(), "%.1f ms", elapsed_ms);
    timed(&try, "setTimeout(() => console.log('too late'), 5000); 1");
    CHECK(tn_outcome_console_count(try.outcome) == 0);
    CHECK(try_has_finding(&try, "TN2003", 0));
    CHECK_SAY(elapsed_ms < 100 + slack_ms(), "%.1f ms", elapsed_ms);
    timed(&try, "h.takeOff(); 1");
    CHECK(strcmp(try_json(&try), "1") == 0);
    CHECK(try_has_finding(&try, "TN2002", 1));
    CHECK_SAY(elapsed_ms >= 95 && elapsed_ms < 100 + slack_ms(), "%.1f ms", elapsed_ms);
    land_all();
    try_end(&try);
}

/* ---- memory ---- */

/* A program can have half of `mib` MiB in any form, and never more than all, but for some bytes
 * with which the refusal itself is told. */
static void memory_of(uint64_t mib, tn_bounds bounds)
{
    static const char *const fills[] = {
        "const a = []; for (let i = 0; i < N; i += 65536) a.push(new Uint8Array(65536)); a.length",
        "const a = []; for (let i = 0; i < N; i += 65536) a.push('x'.repeat(65530) + i); a.length",
        "const a = []; for (let i = 0; i < N; i += 160) a.push({ i }); a.length",
        "const b = new ArrayBuffer(N); b.byteLength",
        "const m = new Map(); for (let i = 0; i < N; i += 400) m.set(i, [i]); m.size",
    };
    Try try = {.limits = {.size = sizeof(tn_limits), .memory_bytes = mib << 20, .wall_ms = 20000},
               .bounds = bounds};
    char text[400];

    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        (void)snprintf(text, sizeof text, "const N = %llu; %s", (unsigned long long)(mib << 20) / 2,
                       fills[i]);
        try_run(&try, text);
        CHECK_SAY(try_ok(&try), "%s", text);
        if (try.outcome)
            CHECK(tn_outcome_usage(try.outcome)->peak_bytes <= mib << 20);
        (void)snprintf(text, sizeof text, "const N = %llu; %s", (unsigned long long)(mib << 20) * 4,
                       fills[i]);
        try_run(&try, text);
        CHECK_SAY(try_is_limit(&try, "memory"), "%s", text);
        CHECK(strstr(try_error(&try)->message, "memory"));
        CHECK_SAY(tn_outcome_usage(try.outcome)->peak_bytes <= (mib << 20) + 65536, "%llu bytes",
                  (unsigned long long)tn_outcome_usage(try.outcome)->peak_bytes);
    }
    try_end(&try);
}

static void memory(void)
{
    memory_of(2, TN_BOUNDS_GUARD);
    memory_of(16, TN_BOUNDS_GUARD);
    memory_of(16, TN_BOUNDS_CHECKED);
}

/* At the limit to some bytes, one past it: found by looking for it. */
static void memory_edge(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .memory_bytes = 4 << 20}};
    size_t fits = 1 << 20, fails = 5 << 20;
    char text[100];

    while (fails - fits > 1) {
        size_t middle = fits + (fails - fits) / 2;
        (void)snprintf(text, sizeof text, "new Uint8Array(%zu).length", middle);
        try_run(&try, text);
        if (try_status(&try) == TN_OUTCOME_OK)
            fits = middle;
        else if (try_is_limit(&try, "memory"))
            fails = middle;
        else
            break;
    }
    CHECK_SAY(fails - fits == 1 && fits <= 4 << 20 && fits > 3 << 20, "%zu fits", fits);
    (void)snprintf(text, sizeof text, "new Uint8Array(%zu).length", fits);
    try_run(&try, text);
    CHECK(try_ok(&try));
    try_end(&try);
}

/* ---- text, nesting ---- */

static void source(void)
{
    Try try = {.engine_limits = {.size = sizeof(tn_limits), .source_bytes = 1000}};
    char text[1002];

    memset(text, ' ', sizeof text);
    text[0] = '4';
    text[1] = '2';
    try_program_of(&try, text, 1000);
    CHECK(tn_program_ready(try.program));
    try_again(&try);
    CHECK(strcmp(try_json(&try), "42") == 0);
    try_program_of(&try, text, 1001);
    CHECK(!tn_program_ready(try.program));
    try_again(&try);
    CHECK(try_status(&try) == TN_OUTCOME_REFUSED && try_has_finding(&try, "TN1002", 0));
    try_end(&try);
}

static void source_default(void)
{
    Try try = {0};
    size_t most = 256 << 10;
    char *text = malloc(most + 1);

    if (!text)
        return;
    memset(text, '\n', most + 1);
    text[most - 1] = '7';
    try_program_of(&try, text, most);
    try_again(&try);
    CHECK(strcmp(try_json(&try), "7") == 0);
    try_program_of(&try, text, most + 1);
    CHECK(!tn_program_ready(try.program));
    try_end(&try);
    free(text);
}

/* `depth` levels of arrays: [] is one. */
static void depth(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .depth = 50}, .setup = add_functions};
    const char *nest = "let v = []; for (let i = 1; i < N; i++) v = [v]; ";
    char text[300];

    for (int n = 50; n <= 51; n++) {
        (void)snprintf(text, sizeof text, "const N = %d; %s return v;", n, nest);
        try_run(&try, text);
        CHECK_SAY((try_status(&try) == TN_OUTCOME_OK) == (n == 50), "%d deep: %s", n,
                  tn_outcome_status_text(try_status(&try)));
        (void)snprintf(text, sizeof text, "const N = %d; %s h.echo(v); return 1;", n, nest);
        try_run(&try, text);
        CHECK_SAY((try_status(&try) == TN_OUTCOME_OK) == (n == 50), "%d deep, as an argument: %s",
                  n, tn_outcome_status_text(try_status(&try)));
    }
    CHECK(strstr(try_error(&try)->message, "50") || strstr(try_error(&try)->message, "deep"));
    try.limits.depth = 0;
    (void)snprintf(text, sizeof text, "const N = 1000; %s return v;", nest);
    try_run(&try, text);
    CHECK(try_ok(&try));
    (void)snprintf(text, sizeof text, "const N = 1001; %s return v;", nest);
    try_run(&try, text);
    CHECK(try_status(&try) != TN_OUTCOME_OK);
    try_end(&try);
}

/* ---- calls ---- */

static void calls(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .calls = 5}, .setup = add_functions};

    flight.made = 0;
    try_run(&try, "let n; for (let i = 0; i < 5; i++) n = await h.count(); n");
    CHECK(strcmp(try_json(&try), "5") == 0);
    CHECK(tn_outcome_usage(try.outcome)->calls == 5);
    flight.made = 0;
    try_run(&try, "let n; for (let i = 0; i < 6; i++) n = await h.count(); n");
    CHECK(try_is_limit(&try, "calls"));
    CHECK(strstr(try_error(&try)->message, "5 host calls"));
    CHECK(try_error(&try)->line == 1);
    CHECK(flight.made == 5);
    flight.made = 0;
    try_run(&try, "try { for (;;) h.countNow(); } catch { } finally { for (;;); }");
    CHECK(try_is_limit(&try, "calls"));
    CHECK(flight.made == 5);
    flight.made = 0;
    try_run(&try, "for (let i = 0; i < 100; i++) h.count(); 'went on'");
    CHECK(try_is_limit(&try, "calls"));
    CHECK(flight.made == 5);
    try_end(&try);
}

static void calls_open(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .calls_open = 3}, .setup = add_functions};
    tn_run_state state = TN_RUN_READY;
    int rounds = 0;

    flight = (Flight){.lock = PTHREAD_MUTEX_INITIALIZER};
    try_start(&try, "(await Promise.all(Array.from({ length: 10 }, () => h.takeOff()))).length");
    while (state != TN_RUN_DONE && rounds++ < 20) {
        if (!CHECK(tn_run_step(try.run, &state) == TN_OK))
            break;
        CHECK(flight.count <= 3);
        if (state == TN_RUN_WAITING && rounds % 2 == 0)
            land_all();
    }
    try_finish(&try);
    CHECK(strcmp(try_json(&try), "10") == 0);
    CHECK_SAY(flight.most == 3 && flight.made == 10, "%u at one time, %u in all", flight.most,
              flight.made);
    try_end(&try);
}

/* What waits its turn and never gets it is reported, and nothing of it reaches the host. */
static void calls_open_at_the_end(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .calls_open = 2, .wall_ms = 100},
               .setup = add_functions};

    flight = (Flight){.lock = PTHREAD_MUTEX_INITIALIZER};
    try_run(&try, "await Promise.all(Array.from({ length: 5 }, () => h.takeOff()))");
    CHECK(try_is_limit(&try, "wall"));
    CHECK(flight.made == 2);
    CHECK(tn_outcome_effect_count(try.outcome) == 5);
    land_all();
    try_end(&try);
}

/* What all waiting calls hold together is bounded as well, by the memory a run may have. */
static void calls_held(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .memory_bytes = 8 << 20, .wall_ms = 1000},
               .setup = add_functions};

    flight = (Flight){.lock = PTHREAD_MUTEX_INITIALIZER};
    try_run(&try, "const text = 'x'.repeat(1000000); const open = [];\n"
                  "for (let i = 0; i < 100; i++) open.push(h.takeOff(text).catch((e) => e));\n"
                  "const first = await Promise.race(open);\n"
                  "[first.code, first.retryable, first.message.includes('await some')]");
    CHECK(strcmp(try_json(&try), "[\"LIMIT\",true,true]") == 0);
    CHECK_SAY(flight.made == 9, "%u reached the host", flight.made);
    land_all();
    /* answered ones do not count */
    try_run(&try, "const text = 'x'.repeat(1000000); let sum = 0;\n"
                  "for (let i = 0; i < 100; i++) sum += await h.size(text); sum");
    CHECK(strcmp(try_json(&try), "100000000") == 0);
    try_end(&try);
}

/* ---- bytes ---- */

/* The largest n for which `text` with N = n is well; between `fits` and `fails`, which are. */
static size_t edge(Try *try, const char *text, size_t fits, size_t fails)
{
    char whole[300];

    while (fails - fits > 1) {
        size_t middle = fits + (fails - fits) / 2;
        (void)snprintf(whole, sizeof whole, "const N = %zu; %s", middle, text);
        try_run(try, whole);
        *(try_status(try) == TN_OUTCOME_OK ? &fits : &fails) = middle;
    }
    (void)snprintf(whole, sizeof whole, "const N = %zu; %s", fits, text);
    try_run(try, whole);
    CHECK(try_ok(try));
    (void)snprintf(whole, sizeof whole, "const N = %zu; %s", fails, text);
    try_run(try, whole);
    CHECK(try_status(try) != TN_OUTCOME_OK);
    return fits;
}

static void argument_bytes(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .argument_bytes = 5000},
               .setup = add_functions};
    size_t most = edge(&try, "await h.size('a'.repeat(N))", 1000, 10000);

    CHECK_SAY(most <= 5000 && most >= 5000 - 16, "%zu", most);
    CHECK(try_failed(&try, "RangeError"));
    CHECK(strstr(try_error(&try)->message, "5000"));
    /* all arguments of a call together */
    most = edge(&try, "await h.size('a'.repeat(N), 'b'.repeat(1000))", 1000, 10000);
    CHECK_SAY(most <= 4000 && most >= 4000 - 32, "%zu", most);
    /* it is an error that a program can catch, and nothing reached the host */
    try_run(&try, "let e; try { await h.size('a'.repeat(9999)); } catch (x) { e = x.name; } e");
    CHECK(strcmp(try_json(&try), "\"RangeError\"") == 0);
    CHECK(tn_outcome_effect_count(try.outcome) == 0);
    try.limits.argument_bytes = 0;
    most = edge(&try, "await h.size('a'.repeat(N))", 1000, 3 << 20);
    CHECK_SAY(most <= 1 << 20 && most >= (1 << 20) - 16, "%zu", most);
    try_end(&try);
}

static void reply_bytes(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .reply_bytes = 5000}, .setup = add_functions};
    size_t most = edge(&try, "(await h.big(N)).length", 1000, 10000);

    CHECK_SAY(most <= 5000 && most >= 5000 - 16, "%zu", most);
    CHECK(strstr(try_error(&try)->message, "larger than the limit"));
    try_run(&try, "let e; try { await h.big(9999); } catch (x) { e = x.code; } e");
    CHECK(strcmp(try_json(&try), "\"LIMIT\"") == 0);
    try.limits.reply_bytes = 0;
    most = edge(&try, "(await h.big(N)).length", 1000, 20 << 20);
    CHECK_SAY(most <= 8 << 20 && most >= (8 << 20) - 16, "%zu", most);
    try_end(&try);
}

static void result_bytes(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .result_bytes = 5000}};
    size_t most = edge(&try, "return 'a'.repeat(N)", 1000, 10000);

    CHECK_SAY(most <= 5000 && most >= 5000 - 16, "%zu", most);
    CHECK(try_is_limit(&try, "result"));
    CHECK(strstr(try_error(&try)->message, "5000"));
    /* written out as a tree: what is shared counts each time */
    try_run(&try, "const s = 'a'.repeat(1000); return Array(6).fill([s])");
    CHECK(try_is_limit(&try, "result"));
    try_run(&try, "let v = ['x']; for (let i = 0; i < 40; i++) v = [v, v]; return v");
    CHECK(try_is_limit(&try, "result"));
    try.limits.result_bytes = 0;
    most = edge(&try, "return 'a'.repeat(N)", 1000, 3 << 20);
    CHECK_SAY(most <= 1 << 20 && most >= (1 << 20) - 16, "%zu", most);
    try_end(&try);
}

static size_t console_kept(const tn_outcome *outcome)
{
    size_t kept = 0;

    for (size_t i = 0; i < tn_outcome_console_count(outcome); i++)
        kept += tn_outcome_console(outcome, i)->length;
    return kept;
}

static bool console_has(const tn_outcome *outcome, const char *text)
{
    for (size_t i = 0; i < tn_outcome_console_count(outcome); i++) {
        if (strstr(tn_outcome_console(outcome, i)->text, text))
            return true;
    }
    return false;
}

static void console_bytes(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .console_bytes = 1000}};
    const tn_usage *usage;

    try_run(&try, "for (let i = 0; i < 10; i++) console.log('x'.repeat(100))");
    usage = tn_outcome_usage(try.outcome);
    CHECK(usage->console_bytes == 1000 && usage->console_dropped_bytes == 0);
    CHECK(tn_outcome_console_count(try.outcome) == 10 && console_kept(try.outcome) == 1000);
    try_run(&try,
            "console.log('head'); for (let i = 0; i < 1000; i++) console.log('x'.repeat(99)); "
            "console.log('tail')");
    usage = tn_outcome_usage(try.outcome);
    CHECK(try_ok(&try));
    CHECK(usage->console_bytes == 4 + 99000 + 4 && usage->console_dropped_bytes >= 98000);
    CHECK(console_kept(try.outcome) <= 1000 + 100);
    CHECK(console_has(try.outcome, "head") && console_has(try.outcome, "tail"));
    /* one giant line is cut, and never inside a character */
    try_run(&try, "console.log('é'.repeat(5000))");
    CHECK(console_kept(try.outcome) <= 1000 + 100);
    CHECK(tn_outcome_usage(try.outcome)->console_bytes == 10000);
    try_end(&try);
}

static void timers(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .timers = 10}};

    try_run(&try, "let n = 0; for (let i = 0; i < 10; i++) setTimeout(() => n++, 1); "
                  "await new Promise((yes) => queueMicrotask(yes)); 'set'");
    CHECK(strcmp(try_json(&try), "\"set\"") == 0);
    try_run(&try, "for (let i = 0; i < 11; i++) setTimeout(() => {}, 1)");
    CHECK(try_failed(&try, "RangeError"));
    CHECK(strstr(try_error(&try)->message, "10 timers"));
    /* waiting at one time: cleared and fired ones do not count */
    try_run(&try, "for (let i = 0; i < 100; i++) clearTimeout(setTimeout(() => {}, 1000)); "
                  "for (let i = 0; i < 30; i++) await new Promise((yes) => setTimeout(yes, 0)); 1");
    CHECK(strcmp(try_json(&try), "1") == 0);
    try.limits.timers = 0;
    try_run(&try, "for (let i = 0; i < 10000; i++) setTimeout(() => {}, 50000); 1");
    CHECK(strcmp(try_json(&try), "1") == 0);
    try_run(&try, "for (let i = 0; i < 10001; i++) setTimeout(() => {}, 50000); 1");
    CHECK(try_failed(&try, "RangeError"));
    try_end(&try);
}

/* ---- where limits come from ---- */

static void engine_and_run(void)
{
    Try try = {.engine_limits = {.size = sizeof(tn_limits), .calls = 3, .wall_ms = 100},
               .setup = add_functions};

    flight.made = 0;
    try_run(&try, "for (;;) await h.count()");
    CHECK(try_is_limit(&try, "calls"));
    CHECK(flight.made == 3);
    /* the run's own number wins, also when it is larger; what it leaves at zero is the engine's */
    try.limits = (tn_limits){.size = sizeof(tn_limits), .calls = 7};
    flight.made = 0;
    try_run(&try, "for (;;) await h.count()");
    CHECK(flight.made == 7);
    try_run(&try, "for (;;);");
    CHECK(try_is_limit(&try, "wall"));
    /* a struct of a caller built against a header that had fewer fields */
    try.limits = (tn_limits){.size = offsetof(tn_limits, calls), .calls = 9};
    flight.made = 0;
    try_run(&try, "for (;;) await h.count()");
    CHECK(flight.made == 3);
    try_end(&try);
}

static void stack_frames(void)
{
    Try try = {0};
    int64_t frames = 0;

    try_run(&try, "let n = 0; const f = () => { n++; f(); }; try { f(); } catch (e) "
                  "{ if (!(e instanceof RangeError)) throw e; } n");
    CHECK(try_ok(&try));
    (void)tn_value_int(tn_outcome_value(try.outcome), &frames);
    CHECK_SAY(frames >= 5000, "%lld frames", (long long)frames);
    try_end(&try);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"wall", wall}, {"cpu", cpu}, {"linger", linger}, {"memory", memory},
               {"memory edge", memory_edge}, {"source", source}, {"source default", source_default},
               {"depth", depth}, {"calls", calls}, {"calls open", calls_open},
               {"calls open at the end", calls_open_at_the_end}, {"calls held", calls_held},
               {"argument bytes", argument_bytes}, {"reply bytes", reply_bytes},
               {"result bytes", result_bytes}, {"console bytes", console_bytes}, {"timers", timers},
               {"engine and run", engine_and_run}, {"stack frames", stack_frames});
}
