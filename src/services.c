#include "services.h"

#include <string.h>

#include "base.h"
#include "http_client.h"
#include "memory.h"
#include "openapi.h"
#include "packages.h"
#include "schema.h"
#include "service_document.h"
#include "writer.h"

/* One service as it was added, and what its document made of it. In the registry's arena. */
typedef struct Service {
    const char *name;
    tn_openapi about;
    OpenapiService *read; /* NULL: not yet */
} Service;

typedef struct Services {
    Service *list;
    size_t count;
} Services;

/* One function: what its provider needs to know. */
typedef struct Operation {
    tn_engine *engine;
    const Service *service;
    const OpenapiOperation *about;
    const char *shown; /* "package.function" */
    Taker taker;
    HttpGrant grant;
} Operation;

/* ---- the call ---- */

static void answered(void *user, tn_call *call, const HttpAnswer *answer)
{
    const Operation *operation = user;
    OpenapiFailure failure = {0};
    OpenapiAnswer taken = {.status = answer->status,
                           .status_text = answer->status_text,
                           .header_count = answer->header_count,
                           .body = answer->body,
                           .body_length = answer->body_length};
    Arena arena;

    if (answer->error) {
        tn_call_fail(call, answer->error, answer->message, answer->retryable);
        return;
    }
    arena_init(&arena, memory_default(), (size_t)64 << 20);
    OpenapiHeader *headers = ARENA_ARRAY(&arena, OpenapiHeader, answer->header_count + 1);
    for (size_t i = 0; headers && i < answer->header_count; i++)
        headers[i] = (OpenapiHeader){answer->headers[i].name, answer->headers[i].value};
    taken.headers = headers;
    if (!headers) {
        tn_call_fail(call, "NOMEM", "the host has no memory for the answer", true);
    } else if (!openapi_answer(operation->about, &taken, &arena, tn_call_result(call), &failure)) {
        const Buf *details = &failure.details;
        call_fail_with(call, failure.code, failure.message ? failure.message : "",
                       failure.retryable,
                       (tn_value){details->data, details->data, details->data + details->length});
        buf_release(&failure.details);
    }
    arena_release(&arena);
}

static void send(const Operation *operation, const OpenapiRequest *made, Arena *arena,
                 tn_call *call)
{
    HttpHeader *headers = ARENA_ARRAY(arena, HttpHeader, made->header_count + 1);
    struct HttpClient *client;
    HttpRequest request = {.method = operation->about->method,
                           .url = made->url,
                           .headers = headers,
                           .header_count = made->header_count,
                           .body = made->body,
                           .body_length = made->body_length,
                           .grants = &operation->grant,
                           .grant_count = 1,
                           .timeout_ms = operation->service->about.call_ms,
                           .body_most = tn_call_result(call)->buf.limit};

    if (!headers || engine_http(operation->engine, &client) != TN_OK) {
        tn_call_fail(call, "NOMEM", "the host has no memory for the request", true);
        return;
    }
    for (size_t i = 0; i < made->header_count; i++)
        headers[i] = (HttpHeader){made->headers[i].name, made->headers[i].value};
    http_call(client, &request, call, answered, (void *)(uintptr_t)operation);
}

static void call_operation(void *context, tn_call *call)
{
    const Operation *operation = context;
    const char *why = "it cannot be made into a request";
    OpenapiRequest request;
    Arena arena;

    arena_init(&arena, memory_default(), (size_t)64 << 20);
    if (openapi_request(operation->about, taker_argument(call), &arena, &request, &why) == TN_OK) {
        send(operation, &request, &arena, call);
    } else {
        const char *message = arena_printf(&arena, "%s: %s", operation->shown, why);
        tn_call_fail(call, "arguments", message ? message : why, false);
    }
    arena_release(&arena);
}

/* ---- credentials ---- */

/* The host's text for a scheme, after its "NAME=". */
static const char *secret_of(const Service *service, const char *scheme)
{
    size_t length = strlen(scheme);

    for (const char *const *at = service->about.credentials; at && *at; at++) {
        if (strncmp(*at, scheme, length) == 0 && (*at)[length] == '=')
            return *at + length + 1;
    }
    return NULL;
}

static HttpCredential credential_of(const Service *service, const OpenapiScheme *scheme)
{
    static const HttpCredentialKind kinds[] = {
        [OPENAPI_AUTH_HEADER] = HTTP_CREDENTIAL_HEADER,
        [OPENAPI_AUTH_QUERY] = HTTP_CREDENTIAL_QUERY,
        [OPENAPI_AUTH_COOKIE] = HTTP_CREDENTIAL_COOKIE,
        [OPENAPI_AUTH_BASIC] = HTTP_CREDENTIAL_BASIC,
    };

    return (HttpCredential){.kind = kinds[scheme->kind],
                            .name = scheme->kind == OPENAPI_AUTH_BASIC ? NULL : scheme->wire,
                            .prefix = scheme->prefix,
                            .value = secret_of(service, scheme->name),
                            .reference = scheme->name};
}

/* Where the operation may go, and with what. */
static bool make_grant(Arena *arena, Operation *operation)
{
    const Service *service = operation->service;
    const OpenapiOperation *about = operation->about;
    const char *const *headers = service->about.headers;
    const char **methods = ARENA_ARRAY(arena, const char *, 1);
    size_t count = 0;

    while (headers && headers[count])
        count++;
    HttpCredential *credentials =
        ARENA_ARRAY(arena, HttpCredential, count + about->scheme_count + 1);
    if (!methods || !credentials)
        return false;
    methods[0] = about->method;
    operation->grant = (HttpGrant){
        .origin = about->origin, .methods = methods, .method_count = 1, .credentials = credentials};
    for (size_t i = 0; i < count; i++) {
        const char *colon = strchr(headers[i], ':');
        credentials[operation->grant.credential_count++] =
            (HttpCredential){.kind = HTTP_CREDENTIAL_HEADER,
                             .name = arena_text(arena, headers[i], (size_t)(colon - headers[i])),
                             .value = colon + 1 + strspn(colon + 1, " ")};
    }
    for (size_t i = 0; i < about->scheme_count; i++)
        credentials[operation->grant.credential_count++] =
            credential_of(service, about->schemes[i]);
    return arena_status(arena) == TN_OK;
}

/* ---- the declaration ---- */

typedef struct Saying {
    tn_engine *engine;
    Arena *arena;
    const Service *service;
    SchemaDocument *document;
    SchemaTypes *types;
    Buf functions;
} Saying;

static tn_status type_at(Saying *saying, const char *identifier, const char *what, int index,
                         const Schema **out_schema, SchemaText *out_text)
{
    const char *pointer =
        index < 0 ? arena_printf(saying->arena, "/functions/%s/%s", identifier, what)
                  : arena_printf(saying->arena, "/functions/%s/%s/%d", identifier, what, index);

    if (!pointer)
        return TN_ERR_NOMEM;
    TRY(schema_at(saying->document, pointer, out_schema));
    return schema_types_text(saying->types, *out_schema, out_text);
}

/* One of what good answers hold: each type once. */
static tn_status say_result(Saying *saying, const OpenapiOperation *about)
{
    Buf *out = &saying->functions;
    SchemaText *said = ARENA_ARRAY(saying->arena, SchemaText, about->outputs + 1);
    size_t count = 0;
    const Schema *schema;

    if (!said)
        return TN_ERR_NOMEM;
    if (strcmp(about->method, "HEAD") == 0) {
        buf_append_string(out, "{ status: number; headers: { [name: string]: string } }");
        return TN_OK;
    }
    for (uint32_t i = 0; i < about->outputs && !about->output_unknown; i++) {
        SchemaText text;
        size_t same = 0;
        TRY(type_at(saying, about->identifier, "output", (int)i, &schema, &text));
        while (same < count && (said[same].length != text.length ||
                                memcmp(said[same].text, text.text, text.length) != 0))
            same++;
        if (same < count)
            continue;
        buf_append_string(out, count > 0 ? " | " : "");
        buf_append(out, text.text, text.length);
        said[count++] = text;
    }
    if (about->output_unknown)
        buf_append_string(out, "any");
    else if (about->answers_nothing)
        buf_append_string(out, count > 0 ? " | undefined" : "undefined");
    else if (count == 0)
        buf_append_string(out, "any");
    return TN_OK;
}

static tn_status say_operation(Saying *saying, Operation *operation)
{
    const OpenapiOperation *about = operation->about;
    Buf *out = &saying->functions;
    SchemaText type;
    const char *facts =
        arena_printf(saying->arena, "%s%s %s", about->deprecated ? "Deprecated. " : "",
                     about->method, about->path);

    TRY(type_at(saying, about->identifier, "input", -1, &operation->taker.input, &type));
    operation->taker.type = type.text;
    operation->taker.type_length = type.length;
    if (!facts)
        return TN_ERR_NOMEM;
    schema_comment(out, 2, about->words, 400, (SchemaText){facts, strlen(facts)});
    buf_append_string(out, "  function ");
    buf_append_string(out, about->identifier);
    if (about->parameter_count == 0 && about->body.kind == OPENAPI_NO_CONTENT) {
        buf_append_string(out, "(input?: {}");
    } else {
        buf_append_string(out, operation->taker.needs_argument ? "(input: " : "(input?: ");
        buf_append(out, type.text, type.length);
    }
    buf_append_string(out, "): Promise<");
    TRY(say_result(saying, about));
    buf_append_string(out, ">;\n");
    return buf_status(out);
}

static tn_status declare(Saying *saying)
{
    const char *name = saying->service->name;
    SchemaText types;
    Buf text;
    tn_status status = schema_types_declarations(saying->types, &types);

    if (status != TN_OK)
        return status;
    buf_init(&text, saying->arena->allocator, SIZE_MAX);
    const char *head[] = {"declare namespace ", name, " {\n"};
    const char *tail[] = {"}\ndeclare module \"", name, "\" {\n  export = ", name, ";\n}\n"};
    for (size_t i = 0; i < COUNT_OF(head); i++)
        buf_append_string(&text, head[i]);
    buf_append(&text, types.text, types.length);
    buf_append(&text, saying->functions.data, saying->functions.length);
    for (size_t i = 0; i < COUNT_OF(tail); i++)
        buf_append_string(&text, tail[i]);
    status = buf_status(&text);
    const char *file = arena_printf(saying->arena, "%s.d.ts", name);
    if (status == TN_OK)
        status = file ? engine_declare(saying->engine, file, (const char *)text.data, text.length)
                      : TN_ERR_NOMEM;
    buf_release(&text);
    return status;
}

/* ---- one service ---- */

static tn_status add_operation(Saying *saying, const OpenapiOperation *about, bool *out_added,
                               Operation **out_operation)
{
    Arena *arena = saying->arena;
    Operation *operation = ARENA_NEW(arena, Operation);
    unsigned flags = about->read_only ? TN_FUNCTION_READ_ONLY : 0;

    if (!operation)
        return TN_ERR_NOMEM;
    *operation = (Operation){.engine = saying->engine, .service = saying->service, .about = about};
    operation->shown = arena_printf(arena, "%s.%s", saying->service->name, about->identifier);
    operation->taker.needs_argument = about->needs_argument;
    if (!operation->shown || !make_grant(arena, operation))
        return TN_ERR_NOMEM;
    Provider provider = {.context = operation, .invoke = call_operation};
    tn_status status =
        registry_add(&saying->engine->registry, ENTRY_FUNCTION, operation->shown, flags, provider);
    *out_added = status == TN_OK;
    *out_operation = operation;
    if (status == TN_OK)
        saying->engine->registry.entries[saying->engine->registry.count - 1].check =
            (ArgumentCheck){&operation->taker, taker_fits};
    if (status != TN_ERR_STATE && status != TN_ERR_ARGUMENT)
        return status;
    packages_problem(saying->engine,
                     arena_printf(arena,
                                  "%s: there is a function of that name already, or the name is "
                                  "none: it is left out",
                                  operation->shown));
    return TN_OK;
}

static void tell_faults(Saying *saying, const SchemaReport *report)
{
    enum { TOLD = 10 };
    uint32_t told = 0;

    for (const SchemaFault *fault = report->first; fault && told < TOLD;
         fault = fault->next, told++)
        packages_problem(saying->engine,
                         arena_printf(saying->arena,
                                      "%s: a schema is wrong at %s (%s): what is there is unknown "
                                      "to the check",
                                      saying->service->name, fault->pointer, fault->reason));
    if (report->count > told)
        packages_problem(saying->engine,
                         arena_printf(saying->arena, "%s: and %u more places in its schemas",
                                      saying->service->name, report->count - told));
}

static tn_status say_service(Saying *saying)
{
    const OpenapiService *read = saying->service->read;
    const SchemaLimits limits = {.values = 8000000};
    const SchemaTypeOptions options = {
        .prefix = "", .description_bytes = 200, .type_bytes = 16 << 20};
    SchemaReport *report = ARENA_NEW(saying->arena, SchemaReport);
    SchemaNames *names = schema_names_new(saying->arena);

    if (!report || !names)
        return TN_ERR_NOMEM;
    TRY(schema_open(saying->arena, read->schemas, read->dialect, &limits, report,
                    &saying->document));
    TRY(schema_types_new(saying->arena, saying->document, names, &options, &saying->types));
    for (size_t i = 0; i < read->count; i++) {
        Operation *operation;
        bool added;
        TRY(add_operation(saying, &read->operations[i], &added, &operation));
        if (added)
            TRY(say_operation(saying, operation));
    }
    tell_faults(saying, report);
    return declare(saying);
}

/* A credential that no scheme is named after is one that was misspelt. */
static void tell_unknown_credentials(tn_engine *engine, const Service *service)
{
    Arena *arena = &engine->registry.arena;

    for (const char *const *at = service->about.credentials; at && *at; at++) {
        size_t length = strcspn(*at, "="), k = 0;
        const OpenapiService *read = service->read;
        while (k < read->scheme_count && (strlen(read->schemes[k].name) != length ||
                                          memcmp(read->schemes[k].name, *at, length) != 0))
            k++;
        if (k < read->scheme_count)
            continue;
        packages_problem(engine,
                         arena_printf(arena,
                                      "%s: its document has no security scheme \"%.*s\" that can "
                                      "be used%s%s",
                                      service->name, (int)length, *at,
                                      read->scheme_count > 0 ? "; one that it has is " : "",
                                      read->scheme_count > 0 ? read->schemes[0].name : ""));
    }
}

static tn_status take_service(tn_engine *engine, Service *service)
{
    Arena *arena = &engine->registry.arena;
    Saying saying = {.engine = engine, .arena = arena, .service = service};
    const char *why = NULL;
    tn_status status =
        service_document_read(engine, service->name, &service->about, &service->read, &why);

    if (status != TN_OK)
        return status;
    if (!service->read) {
        packages_problem(engine, arena_printf(arena, "%s: %s", service->name, why));
        return TN_OK;
    }
    for (size_t i = 0; i < service->read->problem_count; i++)
        packages_problem(engine, service->read->problems[i]);
    if (service->read->count == 0)
        return TN_OK;
    tell_unknown_credentials(engine, service);
    buf_init(&saying.functions, arena->allocator, SIZE_MAX);
    status = say_service(&saying);
    buf_release(&saying.functions);
    if (status == TN_ERR_LIMIT && arena_status(arena) == TN_OK) {
        packages_problem(engine, arena_printf(arena, "%s: its schemas are larger than can be read",
                                              service->name));
        return TN_OK;
    }
    return status;
}

/* ---- all of them ---- */

bool services_have(const tn_engine *engine, const char *package)
{
    const Services *services = engine->services;

    for (size_t i = 0; services && i < services->count; i++) {
        if (strcmp(services->list[i].name, package) == 0)
            return true;
    }
    return false;
}

static const char *copy(Arena *arena, const char *text)
{
    return text ? arena_string(arena, text) : NULL;
}

static const char *const *copy_list(Arena *arena, const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    const char **copied = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; copied && i < count; i++)
        copied[i] = arena_string(arena, list[i]);
    return copied;
}

static bool all_have(const char *const *list, char mark)
{
    for (; list && *list; list++) {
        const char *at = strchr(*list, mark);
        if (!at || at == *list)
            return false;
    }
    return true;
}

tn_status tn_engine_add_openapi(tn_engine *engine, const char *package, const tn_openapi *service)
{
    Arena *arena = &engine->registry.arena;
    tn_openapi given = {.size = sizeof given};
    Services *services = engine->services;
    tn_status status = packages_may_add(engine, package);

    if (status != TN_OK)
        return status;
    memcpy(&given, service, service->size < sizeof given ? service->size : sizeof given);
    if ((!given.document && !given.text) || !all_have(given.credentials, '=') ||
        !all_have(given.headers, ':'))
        return TN_ERR_ARGUMENT;
    if (!services && !(services = engine->services = ARENA_NEW(arena, Services)))
        return TN_ERR_NOMEM;
    Service *grown = arena_grow(arena, services->list, services->count * sizeof *grown,
                                (services->count + 1) * sizeof *grown);
    if (!grown)
        return TN_ERR_NOMEM;
    services->list = grown;
    grown[services->count] = (Service){.name = arena_string(arena, package),
                                       .about = {.size = sizeof given,
                                                 .document = copy(arena, given.document),
                                                 .text_length = given.text_length,
                                                 .server = copy(arena, given.server),
                                                 .credentials = copy_list(arena, given.credentials),
                                                 .headers = copy_list(arena, given.headers),
                                                 .call_ms = given.call_ms}};
    if (given.text)
        grown[services->count].about.text = arena_text(arena, given.text, given.text_length);
    TRY(arena_status(arena));
    services->count++;
    return TN_OK;
}

tn_status services_open(tn_engine *engine)
{
    Services *services = engine->services;

    for (size_t i = 0; services && i < services->count; i++)
        TRY(take_service(engine, &services->list[i]));
    return TN_OK;
}

void services_close(tn_engine *engine)
{
    const Services *services = engine->services;

    for (size_t i = 0; services && i < services->count; i++)
        openapi_release(services->list[i].read);
}
