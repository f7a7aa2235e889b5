/*
 * The program as a text that a type checker can take, and the way back.
 *
 * A program is a module that may also `return` and whose last expression may be its value; for a
 * type checker one of the two forms is chosen:
 *
 *   module   the text as it is. The rule, where nothing is returned and no value is asked for.
 *   body     the text as the body of an async function, so that what is returned has a type and
 *            can be held against one. What only a module may have (imports, `declare`, namespaces)
 *            goes before the function, with the types it needs, and leaves blanks where it stood.
 *   thrown   a module in which `return` became `throw`: for the rare text whose namespaces use its
 *            variables, where a body would tear them apart. Nothing is known of the value then.
 *
 * The text was parsed alone before, so what is put around it cannot be closed from inside.
 *
 * Every byte of the result is a byte of the program, or was put in for one of its places; findings
 * are led back by that (wrap_place).
 */
#ifndef WRAP_H
#define WRAP_H

#include "check.h"
#include "provider.h"

typedef enum WrapForm { WRAP_MODULE, WRAP_BODY, WRAP_THROWN } WrapForm;

/* What the program's value is. */
typedef enum WrapValue {
    WRAP_VALUE_NONE,     /* there is no place that gives one */
    WRAP_VALUE_RETURN,   /* what it returns */
    WRAP_VALUE_LAST,     /* its last expression */
    WRAP_VALUE_FUNCTION, /* what the one function returns that it consists of */
    WRAP_VALUE_DEFAULT,  /* its default export, or what that gives when called */
    WRAP_VALUE_HIDDEN,   /* there may be one, and nothing can be said of its type */
} WrapValue;

typedef struct WrapPiece {
    uint32_t at;     /* where it begins in the text */
    uint32_t source; /* copied: from where */
    bool copied;
    bool blank;     /* copied, but as blanks */
    Span anchor;    /* put in: for what */
    unsigned about; /* put in: which demand; see WrapAbout */
} WrapPiece;

/* What a piece was put in for, beyond 0: nothing. From WRAP_ABOUT_EXPORT on, an export demanded. */
typedef enum WrapAbout { WRAP_ABOUT_VALUE = 1, WRAP_ABOUT_EXPORT = 2 } WrapAbout;

typedef struct Wrapped {
    WrapForm form;
    WrapValue value;
    Buf text;
    Buf pieces; /* of WrapPiece */
    TypeQuestion question;
    bool has_question;
} Wrapped;

/**
 * Errors: TN_ERR_NOMEM. Release it in every case. Exports that are not there become findings
 * (`last` is where the next finding goes).
 */
tn_status wrap(Arena *arena, const CheckRequest *request, Wrapped *out_wrapped,
               CheckFinding ***last);
void wrap_release(Wrapped *wrapped);

/** Lead a place back to the program. `*out_about`: what the first byte was put in for; 0 if it is
 * the program's own. */
Span wrap_place(const Wrapped *wrapped, Span span, unsigned *out_about);

/** Where a byte of the program stands in the text; false if it does not. */
bool wrap_locate(const Wrapped *wrapped, uint32_t source, uint32_t *out_at);

#endif
