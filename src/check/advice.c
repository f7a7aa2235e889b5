#include "advice.h"

#include <string.h>

#include "absent.h"
#include "ambient.h"
#include "denied.h"
#include "unseen.h"

/* What a name of the program stands for, as far as this file cares. */
typedef enum Meaning { MEANS_OTHER, MEANS_ASYNC, MEANS_HOST } Meaning;

typedef struct Known {
    const Name *name; /* NULL: an empty place */
    Meaning meaning;
    unsigned declared; /* how often: a name that is declared twice is left alone */
    unsigned used;
} Known;

typedef struct Adviser {
    Arena *arena;
    const SourceFile *file;
    const Offer *offer;
    Findings *findings;
    Known *known; /* open addressing by the name's hash: `known_mask` + 1 places */
    uint32_t known_mask;
    const Node *last; /* the last statement: its value is the program's, and awaited */
    unsigned depth;
} Adviser;

enum { DEEPEST = SYNTAX_HEIGHT_MAX };

static void say(Adviser *adviser, const char *code, tn_severity severity, const Node *node,
                const char *message)
{
    if (message)
        findings_add(adviser->findings, code, severity, (Span){node->start, node->end}, message);
}

static bool is_text(const Name *name, const char *text)
{
    return name->length == strlen(text) && memcmp(name->text, text, name->length) == 0;
}

/* ---- names ---- */

/* Its place, or the empty one where it would be. */
static Known *place_of(const Adviser *adviser, const Name *name)
{
    uint32_t at = name->hash & adviser->known_mask;

    while (adviser->known[at].name && adviser->known[at].name != name)
        at = (at + 1) & adviser->known_mask;
    return &adviser->known[at];
}

static Known *known_of(const Adviser *adviser, const Name *name)
{
    Known *known = place_of(adviser, name);

    return known->name ? known : NULL;
}

static void declare(Adviser *adviser, const Node *name, Meaning meaning)
{
    if (!name || name->kind != NODE_IDENTIFIER)
        return;
    Known *known = place_of(adviser, as_identifier(name)->name);
    if (!known->name)
        *known = (Known){.name = as_identifier(name)->name, .meaning = meaning};
    known->declared++;
    if (known->meaning != meaning)
        known->meaning = MEANS_OTHER;
}

static bool is_async(const Node *function)
{
    return function &&
           (function->kind == NODE_FUNCTION_DECLARATION ||
            function->kind == NODE_FUNCTION_EXPRESSION || function->kind == NODE_ARROW_FUNCTION) &&
           (modifiers_of(as_function(function)->modifiers) & MODIFIER_ASYNC) != 0 &&
           as_function(function)->asterisk == 0;
}

static const OfferedFunction *offered(const Adviser *adviser, const char *package, size_t length,
                                      const Name *function)
{
    for (size_t i = 0; i < adviser->offer->count; i++) {
        const char *name = adviser->offer->functions[i].name;
        if (strncmp(name, package, length) == 0 && name[length] == '.' &&
            strlen(name + length + 1) == function->length &&
            memcmp(name + length + 1, function->text, function->length) == 0)
            return &adviser->offer->functions[i];
    }
    return NULL;
}

/* ---- imports ---- */

static size_t package_length(const char *function)
{
    const char *dot = strrchr(function, '.');

    return dot ? (size_t)(dot - function) : 0;
}

static bool is_package(const Adviser *adviser, const Name *name)
{
    for (size_t i = 0; i < adviser->offer->count; i++) {
        const char *function = adviser->offer->functions[i].name;
        if (package_length(function) == name->length &&
            memcmp(function, name->text, name->length) == 0)
            return true;
    }
    return false;
}

/* Its types are known, so the check knows what is right; that it is not provided is said at a run.
 */
static bool is_declared(const Adviser *adviser, const Name *name)
{
    for (size_t i = 0; i < adviser->offer->declared_count; i++) {
        if (is_text(name, adviser->offer->declared[i]))
            return true;
    }
    return false;
}

static void refuse_package(Adviser *adviser, const Node *module)
{
    const Name *name = as_literal(module)->text;
    const char **words = ARENA_ARRAY(adviser->arena, const char *, adviser->offer->count + 1);
    size_t count = 0;

    for (size_t i = 0; words && i < adviser->offer->count; i++) {
        const char *function = adviser->offer->functions[i].name;
        words[count] = arena_text(adviser->arena, function, package_length(function));
        if (words[count] && (count == 0 || strcmp(words[count], words[count - 1]) != 0))
            count++;
    }
    const char *meant = spelling_nearest(name->text, name->length, words, count);
    say(adviser, "TN1104", TN_SEVERITY_ERROR, module,
        meant ? arena_printf(adviser->arena,
                             "there is no package \"%.100s\" to import; did you mean \"%s\"?",
                             name->text, meant)
        : count > 0
            ? arena_printf(adviser->arena, "there is no package \"%.100s\" to import", name->text)
            : arena_printf(adviser->arena,
                           "there is no package \"%.100s\" to import: this run has no packages",
                           name->text));
}

static void refuse_function(Adviser *adviser, const Node *node, const Name *package,
                            const Name *name)
{
    const char **words = ARENA_ARRAY(adviser->arena, const char *, adviser->offer->count + 1);
    size_t count = 0;

    for (size_t i = 0; words && i < adviser->offer->count; i++) {
        const char *function = adviser->offer->functions[i].name;
        if (package_length(function) == package->length &&
            memcmp(function, package->text, package->length) == 0)
            words[count++] = function + package->length + 1;
    }
    const char *meant = spelling_nearest(name->text, name->length, words, count);
    say(adviser, "TN1105", TN_SEVERITY_ERROR, node,
        meant ? arena_printf(adviser->arena,
                             "package \"%s\" has no function \"%.100s\"; did you mean \"%s\"?",
                             package->text, name->text, meant)
              : arena_printf(adviser->arena, "package \"%s\" has no function \"%.100s\"",
                             package->text, name->text));
}

static void take_specifier(Adviser *adviser, const Node *node, const Name *package)
{
    const Specifier *specifier = as_specifier(node);
    const Node *outside = specifier->property_name ? specifier->property_name : specifier->name;
    const Name *name = outside->kind == NODE_STRING_LITERAL ? as_literal(outside)->text
                                                            : as_identifier(outside)->name;
    const OfferedFunction *function;

    if (specifier->type_only || !name || (outside->flags & NODE_FLAG_MISSING))
        return;
    function = offered(adviser, package->text, package->length, name);
    if (!function && !is_text(name, "default"))
        refuse_function(adviser, outside, package, name);
    declare(adviser, specifier->name,
            function && function->gives_promise ? MEANS_HOST : MEANS_OTHER);
}

static void take_import(Adviser *adviser, const Node *node)
{
    const ImportDeclaration *import = as_import_declaration(node);
    const ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;
    const Name *package;

    if (!import->module || import->module->kind != NODE_STRING_LITERAL ||
        !(package = as_literal(import->module)->text) || (clause && clause->phase == TOKEN_TYPE))
        return;
    if (!is_package(adviser, package)) {
        if (!is_declared(adviser, package))
            refuse_package(adviser, import->module);
        return;
    }
    if (!clause || !clause->bindings || clause->bindings->kind != NODE_NAMED_IMPORTS)
        return;
    const NodeList *list = as_list(clause->bindings)->list;
    for (uint32_t i = 0; list && i < list->count; i++)
        take_specifier(adviser, list->at[i], package);
}

/* ---- the walks ---- */

static void descend(Adviser *adviser, const Node *node, NodeVisitor visit)
{
    if (adviser->depth == DEEPEST)
        return;
    adviser->depth++;
    (void)tree_each_child(node, visit, adviser);
    adviser->depth--;
}

/* ---- the first walk: what names mean, and whether they are used ---- */

static bool note_names(Node *node, void *context)
{
    Adviser *adviser = context;

    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
        declare(adviser, as_function(node)->name, is_async(node) ? MEANS_ASYNC : MEANS_OTHER);
        break;
    case NODE_VARIABLE_DECLARATION:
        declare(adviser, as_variable_declaration(node)->name,
                is_async(as_variable_declaration(node)->initializer) ? MEANS_ASYNC : MEANS_OTHER);
        break;
    case NODE_PARAMETER:
        declare(adviser, as_parameter(node)->name, MEANS_OTHER);
        break;
    case NODE_BINDING_ELEMENT:
        declare(adviser, as_binding_element(node)->name, MEANS_OTHER);
        break;
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
        declare(adviser, as_class(node)->name, MEANS_OTHER);
        break;
    case NODE_IMPORT_DECLARATION:
        take_import(adviser, node);
        return true;
    case NODE_IDENTIFIER: {
        Known *known = known_of(adviser, as_identifier(node)->name);
        if (known)
            known->used++;
        break;
    }
    default:
        break;
    }
    descend(adviser, node, note_names);
    return true;
}

/* ---- promises ---- */

/* The path of a plain access, "github.issues.list", backwards into `out`; 0 if it is none. */
static size_t access_path(const Node *node, char *out, size_t size)
{
    size_t at = size;

    for (;;) {
        const Node *name =
            node->kind == NODE_PROPERTY_ACCESS ? as_property_access(node)->name : node;
        if (name->kind != NODE_IDENTIFIER)
            return 0;
        const Name *text = as_identifier(name)->name;
        if (text->length + 1 > at)
            return 0;
        at -= text->length;
        memcpy(out + at, text->text, text->length);
        if (node == name)
            return size - at;
        out[--at] = '.';
        node = as_property_access(node)->expression;
    }
}

static const Node *root_of(const Node *node)
{
    while (node->kind == NODE_PROPERTY_ACCESS)
        node = as_property_access(node)->expression;
    return node;
}

static bool is_combinator(const char *path, size_t length)
{
    static const char *const all[] = {"Promise.all", "Promise.allSettled", "Promise.any",
                                      "Promise.race"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (length == strlen(all[i]) && memcmp(path, all[i], length) == 0)
            return true;
    }
    return false;
}

/* Is this surely a promise? Calls of async functions of the program, of the host's, combinators. */
static bool gives_promise(Adviser *adviser, const Node *node)
{
    char path[200];
    const Node *callee;

    while (node->kind == NODE_PARENTHESIZED_EXPRESSION && as_unary(node)->expression)
        node = as_unary(node)->expression;
    if (node->kind != NODE_CALL_EXPRESSION || (node->flags & NODE_FLAG_CHAIN))
        return false;
    callee = as_call_expression(node)->expression;
    if (callee->kind == NODE_IDENTIFIER) {
        const Known *known = known_of(adviser, as_identifier(callee)->name);
        return known && known->declared == 1 && known->meaning != MEANS_OTHER;
    }
    size_t length = access_path(callee, path, sizeof path);
    const Node *root = root_of(callee);
    if (length == 0 || known_of(adviser, as_identifier(root)->name))
        return false;
    const char *start = path + sizeof path - length;
    if (is_combinator(start, length))
        return true;
    for (size_t i = 0; i < adviser->offer->count; i++) {
        const OfferedFunction *function = &adviser->offer->functions[i];
        if (function->gives_promise && strlen(function->name) == length &&
            memcmp(function->name, start, length) == 0)
            return true;
    }
    return false;
}

static void look_at_statement(Adviser *adviser, const Node *node)
{
    const Node *expression = as_unary(node)->expression;

    if (node != adviser->last && expression && gives_promise(adviser, expression))
        say(adviser, "TN1102", TN_SEVERITY_WARNING, expression,
            "this promise is dropped: await it, or what it does may be lost with its errors");
}

static void look_at_text(Adviser *adviser, const Node *expression)
{
    if (expression && gives_promise(adviser, expression))
        say(adviser, "TN1103", TN_SEVERITY_WARNING, expression,
            "a promise as text is \"[object Promise]\": await it");
}

static bool is_string(const Node *node)
{
    return node->kind == NODE_STRING_LITERAL || node->kind == NODE_NO_SUBSTITUTION_TEMPLATE ||
           node->kind == NODE_TEMPLATE_EXPRESSION;
}

static void look_at_sum(Adviser *adviser, const Node *node)
{
    const Binary *sum = as_binary(node);

    if (sum->token != TOKEN_PLUS)
        return;
    if (is_string(sum->left))
        look_at_text(adviser, sum->right);
    if (is_string(sum->right))
        look_at_text(adviser, sum->left);
}

/* The second walk. Templates of types are not entered: no type is. */
static bool look(Node *node, void *context)
{
    Adviser *adviser = context;

    switch (node->kind) {
    case NODE_EXPRESSION_STATEMENT:
        look_at_statement(adviser, node);
        break;
    case NODE_TEMPLATE_SPAN:
        look_at_text(adviser, as_template_span(node)->expression);
        break;
    case NODE_BINARY_EXPRESSION:
        look_at_sum(adviser, node);
        break;
    default:
        break;
    }
    descend(adviser, node, look);
    return true;
}

/* ---- the top level ---- */

static bool only_declares(const Node *node)
{
    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
    case NODE_TYPE_ALIAS_DECLARATION:
    case NODE_IMPORT_DECLARATION:
    case NODE_EMPTY_STATEMENT:
        return true;
    default:
        return false;
    }
}

/* The one function that is declared last and never named again, if the program does nothing. */
static const Node *idle_function(Adviser *adviser)
{
    const NodeList *statements = adviser->file->statements;
    const Node *found = NULL;

    for (uint32_t i = 0; i < statements->count; i++) {
        const Node *node = statements->at[i];
        if (!only_declares(node) || (modifiers_of(node_modifiers(node)) & MODIFIER_EXPORT))
            return NULL;
        if (node->kind == NODE_FUNCTION_DECLARATION && as_function(node)->body)
            found = node;
    }
    const Node *name = found ? as_function(found)->name : NULL;
    const Known *known =
        name && name->kind == NODE_IDENTIFIER ? known_of(adviser, as_identifier(name)->name) : NULL;
    return known && known->declared == 1 && known->used <= 1 ? found : NULL;
}

static void look_at_top(Adviser *adviser)
{
    const NodeList *statements = adviser->file->statements;
    const Node *idle = idle_function(adviser);
    bool returned = false;

    for (uint32_t i = 0; i < statements->count; i++) {
        const Node *node = statements->at[i];
        if (returned && !only_declares(node)) {
            say(adviser, "TN1106", TN_SEVERITY_WARNING, node,
                "this is never run: the program has returned before it");
            break;
        }
        returned = returned || node->kind == NODE_RETURN_STATEMENT;
    }
    if (idle) {
        const Name *name = as_identifier(as_function(idle)->name)->name;
        say(adviser, "TN1107", TN_SEVERITY_WARNING, as_function(idle)->name,
            arena_printf(adviser->arena,
                         "nothing is run: %.100s is declared and never called; end the program "
                         "with   return %s%.100s();",
                         name->text, is_async(idle) ? "await " : "", name->text));
    }
}

void advise(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings)
{
    Adviser adviser = {.arena = arena, .file = file, .offer = offer, .findings = findings};
    const NodeList *statements = file->statements;

    /* as large as the table of all names, which is never more than half full */
    adviser.known_mask = file->names->mask;
    adviser.known = ARENA_ARRAY(arena, Known, (size_t)adviser.known_mask + 1);
    if (!statements || !adviser.known)
        return;
    if (statements->count > 0)
        adviser.last = statements->at[statements->count - 1];
    (void)tree_each_child(&file->node, note_names, &adviser);
    (void)tree_each_child(&file->node, look, &adviser);
    look_at_top(&adviser);
    advise_ambient(arena, file, offer, findings);
    advise_absent(file, offer, findings);
    advise_denied(arena, file, offer, findings);
    advise_unseen(arena, file, offer, findings);
}
