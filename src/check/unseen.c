/* Two walks. The first notes of each name how often it is declared, and of each member's name
 * whether the program writes it or asks whether it is there. The second goes through the text in
 * its order, gives names the places of what they are bound to, and looks at each access.
 *
 * Only what is certain is followed: names that are declared once, as constants or parameters of
 * callbacks, from the call on through members, elements and the methods of arrays. */
#include "unseen.h"

#include <stdio.h>
#include <string.h>

#include "base.h"

enum { DEEPEST = SYNTAX_HEIGHT_MAX, NAMES_TOLD = 8, RESULTS_LEAST = 2 };

/* A place of what a function gave. */
typedef struct Where {
    const OfferedFunction *function;
    const LearnedPlace *place; /* NULL: nothing is known */
} Where;

typedef struct Noted {
    const Name *name; /* NULL: an empty place */
    unsigned declared;
    bool assigned;                   /* as a variable */
    bool excused;                    /* as a member: written, or asked for */
    const OfferedFunction *function; /* it is imported */
    Where where;
} Noted;

typedef struct Watcher {
    Arena *arena;
    const Offer *offer;
    Findings *findings;
    Noted *noted; /* open addressing by the name's hash */
    uint32_t mask;
    bool writes_any; /* members are written by computed names */
    bool in_question;
    unsigned depth;
} Watcher;

static Noted *note_of(const Watcher *watcher, const Name *name)
{
    uint32_t at = name->hash & watcher->mask;

    while (watcher->noted[at].name && watcher->noted[at].name != name)
        at = (at + 1) & watcher->mask;
    watcher->noted[at].name = name;
    return &watcher->noted[at];
}

static Noted *note_of_node(const Watcher *watcher, const Node *node)
{
    return node && node->kind == NODE_IDENTIFIER ? note_of(watcher, as_identifier(node)->name)
                                                 : NULL;
}

static void descend(Watcher *watcher, const Node *node, NodeVisitor visit)
{
    if (watcher->depth == DEEPEST)
        return;
    watcher->depth++;
    (void)tree_each_child(node, visit, watcher);
    watcher->depth--;
}

static const Node *bare(const Node *node)
{
    while (node &&
           (node->kind == NODE_PARENTHESIZED_EXPRESSION || node->kind == NODE_NON_NULL_EXPRESSION))
        node = as_unary(node)->expression;
    return node;
}

/* ---- the first walk ---- */

static void excuse(Watcher *watcher, const Node *node)
{
    node = bare(node);
    Noted *noted = node && node->kind == NODE_PROPERTY_ACCESS
                       ? note_of_node(watcher, as_property_access(node)->name)
                       : NULL;
    if (noted)
        noted->excused = true;
}

static void declare(Watcher *watcher, const Node *name)
{
    Noted *noted = note_of_node(watcher, name);

    if (noted)
        noted->declared++;
}

static bool is_asking(uint32_t token)
{
    return token == TOKEN_QUESTION_QUESTION || token == TOKEN_BAR_BAR ||
           token == TOKEN_AMPERSAND_AMPERSAND || token == TOKEN_EQUALS_EQUALS ||
           token == TOKEN_EQUALS_EQUALS_EQUALS || token == TOKEN_EXCLAMATION_EQUALS ||
           token == TOKEN_EXCLAMATION_EQUALS_EQUALS;
}

static void note_binary(Watcher *watcher, const Binary *binary)
{
    const Node *left = bare(binary->left);

    if (is_asking(binary->token)) {
        excuse(watcher, left);
        excuse(watcher, binary->right);
    } else if (binary->token == TOKEN_IN && left->kind == NODE_STRING_LITERAL) {
        if (as_literal(left)->text)
            note_of(watcher, as_literal(left)->text)->excused = true;
    } else if (binary->token >= TOKEN_FIRST_ASSIGNMENT && binary->token <= TOKEN_LAST_ASSIGNMENT) {
        Noted *noted = note_of_node(watcher, left);
        if (noted)
            noted->assigned = true;
        else if (left->kind == NODE_ELEMENT_ACCESS)
            watcher->writes_any = true;
        excuse(watcher, left);
    }
}

/* `import { list as all } from "hub"` */
static void note_import(Watcher *watcher, const Node *node)
{
    const ImportDeclaration *import = as_import_declaration(node);
    const ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;
    const Name *package = import->module && import->module->kind == NODE_STRING_LITERAL
                              ? as_literal(import->module)->text
                              : NULL;
    const NodeList *list =
        clause && clause->bindings && clause->bindings->kind == NODE_NAMED_IMPORTS
            ? as_list(clause->bindings)->list
            : NULL;

    if (clause)
        declare(watcher, clause->name);
    if (clause && clause->bindings && clause->bindings->kind == NODE_NAMESPACE_IMPORT)
        declare(watcher, as_unary(clause->bindings)->expression);
    for (uint32_t i = 0; list && i < list->count; i++) {
        const Specifier *specifier = as_specifier(list->at[i]);
        const Node *outside = specifier->property_name ? specifier->property_name : specifier->name;
        Noted *noted = note_of_node(watcher, specifier->name);
        if (!noted)
            continue;
        noted->declared++;
        if (!package || specifier->type_only || outside->kind != NODE_IDENTIFIER)
            continue;
        const Name *name = as_identifier(outside)->name;
        for (size_t at = 0; at < watcher->offer->count; at++) {
            const char *offered = watcher->offer->functions[at].name;
            if (strncmp(offered, package->text, package->length) == 0 &&
                offered[package->length] == '.' &&
                strcmp(offered + package->length + 1, name->text) == 0)
                noted->function = &watcher->offer->functions[at];
        }
    }
}

static bool note(Node *node, void *context);

/* What stands in a condition is asked for. */
static void note_question(Watcher *watcher, const Node *node)
{
    bool before = watcher->in_question;

    watcher->in_question = true;
    if (node) {
        excuse(watcher, node);
        descend(watcher, node, note);
    }
    watcher->in_question = before;
}

static bool note(Node *node, void *context)
{
    Watcher *watcher = context;

    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
    case NODE_FUNCTION_EXPRESSION:
        declare(watcher, as_function(node)->name);
        break;
    case NODE_VARIABLE_DECLARATION:
        declare(watcher, as_variable_declaration(node)->name);
        break;
    case NODE_PARAMETER:
        declare(watcher, as_parameter(node)->name);
        break;
    case NODE_BINDING_ELEMENT:
        declare(watcher, as_binding_element(node)->name);
        break;
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
        declare(watcher, as_class(node)->name);
        break;
    case NODE_IMPORT_DECLARATION:
        note_import(watcher, node);
        return true;
    case NODE_BINARY_EXPRESSION:
        note_binary(watcher, as_binary(node));
        break;
    case NODE_PREFIX_UNARY:
    case NODE_POSTFIX_UNARY: {
        Noted *noted = note_of_node(watcher, bare(as_operator_unary(node)->operand));
        if (noted)
            noted->assigned = true;
        excuse(watcher, as_operator_unary(node)->operand);
        break;
    }
    case NODE_TYPEOF_EXPRESSION:
    case NODE_DELETE_EXPRESSION:
        excuse(watcher, as_unary(node)->expression);
        break;
    case NODE_IF_STATEMENT:
    case NODE_CONDITIONAL_EXPRESSION:
        note_question(watcher, as_conditional(node)->condition);
        break;
    case NODE_WHILE_STATEMENT:
    case NODE_DO_STATEMENT:
        note_question(watcher, as_loop(node)->expression);
        break;
    case NODE_PROPERTY_ASSIGNMENT: {
        Noted *noted = note_of_node(watcher, as_property(node)->name);
        if (noted)
            noted->excused = true;
        break;
    }
    case NODE_SHORTHAND_PROPERTY_ASSIGNMENT: {
        Noted *noted = note_of_node(watcher, as_property(node)->name);
        if (noted)
            noted->excused = true;
        break;
    }
    case NODE_PROPERTY_ACCESS:
        if (watcher->in_question)
            excuse(watcher, node);
        if (as_property_access(node)->question_dot)
            excuse(watcher, as_property_access(node)->expression);
        break;
    case NODE_ELEMENT_ACCESS:
        if (as_element_access(node)->question_dot)
            excuse(watcher, as_element_access(node)->expression);
        break;
    case NODE_CALL_EXPRESSION:
        if (as_call_expression(node)->question_dot)
            excuse(watcher, as_call_expression(node)->expression);
        break;
    default:
        break;
    }
    descend(watcher, node, note);
    return true;
}

/* ---- places ---- */

static const Where nowhere = {NULL, NULL};

static Where element_of(Where where)
{
    return (Where){where.function, learned_element(where.place)};
}

static bool is_name(const Node *node, const char *text)
{
    const Name *name = node && node->kind == NODE_IDENTIFIER ? as_identifier(node)->name : NULL;

    return name && name->length == strlen(text) && memcmp(name->text, text, name->length) == 0;
}

static bool is_one_of(const Node *node, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_name(node, names[i]))
            return true;
    }
    return false;
}

/* `hub.list`, `list` */
static const OfferedFunction *function_of(const Watcher *watcher, const Node *callee)
{
    if (callee->kind == NODE_IDENTIFIER) {
        const Noted *noted = note_of_node(watcher, callee);
        return noted->declared == 1 && !noted->assigned ? noted->function : NULL;
    }
    const Node *package =
        callee->kind == NODE_PROPERTY_ACCESS ? bare(as_property_access(callee)->expression) : NULL;
    const Node *member = package ? as_property_access(callee)->name : NULL;
    if (!package || package->kind != NODE_IDENTIFIER || member->kind != NODE_IDENTIFIER ||
        note_of_node(watcher, package)->declared > 0)
        return NULL;
    const Name *first = as_identifier(package)->name, *last = as_identifier(member)->name;
    for (size_t i = 0; i < watcher->offer->count; i++) {
        const char *name = watcher->offer->functions[i].name;
        if (strncmp(name, first->text, first->length) == 0 && name[first->length] == '.' &&
            strcmp(name + first->length + 1, last->text) == 0)
            return &watcher->offer->functions[i];
    }
    return NULL;
}

/* What a call, awaited, gives. */
static Where given_by(const Watcher *watcher, const Node *call)
{
    call = bare(call);
    if (!call || call->kind != NODE_CALL_EXPRESSION)
        return nowhere;
    const OfferedFunction *function = function_of(watcher, as_call_expression(call)->expression);
    if (!function || !function->learned || learned_results(function->learned) < RESULTS_LEAST)
        return nowhere;
    return (Where){function, learned_whole(function->learned)};
}

static Where where_is(const Watcher *watcher, const Node *node);

static Where member_of(const Watcher *watcher, const Node *base, const Name *name)
{
    Where where = where_is(watcher, base);
    const LearnedPlace *place;

    if (learned_member(where.place, name->text, name->length, &place) != LEARNED_SEEN)
        return nowhere;
    return (Where){where.function, place};
}

static Where called_on_array(const Watcher *watcher, const CallExpression *call)
{
    static const char *const gives_one[] = {"find", "findLast", "at", "pop", "shift"};
    static const char *const gives_all[] = {"filter", "slice",   "toSorted",
                                            "sort",   "reverse", "toReversed"};

    if (call->expression->kind != NODE_PROPERTY_ACCESS)
        return nowhere;
    const Node *method = as_property_access(call->expression)->name;
    Where base = where_is(watcher, as_property_access(call->expression)->expression);
    if (!learned_element(base.place))
        return nowhere;
    if (is_one_of(method, gives_one, COUNT_OF(gives_one)))
        return element_of(base);
    return is_one_of(method, gives_all, COUNT_OF(gives_all)) ? base : nowhere;
}

static Where where_is(const Watcher *watcher, const Node *node)
{
    node = bare(node);
    if (!node)
        return nowhere;
    switch (node->kind) {
    case NODE_AWAIT_EXPRESSION:
        return given_by(watcher, as_unary(node)->expression);
    case NODE_IDENTIFIER: {
        const Noted *noted = note_of_node(watcher, node);
        return noted->declared == 1 && !noted->assigned ? noted->where : nowhere;
    }
    case NODE_PROPERTY_ACCESS: {
        const Node *name = as_property_access(node)->name;
        return name->kind == NODE_IDENTIFIER
                   ? member_of(watcher, as_property_access(node)->expression,
                               as_identifier(name)->name)
                   : nowhere;
    }
    case NODE_ELEMENT_ACCESS: {
        const Node *argument = bare(as_element_access(node)->argument);
        if (argument && argument->kind == NODE_STRING_LITERAL)
            return as_literal(argument)->text
                       ? member_of(watcher, as_element_access(node)->expression,
                                   as_literal(argument)->text)
                       : nowhere;
        return element_of(where_is(watcher, as_element_access(node)->expression));
    }
    case NODE_CALL_EXPRESSION:
        return called_on_array(watcher, as_call_expression(node));
    default:
        return nowhere;
    }
}

/* ---- the second walk ---- */

/* What every object has. */
static bool is_of_objects(const Name *name)
{
    static const char *const all[] = {
        "constructor",    "toString",      "toLocaleString",       "valueOf",
        "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "__proto__"};

    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (strcmp(all[i], name->text) == 0)
            return true;
    }
    return false;
}

static void tell(Watcher *watcher, const Node *at, const Name *name, Where where)
{
    const char *names[64];
    size_t count = learned_names(where.place, names, COUNT_OF(names));
    const char *near = spelling_nearest(name->text, name->length, names, count);
    uint32_t results = learned_results(where.function->learned);
    Finding finding = {.code = "TN1203",
                       .severity = near ? TN_SEVERITY_WARNING : TN_SEVERITY_INFO,
                       .span = {at->start, at->end},
                       .did_you_mean = near};
    char seen[300] = "";

    for (size_t i = 0, length = 0; i < count && i < NAMES_TOLD && length < 250; i++) {
        (void)snprintf(seen + length, sizeof seen - length, "%s%.40s", i == 0 ? "" : ", ",
                       names[i]);
        length = strlen(seen);
    }
    finding.message =
        near
            ? arena_printf(
                  watcher->arena,
                  "`%.60s` was in none of the %u results of %.100s that were seen so far; did "
                  "you mean `%s`?",
                  name->text, results, where.function->name, near)
            : arena_printf(watcher->arena,
                           "`%.60s` was in none of the %u results of %.100s that were seen so far; "
                           "there were: %s%s",
                           name->text, results, where.function->name, seen,
                           count > NAMES_TOLD ? ", ..." : "");
    if (finding.message)
        findings_give(watcher->findings, &finding);
    note_of(watcher, name)->excused = true; /* once is enough */
}

static void look_at_member(Watcher *watcher, const Node *at, const Name *name, Where where)
{
    const LearnedPlace *place;

    if (watcher->writes_any || note_of(watcher, name)->excused || is_of_objects(name) ||
        learned_count(where.place) < RESULTS_LEAST ||
        learned_member(where.place, name->text, name->length, &place) != LEARNED_UNSEEN)
        return;
    tell(watcher, at, name, where);
}

static void bind(Watcher *watcher, const Node *name, Where where);

static void bind_members(Watcher *watcher, const NodeList *list, Where where)
{
    for (uint32_t i = 0; list && i < list->count; i++) {
        const BindingElement *element =
            list->at[i]->kind == NODE_BINDING_ELEMENT ? as_binding_element(list->at[i]) : NULL;
        const Node *key = !element                 ? NULL
                          : element->property_name ? element->property_name
                                                   : element->name;
        const LearnedPlace *place;
        if (!key || element->rest || key->kind != NODE_IDENTIFIER)
            continue;
        const Name *name = as_identifier(key)->name;
        LearnedAnswer answer = learned_member(where.place, name->text, name->length, &place);
        if (element->initializer)
            continue;
        if (answer == LEARNED_SEEN)
            bind(watcher, element->name, (Where){where.function, place});
        else if (answer == LEARNED_UNSEEN)
            look_at_member(watcher, key, name, where);
    }
}

static void bind(Watcher *watcher, const Node *name, Where where)
{
    if (!name || !where.place)
        return;
    if (name->kind == NODE_IDENTIFIER) {
        note_of_node(watcher, name)->where = where;
    } else if (name->kind == NODE_OBJECT_BINDING_PATTERN) {
        bind_members(watcher, as_list(name)->list, where);
    } else if (name->kind == NODE_ARRAY_BINDING_PATTERN) {
        const NodeList *list = as_list(name)->list;
        for (uint32_t i = 0; list && i < list->count; i++) {
            if (list->at[i]->kind == NODE_BINDING_ELEMENT && !as_binding_element(list->at[i])->rest)
                bind(watcher, as_binding_element(list->at[i])->name, element_of(where));
        }
    }
}

/* `const [a, b] = await Promise.all([hub.f(), hub.g()])` */
static void bind_all(Watcher *watcher, const Node *pattern, const Node *value)
{
    value = bare(value);
    const Node *call =
        value && value->kind == NODE_AWAIT_EXPRESSION ? bare(as_unary(value)->expression) : NULL;
    const Node *callee =
        call && call->kind == NODE_CALL_EXPRESSION ? as_call_expression(call)->expression : NULL;
    const NodeList *arguments = callee ? as_call_expression(call)->arguments : NULL;
    if (!arguments || arguments->count != 1 || callee->kind != NODE_PROPERTY_ACCESS ||
        !is_name(as_property_access(callee)->expression, "Promise") ||
        !is_name(as_property_access(callee)->name, "all") ||
        arguments->at[0]->kind != NODE_ARRAY_LITERAL)
        return;
    const NodeList *names = as_list(pattern)->list, *calls = as_list(arguments->at[0])->list;
    for (uint32_t i = 0; names && calls && i < names->count && i < calls->count; i++) {
        if (calls->at[i]->kind == NODE_SPREAD_ELEMENT)
            return;
        if (names->at[i]->kind == NODE_BINDING_ELEMENT && !as_binding_element(names->at[i])->rest &&
            !as_binding_element(names->at[i])->initializer)
            bind(watcher, as_binding_element(names->at[i])->name, given_by(watcher, calls->at[i]));
    }
}

static void bind_declarations(Watcher *watcher, const Node *node)
{
    const VariableDeclarationList *all = as_variable_declaration_list(node);

    for (uint32_t i = 0; all->list && all->variable == VARIABLE_CONST && i < all->list->count;
         i++) {
        const VariableDeclaration *one = as_variable_declaration(all->list->at[i]);
        if (!one->initializer || one->type)
            continue;
        if (one->name->kind == NODE_ARRAY_BINDING_PATTERN)
            bind_all(watcher, one->name, one->initializer);
        bind(watcher, one->name, where_is(watcher, one->initializer));
    }
}

static void bind_each(Watcher *watcher, const ForEach *each)
{
    const Node *node = each->initializer;

    if (!node || node->kind != NODE_VARIABLE_DECLARATION_LIST)
        return;
    const VariableDeclarationList *all = as_variable_declaration_list(node);
    if (all->list && all->list->count == 1 && all->variable == VARIABLE_CONST)
        bind(watcher, as_variable_declaration(all->list->at[0])->name,
             element_of(where_is(watcher, each->expression)));
}

/* `rows.map(row => row.id)` */
static void bind_callback(Watcher *watcher, const CallExpression *call)
{
    static const char *const takes_one[] = {"map",  "filter", "forEach", "find",    "findIndex",
                                            "some", "every",  "flatMap", "findLast"};
    static const char *const takes_two[] = {"sort", "toSorted"};
    const Node *callback =
        call->arguments && call->arguments->count > 0 ? bare(call->arguments->at[0]) : NULL;

    if (!callback || call->expression->kind != NODE_PROPERTY_ACCESS ||
        (callback->kind != NODE_ARROW_FUNCTION && callback->kind != NODE_FUNCTION_EXPRESSION))
        return;
    const Node *method = as_property_access(call->expression)->name;
    const NodeList *parameters = as_function(callback)->parameters;
    uint32_t count = is_one_of(method, takes_one, COUNT_OF(takes_one))   ? 1
                     : is_one_of(method, takes_two, COUNT_OF(takes_two)) ? 2
                                                                         : 0;
    Where element = element_of(where_is(watcher, as_property_access(call->expression)->expression));
    for (uint32_t i = 0; parameters && i < count && i < parameters->count; i++) {
        const Parameter *parameter = as_parameter(parameters->at[i]);
        if (!parameter->rest && !parameter->type && !parameter->initializer)
            bind(watcher, parameter->name, element);
    }
}

static bool look(Node *node, void *context)
{
    Watcher *watcher = context;

    switch (node->kind) {
    case NODE_VARIABLE_DECLARATION_LIST:
        bind_declarations(watcher, node);
        break;
    case NODE_FOR_OF_STATEMENT:
        bind_each(watcher, as_for_each(node));
        break;
    case NODE_CALL_EXPRESSION:
        bind_callback(watcher, as_call_expression(node));
        break;
    case NODE_PROPERTY_ACCESS: {
        const Node *name = as_property_access(node)->name;
        if (name->kind == NODE_IDENTIFIER && !(name->flags & NODE_FLAG_MISSING))
            look_at_member(watcher, name, as_identifier(name)->name,
                           where_is(watcher, as_property_access(node)->expression));
        break;
    }
    default:
        break;
    }
    descend(watcher, node, look);
    return true;
}

void advise_unseen(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings)
{
    Watcher watcher = {
        .arena = arena, .offer = offer, .findings = findings, .mask = 2 * file->names->mask + 1};
    bool any = false;

    for (size_t i = 0; i < offer->count && !any; i++)
        any = offer->functions[i].learned != NULL;
    if (!any)
        return;
    watcher.noted = ARENA_ARRAY(arena, Noted, (size_t)watcher.mask + 1);
    if (!watcher.noted)
        return;
    (void)tree_each_child(&file->node, note, &watcher);
    (void)tree_each_child(&file->node, look, &watcher);
}
