/* A run for a terminal: a line of time from left to right, a call on each line of text.
 *
 *   line  call                        0 ms                        12.3 ms
 *      3  hub.list({"repo": "a/b"})   ━━━━━━━━━━                    4.10 ms
 *      5  hub.get({"id": 1})                    ━━━━━━━━━━━━━━      7.20 ms
 *      5  hub.get({"id": 2})                    ━━━━━━━✗            3.90 ms
 *         failed: not found
 */
#include "trace.h"

#include <string.h>

#include "base.h"
#include "json.h"
#include "safe.h"
#include "width.h"

enum { LINE_CELLS = 6, TIME_CELLS = 9, COLUMNS_LEAST = 60, COLUMNS = 100, SHOWN_BYTES = 300 };

typedef struct Sheet {
    Buf *out;
    const PastRun *run;
    bool color;
    size_t call_cells, bar_cells;
    double wall_ms;
    Buf text; /* of one cell */
} Sheet;

static void put(Buf *out, const char *text)
{
    buf_append_string(out, text);
}

static void style(const Sheet *sheet, const char *parameters)
{
    if (!sheet->color)
        return;
    put(sheet->out, "\x1B[");
    put(sheet->out, parameters);
    put(sheet->out, "m");
}

static void put_blanks(Buf *out, size_t count)
{
    while (count-- > 0)
        buf_append_byte(out, ' ');
}

void trace_put_time(Buf *out, double ms)
{
    uint64_t us = ms > 0 ? (uint64_t)(ms * 1000 + 0.5) : 0;
    uint64_t unit = us < 1000000 ? 1000 : 1000000;
    uint64_t hundredths = us * 100 / unit % 100;

    if (us < 100) {
        buf_append_uint(out, us);
        put(out, " us");
        return;
    }
    buf_append_uint(out, us / unit);
    if (us / unit < 100) {
        put(out, ".");
        buf_append_uint(out, hundredths / 10);
        if (us / unit < 10)
            buf_append_uint(out, hundredths % 10);
    }
    put(out, unit == 1000 ? " ms" : " s");
}

/* ---- the head ---- */

static const char *color_of(const char *status)
{
    return strcmp(status, "ok") == 0 ? "32" : strcmp(status, "unfinished") == 0 ? "33" : "31";
}

static void put_begun(Buf *out, double begun_ms)
{
    size_t begin = out->length;

    json_put_iso_date(out, begun_ms);
    /* 2026-01-31T12:00:00.000Z: to the second */
    if (!out->failed && out->length - begin == 24) {
        out->data[begin + 10] = ' ';
        buf_truncate(out, begin + 19);
        put(out, "Z");
    }
}

static void put_count(Buf *out, uint64_t count, const char *what)
{
    buf_append_uint(out, count);
    put(out, " ");
    put(out, what);
    put(out, count == 1 ? "" : "s");
}

static void put_error(Sheet *sheet)
{
    tn_value error = tn_value_member(trace_value(&sheet->run->ending), "error");
    size_t length;
    const char *name = tn_value_text(tn_value_member(error, "name"), &length);

    if (!name)
        return;
    style(sheet, "31");
    safe_put(sheet->out, name, length);
    put(sheet->out, length > 0 ? ": " : "thrown: ");
    const char *message = tn_value_text(tn_value_member(error, "message"), &length);
    buf_truncate(&sheet->text, 0);
    safe_put(&sheet->text, message ? message : "", message ? length : 0);
    length = sheet->text.length;
    if (length > SHOWN_BYTES)
        length = SHOWN_BYTES;
    width_put(sheet->out, (const char *)sheet->text.data, length,
              width_of((const char *)sheet->text.data, length));
    int64_t line = 0;
    if (tn_value_int(tn_value_member(error, "line"), &line) && line > 0) {
        put(sheet->out, " (line ");
        buf_append_uint(sheet->out, (uint64_t)line);
        put(sheet->out, ")");
    }
    style(sheet, "");
    put(sheet->out, "\n");
}

static void put_head(Sheet *sheet)
{
    const PastRun *run = sheet->run;
    Buf *out = sheet->out;

    style(sheet, "1");
    put(out, "run ");
    put(out, run->id);
    style(sheet, "");
    put(out, "  ");
    safe_put_string(out, run->name);
    put(out, "  ");
    put_begun(out, run->begun_ms);
    put(out, "  ");
    style(sheet, color_of(trace_status(run)));
    put(out, trace_status(run));
    style(sheet, "");
    put(out, "  ");
    trace_put_time(out, sheet->wall_ms);
    put(out, "  ");
    put_count(out, run->call_count, "call");
    if (run->label[0]) {
        put(out, "  ");
        safe_put_string(out, run->label);
    }
    put(out, "\n");
    put_error(sheet);
}

static void put_axis(Sheet *sheet)
{
    Buf *out = sheet->out;

    style(sheet, "2");
    put(out, " line ");
    width_put(out, "call", 4, sheet->call_cells);
    put(out, " 0 ms");
    buf_truncate(&sheet->text, 0);
    trace_put_time(&sheet->text, sheet->wall_ms);
    put_blanks(out, sheet->bar_cells > sheet->text.length + 4
                        ? sheet->bar_cells - 4 - sheet->text.length
                        : 1);
    buf_append(out, sheet->text.data, sheet->text.length);
    style(sheet, "");
    put(out, "\n");
}

/* ---- a call ---- */

static void put_arguments(Buf *out, const PastValue *arguments)
{
    size_t at = 0, count = 0;
    tn_value value;
    Display display;

    if (arguments->left_out > 0) {
        put_count(out, arguments->left_out, "byte");
        return;
    }
    while (tn_value_type(value = trace_next(arguments, &at)) != TN_TYPE_NONE) {
        put(out, count++ > 0 ? ", " : "");
        if (out->length > SHOWN_BYTES || display_init(&display, out->allocator, value) != TN_OK)
            break;
        display.spaced = true;
        display_cut(&display, value, SHOWN_BYTES, out);
        display_release(&display);
    }
}

/* One line, whatever is in it. */
static void flatten(Buf *text)
{
    for (size_t i = 0; i < text->length; i++) {
        if (text->data[i] == '\n' || text->data[i] == '\t')
            text->data[i] = ' ';
    }
}

static size_t cell_at(const Sheet *sheet, double ms)
{
    double share = sheet->wall_ms > 0 ? ms / sheet->wall_ms : 0;
    size_t cell = share > 0 ? (size_t)(share * (double)sheet->bar_cells) : 0;

    return cell < sheet->bar_cells ? cell : sheet->bar_cells - 1;
}

/* Waiting, then at work, then how it ended. */
static void put_bar(Sheet *sheet, const PastCall *call)
{
    static const char *const ends[] = {[PAST_OPEN] = "┄",
                                       [PAST_ANSWERED] = "━",
                                       [PAST_FAILED] = "✗",
                                       [PAST_DENIED] = "⊘",
                                       [PAST_CANCELLED] = "┄"};
    static const char *const colors[] = {[PAST_OPEN] = "33",
                                         [PAST_ANSWERED] = "32",
                                         [PAST_FAILED] = "31",
                                         [PAST_DENIED] = "35",
                                         [PAST_CANCELLED] = "33"};
    double end_ms = trace_end(sheet->run, call);
    size_t begin = cell_at(sheet, call->asked_ms), end = cell_at(sheet, end_ms);
    size_t made = call->made ? cell_at(sheet, call->made_ms) : end;
    Buf *out = sheet->out;

    /* an end that falls on the next cell's beginning does not fill it */
    if (end > begin && (double)end * sheet->wall_ms >= end_ms * (double)sheet->bar_cells)
        end--;
    put_blanks(out, begin);
    style(sheet, colors[call->state]);
    for (size_t i = begin; i < end; i++)
        put(out, i < made ? "·" : "━");
    put(out, ends[call->state]);
    style(sheet, "");
    put_blanks(out, sheet->bar_cells - end - 1);
    buf_truncate(&sheet->text, 0);
    trace_put_time(&sheet->text, end_ms - call->asked_ms);
    put_blanks(out, sheet->text.length < TIME_CELLS ? TIME_CELLS - sheet->text.length : 1);
    buf_append(out, sheet->text.data, sheet->text.length);
    put(out, "\n");
}

static void put_note(Sheet *sheet, const char *color, const char *lead, const char *text,
                     size_t length)
{
    Buf *out = sheet->out;
    size_t room = LINE_CELLS + sheet->call_cells + 1 + sheet->bar_cells + TIME_CELLS;

    put_blanks(out, LINE_CELLS + 2);
    style(sheet, color);
    buf_truncate(&sheet->text, 0);
    put(&sheet->text, lead);
    safe_put(&sheet->text, text, length);
    flatten(&sheet->text);
    size_t cells = width_of((const char *)sheet->text.data, sheet->text.length);
    room -= LINE_CELLS + 2;
    width_put(out, (const char *)sheet->text.data, sheet->text.length, cells < room ? cells : room);
    style(sheet, "");
    put(out, "\n");
}

static void put_reply(Sheet *sheet, const PastCall *call)
{
    size_t length;
    const char *message =
        tn_value_text(tn_value_member(trace_value(&call->reply), "message"), &length);

    if (call->state == PAST_FAILED)
        put_note(sheet, "31", "failed: ", message ? message : "", message ? length : 0);
    if (call->state == PAST_DENIED)
        put_note(sheet, "35", "denied, not made: ", message ? message : "", message ? length : 0);
    if (call->state == PAST_CANCELLED)
        put_note(sheet, "33",
                 call->made ? "cancelled: the run ended first" : "not made: the run ended first",
                 "", 0);
    if (call->state == PAST_OPEN)
        put_note(sheet, "33", call->made ? "not answered" : "not made", "", 0);
}

static void put_notes(Sheet *sheet, const PastCall *call)
{
    if (call->ran)
        put_note(sheet, "36", "in its place ran ", call->ran, strlen(call->ran));
    if (call->person)
        put_note(sheet, "2", "somebody allowed it, asked by rule ", call->rule ? call->rule : "",
                 call->rule ? strlen(call->rule) : 0);
    if (call->bound) {
        Buf text;
        buf_init(&text, sheet->text.allocator, SIZE_MAX);
        put_arguments(&text, &call->first);
        put_note(sheet, "2", "handed over: ", (const char *)text.data, text.length);
        buf_release(&text);
    }
    put_reply(sheet, call);
}

static void put_call(Sheet *sheet, const PastCall *call)
{
    Buf *out = sheet->out;
    Buf *text = &sheet->text;

    buf_truncate(text, 0);
    if (call->line > 0)
        buf_append_uint(text, call->line);
    put_blanks(out, text->length + 1 < LINE_CELLS ? LINE_CELLS - 1 - text->length : 0);
    buf_append(out, text->data, text->length);
    put(out, " ");
    buf_truncate(text, 0);
    put(text, call->of ? "  └ original " : "");
    safe_put_string(text, call->name);
    put(text, "(");
    put_arguments(text, &call->arguments);
    put(text, ")");
    flatten(text);
    width_put(out, (const char *)text->data, text->length, sheet->call_cells);
    put(out, " ");
    put_bar(sheet, call);
    put_notes(sheet, call);
}

/* Originals below the calls they belong to, however many others began in between. */
static void put_calls(Sheet *sheet, Arena *arena)
{
    const PastRun *run = sheet->run;
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, (size_t)run->call_count + 1);
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, (size_t)run->call_count + 1);

    for (uint32_t i = 1; next && last && i <= run->call_count; i++) {
        uint32_t of = run->calls[i - 1].of;
        if (of == 0 || of >= i)
            continue;
        next[last[of] ? last[of] : of] = i;
        last[of] = i;
    }
    for (uint32_t i = 1; next && last && i <= run->call_count; i++) {
        if (run->calls[i - 1].of > 0 && run->calls[i - 1].of < i)
            continue;
        put_call(sheet, &run->calls[i - 1]);
        for (uint32_t below = next[i]; below > 0; below = next[below])
            put_call(sheet, &run->calls[below - 1]);
    }
}

tn_status trace_put_text(Buf *out, Arena *arena, const PastRun *run, bool color, unsigned columns)
{
    Sheet sheet = {.out = out, .run = run, .color = color, .wall_ms = trace_wall(run)};
    size_t all = columns == 0 ? COLUMNS : columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;

    sheet.call_cells = (all - LINE_CELLS - TIME_CELLS) / 2;
    if (sheet.call_cells > 60)
        sheet.call_cells = 60;
    sheet.bar_cells = all - LINE_CELLS - TIME_CELLS - 1 - sheet.call_cells;
    buf_init(&sheet.text, out->allocator, SIZE_MAX);
    put_head(&sheet);
    if (run->call_count > 0) {
        put_axis(&sheet);
        put_calls(&sheet, arena);
    }
    if (sheet.text.failed)
        out->failed = true;
    buf_release(&sheet.text);
    return arena_status(arena);
}

/* ---- the list ---- */

void trace_put_list(Buf *out, const PastRun *runs, size_t count, bool color)
{
    Sheet sheet = {.out = out, .color = color};

    for (size_t i = 0; i < count; i++) {
        const PastRun *run = &runs[i];
        style(&sheet, "1");
        put(out, run->id);
        style(&sheet, "");
        put(out, "  ");
        put_begun(out, run->begun_ms);
        put(out, "  ");
        style(&sheet, color_of(trace_status(run)));
        width_put(out, trace_status(run), strlen(trace_status(run)), 10);
        style(&sheet, "");
        size_t begin = out->length;
        trace_put_time(out, run->wall_ms);
        put_blanks(out, out->length - begin < 9 ? 9 - (out->length - begin) : 1);
        begin = out->length;
        put_count(out, run->call_count, "call");
        put_blanks(out, out->length - begin < 11 ? 11 - (out->length - begin) : 1);
        safe_put_string(out, run->name);
        put(out, run->label[0] ? "  " : "");
        safe_put_string(out, run->label);
        put(out, "\n");
    }
}
