/*
 * Every allocation of the host's side refused in turn: the library says so, or does without; it
 * never crashes, and in the end everything is given back. The allocator holds its callers to the
 * contract: it remembers sizes, moves every block, and poisons what is let go.
 */
#include <pthread.h>
#include <stdint.h>

#include "try.h"

typedef struct Stingy {
    pthread_mutex_t lock;
    size_t asked, refuse; /* refuse the one with this number; SIZE_MAX: none */
    bool refused, refuse_all_after;
    size_t bytes, blocks;
} Stingy;

typedef union Head {
    size_t bytes;
    max_align_t align;
} Head;

static Head *take_block(Stingy *stingy, size_t bytes)
{
    Head *head;

    if (stingy->asked++ == stingy->refuse || (stingy->refused && stingy->refuse_all_after)) {
        stingy->refused = true;
        return NULL;
    }
    head = malloc(sizeof *head + bytes);
    if (!head)
        abort();
    head->bytes = bytes;
    memset(head + 1, 0xCC, bytes);
    stingy->bytes += bytes;
    stingy->blocks++;
    return head;
}

static void give_block(Stingy *stingy, Head *head)
{
    stingy->bytes -= head->bytes;
    stingy->blocks--;
    memset(head + 1, 0xDD, head->bytes);
    free(head);
}

static void *stingy_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    Stingy *stingy = context;
    Head *head = old ? (Head *)old - 1 : NULL, *taken = NULL;

    pthread_mutex_lock(&stingy->lock);
    CHECK(!head || head->bytes == old_bytes);
    CHECK(head || new_bytes > 0);
    if (new_bytes > 0)
        taken = take_block(stingy, new_bytes);
    if (taken && head)
        memcpy(taken + 1, head + 1, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (head && (taken || new_bytes == 0))
        give_block(stingy, head);
    pthread_mutex_unlock(&stingy->lock);
    return taken ? taken + 1 : NULL;
}

/* ---- what is tried ---- */

static tn_call *deferred;

static void now(void *user, tn_call *call)
{
    (void)user;
    tn_put_array_begin(tn_call_result(call));
    tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
    tn_put_string(tn_call_result(call), "some text that is a little longer than nothing");
    tn_put_array_end(tn_call_result(call));
}

static void later(void *user, tn_call *call)
{
    (void)user;
    if (tn_call_defer(call) == TN_OK)
        deferred = call;
}

static void no(void *user, tn_call *call)
{
    (void)user;
    tn_call_fail(call, "ENO", "no, and here is why at some length", false);
}

static int released, referred;

static void release(void *object)
{
    (void)object;
    released++;
}

static void refer(void *user, tn_call *call)
{
    referred++;
    tn_put_reference(tn_call_result(call), "Thing", user, release);
}

static const char declared[] =
    "interface Thing { touch(x: { big: string } & Partial<Pair<number>>): any }\n"
    "type Pair<T> = { one: T; two?: Pair<T[]> | null };\n"
    "declare namespace h { function now(x: unknown): any; function now(x: Pair<Kind>, y: 1): any;\n"
    "  type Kind = 'a' | 'b' | { kind: Kind }; function no(x?: [Kind, ...Pair<Kind>[]]): never }\n"
    "declare module 'h' { export * from 'other'; export function later(x: string): any }\n";

static bool with_declarations;

static bool add_functions(tn_engine *engine)
{
    static const tn_method methods[] = {{"touch", now, NULL, TN_FUNCTION_SYNC}};

    return (!with_declarations ||
            tn_engine_add_declarations(engine, "h.d.ts", declared, sizeof declared - 1) == TN_OK) &&
           tn_engine_add_function(engine, "h.now", now, NULL, 0) == TN_OK &&
           tn_engine_add_function(engine, "h.later", later, NULL, 0) == TN_OK &&
           tn_engine_add_function(engine, "h.no", no, NULL, 0) == TN_OK &&
           tn_engine_add_interface(engine, "Thing", methods, 1) == TN_OK &&
           tn_engine_add_function(engine, "h.refer", refer, &released, TN_FUNCTION_SYNC) == TN_OK;
}

static const char text[] =
    "console.log('begun', { a: [1, 2] }); console.error(new Error('printed'));\n"
    "const got = [await h.now(input), await h.later('x')];\n"
    "try { await h.no(); } catch (e) { got.push(e.message); }\n"
    "const both = { one: { kind: 'c' } };\n"
    "try { await h.no(['a', both, both]); } catch (e) { got.push(e.message); }\n"
    "h.refer().touch({ big: 'y'.repeat(5000) }); h.no();\n"
    "for (let i = 0; i < 30; i++) console.log('line', i, 'z'.repeat(100));\n"
    "if (input.throws) throw new RangeError('thrown', { cause: got });\n"
    "return { got, map: new Map([[1, new Date(0)]]), n: 2n ** 70n };\n"
    "export function more(x) { return [x, x]; }\n";

static void drive(tn_run *run)
{
    tn_run_state state = TN_RUN_READY;
    int steps = 0;

    while (state != TN_RUN_DONE && steps++ < 100) {
        if (tn_run_step(run, &state) != TN_OK)
            break;
        if (deferred) {
            tn_put_string(tn_call_result(deferred), "answered later, and not at once");
            tn_call_finish(deferred);
            deferred = NULL;
        } else if (state == TN_RUN_WAITING && tn_run_wait(run, 2000) != TN_OK) {
            break;
        }
    }
    if (deferred) {
        tn_call_finish(deferred);
        deferred = NULL;
    }
}

static void show(const tn_outcome *outcome)
{
    char *shown = NULL;
    size_t length = 0;

    if (tn_outcome_json(outcome, &shown, &length) == TN_OK)
        CHECK(strlen(shown) == length);
    tn_text_free(shown);
    for (int style = TN_TEXT_PERSON; style <= TN_TEXT_MODEL; style++) {
        shown = NULL;
        if (tn_outcome_text(outcome, (tn_text_style)style, 100, &shown, &length) == TN_OK)
            CHECK(strlen(shown) == length);
        tn_text_free(shown);
    }
    shown = NULL;
    if (tn_value_json(tn_outcome_value(outcome), &shown, &length) == TN_OK)
        CHECK(strlen(shown) == length);
    tn_text_free(shown);
}

/* A run, its outcome, an exported function, its outcome. True if all was well. */
static bool run_all(tn_program *program, tn_value input)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_outcome *outcome = NULL, *second = NULL;
    tn_run *run = NULL;
    bool well;

    options.input = input;
    options.zone = "Europe/Paris";
    if (tn_run_start(program, &options, &run) != TN_OK)
        return false;
    drive(run);
    well = tn_run_outcome(run, &outcome) == TN_OK;
    if (well)
        show(outcome);
    if (well && tn_run_call(run, "more", tn_value_view("\x81\x61x", 3)) == TN_OK) {
        drive(run);
        if (tn_run_outcome(run, &second) == TN_OK)
            show(second);
    }
    well = well && tn_outcome_status_of(outcome) == TN_OUTCOME_OK && second &&
           tn_outcome_status_of(second) == TN_OUTCOME_OK;
    tn_outcome_free(second);
    tn_outcome_free(outcome);
    tn_run_free(run);
    return well;
}

/* From an engine to its end. True if all was well, false if something was refused and told. */
static bool whole_life(const tn_allocator *allocator, tn_value input)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;
    tn_program *program = NULL;
    bool well = false;

    options.allocator = allocator;
    options.limits.size = sizeof options.limits;
    options.limits.linger_ms = 1;
    options.limits.wall_ms = 5000;
    if (tn_engine_new(&options, &engine) == TN_OK && add_functions(engine) &&
        tn_program_new(engine, text, sizeof text - 1, NULL, &program) == TN_OK)
        well = run_all(program, input);
    tn_program_free(program);
    tn_engine_free(engine);
    return well;
}

static void refuse_in_turn(bool all_after, const char *input_json)
{
    Stingy stingy = {.lock = PTHREAD_MUTEX_INITIALIZER, .refuse_all_after = all_after};
    tn_allocator allocator = {&stingy, stingy_resize};
    tn_writer *writer = NULL;
    tn_value input = try_input(&writer, input_json);
    size_t round = 0;
    bool well;

    do {
        stingy = (Stingy){
            .lock = PTHREAD_MUTEX_INITIALIZER, .refuse = round, .refuse_all_after = all_after};
        released = referred = 0;
        well = whole_life(&allocator, input);
        CHECK_SAY(stingy.blocks == 0 && stingy.bytes == 0, "%zu: %zu blocks, %zu bytes are left",
                  round, stingy.blocks, stingy.bytes);
        CHECK_SAY(released == referred, "%zu: %d objects, %d released", round, referred, released);
        if (check_wrong_ > 20)
            break;
        round++;
    } while (stingy.refused && round < 5000);
    CHECK(well || strstr(input_json, "\"throws\":true"));
    (void)fprintf(stderr, "       %zu allocations\n", round - 1);
    tn_writer_free(writer);
}

static void each_in_turn(void)
{
    with_declarations = true;
    refuse_in_turn(false, "{\"input\":{\"a\":[1,2,3]}}");
    with_declarations = false;
}

static void each_and_all_after(void)
{
    refuse_in_turn(true, "{\"input\":{\"a\":[1,2,3]}}");
}

static void each_of_a_failure(void)
{
    refuse_in_turn(false, "{\"input\":{\"throws\":true}}");
}

/* A program that does not parse, and one stopped by a limit. */
static void each_of(const char *program_text, uint32_t wall_ms)
{
    Stingy stingy = {.refused = true};
    tn_allocator allocator = {&stingy, stingy_resize};

    for (size_t round = 0; stingy.refused && round < 5000 && check_wrong_ <= 20; round++) {
        tn_engine_options options = TN_INIT(tn_engine_options);
        Try try = {0};
        stingy = (Stingy){.lock = PTHREAD_MUTEX_INITIALIZER, .refuse = round};
        options.allocator = &allocator;
        options.limits = (tn_limits){.size = sizeof(tn_limits), .wall_ms = wall_ms};
        if (tn_engine_new(&options, &try.engine) == TN_OK && add_functions(try.engine) &&
            tn_program_new(try.engine, program_text, strlen(program_text), NULL, &try.program) ==
                TN_OK &&
            tn_run_program(try.program, NULL, &try.outcome) == TN_OK)
            show(try.outcome);
        try_end(&try);
        CHECK_SAY(stingy.blocks == 0, "%zu: %zu blocks are left", round, stingy.blocks);
    }
}

static void each_of_a_refusal(void)
{
    each_of("let a = ;\n/* not a program */", 5000);
}

static void each_of_a_limit(void)
{
    each_of("console.log('x'); h.now(1); for (;;);", 5);
}

/* The engine works after it was refused something: the next program, the next run. */
static void refused_once_then_well(void)
{
    Stingy stingy = {.lock = PTHREAD_MUTEX_INITIALIZER, .refuse = SIZE_MAX};
    tn_allocator allocator = {&stingy, stingy_resize};
    Try try = {.allocator = &allocator};

    CHECK(try_gives(&try, "1 + 1", "2"));
    for (size_t n = 0; n < 200; n++) {
        tn_program *program = NULL;
        tn_outcome *outcome = NULL;
        stingy.refuse = stingy.asked + n;
        stingy.refused = false;
        if (tn_program_new(try.engine, "[1, 2].map((x) => x * 2)", 24, NULL, &program) == TN_OK)
            (void)!tn_run_program(program, NULL, &outcome);
        tn_outcome_free(outcome);
        tn_program_free(program);
        stingy.refuse = SIZE_MAX;
        CHECK(try_gives(&try, "1 + 1", "2"));
        if (!stingy.refused)
            break;
    }
    try_end(&try);
    CHECK(stingy.blocks == 0);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"each in turn", each_in_turn},
               {"each and all after", each_and_all_after}, {"each of a failure", each_of_a_failure},
               {"each of a refusal", each_of_a_refusal}, {"each of a limit", each_of_a_limit},
               {"refused once, then well", refused_once_then_well});
}
