/* Types, from conditional types down to what stands in brackets. */
#include "parser.h"

/* ---- what begins a type ---- */

static bool is_negative_number(Parser *p)
{
    Token token = peek(p);
    return token == TOKEN_NUMERIC || token == TOKEN_BIGINT_LITERAL;
}

static bool starts_parenthesized_type(Parser *p)
{
    Marker marker = look_ahead(p);

    next(p);
    bool starts = at(p) == TOKEN_CLOSE_PAREN || starts_parameter(p) || starts_type(p, false);
    go_back(p, marker);
    return starts;
}

/* In a parameter's place a parenthesis, a minus or `function` begins no type. */
bool starts_type(Parser *p, bool in_parameter)
{
    switch (at(p)) {
    case TOKEN_VOID:
    case TOKEN_NULL:
    case TOKEN_THIS:
    case TOKEN_TYPEOF:
    case TOKEN_NEW:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_IMPORT:
    case TOKEN_OPEN_BRACE:
    case TOKEN_OPEN_BRACKET:
    case TOKEN_LESS:
    case TOKEN_BAR:
    case TOKEN_AMPERSAND:
    case TOKEN_STRING_LITERAL:
    case TOKEN_NUMERIC:
    case TOKEN_BIGINT_LITERAL:
    case TOKEN_ASTERISK:
    case TOKEN_QUESTION:
    case TOKEN_EXCLAMATION:
    case TOKEN_DOT_DOT_DOT:
    case TOKEN_TEMPLATE:
    case TOKEN_TEMPLATE_HEAD:
        return true;
    case TOKEN_FUNCTION:
        return !in_parameter;
    case TOKEN_MINUS:
        return !in_parameter && is_negative_number(p);
    case TOKEN_OPEN_PAREN:
        return !in_parameter && starts_parenthesized_type(p);
    default:
        return is_name(p, at(p));
    }
}

/* ---- simple types ---- */

static Node *take_keyword_type(Parser *p)
{
    Place place = here(p);
    Token token = at(p);

    next(p);
    KeywordType *type = NEW(p, KEYWORD_TYPE, place);
    type->token = token;
    return &type->node;
}

Node *read_keyword_type(Parser *p)
{
    return peek(p) == TOKEN_DOT ? NULL : take_keyword_type(p);
}

/* type-arguments = "<" type ("," type)* ">" */
NodeList *read_type_arguments(Parser *p)
{
    uint32_t start = p->scan.start;

    if (!take(p, TOKEN_LESS))
        return NULL;
    NodeList *list = read_separated(p, LIST_TYPE_ARGUMENTS, read_type, LIST_PLAIN);
    /* Where no `>` comes here, none will come when the same is tried in an expression. */
    if (!expect(p, TOKEN_GREATER) && p->ahead > 0)
        memo_refuse(p, MEMO_TYPE_ARGUMENTS, start);
    list->start = start;
    list->end = p->scan.full_start;
    return list;
}

/* `Map<<T>() => void>`: a `<<` here is two brackets. */
NodeList *read_type_arguments_of_reference(Parser *p)
{
    if (after_line_break(p))
        return NULL;
    if (at(p) == TOKEN_LESS_LESS)
        scanner_split(&p->scan, TOKEN_LESS);
    return read_type_arguments(p);
}

static Node *new_reference(Parser *p, NodeKind kind, Place place, Node *name, NodeList *arguments)
{
    TypeReference *type = as_type_reference(node_new(p, kind, sizeof(TypeReference), place));
    type->name = name;
    type->type_arguments = arguments;
    return &type->node;
}

/* type-reference = entity-name type-arguments? */
static Node *type_reference(Parser *p)
{
    Place place = here(p);
    Node *name = read_entity_name(p, true, 1110);
    NodeList *arguments = read_type_arguments_of_reference(p);
    return new_reference(p, NODE_TYPE_REFERENCE, place, name, arguments);
}

/* type-query = "typeof" entity-name type-arguments? */
static Node *type_query(Parser *p)
{
    Place place = here(p);
    (void)expect(p, TOKEN_TYPEOF);
    Node *name = read_entity_name(p, true, 0);
    NodeList *arguments = after_line_break(p) ? NULL : read_type_arguments(p);
    return new_reference(p, NODE_TYPE_QUERY, place, name, arguments);
}

/* literal-type = "-"? number | string | template | "true" | "false" | "null" */
static Node *literal_type(Parser *p, bool negative)
{
    Place place = here(p);
    Node *literal;

    if (negative)
        next(p);
    Place inner = here(p);
    if (at_any(p, TOKEN_TRUE, TOKEN_FALSE) || at(p) == TOKEN_NULL) {
        NodeKind kind = at(p) == TOKEN_TRUE    ? NODE_TRUE
                        : at(p) == TOKEN_FALSE ? NODE_FALSE
                                               : NODE_NULL;
        next(p);
        literal = new_plain(p, kind, inner);
    } else {
        literal = read_literal(p);
    }
    if (negative) {
        OperatorUnary *minus = NEW(p, PREFIX_UNARY, place);
        minus->operand = literal;
        minus->token = TOKEN_MINUS;
        literal = &minus->node;
    }
    return new_unary(p, NODE_LITERAL_TYPE, place, literal);
}

/* this-type = "this" ("is" type)? */
static Node *this_type(Parser *p, bool predicate_allowed)
{
    Place place = here(p);

    next(p);
    Node *self = new_plain(p, NODE_THIS_TYPE, place);
    if (!predicate_allowed || at(p) != TOKEN_IS || after_line_break(p))
        return self;
    next(p);
    Node *type = read_type(p);
    TypePredicate *predicate = NEW(p, TYPE_PREDICATE, place);
    predicate->name = self;
    predicate->type = type;
    return &predicate->node;
}

/* asserts-predicate = "asserts" (name | "this") ("is" type)? */
static Node *asserts_predicate(Parser *p)
{
    Place place = here(p);
    Mark asserts = p->scan.start;

    next(p);
    Node *name = at(p) == TOKEN_THIS ? this_type(p, false) : read_name(p, 0);
    Node *type = take(p, TOKEN_IS) ? read_type(p) : NULL;
    TypePredicate *predicate = NEW(p, TYPE_PREDICATE, place);
    predicate->name = name;
    predicate->type = type;
    predicate->asserts = asserts ? asserts : 1;
    return &predicate->node;
}

/* ---- brackets ---- */

static Node *parenthesized_type(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *type = read_type(p);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    return new_unary(p, NODE_PARENTHESIZED_TYPE, place, type);
}

/* ---- types for comments only ---- */

static Node *new_comment_type(Parser *p, Place place, Node *type, Mark sign)
{
    Node *node = new_unary(p, NODE_COMMENT_TYPE, place, type);
    as_unary(node)->mark = sign;
    return node;
}

static Node *non_array_type(Parser *p);

/* `*`, `?`, `?T`, `!T`: what only stands in comments is read, to be complained about later. */
static Node *comment_type(Parser *p)
{
    Place place = here(p);
    Mark sign = p->scan.start;
    Token token = at(p);
    Node *type = NULL;

    next(p);
    if (token == TOKEN_EXCLAMATION) {
        if (enter(p))
            type = non_array_type(p);
        leave(p);
    } else if (token == TOKEN_QUESTION && !at_any(p, TOKEN_COMMA, TOKEN_CLOSE_BRACE) &&
               !at_any(p, TOKEN_CLOSE_PAREN, TOKEN_GREATER) &&
               !at_any(p, TOKEN_EQUALS, TOKEN_BAR)) {
        type = read_type(p);
    }
    return new_comment_type(p, place, type, sign);
}

static Node *comment_parameter_type(Parser *p)
{
    Place place = here(p);
    Mark sign = p->scan.start;
    bool rest = take(p, TOKEN_DOT_DOT_DOT);
    Node *type = read_type_or_predicate(p);

    if (rest)
        type = new_comment_type(p, place, type, sign);
    Mark optional = take_mark(p, TOKEN_EQUALS);
    return optional ? new_comment_type(p, place, type, optional) : type;
}

static Node *comment_parameter(Parser *p)
{
    Place place = here(p);
    Node *name = NULL;

    if (at_any(p, TOKEN_THIS, TOKEN_NEW)) {
        name = read_any_word(p, 0);
        (void)expect(p, TOKEN_COLON);
    }
    Node *type = comment_parameter_type(p);
    Parameter *parameter = NEW(p, PARAMETER, place);
    parameter->name = name;
    parameter->type = type;
    return &parameter->node;
}

/* `function(A, B): C` */
static Node *comment_function_type(Parser *p)
{
    Place place = here(p);
    Mark sign = p->scan.start;

    if (peek(p) != TOKEN_OPEN_PAREN) {
        Node *name = read_any_word(p, 0);
        return new_reference(p, NODE_TYPE_REFERENCE, place, name, NULL);
    }
    next(p);
    uint32_t start = p->scan.start;
    next(p);
    uint32_t context = p->context;
    p->context &= ~(uint32_t)(CONTEXT_AWAIT | CONTEXT_YIELD);
    NodeList *parameters =
        read_separated(p, LIST_COMMENT_PARAMETERS, comment_parameter, LIST_PLAIN);
    p->context = context;
    (void)expect(p, TOKEN_CLOSE_PAREN);
    parameters->start = start;
    parameters->end = p->scan.full_start;
    Node *type = read_return_type(p, TOKEN_COLON, false);
    FunctionLike *function = NEW(p, FUNCTION_TYPE, place);
    function->parameters = parameters;
    function->type = type;
    return new_comment_type(p, place, &function->node, sign);
}

/* ---- from the inside out ---- */

static Node *non_array_type(Parser *p)
{
    switch (at(p)) {
    case TOKEN_ANY:
    case TOKEN_UNKNOWN:
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_BIGINT:
    case TOKEN_SYMBOL:
    case TOKEN_BOOLEAN:
    case TOKEN_UNDEFINED:
    case TOKEN_NEVER:
    case TOKEN_OBJECT: {
        Node *type = read_keyword_type(p);
        return type ? type : type_reference(p);
    }
    case TOKEN_VOID:
        return take_keyword_type(p);
    case TOKEN_ASTERISK_EQUALS:
        scanner_split(&p->scan, TOKEN_ASTERISK);
        return comment_type(p);
    case TOKEN_QUESTION_QUESTION:
        scanner_split(&p->scan, TOKEN_QUESTION);
        return comment_type(p);
    case TOKEN_ASTERISK:
    case TOKEN_QUESTION:
    case TOKEN_EXCLAMATION:
        return comment_type(p);
    case TOKEN_FUNCTION:
        return comment_function_type(p);
    case TOKEN_TEMPLATE:
    case TOKEN_STRING_LITERAL:
    case TOKEN_NUMERIC:
    case TOKEN_BIGINT_LITERAL:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NULL:
        return literal_type(p, false);
    case TOKEN_MINUS:
        return is_negative_number(p) ? literal_type(p, true) : type_reference(p);
    case TOKEN_THIS:
        return this_type(p, true);
    case TOKEN_TYPEOF:
        return peek(p) == TOKEN_IMPORT ? read_import_type(p) : type_query(p);
    case TOKEN_OPEN_BRACE:
        return read_type_literal_or_mapped(p);
    case TOKEN_OPEN_BRACKET:
        return read_tuple_type(p);
    case TOKEN_OPEN_PAREN:
        return parenthesized_type(p);
    case TOKEN_IMPORT:
        return read_import_type(p);
    case TOKEN_ASSERTS: {
        bool line_break;
        Token token = peek_line(p, &line_break);
        return is_word(token) && !line_break ? asserts_predicate(p) : type_reference(p);
    }
    case TOKEN_TEMPLATE_HEAD:
        return read_template_type(p);
    default:
        return type_reference(p);
    }
}

/* `[]` and `[index]` behind a type. */
static Node *bracket_suffix(Parser *p, Place place, Node *type)
{
    next(p);
    if (!starts_type(p, false)) {
        (void)expect(p, TOKEN_CLOSE_BRACKET);
        return new_unary(p, NODE_ARRAY_TYPE, place, type);
    }
    Node *index = read_type(p);
    (void)expect(p, TOKEN_CLOSE_BRACKET);
    IndexedAccessType *access = NEW(p, INDEXED_ACCESS_TYPE, place);
    access->object = type;
    access->index = index;
    return &access->node;
}

/* A `?` behind a type is a conditional type's if a type follows. */
static bool is_question_suffix(Parser *p)
{
    Marker marker = look_ahead(p);
    next(p);
    bool conditional = starts_type(p, false);
    go_back(p, marker);
    return !conditional;
}

/* postfix-type = non-array-type ("[" type? "]" | "!" | "?")* */
static Node *postfix_type(Parser *p)
{
    Place place = here(p);
    Node *type = non_array_type(p);
    uint32_t links = 0;

    while (!after_line_break(p)) {
        Mark sign = p->scan.start;
        if (at(p) == TOKEN_OPEN_BRACKET) {
            type = bracket_suffix(p, place, type);
        } else if (at(p) == TOKEN_EXCLAMATION ||
                   (at(p) == TOKEN_QUESTION && is_question_suffix(p))) {
            next(p);
            type = new_comment_type(p, place, type, sign);
        } else {
            return type;
        }
        if (!link_chain(p, &links))
            return type;
    }
    return type;
}

/* The constraint of `infer T extends C`, unless the `extends` is that of a conditional type around
 * it: then a `?` follows. */
static Node *infer_constraint(Parser *p)
{
    if (at(p) != TOKEN_EXTENDS)
        return NULL;
    Marker marker = look_ahead(p);
    uint32_t context = p->context;

    next(p);
    p->context |= CONTEXT_NO_CONDITIONAL;
    Node *constraint = read_type(p);
    p->context = context;
    if (in_context(p, CONTEXT_NO_CONDITIONAL) || at(p) != TOKEN_QUESTION) {
        settle(p);
        return constraint;
    }
    go_back(p, marker);
    return NULL;
}

/* infer-type = "infer" name ("extends" type)? */
static Node *infer_type(Parser *p)
{
    Place place = here(p);

    next(p);
    Place inner = here(p);
    Node *name = read_name(p, 0);
    Node *constraint = infer_constraint(p);
    TypeParameter *parameter = NEW(p, TYPE_PARAMETER, inner);
    parameter->name = name;
    parameter->constraint = constraint;
    return new_unary(p, NODE_INFER_TYPE, place, &parameter->node);
}

/* type-operator = ("keyof" | "unique" | "readonly") type-operator | infer-type | postfix-type */
static Node *operator_type(Parser *p)
{
    Token token = at(p);

    if (token == TOKEN_INFER)
        return infer_type(p);
    if (token == TOKEN_KEYOF || token == TOKEN_UNIQUE || token == TOKEN_READONLY) {
        Place place = here(p);
        Node *inner = NULL;
        next(p);
        if (enter(p))
            inner = operator_type(p);
        leave(p);
        if (!inner)
            inner = missing_name(p);
        TypeOperator *type = NEW(p, TYPE_OPERATOR, place);
        type->token = token;
        type->type = inner;
        return &type->node;
    }
    uint32_t context = p->context;
    p->context &= ~(uint32_t)CONTEXT_NO_CONDITIONAL;
    Node *type = postfix_type(p);
    p->context = context;
    return type;
}

/* ---- function types ---- */

/* The first parameter in a parenthesis; false if it is none. */
static bool skip_parameter_start(Parser *p)
{
    if (is_modifier(at(p)))
        (void)read_modifiers(p, false, false, false);
    if (is_name(p, at(p)) || at(p) == TOKEN_THIS) {
        next(p);
        return true;
    }
    if (at_any(p, TOKEN_OPEN_BRACKET, TOKEN_OPEN_BRACE)) {
        uint32_t complaints = p->complaints.count;
        (void)read_binding(p, 0);
        return p->complaints.count == complaints;
    }
    return false;
}

static bool is_function_parenthesis(Parser *p)
{
    Marker marker = look_ahead(p);
    bool certain = false;

    next(p);
    if (at_any(p, TOKEN_CLOSE_PAREN, TOKEN_DOT_DOT_DOT)) {
        certain = true;
    } else if (skip_parameter_start(p)) {
        if (at_any(p, TOKEN_COLON, TOKEN_COMMA) || at_any(p, TOKEN_QUESTION, TOKEN_EQUALS)) {
            certain = true;
        } else if (take(p, TOKEN_CLOSE_PAREN)) {
            certain = at(p) == TOKEN_ARROW;
        }
    }
    go_back(p, marker);
    return certain;
}

static bool starts_function_type(Parser *p)
{
    switch (at(p)) {
    case TOKEN_LESS:
    case TOKEN_NEW:
        return true;
    case TOKEN_OPEN_PAREN:
        return is_function_parenthesis(p);
    case TOKEN_ABSTRACT:
        return peek(p) == TOKEN_NEW;
    default:
        return false;
    }
}

/* function-type = ("abstract"? "new")? type-parameters? parameters "=>" type */
static Node *function_type(Parser *p)
{
    Place place = here(p);
    NodeList *modifiers = NULL;

    if (at(p) == TOKEN_ABSTRACT) {
        uint32_t begin = list_begin(p);
        next(p);
        Modifier *abstract = NEW(p, MODIFIER, place);
        abstract->token = TOKEN_ABSTRACT;
        abstract->bit = MODIFIER_ABSTRACT;
        list_add(p, &abstract->node);
        modifiers = list_end(p, begin, place.start);
        modifiers->modifiers = MODIFIER_ABSTRACT;
    }
    bool constructs = take(p, TOKEN_NEW);
    NodeList *type_parameters = read_type_parameters(p);
    NodeList *parameters = read_parameters(p, FUNCTION_TYPE);
    Mark arrow = p->scan.start;
    Node *type = read_return_type(p, TOKEN_ARROW, false);
    FunctionLike *function = as_function(node_new(
        p, constructs ? NODE_CONSTRUCTOR_TYPE : NODE_FUNCTION_TYPE, sizeof(FunctionLike), place));
    function->modifiers = modifiers;
    function->type_parameters = type_parameters;
    function->parameters = parameters;
    function->arrow = arrow;
    function->type = type;
    return &function->node;
}

/* A function type among the members of a union or intersection: read, but not allowed. */
static Node *wrong_function_type(Parser *p, Token sign)
{
    if (!starts_function_type(p))
        return NULL;
    Node *type = function_type(p);
    unsigned code = sign == TOKEN_BAR ? 1385 : 1387;
    if (type->kind == NODE_CONSTRUCTOR_TYPE)
        code++;
    wrong_at(p, code, type->full_start, type->end);
    return type;
}

/* Leading operator allowed: `| A | B`. */
static Node *joined_type(Parser *p, Token sign, ReadElement read_part)
{
    Place place = here(p);
    bool leading = take(p, sign);
    Node *type = leading ? wrong_function_type(p, sign) : NULL;

    if (!type)
        type = read_part(p);
    if (at(p) != sign && !leading)
        return type;
    uint32_t begin = list_begin(p);
    list_add(p, type);
    while (take(p, sign)) {
        Node *part = wrong_function_type(p, sign);
        list_add(p, part ? part : read_part(p));
    }
    NodeList *list = list_end(p, begin, place.start);
    return new_list(p, sign == TOKEN_BAR ? NODE_UNION_TYPE : NODE_INTERSECTION_TYPE, place, list);
}

/* intersection-type = "&"? operator-type ("&" operator-type)* */
static Node *intersection_type(Parser *p)
{
    return joined_type(p, TOKEN_AMPERSAND, operator_type);
}

/* conditional-type = union-type ("extends" union-type "?" type ":" type)? */
static Node *conditional_type(Parser *p)
{
    Place place = here(p);
    Node *check = joined_type(p, TOKEN_BAR, intersection_type);
    uint32_t context = p->context;

    if (in_context(p, CONTEXT_NO_CONDITIONAL) || after_line_break(p) || !take(p, TOKEN_EXTENDS))
        return check;
    p->context |= CONTEXT_NO_CONDITIONAL;
    Node *extends = read_type(p);
    p->context &= ~(uint32_t)CONTEXT_NO_CONDITIONAL;
    (void)expect(p, TOKEN_QUESTION);
    Node *when_true = read_type(p);
    (void)expect(p, TOKEN_COLON);
    Node *when_false = read_type(p);
    p->context = context;
    ConditionalType *type = NEW(p, CONDITIONAL_TYPE, place);
    type->check = check;
    type->extends = extends;
    type->when_true = when_true;
    type->when_false = when_false;
    return &type->node;
}

/* type = function-type | conditional-type */
Node *read_type(Parser *p)
{
    uint32_t context = p->context;
    Node *type;

    if (!enter(p)) {
        leave(p);
        return missing_name(p);
    }
    p->context &= ~(uint32_t)(CONTEXT_YIELD | CONTEXT_AWAIT);
    type = starts_function_type(p) ? function_type(p) : conditional_type(p);
    p->context = context;
    leave(p);
    return type;
}

Node *read_type_annotation(Parser *p)
{
    return take(p, TOKEN_COLON) ? read_type(p) : NULL;
}

/* type-or-predicate = (name "is")? type */
Node *read_type_or_predicate(Parser *p)
{
    Place place = here(p);
    Node *name = NULL;

    if (is_name(p, at(p))) {
        bool line_break;
        if (peek_line(p, &line_break) == TOKEN_IS && !line_break) {
            name = read_name(p, 0);
            next(p);
        }
    }
    Node *type = read_type(p);
    if (!name)
        return type;
    TypePredicate *predicate = NEW(p, TYPE_PREDICATE, place);
    predicate->name = name;
    predicate->type = type;
    return &predicate->node;
}

/* return-type = (":" | "=>") type-or-predicate. In a type, `=>` for `:` is a mistake that is
 * understood. */
Node *read_return_type(Parser *p, Token sign, bool is_type)
{
    if (sign == TOKEN_ARROW) {
        (void)expect(p, TOKEN_ARROW);
    } else if (!take(p, TOKEN_COLON)) {
        if (!is_type || at(p) != TOKEN_ARROW)
            return NULL;
        wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_COLON);
        next(p);
    }
    uint32_t context = p->context;
    p->context &= ~(uint32_t)CONTEXT_NO_CONDITIONAL;
    Node *type = read_type_or_predicate(p);
    p->context = context;
    return type;
}
