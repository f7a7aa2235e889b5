#include "eraser.h"

/* ---- a table from an owner and a name to a symbol ----
 *
 * The owner NULL stands for "here": what a name means in the innermost scope that declares it, with
 * the meanings further out behind it. Another owner is a namespace or enum, for its members. */

typedef struct SymbolEntry {
    const void *owner;
    const Name *name;
    Symbol *symbol;
} SymbolEntry;

typedef struct SymbolTable {
    SymbolEntry *at;
    uint32_t mask;
    uint32_t count;
} SymbolTable;

static uint32_t entry_hash(const void *owner, const Name *name)
{
    uint64_t mixed = ((uintptr_t)owner >> 4) * 0x9E3779B97F4A7C15u;

    return name->hash ^ (uint32_t)(mixed >> 32);
}

static SymbolEntry *find(SymbolEntry *entries, uint32_t mask, const void *owner, const Name *name)
{
    uint32_t at = entry_hash(owner, name) & mask;

    while (entries[at].name && (entries[at].name != name || entries[at].owner != owner))
        at = (at + 1) & mask;
    return &entries[at];
}

static bool grow_table(Eraser *e)
{
    SymbolTable *table = e->table ? e->table : ARENA_NEW(e->arena, SymbolTable);
    uint32_t places;
    SymbolEntry *entries;

    if (!table)
        return false;
    places = table->at ? 2 * (table->mask + 1) : 64;
    entries = ARENA_ARRAY(e->arena, SymbolEntry, places);
    if (!entries)
        return false;
    for (uint32_t i = 0; table->at && i <= table->mask; i++) {
        if (table->at[i].name)
            *find(entries, places - 1, table->at[i].owner, table->at[i].name) = table->at[i];
    }
    table->at = entries;
    table->mask = places - 1;
    e->table = table;
    return true;
}

/* Where the symbol is or is to be put; NULL once the arena failed. */
Symbol **symbol_slot(Eraser *e, const void *owner, const Name *name)
{
    if ((!e->table || 2 * e->table->count > e->table->mask) && !grow_table(e))
        return NULL;
    SymbolEntry *entry = find(e->table->at, e->table->mask, owner, name);
    if (!entry->name) {
        *entry = (SymbolEntry){owner, name, NULL};
        e->table->count++;
    }
    return &entry->symbol;
}

static Symbol *lookup(const Eraser *e, const void *owner, const Name *name)
{
    return e->table ? find(e->table->at, e->table->mask, owner, name)->symbol : NULL;
}

Symbol *symbol_new(Eraser *e, Name *name, uint32_t flags, Node *declaration)
{
    Symbol *symbol = ARENA_NEW(e->arena, Symbol);

    if (symbol) {
        *symbol =
            (Symbol){.name = name, .flags = flags, .declaration = declaration, .depth = e->depth};
        symbol->shared = symbol;
    }
    return symbol;
}

/* ---- scopes ---- */

void watch(Eraser *e, Name *name)
{
    e->watched += name->spare == 0;
    name->spare = 1;
}

void scope_enter(Eraser *e, Scope *scope)
{
    *scope = (Scope){.outer = e->scope};
    e->scope = scope;
    e->depth++;
}

/* Aliases are settled when nothing more can use them, and while what they name is still known. */
void scope_settle(Eraser *e, const Scope *scope)
{
    for (Symbol *one = scope->symbols; one; one = one->next) {
        if (one->flags & SYMBOL_ALIAS)
            settle_alias(e, one);
    }
}

void scope_leave(Eraser *e, Scope *scope)
{
    scope_settle(e, scope);
    for (Symbol *one = scope->symbols; one; one = one->next) {
        if (one->flags & SYMBOL_ALIAS)
            finish_alias(e, one);
        Symbol **slot = symbol_slot(e, NULL, one->name);
        if (slot)
            *slot = one->outer;
    }
    e->scope = scope->outer;
    e->depth--;
}

Symbol *scope_bind(Eraser *e, Name *name, uint32_t flags, Node *declaration)
{
    Symbol **slot;

    if (!name->spare)
        return NULL;
    if (flags & SYMBOL_VALUE && !(flags & SYMBOL_IMPORT))
        flags |= SYMBOL_LOCAL;
    for (Frame *frame = e->frame; frame; frame = frame->outer)
        frame->taken |=
            frame->name == name && flags & SYMBOL_VALUE && frame->kind == NODE_MODULE_DECLARATION;
    slot = symbol_slot(e, NULL, name);
    if (!slot)
        return NULL;
    if (*slot && (*slot)->depth == e->depth) {
        if (flags & SYMBOL_ALIAS || !((*slot)->flags & SYMBOL_VALUE))
            (*slot)->declaration = declaration;
        (*slot)->flags |= flags;
        return *slot;
    }
    Symbol *symbol = symbol_new(e, name, flags, declaration);
    if (!symbol)
        return NULL;
    symbol->outer = *slot;
    symbol->next = e->scope->symbols;
    e->scope->symbols = symbol;
    *slot = symbol;
    return symbol;
}

/* A name or a pattern. */
void scope_binding(Eraser *e, Node *name, uint32_t flags, Node *declaration)
{
    if (name->kind == NODE_IDENTIFIER) {
        (void)scope_bind(e, as_identifier(name)->name, flags, declaration);
        return;
    }
    if (name->kind != NODE_OBJECT_BINDING_PATTERN && name->kind != NODE_ARRAY_BINDING_PATTERN)
        return;
    NodeList *list = as_list(name)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind == NODE_BINDING_ELEMENT)
            scope_binding(e, as_binding_element(list->at[i])->name, flags & ~(uint32_t)SYMBOL_CONST,
                          NULL);
    }
}

static void bind_variables(Eraser *e, Node *declarations)
{
    VariableDeclarationList *list = as_variable_declaration_list(declarations);
    uint32_t flags = SYMBOL_VALUE;

    if (list->variable == VARIABLE_CONST)
        flags |= SYMBOL_CONST;
    for (uint32_t i = 0; i < list->list->count; i++) {
        Node *one = list->list->at[i];
        scope_binding(e, as_variable_declaration(one)->name, flags, one);
    }
}

static void bind_name(Eraser *e, Node *name, uint32_t flags, Node *declaration)
{
    if (name && name->kind == NODE_IDENTIFIER)
        (void)scope_bind(e, as_identifier(name)->name, flags, declaration);
}

static void bind_import(Eraser *e, ImportDeclaration *import)
{
    ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;
    uint32_t flags = SYMBOL_IMPORT | SYMBOL_VALUE;

    if (!clause)
        return;
    if (clause->phase == TOKEN_TYPE)
        flags = SYMBOL_IMPORT | SYMBOL_TYPE;
    bind_name(e, clause->name, flags, &import->node);
    if (clause->bindings && clause->bindings->kind == NODE_NAMESPACE_IMPORT)
        bind_name(e, as_unary(clause->bindings)->expression, flags, &import->node);
    if (!clause->bindings || clause->bindings->kind != NODE_NAMED_IMPORTS)
        return;
    NodeList *list = as_list(clause->bindings)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        Specifier *one = as_specifier(list->at[i]);
        bind_name(e, one->name, one->type_only ? SYMBOL_IMPORT | SYMBOL_TYPE : flags,
                  &import->node);
    }
}

/* Namespaces and enums have members of their own; exported ones share them with the other blocks
 * of the namespace that they stand in. */
static void bind_container(Eraser *e, Node *statement, Node *name, NodeList *modifiers, bool values)
{
    if (!name || name->kind != NODE_IDENTIFIER)
        return;
    Name *own = as_identifier(name)->name;
    Symbol *symbol = scope_bind(e, own, values ? SYMBOL_VALUE : SYMBOL_TYPE, statement);
    if (symbol && e->frame && e->frame->depth == e->depth &&
        modifiers_of(modifiers) & MODIFIER_EXPORT) {
        Symbol *shared = symbol_export(e, e->frame->symbol, own);
        symbol->shared = shared ? shared : symbol;
    }
}

void scope_statement(Eraser *e, Node *statement)
{
    switch (statement->kind) {
    case NODE_VARIABLE_STATEMENT: {
        VariableStatement *variables = as_variable_statement(statement);
        bool exported = modifiers_of(variables->modifiers) & MODIFIER_EXPORT;
        if (exported && e->frame && e->frame->depth == e->depth)
            break; /* known by the namespace's name only */
        if (as_variable_declaration_list(variables->declarations)->variable != VARIABLE_VAR)
            bind_variables(e, variables->declarations);
        break;
    }
    case NODE_FUNCTION_DECLARATION:
        bind_name(e, as_function(statement)->name, SYMBOL_VALUE, statement);
        break;
    case NODE_CLASS_DECLARATION:
        bind_name(e, as_class(statement)->name, SYMBOL_VALUE, statement);
        break;
    case NODE_INTERFACE_DECLARATION:
        bind_name(e, as_class(statement)->name, SYMBOL_TYPE, statement);
        break;
    case NODE_TYPE_ALIAS_DECLARATION:
        bind_name(e, as_type_alias(statement)->name, SYMBOL_TYPE, statement);
        break;
    case NODE_ENUM_DECLARATION: {
        EnumDeclaration *declared = as_enum_declaration(statement);
        bind_container(e, statement, declared->name, declared->modifiers, true);
        break;
    }
    case NODE_MODULE_DECLARATION: {
        ModuleDeclaration *module = as_module_declaration(statement);
        bind_container(e, statement, module->name, module->modifiers, namespace_has_values(module));
        break;
    }
    case NODE_IMPORT_DECLARATION:
        bind_import(e, as_import_declaration(statement));
        break;
    case NODE_IMPORT_EQUALS_DECLARATION: {
        ImportEquals *alias = as_import_equals(statement);
        if (!(modifiers_of(alias->modifiers) & MODIFIER_EXPORT))
            bind_name(e, alias->name,
                      (alias->type_only ? SYMBOL_TYPE : SYMBOL_VALUE) | SYMBOL_ALIAS, statement);
        break;
    }
    case NODE_LABELED_STATEMENT:
        scope_statement(e, as_labeled_statement(statement)->statement);
        break;
    default:
        break;
    }
}

Symbol *symbol_export(Eraser *e, const Symbol *owner, const Name *name)
{
    return lookup(e, owner->shared, name);
}

/* ---- `var`, from anywhere in a function ---- */

static void hoist(Eraser *e, Node *node);

static void hoist_declarations(Eraser *e, Node *declarations)
{
    if (declarations && declarations->kind == NODE_VARIABLE_DECLARATION_LIST &&
        as_variable_declaration_list(declarations)->variable == VARIABLE_VAR)
        bind_variables(e, declarations);
}

static void hoist_list(Eraser *e, const NodeList *list)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        hoist(e, list->at[i]);
}

static void hoist_try(Eraser *e, TryStatement *statement)
{
    hoist(e, statement->block);
    if (statement->handler)
        hoist(e, as_catch_clause(statement->handler)->block);
    hoist(e, statement->finalizer);
}

static void hoist(Eraser *e, Node *node)
{
    if (!node)
        return;
    switch (node->kind) {
    case NODE_VARIABLE_STATEMENT:
        if (!(e->frame && e->frame->depth == e->depth &&
              modifiers_of(as_variable_statement(node)->modifiers) & MODIFIER_EXPORT))
            hoist_declarations(e, as_variable_statement(node)->declarations);
        break;
    case NODE_BLOCK:
    case NODE_CASE_BLOCK:
        hoist_list(e, as_list(node)->list);
        break;
    case NODE_CASE_CLAUSE:
    case NODE_DEFAULT_CLAUSE:
        hoist_list(e, as_case_clause(node)->statements);
        break;
    case NODE_IF_STATEMENT:
        hoist(e, as_conditional(node)->when_true);
        hoist(e, as_conditional(node)->when_false);
        break;
    case NODE_DO_STATEMENT:
    case NODE_WHILE_STATEMENT:
    case NODE_WITH_STATEMENT:
        hoist(e, as_loop(node)->statement);
        break;
    case NODE_FOR_STATEMENT:
        hoist_declarations(e, as_for_statement(node)->initializer);
        hoist(e, as_for_statement(node)->statement);
        break;
    case NODE_FOR_IN_STATEMENT:
    case NODE_FOR_OF_STATEMENT:
        hoist_declarations(e, as_for_each(node)->initializer);
        hoist(e, as_for_each(node)->statement);
        break;
    case NODE_SWITCH_STATEMENT:
        hoist(e, as_switch_statement(node)->block);
        break;
    case NODE_LABELED_STATEMENT:
        hoist(e, as_labeled_statement(node)->statement);
        break;
    case NODE_TRY_STATEMENT:
        hoist_try(e, as_try_statement(node));
        break;
    default:
        break;
    }
}

void scope_hoist(Eraser *e, const NodeList *statements)
{
    if (e->watched && e->file->notes & FILE_HAS_VAR)
        hoist_list(e, statements);
}

/* ---- what a name means ---- */

void scope_declared(Eraser *e, const Node *name)
{
    if (!name || name->kind != NODE_IDENTIFIER || !as_identifier(name)->name->spare)
        return;
    Symbol *symbol = scope_any(e, as_identifier(name)->name);
    if (symbol && symbol->depth == e->depth)
        symbol->flags |= SYMBOL_DECLARED;
}

Symbol *scope_any(Eraser *e, const Name *name)
{
    return lookup(e, NULL, name);
}

/* A namespace shows its exports inside, an enum its members; locals of the same depth go before. */
static Symbol *frame_member(Eraser *e, const Frame *frame, const Name *name)
{
    Symbol *found = symbol_export(e, frame->symbol, name);
    bool is_member = found && found->flags & SYMBOL_MEMBER;

    if (!found || !(found->flags & SYMBOL_VALUE))
        return NULL;
    return is_member == (frame->kind == NODE_ENUM_DECLARATION) ? found : NULL;
}

static Symbol *value_of(Symbol *symbol)
{
    while (symbol && !(symbol->flags & SYMBOL_VALUE))
        symbol = symbol->outer;
    return symbol;
}

Symbol *scope_value(Eraser *e, const Name *name, Frame **out_frame)
{
    Symbol *local = value_of(lookup(e, NULL, name));

    *out_frame = NULL;
    for (Frame *frame = e->frame; frame; frame = frame->outer) {
        if (local && local->depth >= frame->depth)
            break;
        Symbol *found = frame_member(e, frame, name);
        if (found) {
            *out_frame = frame;
            return found;
        }
    }
    return local;
}

void frame_enter(Eraser *e, Frame *frame, Symbol *symbol, const Node *name, uint16_t kind)
{
    *frame = (Frame){.outer = e->frame,
                     .symbol = symbol,
                     .name = as_identifier(name)->name,
                     .depth = e->depth,
                     .kind = kind};
    e->frame = frame;
}

/* Note a use. In which namespace or enum that name is a member, if it is one of those around. */
static Frame *use(Eraser *e, const Name *name)
{
    Frame *frame;

    if (!name->spare)
        return NULL;
    Symbol *symbol = scope_value(e, name, &frame);
    if (symbol)
        symbol->flags |= SYMBOL_USED;
    if (frame) { /* between here and there, something may hide its name */
        const Symbol *own = value_of(lookup(e, NULL, frame->name));
        frame->taken |= own && own->depth > frame->depth;
    }
    return frame;
}

void visit_reference(Eraser *e, Node *node)
{
    Frame *frame = use(e, as_identifier(node)->name);

    if (frame)
        edit(e, (Edit){.at = node->start, .text = PARAMETER ".", .frame = frame});
}

void visit_shorthand(Eraser *e, Node *node)
{
    Node *name_node = as_property_assignment(node)->name;
    Name *name = as_identifier(name_node)->name;
    Frame *frame = use(e, name);

    if (frame)
        edit(e, (Edit){.at = name_node->end,
                       .text = text_of(e, ": " PARAMETER ".%s", name->text),
                       .frame = frame});
}
