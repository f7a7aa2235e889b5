/*
 * Host functions: answered at once, later, from other threads, too late, never; objects that cross
 * by reference; exported functions called again and again; runs inside runs.
 */
#include <pthread.h>
#include <unistd.h>

#include "try.h"

/* ---- answers ---- */

static void add(void *user, tn_call *call)
{
    (void)user;
    tn_put_number(tn_call_result(call), tn_value_number(tn_call_argument(call, 0)) +
                                            tn_value_number(tn_call_argument(call, 1)));
}

static void silent(void *user, tn_call *call)
{
    (void)user, (void)call;
}

static void two_values(void *user, tn_call *call)
{
    (void)user;
    tn_put_int(tn_call_result(call), 1);
    tn_put_int(tn_call_result(call), 2);
}

static void half_a_value(void *user, tn_call *call)
{
    (void)user;
    tn_put_array_begin(tn_call_result(call));
    tn_put_int(tn_call_result(call), 1);
}

static void fails_after_result(void *user, tn_call *call)
{
    (void)user;
    tn_put_int(tn_call_result(call), 1);
    tn_call_fail(call, NULL, "after all", true);
}

static void tries_to_defer(void *user, tn_call *call)
{
    *(tn_status *)user = tn_call_defer(call);
    tn_put_string(tn_call_result(call), "at once");
}

static void everything(void *user, tn_call *call)
{
    tn_writer *w = tn_call_result(call);
    (void)user;

    tn_put_object_begin(w);
    tn_put_key(w, "undefined");
    tn_put_undefined(w);
    tn_put_key(w, "null");
    tn_put_null(w);
    tn_put_key(w, "bool");
    tn_put_bool(w, true);
    tn_put_key(w, "number");
    tn_put_number(w, -0.5);
    tn_put_key(w, "text");
    tn_put_text(w, "a\0b", 3);
    tn_put_key(w, "bytes");
    tn_put_bytes(w, "\0\1", 2);
    tn_put_key(w, "date");
    tn_put_date(w, 86400000);
    tn_put_key(w, "json");
    CHECK(tn_put_json(w, "[1,{\"a\":2}]", 11) == TN_OK);
    tn_put_key(w, "array");
    tn_put_array_begin(w);
    tn_put_value(w, tn_call_argument(call, 0));
    tn_put_array_end(w);
    tn_put_object_end(w);
}

static tn_status defer_status;

static void add_answers(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.add", add, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.addLater", add, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.silent", silent, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.two", two_values, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.half", half_a_value, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.after", fails_after_result, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.defer", tries_to_defer, &defer_status,
                                 TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.all", everything, NULL, TN_FUNCTION_SYNC) == TN_OK);
}

static void answers(void)
{
    Try try = {.setup = add_answers};

    CHECK(try_gives(&try, "h.add(2, 3)", "5"));
    CHECK(try_gives(&try, "h.addLater(2, 3) instanceof Promise", "true"));
    CHECK(try_gives(&try, "await h.addLater(2, 3)", "5"));
    CHECK(try_gives(&try, "import { add } from 'h'; add(20, 3)", "23"));
    CHECK(try_gives(&try, "import h2, * as all from 'h'; h2.add === h.add && all.add === h.add",
                    "true"));
    CHECK(try_gives(&try, "String(h.silent())", "\"undefined\""));
    for (int i = 0; i < 2; i++) {
        try_run(&try, i ? "await h.half()" : "await h.two()");
        CHECK(try_failed(&try, "Error"));
        CHECK(strstr(try_error(&try)->message, "exactly one value"));
    }
    try_run(&try, "await h.after()");
    CHECK(try_failed(&try, "Error") && strcmp(try_error(&try)->message, "after all") == 0);
    CHECK(try_error(&try)->retryable);
    CHECK(try_gives(&try, "h.defer()", "\"at once\"") && defer_status == TN_ERR_STATE);
    CHECK(try_gives(&try,
                    "const o = h.all('x'); [Object.keys(o).length, o.text.length, o.bytes[1], "
                    "o.date.toISOString(), o.json[1].a, o.array[0], o.number, 'undefined' in o]",
                    "[9,3,1,\"1970-01-02T00:00:00.000Z\",2,\"x\",-0.5,true]"));
    try_end(&try);
}

/* ---- what a call knows ---- */

static char seen[200];

static void look(void *user, tn_call *call)
{
    (void)snprintf(seen, sizeof seen, "%s %u %zu %s %s %d %d", tn_call_name(call),
                   tn_call_line(call), tn_call_count(call), (char *)user,
                   (char *)tn_call_context(call), tn_call_object(call) != NULL,
                   tn_value_type(tn_call_argument(call, 5)) == TN_TYPE_NONE);
}

static char user_text[] = "user", context_text[] = "context";

static void add_look(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "a.b.look", look, user_text, 0) == TN_OK);
}

static void what_a_call_knows(void)
{
    Try try = {.setup = add_look, .context = context_text};

    try_run(&try, "\n\nawait a.b.look(1, 'x')");
    CHECK(try_ok(&try));
    CHECK_SAY(strcmp(seen, "a.b.look 3 2 user context 0 1") == 0, "%s", seen);
    if (CHECK(tn_outcome_effect_count(try.outcome) == 1)) {
        const tn_effect *effect = tn_outcome_effect(try.outcome, 0);
        CHECK(strcmp(effect->name, "a.b.look") == 0 && effect->line == 3 && effect->ok &&
              !effect->open && effect->error[0] == 0);
    }
    CHECK(try_gives(&try, "import { look } from 'a.b'; typeof look", "\"function\""));
    try_end(&try);
}

/* ---- other threads ---- */

enum { MANY = 200 };

static void *finish_it(void *call)
{
    usleep((useconds_t)(rand() % 3000));
    tn_put_int(tn_call_result(call), 1);
    tn_call_finish(call);
    return NULL;
}

static void elsewhere(void *user, tn_call *call)
{
    pthread_t thread;
    (void)user;

    if (!CHECK(tn_call_defer(call) == TN_OK))
        return;
    if (CHECK(pthread_create(&thread, NULL, finish_it, call) == 0))
        pthread_detach(thread);
}

/* The answer comes before the function that deferred it returns. */
static void at_once_elsewhere(void *user, tn_call *call)
{
    pthread_t thread;
    (void)user;

    if (CHECK(tn_call_defer(call) == TN_OK) &&
        CHECK(pthread_create(&thread, NULL, finish_it, call) == 0))
        pthread_join(thread, NULL);
}

static void finishes_itself(void *user, tn_call *call)
{
    (void)user;
    if (!CHECK(tn_call_defer(call) == TN_OK))
        return;
    tn_put_int(tn_call_result(call), 1);
    tn_call_finish(call);
}

static void add_elsewhere(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.elsewhere", elsewhere, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.atOnce", at_once_elsewhere, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.itself", finishes_itself, NULL, 0) == TN_OK);
}

static void other_threads(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .calls = 2000, .calls_open = 64},
               .setup = add_elsewhere};

    CHECK(try_gives(&try, "(await Promise.all(Array.from({ length: 200 }, h.elsewhere))).length",
                    "200"));
    CHECK(
        try_gives(&try, "let n = 0; for (let i = 0; i < 50; i++) n += await h.atOnce(); n", "50"));
    CHECK(
        try_gives(&try, "let n = 0; for (let i = 0; i < 50; i++) n += await h.itself(); n", "50"));
    CHECK(try_gives(&try,
                    "let n = 0; const all = [h.itself, h.atOnce, h.elsewhere]; await Promise.all("
                    "Array.from({ length: 90 }, async (_, i) => { const one = await all[i % 3](); "
                    "n += one; })); n",
                    "90"));
    try_end(&try);
}

/* ---- too late ---- */

static tn_call *kept[8];
static size_t kept_count;
static int told;

static void told_of_cancel(void *user)
{
    CHECK(user == &told);
    told++;
}

static void keep(void *user, tn_call *call)
{
    (void)user;
    if (CHECK(tn_call_defer(call) == TN_OK) && CHECK(kept_count < 8))
        kept[kept_count++] = call;
}

static void keep_and_ask(void *user, tn_call *call)
{
    keep(user, call);
    CHECK(!tn_call_cancelled(call));
    tn_call_on_cancel(call, told_of_cancel, &told);
}

static void add_keep(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.keep", keep, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.ask", keep_and_ask, NULL, 0) == TN_OK);
}

static void *finish_kept(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < kept_count; i++) {
        CHECK(tn_call_cancelled(kept[i]));
        CHECK(tn_value_type(tn_call_argument(kept[i], 0)) == TN_TYPE_OBJECT);
        CHECK(tn_call_context(kept[i]) == NULL || tn_call_context(kept[i]) == context_text);
        tn_put_string(tn_call_result(kept[i]), "too late");
        tn_call_finish(kept[i]);
    }
    kept_count = 0;
    return NULL;
}

static void too_late(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 60},
               .setup = add_keep,
               .context = context_text};
    pthread_t thread;

    /* after the run; after run, program and engine; from another thread */
    for (int when = 0; when < 3; when++) {
        told = 0;
        try_run(&try, "h.keep({ a: 1 }); h.ask({ b: 2 }); await h.ask({ c: 3 })");
        CHECK(try_is_limit(&try, "wall"));
        CHECK(kept_count == 3 && told == 2);
        CHECK(tn_outcome_effect_count(try.outcome) == 3 && tn_outcome_effect(try.outcome, 2)->open);
        if (when == 1)
            try_end(&try);
        if (when == 2 && CHECK(pthread_create(&thread, NULL, finish_kept, NULL) == 0))
            pthread_join(thread, NULL);
        else
            finish_kept(NULL);
        CHECK(told == 2);
    }
    /* told of what already happened */
    try_run(&try, "await h.keep({})");
    told = 0;
    if (CHECK(kept_count == 1)) {
        tn_call_on_cancel(kept[0], told_of_cancel, &told);
        CHECK(told == 1);
    }
    finish_kept(NULL);
    try_end(&try);
}

/* Answered in time: nobody is told anything. */
static void not_cancelled(void)
{
    Try try = {.setup = add_keep};
    tn_run_state state = TN_RUN_READY;

    told = 0;
    if (!try_start(&try, "await h.ask({})"))
        return;
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    if (CHECK(kept_count == 1)) {
        tn_put_int(tn_call_result(kept[0]), 4);
        tn_call_finish(kept[0]);
    }
    kept_count = 0;
    try_finish(&try);
    CHECK(strcmp(try_json(&try), "4") == 0 && told == 0);
    try_end(&try);
    CHECK(told == 0);
}

/* ---- references ---- */

typedef struct Counter {
    int value, released;
} Counter;

static Counter counters[4];
static int counters_made;

static void release_counter(void *object)
{
    ((Counter *)object)->released++;
}

static void counter_new(void *user, tn_call *call)
{
    Counter *counter = &counters[counters_made++ % 4];
    (void)user;

    tn_put_reference(tn_call_result(call), "Counter", counter, release_counter);
}

static void counter_up(void *user, tn_call *call)
{
    Counter *counter = tn_call_object(call);
    (void)user;

    if (CHECK(counter != NULL))
        tn_put_int(tn_call_result(call), ++counter->value);
}

static void counter_same(void *user, tn_call *call)
{
    (void)user;
    tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

static void counter_fails(void *user, tn_call *call)
{
    counter_new(user, call);
    tn_call_fail(call, NULL, "made and dropped", false);
}

static void counter_pair(void *user, tn_call *call)
{
    tn_put_array_begin(tn_call_result(call));
    counter_new(user, call);
    counter_new(user, call);
    tn_put_array_end(tn_call_result(call));
}

static void wrong_interface(void *user, tn_call *call)
{
    (void)user;
    tn_put_reference(tn_call_result(call), "Nothing", &counters[0], release_counter);
}

static void cursor_new(void *user, tn_call *call)
{
    (void)user;
    tn_put_reference(tn_call_result(call), "Cursor", call, NULL);
}

static void add_counters(tn_engine *engine)
{
    static const tn_method methods[] = {{"up", counter_up, NULL, TN_FUNCTION_SYNC},
                                        {"upLater", counter_up, NULL, 0}};
    static const tn_method cursor[] = {{"next", silent, NULL, TN_FUNCTION_SYNC}};

    memset(counters, 0, sizeof counters);
    counters_made = 0;
    CHECK(tn_engine_add_interface(engine, "Counter", methods, 2) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Cursor", cursor, 1) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.counter", counter_new, NULL, TN_FUNCTION_SYNC) ==
          TN_OK);
    CHECK(tn_engine_add_function(engine, "h.later", counter_new, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.pair", counter_pair, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.same", counter_same, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "h.fails", counter_fails, NULL, TN_FUNCTION_SYNC) ==
          TN_OK);
    CHECK(tn_engine_add_function(engine, "h.wrong", wrong_interface, NULL, TN_FUNCTION_SYNC) ==
          TN_OK);
    CHECK(tn_engine_add_function(engine, "h.cursor", cursor_new, NULL, TN_FUNCTION_SYNC) == TN_OK);
}

/* Every object that was made was released once. */
static bool all_released(int made)
{
    int released = 0;

    for (int i = 0; i < 4; i++) {
        released += counters[i].released;
        counters[i] = (Counter){0};
    }
    if (counters_made != made || released != made)
        (void)fprintf(stderr, "    %d made, %d released, not %d\n", counters_made, released, made);
    made = made == counters_made && released == made;
    counters_made = 0;
    return made;
}

static void references(void)
{
    Try try = {.setup = add_counters};

    CHECK(try_gives(&try, "const c = h.counter(); c.up(); c.up(); c.up()", "3"));
    CHECK(all_released(1));
    CHECK(try_gives(&try, "const c = await h.later(); await c.upLater()", "1"));
    CHECK(all_released(1));
    CHECK(try_gives(&try, "const [a, b] = h.pair(); a.up(); [a.up(), b.up(), a === b]",
                    "[2,1,false]"));
    CHECK(all_released(2));
    CHECK(try_gives(&try, "const c = h.counter(); c.up(); h.same(c).up()", "2"));
    CHECK(all_released(1));
    CHECK(try_gives(&try, "let m; try { h.fails(); } catch (e) { m = e.message; } m",
                    "\"made and dropped\""));
    CHECK(all_released(1));
    try_run(&try, "h.wrong()");
    CHECK(try_status(&try) == TN_OUTCOME_FAILED);
    CHECK(counters[0].released == 1);
    counters[0] = (Counter){0};
    try_run(&try, "h.counter(); throw 1");
    CHECK(all_released(1));
    try.limits = (tn_limits){.size = sizeof(tn_limits), .wall_ms = 50};
    try_run(&try, "h.counter(); for (;;);");
    CHECK(try_is_limit(&try, "wall") && all_released(1));
    try_end(&try);
}

static void references_misused(void)
{
    static const char *const wrongs[] = {
        "h.counter().up.call({})",
        "h.counter().up.call(h.cursor())",
        "h.counter().up.call(null)",
        "Object.getPrototypeOf(h.counter()).up()",
        "Object.create(h.counter()).up()",
        "new Proxy(h.counter(), {}).up()",
        "structuredClone(h.counter()).up()",
        "const c = h.counter(); c.up = () => 99; c.up()",
        "Object.getPrototypeOf(h.counter()).more = 1",
        "Reflect.construct(h.counter().constructor, []).up()",
    };
    Try try = {.setup = add_counters};

    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        try_run(&try, wrongs[i]);
        CHECK_SAY(try_status(&try) == TN_OUTCOME_FAILED && counters[0].value == 0, "%s: %s",
                  wrongs[i], tn_outcome_status_text(try_status(&try)));
        CHECK(all_released(counters_made));
    }
    /* as data it is opaque */
    CHECK(try_gives(&try, "const c = h.counter(); [Object.keys(c), JSON.stringify(c), String(c)]",
                    "[[],\"{}\",\"[object Counter]\"]"));
    /* in the result it is a reference, by interface */
    try_run(&try, "return h.counter()");
    CHECK(tn_value_type(tn_outcome_value(try.outcome)) == TN_TYPE_REFERENCE);
    CHECK_SAY(strstr(try_json(&try), "\"interface\":\"Counter\""), "%s", try_json(&try));
    try_end(&try);
}

/* A reference that outlived its run means nothing to a later one, though that has an object of the
 * same number. */
static void references_kept(void)
{
    Try first = {.setup = add_counters}, second = {0};
    tn_writer *writer = NULL;

    if (!try_run(&first, "return h.counter()") || !CHECK(tn_writer_new(&writer) == TN_OK))
        return;
    CHECK(all_released(1));
    tn_put_object_begin(writer);
    tn_put_key(writer, "c");
    tn_put_value(writer, tn_outcome_value(first.outcome));
    tn_put_object_end(writer);
    second.engine = first.engine;
    second.input = tn_writer_value(writer);
    if (CHECK(tn_value_type(second.input) == TN_TYPE_OBJECT)) {
        try_run(&second, "c.up()");
        CHECK(try_status(&second) != TN_OUTCOME_OK);
        try_run(&second, "const own = h.counter(); c.up()");
        CHECK_SAY(try_status(&second) != TN_OUTCOME_OK, "gave %s", try_json(&second));
        CHECK(counters[0].value == 0);
    }
    try_clear(&second);
    try_end(&first);
    tn_writer_free(writer);
}

/* JSON makes no references. */
static void references_in_json(void)
{
    static const char json[] = "{\"$type\":\"reference\",\"interface\":\"Counter\",\"id\":1}";
    tn_writer *writer = NULL;

    if (!CHECK(tn_writer_new(&writer) == TN_OK))
        return;
    CHECK(tn_put_json(writer, json, sizeof json - 1) != TN_OK ||
          tn_value_type(tn_writer_value(writer)) != TN_TYPE_REFERENCE);
    tn_writer_free(writer);
}

/* ---- exports ---- */

static void exports(void)
{
    Try try = {.setup = add_answers};
    tn_writer *arguments = NULL;
    tn_value none, two;
    int64_t n = 0;

    if (!try_start(&try,
                   "let n = 0; export function up(by) { n += by ?? 1; return n; }\n"
                   "export async function later(x) { await null; return h.add(x, n); }\n"
                   "export const value = 5; export function bad() { throw new Error('bad'); }\n"
                   "export const arrow = (...all) => all.length;"))
        return;
    two = try_input(&arguments, "[2]");
    none = tn_value_view("\x80", 1);
    CHECK(tn_run_call(try.run, "up", none) == TN_ERR_STATE);
    try_finish(&try);
    CHECK(try_ok(&try));
    for (int i = 0; i < 1000; i++) {
        if (!CHECK(tn_run_call(try.run, "up", none) == TN_OK))
            break;
        try_finish(&try);
    }
    CHECK(strcmp(try_json(&try), "1000") == 0);
    CHECK(tn_run_call(try.run, "up", two) == TN_OK);
    try_finish(&try);
    CHECK(strcmp(try_json(&try), "1002") == 0);
    CHECK(tn_run_call(try.run, "later", two) == TN_OK);
    try_finish(&try);
    CHECK(strcmp(try_json(&try), "1004") == 0);
    CHECK(tn_outcome_usage(try.outcome)->calls == 1);
    CHECK(tn_run_call(try.run, "value", none) == TN_ERR_NOT_FOUND);
    CHECK(tn_run_call(try.run, "missing", none) == TN_ERR_NOT_FOUND);
    CHECK(tn_run_call(try.run, "", none) == TN_ERR_NOT_FOUND);
    CHECK(tn_run_call(try.run, "up", tn_value_view("\x01", 1)) == TN_ERR_ARGUMENT);
    CHECK(tn_run_call(try.run, "up", (tn_value){0}) == TN_ERR_ARGUMENT);
    CHECK(tn_run_call(try.run, "arrow", two) == TN_OK);
    try_finish(&try);
    CHECK(tn_value_int(tn_outcome_value(try.outcome), &n) && n == 1);
    CHECK(tn_run_call(try.run, "bad", none) == TN_OK);
    try_finish(&try);
    CHECK(try_failed(&try, "Error") && try_error(&try)->line == 3);
    CHECK(tn_run_call(try.run, "up", none) == TN_OK); /* the realm is as it was */
    try_finish(&try);
    CHECK(strcmp(try_json(&try), "1003") == 0);
    tn_writer_free(arguments);
    try_end(&try);
}

/* Each call has its own limits, counted from zero. */
static void exports_limits(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .calls = 3, .wall_ms = 150},
               .setup = add_answers};
    tn_value none = tn_value_view("\x80", 1);

    if (!try_start(&try,
                   "export function three() { h.add(1, 1); h.add(1, 1); return h.add(1, 1); }\n"
                   "export function spin() { for (;;); }\n"
                   "export async function wait() { await new Promise(() => {}); }"))
        return;
    try_finish(&try);
    for (int i = 0; i < 5; i++) {
        CHECK(tn_run_call(try.run, "three", none) == TN_OK);
        try_finish(&try);
        CHECK(strcmp(try_json(&try), "2") == 0);
        CHECK(tn_outcome_effect_count(try.outcome) == 3);
        usleep(40000);
    }
    CHECK(tn_run_call(try.run, "spin", none) == TN_OK);
    try_finish(&try);
    CHECK(try_is_limit(&try, "wall"));
    CHECK(tn_run_call(try.run, "three", none) == TN_ERR_STATE);
    try_clear(&try);
    if (try_start(&try, "export async function wait() { await new Promise(() => {}); }")) {
        try_finish(&try);
        CHECK(tn_run_call(try.run, "wait", none) == TN_OK);
        try_finish(&try);
        CHECK(try_failed(&try, "StuckError"));
    }
    try_end(&try);
}

/* Each call has its own time, whatever the run before it used; and the program's clock goes on. */
static void exports_later(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 300, .linger_ms = 20}};
    tn_value none = tn_value_view("\x80", 1);

    if (!try_start(&try, "const began = Date.now();\n"
                         "export function since() { return Date.now() - began >= 350; }\n"
                         "export const tick = () => new Promise(r => setTimeout(r, 5, 'ticked'));"))
        return;
    try_finish(&try);
    /* a last tick may cut a sleep short */
    for (double until_ms = check_now_ms() + 400; check_now_ms() < until_ms;)
        usleep(20000);
    CHECK(tn_run_call(try.run, "since", none) == TN_OK);
    try_finish(&try);
    CHECK_SAY(strcmp(try_json(&try), "true") == 0, "%s", try_json(&try));
    CHECK(tn_run_call(try.run, "tick", none) == TN_OK);
    try_finish(&try);
    CHECK_SAY(strcmp(try_json(&try), "\"ticked\"") == 0, "%s", try_json(&try));
    try_end(&try);
}

static void finish_not_deferred(void *user, tn_call *call)
{
    (void)user;
    tn_put_int(tn_call_result(call), 7);
    tn_call_finish(call);
}

static void add_finisher(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.f", finish_not_deferred, NULL, 0) == TN_OK);
}

/* A call that was not deferred answers by returning; finishing it changes nothing. */
static void finish_without_defer(void)
{
    Try try = {.setup = add_finisher};

    if (!try_start(&try, "[await h.f(), await h.f()]"))
        return;
    try_finish(&try);
    CHECK_SAY(strcmp(try_json(&try), "[7,7]") == 0, "%s", try_json(&try));
    try_end(&try);
}

static void exports_many_arguments(void)
{
    Try try = {0};
    tn_writer *writer = NULL;

    if (!try_start(&try, "export function count(...all) { return all.length; }"))
        return;
    try_finish(&try);
    if (!CHECK(tn_writer_new(&writer) == TN_OK))
        return;
    tn_put_array_begin(writer);
    for (int i = 0; i < 100; i++)
        tn_put_int(writer, i);
    tn_put_array_end(writer);
    CHECK(tn_run_call(try.run, "count", tn_writer_value(writer)) == TN_OK);
    try_finish(&try);
    CHECK_SAY(strcmp(try_json(&try), "100") == 0, "%s", try_json(&try));
    tn_writer_free(writer);
    try_end(&try);
}

/* ---- runs inside runs ---- */

static void run_another(void *user, tn_call *call)
{
    Try *outer = user;
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    tn_run_options options = try_options(outer);
    size_t length = 0;
    const char *text = tn_value_text(tn_call_argument(call, 0), &length);

    if (CHECK(tn_program_new(outer->engine, text, length, NULL, &program) == TN_OK) &&
        CHECK(tn_run_program(program, &options, &outcome) == TN_OK)) {
        if (tn_outcome_status_of(outcome) == TN_OUTCOME_OK)
            tn_put_value(tn_call_result(call), tn_outcome_value(outcome));
        else
            tn_call_fail(call, tn_outcome_error(outcome)->code, tn_outcome_error(outcome)->message,
                         false);
    }
    tn_outcome_free(outcome);
    tn_program_free(program);
}

static Try *nesting;

static void add_run(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "h.run", run_another, nesting, TN_FUNCTION_SYNC) == TN_OK);
}

static void nested(tn_bounds bounds)
{
    Try try = {
        .bounds = bounds, .setup = add_run, .limits = {.size = sizeof(tn_limits), .wall_ms = 400}};
    double start_ms;

    nesting = &try;
    CHECK(try_gives(&try, "globalThis.n = 1; h.run('typeof n') + n", "\"undefined1\""));
    CHECK(try_gives(&try, "h.run('h.run(\"h.run(`40 + 2`)\")')", "42"));
    CHECK(try_gives(&try,
                    "let m; try { h.run('throw new Error(\"inner\")'); } catch (e) "
                    "{ m = e.message; } [m, 1]",
                    "[\"inner\",1]"));
    /* recursion inside is its own; the outer one goes on */
    CHECK(try_gives(&try,
                    "let m; try { h.run('(function f() { f(); })()'); } catch (e) "
                    "{ m = e.name; } [m, (() => 7)()]",
                    "[\"Error\",7]"));
    /* a deadline inside ends both, in time */
    start_ms = check_now_ms();
    try_run(&try, "try { h.run('for (;;);'); } catch {} for (;;);");
    CHECK(try_is_limit(&try, "wall"));
    CHECK_SAY(check_now_ms() - start_ms < 400 + 1500, "%.1f ms", check_now_ms() - start_ms);
    start_ms = check_now_ms();
    try_run(&try, "h.run('Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)')");
    CHECK(try_status(&try) != TN_OUTCOME_OK);
    CHECK_SAY(check_now_ms() - start_ms < 400 + 1500, "%.1f ms", check_now_ms() - start_ms);
    CHECK(try_gives(&try, "1 + 1", "2"));
    try_end(&try);
}

static void nested_guard(void)
{
    nested(TN_BOUNDS_GUARD);
}

static void nested_checked(void)
{
    nested(TN_BOUNDS_CHECKED);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"answers", answers}, {"what a call knows", what_a_call_knows},
               {"other threads", other_threads}, {"too late", too_late},
               {"not cancelled", not_cancelled}, {"references", references},
               {"references misused", references_misused}, {"references kept", references_kept},
               {"references in JSON", references_in_json}, {"exports", exports},
               {"exports, limits", exports_limits}, {"exports, later", exports_later},
               {"finish without defer", finish_without_defer},
               {"exports, many arguments", exports_many_arguments}, {"nested guard", nested_guard},
               {"nested checked", nested_checked});
}
