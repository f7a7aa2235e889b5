/*
 * The outcome for a model: compact, the same each time, within a budget.
 *
 *   status: failed
 *   error: TypeError: x is not a function        or   value: {"a":1}
 *   line 3, column 5
 *   > 3 | x()
 *       | ^
 *   hint: ...
 *   console (2 entries):
 *   effects:
 *   findings:
 *
 * Each section is made apart within a share of the budget and says itself what it leaves out; a
 * section that cannot even say that is dropped whole. Nothing in it depends on time, so equal runs
 * give equal text.
 */
#include <string.h>

#include "base.h"
#include "display.h"
#include "memory.h"
#include "outcome.h"
#include "outcome_text.h"
#include "safe.h"
#include "utf8.h"

enum {
    tokens_default = 2000,
    token_bytes = 4,
    console_bytes_most = 8 * 1024,
    findings_most = 8,
    note_bytes = 80 /* what "... 12 entries (345 bytes) left out ..." may take */
};

static void put(Buf *out, const char *text)
{
    buf_append_string(out, text);
}

static void put_count(Buf *out, const char *before, uint64_t count, const char *after)
{
    put(out, before);
    buf_append_uint(out, count);
    put(out, after);
}

static void end_line(Buf *out)
{
    if (!out->failed && out->length > 0 && out->data[out->length - 1] != '\n')
        buf_append_byte(out, '\n');
}

/* Text of a program in at most `room` bytes, cut at a character, the cut counted. */
static void put_text(Buf *out, const char *text, size_t length, size_t room)
{
    const size_t note = 32;
    Buf safe;

    buf_init(&safe, out->allocator, SIZE_MAX);
    safe_put_plain(&safe, text, length);
    if (safe.length <= room) {
        buf_append(out, safe.data, safe.length);
    } else if (room > note) {
        size_t kept = utf8_floor(safe.data, safe.length, room - note);
        buf_append(out, safe.data, kept);
        put_count(out, "... (", utf8_points(safe.data + kept, safe.length - kept),
                  " more characters)");
    }
    if (safe.failed)
        out->failed = true;
    buf_release(&safe);
}

static void put_string(Buf *out, const char *string, size_t room)
{
    put_text(out, string, strlen(string), room);
}

static size_t left_of(size_t room, const Buf *out, size_t begin)
{
    size_t used = out->length - begin;
    return used < room ? room - used : 0;
}

/* ---- status, error ---- */

static void put_status(Buf *out, const tn_outcome *outcome)
{
    const tn_error *error = tn_outcome_error(outcome);

    put(out, "status: ");
    put(out, tn_outcome_status_text(outcome->status));
    if (outcome->status == TN_OUTCOME_LIMIT && error->code[0]) {
        put(out, " (");
        put_string(out, error->code, 40);
        put(out, ")");
    }
    put(out, "\n");
}

static tn_status put_shown(Buf *out, const char *label, tn_value value, size_t room)
{
    Display display;

    if (tn_value_type(value) == TN_TYPE_NONE || room < 80)
        return TN_OK;
    TRY(display_init(&display, out->allocator, value));
    put(out, label);
    display_cut(&display, value, room - 40, out);
    put(out, "\n");
    display_release(&display);
    return TN_OK;
}

/* A thrown object's message says little of it; of an error or text it says all. */
static bool is_worth_showing(tn_value value)
{
    tn_type type = tn_value_type(value);
    return type != TN_TYPE_NONE && type != TN_TYPE_ERROR && type != TN_TYPE_TEXT &&
           type != TN_TYPE_UNDEFINED;
}

static void put_place(Buf *out, const tn_error *error)
{
    if (error->line == 0)
        return;
    put_count(out, "line ", error->line, "");
    if (error->column > 0)
        put_count(out, ", column ", error->column, "");
    put(out, "\n");
}

static tn_status put_error(Buf *out, const tn_error *error, size_t room)
{
    size_t begin = out->length;

    if (!error->name[0] && !error->message[0])
        return TN_OK;
    put(out, "error: ");
    put_string(out, error->name, room / 8);
    put(out, error->name[0] && error->message[0] ? ": " : "");
    put_string(out, error->message, room / 3);
    put(out, "\n");
    put_place(out, error);
    if (strlen(error->frame) < left_of(room, out, begin) / 2)
        put_string(out, error->frame, SIZE_MAX);
    if (error->code[0] && left_of(room, out, begin) > 160) {
        put(out, "code: ");
        put_string(out, error->code, 100);
        put(out, error->retryable ? " (may be tried again)\n" : "\n");
    }
    if (error->hint[0] && left_of(room, out, begin) > 100) {
        put(out, "hint: ");
        put_string(out, error->hint, left_of(room, out, begin) / 2);
        put(out, "\n");
    }
    if (is_worth_showing(error->value))
        TRY(put_shown(out, "thrown: ", error->value, left_of(room, out, begin) / 2));
    return put_shown(out, "cause: ", error->cause, left_of(room, out, begin) / 2);
}

/* ---- console ---- */

static size_t entry_bytes(const tn_console_entry *entry)
{
    return entry->length + 10;
}

static void put_entry(Buf *out, const tn_console_entry *entry, size_t room)
{
    static const char *const marks[] = {"[debug] ", "", "", "[warn] ", "[error] "};

    put(out, marks[entry->level]);
    put_text(out, entry->text, entry->length, room);
    put(out, "\n");
}

/* From both ends, what half the room takes on each; at least one, cut if it must be. */
static size_t entries_that_fit(const tn_outcome *outcome, size_t first, size_t count, int step,
                               size_t room)
{
    size_t fit = 0, used = 0;

    while (fit < count) {
        size_t at = step > 0 ? first + fit : first - fit;
        used += entry_bytes(&outcome->console[at]);
        if (used > room)
            break;
        fit++;
    }
    return fit == 0 && count > 0 && room > 60 ? 1 : fit;
}

static void put_left_out(Buf *out, const tn_outcome *outcome, size_t from, size_t to)
{
    uint64_t bytes = 0;

    for (size_t i = from; i < to; i++)
        bytes += outcome->console[i].length;
    put_count(out, "... ", to - from, to - from == 1 ? " entry (" : " entries (");
    put_count(out, "", bytes, " bytes) left out ...\n");
}

static void put_console(Buf *out, const tn_outcome *outcome, size_t room)
{
    size_t count = outcome->console_count;

    if (count == 0)
        return;
    if (room > console_bytes_most)
        room = console_bytes_most;
    if (room < 2 * note_bytes) {
        put_count(out, "console: ", count,
                  count == 1 ? " entry, left out\n" : " entries, left out\n");
        return;
    }
    put_count(out, "console (", count, count == 1 ? " entry):\n" : " entries):\n");
    room -= 2 * note_bytes;
    size_t head = entries_that_fit(outcome, 0, count, 1, room);
    if (head < count)
        head = entries_that_fit(outcome, 0, count, 1, room / 2);
    size_t tail = entries_that_fit(outcome, count - 1, count - head, -1, room / 2);
    for (size_t i = 0; i < head; i++)
        put_entry(out, &outcome->console[i], room / 2);
    if (head + tail < count)
        put_left_out(out, outcome, head, count - tail);
    for (size_t i = count - tail; i < count; i++)
        put_entry(out, &outcome->console[i], room / 2);
}

/* ---- effects, findings ---- */

static void put_effect(Buf *out, const tn_effect *effect)
{
    put(out, "- ");
    put_string(out, effect->name, 200);
    if (effect->line > 0)
        put_count(out, " (line ", effect->line, ")");
    if (effect->original)
        put(out, ", the original");
    if (effect->ran) {
        put(out, ", in its place ");
        put_string(out, effect->ran, 200);
    }
    put(out, effect->denied ? ": denied: "
             : effect->open ? ": not answered when the run ended"
             : effect->ok   ? ": ok"
                            : ": failed: ");
    if (!effect->open && !effect->ok)
        put_string(out, effect->error, 200);
    put(out, "\n");
}

static void put_effects(Buf *out, const tn_outcome *outcome, size_t room)
{
    size_t begin = out->length;

    if (outcome->effect_count == 0)
        return;
    put(out, "effects:\n");
    for (size_t i = 0; i < outcome->effect_count; i++) {
        size_t mark = out->length;
        put_effect(out, &outcome->effects[i]);
        if (out->length - begin + note_bytes <= room || out->failed)
            continue;
        buf_truncate(out, mark);
        put_count(out, "... ", outcome->effect_count - i, " more\n");
        break;
    }
}

static void put_finding(Buf *out, const tn_finding *finding, size_t room)
{
    static const char *const severities[] = {"error ", "warning ", "note "};

    put(out, "- ");
    put(out, severities[finding->severity]);
    put_string(out, finding->code, 40);
    if (finding->line > 0) {
        put_count(out, " at ", finding->line, ":");
        put_count(out, "", finding->column, "");
    }
    if (finding->file) {
        put(out, " of ");
        put_string(out, finding->file, 100);
    }
    put(out, ": ");
    put_string(out, finding->message, room);
    if (finding->declaration) {
        put(out, "\n  declared: ");
        put_string(out, finding->declaration, room);
    }
    put(out, "\n");
}

/* Errors first, then warnings, then the rest; in each the order of the text. */
static void put_findings(Buf *out, const tn_outcome *outcome, size_t room)
{
    size_t begin = out->length, shown = 0, count = outcome->finding_count;
    bool full = false;

    if (count == 0)
        return;
    put(out, "findings:\n");
    for (int severity = TN_SEVERITY_ERROR; severity <= TN_SEVERITY_INFO && !full; severity++) {
        for (size_t i = 0; i < count && !full && !out->failed; i++) {
            size_t mark = out->length;
            if ((int)outcome->findings[i].severity != severity)
                continue;
            put_finding(out, &outcome->findings[i], room / 2);
            full = shown == findings_most || out->length - begin + note_bytes > room;
            if (full)
                buf_truncate(out, mark);
            else
                shown++;
        }
    }
    if (shown < count)
        put_count(out, "... ", count - shown, " more\n");
}

/* ---- value ---- */

/* Whole if it fits; else what it is, and as much of it as there is room for. */
static void put_value(Buf *out, const Display *display, tn_value value, size_t room)
{
    size_t begin = out->length;

    put(out, "value: ");
    if (display_whole(display, value, left_of(room, out, begin + 1), out)) {
        put(out, "\n");
        return;
    }
    buf_truncate(out, begin);
    put(out, "value (cut; ");
    display_shape(display, value, out);
    put(out, "): ");
    size_t mark = out->length;
    size_t left = left_of(room, out, begin);
    if (left > 80)
        display_cut(display, value, left - 1, out);
    if (left <= 80 || left_of(room, out, begin) == 0) {
        buf_truncate(out, mark - 2);
        put(out, " left out");
    }
    put(out, "\n");
}

/* ---- together ---- */

typedef struct Sections {
    Buf error, value, console, effects, findings;
} Sections;

static tn_status fill_value_and_console(Sections *sections, const tn_outcome *outcome, size_t room)
{
    tn_value value = tn_outcome_value(outcome);
    Display display;

    if (!value.start) {
        put_console(&sections->console, outcome, room);
        return TN_OK;
    }
    TRY(display_init(&display, sections->value.allocator, value));
    /* A value that takes less than its half leaves the rest to the console. */
    size_t console_room = room / 3;
    bool small = display_whole(&display, value, room / 2, &sections->value);
    if (small)
        console_room = room - sections->value.length - 16;
    buf_truncate(&sections->value, 0);
    if (room > 16)
        put_console(&sections->console, outcome, console_room);
    put_value(&sections->value, &display, value, left_of(room, &sections->console, 0));
    display_release(&display);
    return TN_OK;
}

static tn_status fill(Sections *sections, const tn_outcome *outcome, size_t room)
{
    put_findings(&sections->findings, outcome, room / 4);
    room = left_of(room, &sections->findings, 0);
    put_effects(&sections->effects, outcome, room / 6);
    room = left_of(room, &sections->effects, 0);
    if (outcome->status != TN_OUTCOME_OK) {
        TRY(put_error(&sections->error, tn_outcome_error(outcome), room / 2));
        room = left_of(room, &sections->error, 0);
    }
    return fill_value_and_console(sections, outcome, room);
}

/* A section that outgrew its share is left away rather than cut. */
static void append_if_it_fits(Buf *out, Buf *section, size_t end)
{
    end_line(section);
    if (section->failed)
        out->failed = true;
    else if (section->length <= end && out->length <= end - section->length)
        buf_append(out, section->data, section->length);
}

tn_status outcome_put_model(Buf *out, const tn_outcome *outcome, unsigned tokens)
{
    size_t budget = (size_t)(tokens ? tokens : tokens_default) * token_bytes;
    size_t end = out->length + budget;
    Sections sections;
    Buf *const all[] = {&sections.error, &sections.value, &sections.console, &sections.effects,
                        &sections.findings};

    for (size_t i = 0; i < COUNT_OF(all); i++)
        buf_init(all[i], out->allocator, SIZE_MAX);
    size_t begin = out->length;
    put_status(out, outcome);
    tn_status status = fill(&sections, outcome, left_of(budget, out, begin));
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        append_if_it_fits(out, all[i], end);
        buf_release(all[i]);
    }
    return status;
}
