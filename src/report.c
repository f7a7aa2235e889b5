#include "report.h"

#include <stdio.h>
#include <string.h>

#include "absent.h"
#include "clock.h"
#include "front.h"
#include "value.h"

/* ---- places: what the engine says in its stacks, as positions in the source ---- */

/* The engine counts columns in bytes from 1, in the text that runs; people and editors in UTF-16
 * units, in the program as it was written. */
static Position to_position(const tn_program *program, unsigned line, unsigned column)
{
    Position start = {line ? line : 1, 1, 1};
    size_t length;
    uint32_t offset = source_offset(program->javascript, start);

    source_line(program->javascript, start.line, &length);
    offset += column > 0 && column - 1 < length ? column - 1 : 0;
    if (program->erased)
        offset = erased_place(program->erased, offset);
    return source_position(program->source, offset);
}

static bool read_number(const char **at, const char *end, unsigned *out_number)
{
    unsigned number = 0;
    const char *start = *at;

    while (*at < end && **at >= '0' && **at <= '9' && number < 100000000)
        number = number * 10 + (unsigned)(*(*at)++ - '0');
    *out_number = number;
    return *at > start;
}

/* The next "NAME:LINE:COLUMN" of this program in a stack: where the column begins and ends. NULL if
 * there is none. */
static const char *next_place(const Source *source, const char *at, const char *end,
                              unsigned *out_line, unsigned *out_column, const char **out_end)
{
    size_t name = strlen(source->name);

    for (; at && (size_t)(end - at) > name; at++) {
        if (memcmp(at, source->name, name) != 0 || at[name] != ':')
            continue;
        const char *number = at + name + 1, *column;
        if (!read_number(&number, end, out_line) || number == end || *number++ != ':')
            continue;
        column = number;
        if (read_number(&number, end, out_column)) {
            *out_end = number;
            return column;
        }
    }
    return NULL;
}

/* The first place of this program in a stack. */
static bool stack_position(const Source *source, const char *stack, size_t length,
                           unsigned *out_line, unsigned *out_column)
{
    const char *end;

    return next_place(source, stack, stack + length, out_line, out_column, &end) != NULL;
}

/* A stack with its columns in UTF-16 units, as all other columns are. */
static void rewrite_stack(const tn_program *program, const char *stack, size_t length, Buf *out)
{
    const char *end = stack + length, *after, *column;
    unsigned line, bytes;

    while ((column = next_place(program->source, stack, end, &line, &bytes, &after))) {
        buf_append(out, stack, (size_t)(column - stack));
        buf_append_uint(out, to_position(program, line, bytes).column);
        stack = after;
    }
    buf_append(out, stack, (size_t)(end - stack));
}

static Span span_at(const tn_program *program, unsigned line, unsigned column)
{
    uint32_t offset = source_offset(program->source, to_position(program, line, column));

    return (Span){offset, offset + (offset < program->source->length)};
}

/* ---- findings ---- */

void report_compiled(tn_program *program, const GuestMailbox *mailbox)
{
    uint32_t both = PROGRAM_RETURNS | PROGRAM_EXPORTS_DEFAULT;

    if ((mailbox->compiled_flags & both) == both)
        findings_add(&program->findings, "TN1001", TN_SEVERITY_WARNING,
                     span_at(program, mailbox->return_line, mailbox->return_column),
                     "the program both returns and exports a default: the returned value is its "
                     "value, the default export is not");
}

void report_too_long(tn_program *program, size_t length)
{
    char message[160];

    snprintf(message, sizeof message,
             "the program is %zu bytes long; the limit is %u: put data into the input, not into "
             "the text",
             length, program->engine->limits.source_bytes);
    findings_add(&program->findings, "TN1002", TN_SEVERITY_ERROR, (Span){0, 0}, message);
}

tn_status report_findings(tn_program *program)
{
    size_t count = 0;

    program->told = ARENA_ARRAY(&program->arena, tn_finding, program->findings.count + 1);
    if (!program->told)
        return arena_status(&program->arena);
    for (const Finding *f = program->findings.first; f; f = f->next) {
        uint32_t last = f->span.end > f->span.start ? f->span.end : f->span.start;
        Position start = f->file ? f->start : source_position(program->source, f->span.start);
        Position end = f->file ? f->end : source_position(program->source, last);
        program->told[count++] = (tn_finding){.code = f->code,
                                              .severity = f->severity,
                                              .message = f->message,
                                              .line = start.line,
                                              .column = start.column,
                                              .character = start.character,
                                              .end_line = end.line,
                                              .end_column = end.column,
                                              .file = f->file,
                                              .did_you_mean = f->did_you_mean,
                                              .declaration = f->declaration,
                                              .edit = f->edit};
    }
    return TN_OK;
}

static const char *member_text(tn_value object, const char *name, size_t *out_length)
{
    const char *text = tn_value_text(tn_value_member(object, name), out_length);

    if (!text)
        *out_length = 0;
    return text ? text : "";
}

/* Where the text names the package that is not there: the engine does not say. */
static Span import_span(const Source *source, const char *message)
{
    const char *name = strchr(message, '"'), *end = name ? strchr(name + 1, '"') : NULL;
    size_t length = end ? (size_t)(end - name - 1) : 0;

    for (size_t at = 1; length > 0 && at + length < source->length; at++) {
        char quote = source->text[at - 1];
        if ((quote == '"' || quote == '\'') && source->text[at + length] == quote &&
            memcmp(source->text + at, name + 1, length) == 0)
            return (Span){(uint32_t)at - 1, (uint32_t)(at + length) + 1};
    }
    return (Span){0, 0};
}

bool report_foreign(tn_program *program)
{
    const char *language = source_foreign(program->source->text, program->source->length);
    const char *advice;

    if (!language)
        return false;
    if (strcmp(language, "diff") == 0)
        advice = "send the whole program as it is to be, not the changes to it";
    else
        advice = "this runs JavaScript and TypeScript; write the program in one of them";
    const char *message = arena_printf(&program->arena, "this looks like %s%s, not JavaScript: %s",
                                       strcmp(language, "diff") == 0 ? "a " : "", language, advice);
    if (message)
        findings_add(&program->findings, "TN1003", TN_SEVERITY_ERROR, (Span){0, 1}, message);
    return true;
}

/* A package that is only declared is right to import, and cannot be run. */
static void report_import(tn_program *program, Span span, const char *text)
{
    bool quoted = span.end > span.start + 2;
    const char *name = program->source->text + span.start + 1;

    if (quoted && front_declares(program->engine, name, span.end - span.start - 2))
        findings_add(&program->findings, "TN1108", TN_SEVERITY_WARNING, span, ABSENT_MESSAGE);
    else
        findings_add(&program->findings, "TS2307", TN_SEVERITY_ERROR, span, text);
}

void report_not_compiled(tn_program *program, Realm *realm, RealmState state)
{
    size_t length, message_length = 0, stack_length = 0;
    const uint8_t *bytes = state == REALM_OK ? realm_out(realm, &length) : NULL;
    tn_value error = bytes ? tn_value_view(bytes, length) : (tn_value){0};
    const char *message = member_text(error, "message", &message_length);
    const char *stack = member_text(error, "stack", &stack_length);
    unsigned line = 0, column = 0;
    Span span = {0, 0};

    if (stack_position(program->source, stack, stack_length, &line, &column))
        span = span_at(program, line, column);
    if (state != REALM_OK || realm_mailbox(realm)->memory_refused) {
        findings_add(&program->findings, "TN1004", TN_SEVERITY_ERROR, span,
                     "the program takes more time or memory to compile than a run may use");
        return;
    }
    if (line > 0 && (front_tell_of_text(program, program->source) || report_foreign(program)))
        return;
    const char *text = arena_text(&program->arena, message, message_length);
    bool is_import = text && strncmp(text, "there is no package", 19) == 0;
    if (is_import) {
        span = import_span(program->source, text);
        report_import(program, span, text);
    } else if (text) {
        findings_add(&program->findings, "TN1000", TN_SEVERITY_ERROR, span,
                     text[0] ? text : "the program does not parse");
    }
}

/* ---- the outcome ---- */

static tn_status need_outcome(tn_run *run)
{
    return run->outcome ? TN_OK : outcome_new(&run->allocator, &run->outcome);
}

tn_status report_value(tn_run *run)
{
    size_t length;
    const uint8_t *bytes = realm_out(&run->realm, &length);
    tn_status status = need_outcome(run);

    if (status == TN_OK && run->for_exports && !run->is_call)
        return TN_OK;
    if (status == TN_OK)
        status = outcome_set_value(run->outcome, bytes, length);
    return status;
}

static void copy_findings(tn_run *run)
{
    for (size_t i = 0; i < run->program->findings.count; i++)
        outcome_give_finding(run->outcome, &run->program->told[i]);
}

static void add_run_finding(tn_run *run, const char *code, unsigned line, unsigned column,
                            const char *message)
{
    outcome_add_finding(run->outcome, code, TN_SEVERITY_WARNING, run->program->source,
                        span_at(run->program, line, column), message);
}

/* ---- errors ---- */

typedef struct Told {
    const char *name, *code, *hint;
    char message[600];
    unsigned line, column;
    const char *stack;
    size_t stack_length;
} Told;

static void told_position(tn_run *run, Told *told)
{
    if (!told->line)
        stack_position(run->program->source, told->stack ? told->stack : "", told->stack_length,
                       &told->line, &told->column);
}

static void set_told(tn_run *run, Told *told, tn_value value)
{
    const Source *source = run->program->source;
    OutcomeError error = {.name = told->name,
                          .message = told->message,
                          .message_length = strlen(told->message),
                          .code = told->code,
                          .hint = told->hint,
                          .stack = told->stack,
                          .stack_length = told->stack_length,
                          .value = value};

    told_position(run, told);
    if (told->line > 0) {
        error.position = to_position(run->program, told->line, told->column);
        error.source = source;
        error.span = span_at(run->program, told->line, told->column);
    }
    outcome_set_error(run->outcome, &error);
}

/* What the guest wrote of a thrown value (value_error.c). */
static tn_value guest_error(tn_run *run)
{
    size_t length;
    const uint8_t *bytes;

    if (run->realm.dead)
        return (tn_value){0};
    bytes = realm_out(&run->realm, &length);
    return bytes && length > 0 ? tn_value_view(bytes, length) : (tn_value){0};
}

static void set_limit(tn_run *run, const char *code, const char *hint, const char *format,
                      unsigned long long amount)
{
    Told told = {.name = "LimitError", .code = code, .hint = hint};
    tn_value where = guest_error(run);

    told.stack = member_text(where, "stack", &told.stack_length);
    snprintf(told.message, sizeof told.message, format, amount);
    if (run->phase == RUN_GOING && !run->realm.dead && told.stack_length == 0)
        (void)realm_waiting(&run->realm, &told.line, &told.column);
    outcome_set_status(run->outcome, TN_OUTCOME_LIMIT);
    set_told(run, &told, (tn_value){0});
}

static void set_memory_limit(tn_run *run)
{
    set_limit(run, "memory", "keep less at a time: process in pieces, or drop what is done with",
              "the program used more than its %llu bytes of memory",
              (unsigned long long)run->limits.memory_bytes);
}

static void set_stopped(tn_run *run)
{
    Told told = {.name = "CancelledError", .message = "the run was cancelled"};

    switch (run->realm.stop) {
    case STOP_CPU:
        set_limit(run, "cpu", "the program computes too long: do less, or raise the limit",
                  "the program used its %llu ms of processor time",
                  (unsigned long long)run->limits.cpu_ms);
        break;
    case STOP_CALLS:
        set_limit(run, "calls", "ask for more with each call, or raise the limit",
                  "the program made more than its %llu host calls",
                  (unsigned long long)run->limits.calls);
        break;
    case STOP_CANCEL:
        outcome_set_status(run->outcome, TN_OUTCOME_CANCELLED);
        set_told(run, &told, (tn_value){0});
        break;
    case STOP_WALL:
    case STOP_NONE:
        set_limit(run, "wall",
                  "the program did not end in time: look for a loop or an await that "
                  "does not, or raise the limit",
                  "the program did not end within %llu ms",
                  (unsigned long long)run->limits.wall_ms);
        break;
    }
}

/* Was it the refusal of memory that came out? The engine throws an InternalError, or a bare null
 * when there was not even room for that. */
static bool is_memory_refusal(tn_run *run, tn_value error)
{
    size_t length;
    const char *message = member_text(error, "message", &length);
    bool is_error = tn_value_bool(tn_value_member(error, "isError"));

    if (!realm_mailbox(&run->realm)->memory_refused)
        return false;
    return (is_error && length == 13 && memcmp(message, "out of memory", 13) == 0) ||
           (!is_error && tn_value_type(tn_value_member(error, "value")) == TN_TYPE_NULL) ||
           tn_value_type(error) == TN_TYPE_NONE;
}

/* Did a denial come out? A program can throw what looks like one; the journal knows. */
static bool is_denial(tn_run *run, tn_value error)
{
    size_t length, code_length;
    const char *message = member_text(error, "message", &length);
    const char *code = member_text(error, "code", &code_length);

    if (code_length != 6 || memcmp(code, "denied", 6) != 0)
        return false;
    for (size_t i = 0; i < run->journal.count; i++) {
        const JournalEntry *entry = journal_entry(&run->journal, i);
        size_t kept = strlen(entry->error);
        if (entry->state == JOURNAL_DENIED && kept > 0 &&
            memmem(message, length, entry->error, kept))
            return true;
    }
    return false;
}

static void set_thrown(tn_run *run)
{
    tn_value error = guest_error(run);
    const Source *source = run->program->source;
    OutcomeError out = {.from_guest = error};
    unsigned line = 0, column = 0;
    size_t length;
    const char *stack = member_text(error, "stack", &length);

    if (is_memory_refusal(run, error)) {
        set_memory_limit(run);
        return;
    }
    Buf rewritten;
    buf_init(&rewritten, &run->allocator, SIZE_MAX);
    if (stack_position(source, stack, length, &line, &column)) {
        out.position = to_position(run->program, line, column);
        out.source = source;
        out.span = span_at(run->program, line, column);
        rewrite_stack(run->program, stack, length, &rewritten);
        if (!rewritten.failed) {
            out.stack = (const char *)rewritten.data;
            out.stack_length = rewritten.length;
        }
    }
    outcome_set_status(run->outcome, is_denial(run, error) ? TN_OUTCOME_DENIED : TN_OUTCOME_FAILED);
    outcome_set_error(run->outcome, &out);
    buf_release(&rewritten);
}

static void set_stuck(tn_run *run)
{
    Told told = {.name = "StuckError",
                 .message = "nothing can settle this await: no host call, timer or other work is "
                            "left that could",
                 .hint = "await something that ends, or resolve the promise"};

    /* a refusal of memory inside the machinery of promises leaves them unsettled */
    if (realm_mailbox(&run->realm)->memory_refused) {
        set_memory_limit(run);
        return;
    }
    (void)realm_waiting(&run->realm, &told.line, &told.column);
    outcome_set_status(run->outcome, TN_OUTCOME_FAILED);
    set_told(run, &told, (tn_value){0});
}

static void set_crashed(tn_run *run)
{
    Told told = {.name = "CrashError"};

    snprintf(told.message, sizeof told.message,
             "the engine trapped inside its realm (code %d); nothing outside was touched",
             run->realm.trap);
    outcome_set_status(run->outcome, TN_OUTCOME_CRASHED);
    set_told(run, &told, (tn_value){0});
}

/* The first error among the findings is why: with its place and frame it is the outcome's error. */
static void set_refused(tn_run *run)
{
    const Finding *why = run->program->findings.first;
    OutcomeError error = {.source = run->program->source};

    outcome_set_status(run->outcome, TN_OUTCOME_REFUSED);
    while (why && why->severity != TN_SEVERITY_ERROR && strcmp(why->code, "TN1108") != 0)
        why = why->next;
    if (!why)
        return;
    error.position = source_position(run->program->source, why->span.start);
    error.name = strcmp(why->code, "TN1000") == 0 ? "SyntaxError" : "RefusedError";
    error.message = why->message;
    error.message_length = strlen(why->message);
    error.code = why->code;
    error.span = why->span;
    outcome_set_error(run->outcome, &error);
}

static void set_state(tn_run *run, RealmState state)
{
    if (!run->program->ready) {
        set_refused(run);
        return;
    }
    if (run->phase == RUN_LINGERING) {
        outcome_set_status(run->outcome, TN_OUTCOME_OK);
        return;
    }
    switch (state) {
    case REALM_OK:
    case REALM_IDLE:
        outcome_set_status(run->outcome, TN_OUTCOME_OK);
        break;
    case REALM_WAITING:
        set_stuck(run);
        break;
    case REALM_THREW:
    case REALM_REFUSED:
        set_thrown(run);
        break;
    case REALM_STOPPED:
        set_stopped(run);
        break;
    case REALM_LARGE:
        set_limit(run, "result", "return less: count, pick or summarise before returning",
                  "the value is larger than the %llu bytes a result may have",
                  (unsigned long long)run->limits.result_bytes);
        break;
    case REALM_FAILED:
        set_memory_limit(run);
        break;
    case REALM_CRASHED:
    case REALM_NO_TIMER:
        set_crashed(run);
        break;
    }
}

/* ---- what was left open ---- */

static void add_rejections(tn_run *run)
{
    size_t length, message_length, name_length;
    const uint8_t *bytes;
    tn_cursor cursor = {0};
    tn_value list;

    if (run->realm.dead || realm_mailbox(&run->realm)->rejections == 0 ||
        !realm_rejections(&run->realm))
        return;
    bytes = realm_out(&run->realm, &length);
    list = bytes ? tn_value_view(bytes, length) : (tn_value){0};
    while (tn_value_next(list, &cursor)) {
        int64_t line = 0;
        unsigned stack_line, stack_column = 1;
        tn_value error = tn_value_item(cursor.value, 1);
        const char *name = member_text(error, "name", &name_length);
        const char *text = member_text(error, "message", &message_length);
        size_t stack_length;
        const char *stack = member_text(error, "stack", &stack_length);
        (void)tn_value_int(tn_value_item(cursor.value, 0), &line);
        if (stack_position(run->program->source, stack, stack_length, &stack_line, &stack_column))
            line = stack_line;
        char message[400];
        snprintf(message, sizeof message,
                 "a promise was rejected and nobody handled it: %.*s%s%.*s",
                 (int)(name_length < 60 ? name_length : 60), name, message_length ? ": " : "",
                 (int)(message_length < 200 ? message_length : 200), text);
        add_run_finding(run, "TN2001", (unsigned)line, stack_column, message);
    }
}

static void add_effects(tn_run *run)
{
    char message[300];

    calls_withdraw(&run->calls);
    journal_end(&run->journal, run_elapsed_ms(run));
    for (size_t i = 0; i < run->journal.count; i++) {
        const JournalEntry *entry = journal_entry(&run->journal, i);
        bool reached_nobody = entry->state == JOURNAL_FAILED && !entry->made;
        if (entry->state == JOURNAL_DENIED || (!entry->read_only && !reached_nobody))
            outcome_add_effect(run->outcome, entry);
        if (entry->state != JOURNAL_OPEN)
            continue;
        snprintf(message, sizeof message,
                 "%s was called and not awaited to its end: the run ended first, and the call was "
                 "cancelled",
                 entry->name);
        add_run_finding(run, "TN2002", entry->line, 1, message);
    }
}

static void add_dropped_timers(tn_run *run)
{
    if (run->phase == RUN_LINGERING && !run->realm.dead &&
        realm_mailbox(&run->realm)->next_timer_ms >= 0)
        outcome_add_finding(run->outcome, "TN2003", TN_SEVERITY_INFO, run->program->source,
                            (Span){0, 0},
                            "a timer was still waiting when the program's value was settled; it "
                            "was dropped");
}

static void add_usage(tn_run *run)
{
    tn_usage usage = {
        .wall_ms = run_elapsed_ms(run),
        .cpu_ms = (double)run->realm.cpu_used_ns / 1e6,
        .compile_us = run->program->compile_us,
        .calls = run->calls.made,
    };

    if (run->has_realm) {
        uint64_t peak = realm_mailbox(&run->realm)->peak_bytes;
        if (peak > run->peak_bytes)
            run->peak_bytes = peak;
    }
    usage.peak_bytes = run->peak_bytes;
    outcome_set_usage(run->outcome, &usage);
}

tn_status report_outcome(tn_run *run, RealmState state)
{
    tn_status status = need_outcome(run);

    if (status != TN_OK)
        return status;
    set_state(run, state);
    copy_findings(run);
    if (run->has_realm) {
        add_usage(run);
        add_dropped_timers(run);
        add_rejections(run);
        add_effects(run);
    } else {
        add_usage(run);
    }
    status = outcome_take_console(run->outcome, &run->console);
    if (status == TN_OK)
        written_end(run);
    return status == TN_OK ? outcome_state(run->outcome) : status;
}
