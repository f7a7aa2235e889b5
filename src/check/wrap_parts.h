/* What the wrapper's files share: the text in the making, and what is put into it. */
#ifndef WRAP_PARTS_H
#define WRAP_PARTS_H

#include "outline.h"
#include "wrap.h"

typedef struct Wrapper {
    Arena *arena;
    const CheckRequest *request;
    Outline *outline;
    Wrapped *out;
    Buf edits;
    CheckFinding ***last;
} Wrapper;

/* ---- wrap_text.c: edits of the program, and writing ---- */

/** Blanks for every byte but the ends of lines. */
void wrap_blank(Wrapper *wrapper, uint32_t start, uint32_t end);
void wrap_replace(Wrapper *wrapper, uint32_t start, uint32_t end, const char *text, Span anchor,
                  unsigned about);

void wrap_put_copied(Wrapper *wrapper, uint32_t start, uint32_t end);
void wrap_put_text(Wrapper *wrapper, const char *text, Span anchor, unsigned about);
void wrap_put_contract(Wrapper *wrapper, const char *text, size_t index);

/** The program with its edits. */
void wrap_put_program(Wrapper *wrapper);

/* ---- wrap_value.c: what the program gives, held against what it is to give ---- */

void wrap_put_export_checks(Wrapper *wrapper);
void wrap_edit_default(Wrapper *wrapper, bool in_body);
void wrap_put_default_value(Wrapper *wrapper);
void wrap_edit_completion(Wrapper *wrapper);
void wrap_put_completion(Wrapper *wrapper);
void wrap_edit_thrown(Wrapper *wrapper);
void wrap_put_inputs(Wrapper *wrapper);
void wrap_put_contracts(Wrapper *wrapper);

#endif
