#include "eraser.h"

/* A handler looks after one kind of node: it blanks what is of types alone, visits what can hold
 * more, and may give back one node to go on with. Chains like `a + b + c` or `a.b().c()` nest to
 * the left as deep as they are long, so the left side is always the one given back. */
typedef Node *(*Handler)(Eraser *e, Node *node);

static Node *blank_node(Eraser *e, Node *node)
{
    blank(e, node->start, node->end);
    return NULL;
}

static bool visit_child(Node *node, void *context)
{
    visit(context, node);
    return true;
}

void visit_children(Eraser *e, Node *node)
{
    (void)tree_each_child(node, visit_child, e);
}

void visit_each(Eraser *e, const NodeList *list)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        visit(e, list->at[i]);
}

void visit_member_name(Eraser *e, Node *name)
{
    if (name && name->kind == NODE_COMPUTED_PROPERTY_NAME)
        visit(e, as_unary(name)->expression);
}

void visit_binding(Eraser *e, Node *name)
{
    if (name->kind != NODE_OBJECT_BINDING_PATTERN && name->kind != NODE_ARRAY_BINDING_PATTERN)
        return;
    NodeList *list = as_list(name)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind != NODE_BINDING_ELEMENT)
            continue;
        BindingElement *one = as_binding_element(list->at[i]);
        visit_member_name(e, one->property_name);
        visit_binding(e, one->name);
        visit(e, one->initializer);
    }
}

/* ---- names and access ---- */

static Node *visit_identifier(Eraser *e, Node *node)
{
    if (as_identifier(node)->name->spare) /* watched */
        visit_reference(e, node);
    return NULL;
}

static Node *visit_property_access(Eraser *e, Node *node)
{
    (void)e;
    return as_property_access(node)->expression;
}

static Node *visit_element_access(Eraser *e, Node *node)
{
    visit(e, as_element_access(node)->argument);
    return as_element_access(node)->expression;
}

static Node *visit_call(Eraser *e, Node *node)
{
    blank_list(e, as_call_expression(node)->type_arguments);
    visit_each(e, as_call_expression(node)->arguments);
    return as_call_expression(node)->expression;
}

static Node *visit_tagged_template(Eraser *e, Node *node)
{
    blank_list(e, as_tagged_template(node)->type_arguments);
    visit(e, as_tagged_template(node)->template);
    return as_tagged_template(node)->tag;
}

/* expression<type arguments>, in `extends` and as an expression */
static Node *visit_type_arguments(Eraser *e, Node *node)
{
    blank_list(e, as_type_reference(node)->type_arguments);
    return as_type_reference(node)->name;
}

static Node *visit_property_assignment(Eraser *e, Node *node)
{
    PropertyAssignment *property = as_property_assignment(node);

    blank_modifiers(e, property->modifiers, ~(uint32_t)0);
    blank_mark(e, property->question, 1);
    blank_mark(e, property->exclamation, 1);
    visit_member_name(e, property->name);
    return as_property_assignment(node)->initializer;
}

static Node *visit_short_property(Eraser *e, Node *node)
{
    blank_mark(e, as_property_assignment(node)->exclamation, 1);
    visit_shorthand(e, node);
    return as_property_assignment(node)->initializer;
}

/* ---- assertions ---- */

/* Without the assertion, would the next token go on with the expression? `[`, `(` and a template
 * cannot follow a type on a line of their own: they begin a statement. */
static bool next_would_continue(const Eraser *e, uint32_t end)
{
    uint32_t next = skip_trivia(e, end);
    char c = e->source->text[next];

    return (c == '(' || c == '[' || c == '`') && has_newline(e, end, next);
}

/* expression as type, expression satisfies type */
static Node *visit_as(Eraser *e, Node *node)
{
    Assertion *assertion = as_assertion(node);

    blank(e, assertion->word, node->end);
    if (next_would_continue(e, node->end))
        put(e, assertion->word, ';');
    return assertion->expression;
}

static Node *visit_non_null(Eraser *e, Node *node)
{
    blank_mark(e, as_unary(node)->mark, 1);
    return as_unary(node)->expression;
}

/* The token that an expression begins with. */
static const Node *leftmost(const Node *node)
{
    for (;;) {
        switch (node->kind) {
        case NODE_BINARY_EXPRESSION:
            node = as_binary(node)->left;
            break;
        case NODE_CONDITIONAL_EXPRESSION:
            node = as_conditional(node)->condition;
            break;
        case NODE_PROPERTY_ACCESS:
            node = as_property_access(node)->expression;
            break;
        case NODE_ELEMENT_ACCESS:
            node = as_element_access(node)->expression;
            break;
        case NODE_CALL_EXPRESSION:
            node = as_call_expression(node)->expression;
            break;
        case NODE_TAGGED_TEMPLATE:
            node = as_tagged_template(node)->tag;
            break;
        case NODE_AS_EXPRESSION:
        case NODE_SATISFIES_EXPRESSION:
        case NODE_TYPE_ASSERTION:
            node = as_assertion(node)->expression;
            break;
        case NODE_NON_NULL_EXPRESSION:
            node = as_unary(node)->expression;
            break;
        case NODE_POSTFIX_UNARY:
            node = as_operator_unary(node)->operand;
            break;
        default:
            return node;
        }
    }
}

/* <type>expression. At the beginning of a statement or an arrow's body `{`, `function` and `class`
 * would mean another thing; after `return` a line's end would: then parentheses hold it together.
 */
static Node *visit_type_assertion(Eraser *e, Node *node)
{
    Assertion *assertion = as_assertion(node);
    uint16_t first = leftmost(assertion->expression)->kind;

    blank(e, node->start, assertion->expression->start);
    if (first != NODE_OBJECT_LITERAL && first != NODE_FUNCTION_EXPRESSION &&
        first != NODE_CLASS_EXPRESSION &&
        !has_newline(e, node->start, assertion->expression->start))
        return assertion->expression;
    put(e, node->start, '(');
    visit(e, assertion->expression);
    edit_text(e, node->end, ")");
    e->lowered |= LOWERED_PARENTHESES;
    return NULL;
}

/* ---- operators ---- */

static int precedence_of(uint32_t token)
{
    switch (token) {
    case TOKEN_ASTERISK_ASTERISK:
        return 13;
    case TOKEN_ASTERISK:
    case TOKEN_SLASH:
    case TOKEN_PERCENT:
        return 12;
    case TOKEN_PLUS:
    case TOKEN_MINUS:
        return 11;
    case TOKEN_LESS_LESS:
    case TOKEN_GREATER_GREATER:
    case TOKEN_GREATER_GREATER_GREATER:
        return 10;
    default:
        return 0; /* not tighter than `as` */
    }
}

/* `a + b as T * c` is `(a + b) * c`: what `as` held together falls apart without it. */
static void keep_together(Eraser *e, const Binary *binary)
{
    const Node *left = binary->left;
    const Assertion *outermost = NULL;

    while (left->kind == NODE_AS_EXPRESSION || left->kind == NODE_SATISFIES_EXPRESSION) {
        outermost = as_assertion(left);
        left = outermost->expression;
    }
    if (!outermost || left->kind != NODE_BINARY_EXPRESSION || precedence_of(binary->token) == 0)
        return;
    if (precedence_of(as_binary(left)->token) >= precedence_of(binary->token) &&
        binary->token != TOKEN_ASTERISK_ASTERISK)
        return;
    edit_text(e, left->start, "(");
    edit(e, (Edit){.at = left->end, .after = 1, .text = ")"});
    e->lowered |= LOWERED_PARENTHESES;
}

static bool is_erased_around(const Node *node)
{
    return node->kind == NODE_AS_EXPRESSION || node->kind == NODE_SATISFIES_EXPRESSION ||
           node->kind == NODE_TYPE_ASSERTION || node->kind == NODE_NON_NULL_EXPRESSION;
}

/* `({ a } as T) = b`: a pattern may not stand in parentheses, so these are blanked, and the whole
 * gets others. */
static void open_pattern(Eraser *e, const Binary *binary)
{
    const Node *inner = binary->left;
    bool erased = false;

    while (inner->kind == NODE_PARENTHESIZED_EXPRESSION || is_erased_around(inner)) {
        erased |= is_erased_around(inner);
        inner = inner->kind == NODE_TYPE_ASSERTION || inner->kind == NODE_AS_EXPRESSION ||
                        inner->kind == NODE_SATISFIES_EXPRESSION
                    ? as_assertion(inner)->expression
                    : as_unary(inner)->expression;
    }
    if (!erased || (inner->kind != NODE_OBJECT_LITERAL && inner->kind != NODE_ARRAY_LITERAL))
        return;
    for (const Node *at = binary->left; at != inner;) {
        if (at->kind == NODE_PARENTHESIZED_EXPRESSION) {
            blank(e, at->start, at->start + 1);
            blank(e, at->end - 1, at->end);
        }
        at = at->kind == NODE_PARENTHESIZED_EXPRESSION || at->kind == NODE_NON_NULL_EXPRESSION
                 ? as_unary(at)->expression
                 : as_assertion(at)->expression;
    }
    put(e, binary->left->start, '(');
    edit_text(e, binary->node.end, ")");
    e->lowered |= LOWERED_PARENTHESES;
}

static Node *visit_binary(Eraser *e, Node *node)
{
    Binary *binary = as_binary(node);

    if (is_erased_around(binary->left))
        keep_together(e, binary);
    else if (binary->token == TOKEN_EQUALS && binary->left->kind == NODE_PARENTHESIZED_EXPRESSION)
        open_pattern(e, binary);
    visit(e, binary->right);
    return binary->left;
}

static Node *visit_conditional(Eraser *e, Node *node)
{
    Conditional *conditional = as_conditional(node);

    visit(e, conditional->condition);
    visit(e, conditional->when_true);
    return conditional->when_false;
}

static Node *visit_unary(Eraser *e, Node *node)
{
    (void)e;
    return as_unary(node)->expression;
}

static Node *visit_list(Eraser *e, Node *node)
{
    visit_each(e, as_list(node)->list);
    return NULL;
}

static Node *visit_template(Eraser *e, Node *node)
{
    visit_each(e, as_template(node)->spans);
    return NULL;
}

static Node *visit_template_span(Eraser *e, Node *node)
{
    (void)e;
    return as_template_span(node)->expression;
}

static Node *visit_operand(Eraser *e, Node *node)
{
    (void)e;
    return as_operator_unary(node)->operand;
}

static Node *visit_nothing(Eraser *e, Node *node)
{
    (void)e;
    (void)node;
    return NULL;
}

static Node *visit_decorator(Eraser *e, Node *node)
{
    refuse(e, "TN1021", (Span){node->start, node->end},
           "Decorators are not available here; call the function on the class or the value "
           "instead.");
    return as_unary(node)->expression;
}

/* ---- the table ---- */

static Node *visit_static_block(Eraser *e, Node *node)
{
    visit_body(e, as_function(node)->body);
    return NULL;
}

static Node *visit_file(Eraser *e, Node *node)
{
    NodeList *statements = as_source_file(node)->statements;
    Scope scope;

    scope_enter(e, &scope);
    module_watch(e, statements);
    scope_statements(e, statements);
    scope_hoist(e, statements);
    visit_statements(e, statements);
    scope_settle(e, &scope);
    settle_imports(e);
    scope_leave(e, &scope);
    return NULL;
}

/* Without an entry: the children are visited, and nothing else is to be done. */
static const Handler handlers[NODE_KIND_COUNT] = {
    [NODE_IDENTIFIER] = visit_identifier,
    [NODE_PRIVATE_IDENTIFIER] = visit_nothing,
    [NODE_META_PROPERTY] = visit_nothing,
    [NODE_CONTINUE_STATEMENT] = visit_nothing,
    [NODE_BREAK_STATEMENT] = visit_nothing,
    [NODE_PROPERTY_ACCESS] = visit_property_access,
    [NODE_ELEMENT_ACCESS] = visit_element_access,
    [NODE_CALL_EXPRESSION] = visit_call,
    [NODE_NEW_EXPRESSION] = visit_call,
    [NODE_TAGGED_TEMPLATE] = visit_tagged_template,
    [NODE_EXPRESSION_WITH_TYPE_ARGUMENTS] = visit_type_arguments,
    [NODE_PROPERTY_ASSIGNMENT] = visit_property_assignment,
    [NODE_SHORTHAND_PROPERTY_ASSIGNMENT] = visit_short_property,
    [NODE_TYPE_ASSERTION] = visit_type_assertion,
    [NODE_AS_EXPRESSION] = visit_as,
    [NODE_SATISFIES_EXPRESSION] = visit_as,
    [NODE_NON_NULL_EXPRESSION] = visit_non_null,
    [NODE_BINARY_EXPRESSION] = visit_binary,
    [NODE_CONDITIONAL_EXPRESSION] = visit_conditional,
    [NODE_PARENTHESIZED_EXPRESSION] = visit_unary,
    [NODE_EXPRESSION_STATEMENT] = visit_unary,
    [NODE_RETURN_STATEMENT] = visit_unary,
    [NODE_THROW_STATEMENT] = visit_unary,
    [NODE_AWAIT_EXPRESSION] = visit_unary,
    [NODE_TYPEOF_EXPRESSION] = visit_unary,
    [NODE_SPREAD_ELEMENT] = visit_unary,
    [NODE_SPREAD_ASSIGNMENT] = visit_unary,
    [NODE_ARRAY_LITERAL] = visit_list,
    [NODE_OBJECT_LITERAL] = visit_list,
    [NODE_TEMPLATE_EXPRESSION] = visit_template,
    [NODE_TEMPLATE_SPAN] = visit_template_span,
    [NODE_STRING_LITERAL] = visit_nothing,
    [NODE_NUMERIC_LITERAL] = visit_nothing,
    [NODE_NO_SUBSTITUTION_TEMPLATE] = visit_nothing,
    [NODE_THIS] = visit_nothing,
    [NODE_NULL] = visit_nothing,
    [NODE_TRUE] = visit_nothing,
    [NODE_FALSE] = visit_nothing,
    [NODE_PREFIX_UNARY] = visit_operand,
    [NODE_POSTFIX_UNARY] = visit_operand,
    [NODE_DECORATOR] = visit_decorator,
    [NODE_FUNCTION_EXPRESSION] = visit_function_node,
    [NODE_FUNCTION_DECLARATION] = visit_function_node,
    [NODE_ARROW_FUNCTION] = visit_function_node,
    [NODE_METHOD_DECLARATION] = visit_function_node,
    [NODE_GET_ACCESSOR] = visit_function_node,
    [NODE_SET_ACCESSOR] = visit_function_node,
    [NODE_CLASS_STATIC_BLOCK] = visit_static_block,
    [NODE_CLASS_EXPRESSION] = visit_class,
    [NODE_CLASS_DECLARATION] = visit_class,
    [NODE_BLOCK] = visit_block,
    [NODE_CASE_BLOCK] = visit_case_block,
    [NODE_FOR_STATEMENT] = visit_for,
    [NODE_FOR_IN_STATEMENT] = visit_for_each,
    [NODE_FOR_OF_STATEMENT] = visit_for_each,
    [NODE_DO_STATEMENT] = visit_loop,
    [NODE_WHILE_STATEMENT] = visit_loop,
    [NODE_WITH_STATEMENT] = visit_loop,
    [NODE_IF_STATEMENT] = visit_if,
    [NODE_LABELED_STATEMENT] = visit_labeled,
    [NODE_CATCH_CLAUSE] = visit_catch,
    [NODE_VARIABLE_STATEMENT] = visit_variable_statement,
    [NODE_VARIABLE_DECLARATION] = visit_declaration,
    [NODE_ENUM_DECLARATION] = visit_enum,
    [NODE_MODULE_DECLARATION] = visit_namespace,
    [NODE_SOURCE_FILE] = visit_file,
};

void visit(Eraser *e, Node *node)
{
    while (node) {
        Handler handler = handlers[node->kind];
        if (handler) {
            node = handler(e, node);
        } else if (node->kind >= NODE_KEYWORD_TYPE && node->kind <= NODE_COMMENT_TYPE) {
            node = blank_node(e, node);
        } else {
            visit_children(e, node);
            break;
        }
    }
}
