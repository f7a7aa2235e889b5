/* From the trees of declaration files to scopes and items. */
#include <string.h>

#include "inventory.h"
#include "doc.h"
#include "plain.h"

/* ---- names ---- */

const Name *name_of(const Node *name)
{
    if (!name || name->flags & NODE_FLAG_MISSING)
        return NULL;
    switch (name->kind) {
    case NODE_IDENTIFIER:
        return as_identifier(name)->name->length > 0 ? as_identifier(name)->name : NULL;
    case NODE_STRING_LITERAL:
    case NODE_NUMERIC_LITERAL:
        return as_literal(name)->text;
    default:
        return NULL;
    }
}

static bool is_identifier(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
                      (unsigned char)c >= 0x80;
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return length > 0;
}

void put_quoted(Buf *buf, const char *text, size_t length)
{
    buf_append_byte(buf, '"');
    for (size_t i = 0; i < length;) {
        if (text[i] == '"' || text[i] == '\\')
            buf_append_byte(buf, '\\');
        i += plain_character(buf, text + i, length - i);
    }
    buf_append_byte(buf, '"');
}

void put_member(Buf *buf, const char *path, const char *name, size_t length)
{
    buf_append_string(buf, path);
    if (is_identifier(name, length)) {
        if (*path)
            buf_append_byte(buf, '.');
        plain_line(buf, name, length, 200);
    } else {
        buf_append_byte(buf, '[');
        put_quoted(buf, name, length);
        buf_append_byte(buf, ']');
    }
}

/* ---- items ---- */

/* Past `export`, `declare` and the like. */
static uint32_t after_modifiers(const Node *node)
{
    const NodeList *modifiers = node_modifiers(node);

    return modifiers ? modifiers->end : node->start;
}

static uint32_t without_semicolon(const char *text, uint32_t start, uint32_t end)
{
    return end > start && (text[end - 1] == ';' || text[end - 1] == ',') ? end - 1 : end;
}

/* What is found of it by its name, and what its comment says. */
static void name_item(Builder *builder, Item *item, const char *written)
{
    Scope *scope = item->scope;
    Buf *buf = &builder->buf;

    if (scope->module && scope->module->name) {
        buf_append_string(buf, scope->module->name);
        buf_append_byte(buf, '.');
    }
    buf_append_string(buf, written);
    item->name = builder_text(builder);
    doc_sentence(buf, item->file->text, item->comment);
    item->summary = builder_text(builder);
}

Item *collect_callable(Builder *builder, Scope *scope, const Name *name, Draft draft, Span rest,
                       Span declaration, Span before)
{
    const char *text = draft.file->file->text, *written;
    Item *item = builder_item(builder, ITEM_FUNCTION, scope, draft);

    if (!item)
        return NULL;
    item->span = declaration;
    item->comment = doc_find(text, before);
    put_member(&builder->buf, scope->path, name->text, name->length);
    written = builder_text(builder);
    name_item(builder, item, written);
    rest.end = without_semicolon(text, rest.start, rest.end);
    buf_append_string(&builder->buf, written);
    (void)layout_line(&builder->buf, item->file, rest);
    item->line = builder_text(builder);
    item->listed = true;
    item->package = builder_package_of(builder, scope);
    return item;
}

/* The next declaration of a name: all of them are shown together. */
static void chain(Builder *builder, Scope *scope, const Name *name, Item *item)
{
    Binding *binding = builder_bind(builder, scope, name->text, name->length);

    if (!binding || !item)
        return;
    if (binding->item)
        binding->last->more = item;
    else
        binding->item = item;
    binding->last = item;
}

/* Where type parameters or parameters begin. */
static uint32_t after_name(const FunctionLike *function)
{
    return function->type_parameters ? function->type_parameters->start
                                     : function->parameters->start;
}

static void collect_function(Builder *builder, BuildFile *file, Scope *scope, const Node *node)
{
    const FunctionLike *function = as_function(node);
    const Name *name = name_of(function->name);
    Item *item;

    if (modifiers_of(function->modifiers) & MODIFIER_DEFAULT)
        name = names_get(file->tree->names, "default", strlen("default"));
    if (!name || !function->parameters)
        return;
    item = collect_callable(builder, scope, name, (Draft){file, node, NULL, scope},
                            (Span){after_name(function), node->end}, (Span){node->start, node->end},
                            (Span){node->full_start, node->start});
    chain(builder, scope, name, item);
}

static Item *collect_type(Builder *builder, BuildFile *file, Scope *scope, const Node *node,
                          const Node *name_node)
{
    const Name *name = name_of(name_node);
    Item *item =
        name ? builder_item(builder, ITEM_TYPE, scope, (Draft){file, node, NULL, scope}) : NULL;

    if (!item)
        return NULL;
    item->span = (Span){node->start, node->end};
    item->comment = doc_find(file->file->text, (Span){node->full_start, node->start});
    put_member(&builder->buf, scope->path, name->text, name->length);
    name_item(builder, item, builder_text(builder));
    (void)layout_line(
        &builder->buf, file->file,
        (Span){after_modifiers(node), without_semicolon(file->file->text, node->start, node->end)});
    item->line = builder_text(builder);
    item->package = builder_package_of(builder, scope);
    chain(builder, scope, name, item);
    return item;
}

/* Functions among values are found when all types are known (member.c). */
static void collect_variables(Builder *builder, BuildFile *file, Scope *scope, const Node *node)
{
    const NodeList *list =
        as_variable_declaration_list(as_variable_statement(node)->declarations)->list;

    for (uint32_t i = 0; i < list->count; i++) {
        const VariableDeclaration *variable = as_variable_declaration(list->at[i]);
        const Name *name = name_of(variable->name);
        Item *item;
        if (!name)
            continue;
        item = collect_callable(
            builder, scope, name, (Draft){file, &variable->node, variable->type, scope},
            (Span){variable->name->end, variable->node.end}, (Span){node->start, node->end},
            (Span){node->full_start, node->start});
        if (item)
            item->kind = ITEM_VALUE;
        chain(builder, scope, name, item);
    }
}

/* ---- imports ---- */

static void import_name(Builder *builder, Scope *scope, const Node *local, const char *module,
                        const char *name)
{
    const Name *known = name_of(local);
    Binding *binding = known ? builder_bind(builder, scope, known->text, known->length) : NULL;

    if (!binding)
        return;
    binding->from_module = module;
    binding->from_name = name;
}

static void collect_import(Builder *builder, Scope *scope, const Node *node)
{
    const ImportDeclaration *import = as_import_declaration(node);
    const Name *module = name_of(import->module);
    const ImportClause *clause =
        import->clause ? (const ImportClause *)as_import_clause(import->clause) : NULL;

    if (!module || !clause)
        return;
    if (clause->name)
        import_name(builder, scope, clause->name, module->text, "default");
    if (clause->bindings && clause->bindings->kind == NODE_NAMESPACE_IMPORT) {
        import_name(builder, scope, as_unary(clause->bindings)->expression, module->text, NULL);
    } else if (clause->bindings && clause->bindings->kind == NODE_NAMED_IMPORTS) {
        const NodeList *list = as_list(clause->bindings)->list;
        for (uint32_t i = 0; i < list->count; i++) {
            const Specifier *one = as_specifier(list->at[i]);
            const Name *name = name_of(one->property_name ? one->property_name : one->name);
            if (name)
                import_name(builder, scope, one->name, module->text, name->text);
        }
    }
}

static void collect_import_equals(Builder *builder, Scope *scope, const Node *node)
{
    const ImportEquals *import = as_import_equals(node);
    const Name *name = name_of(import->name);
    Binding *binding;

    if (!name)
        return;
    if (import->reference && import->reference->kind == NODE_EXTERNAL_MODULE_REFERENCE) {
        const Name *module = name_of(as_unary(import->reference)->expression);
        if (module)
            import_name(builder, scope, import->name, module->text, NULL);
        return;
    }
    binding = builder_bind(builder, scope, name->text, name->length);
    if (binding)
        binding->equals = import->reference;
}

/* ---- scopes ---- */

static void collect_statements(Builder *builder, BuildFile *file, Scope *scope,
                               const NodeList *statements);

static void collect_body(Builder *builder, BuildFile *file, Scope *scope, const Node *body);

/* A module's own scope, or a namespace's: the same for all files that declare it. */
static Scope *inner_scope(Builder *builder, Scope *scope, const Node *name_node, ScopeKind kind)
{
    const Name *name = name_of(name_node);
    Binding *binding;
    const void *key = scope;

    if (!name || name->length == 0)
        return NULL;
    if (kind == SCOPE_MODULE) {
        scope = builder->global;
        key = NULL; /* modules have names of their own */
    }
    binding = builder_bind(builder, key, name->text, name->length);
    if (binding && !binding->inner)
        binding->inner = builder_scope(builder, kind, scope, name->text, name->length);
    return binding ? binding->inner : NULL;
}

static void collect_module(Builder *builder, BuildFile *file, Scope *scope, const Node *node)
{
    const ModuleDeclaration *module = as_module_declaration(node);
    Scope *inner;

    if (module->token == TOKEN_GLOBAL)
        inner = builder->global;
    else if (module->name && module->name->kind == NODE_STRING_LITERAL)
        inner = inner_scope(builder, scope, module->name, SCOPE_MODULE);
    else
        inner = inner_scope(builder, scope, module->name, SCOPE_NAMESPACE);
    if (inner)
        collect_body(builder, file, inner, module->body);
}

static void collect_body(Builder *builder, BuildFile *file, Scope *scope, const Node *body)
{
    if (body && body->kind == NODE_MODULE_DECLARATION)
        collect_module(builder, file, scope, body);
    else if (body && body->kind == NODE_MODULE_BLOCK)
        collect_statements(builder, file, scope, as_list(body)->list);
}

static void collect_statement(Builder *builder, BuildFile *file, Scope *scope, const Node *node)
{
    Item *item;

    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
        collect_function(builder, file, scope, node);
        break;
    case NODE_VARIABLE_STATEMENT:
        collect_variables(builder, file, scope, node);
        break;
    case NODE_CLASS_DECLARATION:
        item = collect_type(builder, file, scope, node, as_class(node)->name);
        if (item)
            collect_class(builder, item, as_class(node));
        break;
    case NODE_INTERFACE_DECLARATION:
        (void)collect_type(builder, file, scope, node, as_class(node)->name);
        break;
    case NODE_TYPE_ALIAS_DECLARATION:
        (void)collect_type(builder, file, scope, node, as_type_alias(node)->name);
        break;
    case NODE_ENUM_DECLARATION:
        (void)collect_type(builder, file, scope, node, as_enum_declaration(node)->name);
        break;
    case NODE_MODULE_DECLARATION:
        collect_module(builder, file, scope, node);
        break;
    case NODE_IMPORT_DECLARATION:
        collect_import(builder, scope, node);
        break;
    case NODE_IMPORT_EQUALS_DECLARATION:
        collect_import_equals(builder, scope, node);
        break;
    default:
        break;
    }
}

static void collect_statements(Builder *builder, BuildFile *file, Scope *scope,
                               const NodeList *statements)
{
    for (uint32_t i = 0; i < statements->count; i++)
        collect_statement(builder, file, scope, statements->at[i]);
}

void collect_file(Builder *builder, BuildFile *file)
{
    file->scope = builder->global;
    if (file->tree->module_mark)
        file->scope = builder_scope(builder, SCOPE_FILE, builder->global, "", 0);
    if (file->scope)
        collect_statements(builder, file, file->scope, file->tree->statements);
}
