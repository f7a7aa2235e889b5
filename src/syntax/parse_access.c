/* Member accesses, calls, `new`: what is chained behind an expression. */
#include "parser.h"

/* ---- type arguments in expressions ---- */

/* After `f<T>`: could the whole be a call's beginning, or an expression of its own? */
static bool may_follow_type_arguments(Parser *p)
{
    switch (at(p)) {
    case TOKEN_OPEN_PAREN:
    case TOKEN_TEMPLATE:
    case TOKEN_TEMPLATE_HEAD:
        return true;
    case TOKEN_LESS:
    case TOKEN_GREATER:
    case TOKEN_PLUS:
    case TOKEN_MINUS:
        return false;
    default:
        return after_line_break(p) || is_binary_operator(p) || !starts_expression(p);
    }
}

static NodeList *possible_type_arguments(Parser *p)
{
    uint32_t start = p->scan.start;

    if (at(p) == TOKEN_LESS_LESS)
        scanner_split(&p->scan, TOKEN_LESS);
    next(p);
    NodeList *list = read_separated(p, LIST_TYPE_ARGUMENTS, read_type, LIST_PLAIN);
    if (at(p) != TOKEN_GREATER || scanner_join_greater(&p->scan) != TOKEN_GREATER)
        return NULL;
    next(p);
    list->start = start;
    list->end = p->scan.full_start;
    return may_follow_type_arguments(p) ? list : NULL;
}

/* type-arguments, or NULL if the `<` compares */
static NodeList *try_type_arguments(Parser *p)
{
    uint32_t start = p->scan.start;

    if (!at_any(p, TOKEN_LESS, TOKEN_LESS_LESS) || memo_is_refused(p, MEMO_TYPE_ARGUMENTS, start))
        return NULL;
    Marker marker = look_ahead(p);
    NodeList *list = possible_type_arguments(p);
    if (list) {
        settle(p);
        return list;
    }
    go_back(p, marker);
    memo_refuse(p, MEMO_TYPE_ARGUMENTS, start);
    return NULL;
}

/* ---- links of a chain ---- */

static bool starts_template(const Parser *p)
{
    return at_any(p, TOKEN_TEMPLATE, TOKEN_TEMPLATE_HEAD);
}

/* Whether a link behind this one belongs to an optional chain. `!` in between passes it on. */
static bool continues_chain(Parser *p, Node *node)
{
    Node *inner = node;

    while (inner->kind == NODE_NON_NULL_EXPRESSION && !(inner->flags & NODE_FLAG_CHAIN) &&
           !p->stopped)
        inner = as_unary(inner)->expression;
    if (!(inner->flags & NODE_FLAG_CHAIN))
        return false;
    for (; node != inner && !p->stopped; node = as_unary(node)->expression)
        node->flags |= NODE_FLAG_CHAIN;
    return true;
}

static Node *property_access(Parser *p, Place place, Node *expression, Mark question_dot)
{
    Node *name = read_right_of_dot(p, true, true);
    bool chain = question_dot || continues_chain(p, expression);

    if (chain && name->kind == NODE_PRIVATE_IDENTIFIER)
        wrong_at(p, 18030, name->full_start, name->end);
    if (expression->kind == NODE_EXPRESSION_WITH_TYPE_ARGUMENTS) {
        const NodeList *arguments = as_type_reference(expression)->type_arguments;
        if (arguments)
            wrong_at(p, 1477, arguments->start, arguments->end);
    }
    PropertyAccess *access = NEW(p, PROPERTY_ACCESS, place);
    access->expression = expression;
    access->name = name;
    access->question_dot = question_dot;
    if (chain)
        access->node.flags |= NODE_FLAG_CHAIN;
    return &access->node;
}

static Node *element_access(Parser *p, Place place, Node *expression, Mark question_dot)
{
    Node *argument;

    if (at(p) == TOKEN_CLOSE_BRACKET) {
        wrong_at(p, 1011, p->scan.full_start, p->scan.full_start);
        argument = missing_name(p);
    } else {
        argument = read_expression_with_in(p);
    }
    (void)expect(p, TOKEN_CLOSE_BRACKET);
    ElementAccess *access = NEW(p, ELEMENT_ACCESS, place);
    access->expression = expression;
    access->argument = argument;
    access->question_dot = question_dot;
    if (question_dot || continues_chain(p, expression))
        access->node.flags |= NODE_FLAG_CHAIN;
    return &access->node;
}

static Node *tagged_template(Parser *p, Place place, Node *tag, Mark question_dot,
                             NodeList *type_arguments)
{
    Node *template;

    if (at(p) == TOKEN_TEMPLATE) {
        scanner_template(&p->scan, true);
        template = read_literal(p);
    } else {
        template = read_template(p, true);
    }
    TaggedTemplate *tagged = NEW(p, TAGGED_TEMPLATE, place);
    tagged->tag = tag;
    tagged->type_arguments = type_arguments;
    tagged->template = template;
    tagged->question_dot = question_dot;
    if (question_dot || (tag->flags & NODE_FLAG_CHAIN))
        tagged->node.flags |= NODE_FLAG_CHAIN;
    return &tagged->node;
}

/* Type arguments that were read as an expression of their own belong to what comes now. */
static Node *take_apart(Node *expression, NodeList **type_arguments)
{
    if (expression->kind != NODE_EXPRESSION_WITH_TYPE_ARGUMENTS)
        return expression;
    *type_arguments = as_type_reference(expression)->type_arguments;
    return as_type_reference(expression)->name;
}

/* `?.` before a name, a bracket or a template; before a parenthesis it is the call's. */
static Mark take_member_question_dot(Parser *p)
{
    if (at(p) != TOKEN_QUESTION_DOT)
        return 0;
    Token token = peek(p);
    if (!is_word(token) && token != TOKEN_OPEN_BRACKET && token != TOKEN_TEMPLATE &&
        token != TOKEN_TEMPLATE_HEAD)
        return 0;
    return take_mark(p, TOKEN_QUESTION_DOT);
}

/* One link; NULL if there is none. */
static Node *member_link(Parser *p, Place place, Node *expression, bool chain_allowed)
{
    Mark question_dot = chain_allowed ? take_member_question_dot(p) : 0;

    if (question_dot ? is_word(at(p)) : take(p, TOKEN_DOT))
        return property_access(p, place, expression, question_dot);
    if ((question_dot || !in_context(p, CONTEXT_DECORATOR)) && take(p, TOKEN_OPEN_BRACKET))
        return element_access(p, place, expression, question_dot);
    if (starts_template(p)) {
        NodeList *type_arguments = NULL;
        if (!question_dot)
            expression = take_apart(expression, &type_arguments);
        return tagged_template(p, place, expression, question_dot, type_arguments);
    }
    if (at(p) == TOKEN_EXCLAMATION && !after_line_break(p)) {
        Mark mark = p->scan.start;
        next(p);
        Node *node = new_unary(p, NODE_NON_NULL_EXPRESSION, place, expression);
        as_unary(node)->mark = mark;
        return node;
    }
    NodeList *type_arguments = try_type_arguments(p);
    if (!type_arguments)
        return NULL;
    TypeReference *node = NEW(p, EXPRESSION_WITH_TYPE_ARGUMENTS, place);
    node->name = expression;
    node->type_arguments = type_arguments;
    return &node->node;
}

/* member = primary ("." name | "?." name | "[" expression "]" | template | "!" | type-arguments)*
 */
Node *read_member_rest(Parser *p, Place place, Node *expression, bool chain_allowed)
{
    uint32_t links = 0;

    for (;;) {
        switch (at(p)) {
        case TOKEN_QUESTION_DOT:
        case TOKEN_DOT:
        case TOKEN_OPEN_BRACKET:
        case TOKEN_TEMPLATE:
        case TOKEN_TEMPLATE_HEAD:
        case TOKEN_EXCLAMATION:
        case TOKEN_LESS:
        case TOKEN_LESS_LESS:
            break;
        default:
            return expression;
        }
        Node *link = member_link(p, place, expression, chain_allowed);
        if (!link || !link_chain(p, &links))
            return link ? link : expression;
        expression = link;
    }
}

/* ---- calls ---- */

/* argument = "..." assignment | assignment, or nothing before a comma */
static Node *argument(Parser *p)
{
    Place place = here(p);
    Node *node;

    if (at(p) == TOKEN_COMMA) {
        place.start = place.full_start;
        return new_plain(p, NODE_OMITTED_EXPRESSION, place);
    }
    uint32_t context = p->context;
    p->context &= ~(uint32_t)(CONTEXT_NO_IN | CONTEXT_DECORATOR);
    if (take(p, TOKEN_DOT_DOT_DOT)) {
        Node *inner = read_assignment(p, true);
        node = new_unary(p, NODE_SPREAD_ELEMENT, place, inner);
    } else {
        node = read_assignment(p, true);
    }
    p->context = context;
    return node;
}

/* arguments = "(" argument,* ")" */
NodeList *read_arguments(Parser *p)
{
    uint32_t start = p->scan.start;

    (void)expect(p, TOKEN_OPEN_PAREN);
    NodeList *list = read_separated(p, LIST_ARGUMENTS, argument, LIST_PLAIN);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    list->start = start;
    list->end = p->scan.full_start;
    return list;
}

static Node *call(Parser *p, Place place, Node *expression, Mark question_dot,
                  NodeList *type_arguments)
{
    if (!question_dot)
        expression = take_apart(expression, &type_arguments);
    NodeList *arguments = read_arguments(p);
    CallExpression *node = NEW(p, CALL_EXPRESSION, place);
    node->expression = expression;
    node->type_arguments = type_arguments;
    node->arguments = arguments;
    node->question_dot = question_dot;
    if (question_dot || continues_chain(p, expression))
        node->node.flags |= NODE_FLAG_CHAIN;
    return &node->node;
}

/* `a?.` and nothing that could follow it */
static Node *unfinished_access(Parser *p, Place place, Node *expression, Mark question_dot)
{
    wrong(p, 1003);
    Node *name = missing_name(p);
    PropertyAccess *access = NEW(p, PROPERTY_ACCESS, place);
    access->expression = expression;
    access->name = name;
    access->question_dot = question_dot;
    access->node.flags |= NODE_FLAG_CHAIN;
    return &access->node;
}

/* call = member ("?."? type-arguments? arguments member-links)* */
Node *read_call_rest(Parser *p, Place place, Node *expression)
{
    uint32_t links = 0;

    for (;;) {
        expression = read_member_rest(p, place, expression, true);
        NodeList *type_arguments = NULL;
        Mark question_dot = take_mark(p, TOKEN_QUESTION_DOT);
        if (question_dot) {
            type_arguments = try_type_arguments(p);
            if (starts_template(p)) {
                expression = tagged_template(p, place, expression, question_dot, type_arguments);
                continue;
            }
        }
        if (type_arguments || at(p) == TOKEN_OPEN_PAREN)
            expression = call(p, place, expression, question_dot, type_arguments);
        else if (question_dot)
            return unfinished_access(p, place, expression, question_dot);
        else
            return expression;
        if (!link_chain(p, &links))
            return expression;
    }
}

/* ---- super, import, new ---- */

/* super = "super" (arguments | "." name | "[" expression "]") */
static Node *super_expression(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = new_plain(p, NODE_SUPER, place);
    if (at(p) == TOKEN_LESS) {
        uint32_t start = p->scan.full_start;
        NodeList *type_arguments = try_type_arguments(p);
        if (type_arguments) {
            wrong_at(p, 2754, start, p->scan.full_start);
            if (!starts_template(p)) {
                TypeReference *node = NEW(p, EXPRESSION_WITH_TYPE_ARGUMENTS, place);
                node->name = expression;
                node->type_arguments = type_arguments;
                expression = &node->node;
            }
        }
    }
    if (at_any(p, TOKEN_OPEN_PAREN, TOKEN_DOT) || at(p) == TOKEN_OPEN_BRACKET)
        return expression;
    wrong(p, 1034);
    Node *name = read_right_of_dot(p, true, true);
    PropertyAccess *access = NEW(p, PROPERTY_ACCESS, place);
    access->expression = expression;
    access->name = name;
    return &access->node;
}

/* import-expression = "import" arguments | "import" "." name */
static Node *import_expression(Parser *p)
{
    Place place = here(p);
    Token token = peek(p);

    if (token == TOKEN_OPEN_PAREN || token == TOKEN_LESS) {
        next(p);
        return new_plain(p, NODE_IMPORT_KEYWORD, place);
    }
    if (token != TOKEN_DOT)
        return read_member_rest(p, place, read_primary(p), true);
    next(p);
    next(p);
    Node *name = read_any_word(p, 0);
    MetaProperty *meta = NEW(p, META_PROPERTY, place);
    meta->token = TOKEN_IMPORT;
    meta->name = name;
    const Name *text = as_identifier(name)->name;
    if (!p->import_meta && p->ahead == 0 && text->length == 4 && text->text[0] == 'm')
        p->import_meta = &meta->node;
    return &meta->node;
}

/* left-side = super | import-expression | member, and calls behind it */
Node *read_left_side(Parser *p)
{
    Place place = here(p);
    Node *expression;

    if (at(p) == TOKEN_IMPORT)
        expression = import_expression(p);
    else if (at(p) == TOKEN_SUPER)
        expression = super_expression(p);
    else
        expression = read_primary(p);
    return read_call_rest(p, place, expression);
}
