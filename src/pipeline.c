/* A program's whole life, each line one folder of src/, in the order you would read them.
 *
 * pipeline_compile: text becomes a source, the source is read, checked and rid of its types
 * (front.c), and becomes a program frozen as the bytes by which it differs from an empty realm; or
 * findings that say why not. Findings are results, not failures.
 * pipeline_step: a run opens a realm for its program, begins, and is stepped whenever an answer or
 * a timer is due, until there is an outcome. Steps never wait. */
#include "whole.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "front.h"
#include "guest/abi.h"
#include "memory.h"
#include "report.h"

/* ---- the world of a realm: time, zone, chance, console ---- */

static double world_clock_ms(void *context, bool wall)
{
    tn_run *run = context;
    /* whole milliseconds: a finer clock is a tool for spying and for nothing a program needs */
    uint64_t whole_ms = (watch_now_ns() - run->origin_ns) / 1000000u;
    double ms = (double)whole_ms;

    return wall ? (double)(int64_t)run->now_ms + ms : ms;
}

static double world_zone_ms(void *context, double time_ms, bool is_local)
{
    tn_run *run = context;

    return zone_offset_ms(run->zone ? run->zone : run->program->engine->zone, time_ms, is_local);
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void world_random(void *context, uint8_t *bytes, size_t length)
{
    tn_run *run = context;

    while (length > 0) {
        uint64_t some = 0;
        size_t take = length < sizeof some ? length : sizeof some;
        ssize_t drawn;
        if (run->seeded) {
            some = next_random(&run->random_state);
            memcpy(bytes, &some, take);
        } else {
            drawn = getrandom(bytes, length < 256 ? length : 256, 0);
            if (drawn <= 0)
                continue;
            take = (size_t)drawn;
        }
        bytes += take;
        length -= take;
    }
}

static void world_print(void *context, unsigned level, const char *text, size_t length)
{
    tn_run *run = context;

    console_add(&run->console, level <= TN_LEVEL_ERROR ? (tn_level)level : TN_LEVEL_LOG,
                run_elapsed_ms(run), text, length);
}

static RealmWorld world_of(tn_run *run)
{
    return (RealmWorld){run, world_print, world_clock_ms, world_zone_ms, world_random};
}

/* Math.random need not be secret from the program, only unlike other runs'. */
static uint64_t math_seed(tn_run *run)
{
    tn_engine *engine = run->program->engine;
    uint64_t state;

    if (run->seeded)
        return next_random(&run->random_state);
    state = engine->seed_key + __atomic_fetch_add(&engine->seed_count, 1, __ATOMIC_RELAXED);
    return next_random(&state);
}

/* ---- compile ---- */

/* Programs that may hold on to a slot at one time. */
enum { WARM_PROGRAMS = 16 };

static uint64_t compile_deadline(const tn_engine *engine)
{
    return watch_now_ns() + (uint64_t)engine->limits.wall_ms * 1000000u;
}

static tn_status open_compiler(tn_engine *engine, Realm *out_realm)
{
    RealmLimits limits = {
        .memory_bytes = engine->limits.memory_bytes,
        .depth = engine->limits.depth,
        .wall_deadline_ns = compile_deadline(engine),
        .cpu_ns = (uint64_t)engine->limits.cpu_ms * 1000000u,
    };

    return realm_open(&engine->pool, NULL, &limits, NULL, NULL, out_realm);
}

/* Most programs are run once: keep the realm it was compiled in for that. Its cards are made when
 * they are needed, unless too many programs hold realms already. */
static tn_status keep_compiled(tn_program *program, Realm *realm)
{
    tn_engine *engine = program->engine;
    tn_status status;

    if (__atomic_add_fetch(&engine->warm_count, 1, __ATOMIC_RELAXED) <= WARM_PROGRAMS) {
        program->warm = realm_take_slot(realm);
        return TN_OK;
    }
    __atomic_fetch_sub(&engine->warm_count, 1, __ATOMIC_RELAXED);
    status = cards_capture(&engine->allocator, realm->slot, &program->cards);
    program->has_cards = status == TN_OK;
    return status;
}

typedef struct Compiling {
    Realm realm; /* to be closed unless it was not opened */
    RealmState state;
    bool done;
} Compiling;

static tn_status compile_once(tn_program *program, Compiling *out)
{
    uint32_t answer;
    tn_status status = TN_OK;

    if (out->realm.slot) /* the check had limits of its own */
        realm_renew(&out->realm, compile_deadline(program->engine));
    else
        status = open_compiler(program->engine, &out->realm);

    if (status != TN_OK)
        return status;
    out->state = realm_compile(&out->realm, program->javascript->text, program->javascript->length,
                               program->source->name, &answer);
    out->done = out->state == REALM_OK && answer == GUEST_COMPILED;
    if (out->state != REALM_NO_TIMER)
        return TN_OK;
    realm_close(&out->realm);
    return TN_ERR_UNAVAILABLE;
}

tn_status pipeline_on_large_stack(tn_engine *engine, void (*work)(void *argument), void *argument)
{
    Realm realm = {0};
    tn_status status = open_compiler(engine, &realm);

    if (status != TN_OK)
        return status;
    watch_on_stack(realm.slot, work, argument);
    realm_close(&realm);
    return TN_OK;
}

typedef struct Reading {
    tn_program *program;
    const tn_program_options *options;
    tn_status status;
} Reading;

static void read_inside(void *argument)
{
    Reading *reading = argument;

    reading->status = front_read(reading->program, reading->options);
}

/* On the realm's own stack, which is large: the reader recurses, and the caller's may be small. */
static tn_status read_program(tn_program *program, const tn_program_options *options,
                              Compiling *out)
{
    Reading reading = {program, options, TN_OK};
    tn_status status = open_compiler(program->engine, &out->realm);

    if (status != TN_OK)
        return status;
    watch_on_stack(out->realm.slot, read_inside, &reading);
    if (reading.status != TN_OK || !front_can_run(program))
        realm_close(&out->realm);
    return reading.status;
}

static tn_status compile_in_realm(tn_program *program, const tn_program_options *options)
{
    Compiling compiling = {0};
    tn_status status = read_program(program, options, &compiling);

    if (status == TN_OK && !front_can_run(program))
        return arena_status(&program->arena);
    if (status == TN_OK)
        status = compile_once(program, &compiling);
    if (status != TN_OK)
        return status;
    if (compiling.done) {
        report_compiled(program, realm_mailbox(&compiling.realm));
        status = keep_compiled(program, &compiling.realm);
        program->ready = status == TN_OK;
    } else {
        report_not_compiled(program, &compiling.realm, compiling.state);
    }
    realm_close(&compiling.realm);
    return status == TN_OK ? arena_status(&program->arena) : status;
}

/* Compile it again, this time to keep what that changes. */
static tn_status make_cards(tn_program *program)
{
    Compiling compiling = {0};
    tn_status status = compile_once(program, &compiling);

    if (status != TN_OK)
        return status;
    /* it compiled before: only a machine at its end keeps it from doing so again */
    status = TN_ERR_NOMEM;
    if (compiling.done)
        status = cards_capture(&program->engine->allocator, compiling.realm.slot, &program->cards);
    realm_close(&compiling.realm);
    return status;
}

tn_status pipeline_cards(tn_program *program)
{
    tn_status status = TN_OK;

    if (__atomic_load_n(&program->has_cards, __ATOMIC_ACQUIRE))
        return TN_OK;
    pthread_mutex_lock(&program->lock);
    if (!program->has_cards) {
        status = make_cards(program);
        __atomic_store_n(&program->has_cards, status == TN_OK, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&program->lock);
    return status;
}

tn_status pipeline_compile(tn_program *program, const tn_program_options *options, const char *text,
                           size_t length)
{
    uint64_t start_ns = watch_now_ns();
    Source *source;
    tn_status status;

    if (length > program->engine->limits.source_bytes) {
        status = source_load(&program->arena, options->name, "", 0, &source);
        program->source = source;
        if (status == TN_OK)
            report_too_long(program, length);
        return status;
    }
    status = source_load(&program->arena, options->name, text, length, &source);
    if (status != TN_OK)
        return status;
    program->source = source;
    status = compile_in_realm(program, options);
    program->compile_us = (double)(watch_now_ns() - start_ns) / 1e3;
    return status;
}

/* ---- run ---- */

static tn_status open_realm(tn_run *run)
{
    RealmLimits limits = {
        .memory_bytes = run->limits.memory_bytes,
        .argument_bytes = run->limits.argument_bytes,
        .reply_bytes = run->limits.reply_bytes,
        .result_bytes = run->limits.result_bytes,
        .depth = run->limits.depth,
        .timers = run->limits.timers,
        .cpu_ns = (uint64_t)run->limits.cpu_ms * 1000000u,
        .wall_deadline_ns = run->wall_deadline_ns,
    };
    RealmWorld world = world_of(run);
    CallPort port = calls_port(&run->calls);
    tn_program *program = run->program;
    Slot *warm = __atomic_exchange_n(&program->warm, NULL, __ATOMIC_ACQ_REL);
    tn_status status = TN_OK;

    if (warm) {
        __atomic_fetch_sub(&program->engine->warm_count, 1, __ATOMIC_RELAXED);
        realm_adopt(&program->engine->pool, warm, &limits, &world, &port, &run->realm);
    } else {
        status = pipeline_cards(program);
        if (status == TN_OK)
            status = realm_open(&program->engine->pool, &program->cards, &limits, &world, &port,
                                &run->realm);
    }
    if (status == TN_OK) {
        run->realm.entry.cancel = &run->cancelled;
        run->has_realm = true;
    }
    return status;
}

static void close_down(tn_run *run)
{
    run->phase = RUN_DONE;
    calls_cancel(&run->calls);
    run->realm.reply = (CallReply){0};
    if (!run->keeps_realm) {
        calls_release(&run->calls);
        if (run->has_realm)
            realm_close(&run->realm);
        run->has_realm = false;
    }
}

/* Can what the program exported be called now? A call that failed leaves the realm as it is. */
static bool may_keep_realm(const tn_run *run)
{
    tn_outcome_status status = tn_outcome_status_of(run->outcome);

    return (status == TN_OUTCOME_OK || (status == TN_OUTCOME_FAILED && run->is_call)) &&
           run->has_realm && !run->realm.dead;
}

/* The run is over: make its outcome of what there is, and end what is open. */
static tn_status finish(tn_run *run, RealmState state)
{
    tn_status status = report_outcome(run, state);

    run->keeps_realm = status == TN_OK && may_keep_realm(run);
    close_down(run);
    return status;
}

/* Not the program's doing: there is no outcome, only a status. */
static tn_status give_up(tn_run *run, tn_status status)
{
    run->keeps_realm = false;
    close_down(run);
    return status;
}

static bool past(uint64_t deadline_ns)
{
    return watch_now_ns() >= deadline_ns;
}

/* Nothing can be run now. Say when to look again; false if nothing will ever come. */
static bool set_wake(tn_run *run)
{
    const GuestMailbox *mailbox = realm_mailbox(&run->realm);
    uint64_t until_ns = calls_wall_deadline(&run->calls);
    uint64_t late_ns = calls_deadline(&run->calls);
    bool comes = calls_unanswered(&run->calls) > 0;

    if (mailbox->next_timer_ms >= 0) {
        /* the guest's number: it may be anything */
        double due_ms = mailbox->next_timer_ms < 1e12 ? mailbox->next_timer_ms : 1e12;
        uint64_t due_ns = run->origin_ns + (uint64_t)(due_ms * 1e6);
        if (due_ns < until_ns)
            until_ns = due_ns;
        comes = true;
    }
    if (late_ns < until_ns)
        until_ns = late_ns;
    if (run->phase == RUN_LINGERING && run->linger_until_ns < until_ns)
        until_ns = run->linger_until_ns;
    run->wake_ns = until_ns;
    wake_set_time(run->wake, until_ns);
    return comes;
}

/* Settled well: is there something open that is worth waiting a moment for? */
static bool should_linger(tn_run *run)
{
    const GuestMailbox *mailbox = realm_mailbox(&run->realm);
    double linger_ends_ms = (double)(run->linger_until_ns - run->origin_ns) / 1e6;

    if (past(run->linger_until_ns))
        return false;
    return mailbox->jobs_waiting || calls_unanswered(&run->calls) > 0 ||
           (mailbox->next_timer_ms >= 0 && !mailbox->intervals_only &&
            mailbox->next_timer_ms <= linger_ends_ms);
}

/* What a stay in the realm came to. */
static tn_status follow(tn_run *run, RealmState state, tn_run_state *out_state)
{
    *out_state = TN_RUN_DONE;
    if (state == REALM_NO_TIMER)
        return give_up(run, TN_ERR_UNAVAILABLE);
    if (state == REALM_OK && run->phase == RUN_GOING) {
        tn_status status = report_value(run);
        if (status == TN_ERR_ARGUMENT) {
            /* no engine that is whole writes such bytes */
            run->realm.dead = true;
            return finish(run, REALM_CRASHED);
        }
        if (status != TN_OK)
            return status;
        run->linger_until_ns = watch_now_ns() + (uint64_t)run->limits.linger_ms * 1000000u;
        /* what goes on after the value has until then, and no longer */
        if (run->linger_until_ns < run->realm.limits.wall_deadline_ns)
            run->realm.limits.wall_deadline_ns = run->linger_until_ns;
        run->calls.wall_deadline_ns = run->realm.limits.wall_deadline_ns;
        run->calls.hurried = true;
        run->phase = RUN_LINGERING;
        state = REALM_IDLE;
    }
    if (run->phase == RUN_LINGERING) {
        if (state != REALM_IDLE || !should_linger(run))
            return finish(run, state);
    } else if (state != REALM_WAITING) {
        return finish(run, state);
    }
    if (run->cancelled || past(calls_wall_deadline(&run->calls))) {
        run->realm.stop = run->cancelled ? STOP_CANCEL : STOP_WALL;
        return finish(run, run->phase == RUN_LINGERING ? REALM_IDLE : REALM_STOPPED);
    }
    if (realm_mailbox(&run->realm)->jobs_waiting) {
        *out_state = TN_RUN_READY;
        return TN_OK;
    }
    if (!set_wake(run))
        return finish(run, REALM_WAITING);
    *out_state = TN_RUN_WAITING;
    return TN_OK;
}

/* What people were asked meanwhile has put the deadline off. */
static RealmState turn(tn_run *run)
{
    run->realm.limits.wall_deadline_ns = calls_wall_deadline(&run->calls);
    return realm_turn(&run->realm);
}

static RealmState deliver_answers(tn_run *run)
{
    RealmState state = REALM_OK;
    tn_call *call;

    run->realm.limits.wall_deadline_ns = calls_wall_deadline(&run->calls);

    while (state == REALM_OK && (call = calls_next_done(&run->calls))) {
        CallDelivery answer = calls_delivery(call);
        RealmState delivered = realm_deliver(&run->realm, answer.call_id, answer.function,
                                             answer.failed, answer.bytes, answer.length);
        calls_delivered(&run->calls, call);
        if (delivered != REALM_WAITING)
            state = delivered;
    }
    return state;
}

static RealmState go_on(tn_run *run)
{
    RealmState state = deliver_answers(run);

    return state == REALM_OK ? turn(run) : state;
}

static tn_status step_once(tn_run *run, tn_run_state *out_state)
{
    tn_status status;

    if (!run->program->ready) {
        *out_state = TN_RUN_DONE;
        return finish(run, REALM_REFUSED);
    }
    wake_clear(run->wake);
    if (run->cancelled && (run->phase == RUN_NEW || run->phase == RUN_CALL)) {
        run->realm.stop = STOP_CANCEL;
        *out_state = TN_RUN_DONE;
        return finish(run, REALM_STOPPED);
    }
    switch (run->phase) {
    case RUN_NEW:
        status = open_realm(run);
        if (status != TN_OK)
            return status;
        run->phase = RUN_GOING;
        return follow(run,
                      realm_begin(&run->realm, math_seed(run), run->for_exports, run->input.data,
                                  run->input.length),
                      out_state);
    case RUN_CALL:
        run->realm.limits.wall_deadline_ns = run->wall_deadline_ns;
        run->phase = RUN_GOING;
        return follow(run,
                      realm_invoke(&run->realm, run->call_how, run->call_held,
                                   (const char *)run->call_name.data, run->call_arguments.data,
                                   run->call_arguments.length),
                      out_state);
    case RUN_GOING:
    case RUN_LINGERING:
        return follow(run, go_on(run), out_state);
    case RUN_DONE:
        break;
    }
    *out_state = TN_RUN_DONE;
    return TN_OK;
}

tn_status pipeline_step(tn_run *run, tn_run_state *out_state)
{
    tn_status status = step_once(run, out_state);

    /* the value was settled and reactions are left: they have until the end of the lingering */
    while (status == TN_OK && *out_state == TN_RUN_READY)
        status = follow(run, turn(run), out_state);
    return status;
}
