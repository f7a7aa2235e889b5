#include "callee.h"

typedef struct Search {
    Span span;
    const Node *found;
} Search;

static const Node *name_of(const Node *expression)
{
    return expression->kind == NODE_PROPERTY_ACCESS ? as_property_access(expression)->name
                                                    : expression;
}

/* Is it among the arguments, or the name? */
static bool is_about(const CallExpression *call, Span span)
{
    const Node *name = name_of(call->expression);

    if (call->arguments && span.start >= call->arguments->start && span.end <= call->arguments->end)
        return true;
    return span.start == name->start && span.end == name->end;
}

/* As deep as the parser lets expressions be nested. */
static bool look(Node *node, void *context)
{
    Search *search = context;

    if (search->span.start < node->start || search->span.end > node->end)
        return true;
    if ((node->kind == NODE_CALL_EXPRESSION || node->kind == NODE_NEW_EXPRESSION) &&
        is_about(as_call_expression(node), search->span))
        search->found = node;
    /* what happens in a callback is not about the call that it is handed to */
    if (node->kind == NODE_BLOCK)
        search->found = NULL;
    (void)tree_each_child(node, look, search);
    return true;
}

bool callee_of(const SourceFile *file, Span span, Callee *out_callee)
{
    Search search = {span, NULL};

    (void)tree_each_child(&file->node, look, &search);
    if (!search.found)
        return false;
    const Node *expression = as_call_expression(search.found)->expression;
    *out_callee = (Callee){name_of(expression)->start, {expression->start, expression->end}};
    return true;
}
