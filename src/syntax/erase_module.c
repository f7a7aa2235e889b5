#include "eraser.h"

#include <string.h>

/* An import, to be looked at when all uses are known. */
typedef struct Elision {
    struct Elision *next;
    Node *import;
    const Node *before;
} Elision;

/* ---- whose names count ---- */

static void watch_name(Eraser *e, Node *name)
{
    if (name && name->kind == NODE_IDENTIFIER)
        watch(e, as_identifier(name)->name);
}

static void watch_import(Eraser *e, const ImportDeclaration *import)
{
    ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;

    if (!clause)
        return;
    watch_name(e, clause->name);
    if (!clause->bindings)
        return;
    if (clause->bindings->kind == NODE_NAMESPACE_IMPORT) {
        watch_name(e, as_unary(clause->bindings)->expression);
        return;
    }
    NodeList *list = as_list(clause->bindings)->list;
    for (uint32_t i = 0; i < list->count; i++)
        watch_name(e, as_specifier(list->at[i])->name);
}

static Node *local_name(const Specifier *specifier)
{
    return specifier->property_name ? specifier->property_name : specifier->name;
}

static void watch_export(Eraser *e, const ExportDeclaration *export)
{
    if (export->module || !export->clause || export->clause->kind != NODE_NAMED_EXPORTS)
        return;
    NodeList *list = as_list(export->clause)->list;
    for (uint32_t i = 0; i < list->count; i++)
        watch_name(e, local_name(as_specifier(list->at[i])));
}

void module_watch(Eraser *e, const NodeList *statements)
{
    for (uint32_t i = 0; i < statements->count; i++) {
        Node *one = statements->at[i];
        if (one->kind == NODE_IMPORT_DECLARATION)
            watch_import(e, as_import_declaration(one));
        else if (one->kind == NODE_EXPORT_DECLARATION)
            watch_export(e, as_export_declaration(one));
        else if (one->kind == NODE_EXPORT_ASSIGNMENT)
            watch_name(e, as_export_assignment(one)->expression);
    }
}

/* ---- imports ---- */

Node *visit_import(Eraser *e, Node *node, const Node *before)
{
    ImportDeclaration *import = as_import_declaration(node);
    Elision *elision;

    blank_modifiers(e, import->modifiers, ~(uint32_t)0);
    if (!import->clause || e->depth != 1) /* only a file imports */
        return NULL;
    if (as_import_clause(import->clause)->phase == TOKEN_TYPE) {
        remove_statement(e, node, before);
        return NULL;
    }
    elision = ARENA_NEW(e->arena, Elision);
    if (elision) {
        *elision = (Elision){e->elisions, node, before};
        e->elisions = elision;
    }
    return NULL;
}

static bool is_used(Eraser *e, const Node *name)
{
    const Symbol *symbol = scope_any(e, as_identifier(name)->name);

    return symbol && (symbol->flags & (SYMBOL_USED | SYMBOL_LOCAL)) == SYMBOL_USED;
}

static bool keeps_specifier(Eraser *e, const Specifier *one)
{
    return !one->type_only && is_used(e, one->name);
}

static bool keeps_bindings(Eraser *e, const Node *bindings)
{
    if (!bindings)
        return false;
    if (bindings->kind == NODE_NAMESPACE_IMPORT)
        return is_used(e, as_unary(bindings)->expression);
    NodeList *list = as_list(bindings)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (keeps_specifier(e, as_specifier(list->at[i])))
            return true;
    }
    return false;
}

/* A specifier and the comma behind it; one comma too many at the end is allowed. */
static void blank_specifier(Eraser *e, const Node *specifier)
{
    uint32_t comma = skip_trivia(e, specifier->end);

    blank(e, specifier->start, specifier->end);
    if (e->source->text[comma] == ',')
        blank(e, comma, comma + 1);
}

static void settle_import(Eraser *e, const Elision *elision)
{
    ImportClause *clause = as_import_clause(as_import_declaration(elision->import)->clause);
    bool keeps_name = clause->name && is_used(e, clause->name);
    bool keeps_rest = keeps_bindings(e, clause->bindings);

    if (!keeps_name && !keeps_rest) {
        remove_statement(e, elision->import, elision->before);
        return;
    }
    if (clause->name && !keeps_name)
        blank_specifier(e, clause->name);
    if (clause->bindings && !keeps_rest) {
        blank(e, skip_trivia(e, clause->name->end), clause->bindings->end);
        return;
    }
    if (!clause->bindings || clause->bindings->kind != NODE_NAMED_IMPORTS)
        return;
    NodeList *list = as_list(clause->bindings)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!keeps_specifier(e, as_specifier(list->at[i])))
            blank_specifier(e, list->at[i]);
    }
}

void settle_imports(Eraser *e)
{
    for (const Elision *one = e->elisions; one; one = one->next)
        settle_import(e, one);
}

/* ---- exports ---- */

static bool may_be_value(Eraser *e, const ImportEquals *alias);

/* Is a name known, and known to be a type and nothing else? If not, it is used. */
static bool is_only_type(Eraser *e, const Node *name)
{
    if (name->kind != NODE_IDENTIFIER)
        return false;
    Symbol *symbol = scope_any(e, as_identifier(name)->name);
    if (!symbol)
        return false;
    if (symbol->flags & SYMBOL_ALIAS &&
        symbol->declaration->kind == NODE_IMPORT_EQUALS_DECLARATION &&
        !may_be_value(e, as_import_equals(symbol->declaration)))
        return true;
    symbol->flags |= SYMBOL_USED;
    return !(symbol->flags & SYMBOL_VALUE);
}

Node *visit_export(Eraser *e, Node *node, const Node *before)
{
    ExportDeclaration *export = as_export_declaration(node);
    uint32_t kept = 0;

    if (!export->clause || export->clause->kind != NODE_NAMED_EXPORTS)
        return NULL;
    NodeList *list = as_list(export->clause)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        Specifier *one = as_specifier(list->at[i]);
        if (one->type_only || (!export->module && is_only_type(e, local_name(one))))
            blank_specifier(e, list->at[i]);
        else
            kept++;
    }
    if (kept == 0)
        remove_statement(e, node, before);
    return NULL;
}

/* `export default expression`, `export = expression` */
Node *visit_export_assignment(Eraser *e, Node *node, const Node *before)
{
    ExportAssignment *assignment = as_export_assignment(node);

    if (is_only_type(e, assignment->expression)) {
        remove_statement(e, node, before);
        return NULL;
    }
    if (assignment->equals) {
        refuse(e, "TN1024", (Span){node->start, assignment->equals + 1},
               "`export =` is not available in modules; write `export default`.");
        blank(e, node->start, assignment->equals);
        edit(e, (Edit){.at = node->start,
                       .after = assignment->equals - node->start,
                       .text = "module.exports "});
        e->lowered |= LOWERED_EXPORT_EQUALS;
    }
    return assignment->expression;
}

/* ---- import name = reference ---- */

static Node *head_node(Node *entity)
{
    while (entity->kind == NODE_QUALIFIED_NAME)
        entity = as_qualified_name(entity)->left;
    return entity->kind == NODE_IDENTIFIER ? entity : NULL;
}

Name *entity_head(Node *entity)
{
    Node *head = head_node(entity);

    return head ? as_identifier(head)->name : NULL;
}

static void visit_entity(Eraser *e, Node *entity)
{
    Node *head = head_node(entity);

    if (head)
        visit_reference(e, head);
}

static Symbol *any_meaning(Eraser *e, const Name *name)
{
    Frame *frame;
    Symbol *symbol = scope_value(e, name, &frame);

    if (!symbol)
        symbol = scope_any(e, name);
    for (frame = e->frame; frame && !symbol; frame = frame->outer)
        symbol = symbol_export(e, frame->symbol, name);
    return symbol;
}

static Symbol *entity_symbol(Eraser *e, const Node *entity)
{
    if (entity->kind == NODE_IDENTIFIER)
        return any_meaning(e, as_identifier(entity)->name);
    if (entity->kind != NODE_QUALIFIED_NAME)
        return NULL;
    Symbol *left = entity_symbol(e, as_qualified_name(entity)->left);
    const Node *right = as_qualified_name(entity)->right;
    return left && right->kind == NODE_IDENTIFIER
               ? symbol_export(e, left, as_identifier(right)->name)
               : NULL;
}

/* What is not known may be a value. */
static bool may_be_value(Eraser *e, const ImportEquals *alias)
{
    const Symbol *target = entity_symbol(e, alias->reference);

    return !target || target->flags & SYMBOL_VALUE;
}

static Symbol *use_head(Eraser *e, const ImportEquals *alias)
{
    Name *head = entity_head(alias->reference);
    Symbol *symbol = head && head->spare ? any_meaning(e, head) : NULL;

    if (symbol)
        symbol->flags |= SYMBOL_USED;
    return symbol;
}

void settle_alias(Eraser *e, Symbol *alias)
{
    enum { WANTED = SYMBOL_ALIAS | SYMBOL_USED };

    while (alias && (alias->flags & (WANTED | SYMBOL_SETTLED)) == WANTED &&
           alias->depth == e->depth) {
        alias->flags |= SYMBOL_SETTLED;
        alias = use_head(e, as_import_equals(alias->declaration));
    }
}

static void write_alias(Eraser *e, Node *node, uint32_t word)
{
    bool is_require = as_import_equals(node)->reference->kind == NODE_EXTERNAL_MODULE_REFERENCE;
    const char *text = is_require ? "const" : "var";

    if (is_require)
        refuse(e, "TN1023", (Span){node->start, node->end},
               "`import a = require(...)` is not available in modules; write `import a from "
               "\"...\"` or `import * as a from \"...\"`.");
    blank_modifiers(e, as_import_equals(node)->modifiers, MODIFIER_DECLARE);
    blank(e, word, word + 6);
    for (uint32_t i = 0; text[i]; i++)
        put(e, word + i, text[i]);
    visit_entity(e, as_import_equals(node)->reference);
    e->lowered |= LOWERED_IMPORT_EQUALS;
}

/* Where `import` stands, behind `export` if that is there. */
static uint32_t import_word(const Eraser *e, const ImportEquals *alias)
{
    NodeList *modifiers = alias->modifiers;

    return modifiers && modifiers->count > 0
               ? skip_trivia(e, modifiers->at[modifiers->count - 1]->end)
               : alias->node.start;
}

/* An alias is written only if it is used. In a script, whose names others see, one at its top
 * is written anyway. */
void finish_alias(Eraser *e, const Symbol *alias)
{
    Node *node = alias->declaration;

    if (node->kind != NODE_IMPORT_EQUALS_DECLARATION || as_import_equals(node)->type_only)
        return;
    bool at_top = !e->file->module_mark && alias->depth == 1;
    if (alias->flags & SYMBOL_USED || (at_top && may_be_value(e, as_import_equals(node))))
        write_alias(e, node, import_word(e, as_import_equals(node)));
    else
        remove_statement(e, node, alias->before);
}

static void export_alias(Eraser *e, Node *node)
{
    ImportEquals *alias = as_import_equals(node);
    Name *name = as_identifier(alias->name)->name;

    (void)use_head(e, alias);
    if (is_exported_member(e, alias->modifiers)) {
        blank(e, node->start, alias->name->start);
        edit(e, (Edit){.at = alias->name->start,
                       .before = alias->name->start - node->start,
                       .text = PARAMETER ".",
                       .frame = e->frame});
        visit_entity(e, alias->reference);
        e->lowered |= LOWERED_IMPORT_EQUALS;
        return;
    }
    write_alias(e, node, import_word(e, alias));
    if (alias->reference->kind != NODE_EXTERNAL_MODULE_REFERENCE)
        return;
    blank_modifiers(e, alias->modifiers, MODIFIER_EXPORT);
    bool is_closed = e->source->text[node->end - 1] == ';';
    edit_text(e, node->end, text_of(e, "%s export { %s };", is_closed ? "" : ";", name->text));
}

Node *visit_import_equals(Eraser *e, Node *node, const Node *before)
{
    ImportEquals *alias = as_import_equals(node);

    if (alias->name->kind != NODE_IDENTIFIER)
        return NULL;
    if (!(modifiers_of(alias->modifiers) & MODIFIER_EXPORT)) {
        Symbol *symbol = scope_any(e, as_identifier(alias->name)->name);
        if (symbol && symbol->declaration == node)
            symbol->before = (Node *)(uintptr_t)before;
        else
            remove_statement(e, node, before); /* declared twice, as the check tells */
    } else if (may_be_value(e, alias)) {
        export_alias(e, node);
    } else {
        remove_statement(e, node, before);
    }
    return NULL;
}
