#include "complaint.h"

#include <string.h>

#include "messages.h"

void complain(Complaints *c, Complaint complaint)
{
    c->fresh = true;
    if (c->count > 0 && c->at[c->count - 1].start == complaint.start)
        return;
    if (c->count == c->capacity) {
        uint32_t capacity = c->capacity ? c->capacity * 2 : 32;
        Complaint *at;
        if (c->count > FINDINGS_MAX)
            return;
        at = arena_grow(c->arena, c->at, c->count * sizeof(*at), capacity * sizeof(*at));
        if (!at)
            return;
        c->at = at;
        c->capacity = capacity;
    }
    c->at[c->count++] = complaint;
}

/* Code "TS1005" in the arena. */
static const char *code_text(Arena *arena, unsigned code)
{
    char text[8] = "TS";
    size_t length = code >= 10000 ? 7 : 6;

    for (size_t i = length; i-- > 2; code /= 10)
        text[i] = (char)('0' + code % 10);
    return arena_text(arena, text, length);
}

void complaints_give(const Complaints *c, const Source *source, Findings *findings)
{
    char message[MESSAGE_BYTES_MAX];

    for (uint32_t i = 0; i < c->count; i++) {
        const Complaint *one = &c->at[i];
        const char *code = one->code < 1000 ? "TN1010" : code_text(c->arena, one->code);
        if (i > 0 || !message_of_jsx(one, source, message))
            message_write(one, source, message);
        if (code)
            findings_add(findings, code, TN_SEVERITY_ERROR, (Span){one->start, one->end}, message);
    }
}
