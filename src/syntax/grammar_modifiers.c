#include "grammar.h"

/* Which modifiers may stand where, and in which order. One thing is said of a declaration at most.
 */

/* What is to be said of a modifier that comes after one of these. */
typedef struct Rule {
    uint32_t modifier;
    uint32_t earlier;
    uint16_t code;
} Rule;

enum { ACCESS = MODIFIER_PUBLIC | MODIFIER_PRIVATE | MODIFIER_PROTECTED };

/* In the order in which they are asked. */
static const Rule rules[] = {
    {MODIFIER_OVERRIDE, MODIFIER_OVERRIDE, 1030},
    {MODIFIER_OVERRIDE, MODIFIER_DECLARE, 1243},
    {MODIFIER_OVERRIDE, MODIFIER_READONLY | MODIFIER_ACCESSOR | MODIFIER_ASYNC, 1029},
    {ACCESS, ACCESS, 1028},
    {ACCESS,
     MODIFIER_OVERRIDE | MODIFIER_STATIC | MODIFIER_ACCESSOR | MODIFIER_READONLY | MODIFIER_ASYNC,
     1029},
    {MODIFIER_PRIVATE, MODIFIER_ABSTRACT, 1243},
    {ACCESS, MODIFIER_ABSTRACT, 1029},
    {MODIFIER_STATIC, MODIFIER_STATIC, 1030},
    {MODIFIER_STATIC, MODIFIER_READONLY | MODIFIER_ASYNC | MODIFIER_ACCESSOR, 1029},
    {MODIFIER_STATIC, MODIFIER_ABSTRACT, 1243},
    {MODIFIER_STATIC, MODIFIER_OVERRIDE, 1029},
    {MODIFIER_ACCESSOR, MODIFIER_ACCESSOR, 1030},
    {MODIFIER_ACCESSOR, MODIFIER_READONLY | MODIFIER_DECLARE, 1243},
    {MODIFIER_READONLY, MODIFIER_READONLY, 1030},
    {MODIFIER_READONLY, MODIFIER_ACCESSOR, 1243},
    {MODIFIER_EXPORT, MODIFIER_EXPORT, 1030},
    {MODIFIER_EXPORT, MODIFIER_DECLARE | MODIFIER_ABSTRACT | MODIFIER_ASYNC, 1029},
    {MODIFIER_DECLARE, MODIFIER_DECLARE, 1030},
    {MODIFIER_DECLARE, MODIFIER_ASYNC | MODIFIER_OVERRIDE, 1040},
    {MODIFIER_ABSTRACT, MODIFIER_ABSTRACT, 1030},
    {MODIFIER_ABSTRACT, MODIFIER_STATIC | MODIFIER_PRIVATE, 1243},
    {MODIFIER_ABSTRACT, MODIFIER_OVERRIDE | MODIFIER_ACCESSOR, 1029},
    {MODIFIER_ASYNC, MODIFIER_ASYNC, 1030},
    {MODIFIER_ASYNC, MODIFIER_DECLARE, 1040},
    {MODIFIER_ASYNC, MODIFIER_ABSTRACT, 1243},
};

static unsigned wrong_order(uint32_t modifier, uint32_t earlier)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if ((rules[i].modifier & modifier) && (rules[i].earlier & earlier))
            return rules[i].code;
    }
    return (modifier & MODIFIER_DEFAULT) && !(earlier & MODIFIER_EXPORT) ? 1029 : 0;
}

static bool is_class(NodeKind kind)
{
    return kind == NODE_CLASS_DECLARATION || kind == NODE_CLASS_EXPRESSION;
}

static bool is_type_member(NodeKind kind)
{
    return kind == NODE_PROPERTY_SIGNATURE || kind == NODE_METHOD_SIGNATURE;
}

static bool may_be_readonly(NodeKind kind)
{
    return kind == NODE_PROPERTY_DECLARATION || kind == NODE_PROPERTY_SIGNATURE ||
           kind == NODE_INDEX_SIGNATURE || kind == NODE_PARAMETER;
}

/* What kind of declaration a modifier may belong to. */
static unsigned wrong_kind(uint32_t modifier, NodeKind kind, NodeKind around)
{
    bool at_module = around == NODE_SOURCE_FILE || around == NODE_MODULE_BLOCK;

    if (is_type_member(kind) && modifier != MODIFIER_READONLY)
        return 1070;
    if (kind == NODE_INDEX_SIGNATURE && modifier != MODIFIER_READONLY &&
        (modifier != MODIFIER_STATIC || !is_class(around)))
        return 1071;
    if ((modifier & (ACCESS | MODIFIER_STATIC)) && at_module)
        return 1044;
    if (kind == NODE_PARAMETER &&
        (modifier & (MODIFIER_STATIC | MODIFIER_EXPORT | MODIFIER_DECLARE | MODIFIER_ASYNC)))
        return 1090;
    if (modifier == MODIFIER_READONLY && !may_be_readonly(kind))
        return 1024;
    if (modifier == MODIFIER_ACCESSOR && kind != NODE_PROPERTY_DECLARATION)
        return 1275;
    if (modifier == MODIFIER_EXPORT && is_class(around))
        return 1031;
    if (modifier == MODIFIER_DECLARE && is_class(around) && kind != NODE_PROPERTY_DECLARATION)
        return 1031;
    return 0;
}

static unsigned wrong_abstract(const Nest *nest, NodeKind kind)
{
    const Node *around = nest->outer->node;

    if (kind == NODE_CLASS_DECLARATION || kind == NODE_CONSTRUCTOR_TYPE)
        return 0;
    if (kind != NODE_METHOD_DECLARATION && kind != NODE_PROPERTY_DECLARATION &&
        kind != NODE_GET_ACCESSOR && kind != NODE_SET_ACCESSOR)
        return 1242;
    if (around->kind == NODE_CLASS_DECLARATION &&
        (modifiers_of(as_class(around)->modifiers) & MODIFIER_ABSTRACT))
        return 0;
    return kind == NODE_PROPERTY_DECLARATION ? 1253 : 1244;
}

/* Inside blocks a declaration has no modifiers but those that are part of it. Returns the bits that
 * are allowed. */
static uint32_t allowed_here(const Node *node, NodeKind around)
{
    switch (node->kind) {
    case NODE_CLASS_STATIC_BLOCK:
        return 0;
    case NODE_FUNCTION_DECLARATION:
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
    case NODE_TYPE_ALIAS_DECLARATION:
    case NODE_VARIABLE_STATEMENT:
    case NODE_ENUM_DECLARATION:
        break;
    default:
        return UINT32_MAX;
    }
    if (around == NODE_SOURCE_FILE || around == NODE_MODULE_BLOCK)
        return UINT32_MAX;
    return node->kind == NODE_FUNCTION_DECLARATION ? MODIFIER_ASYNC
           : node->kind == NODE_CLASS_DECLARATION  ? MODIFIER_ABSTRACT
           : node->kind == NODE_ENUM_DECLARATION   ? MODIFIER_CONST
                                                   : 0;
}

static void check_constructor(Grammar *g, const NodeList *modifiers)
{
    const uint32_t wrong = MODIFIER_STATIC | MODIFIER_OVERRIDE | MODIFIER_ASYNC;

    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Node *node = modifiers->at[i];
        if (node->kind == NODE_MODIFIER && (as_modifier(node)->bit & wrong)) {
            grammar_wrong_node(g, 1089, node);
            return;
        }
    }
}

static bool may_be_async(NodeKind kind)
{
    return kind == NODE_METHOD_DECLARATION || kind == NODE_FUNCTION_DECLARATION ||
           kind == NODE_FUNCTION_EXPRESSION || kind == NODE_ARROW_FUNCTION;
}

static unsigned wrong_modifier(const Nest *nest, uint32_t bit, uint32_t earlier)
{
    NodeKind kind = (NodeKind)nest->node->kind;
    unsigned code = wrong_order(bit, earlier);

    if (code == 0)
        code = wrong_kind(bit, kind, kind_around(nest));
    if (code == 0 && bit == MODIFIER_ABSTRACT)
        code = wrong_abstract(nest, kind);
    if (code == 0 && bit == MODIFIER_ASYNC && (nest->outer->node->flags & NODE_FLAG_AMBIENT))
        code = 1040;
    return code;
}

/* In an object only methods have a modifier, `async`. Returns whether there was a wrong one. */
static bool check_in_object(Grammar *g, const Nest *nest, const NodeList *modifiers)
{
    bool method = nest->node->kind == NODE_METHOD_DECLARATION;
    bool wrong = false;

    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Node *node = modifiers->at[i];
        if (node->kind != NODE_MODIFIER || (method && as_modifier(node)->bit == MODIFIER_ASYNC))
            continue;
        grammar_wrong_node(g, 1042, node);
        wrong = true;
    }
    return wrong;
}

void check_modifiers(Grammar *g, const Nest *nest, const NodeList *modifiers)
{
    const Node *async = NULL;
    uint32_t earlier = 0;
    uint32_t allowed = allowed_here(nest->node, kind_around(nest));

    if (!modifiers || check_decorators(g, nest, modifiers))
        return;
    if (kind_around(nest) == NODE_OBJECT_LITERAL && check_in_object(g, nest, modifiers))
        return;
    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Node *node = modifiers->at[i];
        if (node->kind == NODE_MODIFIER && !(as_modifier(node)->bit & allowed)) {
            grammar_wrong_node(g, 1184, node);
            return;
        }
    }
    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Node *node = modifiers->at[i];
        if (node->kind != NODE_MODIFIER)
            continue;
        uint32_t bit = as_modifier(node)->bit;
        unsigned code = wrong_modifier(nest, bit, earlier);
        if (code != 0) {
            grammar_wrong_node(g, code, node);
            return;
        }
        if (bit == MODIFIER_ASYNC)
            async = node;
        earlier |= bit;
    }
    if (nest->node->kind == NODE_CONSTRUCTOR)
        check_constructor(g, modifiers);
    else if (async && !may_be_async((NodeKind)nest->node->kind))
        grammar_wrong_node(g, 1042, async);
}
