/* A journal's runs as the public asks for them: read back, and written in one of the forms. */
#include "trace.h"

#include <string.h>

#include "base.h"
#include "json.h"
#include "log.h"
#include "members.h"
#include "memory.h"
#include "text.h"

enum { ARENA_BYTES = 1 << 30, LIST_RUNS = 20 };

/* ---- what all forms say alike ---- */

const char *trace_state(PastState state)
{
    static const char *const words[] = {[PAST_OPEN] = "open",
                                        [PAST_ANSWERED] = "answered",
                                        [PAST_FAILED] = "failed",
                                        [PAST_DENIED] = "denied",
                                        [PAST_CANCELLED] = "cancelled"};

    return words[state];
}

const char *trace_status(const PastRun *run)
{
    return run->status[0] ? run->status : "unfinished";
}

double trace_wall(const PastRun *run)
{
    double wall_ms = run->wall_ms;

    for (uint32_t i = 0; run->calls && i < run->call_count; i++) {
        if (run->calls[i].ended_ms > wall_ms)
            wall_ms = run->calls[i].ended_ms;
    }
    return wall_ms;
}

double trace_end(const PastRun *run, const PastCall *call)
{
    return call->state == PAST_OPEN ? trace_wall(run) : call->ended_ms;
}

tn_value trace_next(const PastValue *values, size_t *at)
{
    CborReader reader = {values->bytes + *at, values->bytes + values->length};
    const uint8_t *start = reader.at;

    if (!values->bytes || *at >= values->length || !cbor_skip(&reader, CBOR_DEPTH_MAX))
        return (tn_value){0};
    *at += (size_t)(reader.at - start);
    return tn_value_view(start, (size_t)(reader.at - start));
}

tn_value trace_value(const PastValue *value)
{
    return value->bytes ? tn_value_view(value->bytes, value->length) : (tn_value){0};
}

/* ---- JSON ---- */

static void put_if_any(Buf *out, const char *name, const char *text)
{
    if (text && text[0])
        member_string(out, name, text);
}

static void put_left_out(Buf *out, const char *name, const PastValue *value)
{
    if (value->left_out == 0)
        return;
    member_name(out, name);
    buf_append_byte(out, '{');
    member_number(out, "bytes", (double)value->left_out);
    put_if_any(out, "sha256", value->sha256);
    members_end(out, '}');
    buf_append_byte(out, ',');
}

static tn_status put_arguments(Buf *out, const PastValue *arguments)
{
    size_t at = 0;
    tn_value value;

    member_name(out, "arguments");
    buf_append_byte(out, '[');
    while (tn_value_type(value = trace_next(arguments, &at)) != TN_TYPE_NONE)
        TRY(members_value(out, value));
    members_end(out, ']');
    buf_append_byte(out, ',');
    return TN_OK;
}

tn_status trace_put_call(Buf *out, const PastRun *run, size_t index)
{
    const PastCall *call = &run->calls[index];

    buf_append_byte(out, '{');
    member_number(out, "call", (double)(index + 1));
    member_string(out, "name", call->name);
    member_place(out, "line", call->line);
    member_string(out, "state", trace_state(call->state));
    member_bool(out, "made", call->made);
    member_bool(out, "readOnly", call->read_only);
    member_ms(out, "askedMs", call->asked_ms);
    member_ms(out, "madeMs", call->made_ms);
    member_ms(out, "endedMs", trace_end(run, call));
    if (call->arguments.left_out == 0)
        TRY(put_arguments(out, &call->arguments));
    put_left_out(out, "argumentsLeftOut", &call->arguments);
    if (call->bound && call->first.left_out == 0)
        TRY(member_value(out, "handedOver", trace_value(&call->first)));
    if (call->of)
        member_number(out, "originalOf", call->of);
    if (call->object)
        member_number(out, "object", call->object);
    put_if_any(out, "ran", call->ran);
    if (call->person)
        put_if_any(out, "allowedByRule", call->rule);
    if (call->reply.bytes)
        TRY(member_value(out, call->state == PAST_ANSWERED ? "result" : "error",
                         trace_value(&call->reply)));
    put_left_out(out, "resultLeftOut", &call->reply);
    members_end(out, '}');
    return TN_OK;
}

void trace_put_head(Buf *out, const PastRun *run)
{
    member_string(out, "run", run->id);
    member_string(out, "status", trace_status(run));
    member_string(out, "name", run->name);
    member_string(out, "language", run->language);
    member_name(out, "begun");
    buf_append_byte(out, '"');
    json_put_iso_date(out, run->begun_ms);
    buf_append_string(out, "\",");
    member_ms(out, "wallMs", trace_wall(run));
    member_number(out, "callCount", run->call_count);
    member_string(out, "level", run->level);
    put_if_any(out, "label", run->label);
    put_if_any(out, "policySha256", run->policy);
    put_if_any(out, "after", run->after);
}

static tn_status put_ending(Buf *out, const PastRun *run)
{
    tn_value ending = trace_value(&run->ending);
    tn_value error = tn_value_member(ending, "error");

    if (tn_value_count(error) == 0)
        error = (tn_value){0};
    TRY(member_value(out, "error", error));
    return member_value(out, "usage", tn_value_member(ending, "usage"));
}

tn_status trace_put_json(Buf *out, const PastRun *run)
{
    buf_append_string(out, "{\"schemaVersion\":1,");
    trace_put_head(out, run);
    TRY(put_ending(out, run));
    member_name(out, "source");
    json_put_string(out, run->source, run->source_length);
    buf_append_string(out, ",\"calls\":[");
    for (uint32_t i = 0; i < run->call_count; i++) {
        buf_append_string(out, i > 0 ? "," : "");
        TRY(trace_put_call(out, run, i));
    }
    buf_append_string(out, "]}");
    return buf_status(out);
}

static void put_list_json(Buf *out, const PastRun *runs, size_t count)
{
    buf_append_string(out, "{\"schemaVersion\":1,\"runs\":[");
    for (size_t i = 0; i < count; i++) {
        buf_append_string(out, i > 0 ? ",{" : "{");
        trace_put_head(out, &runs[i]);
        members_end(out, '}');
    }
    buf_append_string(out, "]}");
}

/* ---- the public side ---- */

static void tell(const char *fault, char **out_fault)
{
    size_t length;
    Buf text;

    if (!out_fault)
        return;
    text_begin(&text, memory_default(), SIZE_MAX);
    buf_append_string(&text, fault);
    if (text_finish(&text, out_fault, &length) != TN_OK)
        *out_fault = NULL;
}

static tn_status put_run(Buf *out, Arena *arena, const PastRun *run, tn_trace_form form,
                         unsigned columns)
{
    switch (form) {
    case TN_TRACE_JSON:
        return trace_put_json(out, run);
    case TN_TRACE_CHROME:
        return trace_put_chrome(out, arena, run);
    case TN_TRACE_TEXT:
    case TN_TRACE_COLOR:
        break;
    }
    return trace_put_text(out, arena, run, form == TN_TRACE_COLOR, columns);
}

tn_status tn_journal_trace(tn_journal *journal, const char *run, tn_trace_form form,
                           unsigned columns, char **out_text, size_t *out_length, char **out_fault)
{
    char fault[STORE_FAULT_BYTES] = "";
    PastRun past = {0};
    Arena arena;
    Buf out;
    tn_status status;

    if (form > TN_TRACE_CHROME)
        return TN_ERR_ARGUMENT;
    log_flush(journal);
    arena_init(&arena, &journal->allocator, ARENA_BYTES);
    text_begin(&out, &journal->allocator, SIZE_MAX);
    status = recall_run(journal->store.path, run, &arena, &past, fault);
    if (status == TN_OK)
        status = put_run(&out, &arena, &past, form, columns);
    arena_release(&arena);
    if (status == TN_OK)
        return text_finish(&out, out_text, out_length);
    buf_release(&out);
    if (fault[0])
        tell(fault, out_fault);
    return status;
}

tn_status tn_journal_list(tn_journal *journal, unsigned most, tn_trace_form form, char **out_text,
                          size_t *out_length, char **out_fault)
{
    char fault[STORE_FAULT_BYTES] = "";
    PastRun *runs = NULL;
    size_t count = 0;
    Arena arena;
    Buf out;
    tn_status status;

    if (form > TN_TRACE_JSON)
        return TN_ERR_ARGUMENT;
    log_flush(journal);
    arena_init(&arena, &journal->allocator, ARENA_BYTES);
    text_begin(&out, &journal->allocator, SIZE_MAX);
    status =
        recall_runs(journal->store.path, most ? most : LIST_RUNS, &arena, &runs, &count, fault);
    if (status == TN_OK && form == TN_TRACE_JSON)
        put_list_json(&out, runs, count);
    else if (status == TN_OK)
        trace_put_list(&out, runs, count, form == TN_TRACE_COLOR);
    arena_release(&arena);
    if (status == TN_OK)
        return text_finish(&out, out_text, out_length);
    buf_release(&out);
    if (fault[0])
        tell(fault, out_fault);
    return status;
}
