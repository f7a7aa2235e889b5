/*
 * Arrow functions: the one thing in the language that begins like something else. Two or three
 * tokens decide most cases. For the rest the whole function is read as one; if that fails, the
 * place is remembered as none, and read as an expression.
 */
#include "parser.h"

typedef enum Answer {
    NO,
    YES,
    PERHAPS,
} Answer;

/* `()` is one if `=>`, `:` or `{` follows. */
static Answer after_empty_parenthesis(Parser *p)
{
    next(p);
    return at_any(p, TOKEN_ARROW, TOKEN_COLON) || at(p) == TOKEN_OPEN_BRACE ? YES : NO;
}

/* On the token after `(`. */
static Answer after_parenthesis(Parser *p)
{
    Token second = at(p);

    if (second == TOKEN_CLOSE_PAREN)
        return after_empty_parenthesis(p);
    if (second == TOKEN_OPEN_BRACKET || second == TOKEN_OPEN_BRACE)
        return PERHAPS;
    if (second == TOKEN_DOT_DOT_DOT)
        return YES;
    if (is_modifier(second) && second != TOKEN_ASYNC && is_name(p, peek(p))) {
        next(p);
        return at(p) == TOKEN_AS ? NO : YES;
    }
    if (!is_name(p, second) && second != TOKEN_THIS)
        return NO;
    next(p);
    switch (at(p)) {
    case TOKEN_COLON:
        return YES;
    case TOKEN_QUESTION:
        next(p);
        return at_any(p, TOKEN_COLON, TOKEN_COMMA) || at_any(p, TOKEN_EQUALS, TOKEN_CLOSE_PAREN)
                   ? YES
                   : NO;
    case TOKEN_COMMA:
    case TOKEN_EQUALS:
    case TOKEN_CLOSE_PAREN:
        return PERHAPS;
    default:
        return NO;
    }
}

static Answer is_arrow_function(Parser *p)
{
    if (at(p) == TOKEN_ARROW)
        return YES; /* the parameters are missing */
    if (!at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS) && at(p) != TOKEN_ASYNC)
        return NO;
    Marker marker = look_ahead(p);
    Answer answer = NO;
    bool fits = true;
    if (at(p) == TOKEN_ASYNC) {
        next(p);
        fits = !after_line_break(p) && at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS);
    }
    if (fits) {
        Token first = at(p);
        next(p);
        if (first == TOKEN_OPEN_PAREN)
            answer = after_parenthesis(p);
        else
            answer = is_name(p, at(p)) || at(p) == TOKEN_CONST ? PERHAPS : NO;
    }
    go_back(p, marker);
    return answer;
}

static NodeList *async_modifier(Parser *p)
{
    if (at(p) != TOKEN_ASYNC)
        return NULL;
    Place place = here(p);
    uint32_t begin = list_begin(p);

    next(p);
    Modifier *modifier = NEW(p, MODIFIER, place);
    modifier->token = TOKEN_ASYNC;
    modifier->bit = MODIFIER_ASYNC;
    list_add(p, &modifier->node);
    NodeList *list = list_end(p, begin, place.start);
    list->modifiers = MODIFIER_ASYNC;
    return list;
}

static bool starts_expression_statement(Parser *p)
{
    return at(p) != TOKEN_OPEN_BRACE && at(p) != TOKEN_FUNCTION && at(p) != TOKEN_CLASS &&
           at(p) != TOKEN_AT && starts_expression(p);
}

/* arrow-body = block | assignment. A statement here lacks its brace. */
static Node *arrow_body(Parser *p, bool is_async, bool return_type_allowed)
{
    uint32_t function = is_async ? FUNCTION_ASYNC : 0;

    if (at(p) == TOKEN_OPEN_BRACE)
        return read_function_block(p, function, 0);
    if (at(p) != TOKEN_SEMICOLON && at(p) != TOKEN_FUNCTION && at(p) != TOKEN_CLASS &&
        starts_statement(p) && !starts_expression_statement(p))
        return read_function_block(p, function | FUNCTION_WITHOUT_BRACE, 0);

    uint32_t context = p->context;
    p->context &= ~(uint32_t)(CONTEXT_YIELD | CONTEXT_AWAIT);
    if (is_async)
        p->context |= CONTEXT_AWAIT;
    p->functions++;
    Node *body = read_assignment(p, return_type_allowed);
    p->functions--;
    p->context = context;
    return body;
}

/* A return type that shows that this is no arrow function after all. */
static bool is_wrong_return_type(const Node *type)
{
    for (;;) {
        switch (type->kind) {
        case NODE_TYPE_REFERENCE:
            return is_missing(as_type_reference(type)->name);
        case NODE_FUNCTION_TYPE:
        case NODE_CONSTRUCTOR_TYPE: {
            const FunctionLike *function = as_function(type);
            if (function->parameters->start == function->parameters->end)
                return true;
            type = function->type;
            break;
        }
        case NODE_PARENTHESIZED_TYPE:
            type = as_unary(type)->expression;
            break;
        default:
            return false;
        }
        if (!type)
            return false;
    }
}

static bool is_comment_function(const Node *type)
{
    while (type && type->kind == NODE_PARENTHESIZED_TYPE)
        type = as_unary(type)->expression;
    return type && type->kind == NODE_COMMENT_TYPE && as_unary(type)->expression &&
           as_unary(type)->expression->kind == NODE_FUNCTION_TYPE &&
           as_unary(type)->expression->full_start == type->full_start;
}

/* The head, up to the return type. False if it need not be one and is none. */
static bool arrow_head(Parser *p, FunctionLike *out, bool certain)
{
    out->modifiers = async_modifier(p);
    out->type_parameters = read_type_parameters(p);
    uint32_t start = p->scan.start;
    if (!expect(p, TOKEN_OPEN_PAREN)) {
        if (!certain)
            return false;
        out->parameters = missing_list(p);
    } else {
        out->parameters = read_parameters_inside(p, out->modifiers ? FUNCTION_ASYNC : 0, certain);
        if (!out->parameters || (!expect(p, TOKEN_CLOSE_PAREN) && !certain))
            return false;
        out->parameters->start = start;
        out->parameters->end = p->scan.full_start;
    }
    out->type = read_return_type(p, TOKEN_COLON, false);
    if (certain)
        return true;
    if (out->type && is_wrong_return_type(out->type))
        return false;
    return at(p) == TOKEN_ARROW || (at(p) == TOKEN_OPEN_BRACE && !is_comment_function(out->type));
}

/* arrow-function = "async"? type-parameters? parameters (":" type)? "=>" arrow-body */
static Node *arrow_function(Parser *p, bool certain, bool return_type_allowed)
{
    Place place = here(p);
    FunctionLike head = {0};

    if (!arrow_head(p, &head, certain))
        return NULL;
    Token last = at(p);
    head.arrow = expect_mark(p, TOKEN_ARROW);
    if (last == TOKEN_ARROW || last == TOKEN_OPEN_BRACE)
        head.body = arrow_body(p, head.modifiers != NULL, return_type_allowed);
    else
        head.body = read_name(p, 0);
    /* `a ? (b) : c => d`: without a second `:` the first was the condition's. */
    if (!return_type_allowed && head.type && at(p) != TOKEN_COLON)
        return NULL;
    FunctionLike *arrow = NEW(p, ARROW_FUNCTION, place);
    head.node = arrow->node;
    *arrow = head;
    return &arrow->node;
}

Node *finish_simple_arrow(Parser *p, Place place, NodeList *modifiers, Node *name,
                          bool return_type_allowed)
{
    uint32_t begin = list_begin(p);
    Parameter *parameter = NEW(p, PARAMETER, place_of(name));
    parameter->name = name;
    list_add(p, &parameter->node);
    NodeList *parameters = list_end(p, begin, name->start);

    Mark arrow = expect_mark(p, TOKEN_ARROW);
    Node *body = arrow_body(p, modifiers != NULL, return_type_allowed);
    FunctionLike *function = NEW(p, ARROW_FUNCTION, place);
    function->modifiers = modifiers;
    function->parameters = parameters;
    function->arrow = arrow;
    function->body = body;
    return &function->node;
}

/* `async x =>` */
static bool is_simple_async_arrow(Parser *p)
{
    if (at(p) != TOKEN_ASYNC)
        return false;
    Marker marker = look_ahead(p);
    bool fits = false;

    next(p);
    if (!after_line_break(p) && is_name(p, at(p)) && at(p) != TOKEN_ARROW) {
        bool line_break;
        fits = peek_line(p, &line_break) == TOKEN_ARROW && !line_break;
    }
    go_back(p, marker);
    return fits;
}

Node *read_arrow_function(Parser *p, bool return_type_allowed)
{
    switch (is_arrow_function(p)) {
    case YES:
        return arrow_function(p, true, true);
    case PERHAPS: {
        uint32_t start = p->scan.start;
        if (memo_is_refused(p, MEMO_ARROW, start))
            break;
        Marker marker = look_ahead(p);
        Node *arrow = arrow_function(p, false, return_type_allowed);
        if (arrow) {
            settle(p);
            return arrow;
        }
        go_back(p, marker);
        memo_refuse(p, MEMO_ARROW, start);
        break;
    }
    default:
        break;
    }
    if (!is_simple_async_arrow(p))
        return NULL;
    Place place = here(p);
    NodeList *modifiers = async_modifier(p);
    Node *name = read_name(p, 0);
    return finish_simple_arrow(p, place, modifiers, name, return_type_allowed);
}
