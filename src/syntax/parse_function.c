/* Modifiers, parameters, patterns, bodies: what functions of every kind are made of. */
#include "parser.h"

/* ---- modifiers ---- */

static bool follows_modifier(Token token)
{
    return token == TOKEN_OPEN_BRACKET || token == TOKEN_OPEN_BRACE || token == TOKEN_ASTERISK ||
           token == TOKEN_DOT_DOT_DOT || is_literal_name(token);
}

static bool follows_export(Token token)
{
    return token == TOKEN_AT || (token != TOKEN_ASTERISK && token != TOKEN_AS &&
                                 token != TOKEN_OPEN_BRACE && follows_modifier(token));
}

/* On `default`: does a declaration follow? Otherwise it is an `export default expression`. */
static bool default_declares(Parser *p)
{
    bool line_break;
    Token word;

    next(p);
    switch (at(p)) {
    case TOKEN_CLASS:
    case TOKEN_FUNCTION:
    case TOKEN_INTERFACE:
    case TOKEN_AT:
        return true;
    case TOKEN_ABSTRACT:
        word = TOKEN_CLASS;
        break;
    case TOKEN_ASYNC:
        word = TOKEN_FUNCTION;
        break;
    default:
        return false;
    }
    return peek_line(p, &line_break) == word && !line_break;
}

/* On a word that may be a modifier: goes past it. True if it is one, by what follows. */
static bool is_used_as_modifier(Parser *p)
{
    Token token = at(p);

    if (token == TOKEN_DEFAULT)
        return default_declares(p);
    next(p);
    switch (token) {
    case TOKEN_CONST:
        return at(p) == TOKEN_ENUM;
    case TOKEN_EXPORT:
        if (at(p) == TOKEN_TYPE)
            return follows_export(peek(p));
        if (at(p) == TOKEN_DEFAULT) {
            Marker marker = look_ahead(p);
            bool declares = default_declares(p);
            go_back(p, marker);
            return declares;
        }
        return follows_export(at(p));
    case TOKEN_STATIC:
        return follows_modifier(at(p));
    case TOKEN_GET:
    case TOKEN_SET:
        return at(p) == TOKEN_OPEN_BRACKET || is_literal_name(at(p));
    default:
        return !after_line_break(p) && follows_modifier(at(p));
    }
}

bool take_modifier(Parser *p, Token token)
{
    if (at(p) != token)
        return false;
    Marker marker = look_ahead(p);
    /* What was tried reads one token only; `default` reads on, but stays where a class begins. */
    if (is_used_as_modifier(p)) {
        settle(p);
        return true;
    }
    go_back(p, marker);
    return false;
}

static uint32_t modifier_bit(Token token)
{
    switch (token) {
    case TOKEN_EXPORT:
        return MODIFIER_EXPORT;
    case TOKEN_DEFAULT:
        return MODIFIER_DEFAULT;
    case TOKEN_DECLARE:
        return MODIFIER_DECLARE;
    case TOKEN_CONST:
        return MODIFIER_CONST;
    case TOKEN_ABSTRACT:
        return MODIFIER_ABSTRACT;
    case TOKEN_ASYNC:
        return MODIFIER_ASYNC;
    case TOKEN_PUBLIC:
        return MODIFIER_PUBLIC;
    case TOKEN_PRIVATE:
        return MODIFIER_PRIVATE;
    case TOKEN_PROTECTED:
        return MODIFIER_PROTECTED;
    case TOKEN_STATIC:
        return MODIFIER_STATIC;
    case TOKEN_READONLY:
        return MODIFIER_READONLY;
    case TOKEN_OVERRIDE:
        return MODIFIER_OVERRIDE;
    case TOKEN_ACCESSOR:
        return MODIFIER_ACCESSOR;
    case TOKEN_IN:
        return MODIFIER_IN;
    case TOKEN_OUT:
        return MODIFIER_OUT;
    default:
        return 0;
    }
}

static Node *new_modifier(Parser *p, Place place, Token token)
{
    Modifier *modifier = NEW(p, MODIFIER, place);
    modifier->token = token;
    modifier->bit = modifier_bit(token);
    return &modifier->node;
}

/* A constant type parameter's `const`: on one line with what it modifies. */
static bool take_const(Parser *p)
{
    bool line_break;
    Token token = peek_line(p, &line_break);

    if (line_break || !follows_modifier(token))
        return false;
    next(p);
    return true;
}

/* decorator = "@" member-expression */
static bool add_decorators(Parser *p)
{
    bool any = false;

    while (at(p) == TOKEN_AT) {
        Place place = here(p);
        uint32_t context = p->context;
        Node *expression;
        next(p);
        if (!enter(p)) {
            leave(p);
            break;
        }
        p->context |= CONTEXT_DECORATOR;
        if (in_context(p, CONTEXT_AWAIT) && at(p) == TOKEN_AWAIT) {
            Place inner = here(p);
            expression = read_name(p, 1109);
            next(p);
            expression = read_member_rest(p, inner, expression, true);
            expression = read_call_rest(p, inner, expression);
        } else {
            expression = read_left_side(p);
        }
        leave(p);
        p->context = context;
        list_add(p, new_unary(p, NODE_DECORATOR, place, expression));
        any = true;
    }
    return any;
}

static bool add_modifiers(Parser *p, bool constants, bool stop_at_static_block, uint32_t *bits)
{
    bool any = false;

    while (is_modifier(at(p))) {
        Place place = here(p);
        Token token = at(p);
        if (token == TOKEN_CONST && constants) {
            if (!take_const(p))
                break;
        } else if (token == TOKEN_STATIC && (*bits & MODIFIER_STATIC)) {
            break;
        } else if (token == TOKEN_STATIC && stop_at_static_block && peek(p) == TOKEN_OPEN_BRACE) {
            break;
        } else if (!take_modifier(p, token)) {
            break;
        }
        list_add(p, new_modifier(p, place, token));
        *bits |= modifier_bit(token);
        any = true;
    }
    return any;
}

/* modifiers = decorator* modifier* decorator* modifier*; NULL if there are none */
NodeList *read_modifiers(Parser *p, bool decorators, bool constants, bool stop_at_static_block)
{
    if (!is_modifier(at(p)) && at(p) != TOKEN_AT)
        return NULL;
    uint32_t begin = list_begin(p);
    uint32_t start = p->scan.start;
    uint32_t bits = 0;

    if (decorators && add_decorators(p))
        bits |= MODIFIER_DECORATOR;
    if (add_modifiers(p, constants, stop_at_static_block, &bits) && decorators &&
        add_decorators(p)) {
        bits |= MODIFIER_DECORATOR;
        (void)add_modifiers(p, constants, stop_at_static_block, &bits);
    }
    if (p->stack_count == begin)
        return NULL;
    NodeList *list = list_end(p, begin, start);
    list->modifiers = bits;
    return list;
}

/* ---- patterns ---- */

/* `= expression` */
Node *read_initializer(Parser *p)
{
    return take(p, TOKEN_EQUALS) ? read_assignment(p, true) : NULL;
}

static Node *new_binding_element(Parser *p, Place place, Mark rest, Node *property_name, Node *name)
{
    Node *initializer = read_initializer(p);
    BindingElement *element = NEW(p, BINDING_ELEMENT, place);
    element->rest = rest;
    element->property_name = property_name;
    element->name = name;
    element->initializer = initializer;
    return &element->node;
}

/* array-binding-element = "..."? binding ("=" expression)?, or nothing before a comma */
static Node *array_binding_element(Parser *p)
{
    Place place = here(p);

    if (at(p) == TOKEN_COMMA) {
        place.start = place.full_start;
        return new_plain(p, NODE_OMITTED_EXPRESSION, place);
    }
    Mark rest = take_mark(p, TOKEN_DOT_DOT_DOT);
    Node *name = read_binding(p, 0);
    return new_binding_element(p, place, rest, NULL, name);
}

/* object-binding-element = "..."? (name | property-name ":" binding) ("=" expression)? */
static Node *object_binding_element(Parser *p)
{
    Place place = here(p);
    Mark rest = take_mark(p, TOKEN_DOT_DOT_DOT);
    bool simple = is_binding_name(at(p));
    Node *property_name = read_property_name(p);
    Node *name;

    if (simple && at(p) != TOKEN_COLON) {
        name = property_name;
        property_name = NULL;
    } else {
        (void)expect(p, TOKEN_COLON);
        name = read_binding(p, 0);
    }
    return new_binding_element(p, place, rest, property_name, name);
}

static Node *read_pattern(Parser *p)
{
    bool object = at(p) == TOKEN_OPEN_BRACE;
    Place place = here(p);
    uint32_t context = p->context;
    NodeList *list;

    p->context &= ~(uint32_t)CONTEXT_NO_IN;
    if (object)
        list = read_bracketed(p, LIST_OBJECT_BINDING, object_binding_element, TOKEN_OPEN_BRACE,
                              TOKEN_CLOSE_BRACE);
    else
        list = read_bracketed(p, LIST_ARRAY_BINDING, array_binding_element, TOKEN_OPEN_BRACKET,
                              TOKEN_CLOSE_BRACKET);
    p->context = context;
    return new_list(p, object ? NODE_OBJECT_BINDING_PATTERN : NODE_ARRAY_BINDING_PATTERN, place,
                    list);
}

/* binding = name | "{" object-binding-element,* "}" | "[" array-binding-element,* "]" */
Node *read_binding(Parser *p, unsigned private_code)
{
    Node *binding;

    if (!at_any(p, TOKEN_OPEN_BRACE, TOKEN_OPEN_BRACKET))
        return read_binding_name(p, private_code);
    binding = enter(p) ? read_pattern(p) : missing_name(p);
    leave(p);
    return binding;
}

/* ---- parameters ---- */

bool starts_parameter(Parser *p)
{
    return at_any(p, TOKEN_DOT_DOT_DOT, TOKEN_OPEN_BRACE) ||
           at_any(p, TOKEN_OPEN_BRACKET, TOKEN_PRIVATE_IDENTIFIER) || at(p) == TOKEN_AT ||
           is_binding_name(at(p)) || is_modifier(at(p)) || starts_type(p, true);
}

/* `this: type`, the first parameter that is none */
static Node *this_parameter(Parser *p, Place place, NodeList *modifiers)
{
    Place inner = here(p);

    next_name(p);
    Identifier *name = NEW(p, IDENTIFIER, inner);
    name->name = names_get(p->names, "this", 4);
    Node *type = read_type_annotation(p);
    Parameter *parameter;
    if (modifiers)
        wrong_at(p, 1433, modifiers->at[0]->full_start, modifiers->at[0]->end);
    parameter = NEW(p, PARAMETER, place);
    parameter->modifiers = modifiers;
    parameter->name = &name->node;
    parameter->type = type;
    return &parameter->node;
}

/* parameter = modifiers "..."? binding "?"? (":" type)? ("=" expression)?
 * NULL if it need not be one and no name follows. */
static Node *parameter(Parser *p, bool outer_await, bool certain)
{
    Place place = here(p);
    uint32_t context = p->context;

    p->context &= ~(uint32_t)CONTEXT_AWAIT;
    if (outer_await)
        p->context |= CONTEXT_AWAIT;
    NodeList *modifiers = read_modifiers(p, true, false, false);
    p->context = context;
    if (at(p) == TOKEN_THIS)
        return this_parameter(p, place, modifiers);
    Mark rest = take_mark(p, TOKEN_DOT_DOT_DOT);
    if (!certain && !is_binding_name(at(p)) && !at_any(p, TOKEN_OPEN_BRACKET, TOKEN_OPEN_BRACE))
        return NULL;
    Node *name = read_binding(p, 18009);
    /* A modifier that is a reserved word, standing alone: go past it. */
    if (name->full_start == name->end && !modifiers && is_modifier(at(p)))
        next(p);
    Mark question = take_mark(p, TOKEN_QUESTION);
    Node *type = read_type_annotation(p);
    Node *initializer = read_initializer(p);
    Parameter *node = NEW(p, PARAMETER, place);
    node->modifiers = modifiers;
    node->rest = rest;
    node->name = name;
    node->question = question;
    node->type = type;
    node->initializer = initializer;
    return &node->node;
}

static Node *parameter_with_await(Parser *p)
{
    return parameter(p, true, true);
}

static Node *parameter_without_await(Parser *p)
{
    return parameter(p, false, true);
}

static Node *possible_parameter_with_await(Parser *p)
{
    return parameter(p, true, false);
}

static Node *possible_parameter_without_await(Parser *p)
{
    return parameter(p, false, false);
}

/* Parameters, after the bracket. The function's own contexts hold in them; only decorators belong
 * to what is outside. */
NodeList *read_parameters_inside(Parser *p, uint32_t function, bool certain)
{
    static const ReadElement reads[2][2] = {
        {possible_parameter_without_await, possible_parameter_with_await},
        {parameter_without_await, parameter_with_await},
    };
    uint32_t context = p->context;
    bool outer_await = in_context(p, CONTEXT_AWAIT) && !(function & FUNCTION_INDEX);

    if (!(function & FUNCTION_INDEX)) {
        p->context &= ~(uint32_t)(CONTEXT_AWAIT | CONTEXT_YIELD);
        if (function & FUNCTION_GENERATOR)
            p->context |= CONTEXT_YIELD;
        if (function & FUNCTION_ASYNC)
            p->context |= CONTEXT_AWAIT;
    }
    NodeList *list = read_separated(p, LIST_PARAMETERS, reads[certain][outer_await], LIST_PLAIN);
    p->context = (p->context & ~(uint32_t)(CONTEXT_AWAIT | CONTEXT_YIELD)) |
                 (context & (CONTEXT_AWAIT | CONTEXT_YIELD));
    return list;
}

/* parameters = "(" parameter,* ")" */
NodeList *read_parameters(Parser *p, uint32_t function)
{
    uint32_t start = p->scan.start;

    if (!expect(p, TOKEN_OPEN_PAREN))
        return missing_list(p);
    NodeList *list = read_parameters_inside(p, function, true);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    list->start = start;
    list->end = p->scan.full_start;
    return list;
}

/* ---- bodies ---- */

Node *read_function_block(Parser *p, uint32_t function, unsigned code)
{
    uint32_t context = p->context;

    p->context &= ~(uint32_t)(CONTEXT_AWAIT | CONTEXT_YIELD | CONTEXT_DECORATOR);
    if (function & FUNCTION_GENERATOR)
        p->context |= CONTEXT_YIELD;
    if (function & FUNCTION_ASYNC)
        p->context |= CONTEXT_AWAIT;
    p->functions++;
    Node *block = read_block(p, function & FUNCTION_WITHOUT_BRACE, code);
    p->functions--;
    p->context = context;
    return block;
}

Node *read_function_block_or_semicolon(Parser *p, uint32_t function, unsigned code)
{
    if (at(p) != TOKEN_OPEN_BRACE) {
        if (function & FUNCTION_TYPE) {
            end_type_member(p);
            return NULL;
        }
        if (take_semicolon(p))
            return NULL;
    }
    return read_function_block(p, function, code);
}

/* method = type-parameters? parameters (":" type)? (block | ";"), after the name */
FunctionLike *read_method(Parser *p, Place place, FunctionLike start, unsigned code)
{
    uint32_t function = (start.asterisk ? FUNCTION_GENERATOR : 0u) |
                        (modifiers_of(start.modifiers) & MODIFIER_ASYNC ? FUNCTION_ASYNC : 0u);

    start.type_parameters = read_type_parameters(p);
    start.parameters = read_parameters(p, function);
    start.type = read_return_type(p, TOKEN_COLON, false);
    start.body = read_function_block_or_semicolon(p, function, code);
    FunctionLike *method = NEW(p, METHOD_DECLARATION, place);
    start.node = method->node;
    *method = start;
    return method;
}

/* accessor = name type-parameters? parameters (":" type)? (block | ";"), after `get` or `set` */
Node *read_accessor(Parser *p, Place place, NodeList *modifiers, NodeKind kind, uint32_t function)
{
    FunctionLike start = {.modifiers = modifiers};

    start.name = read_property_name(p);
    start.type_parameters = read_type_parameters(p);
    start.parameters = read_parameters(p, 0);
    start.type = read_return_type(p, TOKEN_COLON, false);
    start.body = read_function_block_or_semicolon(p, function, 0);
    FunctionLike *accessor = as_function(node_new(p, kind, sizeof(FunctionLike), place));
    start.node = accessor->node;
    *accessor = start;
    return &accessor->node;
}
