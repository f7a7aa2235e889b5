/* The signatures of a function by its full name, in whatever form it is declared. */
#include <stdio.h>
#include <string.h>

#include "declare.h"
#include "make.h"

enum { DEPTH_MAX = 12, TAKES_BYTES_MAX = 500 };

/* What was found under a name. */
typedef struct Found {
    Maker *maker;
    Signature *first, *last;
    bool unknown; /* it is declared in a way that is not understood as well */
    unsigned depth;
} Found;

static void find_callable(Found *found, View view, const char *text);
static void find_member(Found *found, View view, const char *text, const char *path);
static void find_value(Found *found, const Named *named, const char *path);

/* ---- one signature ---- */

/* A parameter list on one line, without its comments. */
static const char *written(Maker *maker, const char *text, const NodeList *list)
{
    char line[TAKES_BYTES_MAX + 8];
    size_t at = 0, end = list->end;
    char quote = 0;

    for (size_t i = list->start; i < end && at < TAKES_BYTES_MAX; i++) {
        const char *close = NULL;
        if (!quote && text[i] == '/' && text[i + 1] == '*')
            close = strstr(text + i, "*/");
        else if (!quote && text[i] == '/' && text[i + 1] == '/')
            close = strchr(text + i, '\n');
        if (close) {
            i = (size_t)(close - text) + (*close == '*');
            continue;
        }
        if (quote ? text[i] == quote : strchr("\"'`", text[i]) != NULL)
            quote = quote ? 0 : text[i];
        bool blank = !quote && strchr(" \t\r\n", text[i]);
        if (!blank || (at > 0 && line[at - 1] != ' '))
            line[at++] = blank ? ' ' : text[i];
    }
    (void)snprintf(line + at, sizeof line - at, "%s", at == TAKES_BYTES_MAX ? "..." : "");
    return arena_string(maker->arena, line);
}

static bool is_this(const Parameter *parameter)
{
    const Name *name = name_text(parameter->name);

    return name && strcmp(name->text, "this") == 0;
}

static const Shape *rest_of(const Shape *shape)
{
    shape = shape_follow(shape);
    return shape->kind == SHAPE_ARRAY ? shape->target : &shape_any;
}

static bool read_parameter(Maker *maker, Signature *signature, const Parameter *parameter,
                           View view)
{
    const Name *name = name_text(parameter->name);
    const char *copy = name ? arena_text(maker->arena, name->text, name->length) : "";
    const Shape *shape = make_shape(maker, (View){parameter->type, view.space, view.env});
    const Shape *const both[] = {shape, &shape_undefined};

    if (parameter->rest) {
        signature->rest = rest_of(shape);
        signature->rest_name = copy;
    } else {
        if (parameter->question || parameter->initializer)
            shape = make_union(maker, both, 2);
        signature->parameters[signature->count++] = (ParameterShape){copy, shape};
    }
    return copy;
}

static void add_signature(Found *found, const FunctionLike *function, View view, const char *text)
{
    Maker *maker = found->maker;
    const NodeList *list = function->parameters;
    Signature *signature = ARENA_NEW(maker->arena, Signature);

    view.env = make_env(maker, function->type_parameters, view.space, view.env, NULL, 0);
    if (!list || !signature ||
        !(signature->parameters = ARENA_ARRAY(maker->arena, ParameterShape, list->count + 1))) {
        found->unknown = true;
        return;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind != NODE_PARAMETER ||
            (!is_this(as_parameter(list->at[i])) &&
             !read_parameter(maker, signature, as_parameter(list->at[i]), view)))
            found->unknown = true;
    }
    signature->takes = written(maker, text, list);
    if (found->last)
        found->last->next = signature;
    else
        found->first = signature;
    found->last = signature;
}

/* ---- types of values ---- */

/* What a name means as a type: each of its declarations. */
static void each_declared(Found *found, View view, const char *path,
                          void (*visit)(Found *found, View view, const char *text,
                                        const char *path))
{
    Maker *maker = found->maker;
    const TypeReference *reference = as_type_reference(view.type);
    const Named *named = names_path(&maker->names, view.space, reference->name);
    uint32_t count;
    const Shape **arguments = make_arguments(maker, reference->type_arguments, view, &count);

    if (!named || !named->first)
        found->unknown = true;
    for (const Declared *one = named ? named->first : NULL; one; one = one->next) {
        View inside = {one->node, one->space, NULL};
        if (one->node->kind == NODE_TYPE_ALIAS_DECLARATION) {
            const TypeAlias *alias = as_type_alias(one->node);
            inside.type = alias->type;
            inside.env =
                make_env(maker, alias->type_parameters, one->space, NULL, arguments, count);
        } else if (one->node->kind == NODE_INTERFACE_DECLARATION) {
            inside.env = make_env(maker, as_class(one->node)->type_parameters, one->space, NULL,
                                  arguments, count);
        } else {
            continue;
        }
        visit(found, inside, one->text, path);
    }
}

static const NodeList *members_in(const Node *type)
{
    return type->kind == NODE_INTERFACE_DECLARATION ? as_class(type)->members : as_list(type)->list;
}

static void visit_callable(Found *found, View view, const char *text, const char *path)
{
    (void)path;
    find_callable(found, view, text);
}

static void find_callable_in(Found *found, View view, const char *text)
{
    const NodeList *list;

    switch (view.type->kind) {
    case NODE_FUNCTION_TYPE:
        add_signature(found, as_function(view.type), view, text);
        break;
    case NODE_TYPE_LITERAL:
    case NODE_INTERFACE_DECLARATION:
        list = members_in(view.type);
        for (uint32_t i = 0; i < list->count; i++) {
            if (list->at[i]->kind == NODE_CALL_SIGNATURE)
                add_signature(found, as_function(list->at[i]), view, text);
        }
        break;
    case NODE_TYPE_REFERENCE:
        each_declared(found, view, NULL, visit_callable);
        break;
    case NODE_TYPE_QUERY:
        find_value(found,
                   names_path(&found->maker->names, view.space, as_type_reference(view.type)->name),
                   NULL);
        break;
    case NODE_INTERSECTION_TYPE:
        list = as_list(view.type)->list;
        for (uint32_t i = 0; i < list->count; i++)
            find_callable(found, (View){list->at[i], view.space, view.env}, text);
        break;
    default:
        found->unknown = true;
        break;
    }
}

static void find_callable(Found *found, View view, const char *text)
{
    while (view.type && view.type->kind == NODE_PARENTHESIZED_TYPE)
        view.type = as_unary(view.type)->expression;
    if (!view.type || found->depth == DEPTH_MAX) {
        found->unknown = true;
        return;
    }
    found->depth++;
    find_callable_in(found, view, text);
    found->depth--;
}

/* "b.c" of "a.b.c": how much of it is the next name. */
static size_t first_length(const char *path)
{
    return strcspn(path, ".");
}

static bool is_named(const Node *node, const char *path)
{
    const Name *name = name_text(node);
    size_t length = first_length(path);

    return name && name->length == length && memcmp(name->text, path, length) == 0;
}

/* Interfaces that others extend: where a member may come from as well. */
static void find_inherited(Found *found, const ClassLike *interface, View view, const char *text,
                           const char *path)
{
    for (uint32_t i = 0; interface->heritage && i < interface->heritage->count; i++) {
        const NodeList *types = as_heritage_clause(interface->heritage->at[i])->types;
        for (uint32_t j = 0; types && j < types->count; j++)
            find_member(found, (View){types->at[j], view.space, view.env}, text, path);
    }
}

static void find_in_list(Found *found, const NodeList *list, View view, const char *text,
                         const char *path)
{
    const char *rest = path[first_length(path)] ? path + first_length(path) + 1 : NULL;

    for (uint32_t i = 0; i < list->count; i++) {
        const Node *member = list->at[i];
        if (member->kind == NODE_METHOD_SIGNATURE && is_named(as_function(member)->name, path)) {
            if (rest)
                found->unknown = true;
            else
                add_signature(found, as_function(member), view, text);
        } else if (member->kind == NODE_PROPERTY_SIGNATURE &&
                   is_named(as_property(member)->name, path)) {
            View inside = {as_property(member)->type, view.space, view.env};
            if (rest)
                find_member(found, inside, text, rest);
            else
                find_callable(found, inside, text);
        }
    }
}

static void find_member(Found *found, View view, const char *text, const char *path)
{
    while (view.type && view.type->kind == NODE_PARENTHESIZED_TYPE)
        view.type = as_unary(view.type)->expression;
    if (!view.type || found->depth == DEPTH_MAX) {
        found->unknown = true;
        return;
    }
    found->depth++;
    switch (view.type->kind) {
    case NODE_TYPE_LITERAL:
        find_in_list(found, as_list(view.type)->list, view, text, path);
        break;
    case NODE_INTERFACE_DECLARATION: {
        const Signature *before = found->last;
        find_in_list(found, as_class(view.type)->members, view, text, path);
        if (found->last == before)
            find_inherited(found, as_class(view.type), view, text, path);
        break;
    }
    case NODE_TYPE_REFERENCE:
    case NODE_EXPRESSION_WITH_TYPE_ARGUMENTS:
        each_declared(found, view, path, find_member);
        break;
    case NODE_INTERSECTION_TYPE:
        for (uint32_t i = 0; i < as_list(view.type)->list->count; i++)
            find_member(found, (View){as_list(view.type)->list->at[i], view.space, view.env}, text,
                        path);
        break;
    default:
        found->unknown = true;
        break;
    }
    found->depth--;
}

/* ---- values by their names ---- */

static void find_value(Found *found, const Named *named, const char *path)
{
    NameTable *table = &found->maker->names;

    if (!named)
        found->unknown = found->unknown || found->depth > 0;
    if (named && path && named->inner)
        find_value(found, names_in(table, named->inner, path, first_length(path)),
                   path[first_length(path)] ? path + first_length(path) + 1 : NULL);
    for (const Declared *one = named ? named->first : NULL; one; one = one->next) {
        View view = {NULL, one->space, NULL};
        if (one->node->kind == NODE_FUNCTION_DECLARATION && !path)
            add_signature(found, as_function(one->node), view, one->text);
        if (one->node->kind != NODE_VARIABLE_DECLARATION)
            continue;
        view.type = as_variable_declaration(one->node)->type;
        if (path)
            find_member(found, view, one->text, path);
        else
            find_callable(found, view, one->text);
    }
}

static void find_in_module(Found *found, const char *name)
{
    NameTable *table = &found->maker->names;
    const char *dot = strrchr(name, '.');
    const Space *module = names_module(table, name, (size_t)(dot - name));
    const Named *named = module ? names_in(table, module, dot + 1, strlen(dot + 1)) : NULL;

    find_value(found, named, NULL);
    /* export = value, export default value */
    if (module && module->equals && !found->first && !found->unknown)
        find_value(found, names_path(table, module, module->equals), dot + 1);
}

/* An interface by its own name, wherever it stands, if there is only one of that name. */
static const Named *find_interface(const NameTable *table, const char *name, size_t length)
{
    const Named *found = NULL;

    for (uint32_t i = 0; table->places && i <= table->mask; i++) {
        const Named *named = table->places[i];
        if (!named || named->length != length || memcmp(named->name, name, length) != 0 ||
            !named->first || named->first->node->kind != NODE_INTERFACE_DECLARATION)
            continue;
        if (found)
            return NULL;
        found = named;
    }
    return found;
}

static void find_method(Found *found, const char *name)
{
    size_t length = first_length(name);
    const Named *named = find_interface(&found->maker->names, name, length);

    for (const Declared *one = named ? named->first : NULL; one; one = one->next) {
        if (one->node->kind == NODE_INTERFACE_DECLARATION)
            find_member(found, (View){one->node, one->space, NULL}, one->text, name + length + 1);
    }
}

/* Nothing is to be checked if anything fits. */
static bool is_empty(const Signature *signature)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        if (shape_follow(signature->parameters[i].shape)->kind != SHAPE_ANY)
            return false;
    }
    return signature->rest && shape_follow(signature->rest)->kind == SHAPE_ANY;
}

const Signature *make_function(Maker *maker, const char *name, bool method, DeclaredAs *out_as)
{
    Found found = {.maker = maker};
    const NameTable *table = &maker->names;

    if (method) {
        find_method(&found, name);
    } else {
        find_value(&found, names_in(table, &table->global, name, first_length(name)),
                   name + first_length(name) + 1);
        *out_as = found.first || found.unknown ? DECLARED_GLOBAL : DECLARED_NOT;
        if (*out_as == DECLARED_NOT) {
            find_in_module(&found, name);
            *out_as = found.first || found.unknown ? DECLARED_MODULE : DECLARED_NOT;
        }
    }
    make_rest(maker);
    for (const Signature *one = found.first; one && !found.unknown; one = one->next)
        found.unknown = is_empty(one);
    return found.unknown ? NULL : found.first;
}

/* ---- all of them ---- */

static tn_status read_texts(Maker *maker, const DeclareText *texts, size_t count)
{
    const ParseOptions options = {.declaration_file = true};

    for (size_t i = 0; i < count; i++) {
        Source source = {.name = "", .language = "", .is_utf8 = true};
        Findings findings;
        SourceFile *file;
        size_t mark = texts[i].length >= 3 && memcmp(texts[i].text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        source.text = texts[i].text + mark;
        source.length = texts[i].length - mark;
        if (texts[i].length > UINT32_MAX / 4)
            continue;
        findings_init(&findings, maker->scratch);
        if (parse_module(maker->scratch, &source, &options, &findings, &file) == TN_OK)
            names_collect(&maker->names, file, source.text);
    }
    return arena_status(maker->scratch);
}

/* How it is declared, and a check if it has none. */
static void read_entry(Maker *maker, RegistryEntry *entry, DeclaredAs *out_as)
{
    bool has_check = entry->check.fits != NULL;
    const Signature *signature;

    if (entry->kind == ENTRY_INTERFACE)
        return;
    maker->shapes = 0;
    signature = make_function(maker, entry->name, entry->kind == ENTRY_METHOD, out_as);
    if (!has_check && signature)
        entry->check = (ArgumentCheck){signature, signature_fits};
}

tn_status declare_checks(Registry *registry, const DeclareText *texts, size_t count,
                         Buf *out_missing)
{
    Arena scratch;
    DeclaredAs *as;
    Maker maker = {.arena = &registry->arena, .scratch = &scratch, .registry = registry};
    tn_status status;

    arena_init(&scratch, registry->arena.allocator, SIZE_MAX);
    maker.names.arena = &scratch;
    as = ARENA_ARRAY(&scratch, DeclaredAs, registry->functions + 1);
    status = as ? read_texts(&maker, texts, count) : TN_ERR_NOMEM;
    for (size_t i = 0; i < registry->count && status == TN_OK; i++) {
        read_entry(&maker, &registry->entries[i], &as[registry->entries[i].number]);
        status = arena_status(&scratch);
        if (status == TN_OK)
            status = arena_status(&registry->arena);
    }
    if (status == TN_OK) {
        complete(&maker, as, out_missing);
        status = buf_status(out_missing);
    }
    arena_release(&scratch);
    return status == TN_ERR_LIMIT ? TN_ERR_NOMEM : status;
}
