/* Imports, exports, and the whole text. */
#include "parser.h"

#include "base.h"

/* ---- parts of imports and exports ---- */

/* module-specifier = string; any other expression is complained about later */
static Node *module_specifier(Parser *p)
{
    return at(p) == TOKEN_STRING_LITERAL ? read_literal(p) : read_expression(p);
}

/* attribute = (name | string) ":" assignment */
static Node *attribute(Parser *p)
{
    Place place = here(p);
    Node *name = at(p) == TOKEN_STRING_LITERAL ? read_literal(p) : read_any_word(p, 0);

    (void)expect(p, TOKEN_COLON);
    Node *value = read_assignment(p, true);
    ImportAttribute *node = NEW(p, IMPORT_ATTRIBUTE, place);
    node->name = name;
    node->value = value;
    return &node->node;
}

/* attributes = ("with" | "assert") "{" attribute,* "}" */
Node *read_import_attributes(Parser *p, Token word, bool past_word)
{
    Place place = here(p);
    NodeList *list;

    if (!past_word)
        next(p);
    uint32_t start = p->scan.start;
    if (expect(p, TOKEN_OPEN_BRACE)) {
        list = read_separated(p, LIST_ATTRIBUTES, attribute, LIST_SEMICOLONS);
        (void)expect(p, TOKEN_CLOSE_BRACE);
        list->start = start;
        list->end = p->scan.full_start;
    } else {
        list = missing_list(p);
    }
    ImportAttributes *node = NEW(p, IMPORT_ATTRIBUTES, place);
    node->token = word;
    node->list = list;
    return &node->node;
}

static Node *possible_attributes(Parser *p)
{
    if (!at_any(p, TOKEN_WITH, TOKEN_ASSERT) || after_line_break(p))
        return NULL;
    return read_import_attributes(p, at(p), false);
}

/* A name in braces, and whether it is a word that may not name a variable. */
typedef struct Named {
    Node *node;
    Place place;
    uint32_t end;
    bool reserved;
} Named;

static bool at_export_name(const Parser *p)
{
    return is_word(at(p)) || at(p) == TOKEN_STRING_LITERAL;
}

static Named export_name(Parser *p)
{
    Named named = {
        .place = here(p), .end = p->scan.at, .reserved = is_keyword(at(p)) && !is_name(p, at(p))};
    named.node = at(p) == TOKEN_STRING_LITERAL ? read_literal(p) : read_any_word(p, 0);
    return named;
}

/* `type` at the beginning of a specifier is the modifier, or the name itself, by what follows:
 *   type        type as x      type as as x      (the name)
 *   type x      type x as y    type as           type as as x (with a name behind: the modifier) */
static void specifier_behind_type(Parser *p, Named *name, Named *property, bool *type_only,
                                  bool *as_allowed)
{
    if (at(p) == TOKEN_AS) {
        Named first_as = export_name(p);
        *as_allowed = false;
        if (at(p) == TOKEN_AS) {
            Named second_as = export_name(p);
            if (at_export_name(p)) {
                *type_only = true;
                *property = first_as;
                *name = export_name(p);
            } else {
                *property = *name;
                name->node = second_as.node;
            }
        } else if (at_export_name(p)) {
            *property = *name;
            *name = export_name(p);
        } else {
            *type_only = true;
            *as_allowed = true;
            name->node = first_as.node;
        }
    } else if (at_export_name(p)) {
        *type_only = true;
        *name = export_name(p);
    }
}

/* specifier = "type"? name ("as" name)? */
static Node *specifier(Parser *p, NodeKind kind)
{
    Place place = here(p);
    Mark type_mark = p->scan.start;
    bool type_only = false;
    bool as_allowed = true;
    Named property = {0};
    Named name = export_name(p);

    if (name.node->kind == NODE_IDENTIFIER && as_identifier(name.node)->name->word == TOKEN_TYPE)
        specifier_behind_type(p, &name, &property, &type_only, &as_allowed);
    if (as_allowed && at(p) == TOKEN_AS) {
        property = name;
        next(p);
        name = export_name(p);
    }
    if (kind == NODE_IMPORT_SPECIFIER) {
        if (name.node->kind != NODE_IDENTIFIER) {
            wrong_at(p, 1003, name.node->start, name.node->end);
            uint32_t missing_at = name.node->full_start;
            name.node = missing_name(p);
            name.node->full_start = name.node->start = name.node->end = missing_at;
        } else if (name.reserved) {
            wrong_at(p, 1003, name.place.start, name.end);
        }
    }
    Specifier *node = as_specifier(node_new(p, kind, sizeof(Specifier), place));
    node->property_name = property.node;
    node->name = name.node;
    node->type_only = type_only ? type_mark : 0;
    return &node->node;
}

static Node *import_specifier(Parser *p)
{
    return specifier(p, NODE_IMPORT_SPECIFIER);
}

static Node *export_specifier(Parser *p)
{
    return specifier(p, NODE_EXPORT_SPECIFIER);
}

static Node *named_bindings(Parser *p, NodeKind kind)
{
    Place place = here(p);
    NodeList *list = read_bracketed(
        p, LIST_SPECIFIERS, kind == NODE_NAMED_IMPORTS ? import_specifier : export_specifier,
        TOKEN_OPEN_BRACE, TOKEN_CLOSE_BRACE);
    return new_list(p, kind, place, list);
}

/* ---- imports ---- */

/* namespace-import = "*" "as" name */
static Node *namespace_import(Parser *p)
{
    Place place = here(p);

    next(p);
    (void)expect(p, TOKEN_AS);
    Node *name = read_name(p, 0);
    return new_unary(p, NODE_NAMESPACE_IMPORT, place, name);
}

/* import-equals = name "=" ("require" "(" string ")" | entity-name) ";" */
static Node *import_equals(Parser *p, Place place, NodeList *modifiers, Node *name, Mark type_only)
{
    Node *reference;

    (void)expect(p, TOKEN_EQUALS);
    if (at(p) == TOKEN_REQUIRE && peek(p) == TOKEN_OPEN_PAREN) {
        Place inner = here(p);
        next(p);
        next(p);
        Node *module = module_specifier(p);
        (void)expect(p, TOKEN_CLOSE_PAREN);
        reference = new_unary(p, NODE_EXTERNAL_MODULE_REFERENCE, inner, module);
    } else {
        reference = read_entity_name(p, false, 0);
    }
    expect_semicolon(p);
    ImportEquals *node = NEW(p, IMPORT_EQUALS_DECLARATION, place);
    node->modifiers = modifiers;
    node->name = name;
    node->reference = reference;
    node->type_only = type_only;
    p->notes |= FILE_HAS_CONTAINER;
    return &node->node;
}

/* After `import name`: was the name the word `type` or `defer`, that is, does the import go on as
 * one with that word in front? */
static Token import_phase(Parser *p, const Node *name)
{
    Token word = name ? (Token)as_identifier(name)->name->word : TOKEN_NONE;

    if (word == TOKEN_TYPE) {
        if (at(p) == TOKEN_FROM) {
            Token token = is_name(p, at(p)) ? peek(p) : TOKEN_NONE;
            if (token != TOKEN_FROM && token != TOKEN_EQUALS)
                return TOKEN_NONE;
        }
        if (is_name(p, at(p)) || at_any(p, TOKEN_ASTERISK, TOKEN_OPEN_BRACE))
            return TOKEN_TYPE;
    } else if (word == TOKEN_DEFER) {
        if (at(p) == TOKEN_FROM ? peek(p) != TOKEN_STRING_LITERAL
                                : !at_any(p, TOKEN_COMMA, TOKEN_EQUALS))
            return TOKEN_DEFER;
    }
    return TOKEN_NONE;
}

/* import-clause = phase? name? ","? ("*" "as" name | "{" specifier,* "}")? "from" */
static Node *import_clause(Parser *p, Place place, Node *name, Token phase)
{
    Node *bindings = NULL;

    if (!name || take(p, TOKEN_COMMA))
        bindings =
            at(p) == TOKEN_ASTERISK ? namespace_import(p) : named_bindings(p, NODE_NAMED_IMPORTS);
    ImportClause *clause = NEW(p, IMPORT_CLAUSE, place);
    clause->name = name;
    clause->bindings = bindings;
    clause->phase = phase;
    clause->word = phase ? place.start : 0;
    (void)expect(p, TOKEN_FROM);
    return &clause->node;
}

/* import = modifiers "import" (import-clause)? module-specifier attributes? ";" | import-equals */
Node *read_import(Parser *p, Place place, NodeList *modifiers)
{
    next(p);
    Place inner = here(p);
    Node *name = is_name(p, at(p)) ? read_name(p, 0) : NULL;
    Token phase = import_phase(p, name);
    Node *clause = NULL;

    if (phase != TOKEN_NONE)
        name = is_name(p, at(p)) ? read_name(p, 0) : NULL;
    if (name && !at_any(p, TOKEN_COMMA, TOKEN_FROM) && phase != TOKEN_DEFER)
        return import_equals(p, place, modifiers, name, phase == TOKEN_TYPE ? inner.start : 0);
    if (name || at_any(p, TOKEN_ASTERISK, TOKEN_OPEN_BRACE))
        clause = import_clause(p, inner, name, phase);
    Node *module = module_specifier(p);
    Node *attributes = possible_attributes(p);
    expect_semicolon(p);
    ImportDeclaration *node = NEW(p, IMPORT_DECLARATION, place);
    node->modifiers = modifiers;
    node->clause = clause;
    node->module = module;
    node->attributes = attributes;
    return &node->node;
}

/* ---- exports ---- */

static Node *new_assignment(Parser *p, Place place, NodeKind kind, NodeList *modifiers,
                            Node *expression, Mark equals)
{
    expect_semicolon(p);
    ExportAssignment *node =
        as_export_assignment(node_new(p, kind, sizeof(ExportAssignment), place));
    node->modifiers = modifiers;
    node->expression = expression;
    node->equals = equals;
    return &node->node;
}

/* export-declaration = "type"? ("*" ("as" name)? "from" string | "{" specifier,* "}" ("from"
 *                      string)?) attributes? ";" */
static Node *export_declaration(Parser *p, Place place, NodeList *modifiers)
{
    Node *clause = NULL;
    Node *module = NULL;
    Mark type_only = take_mark(p, TOKEN_TYPE);
    Place inner = here(p);

    if (take(p, TOKEN_ASTERISK)) {
        if (take(p, TOKEN_AS)) {
            Node *name = export_name(p).node;
            clause = new_unary(p, NODE_NAMESPACE_EXPORT, inner, name);
        }
        (void)expect(p, TOKEN_FROM);
        module = module_specifier(p);
    } else {
        clause = named_bindings(p, NODE_NAMED_EXPORTS);
        if (at(p) == TOKEN_FROM || (at(p) == TOKEN_STRING_LITERAL && !after_line_break(p))) {
            (void)expect(p, TOKEN_FROM);
            module = module_specifier(p);
        }
    }
    Node *attributes = module ? possible_attributes(p) : NULL;
    expect_semicolon(p);
    ExportDeclaration *node = NEW(p, EXPORT_DECLARATION, place);
    node->modifiers = modifiers;
    node->clause = clause;
    node->module = module;
    node->attributes = attributes;
    node->type_only = type_only;
    return &node->node;
}

/* export = "export" ("=" assignment | "default" assignment | "as" "namespace" name
 *        | export-declaration) */
Node *read_export(Parser *p, Place place, NodeList *modifiers)
{
    uint32_t context = p->context;
    Node *node;

    next(p);
    if (take(p, TOKEN_AS)) {
        (void)expect(p, TOKEN_NAMESPACE);
        Node *name = read_name(p, 0);
        return new_assignment(p, place, NODE_NAMESPACE_EXPORT_DECLARATION, modifiers, name, 0);
    }
    p->context |= CONTEXT_AWAIT;
    if (at_any(p, TOKEN_EQUALS, TOKEN_DEFAULT)) {
        Mark equals = take_mark(p, TOKEN_EQUALS);
        if (!equals)
            next(p);
        Node *expression = read_assignment(p, true);
        node = new_assignment(p, place, NODE_EXPORT_ASSIGNMENT, modifiers, expression, equals);
    } else {
        node = export_declaration(p, place, modifiers);
    }
    p->context = context;
    node->flags = (uint16_t)((node->flags & ~(uint32_t)CONTEXT_AWAIT) | (context & CONTEXT_AWAIT));
    return node;
}

/* ---- the whole text ---- */

static uint32_t statement_modifiers(const Node *statement)
{
    switch (statement->kind) {
    case NODE_IMPORT_EQUALS_DECLARATION:
        return modifiers_of(as_import_equals(statement)->modifiers);
    case NODE_FUNCTION_DECLARATION:
        return modifiers_of(as_function(statement)->modifiers);
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
        return modifiers_of(as_class(statement)->modifiers);
    case NODE_VARIABLE_STATEMENT:
        return modifiers_of(as_variable_statement(statement)->modifiers);
    case NODE_TYPE_ALIAS_DECLARATION:
        return modifiers_of(as_type_alias(statement)->modifiers);
    case NODE_ENUM_DECLARATION:
        return modifiers_of(as_enum_declaration(statement)->modifiers);
    case NODE_MODULE_DECLARATION:
        return modifiers_of(as_module_declaration(statement)->modifiers);
    case NODE_MISSING_DECLARATION:
        return modifiers_of(as_missing_declaration(statement)->modifiers);
    default:
        return 0;
    }
}

/* Imports and exports make a text a module. */
static bool makes_module(const Node *statement)
{
    switch (statement->kind) {
    case NODE_IMPORT_DECLARATION:
    case NODE_EXPORT_DECLARATION:
    case NODE_EXPORT_ASSIGNMENT:
        return true;
    case NODE_IMPORT_EQUALS_DECLARATION:
        if (as_import_equals(statement)->reference->kind == NODE_EXTERNAL_MODULE_REFERENCE)
            return true;
        break;
    default:
        break;
    }
    return statement_modifiers(statement) & MODIFIER_EXPORT;
}

static Node *module_mark(const Parser *p, const NodeList *statements)
{
    for (uint32_t i = 0; i < statements->count; i++) {
        if (makes_module(statements->at[i]))
            return statements->at[i];
    }
    return p->import_meta;
}

/* A module's statement in which `await` was read as a name is read again, as one where it awaits:
 * at first it is not known that this is a module. */

static bool keeps_await_names(const Node *statement)
{
    if (statement_modifiers(statement) & MODIFIER_DECLARE)
        return true;
    switch (statement->kind) {
    case NODE_ENUM_DECLARATION:
    case NODE_MODULE_DECLARATION:
    case NODE_IMPORT_EQUALS_DECLARATION:
    case NODE_IMPORT_DECLARATION:
    case NODE_EXPORT_ASSIGNMENT:
    case NODE_EXPORT_DECLARATION:
        return true;
    default:
        return false;
    }
}

static void add_awaiting(Parser *p, uint32_t start)
{
    if (p->awaiting_count == p->awaiting_capacity) {
        uint32_t capacity = p->awaiting_capacity * 2 + 16;
        uint32_t *grown = arena_grow(p->arena, p->awaiting, p->awaiting_count * sizeof(uint32_t),
                                     capacity * sizeof(uint32_t));
        if (!grown)
            return;
        p->awaiting = grown;
        p->awaiting_capacity = capacity;
    }
    p->awaiting[p->awaiting_count++] = start;
}

static Node *first_time(Parser *p)
{
    uint32_t start = p->scan.full_start;

    p->maybe_await = false;
    Node *statement = read_statement(p);
    if (p->maybe_await && !keeps_await_names(statement))
        add_awaiting(p, start);
    return statement;
}

static Node *second_time(Parser *p)
{
    uint32_t context = p->context;

    while (p->awaiting_count > 0 && p->awaiting[0] < p->scan.full_start) {
        p->awaiting++;
        p->awaiting_count--;
    }
    if (p->awaiting_count > 0 && p->awaiting[0] == p->scan.full_start)
        p->context |= CONTEXT_AWAIT;
    Node *statement = read_statement(p);
    p->context = context;
    return statement;
}

static NodeList *read_text(Parser *p, const Source *source, uint32_t context, ReadElement read)
{
    p->complaints.arena = p->arena;
    p->context = context;
    p->ahead_left = (uint64_t)source->length * 16 + 100000;
    scanner_init(&p->scan, source, &p->complaints);
    next(p);
    NodeList *statements = read_list(p, LIST_FILE, read);
    statements->start = 0;
    statements->end = (uint32_t)source->length;
    return statements;
}

/* Chains make trees high without any recursion here; those after us may recurse. */
static void check_height(Parser *p, SourceFile *file)
{
    enum { few_links = 1000 };

    if (p->stopped || p->chained <= few_links ||
        tree_height(&file->node, p->arena) <= SYNTAX_HEIGHT_MAX)
        return;
    p->stopped = false;
    stop(p);
    file->statements->count = 0;
}

tn_status parse_module(Arena *arena, const Source *source, const ParseOptions *options,
                       Findings *findings, SourceFile **out_file)
{
    Names *names = ARENA_NEW(arena, Names);
    uint32_t context = (options->declaration_file ? CONTEXT_AMBIENT : 0u) |
                       (options->async_body ? CONTEXT_AWAIT : 0u);
    Parser parser;
    Parser *p = &parser;

    if (!names)
        return arena_status(arena);
    names_init(names, arena);
    *p = (Parser){.arena = arena, .names = names, .options = options};
    NodeList *statements = read_text(p, source, context, first_time);
    if (p->awaiting_count > 0 && !options->declaration_file && !options->async_body &&
        module_mark(p, statements)) {
        *p = (Parser){.arena = arena,
                      .names = names,
                      .options = options,
                      .awaiting = p->awaiting,
                      .awaiting_count = p->awaiting_count};
        statements = read_text(p, source, context, second_time);
    }
    SourceFile *file = NEW(p, SOURCE_FILE, ((Place){0, 0}));
    file->node.end = (uint32_t)source->length;
    file->statements = statements;
    file->module_mark = module_mark(p, statements);
    file->is_declaration = options->declaration_file;
    file->has_await = p->has_await;
    file->notes = p->notes;
    file->names = names;
    check_height(p, file);
    complaints_give(&p->complaints, source, findings);
    TRY(arena_status(arena));
    *out_file = file;
    return TN_OK;
}
