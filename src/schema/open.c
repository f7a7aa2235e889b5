/* The doors of reading: documents opened, schemas taken, and circles found that never enter the
 * value. */
#include <string.h>

#include "graph.h"

const Rule *schema_rule(const Schema *schema, RuleKind kind)
{
    for (uint16_t i = 0; i < schema->rule_count && schema->rules[i].kind <= kind; i++) {
        if (schema->rules[i].kind == kind)
            return &schema->rules[i];
    }
    return NULL;
}

/* ---- circles ---- */

enum { VISIT_NEW, VISIT_OPEN, VISIT_DONE };

/* Where a walk stands in one schema. */
typedef struct Visit {
    Schema *schema;
    Schema **edge; /* by which it goes on, if that is a reference */
    uint32_t child;
    uint16_t rule;
} Visit;

/* The child-th schema that a rule applies to the same value, and the place to cut; NULL past the
 * last. `*out_cut` is NULL where the schema is written in place, so that no circle ends there. */
static Schema *same_value(const Rule *rule, uint32_t child, Schema ***out_cut)
{
    Conditional *conditional = rule->conditional;

    *out_cut = NULL;
    switch ((RuleKind)rule->kind) {
    case RULE_REF:
    case RULE_DYNAMIC_REF:
    case RULE_RECURSIVE_REF:
        *out_cut = &rule->reference->target;
        return child == 0 ? rule->reference->target : NULL;
    case RULE_ALL_OF:
    case RULE_ANY_OF:
    case RULE_ONE_OF:
        return child < rule->list->count ? rule->list->items[child] : NULL;
    case RULE_NOT:
        return child == 0 ? rule->schema : NULL;
    case RULE_IF:
        return child == 0   ? conditional->test
               : child == 1 ? conditional->then
               : child == 2 ? conditional->otherwise
                            : NULL;
    case RULE_DEPENDENCIES:
    case RULE_DEPENDENT_SCHEMAS:
        return child < rule->value->count ? schema_of(&rule->value->members[child].value) : NULL;
    default:
        return NULL;
    }
}

static uint32_t same_value_count(const Rule *rule)
{
    switch ((RuleKind)rule->kind) {
    case RULE_ALL_OF:
    case RULE_ANY_OF:
    case RULE_ONE_OF:
        return rule->list->count;
    case RULE_DEPENDENCIES:
    case RULE_DEPENDENT_SCHEMAS:
        return rule->value->count;
    default:
        return 3;
    }
}

static bool enter(Buf *stack, Schema *schema)
{
    Visit visit = {.schema = schema};

    schema->visit = VISIT_OPEN;
    buf_append(stack, &visit, sizeof visit);
    return !stack->failed;
}

/* A circle was closed: the last reference in it is taken out. There is one, since what is written
 * in place is a tree. What lies behind it was looked at as part of the circle and is looked at
 * anew. */
static void cut_circle(Buf *stack, const Schema *closed)
{
    Visit *at = (Visit *)(void *)(stack->data + stack->length) - 1;

    while (!at->edge && at->schema != closed) {
        at->schema->visit = VISIT_NEW;
        buf_truncate(stack, stack->length - sizeof *at);
        at--;
    }
    if (!at->edge)
        return;
    *at->edge = NULL;
    at->edge = NULL;
    schema_fault(at->schema, "$ref", "leads back to itself without entering the value");
}

/* A schema that refers to itself for the same value says nothing by that: the reference goes. The
 * walk has its own stack, since a chain of references may be as long as the document. */
static void cut_circles(SchemaDocument *document, Schema *root)
{
    Buf stack;

    buf_init(&stack, document->arena->allocator, SIZE_MAX);
    uint64_t steps = 100000 + 64ull * document->schemas; /* looking anew is not to go on for ever */
    if (root->visit == VISIT_NEW)
        (void)enter(&stack, root);
    while (stack.length > 0 && !stack.failed) {
        Visit *at = (Visit *)(void *)(stack.data + stack.length - sizeof *at);
        Schema *schema = at->schema;
        if (at->rule == schema->rule_count) {
            schema->visit = VISIT_DONE;
            buf_truncate(&stack, stack.length - sizeof *at);
            continue;
        }
        const Rule *rule = &schema->rules[at->rule];
        Schema *child = same_value(rule, at->child, &at->edge);
        if (++at->child >= same_value_count(rule)) {
            at->child = 0;
            at->rule++;
        }
        if (child && at->edge && steps == 0) {
            *at->edge = NULL;
            schema_fault(schema, "$ref", "is one of too many circles");
        } else if (child && child->visit == VISIT_NEW) {
            steps -= steps > 0;
            (void)enter(&stack, child);
        } else if (child && child->visit == VISIT_OPEN) {
            cut_circle(&stack, child);
        }
    }
    document->arena->failed = document->arena->failed || stack.failed;
    buf_release(&stack);
}

/* ---- doors ---- */

static void or_default(uint32_t *limit, uint32_t otherwise)
{
    if (*limit == 0)
        *limit = otherwise;
}

tn_status schema_open(Arena *arena, tn_value value, SchemaDialect dialect,
                      const SchemaLimits *limits, SchemaReport *report,
                      SchemaDocument **out_document)
{
    SchemaDocument *document = ARENA_NEW(arena, SchemaDocument);
    Resource *resource = ARENA_NEW(arena, Resource);
    const char *problem;

    if (!document || !resource)
        return arena_status(arena);
    document->arena = arena;
    document->report = report;
    if (limits)
        document->limits = *limits;
    SchemaLimits *own = &document->limits;
    or_default(&own->values, 1000000);
    or_default(&own->depth, 500);
    or_default(&own->names, 500);
    or_default(&own->patterns, 2000);
    or_default(&own->pattern_bytes, 4000);
    or_default(&own->faults, 50);
    TRY(datum_read(arena, value, (DatumLimits){own->values, own->depth}, &document->root,
                   &problem));
    document->dialect = dialect == SCHEMA_DIALECT_AUTO ? SCHEMA_2020_12 : dialect;
    *resource = (Resource){.base = "", .root = document->root, .dialect = document->dialect};
    document->resources = document->resource = resource;
    *out_document = document;
    return TN_OK;
}

/* What is no schema at all says nothing: it is `true`, and reported. */
static Schema *nothing_said(SchemaDocument *document, const char *pointer)
{
    Datum *datum = ARENA_NEW(document->arena, Datum);
    Schema *schema;

    if (!datum)
        return NULL;
    *datum = (Datum){.kind = DATUM_BOOL, .truth = true};
    pointer = arena_string(document->arena, pointer[0] == '/' ? pointer + 1 : pointer);
    schema = pointer
                 ? schema_place(document, datum, NULL, document->resource, pointer, strlen(pointer))
                 : NULL;
    if (schema)
        schema_fault(schema, NULL, "a schema is an object, true or false");
    schema_search(document);
    return schema;
}

/* What a reference may mean that depends on the way: every schema with such an anchor. */
static void read_dynamic(SchemaDocument *document)
{
    for (const Anchor *at = document->anchors; document->dynamic && at;) {
        bool more = at->dynamic && at->schema->state == SCHEMA_PLACED;
        if (more)
            schema_read_all(document, at->schema);
        at = more ? document->anchors : at->next;
    }
    for (const Resource *at = document->resources; document->dynamic && at; at = at->next) {
        Schema *root = at->recursive_anchor ? schema_of(at->root) : NULL;
        if (root && root->state == SCHEMA_PLACED)
            schema_read_all(document, root);
    }
}

tn_status schema_at(SchemaDocument *document, const char *pointer, const Schema **out_schema)
{
    size_t length = strlen(pointer);
    bool found = true;
    Schema *schema = NULL;

    if (length == 0) {
        schema = schema_place(document, document->root, NULL, document->resource, "", 0);
        schema_search(document);
    } else {
        char *copy = arena_text(document->arena, pointer, length);
        schema =
            copy ? schema_by_pointer(document, document->resource, copy, length, &found) : NULL;
    }
    if (!schema && found && arena_status(document->arena) == TN_OK)
        schema = nothing_said(document, pointer);
    if (schema)
        schema_read_all(document, schema);
    read_dynamic(document);
    for (Schema *read = document->read; read && !document->arena->failed; read = read->next)
        cut_circles(document, read);
    document->read = NULL;
    TRY(arena_status(document->arena));
    if (!schema)
        return TN_ERR_NOT_FOUND;
    *out_schema = schema;
    return TN_OK;
}

tn_status schema_read(Arena *arena, tn_value value, SchemaDialect dialect,
                      const SchemaLimits *limits, SchemaReport *report, const Schema **out_schema)
{
    SchemaDocument *document;

    TRY(schema_open(arena, value, dialect, limits, report, &document));
    return schema_at(document, "", out_schema);
}
