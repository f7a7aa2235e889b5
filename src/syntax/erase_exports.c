#include "eraser.h"

/* ---- what namespaces and enums export ---- */

static Symbol *add_export(Eraser *e, Symbol *owner, Node *name, uint32_t flags, Node *declaration)
{
    if (!name || name->kind != NODE_IDENTIFIER)
        return NULL;
    Name *own = as_identifier(name)->name;
    watch(e, own);
    Symbol **slot = symbol_slot(e, owner->shared, own);
    if (!slot)
        return NULL;
    if (!*slot)
        *slot = symbol_new(e, own, flags, declaration);
    else
        (*slot)->flags |= flags;
    return *slot;
}

static void export_binding(Eraser *e, Symbol *owner, Node *name, uint32_t flags, Node *declaration)
{
    if (name->kind == NODE_IDENTIFIER) {
        (void)add_export(e, owner, name, flags, declaration);
        return;
    }
    if (name->kind != NODE_OBJECT_BINDING_PATTERN && name->kind != NODE_ARRAY_BINDING_PATTERN)
        return;
    NodeList *list = as_list(name)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind == NODE_BINDING_ELEMENT)
            export_binding(e, owner, as_binding_element(list->at[i])->name,
                           flags & ~(uint32_t)SYMBOL_CONST, NULL);
    }
}

static void export_variables(Eraser *e, Symbol *owner, VariableStatement *statement)
{
    VariableDeclarationList *list = as_variable_declaration_list(statement->declarations);
    uint32_t flags = SYMBOL_VALUE | SYMBOL_VARIABLE;

    if (list->variable == VARIABLE_CONST)
        flags |= SYMBOL_CONST;
    for (uint32_t i = 0; i < list->list->count; i++) {
        Node *one = list->list->at[i];
        export_binding(e, owner, as_variable_declaration(one)->name, flags, one);
    }
}

/* Names in an initializer may be constants: those are looked for, so they are watched. */
static void watch_operands(Eraser *e, Node *node)
{
    for (; node; node = node->kind == NODE_BINARY_EXPRESSION ? as_binary(node)->left : NULL) {
        if (node->kind == NODE_IDENTIFIER)
            watch(e, as_identifier(node)->name);
        if (node->kind == NODE_PARENTHESIZED_EXPRESSION)
            watch_operands(e, as_unary(node)->expression);
        if (node->kind == NODE_PREFIX_UNARY)
            watch_operands(e, as_operator_unary(node)->operand);
        if (node->kind == NODE_BINARY_EXPRESSION)
            watch_operands(e, as_binary(node)->right);
        if (node->kind == NODE_PROPERTY_ACCESS)
            watch_operands(e, as_property_access(node)->expression);
        if (node->kind == NODE_ELEMENT_ACCESS)
            watch_operands(e, as_element_access(node)->expression);
        if (node->kind != NODE_TEMPLATE_EXPRESSION)
            continue;
        NodeList *spans = as_template(node)->spans;
        for (uint32_t i = 0; i < spans->count; i++)
            watch_operands(e, as_template_span(spans->at[i])->expression);
    }
}

static void collect_members(Eraser *e, EnumDeclaration *declared, Symbol *owner)
{
    for (uint32_t i = 0; i < declared->members->count; i++) {
        EnumMember *member = as_enum_member(declared->members->at[i]);
        Name *name = NULL;
        if (member->name->kind == NODE_IDENTIFIER)
            name = as_identifier(member->name)->name;
        else if (member->name->kind == NODE_STRING_LITERAL)
            name = as_literal(member->name)->text;
        watch_operands(e, member->initializer);
        if (!name)
            continue;
        watch(e, name);
        Symbol **slot = symbol_slot(e, owner->shared, name);
        if (!slot || *slot)
            continue;
        Symbol *symbol = symbol_new(e, name, SYMBOL_VALUE | SYMBOL_MEMBER, &member->node);
        if (!symbol)
            return;
        *slot = symbol;
    }
}

static void collect_module(Eraser *e, ModuleDeclaration *module, Symbol *owner);

static void collect_export(Eraser *e, Node *statement, Symbol *owner, bool ambient)
{
    Symbol *inner;

    switch (statement->kind) {
    case NODE_VARIABLE_STATEMENT: {
        VariableStatement *variables = as_variable_statement(statement);
        if (ambient || modifiers_of(variables->modifiers) & MODIFIER_EXPORT)
            export_variables(e, owner, variables);
        break;
    }
    case NODE_FUNCTION_DECLARATION:
        if (ambient || modifiers_of(as_function(statement)->modifiers) & MODIFIER_EXPORT)
            (void)add_export(e, owner, as_function(statement)->name, SYMBOL_VALUE, statement);
        break;
    case NODE_CLASS_DECLARATION:
        if (ambient || modifiers_of(as_class(statement)->modifiers) & MODIFIER_EXPORT)
            (void)add_export(e, owner, as_class(statement)->name, SYMBOL_VALUE, statement);
        break;
    case NODE_INTERFACE_DECLARATION:
        if (ambient || modifiers_of(as_class(statement)->modifiers) & MODIFIER_EXPORT)
            (void)add_export(e, owner, as_class(statement)->name, SYMBOL_TYPE, statement);
        break;
    case NODE_TYPE_ALIAS_DECLARATION:
        if (ambient || modifiers_of(as_type_alias(statement)->modifiers) & MODIFIER_EXPORT)
            (void)add_export(e, owner, as_type_alias(statement)->name, SYMBOL_TYPE, statement);
        break;
    case NODE_IMPORT_EQUALS_DECLARATION:
        if (ambient || modifiers_of(as_import_equals(statement)->modifiers) & MODIFIER_EXPORT)
            (void)add_export(e, owner, as_import_equals(statement)->name,
                             SYMBOL_VALUE | SYMBOL_VARIABLE, statement);
        break;
    case NODE_ENUM_DECLARATION: {
        EnumDeclaration *declared = as_enum_declaration(statement);
        if (!ambient && !(modifiers_of(declared->modifiers) & MODIFIER_EXPORT))
            break;
        inner = add_export(e, owner, declared->name, SYMBOL_VALUE, statement);
        if (inner)
            collect_members(e, declared, inner);
        break;
    }
    case NODE_MODULE_DECLARATION: {
        ModuleDeclaration *module = as_module_declaration(statement);
        if (!ambient && !(modifiers_of(module->modifiers) & MODIFIER_EXPORT))
            break;
        inner = add_export(e, owner, module->name,
                           namespace_has_values(module) ? SYMBOL_VALUE : SYMBOL_TYPE, statement);
        if (inner)
            collect_module(e, module, inner);
        break;
    }
    default:
        break;
    }
}

static void collect_module(Eraser *e, ModuleDeclaration *module, Symbol *owner)
{
    bool ambient = module->node.flags & NODE_FLAG_AMBIENT ||
                   modifiers_of(module->modifiers) & MODIFIER_DECLARE;

    if (!module->body)
        return;
    if (module->body->kind == NODE_MODULE_DECLARATION) { /* of A.B, B is exported */
        ModuleDeclaration *nested = as_module_declaration(module->body);
        Symbol *inner =
            add_export(e, owner, nested->name,
                       namespace_has_values(nested) ? SYMBOL_VALUE : SYMBOL_TYPE, &nested->node);
        if (inner)
            collect_module(e, nested, inner);
        return;
    }
    NodeList *list = as_list(module->body)->list;
    for (uint32_t i = 0; i < list->count; i++)
        collect_export(e, list->at[i], owner, ambient);
}

/* The namespaces and enums of this list that are not exported by a namespace around them: those
 * were collected with it. */
static void collect_statement(Eraser *e, Node *statement)
{
    bool in_namespace = e->frame && e->frame->depth == e->depth;

    if (statement->kind == NODE_MODULE_DECLARATION) {
        ModuleDeclaration *module = as_module_declaration(statement);
        if (module->name->kind != NODE_IDENTIFIER || module->token == TOKEN_GLOBAL)
            return;
        watch(e, as_identifier(module->name)->name);
        scope_statement(e, statement);
        if (in_namespace && modifiers_of(module->modifiers) & MODIFIER_EXPORT)
            return;
        Symbol *symbol = scope_any(e, as_identifier(module->name)->name);
        if (symbol)
            collect_module(e, module, symbol);
    } else if (statement->kind == NODE_ENUM_DECLARATION) {
        EnumDeclaration *declared = as_enum_declaration(statement);
        if (declared->name->kind != NODE_IDENTIFIER)
            return;
        watch(e, as_identifier(declared->name)->name);
        scope_statement(e, statement);
        if (in_namespace && modifiers_of(declared->modifiers) & MODIFIER_EXPORT)
            return;
        Symbol *symbol = scope_any(e, as_identifier(declared->name)->name);
        if (symbol)
            collect_members(e, declared, symbol);
    }
}

static void watch_alias(Eraser *e, const ImportEquals *alias)
{
    Name *head = entity_head(alias->reference);

    if (alias->name->kind == NODE_IDENTIFIER)
        watch(e, as_identifier(alias->name)->name);
    if (head)
        watch(e, head);
}

static void collect_statements(Eraser *e, const NodeList *statements)
{
    for (uint32_t i = 0; i < statements->count; i++) {
        Node *one = statements->at[i];
        if (one->kind == NODE_MODULE_DECLARATION || one->kind == NODE_ENUM_DECLARATION)
            collect_statement(e, one);
        if (one->kind == NODE_IMPORT_EQUALS_DECLARATION)
            watch_alias(e, as_import_equals(one));
    }
}

void scope_statements(Eraser *e, const NodeList *statements)
{
    if (e->file->notes & FILE_HAS_CONTAINER)
        collect_statements(e, statements);
    for (uint32_t i = 0; e->watched && i < statements->count; i++) {
        Node *one = statements->at[i];
        if (may_declare(one) || one->kind == NODE_LABELED_STATEMENT)
            scope_statement(e, one);
    }
}
