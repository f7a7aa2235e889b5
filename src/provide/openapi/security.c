/* Which credentials an operation needs, and which of them the host has. */
#include "inside.h"

static bool is_text(SchemaText text, const char *wanted)
{
    return text.length == strlen(wanted) && strncasecmp(text.text, wanted, text.length) == 0;
}

/* False: a kind that is not known. */
static bool read_scheme(Reading *reading, Node node, OpenapiScheme *scheme)
{
    SchemaText type = node_text(node, "type"), where = node_text(node, "in");
    SchemaText http = node_text(node, "scheme");

    *scheme = (OpenapiScheme){.name = scheme->name, .wire = "Authorization", .prefix = "Bearer "};
    if (is_text(type, "oauth2") || is_text(type, "openIdConnect"))
        return true;
    if (is_text(type, "apiKey")) {
        scheme->kind = is_text(where, "query")    ? OPENAPI_AUTH_QUERY
                       : is_text(where, "cookie") ? OPENAPI_AUTH_COOKIE
                                                  : OPENAPI_AUTH_HEADER;
        scheme->wire = node_string(reading, node, "name");
        scheme->prefix = "";
        return scheme->wire && scheme->wire[0];
    }
    if (!is_text(type, "http") || http.length == 0)
        return false;
    if (is_text(http, "basic"))
        scheme->kind = OPENAPI_AUTH_BASIC;
    else if (!is_text(http, "bearer"))
        scheme->prefix = arena_printf(reading->arena, "%.*s ", (int)http.length, http.text);
    return scheme->prefix && !strpbrk(scheme->prefix, "\r\n");
}

void schemes_read(Reading *reading)
{
    OpenapiService *service = reading->service;
    Node components = node_member(reading, reading->root, "components");
    Node list = node_member(reading, components, "securitySchemes");
    uint32_t count = node_is(list, DATUM_OBJECT) ? list.at->count : 0;
    OpenapiScheme *schemes = ARENA_ARRAY(reading->arena, OpenapiScheme, count + 1);
    const char *why;

    for (uint32_t i = 0; schemes && i < count; i++) {
        const DatumMember *member = &list.at->members[i];
        Node node =
            node_follow(reading, (Node){(Datum *)(uintptr_t)&member->value, list.file}, &why);
        OpenapiScheme *scheme = &schemes[service->scheme_count];
        scheme->name = arena_text(reading->arena, member->name, member->length);
        if (scheme->name && node_is(node, DATUM_OBJECT) && read_scheme(reading, node, scheme))
            service->scheme_count++;
    }
    service->schemes = schemes;
}

static const OpenapiScheme *scheme_named(const Reading *reading, const DatumMember *member)
{
    const OpenapiService *service = reading->service;

    for (size_t i = 0; i < service->scheme_count; i++) {
        const char *name = service->schemes[i].name;
        if (strlen(name) == member->length && memcmp(name, member->name, member->length) == 0)
            return &service->schemes[i];
    }
    return NULL;
}

static bool host_has(const Reading *reading, const OpenapiScheme *scheme)
{
    const char *const *at = reading->options->credentials;

    for (; scheme && at && *at; at++) {
        if (strcmp(*at, scheme->name) == 0)
            return true;
    }
    return false;
}

/* Does the host have all that one of the alternatives asks for? */
static bool has_all(const Reading *reading, const Datum *alternative)
{
    for (uint32_t i = 0; i < alternative->count; i++) {
        if (!host_has(reading, scheme_named(reading, &alternative->members[i])))
            return false;
    }
    return true;
}

static void attach(Reading *reading, const Datum *alternative, OpenapiOperation *operation)
{
    const OpenapiScheme **schemes =
        ARENA_ARRAY(reading->arena, const OpenapiScheme *, alternative->count + 1);

    for (uint32_t i = 0; schemes && i < alternative->count; i++)
        schemes[operation->scheme_count++] = scheme_named(reading, &alternative->members[i]);
    operation->schemes = schemes;
}

/* "bearerAuth, or apiKey and appId" */
static void say_missing(Reading *reading, Node list, OpenapiOperation *operation)
{
    Buf said;

    buf_init(&said, reading->scratch->allocator, 400);
    for (uint32_t i = 0; i < list.at->count; i++) {
        const Datum *alternative = &list.at->items[i];
        for (uint32_t k = 0; alternative->kind == DATUM_OBJECT && k < alternative->count; k++) {
            buf_append_string(&said, k > 0 ? " and " : said.length > 0 ? ", or " : "");
            buf_append(&said, alternative->members[k].name, alternative->members[k].length);
        }
    }
    if (said.length > 0)
        operation->missing = arena_text(reading->arena, (const char *)said.data, said.length);
    buf_release(&said);
}

/* The first alternative that the host can give; one that asks for nothing comes last. */
void security_read(Reading *reading, Node node, OpenapiOperation *operation)
{
    Node list = node_get(node, "security");
    bool none = false;

    if (!list.at)
        list = node_get(reading->root, "security");
    if (!node_is(list, DATUM_ARRAY) || list.at->count == 0)
        return;
    for (uint32_t i = 0; i < list.at->count; i++) {
        const Datum *alternative = &list.at->items[i];
        if (alternative->kind != DATUM_OBJECT)
            continue;
        none = none || alternative->count == 0;
        if (alternative->count > 0 && has_all(reading, alternative)) {
            attach(reading, alternative, operation);
            return;
        }
    }
    if (!none)
        say_missing(reading, list, operation);
}
