/*
 * An engine that is taken over: while a program makes a host call, bytes anywhere in its realm's
 * memory are overwritten, as a program with a hole in the engine at hand could do. Whatever comes
 * of that run, the host lives on, the run ends in time, and the next one in the same slot is right.
 *
 * What is written: random bytes, numbers that look like addresses, lengths that are too large; to
 * the heap, to the words the host reads (the mailbox), to the pages the program has just used.
 */
#include <stdlib.h>

#include "../api/check.h"
#include "guest/abi.h"
#include "whole.h"

enum { RUNS = CHECK_ASAN ? 60 : 200, SLACK_MS = CHECK_ASAN ? 2000 : 450, WALL_MS = 250 };

static const char hostile[] =
    "const list = [], map = new Map(), text = ['a', 'b\\u{1F600}'];\n"
    "for (let i = 0; i < 200; i++) { list.push({ i, s: 'x' + i, f: i / 3 }); map.set('k' + i, "
    "list[i]); }\n"
    "for (let round = 0; round < 6; round++) {\n"
    "  host.break(round, list[round], [text]);\n"
    "  console.log('round', round, list.slice(0, 2), map);\n"
    "  try { JSON.parse(JSON.stringify([...map.values()].sort((a, b) => b.f - a.f))); } catch {}\n"
    "  text.push('y'.repeat(1000).replace(/y+?/g, 'zz')); list.push(new Uint8Array(3000), 2n ** "
    "99n);\n"
    "  await host.later(round, map); new Date().toString(); Math.random();\n"
    "  (function deep(n) { return n ? deep(n - 1) + 1 : 0; })(200);\n"
    "}\n"
    "setTimeout(() => console.log('late'), 1); Promise.reject(new Error('left'));\n"
    "return { list: list.slice(0, 50), map, text, error: new Error('e', { cause: list[1] }) };";

static const char honest[] =
    "const m = new Map([[1, 'one']]); let sum = 0; for (let i = 0; i < 99; i++) sum += i;\n"
    "await null; [sum, m.get(1), JSON.stringify({ a: [1] }), typeof list]";

typedef struct Breaker {
    tn_run *run;
    uint64_t random;
    unsigned broken; /* calls that broke something */
    unsigned calls;  /* of this run */
    bool off;
} Breaker;

static uint64_t next_random(Breaker *breaker)
{
    breaker->random ^= breaker->random << 13;
    breaker->random ^= breaker->random >> 7;
    breaker->random ^= breaker->random << 17;
    return breaker->random;
}

static uint32_t some_address(Breaker *breaker, const Slot *slot)
{
    const Image *image = slot->image;
    uint64_t random = next_random(breaker);
    size_t size = slot->memory->size, first = image->stack_end, at;
    const uint8_t *card;

    switch (random % 8) {
    case 0: /* what the host reads */
        return image->mailbox + (uint32_t)(random >> 8) % (uint32_t)sizeof(GuestMailbox);
    case 1: /* anywhere, the stack too */
        return (uint32_t)((random >> 8) % (size - 8));
    default: /* something that was written lately: the next marked card from a place on */
        at = first + (random >> 8) % (size - first - 8);
        card = memchr(slot->cards + at / ENGINE_CARD_SIZE, 1, (size - at) / ENGINE_CARD_SIZE);
        if (card)
            at = (size_t)(card - slot->cards) * ENGINE_CARD_SIZE +
                 next_random(breaker) % ENGINE_CARD_SIZE;
        return (uint32_t)at;
    }
}

static uint32_t some_word(Breaker *breaker, const Slot *slot)
{
    static const uint32_t odd[] = {0,          1,          0x7fffffff, 0x80000000,
                                   0xffffffff, 0xfffffff8, 0x10000000};
    uint64_t random = next_random(breaker);

    switch (random % 3) {
    case 0:
        return odd[(random >> 8) % (sizeof odd / sizeof *odd)];
    case 1: /* an address, of something else */
        return some_address(breaker, slot) & ~7u;
    default:
        return (uint32_t)(random >> 16);
    }
}

/* The engine's own stores mark their card, also those of one that was taken over. */
static void overwrite(Breaker *breaker)
{
    Slot *slot = breaker->run->realm.slot;
    unsigned count = 1u << (next_random(breaker) % 7);

    for (unsigned i = 0; i < count; i++) {
        uint32_t address = some_address(breaker, slot), word = some_word(breaker, slot);
        size_t length = next_random(breaker) % 4 ? 4 : 1;
        uint8_t *place = slot_bytes(slot, address, length);
        if (!place)
            continue;
        memcpy(place, &word, length);
        slot_mark(slot, address, length);
    }
    breaker->broken++;
}

static void break_in(void *user, tn_call *call)
{
    Breaker *breaker = tn_call_context(call);
    (void)user;

    breaker->calls++;
    if (!breaker->off && next_random(breaker) % 3 == 0)
        overwrite(breaker);
    tn_put_value(tn_call_result(call), tn_call_argument(call, 1));
}

static tn_engine *engine_for(bool guard)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;

    options.bounds = guard ? TN_BOUNDS_GUARD : TN_BOUNDS_CHECKED;
    if (!CHECK(tn_engine_new(&options, &engine) == TN_OK))
        return NULL;
    CHECK(tn_engine_add_function(engine, "host.break", break_in, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "host.later", break_in, NULL, 0) == TN_OK);
    return engine;
}

/* All of an outcome is read, as a door would. */
static tn_outcome_status read_all(tn_outcome *outcome)
{
    tn_outcome_status status = tn_outcome_status_of(outcome);
    char *text = NULL;
    size_t length = 0;

    if (CHECK(tn_outcome_json(outcome, &text, &length) == TN_OK))
        CHECK(length > 2 && text[0] == '{');
    tn_text_free(text);
    tn_outcome_free(outcome);
    return status;
}

static tn_outcome_status run_once(tn_program *program, Breaker *breaker)
{
    tn_run_options options = TN_INIT(tn_run_options);
    tn_run_state state = TN_RUN_READY;
    tn_outcome *outcome = NULL;
    tn_status status = TN_OK;
    double start_ms = check_now_ms();

    breaker->calls = 0;
    options.context = breaker;
    options.limits.size = sizeof options.limits;
    options.limits.wall_ms = breaker->off ? 10 * WALL_MS : WALL_MS;
    options.limits.linger_ms = 20;
    if (!CHECK(tn_run_start(program, &options, &breaker->run) == TN_OK))
        return TN_OUTCOME_CRASHED;
    while (status == TN_OK && state != TN_RUN_DONE) {
        status = tn_run_step(breaker->run, &state);
        if (status == TN_OK && state == TN_RUN_WAITING)
            status = tn_run_wait(breaker->run, -1);
    }
    CHECK_SAY(breaker->off || check_now_ms() - start_ms < WALL_MS + SLACK_MS, "%.1f ms",
              check_now_ms() - start_ms);
    CHECK(status == TN_OK && tn_run_outcome(breaker->run, &outcome) == TN_OK);
    tn_run_free(breaker->run);
    /* whatever the engine came to: what it called is known */
    CHECK(!outcome || tn_outcome_effect_count(outcome) >= breaker->calls);
    return outcome ? read_all(outcome) : TN_OUTCOME_CRASHED;
}

static bool answers_right(tn_program *program)
{
    static const char right[] = "[4851,\"one\",\"{\\\"a\\\":[1]}\",\"undefined\"]";
    tn_outcome *outcome = NULL;
    char *text = NULL;
    size_t length = 0;
    bool is_right = false;

    if (!CHECK(tn_run_program(program, NULL, &outcome) == TN_OK))
        return false;
    if (tn_value_json(tn_outcome_value(outcome), &text, &length) == TN_OK)
        is_right = strcmp(text, right) == 0;
    tn_text_free(text);
    tn_outcome_free(outcome);
    return is_right;
}

static void corrupt(bool guard)
{
    unsigned ends[TN_OUTCOME_CRASHED + 1] = {0};
    Breaker breaker = {.random = guard ? 88172645463325252u : 0x9e3779b97f4a7c15u};
    tn_engine *engine = engine_for(guard);
    tn_program *bad = NULL, *good = NULL;

    if (!engine)
        return;
    CHECK(tn_program_new(engine, hostile, sizeof hostile - 1, NULL, &bad) == TN_OK);
    CHECK(tn_program_new(engine, honest, sizeof honest - 1, NULL, &good) == TN_OK);
    breaker.off = true;
    CHECK(run_once(bad, &breaker) == TN_OUTCOME_OK);
    breaker.off = false;
    for (unsigned i = 0; i < RUNS && check_wrong_ == 0; i++) {
        tn_outcome_status status = run_once(bad, &breaker);
        if (status <= TN_OUTCOME_CRASHED)
            ends[status]++;
        CHECK_SAY(answers_right(good), "after run %u", i);
    }
    (void)printf(
        "    %u times overwritten; runs that ended ok %u, failed %u, limit %u, crashed %u\n",
        breaker.broken, ends[TN_OUTCOME_OK], ends[TN_OUTCOME_FAILED], ends[TN_OUTCOME_LIMIT],
        ends[TN_OUTCOME_CRASHED]);
    CHECK(breaker.broken > RUNS);
    CHECK(ends[TN_OUTCOME_CRASHED] > RUNS / 10);
    tn_program_free(bad);
    tn_program_free(good);
    tn_engine_free(engine);
}

static void corrupt_guard(void)
{
    corrupt(true);
}

static void corrupt_checked(void)
{
    corrupt(false);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"guard", corrupt_guard}, {"checked", corrupt_checked});
}
