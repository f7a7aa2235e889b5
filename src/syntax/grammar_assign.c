/* What may be assigned to. */
#include "grammar.h"

/* Without parentheses and what types add. */
static const Node *bare(const Node *node)
{
    for (;;) {
        switch (node->kind) {
        case NODE_PARENTHESIZED_EXPRESSION:
        case NODE_NON_NULL_EXPRESSION:
            node = as_unary(node)->expression;
            break;
        case NODE_TYPE_ASSERTION:
        case NODE_AS_EXPRESSION:
        case NODE_SATISFIES_EXPRESSION:
            node = as_assertion(node)->expression;
            break;
        default:
            return node;
        }
    }
}

/* a?.b.c: is there a `?.` in the chain? */
static bool is_optional_chain(const Node *node)
{
    for (;;) {
        switch (node->kind) {
        case NODE_PROPERTY_ACCESS:
            if (as_property_access(node)->question_dot)
                return true;
            node = as_property_access(node)->expression;
            break;
        case NODE_ELEMENT_ACCESS:
            if (as_element_access(node)->question_dot)
                return true;
            node = as_element_access(node)->expression;
            break;
        case NODE_CALL_EXPRESSION:
            if (as_call_expression(node)->question_dot)
                return true;
            node = as_call_expression(node)->expression;
            break;
        case NODE_NON_NULL_EXPRESSION:
            node = as_unary(node)->expression;
            break;
        default:
            return false;
        }
    }
}

/* A name, or a member of something. */
static void check_target(Grammar *g, const Node *node, unsigned code, unsigned code_optional)
{
    const Node *target = bare(node);

    if (target->kind != NODE_IDENTIFIER && target->kind != NODE_PROPERTY_ACCESS &&
        target->kind != NODE_ELEMENT_ACCESS)
        grammar_wrong_node(g, code, node);
    else if (is_optional_chain(target))
        grammar_wrong_node(g, code_optional, node);
}

static bool is_assignment(const Node *node)
{
    return node->kind == NODE_BINARY_EXPRESSION && as_binary(node)->token == TOKEN_EQUALS;
}

static bool is_literal(const Node *node)
{
    return node->kind == NODE_OBJECT_LITERAL || node->kind == NODE_ARRAY_LITERAL;
}

static void check_part(Grammar *g, const Node *part, const NodeList *list, bool last);

/* A literal that takes a value apart. One with a default value is an assignment by itself. */
static void check_parts(Grammar *g, const Node *node)
{
    const NodeList *list = as_list(node)->list;

    for (uint32_t i = 0; i < list->count; i++)
        check_part(g, list->at[i], list, i + 1 == list->count);
}

static void check_part_target(Grammar *g, const Node *node, bool rest)
{
    if (is_literal(node))
        check_parts(g, node);
    else if (!is_assignment(node))
        check_target(g, node, rest ? 2701 : 2364, rest ? 2778 : 2779);
}

static void check_part(Grammar *g, const Node *part, const NodeList *list, bool last)
{
    const Node *inner;

    switch (part->kind) {
    case NODE_OMITTED_EXPRESSION:
    case NODE_SHORTHAND_PROPERTY_ASSIGNMENT:
        return;
    case NODE_PROPERTY_ASSIGNMENT:
        check_part_target(g, as_property_assignment(part)->initializer, false);
        return;
    case NODE_SPREAD_ELEMENT:
    case NODE_SPREAD_ASSIGNMENT:
        inner = as_unary(part)->expression;
        if (!last) {
            grammar_wrong_node(g, 2462, part);
        } else if (part->kind == NODE_SPREAD_ELEMENT && is_assignment(inner)) {
            grammar_wrong(g, 1186, as_binary(inner)->sign, as_binary(inner)->sign + 1);
        } else {
            if (part->kind == NODE_SPREAD_ELEMENT && list->trailing)
                grammar_wrong(g, 1013, list->trailing, list->trailing + 1);
            check_part_target(g, inner, part->kind == NODE_SPREAD_ASSIGNMENT);
        }
        return;
    case NODE_METHOD_DECLARATION:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        grammar_wrong_node(g, 1136, as_function(part)->name);
        return;
    default:
        check_part_target(g, part, false);
    }
}

/* a = b, a ||= b. Of `a += b` the types are asked first. */
void check_assignment(Grammar *g, const Node *node)
{
    const Binary *binary = as_binary(node);

    if (binary->token == TOKEN_EQUALS && is_literal(binary->left))
        check_parts(g, binary->left);
    else if (binary->token == TOKEN_EQUALS || binary->token == TOKEN_BAR_BAR_EQUALS ||
             binary->token == TOKEN_AMPERSAND_AMPERSAND_EQUALS ||
             binary->token == TOKEN_QUESTION_QUESTION_EQUALS)
        check_target(g, binary->left, 2364, 2779);
}

/* ++a, a--: of what is no number by its looks, types are to say that. */
void check_step(Grammar *g, const Node *node)
{
    const OperatorUnary *step = as_operator_unary(node);
    const Node *operand = bare(step->operand);

    if (step->token != TOKEN_PLUS_PLUS && step->token != TOKEN_MINUS_MINUS)
        return;
    if (operand->kind == NODE_NUMERIC_LITERAL || operand->kind == NODE_PREFIX_UNARY ||
        operand->kind == NODE_POSTFIX_UNARY)
        grammar_wrong_node(g, 2357, step->operand);
    else if (is_optional_chain(operand))
        check_target(g, step->operand, 2357, 2777);
}

/* for (a.b of c); of `in` the types are asked first */
void check_each_target(Grammar *g, const Node *node)
{
    const Node *target = as_for_each(node)->initializer;

    if (target->kind == NODE_VARIABLE_DECLARATION_LIST)
        return;
    if (is_literal(target))
        check_parts(g, target);
    else
        check_target(g, target, 2487, 2781);
}
