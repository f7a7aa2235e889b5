/* What a program exports, kept by the host: functions, classes, instances and their methods. */
#include <string.h>

#include "try.h"

/* Arguments: "[...]" as JSON. */
static tn_value arguments_of(tn_writer **out_writer, const char *json)
{
    CHECK(tn_writer_new(out_writer) == TN_OK);
    CHECK(tn_put_json(*out_writer, json, strlen(json)) == TN_OK);
    return tn_writer_value(*out_writer);
}

/* Does the outcome give this JSON, or, if `expected` begins with "!", an error with this text? */
static bool ends_as(tn_outcome *outcome, const char *expected)
{
    const tn_error *error = tn_outcome_error(outcome);
    char *json = NULL;
    size_t length = 0;
    bool right;

    if (expected[0] == '!') {
        right = error && strstr(error->message, expected + 1);
        CHECK_SAY(right, "%s: %s", expected, error ? error->message : "ok");
        return right;
    }
    CHECK_SAY(!error, "%s: %s", expected, error ? error->message : "");
    if (error || !CHECK(tn_value_json(tn_outcome_value(outcome), &json, &length) == TN_OK))
        return false;
    right = strcmp(json, expected) == 0;
    CHECK_SAY(right, "%s is not %s", json, expected);
    tn_text_free(json);
    return right;
}

static bool calls(tn_handle *handle, const char *method, const char *json, const char *expected)
{
    tn_writer *writer = NULL;
    tn_outcome *outcome = NULL;
    bool right = false;

    if (CHECK(tn_handle_call(handle, method, arguments_of(&writer, json), &outcome) == TN_OK))
        right = ends_as(outcome, expected);
    tn_outcome_free(outcome);
    tn_writer_free(writer);
    return right;
}

static tn_handle *export_of(Try *try, const char *name, tn_handle_kind kind)
{
    tn_run_options options = try_options(try);
    tn_handle *handle = NULL;
    tn_outcome *outcome = NULL;

    CHECK(tn_program_export(try->program, name, &options, &handle, &outcome) == TN_OK);
    CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_OK);
    if (CHECK(handle != NULL))
        CHECK(tn_handle_kind_of(handle) == kind);
    tn_outcome_free(outcome);
    return handle;
}

static tn_handle *instance_of(tn_handle *from, const char *json, const char *fails)
{
    tn_writer *writer = NULL;
    tn_handle *instance = NULL;
    tn_outcome *outcome = NULL;

    if (CHECK(tn_handle_construct(from, arguments_of(&writer, json), &instance, &outcome) ==
              TN_OK)) {
        CHECK((instance != NULL) == (fails == NULL));
        if (fails)
            ends_as(outcome, fails);
    }
    tn_outcome_free(outcome);
    tn_writer_free(writer);
    return instance;
}

static const char text[] =
    "let n = 0;\n"
    "export function up(by) { n += by ?? 1; return n; }\n"
    "export class Counter {\n"
    "  #at; static made = 0;\n"
    "  constructor(at) { if (at < 0) throw new RangeError('below zero'); this.#at = at; n = at;\n"
    "    Counter.made++; }\n"
    "  add(by) { return this.#at += by; }\n"
    "  async later(by) { await null; return this.add(by); }\n"
    "  get size() { return this.#at; }\n"
    "  fail() { throw new TypeError('no'); }\n"
    "  static count() { return Counter.made; }\n"
    "}\n"
    "export const shop = { open: () => 'open', total: 5, inner: new Counter(3) };\n"
    "export const five = 5; export const nothing = null;\n";

static void functions(void)
{
    Try try = {0};
    tn_handle *up, *twice = NULL;
    char expected[16];

    if (!try_program(&try, text))
        return;
    up = export_of(&try, "up", TN_HANDLE_FUNCTION);
    for (int i = 1; i <= 1000; i++) {
        snprintf(expected, sizeof expected, "%d", 3 + i);
        if (!calls(up, NULL, "[]", expected))
            break;
    }
    tn_handle_free(up);
    /* the default export of such a program is its value, which cannot cross: not looked at */
    if (try_program(&try, "export default async (x) => { await null; return x * 2; };"))
        twice = export_of(&try, "default", TN_HANDLE_FUNCTION);
    calls(twice, NULL, "[21]", "42");
    CHECK(tn_handle_type(twice) == NULL);
    tn_handle_free(twice);
    /* one of nothing is not called before it is asked to */
    if (try_program(&try, "let n = 0; export default function () { return ++n; }"))
        twice = export_of(&try, "default", TN_HANDLE_FUNCTION);
    calls(twice, NULL, "[]", "1");
    tn_handle_free(twice);
    tn_handle_free(NULL);
    try_end(&try);
}

static void classes(void)
{
    Try try = {0};
    tn_handle *counter, *first, *second;

    if (!try_program(&try, text))
        return;
    counter = export_of(&try, "Counter", TN_HANDLE_CLASS);
    first = instance_of(counter, "[10]", NULL);
    second = instance_of(counter, "[20]", NULL);
    CHECK(tn_handle_kind_of(first) == TN_HANDLE_OBJECT);
    calls(first, "add", "[1]", "11");
    calls(second, "add", "[2]", "22");
    calls(first, "later", "[1]", "12");
    calls(first, "fail", "[]", "!no");
    calls(first, "add", "[0]", "12"); /* a call that threw changed nothing */
    calls(first, "size", "[]", "!there is no function size");
    calls(first, "missing", "[]", "!there is no function missing");
    calls(counter, "count", "[]", "3");
    calls(counter, NULL, "[1]", "!class constructors must be invoked with 'new'");
    CHECK(instance_of(counter, "[-1]", "!below zero") == NULL);
    /* instances live on without their class's handle, and places are used again */
    tn_handle_free(counter);
    tn_handle_free(first);
    calls(second, "add", "[0]", "22");
    tn_handle_free(second);
    try_end(&try);
}

static void misuse(void)
{
    Try try = {0};
    tn_handle *up, *shop, *made;
    tn_outcome *outcome = NULL;
    tn_writer *writer = NULL;
    tn_value none;

    if (!try_program(&try, text))
        return;
    none = arguments_of(&writer, "[]");
    CHECK(tn_program_export(try.program, "missing", NULL, &up, NULL) == TN_ERR_NOT_FOUND);
    CHECK(tn_program_export(try.program, "five", NULL, &up, NULL) == TN_ERR_NOT_FOUND);
    CHECK(tn_program_export(try.program, "nothing", NULL, &up, &outcome) == TN_ERR_NOT_FOUND);
    CHECK(up == NULL && outcome == NULL);
    up = export_of(&try, "up", TN_HANDLE_FUNCTION);
    CHECK(tn_handle_call(up, NULL, tn_value_view("\x01", 1), &outcome) == TN_ERR_ARGUMENT);
    CHECK(tn_handle_construct(up, none, &made, &outcome) == TN_ERR_ARGUMENT && !made && !outcome);
    tn_handle_free(up);
    shop = export_of(&try, "shop", TN_HANDLE_OBJECT);
    calls(shop, "open", "[]", "\"open\"");
    calls(shop, "total", "[]", "!there is no function total");
    calls(shop, NULL, "[]", "!not a function");
    tn_handle_free(shop);
    tn_writer_free(writer);
    try_end(&try);
    /* a program that fails, or is refused, exports nothing and says why */
    if (try_program(&try, "export function f() {} throw new Error('early')")) {
        CHECK(tn_program_export(try.program, "f", NULL, &up, &outcome) == TN_OK && !up);
        ends_as(outcome, "!early");
        tn_outcome_free(outcome);
    }
    if (try_program(&try, "export function f( {}")) {
        CHECK(tn_program_export(try.program, "f", NULL, &up, &outcome) == TN_OK && !up);
        CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_REFUSED);
        tn_outcome_free(outcome);
    }
    try_end(&try);
}

/* Handles of one run share its realm, which outlives the run's own end. */
static void shared(void)
{
    Try try = {0};
    tn_handle *up, *counter, *instance;

    if (!try_start(&try, text))
        return;
    CHECK(tn_run_export(try.run, "up", &up) == TN_ERR_STATE);
    try_finish(&try);
    CHECK(tn_run_export(try.run, "up", &up) == TN_OK);
    CHECK(tn_run_export(try.run, "Counter", &counter) == TN_OK);
    CHECK(tn_handle_run(up) == try.run && tn_handle_run(counter) == try.run);
    tn_run_free(try.run);
    try.run = NULL;
    calls(up, NULL, "[]", "4");
    instance = instance_of(counter, "[50]", NULL);
    tn_handle_free(counter);
    calls(up, NULL, "[]", "51");
    tn_handle_free(up);
    calls(instance, "add", "[1]", "51");
    tn_handle_free(instance);
    try_end(&try);
}

/* A limit ends the realm and all its handles; the program goes on elsewhere. */
static void limits(void)
{
    Try try = {.limits = {.size = sizeof(tn_limits), .wall_ms = 150}};
    tn_handle *spin, *other;
    tn_outcome *outcome = NULL;
    tn_writer *writer = NULL;
    tn_value none = arguments_of(&writer, "[]");

    if (!try_program(&try, "export function spin() { for (;;); }\n"
                           "export class Trap { constructor() { for (;;); } }\n"
                           "export const big = () => 'x'.repeat(4 << 20);"))
        return;
    spin = export_of(&try, "spin", TN_HANDLE_FUNCTION);
    CHECK(tn_run_export(tn_handle_run(spin), "Trap", &other) == TN_OK);
    CHECK(tn_handle_call(spin, NULL, none, &outcome) == TN_OK);
    CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_LIMIT);
    tn_outcome_free(outcome);
    CHECK(tn_handle_call(spin, NULL, none, &outcome) == TN_ERR_STATE && !outcome);
    tn_handle_free(spin);
    tn_handle_free(other);
    other = export_of(&try, "Trap", TN_HANDLE_CLASS);
    CHECK(tn_handle_construct(other, none, &spin, &outcome) == TN_OK && !spin);
    CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_LIMIT);
    tn_outcome_free(outcome);
    tn_handle_free(other);
    other = export_of(&try, "big", TN_HANDLE_FUNCTION);
    CHECK(tn_handle_call(other, NULL, none, &outcome) == TN_OK);
    CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_LIMIT);
    tn_outcome_free(outcome);
    tn_handle_free(other);
    tn_writer_free(writer);
    try_end(&try);
}

/* Driven step by step, with many instances held and let go. */
static void stepwise(void)
{
    enum { MANY = 300 };
    Try try = {0};
    tn_handle *counter, *instances[MANY];
    tn_writer *writer = NULL;
    tn_value two = arguments_of(&writer, "[2]");
    char json[16], expected[16];

    if (!try_program(&try, text))
        return;
    counter = export_of(&try, "Counter", TN_HANDLE_CLASS);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            snprintf(json, sizeof json, "[%d]", i);
            instances[i] = instance_of(counter, json, NULL);
        }
        for (int i = 0; i < MANY; i++) {
            snprintf(expected, sizeof expected, "%d", i + 1);
            calls(instances[i], "add", "[1]", expected);
            tn_handle_free(instances[i]);
        }
    }
    instances[0] = instance_of(counter, "[5]", NULL);
    CHECK(tn_handle_start(instances[0], "later", two) == TN_OK);
    CHECK(tn_handle_start(instances[0], "later", two) == TN_ERR_STATE);
    try.run = tn_handle_run(instances[0]);
    try_finish(&try);
    CHECK_SAY(strcmp(try_json(&try), "7") == 0, "%s", try_json(&try));
    try.run = NULL;
    /* freed while a call of it goes on */
    CHECK(tn_handle_start(instances[0], "later", two) == TN_OK);
    tn_handle_free(instances[0]);
    tn_handle_free(counter);
    tn_writer_free(writer);
    try_end(&try);
}

/* The type it was asked with, which the check held it to where there is a compiler. */
static void typed(void)
{
    static const char source[] = "export function f(a) { return a + 1; }";
    tn_export asked[] = {{"f", "(a: number) => number"}, {"g", NULL}};
    tn_program_options options = TN_INIT(tn_program_options);
    Try try = {0};
    tn_handle *f;

    options.exports = asked;
    options.export_count = 1;
    if (!try_engine(&try) ||
        !CHECK(tn_program_new(try.engine, source, strlen(source), &options, &try.program) == TN_OK))
        return;
    f = export_of(&try, "f", TN_HANDLE_FUNCTION);
    CHECK(strcmp(tn_handle_type(f), "(a: number) => number") == 0);
    calls(f, NULL, "[1]", "2");
    tn_handle_free(f);
    try_end(&try);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"functions", functions}, {"classes", classes}, {"misuse", misuse},
               {"shared", shared}, {"limits", limits}, {"stepwise", stepwise}, {"typed", typed});
}
