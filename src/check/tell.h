/*
 * From diagnostics to findings: led back to the program's places or to the contract's own text, in
 * the words of what was demanded, with the declaration or signature they concern.
 */
#ifndef TELL_H
#define TELL_H

#include "callee.h"
#include "wrap.h"

typedef struct Reporter {
    Arena *arena;
    const CheckRequest *request;
    const Wrapped *wrapped;
    const ProviderJob *job;
    size_t own; /* how many of the job's declarations are ours, before the request's */
    CheckFinding **last;
    size_t followed; /* calls that findings are about */
    const Diagnostic *about[FOLLOW_MAX];
    Callee callees[FOLLOW_MAX];
    const char *const *signatures;
    bool *broken; /* types of the contract that are wrong themselves; see wrap.h */
} Reporter;

/** How many texts the contract may have, counted as for WRAP_ABOUT_TEXT. */
size_t tell_contract_count(const CheckRequest *request);

/** Parse them. `types`: their trees, in that order; of a text that is no type there is a finding,
 * and nothing else is to be looked at. */
tn_status tell_read_contract(Arena *arena, const CheckRequest *request, const Node **types,
                             CheckFinding ***last);

/** A ProviderFollow: the functions that are called where arguments do not fit. */
size_t tell_follow(void *context, const Diagnostic *diagnostics, uint32_t *out_places, size_t most);

/** Which types of the contract are wrong themselves. Before the first tell_diagnostic. */
tn_status tell_find_broken(Reporter *reporter, const Diagnostic *diagnostics);

/** One diagnostic becomes a finding, or none if it is no fault of the program. */
tn_status tell_diagnostic(Reporter *reporter, const Diagnostic *diagnostic);

#endif
