#include "completion.h"

/* How a statement, or a list of them, ends. */
typedef enum Ending {
    ENDS_EMPTY,  /* it leaves the value of what ran before */
    ENDS_VALUED, /* it gives one, or is known to give none */
    ENDS_ABRUPT, /* it is never left at its end */
} Ending;

typedef struct Finder {
    Arena *arena;
    Completion *out;
    size_t room;
    unsigned loops; /* around: whether the last turn is one with a value is not told by the text */
} Finder;

static Ending end_of(Finder *finder, const Node *node);

static void add_value(Finder *finder, const Node *node)
{
    Completion *out = finder->out;

    if (out->count == finder->room) {
        size_t room = finder->room ? finder->room * 2 : 8;
        const Node **grown = arena_grow(finder->arena, out->values, finder->room * sizeof *grown,
                                        room * sizeof *grown);
        if (!grown)
            return;
        out->values = grown;
        finder->room = room;
    }
    out->values[out->count++] = node;
}

static void note_gap(Finder *finder, Span gap)
{
    if (finder->out->missing || finder->loops > 0)
        return;
    finder->out->missing = true;
    finder->out->gap = gap;
}

/* The last byte of a node: where a way through it ends. */
static Span end_span(const Node *node)
{
    return (Span){node->end > node->start ? node->end - 1 : node->end, node->end};
}

/* ---- lists ---- */

static bool is_left(const Node *node)
{
    return node->kind == NODE_BREAK_STATEMENT || node->kind == NODE_CONTINUE_STATEMENT ||
           node->kind == NODE_RETURN_STATEMENT || node->kind == NODE_THROW_STATEMENT;
}

/* From its end, which is where it is surely left. */
static Ending end_of_list(Finder *finder, const NodeList *list)
{
    uint32_t count = 0;

    while (list && count < list->count && !is_left(list->at[count]))
        count++;
    count += list && count < list->count;
    for (uint32_t i = count; i-- > 0;) {
        Ending ending = end_of(finder, list->at[i]);
        if (ending != ENDS_EMPTY)
            return ending;
    }
    return ENDS_EMPTY;
}

/* A statement whose own emptiness is `undefined`. */
static Ending end_of_part(Finder *finder, const Node *node)
{
    Ending ending = end_of(finder, node);

    if (ending == ENDS_EMPTY)
        note_gap(finder, end_span(node));
    return ending == ENDS_ABRUPT ? ENDS_ABRUPT : ENDS_VALUED;
}

/* ---- branches ---- */

static bool is_true(const Node *node)
{
    while (node && node->kind == NODE_PARENTHESIZED_EXPRESSION)
        node = as_unary(node)->expression;
    return node && node->kind == NODE_TRUE;
}

static Ending end_of_if(Finder *finder, const Node *node)
{
    const Conditional *branch = as_conditional(node);
    Ending one = end_of_part(finder, branch->when_true);

    if (branch->when_false) {
        Ending other = end_of_part(finder, branch->when_false);
        return one == ENDS_ABRUPT && other == ENDS_ABRUPT ? ENDS_ABRUPT : ENDS_VALUED;
    }
    if (!is_true(branch->condition))
        note_gap(finder, end_span(node));
    return ENDS_VALUED;
}

static Ending end_of_try(Finder *finder, const Node *node)
{
    const TryStatement *statement = as_try_statement(node);
    Ending one = end_of_part(finder, statement->block);

    if (!statement->handler || statement->handler->kind != NODE_CATCH_CLAUSE)
        return one;
    Ending other = end_of_part(finder, as_catch_clause(statement->handler)->block);
    return one == ENDS_ABRUPT && other == ENDS_ABRUPT ? ENDS_ABRUPT : ENDS_VALUED;
}

/* What falls into the next clause is not the last; without `default` nobody knows by the text
 * whether one of them is met. */
static Ending end_of_switch(Finder *finder, const Node *node)
{
    const Node *block = as_switch_statement(node)->block;
    const NodeList *clauses = block ? as_list(block)->list : NULL;
    bool has_default = false;

    for (uint32_t i = 0; clauses && i < clauses->count; i++) {
        if (!as_case_clause(clauses->at[i])->expression)
            has_default = true;
    }
    finder->loops += !has_default;
    for (uint32_t i = 0; clauses && i < clauses->count; i++) {
        const NodeList *list = as_case_clause(clauses->at[i])->statements;
        const Node *last = list && list->count > 0 ? list->at[list->count - 1] : NULL;
        /* `case 1: { ...; break; }` */
        if (last && last->kind == NODE_BLOCK && list->count == 1) {
            list = as_list(last)->list;
            last = list && list->count > 0 ? list->at[list->count - 1] : NULL;
        }
        if (i + 1 < clauses->count && (!last || !is_left(last)))
            continue;
        if (end_of_list(finder, list) == ENDS_EMPTY)
            note_gap(finder, end_span(clauses->at[i]));
    }
    finder->loops -= !has_default;
    return ENDS_VALUED;
}

/* ---- loops ---- */

/* Is there a `break` or `continue` in it, for whatever it is? */
static bool has_jump(Node *node, void *context)
{
    bool *found = context;

    switch (node->kind) {
    case NODE_BREAK_STATEMENT:
    case NODE_CONTINUE_STATEMENT:
        *found = true;
        return false;
    case NODE_FUNCTION_DECLARATION:
    case NODE_FUNCTION_EXPRESSION:
    case NODE_ARROW_FUNCTION:
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
    case NODE_EXPRESSION_STATEMENT:
        return true;
    default:
        return tree_each_child(node, has_jump, context);
    }
}

static Ending end_of_loop(Finder *finder, const Node *body, bool endless)
{
    bool jumps = false;

    (void)has_jump((Node *)(uintptr_t)body, &jumps);
    if (jumps) {
        finder->out->unknown = true;
        return ENDS_VALUED;
    }
    if (endless)
        return ENDS_ABRUPT;
    finder->loops++;
    Ending ending = end_of(finder, body);
    finder->loops--;
    if (ending == ENDS_EMPTY)
        note_gap(finder, end_span(body));
    return ENDS_VALUED;
}

static Ending end_of_label(Finder *finder, const Node *node)
{
    bool jumps = false;

    (void)has_jump((Node *)(uintptr_t)node, &jumps);
    if (!jumps)
        return end_of(finder, as_labeled_statement(node)->statement);
    finder->out->unknown = true;
    return ENDS_VALUED;
}

/* ---- statements ---- */

/* What declares: without a value, but for what is lowered to statements that have one. */
static Ending end_of_declaration(Finder *finder, const Node *node)
{
    if (modifiers_of(node_modifiers(node)) & MODIFIER_DECLARE)
        return ENDS_EMPTY;
    finder->out->unknown = true;
    return ENDS_VALUED;
}

static Ending end_of(Finder *finder, const Node *node)
{
    switch (node->kind) {
    case NODE_EXPRESSION_STATEMENT:
        add_value(finder, node);
        return ENDS_VALUED;
    case NODE_BLOCK:
        return end_of_list(finder, as_list(node)->list);
    case NODE_IF_STATEMENT:
        return end_of_if(finder, node);
    case NODE_TRY_STATEMENT:
        return end_of_try(finder, node);
    case NODE_SWITCH_STATEMENT:
        return end_of_switch(finder, node);
    case NODE_WHILE_STATEMENT:
    case NODE_DO_STATEMENT:
        return end_of_loop(finder, as_loop(node)->statement, is_true(as_loop(node)->expression));
    case NODE_FOR_STATEMENT:
        return end_of_loop(finder, as_for_statement(node)->statement,
                           !as_for_statement(node)->condition ||
                               is_true(as_for_statement(node)->condition));
    case NODE_FOR_IN_STATEMENT:
    case NODE_FOR_OF_STATEMENT:
        return end_of_loop(finder, as_for_each(node)->statement, false);
    case NODE_LABELED_STATEMENT:
        return end_of_label(finder, node);
    case NODE_THROW_STATEMENT:
    case NODE_RETURN_STATEMENT:
        return ENDS_ABRUPT;
    case NODE_EMPTY_STATEMENT:
    case NODE_BREAK_STATEMENT:
    case NODE_CONTINUE_STATEMENT:
    case NODE_DEBUGGER_STATEMENT:
    case NODE_VARIABLE_STATEMENT:
    case NODE_FUNCTION_DECLARATION:
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
    case NODE_TYPE_ALIAS_DECLARATION:
    case NODE_IMPORT_DECLARATION:
    case NODE_EXPORT_DECLARATION:
        return ENDS_EMPTY;
    default:
        return end_of_declaration(finder, node);
    }
}

void completion_find(Arena *arena, const NodeList *statements, Completion *out_completion)
{
    Finder finder = {.arena = arena, .out = out_completion};

    *out_completion = (Completion){.count = 0};
    if (!statements || statements->count == 0)
        return;
    if (end_of_list(&finder, statements) == ENDS_EMPTY)
        note_gap(&finder, end_span(statements->at[statements->count - 1]));
}
