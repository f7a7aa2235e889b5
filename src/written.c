/* A run in its journal: how it began, and what came of it. Its calls are written where they are
 * made. */
#include "whole.h"

#include <string.h>

#include "cbor.h"
#include "clock.h"
#include "front.h"

tn_status written_begin(tn_run *run, const char *after)
{
    const Source *source = run->program->source;
    JournalBeginning beginning = {
        .time_ms = clock_wall_ms(),
        .name = source->name,
        .language = front_is_typescript(source->name) ? "typescript" : "javascript",
        .label = run->label,
        .policy = run->policy_hash,
        .after = after,
        .source = source->text,
        .source_length = source->length,
    };

    if (!run->log)
        return TN_OK;
    return journal_begin(&run->journal, run->log, run->durable, &beginning) ? TN_OK : TN_ERR_SYSTEM;
}

static void put_text(Buf *out, const char *name, const char *text)
{
    cbor_put_string(out, name, strlen(name));
    cbor_put_string(out, text, strlen(text));
}

static void put_number(Buf *out, const char *name, double number)
{
    cbor_put_string(out, name, strlen(name));
    cbor_put_number(out, number);
}

static void put_error(Buf *out, const tn_error *error)
{
    put_text(out, "name", error->name);
    put_text(out, "message", error->message);
    put_text(out, "code", error->code);
    put_number(out, "line", error->line);
    put_number(out, "column", error->column);
}

static void put_ending(Buf *out, const tn_outcome *outcome)
{
    const tn_error *error = tn_outcome_error(outcome);
    const tn_usage *usage = tn_outcome_usage(outcome);

    cbor_put_map(out, 2);
    cbor_put_string(out, "error", 5);
    cbor_put_map(out, error ? 5 : 0);
    if (error)
        put_error(out, error);
    cbor_put_string(out, "usage", 5);
    cbor_put_map(out, 5);
    put_number(out, "wallMs", usage->wall_ms);
    put_number(out, "cpuMs", usage->cpu_ms);
    put_number(out, "compileUs", usage->compile_us);
    put_number(out, "peakBytes", (double)usage->peak_bytes);
    put_number(out, "calls", usage->calls);
}

void written_end(tn_run *run)
{
    Buf ending;

    if (!run->journal.log)
        return;
    buf_init(&ending, &run->allocator, SIZE_MAX);
    put_ending(&ending, run->outcome);
    journal_conclude(&run->journal, run_elapsed_ms(run),
                     tn_outcome_status_text(tn_outcome_status_of(run->outcome)), ending.data,
                     ending.failed ? 0 : ending.length);
    buf_release(&ending);
    if (journal_is_lacking(&run->journal))
        outcome_add_finding(run->outcome, "TN2004", TN_SEVERITY_WARNING, run->program->source,
                            (Span){0, 0},
                            "the journal of this run is not whole: something of it could not be "
                            "written");
    else
        outcome_set_run(run->outcome, run->journal.run);
}
