#include "findings.h"

void findings_init(Findings *findings, Arena *arena)
{
    *findings = (Findings){.arena = arena};
}

void findings_give(Findings *findings, const Finding *finding)
{
    findings->errors += finding->severity == TN_SEVERITY_ERROR;
    if (findings->count == FINDINGS_MAX)
        return;
    Finding *copy = ARENA_NEW(findings->arena, Finding);
    if (!copy)
        return;
    *copy = *finding;
    copy->next = NULL;
    if (findings->last)
        findings->last->next = copy;
    else
        findings->first = copy;
    findings->last = copy;
    findings->count++;
}

void findings_add(Findings *findings, const char *code, tn_severity severity, Span span,
                  const char *message)
{
    Finding finding = {.code = code, .severity = severity, .span = span};

    if (findings->count < FINDINGS_MAX) {
        finding.message = arena_string(findings->arena, message);
        if (!finding.message) {
            findings->errors += severity == TN_SEVERITY_ERROR;
            return;
        }
    }
    findings_give(findings, &finding);
}
