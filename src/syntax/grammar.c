#include "grammar.h"

#include <string.h>

void grammar_wrong_token(Grammar *g, unsigned code, uint32_t start, uint32_t end, Token token)
{
    complain(
        &g->complaints,
        (Complaint){.start = start, .end = end, .code = (uint16_t)code, .token = (uint16_t)token});
}

void grammar_wrong(Grammar *g, unsigned code, uint32_t start, uint32_t end)
{
    grammar_wrong_token(g, code, start, end, TOKEN_NONE);
}

void grammar_wrong_node(Grammar *g, unsigned code, const Node *node)
{
    grammar_wrong(g, code, node->start, node->end);
}

/* ---- functions ---- */

static bool is_function(const Node *node)
{
    switch (node->kind) {
    case NODE_METHOD_DECLARATION:
    case NODE_CONSTRUCTOR:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
    case NODE_FUNCTION_EXPRESSION:
    case NODE_ARROW_FUNCTION:
    case NODE_FUNCTION_DECLARATION:
        return true;
    default:
        return false;
    }
}

/* The function, or the static block, that a node stands in; NULL at the top. */
static const Node *container(const Nest *nest)
{
    for (nest = nest->outer; nest; nest = nest->outer) {
        if (is_function(nest->node) || nest->node->kind == NODE_CLASS_STATIC_BLOCK)
            return nest->node;
    }
    return NULL;
}

/* A class's property or a namespace, too, is no longer the top of the text. */
static bool is_at_top(const Nest *nest)
{
    for (nest = nest->outer; nest; nest = nest->outer) {
        switch (nest->node->kind) {
        case NODE_MODULE_DECLARATION:
        case NODE_PROPERTY_DECLARATION:
        case NODE_ENUM_DECLARATION:
        case NODE_CLASS_STATIC_BLOCK:
            return false;
        default:
            if (is_function(nest->node))
                return false;
        }
    }
    return true;
}

static bool is_in_parameter_initializer(const Nest *nest)
{
    for (; nest->outer && !is_function(nest->node); nest = nest->outer) {
        const Node *around = nest->outer->node;
        if (around->kind == NODE_PARAMETER && as_parameter(around)->initializer == nest->node)
            return true;
    }
    return false;
}

/* Is `await` at a place an operator? If not, it is complained about with the code for the place. */
static void check_await_place(Grammar *g, const Nest *nest, uint32_t start, unsigned code_top,
                              unsigned code_inside)
{
    if (nest->node->flags & NODE_FLAG_AWAIT)
        return;
    if (!is_at_top(nest))
        grammar_wrong(g, code_inside, start, start + 5);
    else if (!g->file->module_mark && !g->async_body)
        grammar_wrong(g, code_top, start, start + 5);
}

static void check_await(Grammar *g, const Nest *nest)
{
    const Node *function = container(nest);

    if (function && function->kind == NODE_CLASS_STATIC_BLOCK)
        grammar_wrong_node(g, 18037, nest->node);
    else
        check_await_place(g, nest, nest->node->start, 1375, 1308);
    if (is_in_parameter_initializer(nest))
        grammar_wrong_node(g, 2524, nest->node);
}

static void check_yield(Grammar *g, const Nest *nest)
{
    if (!(nest->node->flags & NODE_FLAG_YIELD))
        grammar_wrong(g, 1163, nest->node->start, nest->node->start + 5);
    if (is_in_parameter_initializer(nest))
        grammar_wrong_node(g, 2523, nest->node);
}

static void check_return(Grammar *g, const Nest *nest)
{
    const Node *function = container(nest);
    unsigned code = 1108;

    if (function && function->kind == NODE_CLASS_STATIC_BLOCK)
        code = 18041;
    else if (function || g->async_body || (nest->node->flags & NODE_FLAG_AMBIENT))
        return;
    grammar_wrong(g, code, nest->node->start, nest->node->start + 6);
}

static void check_function(Grammar *g, const Nest *nest)
{
    const FunctionLike *function = as_function(nest->node);

    check_type_list(g, function->type_parameters, 1098);
    if (nest->node->kind != NODE_GET_ACCESSOR && nest->node->kind != NODE_SET_ACCESSOR)
        check_parameters(g, function->parameters);
    if (nest->node->kind == NODE_ARROW_FUNCTION && function->arrow) {
        /* No line may end between the parameters and the arrow. */
        uint32_t before = function->type ? function->type->end : function->parameters->end;
        if (before <= function->arrow &&
            memchr(g->source->text + before, '\n', function->arrow - before))
            grammar_wrong(g, 1200, function->arrow, function->arrow + 2);
    }
}

/* ---- jumps ---- */

static bool is_loop(const Node *node, bool labeled_too)
{
    switch (node->kind) {
    case NODE_FOR_STATEMENT:
    case NODE_FOR_IN_STATEMENT:
    case NODE_FOR_OF_STATEMENT:
    case NODE_DO_STATEMENT:
    case NODE_WHILE_STATEMENT:
        return true;
    case NODE_LABELED_STATEMENT:
        return labeled_too && is_loop(as_labeled_statement(node)->statement, true);
    default:
        return false;
    }
}

/* Where `break` and `continue` go: the innermost loop (or switch), or the statement so labeled; but
 * never out of a function. */
static void check_jump(Grammar *g, const Nest *nest)
{
    const Node *jump = nest->node;
    const Node *label = as_unary(jump)->expression;
    bool is_break = jump->kind == NODE_BREAK_STATEMENT;

    if (jump->flags & NODE_FLAG_AMBIENT)
        return;
    unsigned code = label ? (is_break ? 1116 : 1115) : is_break ? 1105 : 1104;

    for (nest = nest->outer; nest; nest = nest->outer) {
        const Node *around = nest->node;
        if (is_function(around) || around->kind == NODE_CLASS_STATIC_BLOCK) {
            code = 1107;
            break;
        }
        if (!label) {
            if (is_loop(around, false) || (is_break && around->kind == NODE_SWITCH_STATEMENT))
                return;
        } else if (around->kind == NODE_LABELED_STATEMENT &&
                   as_identifier(as_labeled_statement(around)->label)->name ==
                       as_identifier(label)->name) {
            if (is_break || is_loop(as_labeled_statement(around)->statement, true))
                return;
            code = 1115;
            break;
        }
    }
    grammar_wrong_node(g, code, jump);
}

/* A label may not stand inside a statement with the same one. */
static void check_label(Grammar *g, const Nest *nest)
{
    const Node *label = as_labeled_statement(nest->node)->label;

    for (nest = nest->outer; nest && !is_function(nest->node); nest = nest->outer) {
        if (nest->node->kind == NODE_LABELED_STATEMENT &&
            as_identifier(as_labeled_statement(nest->node)->label)->name ==
                as_identifier(label)->name) {
            grammar_wrong_node(g, 1114, label);
            return;
        }
    }
}

/* ---- operators ---- */

static Token operator_of(const Node *node)
{
    return node->kind == NODE_BINARY_EXPRESSION ? (Token)as_binary(node)->token : TOKEN_NONE;
}

/* `??` does not mix with `||` and `&&` without parentheses. */
static void check_binary(Grammar *g, const Nest *nest)
{
    const Binary *binary = as_binary(nest->node);
    Token left = operator_of(binary->left);
    Token right = operator_of(binary->right);

    check_assignment(g, nest->node);
    if (binary->token != TOKEN_QUESTION_QUESTION)
        return;
    if (kind_around(nest) == NODE_BINARY_EXPRESSION) {
        const Binary *around = as_binary(nest->outer->node);
        if (around->token == TOKEN_BAR_BAR && operator_of(around->left) != TOKEN_NONE)
            grammar_wrong_node(g, 5076, around->left);
    } else if (left != TOKEN_NONE) {
        if (left == TOKEN_BAR_BAR || left == TOKEN_AMPERSAND_AMPERSAND)
            grammar_wrong_node(g, 5076, binary->left);
    } else if (right == TOKEN_AMPERSAND_AMPERSAND) {
        grammar_wrong_node(g, 5076, binary->right);
    }
}

/* ---- where imports, exports and namespaces may stand ---- */

static void check_module_element(Grammar *g, const Nest *nest, unsigned code)
{
    NodeKind around = kind_around(nest);
    const Node *node = nest->node;

    if (around == NODE_SOURCE_FILE || around == NODE_MODULE_BLOCK ||
        around == NODE_MODULE_DECLARATION)
        return;
    uint32_t end = node->start;
    while (end < node->end && (uint8_t)(g->source->text[end] | 0x20) >= 'a' &&
           (uint8_t)(g->source->text[end] | 0x20) <= 'z')
        end++;
    grammar_wrong(g, code, node->start, end);
}

/* No object or interface has #private members, and `#name in x` asks inside a class only. Whether
 * an access `x.#name` is right, types decide. */
static void check_private_name(Grammar *g, const Nest *nest)
{
    NodeKind around = kind_around(nest);
    bool wrong = around == NODE_PROPERTY_SIGNATURE;

    if (around == NODE_METHOD_SIGNATURE) {
        grammar_wrong_node(g, 18016, nest->outer->node);
        return;
    }
    if (is_function(nest->outer->node))
        wrong = kind_around(nest->outer) == NODE_OBJECT_LITERAL;
    if (around == NODE_BINARY_EXPRESSION) {
        wrong = true;
        for (const Nest *up = nest->outer; up && wrong; up = up->outer)
            wrong =
                up->node->kind != NODE_CLASS_DECLARATION && up->node->kind != NODE_CLASS_EXPRESSION;
    }
    if (wrong)
        grammar_wrong_node(g, 18016, nest->node);
}

/* ---- the walk ---- */

/* Two dispatches: one line a kind, each rule is a function above. Here what declares: variables,
 * types, classes, functions, modules. */
static void check_declared(Grammar *g, const Nest *nest)
{
    const Node *node = nest->node;

    switch (node->kind) {
    case NODE_VARIABLE_DECLARATION_LIST:
        check_variables(g, nest);
        break;
    case NODE_VARIABLE_DECLARATION:
        check_variable(g, nest);
        break;
    case NODE_CATCH_CLAUSE:
        check_catch(g, nest);
        break;
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
    case NODE_INTERFACE_DECLARATION:
        check_heritage(g, nest);
        check_type_list(g, as_class(node)->type_parameters, 1098);
        break;
    case NODE_TYPE_ALIAS_DECLARATION:
        check_type_list(g, as_type_alias(node)->type_parameters, 1098);
        break;
    case NODE_TYPE_REFERENCE:
    case NODE_TYPE_QUERY:
    case NODE_EXPRESSION_WITH_TYPE_ARGUMENTS:
        check_type_list(g, as_type_reference(node)->type_arguments, 1099);
        break;
    case NODE_CALL_EXPRESSION:
    case NODE_NEW_EXPRESSION:
        if (as_call_expression(node)->expression->kind != NODE_IMPORT_KEYWORD)
            check_type_list(g, as_call_expression(node)->type_arguments, 1099);
        break;
    case NODE_IMPORT_DECLARATION:
    case NODE_IMPORT_EQUALS_DECLARATION:
        check_module_element(g, nest, 1232);
        break;
    case NODE_EXPORT_DECLARATION:
        check_module_element(g, nest, 1233);
        break;
    case NODE_EXPORT_ASSIGNMENT:
        check_module_element(g, nest, as_export_assignment(node)->equals ? 1231 : 1258);
        break;
    case NODE_MODULE_DECLARATION:
        check_module_element(
            g, nest, as_module_declaration(node)->name->kind == NODE_STRING_LITERAL ? 1234 : 1235);
        break;
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        check_accessor(g, nest);
        break;
    case NODE_METHOD_DECLARATION:
    case NODE_METHOD_SIGNATURE:
    case NODE_CONSTRUCTOR:
    case NODE_CALL_SIGNATURE:
    case NODE_CONSTRUCT_SIGNATURE:
    case NODE_FUNCTION_TYPE:
    case NODE_CONSTRUCTOR_TYPE:
    case NODE_FUNCTION_DECLARATION:
    case NODE_FUNCTION_EXPRESSION:
    case NODE_ARROW_FUNCTION:
        check_function(g, nest);
        break;
    default:
        break;
    }
}

/* Expressions and statements. */
static void check(Grammar *g, const Nest *nest)
{
    const Node *node = nest->node;

    switch (node->kind) {
    case NODE_AWAIT_EXPRESSION:
        check_await(g, nest);
        break;
    case NODE_YIELD_EXPRESSION:
        check_yield(g, nest);
        break;
    case NODE_RETURN_STATEMENT:
        check_return(g, nest);
        break;
    case NODE_BREAK_STATEMENT:
    case NODE_CONTINUE_STATEMENT:
        check_jump(g, nest);
        break;
    case NODE_LABELED_STATEMENT:
        check_label(g, nest);
        break;
    case NODE_PRIVATE_IDENTIFIER:
        check_private_name(g, nest);
        break;
    case NODE_REGULAR_EXPRESSION_LITERAL:
        check_regexp(g, node);
        break;
    case NODE_PROPERTY_DECLARATION:
        check_property(g, nest);
        break;
    case NODE_OBJECT_BINDING_PATTERN:
    case NODE_ARRAY_BINDING_PATTERN:
        check_binding_pattern(g, as_list(node)->list);
        break;
    case NODE_BINARY_EXPRESSION:
        check_binary(g, nest);
        break;
    case NODE_PREFIX_UNARY:
    case NODE_POSTFIX_UNARY:
        check_step(g, node);
        break;
    case NODE_BLOCK:
    case NODE_MODULE_BLOCK:
        check_ambient_block(g, nest);
        break;
    case NODE_OBJECT_LITERAL:
        check_object(g, nest);
        break;
    case NODE_SWITCH_STATEMENT:
        check_switch(g, nest);
        break;
    case NODE_FOR_OF_STATEMENT:
        if (as_for_each(node)->await_word)
            check_await_place(g, nest, as_for_each(node)->await_word, 1431, 1103);
        check_for_each(g, nest);
        break;
    case NODE_FOR_IN_STATEMENT:
        check_for_each(g, nest);
        break;
    default:
        check_declared(g, nest);
        break;
    }
}

typedef struct Visit {
    Grammar *grammar;
    const Nest *nest;
} Visit;

static bool visit(Node *node, void *context)
{
    const Visit *outer = context;
    Nest nest = {outer->nest, node};
    Visit inner = {outer->grammar, &nest};

    check(outer->grammar, &nest);
    check_modifiers(outer->grammar, &nest, node_modifiers(node));
    return tree_each_child(node, visit, &inner);
}

/* In the order of the text. An insertion sort: the walk is nearly in order already. */
static void sort(Complaints *complaints)
{
    for (uint32_t i = 1; i < complaints->count; i++) {
        Complaint one = complaints->at[i];
        uint32_t place = i;
        for (; place > 0 && complaints->at[place - 1].start > one.start; place--)
            complaints->at[place] = complaints->at[place - 1];
        complaints->at[place] = one;
    }
}

void check_grammar(Arena *arena, const Source *source, const ParseOptions *options,
                   const SourceFile *file, Findings *findings)
{
    Grammar grammar = {.complaints = {.arena = arena},
                       .source = source,
                       .file = file,
                       .async_body = options->async_body};
    Nest nest = {NULL, &file->node};
    Visit root = {&grammar, &nest};

    (void)tree_each_child(&file->node, visit, &root);
    sort(&grammar.complaints);
    complaints_give(&grammar.complaints, source, findings);
}
