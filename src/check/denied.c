#include "denied.h"

#include <string.h>

#include "rules.h"

enum { NAMES_MAX = 64, PATH_MAX_BYTES = RULES_PATTERN_MAX, DEEPEST = SYNTAX_HEIGHT_MAX };

/* A name of the program that stands for a package, or for a function of one. */
typedef struct Subject {
    const Name *name;
    const char *stands_for; /* "hub", "hub.send" */
    bool global;
    bool doubtful; /* it may mean something else somewhere */
} Subject;

typedef struct DeniedCall {
    struct DeniedCall *next;
    const Node *node;
    const Subject *subject;
    const char *function;
} DeniedCall;

typedef struct Looker {
    Arena *arena;
    const Offer *offer;
    Subject subjects[NAMES_MAX];
    size_t count;
    DeniedCall *calls, **next;
    const Node *parent;
    bool makes_globals;
    unsigned depth;
} Looker;

static Subject *subject_of(Looker *looker, const Name *name)
{
    for (size_t i = 0; i < looker->count; i++) {
        if (looker->subjects[i].name == name)
            return &looker->subjects[i];
    }
    return NULL;
}

static Subject *add_subject(Looker *looker, const Node *node, const char *stands_for, bool global)
{
    Subject *subject;

    if (!node || node->kind != NODE_IDENTIFIER || !stands_for || looker->count == NAMES_MAX)
        return NULL;
    subject = subject_of(looker, as_identifier(node)->name);
    if (subject) {
        subject->doubtful = true;
        return NULL;
    }
    subject = &looker->subjects[looker->count++];
    *subject = (Subject){as_identifier(node)->name, stands_for, global, false};
    return subject;
}

/* ---- imports ---- */

static void take_specifier(Looker *looker, const Node *node, const char *package)
{
    const Specifier *specifier = as_specifier(node);
    const Node *outside = specifier->property_name ? specifier->property_name : specifier->name;
    const Name *name = outside->kind == NODE_IDENTIFIER ? as_identifier(outside)->name : NULL;
    bool whole = name && name->length == 7 && memcmp(name->text, "default", 7) == 0;

    if (!specifier->type_only && name)
        (void)add_subject(
            looker, specifier->name,
            whole ? package : arena_printf(looker->arena, "%s.%s", package, name->text), false);
}

static void take_import(Looker *looker, const Node *node)
{
    const ImportDeclaration *import = as_import_declaration(node);
    const ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;
    const char *package;

    if (!clause || clause->phase == TOKEN_TYPE || !import->module ||
        import->module->kind != NODE_STRING_LITERAL || !as_literal(import->module)->text)
        return;
    package = as_literal(import->module)->text->text;
    (void)add_subject(looker, clause->name, package, false);
    if (clause->bindings && clause->bindings->kind == NODE_NAMESPACE_IMPORT)
        (void)add_subject(looker, as_unary(clause->bindings)->expression, package, false);
    if (!clause->bindings || clause->bindings->kind != NODE_NAMED_IMPORTS)
        return;
    const NodeList *list = as_list(clause->bindings)->list;
    for (uint32_t i = 0; list && i < list->count; i++)
        take_specifier(looker, list->at[i], package);
}

/* ---- calls ---- */

static bool is_known_function(const Offer *offer, const char *function)
{
    const char *dot = strrchr(function, '.');

    for (size_t i = 0; i < offer->count; i++) {
        if (strcmp(offer->functions[i].name, function) == 0)
            return true;
    }
    for (size_t i = 0; dot && i < offer->declared_count; i++) {
        if (strlen(offer->declared[i]) == (size_t)(dot - function) &&
            memcmp(offer->declared[i], function, (size_t)(dot - function)) == 0)
            return true;
    }
    return false;
}

/* ".issues.list" of github.issues.list, and its root. False if it is no plain access. */
static bool read_access(const Node *node, char path[PATH_MAX_BYTES], const char **out_path,
                        const Node **out_root)
{
    size_t at = PATH_MAX_BYTES - 1;

    path[at] = 0;
    for (; node->kind == NODE_PROPERTY_ACCESS; node = as_property_access(node)->expression) {
        const Node *name = as_property_access(node)->name;
        const Name *text = name->kind == NODE_IDENTIFIER ? as_identifier(name)->name : NULL;
        if (!text || text->length + 1 > at)
            return false;
        at -= text->length;
        memcpy(path + at, text->text, text->length);
        path[--at] = '.';
    }
    *out_path = path + at;
    *out_root = node;
    return node->kind == NODE_IDENTIFIER;
}

static void look_at_call(Looker *looker, const Node *node)
{
    char path[PATH_MAX_BYTES];
    const char *rest, *function;
    const Node *root;
    const Clause *clause;
    Subject *subject;

    if (node->flags & NODE_FLAG_CHAIN ||
        !read_access(as_call_expression(node)->expression, path, &rest, &root))
        return;
    subject = subject_of(looker, as_identifier(root)->name);
    function = arena_printf(looker->arena, "%s%s",
                            subject ? subject->stands_for : as_identifier(root)->name->text, rest);
    if (!function || !is_known_function(looker->offer, function) ||
        !rules_denies_all(looker->offer->policy, function, &clause))
        return;
    if (!subject)
        subject = add_subject(looker, root, as_identifier(root)->name->text, true);
    DeniedCall *call = subject ? ARENA_NEW(looker->arena, DeniedCall) : NULL;
    if (!call)
        return;
    *call = (DeniedCall){.node = node, .subject = subject, .function = function};
    *looker->next = call;
    looker->next = &call->next;
}

static bool find_calls(Node *node, void *context)
{
    Looker *looker = context;

    if (node->kind == NODE_CALL_EXPRESSION)
        look_at_call(looker, node);
    if (looker->depth == DEEPEST)
        return true;
    looker->depth++;
    (void)tree_each_child(node, find_calls, looker);
    looker->depth--;
    return true;
}

/* ---- doubts ---- */

/* Where a name is only used. Everywhere else it might be bound, or given another value. */
static bool is_use(const Node *parent, const Node *node)
{
    switch (parent->kind) {
    case NODE_VARIABLE_DECLARATION:
        return node != as_variable_declaration(parent)->name;
    case NODE_BINARY_EXPRESSION:
        return node != as_binary(parent)->left || as_binary(parent)->token == TOKEN_PLUS;
    case NODE_PROPERTY_ACCESS:
    case NODE_CALL_EXPRESSION:
    case NODE_NEW_EXPRESSION:
    case NODE_AWAIT_EXPRESSION:
    case NODE_PARENTHESIZED_EXPRESSION:
    case NODE_ARRAY_LITERAL:
    case NODE_ARROW_FUNCTION:
    case NODE_CONDITIONAL_EXPRESSION:
    case NODE_TYPEOF_EXPRESSION:
    case NODE_RETURN_STATEMENT:
    case NODE_EXPRESSION_STATEMENT:
    case NODE_TEMPLATE_SPAN:
    case NODE_PROPERTY_ASSIGNMENT:
    case NODE_IMPORT_SPECIFIER:
    case NODE_IMPORT_CLAUSE:
    case NODE_NAMESPACE_IMPORT:
        return true;
    default:
        return false;
    }
}

static bool is_one_of(const Name *name, const char *words)
{
    const char *at = words;

    while ((at = memmem(at, strlen(at), name->text, name->length)) != NULL) {
        if (at[-1] == ' ' && at[name->length] == ' ')
            return true;
        at++;
    }
    return false;
}

static bool find_doubts(Node *node, void *context)
{
    Looker *looker = context;
    const Node *before = looker->parent;

    if (node->kind == NODE_IDENTIFIER && before) {
        const Name *name = as_identifier(node)->name;
        Subject *subject = subject_of(looker, name);
        if (subject && !is_use(before, node))
            subject->doubtful = true;
        if (name->length > 0 && is_one_of(name, " globalThis defineProperty defineProperties "
                                                "Reflect "))
            looker->makes_globals = true;
        return true;
    }
    if (looker->depth == DEEPEST)
        return true;
    looker->depth++;
    looker->parent = node;
    (void)tree_each_child(node, find_doubts, looker);
    looker->parent = before;
    looker->depth--;
    return true;
}

static bool is_sure(const Looker *looker, const Subject *subject)
{
    if (subject->doubtful || (subject->global && looker->makes_globals))
        return false;
    for (size_t i = 0; subject->global && i < looker->offer->input_count; i++) {
        if (strcmp(looker->offer->inputs[i], subject->name->text) == 0)
            return false;
    }
    return true;
}

void advise_denied(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings)
{
    const NodeList *list = file->statements;
    Looker looker = {.arena = arena, .offer = offer, .next = &looker.calls};

    if (!offer->policy)
        return;
    for (uint32_t i = 0; list && i < list->count; i++) {
        if (list->at[i]->kind == NODE_IMPORT_DECLARATION)
            take_import(&looker, list->at[i]);
    }
    (void)tree_each_child(&file->node, find_calls, &looker);
    if (!looker.calls)
        return;
    looker.parent = &file->node;
    (void)tree_each_child(&file->node, find_doubts, &looker);
    for (const DeniedCall *call = looker.calls; call; call = call->next) {
        const Clause *clause = NULL;
        if (!is_sure(&looker, call->subject))
            continue;
        (void)rules_denies_all(offer->policy, call->function, &clause);
        const char *message =
            arena_printf(arena, "%.200s is denied by the policy (rule \"%s\")%s%s", call->function,
                         clause ? clause->pattern : "default", clause && clause->reason ? ": " : "",
                         clause && clause->reason ? clause->reason : "");
        if (message)
            findings_add(findings, "TN1301", TN_SEVERITY_ERROR,
                         (Span){call->node->start, call->node->end}, message);
    }
}
