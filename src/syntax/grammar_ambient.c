/* What is only declared has no bodies, values and statements; and where decorators may stand. */
#include "grammar.h"

static bool is_statement(const Node *node)
{
    switch (node->kind) {
    case NODE_BLOCK:
    case NODE_EMPTY_STATEMENT:
    case NODE_VARIABLE_STATEMENT:
        return node->kind != NODE_VARIABLE_STATEMENT;
    default:
        return node->kind >= NODE_EXPRESSION_STATEMENT && node->kind <= NODE_DEBUGGER_STATEMENT;
    }
}

/* The first word of a node, or its first character. */
static void wrong_start(Grammar *g, unsigned code, const Node *node)
{
    uint32_t end = node->start;

    while (end < node->end && (uint8_t)(g->source->text[end] | 0x20) >= 'a' &&
           (uint8_t)(g->source->text[end] | 0x20) <= 'z')
        end++;
    grammar_wrong(g, code, node->start, end > node->start ? end : end + 1);
}

static bool is_in_type(const Nest *nest)
{
    NodeKind around = nest->outer ? kind_around(nest->outer) : NODE_NONE;
    return around == NODE_INTERFACE_DECLARATION || around == NODE_TYPE_LITERAL;
}

/* A block: a body is none that is declared; in others, the first statement is told of. */
void check_ambient_block(Grammar *g, const Nest *nest)
{
    const NodeList *list = as_list(nest->node)->list;
    NodeKind around = kind_around(nest);
    bool accessor = around == NODE_GET_ACCESSOR || around == NODE_SET_ACCESSOR;
    bool body = accessor || around == NODE_FUNCTION_DECLARATION ||
                around == NODE_METHOD_DECLARATION || around == NODE_CONSTRUCTOR ||
                around == NODE_FUNCTION_EXPRESSION || around == NODE_ARROW_FUNCTION;
    uint32_t modifiers = modifiers_of(node_modifiers(nest->outer->node));

    if ((accessor || around == NODE_METHOD_DECLARATION) && (modifiers & MODIFIER_ABSTRACT))
        grammar_wrong_node(g, accessor ? 1318 : 1245, as_function(nest->outer->node)->name);
    if (!(nest->node->flags & NODE_FLAG_AMBIENT) && !(accessor && is_in_type(nest)))
        return;
    if (body) {
        grammar_wrong(g, 1183, nest->node->start, nest->node->start + 1);
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (is_statement(list->at[i])) {
            wrong_start(g, 1036, list->at[i]);
            return;
        }
    }
}

static bool is_literal_value(const Node *node)
{
    switch (node->kind) {
    case NODE_PREFIX_UNARY: {
        const OperatorUnary *unary = as_operator_unary(node);
        return unary->token == TOKEN_MINUS && (unary->operand->kind == NODE_NUMERIC_LITERAL ||
                                               unary->operand->kind == NODE_BIGINT_LITERAL);
    }
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
    case NODE_NUMERIC_LITERAL:
    case NODE_BIGINT_LITERAL:
    case NODE_TRUE:
    case NODE_FALSE:
        return true;
    default: /* whether it is a member of an enum, types say */
        return node->kind == NODE_PROPERTY_ACCESS || node->kind == NODE_ELEMENT_ACCESS;
    }
}

/* What is declared has no value, but for constants without a type. */
void check_ambient_value(Grammar *g, const Node *value, bool constant, const Node *type)
{
    if (!value)
        return;
    if (!constant || type)
        grammar_wrong_node(g, 1039, value);
    else if (!is_literal_value(value))
        grammar_wrong_node(g, 1254, value);
}

/* ---- decorators ---- */

/* They stand at classes, and at what classes have that is not only declared. */
static bool may_be_decorated(const Nest *nest)
{
    const Node *node = nest->node;
    NodeKind around = kind_around(nest);
    bool member = around == NODE_CLASS_DECLARATION || around == NODE_CLASS_EXPRESSION;

    switch (node->kind) {
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
        return true;
    case NODE_PROPERTY_DECLARATION:
        return member && !(modifiers_of(as_property(node)->modifiers) &
                           (MODIFIER_ABSTRACT | MODIFIER_DECLARE));
    case NODE_METHOD_DECLARATION:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        return member && as_function(node)->body;
    default:
        return false;
    }
}

/* Returns whether one was wrong. */
bool check_decorators(Grammar *g, const Nest *nest, const NodeList *modifiers)
{
    uint32_t i = 0;

    if (!(modifiers_of(modifiers) & MODIFIER_DECORATOR) || may_be_decorated(nest))
        return false;
    while (modifiers->at[i]->kind != NODE_DECORATOR)
        i++;
    bool overload = nest->node->kind == NODE_METHOD_DECLARATION && !as_function(nest->node)->body;
    grammar_wrong_node(g, overload ? 1249 : 1206, modifiers->at[i]);
    return true;
}
