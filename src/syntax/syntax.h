/*
 * syntax: from text to a tree, and from the tree to JavaScript.
 *
 * The whole of TypeScript 5.9 is read here, apart from JSX and types in comments. Read in this
 * order:
 *
 *   token         the signs and words
 *   intern        names: equal text is one pointer
 *   tree          every kind of node and what hangs below it; the walker over children
 *   scanner       bytes to tokens; scanner_text for what has an inside: strings, templates, numbers
 *   regexp        is a regular expression one?
 *   parser        what the parse files share: the token at hand, contexts, lists, findings
 *   parse_*       recursive descent, one file an area: lists and recovery, expressions, functions,
 *                 objects and classes, types, statements, modules
 *   messages      the words of the findings, by code
 *   grammar       rules that need more than one place: labels, duplicate keys, where await may
 * stand erase*        types out, JavaScript left, every token at its place
 *
 * The invariant: **there is always a tree, and it covers the text.** A program that is wrong has
 * findings and a tree all the same: what is missing is a node without width (NODE_FLAG_MISSING),
 * what cannot be placed is skipped and reported. Children lie inside their parent, in source order.
 * So nobody who walks a tree asks whether the parse went well; they ask the findings once.
 *
 * Findings have TypeScript's codes ("TS1005") at TypeScript's places, since models know those. Of
 * two findings with the same start in succession the first stands: the second is its consequence.
 *
 * Cost: the parser looks ahead where the language demands it (is `(` the start of an arrow
 * function, is `<` the start of type arguments?). An answer is remembered by its place, so that no
 * place is asked twice at the same question and nesting cannot multiply the work. Depth is limited
 * (SYNTAX_DEPTH_MAX): beyond it there is one finding, and the rest of the text is passed over.
 *
 * Nothing here uses libc beyond memory and mathematics: the same code can live in the guest.
 */
#ifndef SYNTAX_H
#define SYNTAX_H

#include "findings.h"
#include "tree.h"

/* Nested constructs, each expression in brackets counting twice. At the limit the parser has used
 * at most 320 KiB of native stack (measured, gcc -O2). */
enum { SYNTAX_DEPTH_MAX = 400 };

/* How high the tree may be: chains such as `a.b.c` or `a + b + c` are read without recursion and
 * nest all the same. Whoever walks the tree recursively needs stack for no more than this. */
enum { SYNTAX_HEIGHT_MAX = 2000 };

typedef struct ParseOptions {
    bool declaration_file; /* .d.ts: everything in it is ambient */
    bool async_body;       /* the text is the body of an async function: `return` and `await` may
                              stand at its top, whether or not it has imports */
} ParseOptions;

/**
 * Read a text. What is wrong with it is added to the findings in the order it was met; a program
 * with findings has a tree too.
 *
 * Ownership: tree and names live in the arena and point into the text of the source.
 * Errors:    TN_ERR_LIMIT, TN_ERR_NOMEM, as the arena tells.
 */
tn_status parse_module(Arena *arena, const Source *source, const ParseOptions *options,
                       Findings *findings, SourceFile **out_file);

/**
 * The grammar's rules that are checked on a finished tree (see grammar.c). Worth asking only if the
 * parse left no findings.
 */
void check_grammar(Arena *arena, const Source *source, const ParseOptions *options,
                   const SourceFile *file, Findings *findings);

#endif
