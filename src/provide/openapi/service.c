/* The whole document: paths, operations and their names. */
#include <stdlib.h>

#include "inside.h"

static const char *const methods[] = {"get", "head", "options", "post", "put", "patch", "delete"};
enum { READ_ONLY_METHODS = 3 };

/* ---- one operation ---- */

/* "Summary. Description", as others wrote it. */
static SchemaText words_of(Reading *reading, Node node)
{
    SchemaText summary = node_text(node, "summary"), more = node_text(node, "description");
    SchemaText words = {0};
    Buf said;

    buf_init(&said, reading->scratch->allocator, SIZE_MAX);
    buf_append(&said, summary.text, summary.length);
    if (more.length > 0 &&
        (more.length != summary.length || memcmp(more.text, summary.text, more.length) != 0)) {
        buf_append_string(&said, summary.length > 0 ? "\n" : "");
        buf_append(&said, more.text, more.length);
    }
    if (said.length > 0)
        words = (SchemaText){arena_text(reading->arena, (const char *)said.data, said.length),
                             said.length};
    buf_release(&said);
    return words.text ? words : (SchemaText){"", 0};
}

static bool grow(Reading *reading)
{
    OpenapiService *service = reading->service;
    size_t count = service->count, room = reading->room * 2 + 32;

    if (count < reading->room)
        return true;
    OpenapiOperation *operations = arena_grow(
        reading->arena, service->operations, count * sizeof *operations, room * sizeof *operations);
    ApiOperation *inner = arena_grow(reading->scratch, reading->operations, count * sizeof *inner,
                                     room * sizeof *inner);
    if (!operations || !inner)
        return false;
    service->operations = operations;
    reading->operations = inner;
    reading->room = room;
    return true;
}

static const char *in_capitals(Arena *arena, const char *word)
{
    char *capitals = arena_string(arena, word);

    for (char *at = capitals; at && *at; at++)
        *at = (char)(*at - 32);
    return capitals;
}

static void take_operation(Reading *reading, const DatumMember *path, Node item, size_t method,
                           Node node)
{
    OpenapiService *service = reading->service;
    const char *why = NULL;

    if (!grow(reading))
        return;
    OpenapiOperation *operation = &service->operations[service->count];
    ApiOperation *inner = &reading->operations[service->count];
    *operation = (OpenapiOperation){.method = in_capitals(reading->arena, methods[method]),
                                    .path = arena_text(reading->arena, path->name, path->length),
                                    .read_only = method < READ_ONLY_METHODS,
                                    .deprecated = node_is_true(node, "deprecated")};
    *inner = (ApiOperation){.wish = node_text(node, "operationId")};
    if (!operation->method || !operation->path)
        return;
    if (service->count == OPERATIONS_MOST)
        why = "the document has more operations than the limit of 10,000";
    else if (!node_is(node, DATUM_OBJECT))
        why = "it is no object";
    if (why || !body_read(reading, node, operation, inner, &why) ||
        !parameters_read(reading, item, node, operation, inner, &why) ||
        !server_read(reading, item, node, operation, &why)) {
        problem(reading, "%s %.200s is left out: %s", operation->method, operation->path, why);
        return;
    }
    answers_read(reading, node, operation, inner);
    security_read(reading, node, operation);
    operation->words = words_of(reading, node);
    for (size_t i = 0; i < operation->parameter_count; i++)
        operation->needs_argument |= operation->parameters[i].required;
    operation->needs_argument |= operation->body.required;
    service->count++;
}

static void take_path(Reading *reading, const DatumMember *path, ApiFile *file)
{
    const char *why = "it is no object";
    Node item = node_follow(reading, (Node){(Datum *)(uintptr_t)&path->value, file}, &why);

    if (path->length == 0 || path->name[0] != '/' || memchr(path->name, '\0', path->length)) {
        if (path->length < 2 || memcmp(path->name, "x-", 2) != 0)
            problem(reading, "the path %.*s is left out: it does not begin with /",
                    path->length < 200 ? (int)path->length : 200, path->name);
        return;
    }
    if (!node_is(item, DATUM_OBJECT)) {
        problem(reading, "the path %.*s is left out: %s",
                path->length < 200 ? (int)path->length : 200, path->name, why);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        Node node = node_get(item, methods[i]);
        if (node.at)
            take_operation(reading, path, item, i, node);
    }
    if (datum_get(item.at, "trace"))
        problem(reading, "TRACE %.*s is left out: it would answer with the credentials it is sent",
                path->length < 200 ? (int)path->length : 200, path->name);
}

/* ---- names ---- */

static int by_wish(const void *a, const void *b)
{
    const ApiOperation *one = *(ApiOperation *const *)a, *other = *(ApiOperation *const *)b;

    if (one->wish.length != other->wish.length)
        return one->wish.length < other->wish.length ? -1 : 1;
    return one->wish.length > 0 ? memcmp(one->wish.text, other->wish.text, one->wish.length) : 0;
}

/* Called with each run of operations that want the same name. */
typedef bool (*Same)(Reading *reading, ApiOperation **same, size_t count);

static bool each_same(Reading *reading, Same same)
{
    size_t count = reading->service->count;
    ApiOperation **sorted = ARENA_ARRAY(reading->scratch, ApiOperation *, count + 1);
    bool good = sorted != NULL;

    for (size_t i = 0; good && i < count; i++)
        sorted[i] = &reading->operations[i];
    if (good)
        qsort(sorted, count, sizeof(ApiOperation *), by_wish);
    for (size_t i = 0, next; good && i < count; i = next) {
        for (next = i + 1; next < count && by_wish(&sorted[i], &sorted[next]) == 0; next++) {
        }
        good = same(reading, sorted + i, next - i);
    }
    return good;
}

/* "get /pets/{id}": never the same for two. */
static bool wish_place(Reading *reading, ApiOperation *inner)
{
    size_t at = (size_t)(inner - reading->operations);
    const OpenapiOperation *operation = &reading->service->operations[at];
    Buf place;

    buf_init(&place, reading->scratch->allocator, SIZE_MAX);
    for (const char *c = operation->method; *c; c++)
        buf_append_byte(&place, (uint8_t)(*c + 32));
    buf_append_byte(&place, ' ');
    buf_append_string(&place, operation->path);
    inner->wish = (SchemaText){arena_text(reading->scratch, (const char *)place.data, place.length),
                               place.length};
    buf_release(&place);
    return inner->wish.text != NULL;
}

static bool name_by_place(Reading *reading, ApiOperation **same, size_t count)
{
    bool good = true;

    for (size_t i = 0; good && count > 1 && i < count; i++)
        good = wish_place(reading, same[i]);
    return good;
}

/* Without an operationId of its own: the words of its place, "get_pets_id". */
static bool name_by_words(Reading *reading, ApiOperation **same, size_t count)
{
    bool good = true;

    if (count == 1 && same[0]->wish.length > 0)
        return true;
    for (size_t i = 0; good && i < count; i++) {
        good = wish_place(reading, same[i]);
        char *from = (char *)(uintptr_t)same[i]->wish.text, *to = from, *start = from;
        for (; good && *from; from++) {
            if (!strchr(" /{}", *from))
                *to++ = *from;
            else if (to > start && to[-1] != '_')
                *to++ = '_';
        }
        to -= good && to > start && to[-1] == '_';
        same[i]->wish.length = (size_t)(to - start);
    }
    return good;
}

static bool keep_first(Reading *reading, ApiOperation **same, size_t count)
{
    (void)reading;
    for (size_t i = 1; i < count; i++)
        same[i]->spare = true;
    return true;
}

static tn_status name_operations(Reading *reading)
{
    OpenapiService *service = reading->service;
    size_t count = service->count, kept = 0;
    SchemaText *wishes = ARENA_ARRAY(reading->scratch, SchemaText, count + 1);
    const char **identifiers = ARENA_ARRAY(reading->scratch, const char *, count + 1);

    if (!each_same(reading, name_by_words) || !each_same(reading, name_by_place) ||
        !each_same(reading, keep_first) || !wishes || !identifiers)
        return arena_status(reading->scratch) == TN_OK ? TN_ERR_NOMEM
                                                       : arena_status(reading->scratch);
    for (size_t i = 0; i < count; i++)
        wishes[i] = reading->operations[i].wish;
    TRY(schema_names_assign(reading->arena, wishes, count, identifiers));
    for (size_t i = 0; i < count; i++) {
        OpenapiOperation operation = service->operations[i];
        operation.identifier = identifiers[i];
        if (reading->operations[i].spare) {
            problem(reading, "%s %.200s is left out: another operation has its name",
                    operation.method, operation.path);
            continue;
        }
        reading->operations[kept] = reading->operations[i];
        service->operations[kept++] = operation;
    }
    service->count = kept;
    return TN_OK;
}

/* ---- the whole ---- */

/* False: a problem says why it is none that can be read. */
static bool check_version(Reading *reading)
{
    SchemaText version = node_text(reading->root, "openapi");

    if (version.length >= 3 && memcmp(version.text, "3.", 2) == 0) {
        reading->service->dialect = version.text[2] == '0' ? SCHEMA_OPENAPI_30 : SCHEMA_OPENAPI_31;
        return true;
    }
    if (node_get(reading->root, "swagger").at)
        problem(reading, "the document is of Swagger 2.0: convert it to OpenAPI 3 first");
    else
        problem(reading,
                "the document is none of OpenAPI 3: it does not say \"openapi\": \"3...\"");
    return false;
}

static void take_paths(Reading *reading)
{
    Node paths = node_member(reading, reading->root, "paths");
    size_t before = reading->service->problem_count;

    for (uint32_t i = 0; node_is(paths, DATUM_OBJECT) && i < paths.at->count; i++)
        take_path(reading, &paths.at->members[i], paths.file);
    if (reading->service->count == 0 && reading->service->problem_count == before)
        problem(reading, "the document has no operations (paths)");
}

static tn_status read_all(Reading *reading)
{
    OpenapiService *service = reading->service;

    if (!document_open(reading) || !check_version(reading))
        return arena_status(reading->scratch);
    Node info = node_member(reading, reading->root, "info");
    service->title = node_string(reading, info, "title");
    schemes_read(reading);
    take_paths(reading);
    TRY(name_operations(reading));
    TRY(arena_status(reading->scratch));
    TRY(parts_find(reading));
    return bundle_write(reading);
}

tn_status openapi_read(Arena *arena, const OpenapiOptions *options, OpenapiService **out_service)
{
    OpenapiService *service = ARENA_NEW(arena, OpenapiService);
    Arena scratch;
    tn_status status;

    if (!service)
        return arena_status(arena);
    arena_init(&scratch, arena->allocator, (size_t)1 << 30);
    Reading reading = {.arena = arena, .scratch = &scratch, .options = options, .service = service};
    status = read_all(&reading);
    if (status == TN_ERR_LIMIT && arena_status(arena) == TN_OK) {
        service->count = 0;
        problem(&reading, "the document is larger than can be read");
        status = TN_OK;
    }
    document_close(&reading);
    arena_release(&scratch);
    if (status == TN_OK)
        status = arena_status(arena);
    if (status != TN_OK)
        openapi_release(service);
    else
        *out_service = service;
    return status;
}

void openapi_release(OpenapiService *service)
{
    if (service && service->bytes.allocator)
        buf_release(&service->bytes);
}
