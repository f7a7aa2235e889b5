/* Declarations: variables, functions, interfaces, type aliases, enums, namespaces. */
#include "parser.h"

/* ---- what begins a declaration ---- */

/* `let` is a name unless what it could declare follows. */
bool is_let(Parser *p)
{
    Token token = peek(p);
    return is_binding_name(token) || token == TOKEN_OPEN_BRACE || token == TOKEN_OPEN_BRACKET;
}

/* On `using`: what it declares stands on the same line. In `for (using of ...` it is a name, unless
 * what follows shows that `of` is the one declared. */
bool is_using(Parser *p, bool in_for)
{
    Marker marker = look_ahead(p);
    bool declares;

    next(p);
    if (in_for && at(p) == TOKEN_OF) {
        Token token = peek(p);
        declares = token == TOKEN_EQUALS || token == TOKEN_SEMICOLON || token == TOKEN_COLON;
    } else {
        declares = (is_binding_name(at(p)) || at(p) == TOKEN_OPEN_BRACE) && !after_line_break(p);
    }
    go_back(p, marker);
    return declares;
}

/* On `await` */
bool is_await_using(Parser *p)
{
    Marker marker = look_ahead(p);

    next(p);
    bool declares = at(p) == TOKEN_USING && is_using(p, false);
    go_back(p, marker);
    return declares;
}

/* `import` or `export` at the start of a declaration; moves on. */
static bool import_declares(Parser *p)
{
    next(p);
    return at_any(p, TOKEN_STRING_LITERAL, TOKEN_ASTERISK) || at(p) == TOKEN_OPEN_BRACE ||
           is_word(at(p));
}

static bool export_declares(Parser *p)
{
    next(p);
    switch (at(p) == TOKEN_TYPE ? peek(p) : at(p)) {
    case TOKEN_EQUALS:
    case TOKEN_ASTERISK:
    case TOKEN_OPEN_BRACE:
    case TOKEN_DEFAULT:
    case TOKEN_AS:
    case TOKEN_AT:
        return true;
    default:
        return false;
    }
}

/* The word of a declaration whose name must follow on the same line; moves on. */
static bool named_on_line(Parser *p, bool strings)
{
    next(p);
    return !after_line_break(p) &&
           (is_name(p, at(p)) || (strings && at(p) == TOKEN_STRING_LITERAL));
}

/* Goes past modifiers to the word that decides. */
static bool declares(Parser *p)
{
    for (;;) {
        Token token = at(p);
        switch (token) {
        case TOKEN_VAR:
        case TOKEN_LET:
        case TOKEN_CONST:
        case TOKEN_FUNCTION:
        case TOKEN_CLASS:
        case TOKEN_ENUM:
            return true;
        case TOKEN_USING:
            return is_using(p, false);
        case TOKEN_AWAIT:
            return is_await_using(p);
        case TOKEN_INTERFACE:
        case TOKEN_TYPE:
        case TOKEN_DEFER:
            return named_on_line(p, false);
        case TOKEN_MODULE:
        case TOKEN_NAMESPACE:
            return named_on_line(p, true);
        case TOKEN_ABSTRACT:
        case TOKEN_ACCESSOR:
        case TOKEN_ASYNC:
        case TOKEN_DECLARE:
        case TOKEN_PRIVATE:
        case TOKEN_PROTECTED:
        case TOKEN_PUBLIC:
        case TOKEN_READONLY:
            next(p);
            if (after_line_break(p))
                return false;
            if (token == TOKEN_DECLARE && at(p) == TOKEN_TYPE)
                return true;
            continue;
        case TOKEN_GLOBAL:
            next(p);
            return at_any(p, TOKEN_OPEN_BRACE, TOKEN_IDENTIFIER) || at(p) == TOKEN_EXPORT;
        case TOKEN_IMPORT:
            return import_declares(p);
        case TOKEN_EXPORT:
            if (export_declares(p))
                return true;
            continue;
        case TOKEN_STATIC:
            next(p);
            continue;
        default:
            return false;
        }
    }
}

bool starts_declaration(Parser *p)
{
    Marker marker = look_ahead(p);
    bool starts = declares(p);

    go_back(p, marker);
    return starts;
}

/* ---- variables ---- */

static Node *variable(Parser *p, bool exclamation_allowed)
{
    Place place = here(p);
    Node *name = read_binding(p, 18029);
    Mark exclamation = 0;

    if (exclamation_allowed && name->kind == NODE_IDENTIFIER && !after_line_break(p))
        exclamation = take_mark(p, TOKEN_EXCLAMATION);
    Node *type = read_type_annotation(p);
    Node *initializer = at_any(p, TOKEN_IN, TOKEN_OF) ? NULL : read_initializer(p);
    VariableDeclaration *node = NEW(p, VARIABLE_DECLARATION, place);
    node->name = name;
    node->exclamation = exclamation;
    node->type = type;
    node->initializer = initializer;
    return &node->node;
}

/* variable = binding (":" type)? ("=" assignment)? */
Node *read_variable(Parser *p)
{
    return variable(p, false);
}

static Node *variable_or_exclaimed(Parser *p)
{
    return variable(p, true);
}

static VariableKind variable_kind(Parser *p)
{
    Token token = at(p);

    next(p);
    switch (token) {
    case TOKEN_LET:
        return VARIABLE_LET;
    case TOKEN_CONST:
        return VARIABLE_CONST;
    case TOKEN_USING:
        return VARIABLE_USING;
    case TOKEN_AWAIT:
        next(p);
        p->has_await = p->has_await || p->functions == 0;
        return VARIABLE_AWAIT_USING;
    default:
        return VARIABLE_VAR;
    }
}

/* In `for (let of x)` there is no variable, rather than one named `of`. */
static bool is_of_without_variable(Parser *p)
{
    if (at(p) != TOKEN_OF)
        return false;
    Marker marker = look_ahead(p);
    next(p);
    bool without = is_name(p, at(p)) && peek(p) == TOKEN_CLOSE_PAREN;
    go_back(p, marker);
    return without;
}

/* variables = ("var" | "let" | "const" | "using" | "await" "using") variable,+ */
Node *read_variables(Parser *p, bool in_for)
{
    Place place = here(p);
    VariableKind kind = variable_kind(p);
    uint32_t context = p->context;
    NodeList *list;

    if (is_of_without_variable(p)) {
        list = missing_list(p);
    } else {
        p->context &= ~(uint32_t)CONTEXT_NO_IN;
        if (in_for)
            p->context |= CONTEXT_NO_IN;
        list = read_separated(p, LIST_VARIABLES, in_for ? read_variable : variable_or_exclaimed,
                              LIST_PLAIN);
        p->context = context;
    }
    VariableDeclarationList *node = NEW(p, VARIABLE_DECLARATION_LIST, place);
    node->variable = kind;
    node->list = list;
    if (kind == VARIABLE_VAR)
        p->notes |= FILE_HAS_VAR;
    return &node->node;
}

static Node *variable_statement(Parser *p, Place place, NodeList *modifiers)
{
    Node *declarations = read_variables(p, false);

    expect_semicolon(p);
    VariableStatement *node = NEW(p, VARIABLE_STATEMENT, place);
    node->modifiers = modifiers;
    node->declarations = declarations;
    return &node->node;
}

/* ---- functions ---- */

/* function = modifiers "function" "*"? name type-parameters? parameters (":" type)? (block | ";")
 */
static Node *function_declaration(Parser *p, Place place, NodeList *modifiers)
{
    uint32_t context = p->context;
    uint32_t bits = modifiers_of(modifiers);
    FunctionLike start = {.modifiers = modifiers};

    next(p);
    start.asterisk = take_mark(p, TOKEN_ASTERISK);
    if (!(bits & MODIFIER_DEFAULT) || is_binding_name(at(p)))
        start.name = read_binding_name(p, 0);
    uint32_t function =
        (start.asterisk ? FUNCTION_GENERATOR : 0u) | (bits & MODIFIER_ASYNC ? FUNCTION_ASYNC : 0u);
    start.type_parameters = read_type_parameters(p);
    if (bits & MODIFIER_EXPORT)
        p->context |= CONTEXT_AWAIT;
    start.parameters = read_parameters(p, function);
    start.type = read_return_type(p, TOKEN_COLON, false);
    start.body = read_function_block_or_semicolon(p, function, 1144);
    p->context = context;
    FunctionLike *node = NEW(p, FUNCTION_DECLARATION, place);
    start.node = node->node;
    *node = start;
    return &node->node;
}

/* ---- types ---- */

/* interface = modifiers "interface" name type-parameters? heritage-clause* type-members */
static Node *interface_declaration(Parser *p, Place place, NodeList *modifiers)
{
    ClassLike start = {.modifiers = modifiers};

    next(p);
    start.name = read_name(p, 0);
    start.type_parameters = read_type_parameters(p);
    start.heritage = read_heritage(p);
    start.members = read_type_members(p);
    ClassLike *node = NEW(p, INTERFACE_DECLARATION, place);
    start.node = node->node;
    *node = start;
    return &node->node;
}

/* type-alias = modifiers "type" name type-parameters? "=" type ";" */
static Node *type_alias(Parser *p, Place place, NodeList *modifiers)
{
    Node *type = NULL;

    next(p);
    if (after_line_break(p))
        wrong(p, 1142);
    Node *name = read_name(p, 0);
    NodeList *type_parameters = read_type_parameters(p);
    (void)expect(p, TOKEN_EQUALS);
    if (at(p) == TOKEN_INTRINSIC)
        type = read_keyword_type(p);
    if (!type)
        type = read_type(p);
    expect_semicolon(p);
    TypeAlias *node = NEW(p, TYPE_ALIAS_DECLARATION, place);
    node->modifiers = modifiers;
    node->name = name;
    node->type_parameters = type_parameters;
    node->type = type;
    return &node->node;
}

/* ---- enums and namespaces ---- */

/* enum-member = property-name ("=" assignment)? */
static Node *enum_member(Parser *p)
{
    Place place = here(p);
    uint32_t context = p->context;
    Node *name = read_property_name(p);

    p->context &= ~(uint32_t)CONTEXT_NO_IN;
    Node *initializer = read_initializer(p);
    p->context = context;
    EnumMember *member = NEW(p, ENUM_MEMBER, place);
    member->name = name;
    member->initializer = initializer;
    return &member->node;
}

/* enum = modifiers "enum" name "{" enum-member,* "}" */
static Node *enum_declaration(Parser *p, Place place, NodeList *modifiers)
{
    uint32_t context = p->context;

    next(p);
    Node *name = read_name(p, 0);
    p->context &= ~(uint32_t)(CONTEXT_YIELD | CONTEXT_AWAIT);
    NodeList *members =
        read_bracketed(p, LIST_ENUM_MEMBERS, enum_member, TOKEN_OPEN_BRACE, TOKEN_CLOSE_BRACE);
    p->context = context;
    EnumDeclaration *node = NEW(p, ENUM_DECLARATION, place);
    node->modifiers = modifiers;
    node->name = name;
    node->members = members;
    p->notes |= FILE_HAS_CONTAINER;
    return &node->node;
}

static Node *module_block(Parser *p)
{
    Place place = here(p);

    if (!expect(p, TOKEN_OPEN_BRACE))
        return new_list(p, NODE_MODULE_BLOCK, place, missing_list(p));
    NodeList *statements = read_list(p, LIST_BLOCK, read_statement);
    Mark close = expect_mark(p, TOKEN_CLOSE_BRACE);
    statements->start = place.start;
    statements->end = p->scan.full_start;
    Node *block = new_list(p, NODE_MODULE_BLOCK, place, statements);
    as_list(block)->close = close;
    return block;
}

static Node *new_module(Parser *p, Place place, NodeList *modifiers, Token token, Node *name,
                        Node *body)
{
    ModuleDeclaration *node = NEW(p, MODULE_DECLARATION, place);
    node->modifiers = modifiers;
    node->token = token;
    node->name = name;
    node->body = body;
    p->notes |= FILE_HAS_CONTAINER;
    return &node->node;
}

/* namespace = name ("." name)* module-block, after the word */
static Node *namespace_rest(Parser *p, Place place, NodeList *modifiers, Token token, bool inner)
{
    Node *name = inner ? read_any_word(p, 0) : read_name(p, 0);
    Node *body;

    if (take(p, TOKEN_DOT)) {
        body = enter(p) ? namespace_rest(p, here(p), NULL, token, true) : module_block(p);
        leave(p);
    } else {
        body = module_block(p);
    }
    return new_module(p, place, modifiers, token, name, body);
}

/* module = ("namespace" | "module") name ("." name)* block | "module" string (block | ";")
 *        | "global" (block | ";") */
static Node *module_declaration(Parser *p, Place place, NodeList *modifiers)
{
    Token token = at(p);
    Node *name;
    Node *body = NULL;

    if (token != TOKEN_GLOBAL) {
        next(p);
        if (token == TOKEN_NAMESPACE || at(p) != TOKEN_STRING_LITERAL)
            return namespace_rest(p, place, modifiers, token, false);
        name = read_literal(p);
    } else {
        name = read_name(p, 0);
    }
    if (at(p) == TOKEN_OPEN_BRACE)
        body = module_block(p);
    else
        expect_semicolon(p);
    return new_module(p, place, modifiers, token, name, body);
}

/* ---- the choice ---- */

static Node *after_modifiers(Parser *p, Place place, NodeList *modifiers)
{
    switch (at(p)) {
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_CONST:
    case TOKEN_USING:
    case TOKEN_AWAIT:
        return variable_statement(p, place, modifiers);
    case TOKEN_FUNCTION:
        return function_declaration(p, place, modifiers);
    case TOKEN_CLASS:
        return read_class(p, place, modifiers, NODE_CLASS_DECLARATION);
    case TOKEN_INTERFACE:
        return interface_declaration(p, place, modifiers);
    case TOKEN_TYPE:
        return type_alias(p, place, modifiers);
    case TOKEN_ENUM:
        return enum_declaration(p, place, modifiers);
    case TOKEN_GLOBAL:
    case TOKEN_MODULE:
    case TOKEN_NAMESPACE:
        return module_declaration(p, place, modifiers);
    case TOKEN_IMPORT:
        return read_import(p, place, modifiers);
    case TOKEN_EXPORT:
        return read_export(p, place, modifiers);
    default: {
        /* Modifiers, and nothing that they modify. */
        wrong_at(p, 1146, p->scan.full_start, p->scan.full_start);
        MissingDeclaration *missing = NEW(p, MISSING_DECLARATION, place);
        missing->modifiers = modifiers;
        return &missing->node;
    }
    }
}

Node *read_declaration(Parser *p)
{
    Place place = here(p);
    uint32_t context = p->context;
    NodeList *modifiers = read_modifiers(p, true, false, false);

    if (modifiers_of(modifiers) & MODIFIER_DECLARE)
        p->context |= CONTEXT_AMBIENT;
    Node *node = after_modifiers(p, place, modifiers);
    p->context = context;
    return node;
}
