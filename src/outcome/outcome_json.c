/* The outcome as one JSON object: docs/outcome.schema.json says what is in it. */
#include <math.h>
#include <string.h>

#include "base.h"
#include "display.h"
#include "json.h"
#include "outcome.h"
#include "text.h"

static void put_name(Buf *out, const char *name)
{
    buf_append_byte(out, '"');
    buf_append_string(out, name);
    buf_append_string(out, "\":");
}

static void put_string_member(Buf *out, const char *name, const char *string)
{
    put_name(out, name);
    json_put_string(out, string, strlen(string));
    buf_append_byte(out, ',');
}

static void put_number_member(Buf *out, const char *name, double number)
{
    put_name(out, name);
    json_put_number(out, number);
    buf_append_byte(out, ',');
}

/* Times are measured no finer than a microsecond. */
static void put_ms_member(Buf *out, const char *name, double ms)
{
    put_number_member(out, name, round(ms * 1000) / 1000);
}

static void put_bool_member(Buf *out, const char *name, bool value)
{
    put_name(out, name);
    buf_append_string(out, value ? "true," : "false,");
}

/* Lines and columns count from 1; what is not known is null. */
static void put_place_member(Buf *out, const char *name, unsigned place)
{
    put_name(out, name);
    if (place == 0)
        buf_append_string(out, "null");
    else
        buf_append_uint(out, place);
    buf_append_byte(out, ',');
}

/* The last comma becomes the end. */
static void close_after_comma(Buf *out, char end)
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
static tn_status put_value_member(Buf *out, const char *name, tn_value value)
{
    Display display;

    put_name(out, name);
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

static tn_status put_error(Buf *out, const tn_error *error)
{
    put_name(out, "error");
    if (!error) {
        buf_append_string(out, "null,");
        return TN_OK;
    }
    buf_append_byte(out, '{');
    put_string_member(out, "name", error->name);
    put_string_member(out, "message", error->message);
    put_string_member(out, "code", error->code);
    put_string_member(out, "stack", error->stack);
    put_string_member(out, "frame", error->frame);
    put_string_member(out, "hint", error->hint);
    put_place_member(out, "line", error->line);
    put_place_member(out, "column", error->column);
    put_bool_member(out, "retryable", error->retryable);
    TRY(put_value_member(out, "value", error->value));
    TRY(put_value_member(out, "cause", error->cause));
    close_after_comma(out, '}');
    buf_append_byte(out, ',');
    return TN_OK;
}

static void put_findings(Buf *out, const tn_outcome *outcome)
{
    static const char *const severities[] = {"error", "warning", "info"};

    put_name(out, "findings");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->finding_count; i++) {
        const tn_finding *finding = &outcome->findings[i];
        buf_append_byte(out, '{');
        put_string_member(out, "code", finding->code);
        put_string_member(out, "severity", severities[finding->severity]);
        put_string_member(out, "message", finding->message);
        put_place_member(out, "line", finding->line);
        put_place_member(out, "column", finding->column);
        put_place_member(out, "endLine", finding->end_line);
        put_place_member(out, "endColumn", finding->end_column);
        if (finding->file)
            put_string_member(out, "file", finding->file);
        if (finding->did_you_mean)
            put_string_member(out, "didYouMean", finding->did_you_mean);
        if (finding->declaration)
            put_string_member(out, "declaration", finding->declaration);
        if (finding->edit)
            put_string_member(out, "edit", finding->edit);
        close_after_comma(out, '}');
        buf_append_byte(out, ',');
    }
    close_after_comma(out, ']');
    buf_append_byte(out, ',');
}

static void put_console(Buf *out, const tn_outcome *outcome)
{
    static const char *const levels[] = {"debug", "log", "info", "warn", "error"};

    put_name(out, "console");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->console_count; i++) {
        const tn_console_entry *entry = &outcome->console[i];
        buf_append_byte(out, '{');
        put_string_member(out, "level", levels[entry->level]);
        put_ms_member(out, "timeMs", entry->time_ms);
        put_name(out, "text");
        json_put_string(out, entry->text, entry->length);
        buf_append_string(out, "},");
    }
    close_after_comma(out, ']');
    buf_append_byte(out, ',');
}

static void put_effects(Buf *out, const tn_outcome *outcome)
{
    put_name(out, "effects");
    buf_append_byte(out, '[');
    for (size_t i = 0; i < outcome->effect_count; i++) {
        const tn_effect *effect = &outcome->effects[i];
        buf_append_byte(out, '{');
        put_string_member(out, "name", effect->name);
        put_place_member(out, "line", effect->line);
        put_ms_member(out, "startMs", effect->start_ms);
        put_ms_member(out, "durationMs", effect->duration_ms);
        put_bool_member(out, "ok", effect->ok);
        put_bool_member(out, "open", effect->open);
        put_string_member(out, "error", effect->error);
        if (effect->denied)
            put_bool_member(out, "denied", true);
        if (effect->original)
            put_bool_member(out, "original", true);
        if (effect->ran)
            put_string_member(out, "ran", effect->ran);
        close_after_comma(out, '}');
        buf_append_byte(out, ',');
    }
    close_after_comma(out, ']');
    buf_append_byte(out, ',');
}

static void put_usage(Buf *out, const tn_usage *usage)
{
    put_name(out, "usage");
    buf_append_byte(out, '{');
    put_ms_member(out, "wallMs", usage->wall_ms);
    put_ms_member(out, "cpuMs", usage->cpu_ms);
    put_ms_member(out, "compileUs", usage->compile_us);
    put_number_member(out, "peakBytes", (double)usage->peak_bytes);
    put_number_member(out, "calls", usage->calls);
    put_number_member(out, "consoleBytes", (double)usage->console_bytes);
    put_number_member(out, "consoleDroppedBytes", (double)usage->console_dropped_bytes);
    close_after_comma(out, '}');
}

static tn_status put_outcome(Buf *out, const tn_outcome *outcome)
{
    buf_append_string(out, "{\"schemaVersion\":1,");
    put_string_member(out, "status", tn_outcome_status_text(outcome->status));
    TRY(put_value_member(out, "value", tn_outcome_value(outcome)));
    TRY(put_error(out, tn_outcome_error(outcome)));
    put_findings(out, outcome);
    put_console(out, outcome);
    put_effects(out, outcome);
    buf_append_string(out, "\"files\":[],");
    put_usage(out, &outcome->usage);
    buf_append_byte(out, '}');
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
