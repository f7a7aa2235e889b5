/*
 * What matters of a program to whoever puts it into another form: its statements at the top, which
 * of them only a module may have, where it returns, what its last expression is, what it exports.
 */
#ifndef OUTLINE_H
#define OUTLINE_H

#include "completion.h"
#include "source.h"
#include "tree.h"

typedef struct OutlineStatement {
    Node *node;
    bool hoisted;     /* goes before a function's body, if there is to be one */
    bool dropped;     /* means nothing in a body: `export { a, b }` */
    Span export_word; /* to be taken off in a body; empty without one */
} OutlineStatement;

typedef struct OutlineExport {
    const char *name;
    const char *local; /* what it is called inside; NULL: it comes from elsewhere, or has no name */
    Span place;
} OutlineExport;

typedef struct OutlineDefault {
    const Node *statement; /* NULL: there is none */
    Span words;            /* `export default` and the blanks after it */
    Span place;            /* of the name, or of the value */
    bool has_name;         /* a function or class that is called something */
    bool is_function;      /* takes nothing, so that the host calls it for the value */
} OutlineDefault;

typedef struct Outline {
    const Source *source;
    OutlineStatement *statements;
    size_t count;
    const Node **returns; /* that belong to no function, in order */
    size_t return_count;
    const Node *last;      /* the expression statement whose value is the program's */
    Completion completion; /* where the value comes from if nothing returns it */
    const Node *function;  /* the one function that the program consists of */
    OutlineDefault default_export;
    OutlineExport *exports;
    size_t export_count;
    bool exports_all; /* `export * from`: there may be more */
    bool can_be_body; /* what must be hoisted uses nothing that cannot be */
    uint32_t end;     /* of the last statement */
} Outline;

/** Running out of memory is told by the arena. */
void outline_make(Arena *arena, const Source *source, const SourceFile *file, Outline *out_outline);

/** What declares this name goes before a body too. False, and nothing is changed, if it cannot. */
bool outline_bring(Arena *arena, Outline *outline, const Name *name);

/** An export by its name; NULL if there is none. */
const OutlineExport *outline_export(const Outline *outline, const char *name);

/** The export that was probably meant by a name; NULL if none is near. */
const char *outline_nearest_export(const Outline *outline, const char *name);

#endif
