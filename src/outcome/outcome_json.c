/* The outcome as one JSON object: docs/outcome.schema.json says what is in it. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "display.h"
#include "json.h"
#include "members.h"
#include "outcome.h"
#include "text.h"

void member_name(Buf *out, const char *name)
{
    buf_append_byte(out, '"');
    buf_append_string(out, name);
    buf_append_string(out, "\":");
}

void member_string(Buf *out, const char *name, const char *string)
{
    member_name(out, name);
    json_put_string(out, string, strlen(string));
    buf_append_byte(out, ',');
}

void member_number(Buf *out, const char *name, double number)
{
    member_name(out, name);
    json_put_number(out, number);
    buf_append_byte(out, ',');
}

/* Times are measured no finer than a microsecond. */
void member_ms(Buf *out, const char *name, double ms)
{
    member_number(out, name, round(ms * 1000) / 1000);
}

void member_bool(Buf *out, const char *name, bool value)
{
    member_name(out, name);
    buf_append_string(out, value ? "true," : "false,");
}

/* Lines and columns count from 1; what is not known is null. */
void member_place(Buf *out, const char *name, unsigned place)
{
    member_name(out, name);
    if (place == 0)
        buf_append_string(out, "null");
    else
        buf_append_uint(out, place);
    buf_append_byte(out, ',');
}

/* The last comma becomes the end. */
void members_end(Buf *out, char end)
{
    if (!out->failed && out->length > 0 && out->data[out->length - 1] == ',')
        out->length--;
    buf_append_byte(out, (uint8_t)end);
}

static void put_omitted(Buf *out, const Display *display, tn_value value)
{
    Buf shape;

    buf_init(&shape, out->allocator, SIZE_MAX);
    display_shape(display, value, &shape);
    buf_append_string(out, "{\"$type\":\"omitted\",\"reason\":\"too large as a tree\",\"shape\":");
    json_put_string(out, (const char *)shape.data, shape.length);
    buf_append_byte(out, '}');
    if (shape.failed)
        out->failed = true;
    buf_release(&shape);
}

/* A value that shares so much that its tree explodes is described instead: the rest of the outcome
 * is worth having. */
tn_status members_value(Buf *out, tn_value value)
{
    Display display;

    if (!value.start) {
        buf_append_string(out, "null,");
        return TN_OK;
    }
    tn_status status = display_init(&display, out->allocator, value);
    if (status != TN_OK)
        return status;
    size_t begin = out->length, limit = out->limit;
    size_t most = begin + json_limit((size_t)(value.end - value.document));
    out->limit = most < limit ? most : limit;
    status = json_write(&display.index, out->allocator, value, out);
    out->limit = limit;
    if (status == TN_ERR_LIMIT) {
        out->failed = out->over_limit = false;
        buf_truncate(out, begin);
        put_omitted(out, &display, value);
        status = buf_status(out);
    }
    display_release(&display);
    buf_append_byte(out, ',');
    return status;
}

tn_status member_value(Buf *out, const char *name, tn_value value)
{
    member_name(out, name);
    return members_value(out, value);
}

static tn_status put_error(Buf *out, const tn_error *error)
{
    member_name(out, "error");
    if (!error) {
        buf_append_string(out, "null,");
        return TN_OK;
    }
    buf_append_byte(out, '{');
    member_string(out, "name", error->name);
    member_string(out, "message", error->message);
    member_string(out, "code", error->code);
    member_string(out, "stack", error->stack);
    member_string(out, "frame", error->frame);
    member_string(out, "hint", error->hint);
    member_place(out, "line", error->line);
    member_place(out, "column", error->column);
    member_bool(out, "retryable", error->retryable);
    TRY(member_value(out, "value", error->value));
    TRY(member_value(out, "cause", error->cause));
    members_end(out, '}');
    buf_append_byte(out, ',');
    return TN_OK;
}

static void put_findings(Buf *out, const tn_outcome *outcome)
{
    static const char *const severities[] = {"error", "warning", "info"};

    member_name(out, "findings");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->finding_count; i++) {
        const tn_finding *finding = &outcome->findings[i];
        buf_append_byte(out, '{');
        member_string(out, "code", finding->code);
        member_string(out, "severity", severities[finding->severity]);
        member_string(out, "message", finding->message);
        member_place(out, "line", finding->line);
        member_place(out, "column", finding->column);
        member_place(out, "endLine", finding->end_line);
        member_place(out, "endColumn", finding->end_column);
        if (finding->file)
            member_string(out, "file", finding->file);
        if (finding->did_you_mean)
            member_string(out, "didYouMean", finding->did_you_mean);
        if (finding->declaration)
            member_string(out, "declaration", finding->declaration);
        if (finding->edit)
            member_string(out, "edit", finding->edit);
        members_end(out, '}');
        buf_append_byte(out, ',');
    }
    members_end(out, ']');
    buf_append_byte(out, ',');
}

static void put_console(Buf *out, const tn_outcome *outcome)
{
    static const char *const levels[] = {"debug", "log", "info", "warn", "error"};

    member_name(out, "console");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->console_count; i++) {
        const tn_console_entry *entry = &outcome->console[i];
        buf_append_byte(out, '{');
        member_string(out, "level", levels[entry->level]);
        member_ms(out, "timeMs", entry->time_ms);
        member_name(out, "text");
        json_put_string(out, entry->text, entry->length);
        buf_append_string(out, "},");
    }
    members_end(out, ']');
    buf_append_byte(out, ',');
}

static void put_effects(Buf *out, const tn_outcome *outcome)
{
    member_name(out, "effects");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->effect_count; i++) {
        const tn_effect *effect = &outcome->effects[i];
        buf_append_byte(out, '{');
        member_string(out, "name", effect->name);
        member_place(out, "line", effect->line);
        member_ms(out, "startMs", effect->start_ms);
        member_ms(out, "durationMs", effect->duration_ms);
        member_bool(out, "ok", effect->ok);
        member_bool(out, "open", effect->open);
        member_string(out, "error", effect->error);
        if (effect->denied)
            member_bool(out, "denied", true);
        if (effect->original)
            member_bool(out, "original", true);
        if (effect->ran)
            member_string(out, "ran", effect->ran);
        members_end(out, '}');
        buf_append_byte(out, ',');
    }
    members_end(out, ']');
    buf_append_byte(out, ',');
}

static void put_usage(Buf *out, const tn_usage *usage)
{
    member_name(out, "usage");
    buf_append_byte(out, '{');
    member_ms(out, "wallMs", usage->wall_ms);
    member_ms(out, "cpuMs", usage->cpu_ms);
    member_ms(out, "compileUs", usage->compile_us);
    member_number(out, "peakBytes", (double)usage->peak_bytes);
    member_number(out, "calls", usage->calls);
    member_number(out, "consoleBytes", (double)usage->console_bytes);
    member_number(out, "consoleDroppedBytes", (double)usage->console_dropped_bytes);
    members_end(out, '}');
}

static tn_status put_outcome(Buf *out, const tn_outcome *outcome)
{
    buf_append_string(out, "{\"schemaVersion\":1,");
    member_string(out, "status", tn_outcome_status_text(outcome->status));
    TRY(member_value(out, "value", tn_outcome_value(outcome)));
    TRY(put_error(out, tn_outcome_error(outcome)));
    put_findings(out, outcome);
    put_console(out, outcome);
    put_effects(out, outcome);
    buf_append_string(out, "\"files\":[],");
    put_usage(out, &outcome->usage);
    if (outcome->run[0]) {
        buf_append_byte(out, ',');
        member_string(out, "run", outcome->run);
        members_end(out, '}');
    } else {
        buf_append_byte(out, '}');
    }
    return TN_OK;
}

tn_status tn_outcome_json(const tn_outcome *outcome, char **out_text, size_t *out_length)
{
    Buf out;

    text_begin(&out, &outcome->allocator, SIZE_MAX);
    tn_status status = put_outcome(&out, outcome);
    if (status != TN_OK) {
        buf_release(&out);
        return status;
    }
    return text_finish(&out, out_text, out_length);
}
