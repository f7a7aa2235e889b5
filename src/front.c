/* What stands between a text and the engine, for programs in TypeScript. */
#include "front.h"

#include <string.h>

#include "advice.h"
#include "bound.h"
#include "buf.h"
#include "check.h"
#include "erase.h"
#include "fetch.h"
#include "packages.h"
#include "report.h"
#include "value.h"

/* ---- an engine's side ---- */

/* `declare module "name"`: the packages a declaration file knows. */
static bool list_modules(Arena *arena, const Declaration *declaration, Offer *offer)
{
    const char *at = declaration->text;

    while ((at = strstr(at, "module"))) {
        at += strlen("module");
        const char *start = at + strspn(at, " \t\r\n");
        const char *end = *start == '"' || *start == '\'' ? strchr(start + 1, *start) : NULL;
        if (!end)
            continue;
        size_t count = offer->declared_count;
        const char **grown =
            arena_grow(arena, offer->declared, count * sizeof *grown, (count + 1) * sizeof *grown);
        if (!grown || !(grown[count] = arena_text(arena, start + 1, (size_t)(end - start - 1))))
            return false;
        offer->declared = grown;
        offer->declared_count++;
    }
    return true;
}

bool front_declares(const tn_engine *engine, const char *package, size_t length)
{
    for (size_t i = 0; i < engine->offer.declared_count; i++) {
        if (strlen(engine->offer.declared[i]) == length &&
            memcmp(engine->offer.declared[i], package, length) == 0)
            return true;
    }
    return false;
}

tn_status front_open(tn_engine *engine)
{
    const Registry *registry = &engine->registry;
    OfferedFunction *functions =
        arena_push_array(&engine->registry.arena, registry->count + 1, sizeof *functions);

    if (!functions)
        return TN_ERR_NOMEM;
    engine->offer = (Offer){.functions = functions};
    for (size_t i = 0; i < engine->declaration_count; i++) {
        if (!list_modules(&engine->registry.arena, &engine->declarations[i], &engine->offer))
            return TN_ERR_NOMEM;
    }
    for (size_t i = 0; i < registry->count; i++) {
        const RegistryEntry *entry = &registry->entries[i];
        if (entry->kind == ENTRY_FUNCTION && !(entry->flags & TN_FUNCTION_UNLISTED))
            functions[engine->offer.count++] = (OfferedFunction){
                entry->name, !(entry->flags & TN_FUNCTION_SYNC), packages_learned(entry)};
    }
    return TN_OK;
}

/* ---- a program's ---- */

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), wanted = strlen(end);

    return length > wanted && strcmp(name + length - wanted, end) == 0;
}

bool front_is_typescript(const char *name)
{
    return ends_in(name, ".ts") || ends_in(name, ".mts");
}

static tn_status json_of(tn_program *program, tn_value value, InputGiven *out_input)
{
    char *text;
    size_t length;
    tn_status status = tn_value_json(value, &text, &length);

    if (status != TN_OK)
        return status;
    out_input->json = arena_text(&program->arena, text, length);
    out_input->json_length = length;
    tn_text_free(text);
    return out_input->json ? TN_OK : arena_status(&program->arena);
}

/* The host's for all programs, and those for this one. */
static tn_status take_declarations(tn_program *program, const tn_program_options *options,
                                   const Declaration **out_declarations, size_t *out_count)
{
    const tn_engine *engine = program->engine;
    Declaration *all = ARENA_ARRAY(&program->arena, Declaration, engine->declaration_count + 1);

    if (!all)
        return arena_status(&program->arena);
    if (engine->declaration_count > 0)
        memcpy(all, engine->declarations, engine->declaration_count * sizeof *all);
    *out_declarations = all;
    *out_count = engine->declaration_count;
    for (size_t i = *out_count; options->policy && !tn_policy_fetches(options->policy) && i > 0;
         i--) {
        if (strcmp(all[i - 1].name, FETCH_DECLARATION) == 0)
            all[i - 1] = all[--*out_count];
    }
    if (options->declarations)
        all[(*out_count)++] = (Declaration){"the program's declarations", options->declarations,
                                            strlen(options->declarations)};
    return bound_declarations(&program->arena, options->policy, all, *out_count);
}

static tn_status take_inputs(tn_program *program, const tn_program_options *options,
                             CheckRequest *out_request)
{
    InputGiven *inputs =
        arena_push_array(&program->arena, options->input_count + 1, sizeof *inputs);
    tn_status status = inputs ? TN_OK : arena_status(&program->arena);

    for (size_t i = 0; inputs && i < options->input_count && status == TN_OK; i++) {
        const tn_input_type *input = &options->inputs[i];
        inputs[i] = (InputGiven){.name = input->name, .type = input->type};
        if (tn_value_type(input->example) != TN_TYPE_NONE)
            status = json_of(program, input->example, &inputs[i]);
    }
    out_request->inputs = inputs;
    out_request->input_count = options->input_count;
    return status;
}

static tn_status take_exports(tn_program *program, const tn_program_options *options,
                              CheckRequest *out_request)
{
    ExportDemand *exports =
        arena_push_array(&program->arena, options->export_count + 1, sizeof *exports);

    if (!exports)
        return arena_status(&program->arena);
    for (size_t i = 0; i < options->export_count; i++)
        exports[i] = (ExportDemand){options->exports[i].name, options->exports[i].type};
    out_request->exports = exports;
    out_request->export_count = options->export_count;
    return TN_OK;
}

static void take_findings(tn_program *program, const CheckResult *result)
{
    for (const CheckFinding *found = result->first; found; found = found->next) {
        Finding finding = {.code = found->code,
                           .severity = found->severity,
                           .span = found->file ? (Span){0, 0} : found->span,
                           .message = found->message,
                           .file = found->file,
                           .start = found->start,
                           .end = found->end,
                           .did_you_mean = found->did_you_mean,
                           .declaration = found->declaration,
                           .edit = found->edit_text};
        findings_give(&program->findings, &finding);
    }
}

/* Nobody checked: an error if somebody had to, else a word about it. */
static void note_unchecked(tn_program *program)
{
    bool must = program->engine->checking == TN_CHECKER_TSC;

    findings_add(&program->findings, "TN1201", must ? TN_SEVERITY_ERROR : TN_SEVERITY_INFO,
                 (Span){0, 0},
                 must ? "types were to be checked, and the compiler cannot be started"
                      : "types were not checked: the compiler cannot be started");
}

static void note_limit(tn_program *program, CheckLimit limit)
{
    findings_add(&program->findings, "TN1202", TN_SEVERITY_ERROR, (Span){0, 0},
                 limit == CHECK_LIMIT_MEMORY
                     ? "checking this program takes more memory than a check may use: simplify "
                       "its types"
                     : "checking this program takes more time than a check may use: simplify its "
                       "types");
}

static tn_status check_types(tn_program *program, const Source *source, const SourceFile *file,
                             const tn_program_options *options)
{
    tn_engine *engine = program->engine;
    CheckRequest request = {.source = source,
                            .file = file,
                            .check_declarations = true,
                            .expect = options->expect,
                            .lenient = engine->offer.count > 0};
    CheckResult result = {0};
    tn_status status =
        take_declarations(program, options, &request.declarations, &request.declaration_count);

    if (status == TN_OK)
        status = take_inputs(program, options, &request);

    if (status == TN_OK)
        status = take_exports(program, options, &request);
    if (status == TN_OK)
        status = checker_check(engine->checker, &program->arena, &request, &result);
    switch (status) {
    case TN_OK:
        take_findings(program, &result);
        return TN_OK;
    case TN_ERR_UNAVAILABLE:
    case TN_ERR_SYSTEM:
        note_unchecked(program);
        return TN_OK;
    case TN_ERR_LIMIT:
        note_limit(program, result.limit);
        return TN_OK;
    default:
        return status;
    }
}

static tn_status check(tn_program *program, const Source *source, const SourceFile *file,
                       const tn_program_options *options)
{
    const tn_engine *engine = program->engine;

    if (engine->checking == TN_CHECKER_NONE)
        return TN_OK;
    if (engine->checker)
        return check_types(program, source, file, options);
    if (engine->checking == TN_CHECKER_TSC)
        note_unchecked(program);
    return TN_OK;
}

/* The same lines as the program, in the text that runs. */
static tn_status take_javascript(tn_program *program, const Erased *erased)
{
    Erased *kept = ARENA_NEW(&program->arena, Erased);
    Source *javascript;
    tn_status status;

    if (!kept)
        return arena_status(&program->arena);
    *kept = *erased;
    status = source_load(&program->arena, program->source->name, erased->text, erased->length,
                         &javascript);
    if (status == TN_OK) {
        program->erased = kept;
        program->javascript = javascript;
    }
    return status;
}

static tn_status parse(tn_program *program, const Source *source, Findings *findings,
                       SourceFile **out_file)
{
    ParseOptions options = {.async_body = true};
    tn_status status = parse_module(&program->arena, source, &options, findings, out_file);

    if (status == TN_OK && findings->errors == 0)
        check_grammar(&program->arena, source, &options, *out_file, findings);
    return status;
}

bool front_tell_of_text(tn_program *program, const Source *source)
{
    const char *zero = memchr(source->text, '\0', source->length);
    const char *code = NULL, *message = NULL;
    Span span = {0, 0};

    if (!source->is_utf8) {
        code = "TS1490";
        message = "This is no text: from here on it holds bytes that are not UTF-8.";
        span.start = source_no_text_at(source);
    } else if (zero) {
        code = "TN1110";
        message = "This is no text: it holds a NUL character (byte 0) here.";
        span.start = (uint32_t)(zero - source->text);
    } else if (source->second_fence > 0) {
        code = "TN1111";
        message = arena_printf(&program->arena,
                               "The text holds %u fenced blocks of code, and this is the second: "
                               "which of them is the program? Send one block.",
                               source->fences);
        span.start = source->second_fence;
    }
    if (!code || !message)
        return false;
    span.end = span.start + (span.start < source->length);
    findings_init(&program->findings, &program->arena);
    findings_add(&program->findings, code, TN_SEVERITY_ERROR, span, message);
    return true;
}

/* Plainly another language: that comes first, and then what its odd tokens are. */
static void tell_foreign(tn_program *program)
{
    Findings found = program->findings;

    findings_init(&program->findings, &program->arena);
    if (!report_foreign(program) || !program->findings.last || !found.last) {
        program->findings = found;
        return;
    }
    program->findings.last->next = found.first;
    program->findings.last = found.last;
    program->findings.count += found.count;
    program->findings.errors += found.errors;
}

/* Past blanks and comments: does a brace come first? */
static bool begins_with_brace(const char *at, const char *end)
{
    while (at < end) {
        const char *close = NULL;
        if ((unsigned char)*at <= ' ')
            close = at;
        else if (end - at > 1 && at[0] == '/' && at[1] == '/')
            close = memchr(at, '\n', (size_t)(end - at));
        else if (end - at > 3 && at[0] == '/' && at[1] == '*')
            close = (close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2)) ? close + 1 : NULL;
        else
            return *at == '{';
        if (!close)
            return false;
        at = close + 1;
    }
    return false;
}

/* A text that begins with a brace is an object, if it can be one: `{ a: 1, "b": 2 }`. It is read in
 * parentheses, one byte further on. NULL if it is none. */
static tn_status read_object(tn_program *program, Source **out_source, SourceFile **out_file)
{
    const Source *source = program->source;
    char *text = arena_push(&program->arena, source->length + 4);
    Findings findings;
    tn_status status;

    *out_source = NULL;
    if (!begins_with_brace(source->text, source->text + source->length))
        return TN_OK;
    if (!text)
        return arena_status(&program->arena);
    text[0] = '(';
    memcpy(text + 1, source->text, source->length);
    memcpy(text + 1 + source->length, "\n)", 3);
    findings_init(&findings, &program->arena);
    status = source_load(&program->arena, source->name, text, source->length + 3, out_source);
    if (status == TN_OK)
        status = parse(program, *out_source, &findings, out_file);
    if (findings.errors > 0)
        *out_source = NULL;
    return status;
}

/* The object alone again, without what was put around it. */
static tn_status take_object(tn_program *program, const Erased *erased)
{
    Source *javascript;
    tn_status status = source_load(&program->arena, program->source->name, erased->text + 1,
                                   erased->length - 3, &javascript);

    if (status == TN_OK)
        program->javascript = javascript;
    return status;
}

/* Findings of the text in parentheses, led back. */
static void lead_back(Finding *finding)
{
    for (; finding; finding = finding->next) {
        finding->span.start -= finding->span.start > 0;
        finding->span.end -= finding->span.end > 0;
    }
}

/* The packages of the engine, to which those of the program's own declarations come. */
static tn_status copy_declared(Arena *arena, Offer *offer)
{
    const char **declared = ARENA_ARRAY(arena, const char *, offer->declared_count + 1);

    if (!declared)
        return arena_status(arena);
    if (offer->declared_count > 0)
        memcpy(declared, offer->declared, offer->declared_count * sizeof *declared);
    offer->declared = declared;
    return list_modules(arena, &offer->declarations[offer->declaration_count - 1], offer)
               ? TN_OK
               : TN_ERR_NOMEM;
}

/* What the host offers to all programs, and what this one is given. */
static tn_status look_over(tn_program *program, const SourceFile *file,
                           const tn_program_options *options)
{
    const tn_engine *engine = program->engine;
    Offer offer = engine->offer;
    const char **inputs = ARENA_ARRAY(&program->arena, const char *, options->input_count + 1);

    if (!inputs)
        return arena_status(&program->arena);
    for (size_t i = 0; i < options->input_count; i++)
        inputs[i] = options->inputs[i].name;
    offer.inputs = inputs;
    offer.input_count = options->input_count;
    offer.policy = options->policy;
    tn_status status =
        take_declarations(program, options, &offer.declarations, &offer.declaration_count);
    if (status == TN_OK && options->declarations)
        status = copy_declared(&program->arena, &offer);
    if (status != TN_OK)
        return status;
    advise(&program->arena, file, &offer, &program->findings);
    return TN_OK;
}

tn_status front_read(tn_program *program, const tn_program_options *options)
{
    const Source *source = program->source;
    Source *object = NULL;
    SourceFile *file;
    Erased erased;
    tn_status status;

    program->javascript = program->source;
    if (!front_is_typescript(source->name))
        return TN_OK;
    status = read_object(program, &object, &file);
    if (object)
        source = object;
    else if (status == TN_OK)
        status = parse(program, source, &program->findings, &file);
    if (status == TN_OK && program->findings.errors > 0 && !front_tell_of_text(program, source))
        tell_foreign(program);
    if (status != TN_OK || program->findings.errors > 0)
        return status;
    status = look_over(program, file, options);
    if (status == TN_OK && !options->unchecked && program->findings.errors == 0)
        status = check(program, source, file, options);
    if (object)
        lead_back(program->findings.first);
    if (status != TN_OK || program->findings.errors > 0)
        return status;
    status = erase_types(&program->arena, source, file, &program->findings, &erased);
    if (status != TN_OK || program->findings.errors > 0)
        return status;
    return object ? take_object(program, &erased) : take_javascript(program, &erased);
}

bool front_can_run(const tn_program *program)
{
    for (const Finding *finding = program->findings.first; finding; finding = finding->next) {
        if (finding->severity == TN_SEVERITY_ERROR || strcmp(finding->code, "TN1108") == 0)
            return false;
    }
    return program->findings.errors == 0;
}
