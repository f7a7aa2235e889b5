#include "tell.h"

#include <string.h>

#include "advice.h"
#include "base.h"
#include "contract.h"
#include "wording.h"

/* ---- the contract's own text ---- */

size_t tell_contract_count(const CheckRequest *request)
{
    return 1 + request->export_count + request->input_count;
}

/* The text of a type of the contract, as WRAP_ABOUT_TEXT counts them, and what it is called. */
static const char *contract_text(Arena *arena, const CheckRequest *request, size_t index,
                                 const char **out_file)
{
    if (index == 0) {
        *out_file = CHECK_FILE_EXPECT;
        return request->expect;
    }
    if (--index < request->export_count) {
        *out_file = arena_printf(arena, "the type of export `%s`", request->exports[index].name);
        return request->exports[index].type;
    }
    *out_file = CHECK_FILE_INPUT;
    index -= request->export_count;
    return index < request->input_count ? request->inputs[index].type : NULL;
}

/* A member of a whole is written `(WHOLE)["member"]`: places in it are those in the whole. */
static size_t whole_begins(const char *text)
{
    size_t length = strlen(text);

    return text[0] == '(' && length > 3 && strcmp(text + length - 2, "\"]") == 0;
}

static Position position_in(const char *text, size_t length, uint32_t offset)
{
    Position position = {1, 1, 1};

    for (size_t i = 0; i < length && i < offset; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n')
            position = (Position){position.line + 1, 1, 1};
        else if ((c & 0xC0) != 0x80) {
            position.column += c >= 0xF0 ? 2 : 1;
            position.character++;
        }
    }
    return position;
}

static void place_in_contract(Arena *arena, const CheckRequest *request, size_t index,
                              CheckFinding *finding)
{
    const char *text = contract_text(arena, request, index, &finding->file);
    size_t skipped = whole_begins(text);

    finding->start = position_in(text, strlen(text), finding->span.start);
    finding->end = position_in(text, strlen(text), finding->span.end);
    if (finding->start.line == 1 && finding->start.column > skipped)
        finding->start.column -= (unsigned)skipped;
    if (finding->end.line == 1 && finding->end.column > skipped)
        finding->end.column -= (unsigned)skipped;
}

/* A type of the contract that does not parse: nothing else is looked at then. */
static tn_status add_unread_type(Arena *arena, const CheckRequest *request, size_t index,
                                 const Finding *wrong, CheckFinding ***last)
{
    CheckFinding *finding = ARENA_NEW(arena, CheckFinding);

    if (!finding)
        return arena_status(arena);
    *finding = (CheckFinding){.code = "TN1124", .severity = TN_SEVERITY_ERROR, .span = wrong->span};
    place_in_contract(arena, request, index, finding);
    finding->message = arena_printf(arena, "In %s: %s", finding->file, wrong->message);
    **last = finding;
    *last = &finding->next;
    return arena_status(arena);
}

tn_status tell_read_contract(Arena *arena, const CheckRequest *request, const Node **types,
                             CheckFinding ***last)
{
    const char *file;
    const Finding *wrong;

    for (size_t i = 0; i < tell_contract_count(request); i++) {
        const char *text = contract_text(arena, request, i, &file);
        if (!text)
            continue;
        TRY(contract_read_type(arena, text, &types[i], &wrong));
        if (wrong)
            return add_unread_type(arena, request, i, wrong, last);
    }
    return TN_OK;
}

/* ---- the function that should have been called otherwise ---- */

/* Of arguments: too many, too few, or others than these. */
static bool is_about_call(unsigned code)
{
    static const unsigned codes[] = {2322, 2345, 2353, 2554, 2555, 2556, 2558, 2559,
                                     2561, 2739, 2740, 2741, 2769, 2794, 2820};

    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        if (codes[i] == code)
            return true;
    }
    return false;
}

size_t tell_follow(void *context, const Diagnostic *diagnostics, uint32_t *out_places, size_t most)
{
    Reporter *reporter = context;
    const SourceFile *file = reporter->request->file;
    unsigned about;

    for (const Diagnostic *at = diagnostics; file && at && reporter->followed < most;
         at = at->next) {
        Callee *callee = &reporter->callees[reporter->followed];
        if (at->file != -1 || !is_about_call(at->code))
            continue;
        Span span = wrap_place(reporter->wrapped, at->span, &about);
        if (about || !callee_of(file, span, callee) ||
            !wrap_locate(reporter->wrapped, callee->place, &out_places[reporter->followed]))
            continue;
        reporter->about[reporter->followed++] = at;
    }
    return reporter->followed;
}

/* `take: (a: string) => void` */
static void tell_signature(const Reporter *reporter, const Diagnostic *diagnostic,
                           CheckFinding *finding)
{
    enum { NAME_MAX_BYTES = 80 };

    for (size_t i = 0; i < reporter->followed; i++) {
        const Callee *callee = &reporter->callees[i];
        const char *signature = reporter->signatures[i];
        size_t length = callee->text.end - callee->text.start;
        if (reporter->about[i] != diagnostic || !signature || !strchr(signature, '(') ||
            length > NAME_MAX_BYTES)
            continue;
        finding->declaration =
            arena_printf(reporter->arena, "%.*s: %s", (int)length,
                         reporter->request->source->text + callee->text.start, signature);
        finding->declared = callee->text;
        finding->declared_file = NULL;
    }
}

static bool gives_nothing(const Diagnostic *diagnostic)
{
    return diagnostic->code == 2322 && diagnostic->word_count > 0 &&
           (strcmp(diagnostic->words[0], "void") == 0 ||
            strcmp(diagnostic->words[0], "undefined") == 0);
}

/* The program gives no value, or not in every way through it. */
static void tell_missing(const Reporter *reporter, const Diagnostic *diagnostic, unsigned about,
                         CheckFinding *finding)
{
    const char *how = "and one way through it ends without one";

    if (diagnostic->code == 2355 || (about == WRAP_ABOUT_MISSING && reporter->wrapped->gives_none))
        how = "and gives none: end it with `return` or an expression";
    else if (about == WRAP_ABOUT_VALUE && diagnostic->code == 2322)
        how = "and this gives none";
    finding->code = "TN1121";
    finding->message =
        arena_printf(reporter->arena, "The program must give a value of type `%s`, %s.",
                     reporter->request->expect, how);
}

/* What is demanded is said by the contract and not by the program's text. */
static void tell_contract(const Reporter *reporter, const Diagnostic *diagnostic, unsigned about,
                          CheckFinding *finding)
{
    const CheckRequest *request = reporter->request;
    char *said = arena_string(reporter->arena, finding->message);

    if (!said)
        return;
    if (said[0] >= 'A' && said[0] <= 'Z')
        said[0] = (char)(said[0] | 0x20);
    if (about & WRAP_ABOUT_TEXT) {
        place_in_contract(reporter->arena, request, about & ~(unsigned)WRAP_ABOUT_TEXT, finding);
        finding->code = "TN1124";
        finding->edit_text = NULL;
        finding->message = arena_printf(reporter->arena, "In %s, %s", finding->file, said);
    } else if (about >= WRAP_ABOUT_EXPORT) {
        const ExportDemand *demand = &request->exports[about - WRAP_ABOUT_EXPORT];
        finding->code = "TN1123";
        finding->message = arena_printf(reporter->arena, "Export `%s` must be `%s`: %s",
                                        demand->name, demand->type, said);
    } else if (about == WRAP_ABOUT_MISSING || gives_nothing(diagnostic) ||
               diagnostic->code == 2355 || diagnostic->code == 2366 || diagnostic->code == 7030) {
        tell_missing(reporter, diagnostic, about, finding);
    }
}

/* The line that a related place stands on, as one line. */
static const char *line_of(Arena *arena, const char *text, size_t length, uint32_t at)
{
    enum { LINE_MAX_BYTES = 240, PART_BYTES = 120 };
    size_t start = at < length ? at : length, end = start;

    while (start > 0 && text[start - 1] != '\n')
        start--;
    while (start < end && (text[start] == ' ' || text[start] == '\t'))
        start++;
    while (end < length && text[end] != '\n' && text[end] != '\r')
        end++;
    if (end - start > LINE_MAX_BYTES) {
        start = at;
        end = end - start > PART_BYTES ? start + PART_BYTES : end;
        while (end > start && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
    }
    return arena_text(arena, text + start, end - start);
}

static const Declaration *request_declaration(const Reporter *reporter, int file)
{
    return file >= (int)reporter->own ? &reporter->job->declarations[file] : NULL;
}

/* Codes of related places that are declarations, and not hints. */
static bool is_declaration(unsigned code)
{
    static const unsigned codes[] = {1376, 1377, 2728, 2771, 6203, 6204,
                                     6210, 6211, 6236, 6500, 6501, 6502};

    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        if (codes[i] == code)
            return true;
    }
    return false;
}

/* The first related place that is in the program or in a declaration of the host. */
static void tell_declaration(const Reporter *reporter, const Diagnostic *diagnostic,
                             CheckFinding *finding)
{
    unsigned about;

    for (const Diagnostic *at = diagnostic->related; at; at = at->next) {
        const Declaration *declaration = request_declaration(reporter, at->file);
        if ((!declaration && at->file != -1) || !is_declaration(at->code))
            continue;
        const char *text = declaration ? declaration->text : reporter->request->source->text;
        size_t length = declaration ? declaration->length : reporter->request->source->length;
        finding->declared = at->span;
        if (!declaration) {
            finding->declared = wrap_place(reporter->wrapped, at->span, &about);
            if (about)
                continue;
        }
        finding->declared_file = declaration ? declaration->name : NULL;
        finding->declaration = line_of(reporter->arena, text, length, finding->declared.start);
        return;
    }
    for (const Diagnostic *at = diagnostic->reasons; at && !finding->declaration; at = at->next)
        tell_declaration(reporter, at, finding);
}

/* Names of modules that declarations declare: `declare module "name"`. */
static const char *nearest_module(const Reporter *reporter, const char *wrong)
{
    enum { MODULES_MAX = 128 };
    static const char mark[] = "declare module \"";
    const char *names[MODULES_MAX];
    size_t count = 0;

    for (size_t i = reporter->own; i < reporter->job->declaration_count; i++) {
        const Declaration *declaration = &reporter->job->declarations[i];
        const char *at = declaration->text, *end = at + declaration->length;
        while (count < MODULES_MAX &&
               (at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) != NULL) {
            at += sizeof mark - 1;
            const char *quote = memchr(at, '"', (size_t)(end - at));
            if (!quote)
                break;
            names[count] = arena_text(reporter->arena, at, (size_t)(quote - at));
            count += names[count] != NULL;
        }
    }
    return spelling_nearest(wrong, strlen(wrong), names, count);
}

static void tell_module(const Reporter *reporter, const Diagnostic *diagnostic,
                        CheckFinding *finding)
{
    const char *near =
        diagnostic->word_count > 0 ? nearest_module(reporter, diagnostic->words[0]) : NULL;

    if (!near)
        return;
    finding->did_you_mean = near;
    finding->message = arena_printf(reporter->arena, "There is no module `%s`: did you mean `%s`?",
                                    diagnostic->words[0], near);
}

/* Names of the web that are there when the policy says so. */
static void tell_fetch(const Reporter *reporter, const Diagnostic *diagnostic,
                       CheckFinding *finding)
{
    static const char *const names[] = {"fetch", "Request",  "Response", "Headers",
                                        "Blob",  "FormData", "File",     "RequestInit"};
    const char *name = diagnostic->word_count > 0 ? diagnostic->words[0] : "";

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(name, names[i]) == 0)
            finding->message =
                arena_printf(reporter->arena,
                             "There is no `%s` here: the policy of this run lets `fetch` reach "
                             "nothing (`--allow-fetch https://...`, or `fetch` in its file).",
                             name);
    }
}

/* What it was put in for, if it stands in what was put in. */
static unsigned about_of(const Reporter *reporter, const Diagnostic *diagnostic)
{
    unsigned about = 0;

    if (diagnostic->file == -1)
        (void)wrap_place(reporter->wrapped, diagnostic->span, &about);
    return about;
}

/* A type of the contract that is itself wrong is told once, and nothing of what is held against
 * it. */
static bool is_consequence(const Reporter *reporter, unsigned about)
{
    if (about & WRAP_ABOUT_TEXT || !about)
        return false;
    return reporter->broken[about >= WRAP_ABOUT_EXPORT ? about - WRAP_ABOUT_EXPORT + 1 : 0];
}

tn_status tell_find_broken(Reporter *reporter, const Diagnostic *diagnostics)
{
    size_t count = tell_contract_count(reporter->request);

    reporter->broken = ARENA_ARRAY(reporter->arena, bool, count);
    if (!reporter->broken)
        return arena_status(reporter->arena);
    for (const Diagnostic *at = diagnostics; at; at = at->next) {
        unsigned about = about_of(reporter, at);
        size_t index = about & ~(unsigned)WRAP_ABOUT_TEXT;
        if ((about & WRAP_ABOUT_TEXT) && index < count)
            reporter->broken[index] = true;
    }
    return TN_OK;
}

/* `rows.map(row => ...)` where `rows` is any: nothing would be known of `row` either way. */
static bool is_callback_of_any(const Reporter *reporter, const Diagnostic *diagnostic)
{
    unsigned about;
    Callee callee;

    if (!reporter->request->lenient || !reporter->request->file || diagnostic->file != -1 ||
        (diagnostic->code != 7006 && diagnostic->code != 7019 && diagnostic->code != 7031))
        return false;
    Span span = wrap_place(reporter->wrapped, diagnostic->span, &about);
    return !about && callee_of(reporter->request->file, span, &callee);
}

tn_status tell_diagnostic(Reporter *reporter, const Diagnostic *diagnostic)
{
    const Declaration *declaration = request_declaration(reporter, diagnostic->file);
    unsigned about = about_of(reporter, diagnostic);

    if (diagnostic->file != -1 && !declaration)
        return TN_OK; /* in our own declarations: not the program's fault */
    if (is_consequence(reporter, about) || is_callback_of_any(reporter, diagnostic))
        return TN_OK;
    const char *text = declaration ? declaration->text : reporter->job->text;
    size_t length = declaration ? declaration->length : reporter->job->length;
    CheckFinding *finding = wording_finding(reporter->arena, diagnostic, text, length);
    if (!finding)
        return arena_status(reporter->arena);
    if (declaration) {
        finding->file = declaration->name;
        finding->start = position_in(text, length, finding->span.start);
        finding->end = position_in(text, length, finding->span.end);
    } else {
        finding->span = wrap_place(reporter->wrapped, finding->span, &about);
        if (finding->edit_text)
            finding->edit = finding->span;
    }
    if (about)
        tell_contract(reporter, diagnostic, about, finding);
    if (diagnostic->code == 2307)
        tell_module(reporter, diagnostic, finding);
    if (diagnostic->code == 2304 || diagnostic->code == 2552)
        tell_fetch(reporter, diagnostic, finding);
    tell_declaration(reporter, diagnostic, finding);
    if (!finding->declaration)
        tell_signature(reporter, diagnostic, finding);
    *reporter->last = finding;
    reporter->last = &finding->next;
    return TN_OK;
}
