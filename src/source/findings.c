#include "findings.h"

void findings_init(Findings *findings, Arena *arena)
{
    *findings = (Findings){.arena = arena};
}

void findings_add(Findings *findings, const char *code, tn_severity severity, Span span,
                  const char *message)
{
    findings->errors += severity == TN_SEVERITY_ERROR;
    if (findings->count == FINDINGS_MAX)
        return;
    Finding *finding = ARENA_NEW(findings->arena, Finding);
    char *copy = arena_string(findings->arena, message);
    if (!finding || !copy)
        return;
    *finding = (Finding){.code = code, .severity = severity, .span = span, .message = copy};
    if (findings->last)
        findings->last->next = finding;
    else
        findings->first = finding;
    findings->last = finding;
    findings->count++;
}
