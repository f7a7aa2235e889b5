/* The public run: starting, driving, waiting, ending. What a step does is in pipeline.c. */
#include "whole.h"

#include <string.h>

#include "base.h"
#include "clock.h"
#include "memory.h"
#include "value.h"

static tn_run_options read_options(const tn_run_options *options)
{
    tn_run_options result = {.size = sizeof result};

    if (options)
        memcpy(&result, options, options->size < sizeof result ? options->size : sizeof result);
    if (result.limits.size == 0)
        result.limits.size = sizeof result.limits;
    return result;
}

static uint64_t deadline_after(uint64_t from_ns, uint64_t ms)
{
    return from_ns + ms * 1000000u;
}

/* A value may be a part of a larger document, whose shared parts it refers to. */
static tn_status copy_value(tn_value value, Buf *out)
{
    tn_writer *writer;
    tn_status status = tn_writer_new(&writer);

    if (status != TN_OK)
        return status;
    tn_put_value(writer, value);
    tn_value whole = tn_writer_value(writer);
    if (tn_value_type(whole) == TN_TYPE_NONE)
        status = TN_ERR_ARGUMENT;
    else
        buf_append(out, whole.start, (size_t)(whole.end - whole.start));
    tn_writer_free(writer);
    return status != TN_OK ? status : buf_status(out);
}

/* An input is copied: it is asked for when the run begins, in another call. */
static tn_status take_input(tn_run *run, tn_value input)
{
    if (tn_value_type(input) == TN_TYPE_NONE)
        return input.document ? TN_ERR_ARGUMENT : TN_OK;
    if (tn_value_type(input) != TN_TYPE_OBJECT)
        return TN_ERR_ARGUMENT;
    return copy_value(input, &run->input);
}

/* There is no locale data yet: what the realm does is what these do. */
static bool is_known_locale(const char *tag)
{
    return strcmp(tag, "en-US") == 0 || strcmp(tag, "en") == 0;
}

static tn_status prepare(tn_run *run, const tn_run_options *options)
{
    tn_engine *engine = run->program->engine;
    CallLimits call_limits;
    CallTerms terms = {options->policy, options->ask, options->ask_user};
    tn_status status = take_input(run, options->input);

    if (status == TN_OK && options->locale && !is_known_locale(options->locale))
        status = TN_ERR_ARGUMENT;
    if (status == TN_OK && options->zone)
        status = zone_load(&run->allocator, options->zone, &run->zone);
    if (status == TN_ERR_NOT_FOUND)
        return TN_ERR_ARGUMENT;
    if (status != TN_OK)
        return status;
    run->wake = wake_new(&run->allocator);
    if (!run->wake)
        return TN_ERR_NOMEM;
    call_limits = (CallLimits){run->limits.calls, run->limits.calls_open, run->limits.reply_bytes,
                               run->limits.argument_bytes, run->limits.memory_bytes};
    journal_init(&run->journal, &run->allocator, (size_t)run->limits.calls + 1);
    calls_init(&run->calls, &run->allocator, &engine->registry, &run->journal, run->wake,
               &call_limits, __atomic_add_fetch(&engine->run_count, 1, __ATOMIC_RELAXED),
               options->context);
    console_init(&run->console, &run->allocator, (size_t)run->limits.console_bytes);
    run->now_ms = options->now_ms != 0 ? options->now_ms : clock_wall_ms();
    run->seeded = options->seed != NULL;
    run->random_state = options->seed ? *options->seed : 0;
    run->origin_ns = run->start_ns = watch_now_ns();
    run->wall_deadline_ns = deadline_after(run->start_ns, run->limits.wall_ms);
    run->calls.wall_deadline_ns = run->wall_deadline_ns;
    status = calls_set_terms(&run->calls, &terms);
    if (status != TN_OK)
        return status;
    run->log = options->journal;
    run->durable = options->journal_level == TN_JOURNAL_DURABLE;
    run->label = options->label;
    if (run->log && options->policy)
        (void)digest_hex(options->policy->spelled.data, options->policy->spelled.length,
                         run->policy_hash);
    return written_begin(run, NULL);
}

tn_status tn_run_start(tn_program *program, const tn_run_options *options, tn_run **out_run)
{
    tn_run_options chosen = read_options(options);
    tn_engine *engine = program->engine;
    tn_run *run = memory_new(&engine->allocator, sizeof *run);
    tn_status status;

    if (!run)
        return TN_ERR_NOMEM;
    run->users = 1;
    run->program = program;
    run->allocator = engine->allocator;
    run->limits = limits_resolve(&chosen.limits, &engine->limits);
    buf_init(&run->input, &run->allocator, SIZE_MAX);
    buf_init(&run->call_name, &run->allocator, SIZE_MAX);
    buf_init(&run->call_arguments, &run->allocator, SIZE_MAX);
    status = prepare(run, &chosen);
    if (status != TN_OK) {
        tn_run_free(run);
        return status;
    }
    *out_run = run;
    return TN_OK;
}

tn_status tn_run_step(tn_run *run, tn_run_state *out_state)
{
    if (run->phase == RUN_DONE) {
        *out_state = TN_RUN_DONE;
        return TN_OK;
    }
    return pipeline_step(run, out_state);
}

tn_status tn_run_wait(tn_run *run, int timeout_ms)
{
    uint64_t until_ns = run->wake_ns;

    if (run->phase == RUN_DONE || run->phase == RUN_NEW || run->phase == RUN_CALL)
        return TN_OK;
    if (timeout_ms >= 0) {
        uint64_t most_ns = deadline_after(watch_now_ns(), (uint64_t)timeout_ms);
        if (most_ns < until_ns)
            until_ns = most_ns;
    }
    wake_wait(run->wake, until_ns);
    return TN_OK;
}

int tn_run_fd(tn_run *run)
{
    int descriptor = wake_descriptor(run->wake);

    /* before its first step a run is ready by itself */
    wake_set_time(run->wake, run->phase == RUN_NEW || run->phase == RUN_CALL ? 0 : run->wake_ns);
    return descriptor;
}

void tn_run_cancel(tn_run *run)
{
    run->cancelled = true;
    wake_signal(run->wake);
}

tn_status tn_run_outcome(tn_run *run, tn_outcome **out_outcome)
{
    if (run->phase != RUN_DONE || !run->outcome)
        return TN_ERR_STATE;
    *out_outcome = run->outcome;
    run->outcome = NULL;
    return TN_OK;
}

/* What belongs to one piece of work: its outcome, journal, console and clocks. */
static tn_status renew(tn_run *run)
{
    char before[RUN_ID_BYTES];

    memcpy(before, run->journal.run, sizeof before);
    tn_outcome_free(run->outcome);
    run->outcome = NULL;
    journal_release(&run->journal);
    journal_init(&run->journal, &run->allocator, (size_t)run->limits.calls + 1);
    console_release(&run->console);
    console_init(&run->console, &run->allocator, (size_t)run->limits.console_bytes);
    calls_renew(&run->calls);
    run->start_ns = watch_now_ns();
    run->wall_deadline_ns = deadline_after(run->start_ns, run->limits.wall_ms);
    run->calls.wall_deadline_ns = run->wall_deadline_ns;
    realm_renew(&run->realm, run->wall_deadline_ns);
    return written_begin(run, before);
}

tn_status run_begin_call(tn_run *run, RealmInvoke how, uint32_t held, const char *name,
                         tn_value arguments)
{
    if (run->phase != RUN_DONE || !run->keeps_realm)
        return TN_ERR_STATE;
    if (tn_value_type(arguments) != TN_TYPE_ARRAY)
        return TN_ERR_ARGUMENT;
    buf_clear(&run->call_name);
    buf_clear(&run->call_arguments);
    buf_append_string(&run->call_name, name);
    buf_append_byte(&run->call_name, 0);
    if (copy_value(arguments, &run->call_arguments) != TN_OK)
        return TN_ERR_NOMEM;
    if (run->call_name.failed || run->call_arguments.failed)
        return TN_ERR_NOMEM;
    run->call_how = how;
    run->call_held = held;
    run->is_call = true;
    TRY(renew(run));
    run->phase = RUN_CALL;
    wake_set_time(run->wake, 0);
    return TN_OK;
}

tn_status tn_run_call(tn_run *run, const char *export_name, tn_value arguments)
{
    if (run->phase != RUN_DONE || !run->keeps_realm)
        return TN_ERR_STATE;
    if (tn_value_type(arguments) != TN_TYPE_ARRAY)
        return TN_ERR_ARGUMENT;
    realm_renew(&run->realm, deadline_after(watch_now_ns(), run->limits.wall_ms));
    if (!realm_exports(&run->realm, export_name))
        return TN_ERR_NOT_FOUND;
    return run_begin_call(run, REALM_CALL_EXPORT, 0, export_name, arguments);
}

void tn_run_free(tn_run *run)
{
    tn_allocator allocator;

    if (!run || --run->users > 0)
        return;
    if (run->wake) {
        calls_release(&run->calls);
        if (run->has_realm)
            realm_close(&run->realm);
        console_release(&run->console);
        journal_release(&run->journal);
        wake_unref(run->wake);
    }
    tn_outcome_free(run->outcome);
    zone_free(run->zone);
    buf_release(&run->input);
    buf_release(&run->call_name);
    buf_release(&run->call_arguments);
    allocator = run->allocator;
    memory_free(&allocator, run, sizeof *run);
}

tn_status run_to_end(tn_run *run, tn_outcome **out_outcome)
{
    tn_run_state state = TN_RUN_READY;
    tn_status status = TN_OK;

    while (status == TN_OK && state != TN_RUN_DONE) {
        status = tn_run_step(run, &state);
        if (status == TN_OK && state == TN_RUN_WAITING)
            status = tn_run_wait(run, -1);
    }
    return status == TN_OK ? tn_run_outcome(run, out_outcome) : status;
}

tn_status tn_run_program(tn_program *program, const tn_run_options *options,
                         tn_outcome **out_outcome)
{
    tn_run *run;
    tn_status status = tn_run_start(program, options, &run);

    if (status != TN_OK)
        return status;
    status = run_to_end(run, out_outcome);
    tn_run_free(run);
    return status;
}
