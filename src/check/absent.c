#include "absent.h"

#include <string.h>

typedef struct Looker {
    const Offer *offer;
    Findings *findings;
} Looker;

static bool is_text(const char *text, size_t length, const Name *name)
{
    return length == name->length && memcmp(text, name->text, length) == 0;
}

static bool is_only_declared(const Offer *offer, const Name *package)
{
    bool declared = false;

    for (size_t i = 0; i < offer->declared_count && !declared; i++)
        declared = is_text(offer->declared[i], strlen(offer->declared[i]), package);
    for (size_t i = 0; i < offer->count && declared; i++) {
        const char *function = offer->functions[i].name, *dot = strrchr(function, '.');
        declared = !dot || !is_text(function, (size_t)(dot - function), package);
    }
    return declared;
}

/* The package of `import("name")`; NULL: it is another expression. */
static const Node *imported(const Node *node)
{
    while (node && node->kind == NODE_PARENTHESIZED_EXPRESSION)
        node = as_unary(node)->expression;
    if (!node || node->kind != NODE_CALL_EXPRESSION ||
        as_call_expression(node)->expression->kind != NODE_IMPORT_KEYWORD)
        return NULL;
    const NodeList *arguments = as_call_expression(node)->arguments;
    const Node *name = arguments && arguments->count > 0 ? arguments->at[0] : NULL;
    while (name && name->kind == NODE_PARENTHESIZED_EXPRESSION)
        name = as_unary(name)->expression;
    return name && name->kind == NODE_STRING_LITERAL && as_literal(name)->text ? name : NULL;
}

/* Only what is worked out whenever the statement is. */
static bool look(Node *node, void *context)
{
    Looker *looker = context;

    switch (node->kind) {
    case NODE_AWAIT_EXPRESSION: {
        const Node *package = imported(as_unary(node)->expression);
        if (package && is_only_declared(looker->offer, as_literal(package)->text))
            findings_add(looker->findings, "TN1108", TN_SEVERITY_WARNING,
                         (Span){package->start, package->end}, ABSENT_MESSAGE);
        else
            (void)tree_each_child(node, look, looker);
        break;
    }
    case NODE_VARIABLE_DECLARATION_LIST:
    case NODE_VARIABLE_DECLARATION:
    case NODE_PARENTHESIZED_EXPRESSION:
    case NODE_PROPERTY_ACCESS:
    case NODE_CALL_EXPRESSION:
    case NODE_NEW_EXPRESSION:
    case NODE_ARRAY_LITERAL:
    case NODE_OBJECT_LITERAL:
    case NODE_PROPERTY_ASSIGNMENT:
    case NODE_TEMPLATE_EXPRESSION:
    case NODE_TEMPLATE_SPAN:
    case NODE_AS_EXPRESSION:
    case NODE_NON_NULL_EXPRESSION:
        if (!(node->flags & NODE_FLAG_CHAIN))
            (void)tree_each_child(node, look, looker);
        break;
    default:
        break;
    }
    return true;
}

void advise_absent(const SourceFile *file, const Offer *offer, Findings *findings)
{
    const NodeList *list = file->statements;
    Looker looker = {offer, findings};

    for (uint32_t i = 0; list && i < list->count; i++) {
        Node *node = list->at[i];
        switch (node->kind) {
        case NODE_VARIABLE_STATEMENT:
        case NODE_EXPRESSION_STATEMENT:
        case NODE_EXPORT_ASSIGNMENT:
            (void)tree_each_child(node, look, &looker);
            break;
        case NODE_RETURN_STATEMENT:
            (void)tree_each_child(node, look, &looker);
            return;
        case NODE_FUNCTION_DECLARATION:
        case NODE_CLASS_DECLARATION:
        case NODE_INTERFACE_DECLARATION:
        case NODE_TYPE_ALIAS_DECLARATION:
        case NODE_ENUM_DECLARATION:
        case NODE_MODULE_DECLARATION:
        case NODE_IMPORT_DECLARATION:
        case NODE_EXPORT_DECLARATION:
        case NODE_EMPTY_STATEMENT:
            break;
        default: /* it may leave the program before what follows */
            return;
        }
    }
}
