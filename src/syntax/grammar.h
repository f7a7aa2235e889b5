/*
 * The grammar's rules that need more than one place in the text; asked on a finished tree, which
 * must have parsed without findings. grammar.c walks and minds functions, loops and labels;
 * grammar_lists.c minds what stands side by side, grammar_modifiers.c the modifiers,
 * grammar_assign.c what is assigned to, grammar_ambient.c what is only declared.
 */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include "complaint.h"
#include "intern.h"
#include "syntax.h"

/* A node and those around it, on the stack of the walk. */
typedef struct Nest {
    const struct Nest *outer;
    const Node *node;
} Nest;

typedef struct Grammar {
    Complaints complaints;
    const Source *source;
    const SourceFile *file;
    Names names;           /* of numbers, as texts */
    struct Regexp *regexp; /* what the last regular expression left */
    bool async_body;
} Grammar;

void grammar_wrong(Grammar *g, unsigned code, uint32_t start, uint32_t end);
void grammar_wrong_node(Grammar *g, unsigned code, const Node *node);
void grammar_wrong_token(Grammar *g, unsigned code, uint32_t start, uint32_t end, Token token);

static inline NodeKind kind_around(const Nest *nest)
{
    return nest->outer ? (NodeKind)nest->outer->node->kind : NODE_NONE;
}

/* grammar_modifiers.c */
void check_modifiers(Grammar *g, const Nest *nest, const NodeList *modifiers);

/* grammar_lists.c */
void check_parameters(Grammar *g, const NodeList *parameters);
void check_type_list(Grammar *g, const NodeList *list, unsigned code_empty);
void check_variables(Grammar *g, const Nest *nest);
void check_variable(Grammar *g, const Nest *nest);
void check_object(Grammar *g, const Nest *nest);
void check_switch(Grammar *g, const Nest *nest);
void check_heritage(Grammar *g, const Nest *nest);
void check_for_each(Grammar *g, const Nest *nest);
void check_catch(Grammar *g, const Nest *nest);
void check_accessor(Grammar *g, const Nest *nest);
void check_property(Grammar *g, const Nest *nest);
void check_binding_pattern(Grammar *g, const NodeList *list);

/* grammar_assign.c */
void check_assignment(Grammar *g, const Node *node);
void check_step(Grammar *g, const Node *node);
void check_each_target(Grammar *g, const Node *node);

/* grammar_ambient.c */
void check_ambient_block(Grammar *g, const Nest *nest);
void check_ambient_value(Grammar *g, const Node *value, bool constant, const Node *type);
bool check_decorators(Grammar *g, const Nest *nest, const NodeList *modifiers);

/* regexp.c */
void check_regexp(Grammar *g, const Node *node);

#endif
