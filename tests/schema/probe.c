/*
 * src/schema for scripts: a line of JSON in, a line of JSON out.
 *
 *   {"schema": S, "dialect": "draft-07" | "2019-09" | "2020-12" | "openapi-3.0" | "openapi-3.1",
 *    "pointer": "",                          where in S; all after S may be left out
 *    "values": [V, ...], "failures": 1, "formats": false, "steps": 0, "time": 0, "depth": 0,
 *    "type": {"prefix": "P", "object": false, "description": 0, "bytes": 0}}
 *      -> {"status": "ok", "faults": [[pointer, reason], ...], "faultCount": N,
 *          "results": [{"verdict": "valid", "failures": [[path, expected, got, keyword], ...],
 *                       "reason": R}, ...],
 *          "declarations": D, "text": T}
 *
 *   {"names": [N, ...]}                   -> {"identifiers": [I, ...]}
 *   {"typeNames": [N, ...], "prefix": P}  -> {"identifiers": [I, ...]}
 *
 * `probe -r FILE` takes each line of a file with the n-th allocation refused, for every n there is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "schema.h"

enum { ARENA_BYTES = 1 << 30 };

typedef struct Heap {
    size_t count, refused; /* refused: the number of the allocation that is; SIZE_MAX for none */
} Heap;

static void *resize(void *context, void *block, size_t old, size_t new)
{
    Heap *heap = context;

    (void)old;
    if (new == 0) {
        free(block);
        return NULL;
    }
    return heap->count++ == heap->refused ? NULL : realloc(block, new);
}

static const char *words(tn_status status)
{
    static const char *const known[] = {"ok",    "nomem",     "argument",    "limit",
                                        "state", "not found", "unavailable", "system"};
    return known[status];
}

static void put(tn_writer *out, const char *key, const char *text)
{
    tn_put_key(out, key);
    tn_put_string(out, text ? text : "");
}

static uint32_t number(tn_value object, const char *name)
{
    int64_t value;
    return tn_value_int(tn_value_member(object, name), &value) ? (uint32_t)value : 0;
}

static SchemaText text_of(tn_value value)
{
    SchemaText text = {"", 0};
    const char *found = tn_value_text(value, &text.length);

    text.text = found ? found : "";
    return text;
}

/* NUL-terminated, in the arena. */
static const char *string(Arena *arena, tn_value value)
{
    SchemaText text = text_of(value);
    const char *copy = arena_text(arena, text.text, text.length);
    return copy ? copy : "";
}

static SchemaDialect dialect_of(const char *name)
{
    static const char *const names[] = {"",        "draft-07",    "2019-09",
                                        "2020-12", "openapi-3.0", "openapi-3.1"};

    for (int i = 1; i < 6; i++) {
        if (strcmp(names[i], name) == 0)
            return (SchemaDialect)i;
    }
    return SCHEMA_DIALECT_AUTO;
}

static tn_status put_result(Arena *arena, const Schema *schema, tn_value value,
                            const SchemaCheckOptions *options, tn_writer *out)
{
    static const char *const verdicts[] = {"valid", "invalid", "undecided"};
    SchemaOutcome outcome;

    TRY(schema_check(schema, value, options, arena, &outcome));
    tn_put_object_begin(out);
    put(out, "verdict", verdicts[outcome.verdict]);
    if (outcome.reason)
        put(out, "reason", outcome.reason);
    tn_put_key(out, "failures");
    tn_put_array_begin(out);
    for (const SchemaFailure *at = outcome.failures; at; at = at->next) {
        tn_put_array_begin(out);
        tn_put_string(out, at->path);
        tn_put_string(out, at->expected);
        tn_put_string(out, at->got);
        tn_put_string(out, at->keyword);
        tn_put_array_end(out);
    }
    tn_put_array_end(out);
    tn_put_object_end(out);
    return TN_OK;
}

static tn_status put_type(Arena *arena, const Schema *schema, tn_value said, tn_writer *out)
{
    SchemaNames *names = schema_names_new(arena);
    SchemaTypeOptions options = {.prefix = string(arena, tn_value_member(said, "prefix")),
                                 .object = tn_value_bool(tn_value_member(said, "object")),
                                 .description_bytes = number(said, "description"),
                                 .type_bytes = number(said, "bytes")};
    SchemaText declarations, text;

    if (!names)
        return arena_status(arena);
    TRY(schema_type(arena, schema, names, &options, &declarations, &text));
    tn_put_key(out, "declarations");
    tn_put_text(out, declarations.text, declarations.length);
    tn_put_key(out, "text");
    tn_put_text(out, text.text, text.length);
    return TN_OK;
}

static tn_status answer_schema(Arena *arena, tn_value request, tn_writer *out)
{
    SchemaCheckOptions options = {.failures = number(request, "failures"),
                                  .formats = tn_value_bool(tn_value_member(request, "formats")),
                                  .steps = number(request, "steps"),
                                  .time_ms = number(request, "time"),
                                  .depth = number(request, "depth")};
    tn_value values = tn_value_member(request, "values"), type = tn_value_member(request, "type");
    const char *pointer = string(arena, tn_value_member(request, "pointer"));
    SchemaReport report = {0};
    SchemaDocument *document;
    const Schema *schema = NULL;
    tn_cursor cursor = {0};

    TRY(schema_open(arena, tn_value_member(request, "schema"),
                    dialect_of(string(arena, tn_value_member(request, "dialect"))), NULL, &report,
                    &document));
    TRY(schema_at(document, pointer, &schema));
    tn_put_key(out, "results");
    tn_put_array_begin(out);
    while (tn_value_next(values, &cursor)) {
        Arena scratch; /* each check has its own, as calls will */
        arena_init(&scratch, arena->allocator, ARENA_BYTES);
        tn_status status = put_result(&scratch, schema, cursor.value, &options, out);
        arena_release(&scratch);
        TRY(status);
    }
    tn_put_array_end(out);
    if (tn_value_type(type) == TN_TYPE_OBJECT)
        TRY(put_type(arena, schema, type, out));
    tn_put_key(out, "faultCount");
    tn_put_int(out, report.count);
    tn_put_key(out, "faults");
    tn_put_array_begin(out);
    for (const SchemaFault *at = report.first; at; at = at->next) {
        tn_put_array_begin(out);
        tn_put_string(out, at->pointer);
        tn_put_string(out, at->reason);
        tn_put_array_end(out);
    }
    tn_put_array_end(out);
    return TN_OK;
}

static tn_status answer_names(Arena *arena, tn_value request, tn_writer *out)
{
    tn_value wanted = tn_value_member(request, "names"),
             typed = tn_value_member(request, "typeNames");
    bool types = tn_value_type(typed) == TN_TYPE_ARRAY;
    tn_value list = types ? typed : wanted;
    size_t count = tn_value_count(list), at = 0;
    SchemaText *names = ARENA_ARRAY(arena, SchemaText, count);
    const char **identifiers = ARENA_ARRAY(arena, const char *, count);
    SchemaNames *table = schema_names_new(arena);
    tn_cursor cursor = {0};

    if (!names || !identifiers || !table)
        return arena_status(arena);
    while (tn_value_next(list, &cursor))
        names[at++] = text_of(cursor.value);
    if (!types)
        TRY(schema_names_assign(arena, names, count, identifiers));
    for (size_t i = 0; types && i < count; i++)
        identifiers[i] =
            schema_names_type(table, string(arena, tn_value_member(request, "prefix")), names[i]);
    TRY(arena_status(arena));
    tn_put_key(out, "identifiers");
    tn_put_array_begin(out);
    for (size_t i = 0; i < count; i++)
        tn_put_string(out, identifiers[i]);
    tn_put_array_end(out);
    return TN_OK;
}

static tn_status answer(const Heap *heap, tn_value request, tn_writer *out)
{
    const tn_allocator allocator = {.context = (void *)(uintptr_t)heap, .resize = resize};
    Arena arena;
    bool schema = tn_value_type(tn_value_member(request, "schema")) != TN_TYPE_NONE;

    arena_init(&arena, &allocator, ARENA_BYTES);
    tn_status status =
        schema ? answer_schema(&arena, request, out) : answer_names(&arena, request, out);
    arena_release(&arena);
    return status;
}

/* One line: what is written, or the status if it could not be done. */
static tn_status take_line(const char *line, size_t length, Heap *heap, bool print)
{
    tn_writer *in, *out;
    char *text = NULL;

    if (tn_writer_new(&in) != TN_OK || tn_writer_new(&out) != TN_OK)
        exit(1);
    tn_status status = tn_put_json(in, line, length);
    tn_put_object_begin(out);
    if (status == TN_OK)
        status = answer(heap, tn_writer_value(in), out);
    put(out, "status", words(status));
    tn_put_object_end(out);
    if (print && status == TN_OK && tn_value_json(tn_writer_value(out), &text, NULL) == TN_OK)
        puts(text);
    else if (print)
        printf("{\"status\": \"%s\"}\n", words(status));
    tn_text_free(text);
    tn_writer_free(out);
    tn_writer_free(in);
    return status;
}

/* Every allocation refused once: what comes is NOMEM, or the whole answer. */
static int refuse_all(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t room = 0, failed = 0, passed = 0;
    char *line = NULL;
    ssize_t length;

    if (!file)
        return 1;
    while ((length = getline(&line, &room, file)) > 0) {
        for (Heap heap = {0, 0};; heap = (Heap){0, heap.refused + 1}) {
            tn_status status = take_line(line, (size_t)length, &heap, false);
            if (status == TN_OK && heap.count <= heap.refused)
                break;
            if (status == TN_OK || status == TN_ERR_NOMEM)
                passed++;
            else
                failed++;
        }
    }
    free(line);
    fclose(file);
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed > 0;
}

int main(int count, char **arguments)
{
    size_t room = 0;
    char *line = NULL;
    ssize_t length;

    if (count == 3 && strcmp(arguments[1], "-r") == 0)
        return refuse_all(arguments[2]);
    while ((length = getline(&line, &room, stdin)) > 0) {
        Heap heap = {0, SIZE_MAX};
        (void)take_line(line, (size_t)length, &heap, true);
        fflush(stdout);
    }
    free(line);
    return 0;
}
