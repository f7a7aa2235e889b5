#include "bound.h"

#include <string.h>

#include "base.h"
#include "buf.h"
#include "syntax.h"

enum { NAME_MAX_BYTES = RULES_PATTERN_MAX, DEEPEST = 60 };

/* What is put in the place of a piece of the text, in the order of the text. */
typedef struct Cut {
    uint32_t start, end;
    const BoundParameter **omitted; /* not NULL: the text stays, in Omit<...> without these */
    size_t omitted_count;
    const char *put;
} Cut;

typedef struct Cutter {
    Arena *arena;
    const tn_policy *policy;
    Cut *cuts;
    size_t count, capacity;
    const BoundParameter **bound; /* of the function that is looked at */
    size_t bound_count;
    bool failed;
} Cutter;

static void add_cut(Cutter *cutter, Cut cut)
{
    if (cutter->count == cutter->capacity) {
        size_t capacity = cutter->capacity ? cutter->capacity * 2 : 16;
        Cut *grown = arena_grow(cutter->arena, cutter->cuts, cutter->count * sizeof *grown,
                                capacity * sizeof *grown);
        if (!grown) {
            cutter->failed = true;
            return;
        }
        cutter->cuts = grown;
        cutter->capacity = capacity;
    }
    cutter->cuts[cutter->count++] = cut;
}

/* ---- names ---- */

static const Name *text_of(const Node *name)
{
    if (!name)
        return NULL;
    if (name->kind == NODE_IDENTIFIER)
        return as_identifier(name)->name;
    return name->kind == NODE_STRING_LITERAL ? as_literal(name)->text : NULL;
}

/* "outer.name"; false if that is longer than any function's. */
static bool join(char out[NAME_MAX_BYTES + 1], const char *outer, const Node *node)
{
    const Name *name = text_of(node);
    size_t length = strlen(outer), dot = length > 0;

    if (!name || length + dot + name->length > NAME_MAX_BYTES)
        return false;
    memmove(out, outer, length);
    if (dot)
        out[length] = '.';
    memcpy(out + length + dot, name->text, name->length);
    out[length + dot + name->length] = 0;
    return true;
}

static bool is_bound(const Cutter *cutter, const Node *node)
{
    const Name *name = text_of(node);

    for (size_t i = 0; name && i < cutter->bound_count; i++) {
        if (cutter->bound[i]->length == name->length &&
            memcmp(cutter->bound[i]->name, name->text, name->length) == 0)
            return true;
    }
    return false;
}

/* The parameters that are bound in a function, by whichever clause. */
static bool find_bound(Cutter *cutter, const char *function)
{
    const Clause *clause;
    size_t most = 0;

    for (RuleWalk walk = rules_walk(cutter->policy, function);
         (clause = rules_next(cutter->policy, &walk));) {
        for (const BoundParameter *bound = clause->bound; bound; bound = bound->next)
            most++;
    }
    cutter->bound_count = 0;
    if (most == 0)
        return false;
    cutter->bound = ARENA_ARRAY(cutter->arena, const BoundParameter *, most);
    cutter->failed = cutter->failed || !cutter->bound;
    for (RuleWalk walk = rules_walk(cutter->policy, function);
         cutter->bound && (clause = rules_next(cutter->policy, &walk));) {
        for (const BoundParameter *bound = clause->bound; bound; bound = bound->next)
            cutter->bound[cutter->bound_count++] = bound;
    }
    return cutter->bound_count > 0;
}

/* ---- types ---- */

/* False if a member is left without which no argument is right. */
static bool cut_literal(Cutter *cutter, const Node *type)
{
    const NodeList *members = as_list(type)->list;
    uint32_t before = type->start + 1;
    bool optional = true;

    for (uint32_t i = 0; members && i < members->count; i++) {
        const Node *member = members->at[i];
        bool is_property = member->kind == NODE_PROPERTY_SIGNATURE;
        if (is_property && is_bound(cutter, as_property(member)->name))
            add_cut(cutter, (Cut){.start = before, .end = member->end, .put = " "});
        else if (member->kind != NODE_INDEX_SIGNATURE &&
                 !(is_property && as_property(member)->question))
            optional = false;
        before = member->end;
    }
    return optional;
}

static bool cut_type(Cutter *cutter, const Node *type, unsigned depth)
{
    bool optional = true;

    switch (type->kind) {
    case NODE_TYPE_LITERAL:
        return cut_literal(cutter, type);
    case NODE_PARENTHESIZED_TYPE:
        if (as_unary(type)->expression && depth < DEEPEST)
            return cut_type(cutter, as_unary(type)->expression, depth + 1);
        break;
    case NODE_INTERSECTION_TYPE:
    case NODE_UNION_TYPE: {
        const NodeList *list = as_list(type)->list;
        if (depth == DEEPEST)
            break;
        for (uint32_t i = 0; list && i < list->count; i++)
            optional = cut_type(cutter, list->at[i], depth + 1) && optional;
        return optional;
    }
    case NODE_KEYWORD_TYPE:
    case NODE_LITERAL_TYPE:
        return false;
    default:
        break;
    }
    add_cut(cutter, (Cut){.start = type->start,
                          .end = type->end,
                          .omitted = cutter->bound,
                          .omitted_count = cutter->bound_count});
    return false;
}

static void cut_function(Cutter *cutter, const char *name, const Node *function)
{
    const NodeList *parameters = as_function(function)->parameters;
    const Parameter *first;

    if (!parameters || parameters->count == 0 || parameters->at[0]->kind != NODE_PARAMETER ||
        !find_bound(cutter, name))
        return;
    first = as_parameter(parameters->at[0]);
    if (!first->type || first->rest)
        return;
    size_t mark = cutter->count;
    Cut question = {.start = first->name->end, .end = first->name->end, .put = "?"};
    add_cut(cutter, question);
    bool optional = cut_type(cutter, first->type, 0);
    if (optional && !first->question && parameters->count == 1)
        return;
    if (cutter->failed)
        return;
    memmove(cutter->cuts + mark, cutter->cuts + mark + 1,
            (cutter->count - mark - 1) * sizeof *cutter->cuts);
    cutter->count--;
}

/* ---- declarations ---- */

static void cut_statements(Cutter *cutter, const char *outer, const NodeList *list, unsigned depth);

/* Members of an interface, or of a literal type that stands for a package. */
static void cut_members(Cutter *cutter, const char *outer, const NodeList *list)
{
    char name[NAME_MAX_BYTES + 1];

    for (uint32_t i = 0; list && i < list->count; i++) {
        const Node *member = list->at[i];
        if (member->kind == NODE_METHOD_SIGNATURE && join(name, outer, as_function(member)->name))
            cut_function(cutter, name, member);
        else if (member->kind == NODE_PROPERTY_SIGNATURE && as_property(member)->type &&
                 as_property(member)->type->kind == NODE_FUNCTION_TYPE &&
                 join(name, outer, as_property(member)->name))
            cut_function(cutter, name, as_property(member)->type);
    }
}

static void cut_variables(Cutter *cutter, const char *outer, const Node *statement)
{
    const NodeList *list =
        as_variable_declaration_list(as_variable_statement(statement)->declarations)->list;
    char name[NAME_MAX_BYTES + 1];

    for (uint32_t i = 0; list && i < list->count; i++) {
        const VariableDeclaration *one = as_variable_declaration(list->at[i]);
        if (!one->type || !join(name, outer, one->name))
            continue;
        if (one->type->kind == NODE_TYPE_LITERAL)
            cut_members(cutter, name, as_list(one->type)->list);
        else if (one->type->kind == NODE_FUNCTION_TYPE)
            cut_function(cutter, name, one->type);
    }
}

static void cut_module(Cutter *cutter, const char *outer, const Node *node, unsigned depth)
{
    const ModuleDeclaration *module = as_module_declaration(node);
    char name[NAME_MAX_BYTES + 1] = "";

    if (!module->body || depth == DEEPEST ||
        (module->token != TOKEN_GLOBAL && !join(name, outer, module->name)))
        return;
    if (module->body->kind == NODE_MODULE_DECLARATION)
        cut_module(cutter, name, module->body, depth + 1);
    else
        cut_statements(cutter, name, as_list(module->body)->list, depth + 1);
}

static void cut_statements(Cutter *cutter, const char *outer, const NodeList *list, unsigned depth)
{
    char name[NAME_MAX_BYTES + 1];

    for (uint32_t i = 0; list && i < list->count && !cutter->failed; i++) {
        const Node *node = list->at[i];
        switch (node->kind) {
        case NODE_MODULE_DECLARATION:
            cut_module(cutter, outer, node, depth);
            break;
        case NODE_FUNCTION_DECLARATION:
            if (join(name, outer, as_function(node)->name))
                cut_function(cutter, name, node);
            break;
        case NODE_VARIABLE_STATEMENT:
            cut_variables(cutter, outer, node);
            break;
        case NODE_INTERFACE_DECLARATION: /* of host objects: known by their own name alone */
            if (join(name, "", as_class(node)->name))
                cut_members(cutter, name, as_class(node)->members);
            break;
        default:
            break;
        }
    }
}

/* ---- the new text ---- */

static void put_omitted(Buf *out, const Cut *cut, const char *text)
{
    buf_append_string(out, "Omit<");
    buf_append(out, text + cut->start, cut->end - cut->start);
    for (size_t i = 0; i < cut->omitted_count; i++) {
        buf_append_string(out, i == 0 ? ", \"" : " | \"");
        for (const char *c = cut->omitted[i]->name; *c; c++) {
            if (*c == '"' || *c == '\\')
                buf_append_byte(out, '\\');
            buf_append_byte(out, *c == '\n' || *c == '\r' ? ' ' : (uint8_t)*c);
        }
        buf_append_byte(out, '"');
    }
    buf_append_byte(out, '>');
}

static tn_status rewrite(Cutter *cutter, Declaration *declaration)
{
    const char *text = declaration->text;
    uint32_t at = 0;
    tn_status status;
    Buf out;

    buf_init(&out, cutter->arena->allocator, SIZE_MAX);
    for (size_t i = 0; i < cutter->count; i++) {
        const Cut *cut = &cutter->cuts[i];
        if (cut->start < at)
            continue; /* inside what is gone already */
        buf_append(&out, text + at, cut->start - at);
        if (cut->omitted)
            put_omitted(&out, cut, text);
        else
            buf_append_string(&out, cut->put);
        at = cut->end;
    }
    buf_append(&out, text + at, declaration->length - at);
    status = buf_status(&out);
    if (status == TN_OK) {
        declaration->text = arena_text(cutter->arena, (const char *)out.data, out.length);
        declaration->length = out.length;
        status = declaration->text ? TN_OK : arena_status(cutter->arena);
    }
    buf_release(&out);
    return status;
}

static tn_status cut_one(Arena *arena, const tn_policy *policy, Declaration *declaration)
{
    ParseOptions options = {.declaration_file = true};
    Cutter cutter = {.arena = arena, .policy = policy};
    Source source = {.name = declaration->name,
                     .language = "",
                     .text = declaration->text,
                     .length = declaration->length,
                     .is_utf8 = true};
    Findings findings;
    SourceFile *file;

    if (declaration->length > UINT32_MAX / 4)
        return TN_OK;
    findings_init(&findings, arena);
    TRY(parse_module(arena, &source, &options, &findings, &file));
    cut_statements(&cutter, "", file->statements, 0);
    if (cutter.failed)
        return arena_status(arena);
    return cutter.count > 0 ? rewrite(&cutter, declaration) : TN_OK;
}

tn_status bound_declarations(Arena *arena, const tn_policy *policy, Declaration *declarations,
                             size_t count)
{
    if (!policy || policy->kinds[CLAUSE_BOUND] == 0)
        return TN_OK;
    for (size_t i = 0; i < count; i++)
        TRY(cut_one(arena, policy, &declarations[i]));
    return TN_OK;
}
