/* Expressions with operators, from the comma down to unary ones. */
#include "parser.h"

/* ---- what begins an expression ---- */

bool starts_left_side(Parser *p)
{
    switch (at(p)) {
    case TOKEN_THIS:
    case TOKEN_SUPER:
    case TOKEN_NULL:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NUMERIC:
    case TOKEN_BIGINT_LITERAL:
    case TOKEN_STRING_LITERAL:
    case TOKEN_TEMPLATE:
    case TOKEN_TEMPLATE_HEAD:
    case TOKEN_OPEN_PAREN:
    case TOKEN_OPEN_BRACKET:
    case TOKEN_OPEN_BRACE:
    case TOKEN_FUNCTION:
    case TOKEN_CLASS:
    case TOKEN_NEW:
    case TOKEN_SLASH:
    case TOKEN_SLASH_EQUALS:
        return true;
    case TOKEN_IMPORT: {
        Token token = peek(p);
        return token == TOKEN_OPEN_PAREN || token == TOKEN_LESS || token == TOKEN_DOT;
    }
    default:
        return is_name(p, at(p));
    }
}

bool is_binary_operator(const Parser *p)
{
    if (at(p) == TOKEN_IN && in_context(p, CONTEXT_NO_IN))
        return false;
    return binary_precedence(at(p)) > 0;
}

/* A binary operator counts too: its left side is missing then, which says more than a skip. */
bool starts_expression(Parser *p)
{
    if (starts_left_side(p))
        return true;
    switch (at(p)) {
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_TILDE:
    case TOKEN_EXCLAMATION:
    case TOKEN_DELETE:
    case TOKEN_TYPEOF:
    case TOKEN_VOID:
    case TOKEN_PLUS_PLUS:
    case TOKEN_MINUS_MINUS:
    case TOKEN_LESS:
    case TOKEN_AWAIT:
    case TOKEN_YIELD:
    case TOKEN_PRIVATE_IDENTIFIER:
    case TOKEN_AT:
        return true;
    default:
        return is_binary_operator(p);
    }
}

/* What may follow `await` or `yield` where these are only names: then they were meant. */
static bool is_word_or_literal_ahead(Parser *p)
{
    bool line_break;
    Token token = peek_line(p, &line_break);
    return is_literal_name(token) && !line_break;
}

/* ---- binary ---- */

static Node *new_binary(Parser *p, Place place, Node *left, Token token, Mark sign, Node *right)
{
    Binary *binary = NEW(p, BINARY_EXPRESSION, place);
    binary->left = left;
    binary->token = token;
    binary->sign = sign;
    binary->right = right;
    return &binary->node;
}

static Node *as_or_satisfies(Parser *p, Node *expression)
{
    NodeKind kind = at(p) == TOKEN_AS ? NODE_AS_EXPRESSION : NODE_SATISFIES_EXPRESSION;
    Mark word = p->scan.start;

    next(p);
    Node *type = read_type(p);
    Assertion *assertion = as_assertion(node_new(p, kind, sizeof(Assertion), place_of(expression)));
    assertion->expression = expression;
    assertion->type = type;
    assertion->word = word;
    return &assertion->node;
}

/* Operators that bind more tightly than `precedence`; `**` also the same, since it goes right. */
static Node *binary_rest(Parser *p, int precedence, Node *left, Place place)
{
    uint32_t links = 0;

    for (;;) {
        Token token = at(p) == TOKEN_GREATER ? scanner_join_greater(&p->scan) : at(p);
        int own = binary_precedence(token);
        if (own < precedence || own == 0 || (own == precedence && token != TOKEN_ASTERISK_ASTERISK))
            return left;
        if (token == TOKEN_IN && in_context(p, CONTEXT_NO_IN))
            return left;
        if (token == TOKEN_AS || token == TOKEN_SATISFIES) {
            if (after_line_break(p))
                return left;
            left = as_or_satisfies(p, left);
        } else {
            Mark sign = p->scan.start;
            next(p);
            Node *right = read_binary(p, own);
            left = new_binary(p, place, left, token, sign, right);
        }
        if (!link_chain(p, &links))
            return left;
    }
}

Node *read_binary(Parser *p, int precedence)
{
    Place place = here(p);
    Node *left;

    if (enter(p)) {
        left = read_unary(p);
        if (at(p) == TOKEN_GREATER || binary_precedence(at(p)) > 0)
            left = binary_rest(p, precedence, left, place);
    } else {
        left = missing_name(p);
    }
    leave(p);
    return left;
}

/* ---- unary ---- */

static bool is_await_operator(Parser *p)
{
    if (at(p) != TOKEN_AWAIT)
        return false;
    return in_context(p, CONTEXT_AWAIT) || is_word_or_literal_ahead(p);
}

/* update = ("++" | "--") left-side | left-side ("++" | "--")? */
static Node *update(Parser *p)
{
    Place place = here(p);
    Token token = at(p);

    if (token == TOKEN_PLUS_PLUS || token == TOKEN_MINUS_MINUS) {
        next(p);
        Node *operand = read_left_side(p);
        OperatorUnary *prefix = NEW(p, PREFIX_UNARY, place);
        prefix->token = token;
        prefix->operand = operand;
        return &prefix->node;
    }
    Node *operand = read_left_side(p);
    token = at(p);
    if ((token == TOKEN_PLUS_PLUS || token == TOKEN_MINUS_MINUS) && !after_line_break(p)) {
        next(p);
        OperatorUnary *postfix = NEW(p, POSTFIX_UNARY, place_of(operand));
        postfix->token = token;
        postfix->operand = operand;
        return &postfix->node;
    }
    return operand;
}

static Node *simple_unary(Parser *p);

static Node *deeper_unary(Parser *p)
{
    Node *operand = enter(p) ? simple_unary(p) : missing_name(p);
    leave(p);
    return operand;
}

/* type-assertion = "<" type ">" unary */
static Node *type_assertion(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *type = read_type(p);
    (void)expect(p, TOKEN_GREATER);
    Node *expression = deeper_unary(p);
    Assertion *assertion = NEW(p, TYPE_ASSERTION, place);
    assertion->type = type;
    assertion->expression = expression;
    return &assertion->node;
}

static Node *word_unary(Parser *p, NodeKind kind)
{
    Place place = here(p);

    next(p);
    Node *operand = deeper_unary(p);
    return new_unary(p, kind, place, operand);
}

/* unary = sign unary | word unary | type-assertion | update */
static Node *simple_unary(Parser *p)
{
    switch (at(p)) {
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_TILDE:
    case TOKEN_EXCLAMATION: {
        Place place = here(p);
        Token token = at(p);
        next(p);
        Node *operand = deeper_unary(p);
        OperatorUnary *prefix = NEW(p, PREFIX_UNARY, place);
        prefix->token = token;
        prefix->operand = operand;
        return &prefix->node;
    }
    case TOKEN_DELETE:
        return word_unary(p, NODE_DELETE_EXPRESSION);
    case TOKEN_TYPEOF:
        return word_unary(p, NODE_TYPEOF_EXPRESSION);
    case TOKEN_VOID:
        return word_unary(p, NODE_VOID_EXPRESSION);
    case TOKEN_LESS:
        return type_assertion(p);
    case TOKEN_AWAIT:
        if (!is_await_operator(p))
            return update(p);
        p->has_await = p->has_await || p->functions == 0;
        return word_unary(p, NODE_AWAIT_EXPRESSION);
    default:
        return update(p);
    }
}

Node *read_unary(Parser *p)
{
    Token token = at(p);
    Place place = here(p);

    switch (token) {
    case TOKEN_PLUS:
    case TOKEN_MINUS:
    case TOKEN_TILDE:
    case TOKEN_EXCLAMATION:
    case TOKEN_DELETE:
    case TOKEN_TYPEOF:
    case TOKEN_VOID:
    case TOKEN_AWAIT:
    case TOKEN_LESS:
        break;
    default: {
        Node *operand = update(p);
        if (at(p) != TOKEN_ASTERISK_ASTERISK)
            return operand;
        return binary_rest(p, binary_precedence(TOKEN_ASTERISK_ASTERISK), operand, place);
    }
    }
    Node *operand = simple_unary(p);
    if (at(p) == TOKEN_ASTERISK_ASTERISK)
        wrong_token(p, operand->kind == NODE_TYPE_ASSERTION ? 17007 : 17006, operand->start,
                    operand->end, token);
    return operand;
}

/* ---- assignment and above ---- */

/* What may stand left of an assignment, as far as the parser cares. */
static bool is_left_side(const Node *node)
{
    switch (node->kind) {
    case NODE_PROPERTY_ACCESS:
    case NODE_ELEMENT_ACCESS:
    case NODE_NEW_EXPRESSION:
    case NODE_CALL_EXPRESSION:
    case NODE_TAGGED_TEMPLATE:
    case NODE_ARRAY_LITERAL:
    case NODE_PARENTHESIZED_EXPRESSION:
    case NODE_OBJECT_LITERAL:
    case NODE_CLASS_EXPRESSION:
    case NODE_FUNCTION_EXPRESSION:
    case NODE_IDENTIFIER:
    case NODE_PRIVATE_IDENTIFIER:
    case NODE_REGULAR_EXPRESSION_LITERAL:
    case NODE_NUMERIC_LITERAL:
    case NODE_BIGINT_LITERAL:
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
    case NODE_TEMPLATE_EXPRESSION:
    case NODE_FALSE:
    case NODE_NULL:
    case NODE_THIS:
    case NODE_TRUE:
    case NODE_SUPER:
    case NODE_NON_NULL_EXPRESSION:
    case NODE_EXPRESSION_WITH_TYPE_ARGUMENTS:
    case NODE_META_PROPERTY:
    case NODE_IMPORT_KEYWORD:
    case NODE_MISSING_DECLARATION:
        return true;
    default:
        return false;
    }
}

/* yield = "yield" ("*"? assignment)? */
static Node *yield_expression(Parser *p)
{
    Place place = here(p);
    Mark asterisk = 0;
    Node *expression = NULL;

    next(p);
    if (!after_line_break(p) && (at(p) == TOKEN_ASTERISK || starts_expression(p))) {
        asterisk = take_mark(p, TOKEN_ASTERISK);
        expression = read_assignment(p, true);
    }
    Node *yield = new_unary(p, NODE_YIELD_EXPRESSION, place, expression);
    as_unary(yield)->mark = asterisk;
    return yield;
}

static bool is_yield_operator(Parser *p)
{
    if (at(p) != TOKEN_YIELD)
        return false;
    return in_context(p, CONTEXT_YIELD) || is_word_or_literal_ahead(p);
}

/* Behind a condition: "?" assignment ":" assignment */
static Node *conditional_rest(Parser *p, Place place, Node *condition, bool return_type_allowed)
{
    Mark question = p->scan.start;
    uint32_t context = p->context;
    Node *when_false;

    next(p);
    p->context &= ~(uint32_t)(CONTEXT_NO_IN | CONTEXT_DECORATOR);
    Node *when_true = read_assignment(p, false);
    p->context = context;
    Mark colon = expect_mark(p, TOKEN_COLON);
    if (colon)
        when_false = read_assignment(p, return_type_allowed);
    else
        when_false = missing_name(p);
    Conditional *conditional = NEW(p, CONDITIONAL_EXPRESSION, place);
    conditional->condition = condition;
    conditional->question = question;
    conditional->when_true = when_true;
    conditional->colon = colon;
    conditional->when_false = when_false;
    return &conditional->node;
}

/* The first tokens of arrow functions but for those with a bare name. */
static bool may_start_arrow(Token token)
{
    return token == TOKEN_OPEN_PAREN || token == TOKEN_LESS || token == TOKEN_ASYNC ||
           token == TOKEN_ARROW;
}

/* assignment = yield | arrow-function | left-side assignment-operator assignment
 *            | binary ("?" assignment ":" assignment)?
 * Inside `a ? ... : b` an arrow function may have a return type only if a `:` is left for it. */
static Node *assignment(Parser *p, bool return_type_allowed)
{
    if (is_yield_operator(p))
        return yield_expression(p);
    Place place = here(p);
    Node *arrow = may_start_arrow(at(p)) ? read_arrow_function(p, return_type_allowed) : NULL;
    if (arrow)
        return arrow;
    Node *left = read_binary(p, 0);
    if (at(p) == TOKEN_ARROW && left->kind == NODE_IDENTIFIER)
        return finish_simple_arrow(p, place, NULL, left, return_type_allowed);
    if (at(p) == TOKEN_GREATER)
        scanner_join_greater(&p->scan);
    Token token = at(p);
    if (token >= TOKEN_FIRST_ASSIGNMENT && token <= TOKEN_LAST_ASSIGNMENT && is_left_side(left)) {
        Mark sign = p->scan.start;
        next(p);
        Node *right = read_assignment(p, return_type_allowed);
        return new_binary(p, place, left, token, sign, right);
    }
    if (token == TOKEN_QUESTION)
        return conditional_rest(p, place, left, return_type_allowed);
    return left;
}

Node *read_assignment(Parser *p, bool return_type_allowed)
{
    Place place = here(p);
    uint32_t kind = MEMO_ASSIGNMENT + return_type_allowed;
    Node *node = memo_take(p, kind, place);

    if (node)
        return node;
    if (!enter(p)) {
        leave(p);
        return missing_name(p);
    }
    uint32_t complaints = p->complaints.count;
    node = assignment(p, return_type_allowed);
    memo_keep(p, kind, place, complaints, node);
    leave(p);
    return node;
}

/* expression = assignment ("," assignment)* */
Node *read_expression(Parser *p)
{
    Place place = here(p);
    uint32_t context = p->context;
    uint32_t links = 0;

    p->context &= ~(uint32_t)CONTEXT_DECORATOR;
    Node *left = read_assignment(p, true);
    while (at(p) == TOKEN_COMMA && link_chain(p, &links)) {
        Mark sign = p->scan.start;
        next(p);
        Node *right = read_assignment(p, true);
        left = new_binary(p, place, left, TOKEN_COMMA, sign, right);
    }
    p->context = context;
    return left;
}

Node *read_expression_with_in(Parser *p)
{
    uint32_t context = p->context;

    p->context &= ~(uint32_t)CONTEXT_NO_IN;
    Node *expression = read_expression(p);
    p->context = context;
    return expression;
}
