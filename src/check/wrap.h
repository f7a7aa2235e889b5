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
 *            variables, or whose value is to be of a class that uses them, where a body would tear
 *            them apart. That a way through it returns nothing is not seen then.
 *
 * What is returned is held against the type that is expected by the function's own; the value of
 * the last statement, and what is thrown, by assigning it to a variable of that type, which changes
 * nothing of how the program flows. In both the names of the type are those of the program.
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
    WRAP_VALUE_BRANCHES, /* that of a branch, or of what stands before declarations */
    WRAP_VALUE_FUNCTION, /* what the one function returns that it consists of */
    WRAP_VALUE_DEFAULT,  /* its default export, or what that gives when called */
    WRAP_VALUE_HIDDEN,   /* there may be one, and nothing can be said of its type */
} WrapValue;

typedef struct WrapPiece {
    uint32_t at;     /* where it begins in the text */
    uint32_t source; /* copied: from where */
    bool copied;
    bool blank;     /* copied, but as blanks */
    bool text;      /* put in: the text of a contract, whose places are its own */
    Span anchor;    /* put in: for what */
    unsigned about; /* put in: which demand; see WrapAbout */
} WrapPiece;

/* What a piece was put in for, beyond 0: nothing. From WRAP_ABOUT_EXPORT on, an export demanded.
 * With WRAP_ABOUT_TEXT it is about the text of a contract alone: 0 is what is expected, then come
 * the exports and the inputs. */
typedef enum WrapAbout {
    WRAP_ABOUT_VALUE = 1,
    WRAP_ABOUT_MISSING = 2, /* the value that one way through the program does not give */
    WRAP_ABOUT_EXPORT = 3,
    WRAP_ABOUT_TEXT = 1 << 24,
} WrapAbout;

typedef struct Wrapped {
    WrapForm form;
    WrapValue value;
    bool gives_none; /* with WRAP_ABOUT_MISSING: no way through it gives a value */
    Buf text;
    Buf pieces; /* of WrapPiece */
    TypeQuestion question;
    bool has_question;
    uint32_t *inputs; /* where each input that has a type is declared; 0: nowhere */
} Wrapped;

/**
 * `types`: the trees of the types of the contract, counted as for WRAP_ABOUT_TEXT; NULL: none.
 *
 * Errors: TN_ERR_NOMEM. Release it in every case. Exports that are not there become findings
 * (`last` is where the next finding goes).
 */
tn_status wrap(Arena *arena, const CheckRequest *request, const Node *const *types,
               Wrapped *out_wrapped, CheckFinding ***last);
void wrap_release(Wrapped *wrapped);

/** Lead a place back to the program. `*out_about`: what the first byte was put in for; 0 if it is
 * the program's own. */
Span wrap_place(const Wrapped *wrapped, Span span, unsigned *out_about);

/** Where a byte of the program stands in the text; false if it does not. */
bool wrap_locate(const Wrapped *wrapped, uint32_t source, uint32_t *out_at);

#endif
