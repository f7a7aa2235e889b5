#include "check.h"

#include <stdio.h>
#include <string.h>

#include "base.h"
#include "clock.h"
#include "memory.h"
#include "provider.h"
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

tn_status checker_check(Checker *checker, Arena *arena, const CheckRequest *request,
                        CheckResult *out_result)
{
    double began = clock_monotonic_ms();
    ProviderJob job = {.text = request->source->text,
                       .length = request->source->length,
                       .declarations = request->declarations,
                       .declaration_count = request->declaration_count,
                       .check_declarations = request->check_declarations};
    ProviderReply reply;
    CheckResult result = {0};
    CheckFinding **last = &result.first;

    tn_status status = checker->provider->operations->check(checker->provider, arena, &job, &reply);
    result.limit = reply.limit;
    for (Diagnostic *d = reply.diagnostics; status == TN_OK && d; d = d->next) {
        CheckFinding *finding = ARENA_NEW(arena, CheckFinding);
        if (!finding)
            return arena_status(arena);
        finding->code = arena_printf(arena, "TS%u", d->code);
        finding->severity = TN_SEVERITY_ERROR;
        finding->span = d->span;
        finding->message = d->word_count ? d->words[0] : "";
        *last = finding;
        last = &finding->next;
        result.count++;
        result.errors++;
    }
    result.ms = clock_monotonic_ms() - began;
    *out_result = result;
    return status;
}
