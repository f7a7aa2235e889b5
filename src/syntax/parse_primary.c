/* What expressions are made of: literals, brackets, objects, templates, functions, `new`. */
#include "parser.h"

static Node *word_node(Parser *p, NodeKind kind)
{
    Place place = here(p);

    next(p);
    return new_plain(p, kind, place);
}

static Node *parenthesized(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = read_expression_with_in(p);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    return new_unary(p, NODE_PARENTHESIZED_EXPRESSION, place, expression);
}

/* ---- arrays ---- */

/* element = "..." assignment | assignment, or nothing before a comma */
static Node *array_element(Parser *p)
{
    Place place = here(p);

    if (at(p) == TOKEN_COMMA) {
        place.start = place.full_start;
        return new_plain(p, NODE_OMITTED_EXPRESSION, place);
    }
    if (!take(p, TOKEN_DOT_DOT_DOT))
        return read_assignment(p, true);
    Node *inner = read_assignment(p, true);
    return new_unary(p, NODE_SPREAD_ELEMENT, place, inner);
}

/* A list in brackets that is a whole expression. */
static Node *bracket_literal(Parser *p, NodeKind kind, ListKind list_kind, ReadElement read,
                             ListOption option, Token close)
{
    Place place = here(p);

    next(p);
    uint16_t lines = after_line_break(p) ? NODE_FLAG_LINES : 0;
    NodeList *list = read_separated(p, list_kind, read, option);
    Mark close_mark = expect_mark(p, close);
    list->start = place.start;
    list->end = p->scan.full_start;
    Node *node = new_list(p, kind, place, list);
    as_list(node)->close = close_mark;
    node->flags |= lines;
    return node;
}

/* ---- objects ---- */

/* `name`, `name = expression` (in patterns), `name: expression` */
static Node *property_assignment(Parser *p, Place place, const FunctionLike *start, bool simple)
{
    bool shorthand = simple && at(p) != TOKEN_COLON;
    Mark equals = 0;
    Node *initializer = NULL;
    uint32_t context = p->context;

    if (shorthand)
        equals = take_mark(p, TOKEN_EQUALS);
    else
        (void)expect(p, TOKEN_COLON);
    if (!shorthand || equals) {
        p->context &= ~(uint32_t)CONTEXT_NO_IN;
        initializer = read_assignment(p, true);
        p->context = context;
    }
    PropertyAssignment *node = as_property_assignment(
        node_new(p, shorthand ? NODE_SHORTHAND_PROPERTY_ASSIGNMENT : NODE_PROPERTY_ASSIGNMENT,
                 sizeof(PropertyAssignment), place));
    node->modifiers = start->modifiers;
    node->name = start->name;
    node->question = start->question;
    node->exclamation = start->exclamation;
    node->equals = equals;
    node->initializer = initializer;
    return &node->node;
}

/* object-member = "..." assignment | modifiers ("get" | "set") accessor | modifiers "*"? name
 * method | name ":" assignment | name */
static Node *object_member(Parser *p)
{
    Place place = here(p);

    if (take(p, TOKEN_DOT_DOT_DOT)) {
        Node *expression = read_assignment(p, true);
        return new_unary(p, NODE_SPREAD_ASSIGNMENT, place, expression);
    }
    FunctionLike start = {.modifiers = read_modifiers(p, true, false, false)};
    if (take_modifier(p, TOKEN_GET))
        return read_accessor(p, place, start.modifiers, NODE_GET_ACCESSOR, 0);
    if (take_modifier(p, TOKEN_SET))
        return read_accessor(p, place, start.modifiers, NODE_SET_ACCESSOR, 0);
    start.asterisk = take_mark(p, TOKEN_ASTERISK);
    bool simple = is_name(p, at(p));
    start.name = read_property_name(p);
    start.question = take_mark(p, TOKEN_QUESTION);
    start.exclamation = take_mark(p, TOKEN_EXCLAMATION);
    if (start.asterisk || at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS))
        return &read_method(p, place, start, 0)->node;
    return property_assignment(p, place, &start, simple);
}

/* ---- templates ---- */

/* template = "`...${" expression "}...`" */
Node *read_template(Parser *p, bool tagged)
{
    Place place = here(p);

    if (!tagged && (p->scan.flags & SCAN_INVALID))
        scanner_template(&p->scan, false);
    Node *head = read_literal(p);
    uint32_t begin = list_begin(p);
    uint32_t start = p->scan.start;
    Node *literal;
    do {
        Place inner = here(p);
        Node *expression = read_expression_with_in(p);
        literal = read_template_piece(p, tagged);
        TemplateSpan *span = NEW(p, TEMPLATE_SPAN, inner);
        span->expression = expression;
        span->literal = literal;
        list_add(p, &span->node);
    } while (literal->kind == NODE_TEMPLATE_MIDDLE && !p->stopped);
    NodeList *spans = list_end(p, begin, start);
    Template *template = NEW(p, TEMPLATE_EXPRESSION, place);
    template->head = head;
    template->spans = spans;
    return &template->node;
}

/* ---- functions and classes ---- */

/* function-expression = modifiers "function" "*"? name? type-parameters? parameters (":" type)?
 *                       block */
Node *read_function_expression(Parser *p)
{
    Place place = here(p);
    uint32_t context = p->context;
    FunctionLike start = {0};

    p->context &= ~(uint32_t)CONTEXT_DECORATOR;
    start.modifiers = read_modifiers(p, false, false, false);
    (void)expect(p, TOKEN_FUNCTION);
    start.asterisk = take_mark(p, TOKEN_ASTERISK);
    if (is_binding_name(at(p)))
        start.name = read_binding_name(p, 0);
    uint32_t function = (start.asterisk ? FUNCTION_GENERATOR : 0u) |
                        (modifiers_of(start.modifiers) & MODIFIER_ASYNC ? FUNCTION_ASYNC : 0u);
    start.type_parameters = read_type_parameters(p);
    start.parameters = read_parameters(p, function);
    start.type = read_return_type(p, TOKEN_COLON, false);
    start.body = read_function_block(p, function, 0);
    p->context = context;
    FunctionLike *node = NEW(p, FUNCTION_EXPRESSION, place);
    start.node = node->node;
    *node = start;
    return &node->node;
}

/* A class expression with decorators. */
static Node *decorated(Parser *p)
{
    Place place = here(p);
    NodeList *modifiers = read_modifiers(p, true, false, false);

    if (at(p) == TOKEN_CLASS)
        return read_class(p, place, modifiers, NODE_CLASS_EXPRESSION);
    wrong_at(p, 1109, p->scan.full_start, p->scan.full_start);
    MissingDeclaration *missing = NEW(p, MISSING_DECLARATION, place);
    missing->modifiers = modifiers;
    return &missing->node;
}

/* new = "new" "." name | "new" member arguments? */
static Node *new_expression(Parser *p)
{
    Place place = here(p);

    next(p);
    if (take(p, TOKEN_DOT)) {
        Node *name = read_any_word(p, 0);
        MetaProperty *meta = NEW(p, META_PROPERTY, place);
        meta->token = TOKEN_NEW;
        meta->name = name;
        return &meta->node;
    }
    Place inner = here(p);
    NodeList *type_arguments = NULL;
    Node *expression = enter(p) ? read_primary(p) : missing_name(p);
    leave(p);
    expression = read_member_rest(p, inner, expression, false);
    if (expression->kind == NODE_EXPRESSION_WITH_TYPE_ARGUMENTS) {
        type_arguments = as_type_reference(expression)->type_arguments;
        expression = as_type_reference(expression)->name;
    }
    if (at(p) == TOKEN_QUESTION_DOT)
        wrong(p, 1209);
    NodeList *arguments = at(p) == TOKEN_OPEN_PAREN ? read_arguments(p) : NULL;
    CallExpression *node = NEW(p, NEW_EXPRESSION, place);
    node->expression = expression;
    node->type_arguments = type_arguments;
    node->arguments = arguments;
    return &node->node;
}

static bool is_async_function(Parser *p)
{
    bool line_break;
    return peek_line(p, &line_break) == TOKEN_FUNCTION && !line_break;
}

/* ---- the choice ---- */

Node *read_primary(Parser *p)
{
    switch (at(p)) {
    case TOKEN_TEMPLATE:
        if (p->scan.flags & SCAN_INVALID)
            scanner_template(&p->scan, false);
        return read_literal(p);
    case TOKEN_NUMERIC:
    case TOKEN_BIGINT_LITERAL:
    case TOKEN_STRING_LITERAL:
        return read_literal(p);
    case TOKEN_THIS:
        return word_node(p, NODE_THIS);
    case TOKEN_SUPER:
        return word_node(p, NODE_SUPER);
    case TOKEN_NULL:
        return word_node(p, NODE_NULL);
    case TOKEN_TRUE:
        return word_node(p, NODE_TRUE);
    case TOKEN_FALSE:
        return word_node(p, NODE_FALSE);
    case TOKEN_OPEN_PAREN:
        return parenthesized(p);
    case TOKEN_OPEN_BRACKET:
        return bracket_literal(p, NODE_ARRAY_LITERAL, LIST_ARRAY_MEMBERS, array_element, LIST_PLAIN,
                               TOKEN_CLOSE_BRACKET);
    case TOKEN_OPEN_BRACE:
        return bracket_literal(p, NODE_OBJECT_LITERAL, LIST_OBJECT_MEMBERS, object_member,
                               LIST_SEMICOLONS, TOKEN_CLOSE_BRACE);
    case TOKEN_ASYNC:
        return is_async_function(p) ? read_function_expression(p) : read_name(p, 1109);
    case TOKEN_AT:
        return decorated(p);
    case TOKEN_CLASS:
        return read_class(p, here(p), NULL, NODE_CLASS_EXPRESSION);
    case TOKEN_FUNCTION:
        return read_function_expression(p);
    case TOKEN_NEW:
        return new_expression(p);
    case TOKEN_SLASH:
    case TOKEN_SLASH_EQUALS:
        scanner_regular_expression(&p->scan);
        return read_literal(p);
    case TOKEN_TEMPLATE_HEAD:
        return read_template(p, false);
    case TOKEN_PRIVATE_IDENTIFIER:
        return read_private_name(p);
    default:
        return read_name(p, 1109);
    }
}
