/*
 * check: does a program fit, before anything of it runs?
 *
 * A program becomes a text that a type checker can take (wrap.c), somebody who knows the types
 * reads it (a Provider), and what is found becomes findings in our own words at the program's own
 * places (wording.c). Read it in this order:
 *
 *   check        the one interface: a Checker, and one question to it
 *   contract     what the host gives a program and demands of it, as declarations and types
 *   outline      what stands at the top of a program
 *   completion   which of its statements give the value, if nothing returns it
 *   wrap         the program as a module or as the body of a function: which form (wrap), its edits
 *                and the way back for places (wrap_text), what it is to give (wrap_value)
 *   provider     who knows the types
 *   tsc          the first provider: the real compiler, held warm in a few processes
 *   compiler     one of them, spoken to: a check as a little project
 *   process      one child process: begun, spoken to, ended for certain
 *   confine      what it gives up before it begins
 *   rpc, world   JSON-RPC with it; the file system it is shown, which exists nowhere
 *   library      the declarations of the language
 *   globals      those of our globals: realm.d.ts
 *   shape        types as small trees
 *   json_type    the type of an example; holds: has a value a type?
 *   callee       which call a finding is about, so that it can name the signature
 *   facts        what is taken of another's sentence: names, types and numbers
 *   wording      codes to sentences
 *   tell         diagnostics to findings, at the program's places, with what they concern
 *   advice       what only a host of programs knows to look for; ambient: what is only declared;
 *                absent: packages of which only types are known; denied: calls against the policy;
 *                unseen: members that no result had so far
 *
 * The invariant: **no false alarm, and no word that is not ours.** What the provider cannot tell
 * for certain is no finding; of what it tells, facts are taken (code, place, names, types) and
 * never sentences.
 *
 * A check shares nothing with another one but what all programs share: the library, and
 * declarations of the same content.
 */
#ifndef CHECK_H
#define CHECK_H

#include "buf.h"
#include "findings.h"
#include "tree.h"

/* ---- the checker ---- */

typedef struct CheckerOptions {
    const char *compiler;  /* path of the program `tsc` of TypeScript 7; its library beside it */
    unsigned processes;    /* at most; 0: as many as there are processors, up to four */
    uint32_t time_ms;      /* one check; 0: 1000 */
    uint64_t memory_bytes; /* one process; 0: 512 MiB */
} CheckerOptions;

typedef struct Checker Checker;

/**
 * Make a checker. Nothing is started before it is needed.
 *
 * Ownership: `options` is copied. `*out_checker` is ended with checker_free.
 * Errors:    TN_ERR_NOMEM.
 * Threads:   any number may check at the same time; each waits for a free process.
 */
tn_status checker_new(const tn_allocator *allocator, const CheckerOptions *options,
                      Checker **out_checker);
void checker_free(Checker *checker);

/** Start one process and let it read the library, so that the first check is a warm one.
 * TN_ERR_UNAVAILABLE if there is no compiler. */
tn_status checker_warm(Checker *checker);

/** A sentence on who checks and behind which walls, for the doctor; appended. */
void checker_describe(Checker *checker, Buf *out);

/* ---- shapes ---- */

typedef enum ShapeKind {
    SHAPE_ANY, /* also: what could not be found out */
    SHAPE_UNKNOWN,
    SHAPE_NEVER,
    SHAPE_VOID,
    SHAPE_UNDEFINED,
    SHAPE_NULL,
    SHAPE_BOOLEAN,
    SHAPE_NUMBER,
    SHAPE_STRING,
    SHAPE_BIGINT,
    SHAPE_SYMBOL,
    SHAPE_LITERAL,  /* `text` is the value as JSON; of a bigint its digits and "n" */
    SHAPE_ARRAY,    /* one child */
    SHAPE_TUPLE,    /* a child for each element; an optional one is `optional`, a rest one `rest` */
    SHAPE_OBJECT,   /* members, named; an index signature is a member without a name */
    SHAPE_UNION,    /* children */
    SHAPE_PROMISE,  /* one child */
    SHAPE_MAP,      /* two children */
    SHAPE_SET,      /* one child */
    SHAPE_INSTANCE, /* of a class of the language: `text` is its name: Date, Uint8Array, URL... */
    SHAPE_FUNCTION, /* parameters, named; the last child is what it returns */
    SHAPE_AGAIN,    /* the type around it that is called `text` */
} ShapeKind;

typedef struct Shape Shape;

struct Shape {
    ShapeKind kind;
    const char *text; /* of objects and unions: the name the type was given; else as said above */
    const char *name; /* as a member or parameter; NULL without one */
    bool optional;
    bool readonly;
    bool rest;
    const Shape *first; /* children */
    const Shape *next;  /* after this one, in its parent */
};

/* ---- one check ---- */

typedef struct Declaration {
    const char *name; /* as findings name it: "github.d.ts" */
    const char *text;
    size_t length;
} Declaration;

/* What findings about a contract's own text name in the place of a file; of an export it is
 * "the type of export `name`". */
#define CHECK_FILE_EXPECT "the expected type"
#define CHECK_FILE_INPUT  "the type of the input"
#define CHECK_FILE_GIVEN  "the input"

typedef struct CheckFinding {
    struct CheckFinding *next;
    const char *code; /* "TS2339", "TN1101" */
    tn_severity severity;
    const char *file;    /* NULL: the program; else a declaration's name, or CHECK_FILE_... */
    Span span;           /* offsets in the program's text, or that other one */
    Position start, end; /* in that other one; of the program's nothing is said here */
    const char *message;
    const char *did_you_mean; /* a name, or NULL */
    Span edit;                /* with `edit_text`: what to replace, where that is sure */
    const char *edit_text;
    /* The declaration it concerns, if one is known: whose text (NULL: the program's), where, and
     * what it says, on one line. Or the signature of what is called: `name: (a: string) => void`,
     * where it is called. */
    const char *declared_file;
    Span declared;
    const char *declaration;
} CheckFinding;

/** Something that a program is to export. */
typedef struct ExportDemand {
    const char *name; /* "default" too */
    const char *type; /* in TypeScript; NULL: any */
} ExportDemand;

/** A name in scope with a value that the host gives. */
typedef struct InputGiven {
    const char *name;
    const char *type; /* in TypeScript; NULL: from `json` */
    const char *json; /* its value: has it that type, or which has it? NULL: unknown */
    size_t json_length;
} InputGiven;

typedef struct CheckRequest {
    const Source *source;
    const SourceFile *file; /* its tree, without findings; NULL: taken as a module as it is */
    const Declaration *declarations;
    size_t declaration_count;
    bool check_declarations; /* findings in the declarations too */
    const char *expect;      /* the type of the program's value, in TypeScript; NULL: any */
    const ExportDemand *exports;
    size_t export_count;
    const InputGiven *inputs;
    size_t input_count;
    bool want_value;    /* the shape of the program's value */
    bool lenient;       /* what packages give may be any: a callback that is handed to a call need
                           not say the types of its parameters */
    bool language_only; /* our globals are left out: for comparing with the compiler */
} CheckRequest;

typedef enum CheckLimit { CHECK_LIMIT_NONE, CHECK_LIMIT_TIME, CHECK_LIMIT_MEMORY } CheckLimit;

typedef struct CheckResult {
    CheckFinding *first;
    size_t count;
    size_t errors;
    const Shape *value; /* if wanted; NULL if the program gives none */
    CheckLimit limit;   /* which, with TN_ERR_LIMIT */
    double ms;
} CheckResult;

/**
 * Check one program.
 *
 * Ownership: everything in the result lives in the arena; `request` is borrowed for the call.
 * Limits:    CheckerOptions. Over them the process is ended and another takes its place.
 * Errors:    TN_ERR_UNAVAILABLE (no compiler), TN_ERR_LIMIT (see `limit`), TN_ERR_ARGUMENT (a
 *            JSON text of the contract is none), TN_ERR_NOMEM, TN_ERR_SYSTEM. A type of the
 *            contract that is none is a finding about its text.
 */
tn_status checker_check(Checker *checker, Arena *arena, const CheckRequest *request,
                        CheckResult *out_result);

#endif
