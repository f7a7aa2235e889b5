/*
 * Ten thousand hard stops on four threads, at whatever instruction the signal finds: not one of the
 * runs between them may be wrong. The polite stop is left out, and the grace with it: the stay
 * begins with the hard stop due, so the first tick of its timer takes the thread off the guest.
 */
#include <pthread.h>
#include <stdlib.h>

#include "memory.h"
#include "world.h"

enum { THREADS = 4, STOPS = CHECK_ASAN ? 300 : 2500 /* of each thread */ };

/* What is stopped: natives that never look, growth, calls, the collector, deep stacks. */
static const char *const endless[] = {
    "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "for (;;);",
    "for (;;) { const a = []; for (let i = 0; i < 50; i++) a.push(new Uint8Array(200000)); }",
    "for (;;) host.now(1, 'x', { a: [1] });",
    "/^(a+)+$/.test('a'.repeat(50) + '!')",
    "for (;;) [5, 3, 9, 1].sort().map(String).join().split(',');",
    "for (;;) JSON.parse(JSON.stringify({ a: [1, 2, { b: 'x'.repeat(100) }] }));",
    "for (;;) { let o = null; for (let i = 0; i < 5000; i++) o = { o, self: null }; o.self = o; }",
    "for (;;) { try { (function f() { f(); })(); } catch {} }",
    "for (;;) await null;",
    "const m = new Map(); for (let i = 0; ; i++) { m.set(i % 9999, [i]); m.delete(i % 77); }",
    "for (;;) { try { throw new Error('x', { cause: new Error('y').stack }); } catch {} }",
    "for (;;) console.log('x', { a: 1 });",
    "for (;;) new Date(2026, 2, 29, 2, 30).toString(); ",
    "for (;;) (3n ** 5000n).toString();",
};

/* What is checked in between, each by its answer: it writes `text` of the value's bytes. */
static const char checking[] =
    "const parts = ['b', 'a', 'c'].sort().map((x, i) => x.repeat(i + 1));\n"
    "let sum = 0; for (let i = 0; i < 300; i++) sum += i * i % 7;\n"
    "const m = new Map([[1, { n: sum }]]); m.set('k', JSON.parse('[1,2,{\"x\":3}]'));\n"
    "let caught; try { null.x; } catch (e) { caught = e instanceof TypeError; }\n"
    "await null;\n"
    "return [parts, m.get(1).n, m.get('k')[2].x, caught, typeof left, [].x, host.now(),\n"
    "  'aXbX'.replace(/x/gi, '-'), (2n ** 70n).toString(), new Uint8Array(70000).length];";

typedef struct Job {
    World *world;
    const ProgramCards *endless, *check;
    const uint8_t *right;
    size_t right_length;
    uint64_t random;
    int stops, stopped, returned, trapped, wrong, unlike;
} Job;

static uint64_t next_random(Job *job)
{
    job->random ^= job->random << 13;
    job->random ^= job->random >> 7;
    job->random ^= job->random << 17;
    return job->random;
}

static void begin_inside(void *argument)
{
    Slot *slot = argument;

    (void)slot->code->begin(slot->instance, 0, 0);
}

/* Enter with a stop that is due, to be taken out after `delay_ns` or at the next tick. */
static void stop_one(Job *job, const ProgramCards *cards, uint64_t delay_ns)
{
    Realm realm;
    EnterResult result;

    if (!world_run(job->world, cards, 60000, &realm))
        return;
    Entry entry = {.slot = realm.slot,
                   .wall_deadline_ns = watch_now_ns() + delay_ns,
                   .stop_flag = NULL,
                   .signal = job->world->signal,
                   .stop = STOP_WALL,
                   .stop_ns = 1};
    realm.slot->host.realm = &realm;
    result = watch_enter(&entry, begin_inside, realm.slot);
    job->stopped += result == ENTER_ABANDONED;
    job->returned += result == ENTER_RETURNED;
    job->trapped += result == ENTER_TRAPPED;
    realm.dead = result != ENTER_RETURNED; /* as realm.c does for its own stays */
    realm_close(&realm);
}

/* A slot that waits for its next run, perhaps the one just stopped, is the image. */
static bool is_image(Job *job)
{
    Slot *slot = pool_take(&job->world->pool);
    Look look = slot ? world_look(slot) : (Look){"memory of the machine", 0};

    if (look.what && job->unlike == 0)
        (void)fprintf(stderr, "    after a stop the %s differs at %zx\n", look.what, look.where);
    if (look.what)
        slot_free(memory_default(), slot);
    else
        pool_give(&job->world->pool, slot);
    return !look.what;
}

static bool check_one(Job *job)
{
    Realm realm;
    RealmState state;
    bool right = false;

    if (!world_run(job->world, job->check, 20000, &realm))
        return false;
    state = realm_begin(&realm, 1, false, NULL, 0);
    if (state == REALM_OK) {
        size_t length;
        const uint8_t *bytes = realm_out(&realm, &length);
        right = length == job->right_length && memcmp(bytes, job->right, length) == 0;
    }
    realm_close(&realm);
    return right;
}

static void *stop_many(void *argument)
{
    Job *job = argument;

    for (int i = 0; i < job->stops; i++) {
        const ProgramCards *cards =
            &job->endless[next_random(job) % (sizeof endless / sizeof *endless)];
        stop_one(job, cards, 20000 + next_random(job) % 400000);
        if (i % 2 == 0)
            job->wrong += !check_one(job);
        else
            job->unlike += !is_image(job);
    }
    return NULL;
}

/* The answer of a realm that nothing was stopped in. */
static bool learn(World *world, const ProgramCards *cards, uint8_t **out_right, size_t *out_length)
{
    Realm realm;
    size_t length = 0;
    bool done = false;

    if (!world_run(world, cards, 20000, &realm))
        return false;
    if (CHECK(realm_begin(&realm, 1, false, NULL, 0) == REALM_OK)) {
        const uint8_t *bytes = realm_out(&realm, &length);
        *out_right = malloc(length + 1);
        if (*out_right && CHECK(length > 50)) {
            memcpy(*out_right, bytes, length);
            *out_length = length;
            done = true;
        }
    }
    realm_close(&realm);
    return done;
}

static void stop_on_threads(World *world, const Job *like)
{
    pthread_t threads[THREADS];
    Job jobs[THREADS];
    int stopped = 0;

    for (int i = 0; i < THREADS; i++) {
        jobs[i] = *like;
        jobs[i].random = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
        CHECK(pthread_create(&threads[i], NULL, stop_many, &jobs[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_SAY(jobs[i].wrong == 0, "%d wrong results", jobs[i].wrong);
        CHECK_SAY(jobs[i].unlike == 0, "%d slots that were not the image", jobs[i].unlike);
        CHECK_SAY(jobs[i].trapped == 0, "%d traps", jobs[i].trapped);
        CHECK_SAY(jobs[i].returned == 0, "%d came back by themselves", jobs[i].returned);
        stopped += jobs[i].stopped;
    }
    CHECK_SAY(stopped == THREADS * like->stops, "%d stops", stopped);
    (void)world;
}

static void many_stops(bool guard)
{
    enum { COUNT = sizeof endless / sizeof *endless };
    ProgramCards cards[COUNT], check;
    World world;
    uint8_t *right = NULL;
    Job like = {
        .world = &world, .endless = cards, .check = &check, .stops = guard ? STOPS : STOPS / 5};

    if (!world_open(&world, guard))
        return;
    for (size_t i = 0; i < COUNT; i++) {
        if (!CHECK(world_compile(&world, endless[i], strlen(endless[i]), &cards[i])))
            return;
    }
    if (!CHECK(world_compile(&world, checking, sizeof checking - 1, &check)))
        return;
    if (learn(&world, &check, &right, &like.right_length)) {
        like.right = right;
        stop_on_threads(&world, &like);
    }
    free(right);
    for (size_t i = 0; i < COUNT; i++)
        cards_release(memory_default(), &cards[i]);
    cards_release(memory_default(), &check);
    world_close(&world);
}

static void stops_guard(void)
{
    many_stops(true);
}

static void stops_checked(void)
{
    many_stops(false);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"ten thousand stops", stops_guard},
               {"two thousand stops, checked", stops_checked});
}
