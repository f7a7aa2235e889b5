#include "check.h"

#include <string.h>

#include "base.h"
#include "clock.h"
#include "contract.h"
#include "globals.h"
#include "holds.h"
#include "memory.h"
#include "tell.h"
#include "tsc.h"

struct Checker {
    tn_allocator allocator;
    Provider *provider;
};

tn_status checker_new(const tn_allocator *allocator, const CheckerOptions *options,
                      Checker **out_checker)
{
    Checker *checker = memory_new(allocator, sizeof *checker);

    if (!checker)
        return TN_ERR_NOMEM;
    checker->allocator = *allocator;
    tn_status status = tsc_new(&checker->allocator, options, &checker->provider);
    if (status != TN_OK) {
        memory_free(allocator, checker, sizeof *checker);
        return status;
    }
    *out_checker = checker;
    return TN_OK;
}

void checker_free(Checker *checker)
{
    if (!checker)
        return;
    tn_allocator allocator = checker->allocator;
    checker->provider->operations->free(checker->provider);
    memory_free(&allocator, checker, sizeof *checker);
}

tn_status checker_warm(Checker *checker)
{
    return checker->provider->operations->warm(checker->provider);
}

void checker_describe(Checker *checker, Buf *out)
{
    checker->provider->operations->describe(checker->provider, out);
}

static bool is_same(const CheckFinding *one, const CheckFinding *other)
{
    return one->span.start == other->span.start && one->file == other->file &&
           strcmp(one->code, other->code) == 0;
}

/* What is in other files comes first, then by place. */
static bool is_before(const CheckFinding *one, const CheckFinding *other)
{
    return (one->file != NULL || other->file == NULL) && one->span.start <= other->span.start;
}

/* In the order of places; of two with the same code at the same place one. */
static CheckFinding *in_order(CheckFinding *list)
{
    CheckFinding *sorted = NULL, *next;

    for (CheckFinding *finding = list; finding; finding = next) {
        CheckFinding **at = &sorted, *one;
        next = finding->next;
        while ((one = *at) != NULL && !is_same(one, finding) && is_before(one, finding))
            at = &one->next;
        if (one && is_same(one, finding))
            continue;
        finding->next = one;
        *at = finding;
    }
    return sorted;
}

/* ---- one check ---- */

/* The declarations of a check: our globals, the inputs, the request's. */
static tn_status gather(Arena *arena, const CheckRequest *request, const JsonTable *tables,
                        Declaration **out_declarations, size_t *out_count, size_t *out_own)
{
    Declaration *all = ARENA_ARRAY(arena, Declaration, request->declaration_count + 2);
    size_t own = 0;

    if (!all)
        return arena_status(arena);
    if (!request->language_only) {
        all[own] = globals_for(arena, request->declarations, request->declaration_count);
        if (!all[own].text)
            return arena_status(arena);
        own++;
    }
    TRY(contract_inputs(arena, request->inputs, request->input_count, tables, &all[own]));
    own += all[own].text != NULL;
    if (request->declaration_count > 0)
        memcpy(all + own, request->declarations, request->declaration_count * sizeof *all);
    *out_declarations = all;
    *out_count = own + request->declaration_count;
    *out_own = own;
    return TN_OK;
}

/* Comments that tell the compiler what not to say: a host's contract is not the program's to switch
 * off. */
static void silence_comments(char *text, size_t length)
{
    char *end = text + length;

    for (char *at = text; (at = memchr(at, '@', (size_t)(end - at))); at++) {
        if (end - at > 4 && memcmp(at, "@ts-", 4) == 0)
            *at = ' ';
    }
}

/* Objects of the input that are indexed by a computed string, and that were not known to be. */
static size_t find_tables(Arena *arena, const Diagnostic *diagnostics, const JsonTable **tables)
{
    enum { NOT_INDEXED = 7053 };
    size_t found = 0;

    for (const Diagnostic *at = diagnostics; at; at = at->next) {
        JsonTable *table = NULL;
        for (size_t i = 0; at->code == NOT_INDEXED && i < at->word_count && !table; i++)
            table = at->words[i][0] == '{' ? json_table_read(arena, at->words[i]) : NULL;
        if (!table)
            continue;
        table->next = *tables;
        *tables = table;
        found++;
    }
    return found;
}

static bool has_examples(const CheckRequest *request)
{
    for (size_t i = 0; i < request->input_count; i++) {
        if (request->inputs[i].json && !request->inputs[i].type)
            return true;
    }
    return false;
}

/* Asked again when an object of the input turns out to be a table, and a table inside it. */
static tn_status ask_provider(Checker *checker, Reporter *reporter, ProviderJob *job,
                              ProviderReply *out_reply)
{
    enum { ROUNDS = 4 };
    const CheckRequest *request = reporter->request;
    Provider *provider = checker->provider;
    const JsonTable *tables = NULL;
    Declaration *declarations = NULL;
    const Declaration *inputs, *before = NULL;

    for (unsigned round = 1;; round++) {
        TRY(gather(reporter->arena, request, tables, &declarations, &job->declaration_count,
                   &reporter->own));
        job->declarations = declarations;
        job->skipped_declarations = reporter->own;
        inputs = reporter->own > 0 ? &declarations[reporter->own - 1] : NULL;
        if (before && inputs->length == before->length &&
            memcmp(inputs->text, before->text, inputs->length) == 0)
            return TN_OK; /* of another object: what was found stands */
        before = inputs;
        reporter->followed = 0;
        TRY(provider->operations->check(provider, reporter->arena, job, out_reply));
        if (round == ROUNDS || !has_examples(request) ||
            find_tables(reporter->arena, out_reply->diagnostics, &tables) == 0)
            return TN_OK;
    }
}

/* An input that is not of the type that it is said to have. */
static tn_status hold_input(Reporter *reporter, size_t index, const Shape *shape)
{
    const InputGiven *input = &reporter->request->inputs[index];
    CheckFinding *finding = ARENA_NEW(reporter->arena, CheckFinding);
    Tape tape;
    tn_status status =
        tape_read(&tape, reporter->arena->allocator, input->json, input->json_length);
    const char *said =
        status == TN_OK && finding ? holds(reporter->arena, input->name, &tape, shape) : NULL;

    tape_release(&tape);
    if (status != TN_OK || !said)
        return status == TN_OK ? arena_status(reporter->arena) : status;
    *finding = (CheckFinding){.code = "TN1125",
                              .severity = TN_SEVERITY_ERROR,
                              .file = CHECK_FILE_GIVEN,
                              .span = {(uint32_t)index, (uint32_t)index}, /* their order */
                              .start = {1, 1, 1},
                              .end = {1, 1, 1},
                              .message = said};
    *reporter->last = finding;
    reporter->last = &finding->next;
    return TN_OK;
}

/* The questions of a check: the program's value, and the types of inputs that are known. */
static tn_status put_questions(const Reporter *reporter, ProviderJob *job)
{
    const CheckRequest *request = reporter->request;
    TypeQuestion *questions = ARENA_ARRAY(reporter->arena, TypeQuestion, request->input_count + 1);

    if (!questions)
        return arena_status(reporter->arena);
    job->questions = questions;
    if (request->want_value && reporter->wrapped->has_question)
        questions[job->question_count++] = reporter->wrapped->question;
    for (size_t i = 0; i < request->input_count; i++) {
        if (request->inputs[i].json && reporter->wrapped->inputs[i])
            questions[job->question_count++] =
                (TypeQuestion){.at = reporter->wrapped->inputs[i], .always = true};
    }
    return TN_OK;
}

static tn_status take_shapes(Reporter *reporter, const ProviderReply *reply, CheckResult *result)
{
    const CheckRequest *request = reporter->request;
    size_t at = 0;

    if (!reply->shapes)
        return TN_OK;
    if (request->want_value && reporter->wrapped->has_question)
        result->value = reply->shapes[at++];
    for (size_t i = 0; i < request->input_count; i++) {
        const InputGiven *input = &request->inputs[i];
        if (!input->json || !reporter->wrapped->inputs[i])
            continue;
        const Shape *shape = reply->shapes[at++];
        if (shape && !reporter->broken[1 + request->export_count + i])
            TRY(hold_input(reporter, i, shape));
    }
    return TN_OK;
}

static tn_status check_wrapped(Checker *checker, Arena *arena, const CheckRequest *request,
                               const Wrapped *wrapped, CheckFinding **last, CheckResult *result)
{
    ProviderReply reply = {0};

    silence_comments((char *)wrapped->text.data, wrapped->text.length);
    ProviderJob job = {
        .text = (const char *)wrapped->text.data,
        .length = wrapped->text.length,
        .parsed = request->file != NULL,
        .check_declarations = request->check_declarations,
    };
    Reporter reporter = {.arena = arena,
                         .request = request,
                         .wrapped = wrapped,
                         .job = &job,
                         .last = last,
                         .signatures = reply.followed};
    TRY(put_questions(&reporter, &job));
    job.follow = tell_follow;
    job.follow_context = &reporter;
    tn_status status = ask_provider(checker, &reporter, &job, &reply);
    result->limit = reply.limit;
    TRY(status);
    TRY(tell_find_broken(&reporter, reply.diagnostics));
    for (const Diagnostic *at = reply.diagnostics; at; at = at->next)
        TRY(tell_diagnostic(&reporter, at));
    TRY(take_shapes(&reporter, &reply, result));
    return arena_status(arena);
}

static tn_status check_as_wrapped(Checker *checker, Arena *arena, const CheckRequest *request,
                                  const Node *const *types, CheckFinding **last,
                                  CheckResult *result)
{
    Wrapped wrapped;
    tn_status status = wrap(arena, request, types, &wrapped, &last);

    if (status == TN_OK)
        status = check_wrapped(checker, arena, request, &wrapped, last, result);
    wrap_release(&wrapped);
    return status;
}

tn_status checker_check(Checker *checker, Arena *arena, const CheckRequest *request,
                        CheckResult *out_result)
{
    double began = clock_monotonic_ms();
    CheckResult result = {0};
    CheckFinding *first = NULL, **last = &first;
    const Node **types = ARENA_ARRAY(arena, const Node *, tell_contract_count(request));
    tn_status status =
        types ? tell_read_contract(arena, request, types, &last) : arena_status(arena);

    if (status == TN_OK && !first)
        status = check_as_wrapped(checker, arena, request, types, last, &result);
    result.first = in_order(first);
    for (const CheckFinding *at = result.first; at; at = at->next) {
        result.count++;
        result.errors += at->severity == TN_SEVERITY_ERROR;
    }
    result.ms = clock_monotonic_ms() - began;
    *out_result = result;
    return status;
}
