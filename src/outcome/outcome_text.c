/* The outcome for a person at a terminal: console, value or error, findings. */
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "display.h"
#include "memory.h"
#include "outcome.h"
#include "outcome_text.h"
#include "safe.h"
#include "table.h"
#include "text.h"

/* A value that takes more is described and sampled: a terminal full of digits tells nobody
 * anything. */
enum { value_bytes_most = 64 * 1024, sample_bytes = 4 * 1024 };

typedef struct Colors {
    const char *red, *yellow, *green, *cyan, *dim, *bold, *plain;
} Colors;

static const Colors no_colors = {"", "", "", "", "", "", ""};
static const Colors ansi_colors = {"\x1B[31m", "\x1B[33m", "\x1B[32m", "\x1B[36m",
                                   "\x1B[2m",  "\x1B[1m",  "\x1B[0m"};

static void put(Buf *out, const char *text)
{
    buf_append_string(out, text);
}

static void put_line_end(Buf *out)
{
    if (!out->failed && out->length > 0 && out->data[out->length - 1] != '\n')
        buf_append_byte(out, '\n');
}

/* Every line of a text, indented. */
static void put_indented(Buf *out, const char *text, const char *indent)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        put(out, indent);
        safe_put(out, text, length);
        buf_append_byte(out, '\n');
        text += length + (text[length] == '\n');
    }
}

static void put_console(Buf *out, const tn_outcome *outcome, const Colors *colors)
{
    const char *const of_level[] = {colors->dim, "", "", colors->yellow, colors->red};

    for (size_t i = 0; i < outcome->console_count; i++) {
        const tn_console_entry *entry = &outcome->console[i];
        const char *color = of_level[entry->level];
        put(out, color);
        safe_put(out, entry->text, entry->length);
        put(out, *color ? colors->plain : "");
        buf_append_byte(out, '\n');
    }
}

static void put_sample(Buf *out, const Display *display, tn_value value, const Colors *colors)
{
    put(out, colors->dim);
    display_shape(display, value, out);
    put(out, colors->plain);
    put(out, "\n");
    display_cut(display, value, sample_bytes, out);
}

/* undefined is what a program gives that has nothing to say; a text is given bare. */
static tn_status put_value(Buf *out, tn_value value, const Colors *colors)
{
    Display display;
    size_t length;

    if (tn_value_type(value) == TN_TYPE_UNDEFINED || tn_value_type(value) == TN_TYPE_NONE)
        return TN_OK;
    if (tn_value_type(value) == TN_TYPE_TEXT) {
        const char *text = tn_value_text(value, &length);
        safe_put(out, text, length);
        put_line_end(out);
        return TN_OK;
    }
    TRY(display_init(&display, out->allocator, value));
    display.spaced = true;
    if (!table_put(&display, value, colors->bold, colors->plain, out)) {
        if (!display_lines(&display, value, value_bytes_most, out))
            put_sample(out, &display, value, colors);
        put_line_end(out);
    }
    display_release(&display);
    return TN_OK;
}

/* ---- the error ---- */

static tn_status put_cause(Buf *out, tn_value cause)
{
    Display display;

    if (tn_value_type(cause) == TN_TYPE_NONE)
        return TN_OK;
    TRY(display_init(&display, out->allocator, cause));
    display.spaced = true;
    put(out, "cause: ");
    display_cut(&display, cause, 1000, out);
    put(out, "\n");
    display_release(&display);
    return TN_OK;
}

/* An engine's stack may begin with the error's own text, which was written already. */
static const char *frames_of(const char *stack)
{
    while (*stack) {
        const char *text = stack + strspn(stack, " ");
        if (strncmp(text, "at ", 3) == 0)
            return stack;
        size_t length = strcspn(stack, "\n");
        stack += length + (stack[length] == '\n');
    }
    return stack;
}

static void put_stack(Buf *out, const char *stack)
{
    for (stack = frames_of(stack); *stack;) {
        size_t length = strcspn(stack, "\n"), space = strspn(stack, " ");
        if (length > space) {
            put(out, "    ");
            safe_put(out, stack + space, length - space);
            put(out, "\n");
        }
        stack += length + (stack[length] == '\n');
    }
}

static void put_place(Buf *out, const tn_error *error)
{
    if (error->line == 0)
        return;
    put(out, " (line ");
    buf_append_uint(out, error->line);
    if (error->character > 0) {
        put(out, ", column ");
        buf_append_uint(out, error->character);
    }
    put(out, ")");
}

static tn_status put_error(Buf *out, const tn_outcome *outcome, const Colors *colors)
{
    const tn_error *error = tn_outcome_error(outcome);

    put(out, colors->red);
    put(out, tn_outcome_status_text(outcome->status));
    put(out, colors->plain);
    if (error->code[0]) {
        put(out, " (");
        safe_put_string(out, error->code);
        put(out, error->retryable ? ", may be tried again)" : ")");
    }
    if (error->name[0] || error->message[0]) {
        put(out, ": ");
        put(out, colors->bold);
        safe_put_string(out, error->name);
        put(out, error->name[0] && error->message[0] ? ": " : "");
        safe_put_string(out, error->message);
        put(out, colors->plain);
    }
    put_place(out, error);
    put(out, "\n");
    put_indented(out, error->frame, "");
    put(out, colors->dim);
    put_stack(out, error->stack);
    put(out, colors->plain);
    TRY(put_cause(out, error->cause));
    if (error->hint[0]) {
        put(out, colors->cyan);
        put(out, "hint: ");
        put(out, colors->plain);
        safe_put_string(out, error->hint);
        put(out, "\n");
    }
    return TN_OK;
}

/* What was done before a run ended badly cannot be taken back: so it is listed. */
static void put_effects(Buf *out, const tn_outcome *outcome, const Colors *colors)
{
    if (outcome->status == TN_OUTCOME_OK || outcome->effect_count == 0)
        return;
    put(out, colors->dim);
    put(out, "done before that:\n");
    for (size_t i = 0; i < outcome->effect_count; i++) {
        const tn_effect *effect = &outcome->effects[i];
        put(out, "  ");
        safe_put_string(out, effect->name);
        if (effect->line > 0) {
            put(out, ", line ");
            buf_append_uint(out, effect->line);
        }
        if (effect->original)
            put(out, ", the original");
        if (effect->ran) {
            put(out, ", in its place ");
            safe_put_string(out, effect->ran);
        }
        put(out, effect->denied ? ": denied, not done: "
                 : effect->open ? ": not answered yet"
                 : effect->ok   ? ""
                                : ": failed: ");
        if (!effect->open && !effect->ok)
            safe_put_string(out, effect->error);
        put(out, "\n");
    }
    put(out, colors->plain);
}

static void put_findings(Buf *out, const tn_outcome *outcome, const Colors *colors)
{
    const char *const color[] = {colors->red, colors->yellow, colors->cyan};
    static const char *const severities[] = {"error", "warning", "note"};

    for (size_t i = 0; i < outcome->finding_count; i++) {
        const tn_finding *finding = &outcome->findings[i];
        put(out, color[finding->severity]);
        put(out, severities[finding->severity]);
        put(out, colors->plain);
        if (finding->line > 0) {
            put(out, " ");
            buf_append_uint(out, finding->line);
            put(out, ":");
            buf_append_uint(out, finding->character);
        }
        if (finding->file) {
            put(out, " of ");
            safe_put_string(out, finding->file);
        }
        put(out, " ");
        safe_put_string(out, finding->message);
        put(out, colors->dim);
        put(out, " ");
        safe_put_string(out, finding->code);
        put(out, colors->plain);
        put(out, "\n");
    }
}

static tn_status put_for_person(Buf *out, const tn_outcome *outcome, const Colors *colors)
{
    put_console(out, outcome, colors);
    if (outcome->status == TN_OUTCOME_OK)
        TRY(put_value(out, outcome->value, colors));
    else
        TRY(put_error(out, outcome, colors));
    put_effects(out, outcome, colors);
    put_findings(out, outcome, colors);
    return TN_OK;
}

tn_status tn_outcome_text(const tn_outcome *outcome, tn_text_style style, unsigned tokens,
                          char **out_text, size_t *out_length)
{
    Buf out;
    tn_status status;

    if (style != TN_TEXT_PERSON && style != TN_TEXT_COLOR && style != TN_TEXT_MODEL)
        return TN_ERR_ARGUMENT;
    text_begin(&out, &outcome->allocator, SIZE_MAX);
    if (style == TN_TEXT_MODEL)
        status = outcome_put_model(&out, outcome, tokens);
    else
        status = put_for_person(&out, outcome, style == TN_TEXT_COLOR ? &ansi_colors : &no_colors);
    if (status != TN_OK) {
        buf_release(&out);
        return status;
    }
    return text_finish(&out, out_text, out_length);
}
