/* Parameters of an operation: which there are, and what the argument calls them. */
#include "inside.h"

static bool is_text(SchemaText text, const char *wanted)
{
    return text.length == strlen(wanted) && memcmp(text.text, wanted, text.length) == 0;
}

int style_named(SchemaText name)
{
    static const char *const names[] = {"simple",         "label",         "matrix",    "form",
                                        "spaceDelimited", "pipeDelimited", "deepObject"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (is_text(name, names[i]))
            return (int)i;
    }
    return -1;
}

static int place_named(SchemaText name)
{
    static const char *const names[] = {"path", "query", "header", "cookie"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (is_text(name, names[i]))
            return (int)i;
    }
    return -1;
}

/* Headers that the document cannot set by a parameter: the first three by OpenAPI's own words, the
 * others since they belong to the connection. */
static bool is_own_header(const char *name)
{
    static const char *const own[] = {"accept",         "content-type", "authorization",
                                      "host",           "connection",   "transfer-encoding",
                                      "content-length", "cookie",       "te",
                                      "upgrade",        "expect",       "trailer"};

    for (size_t i = 0; i < COUNT_OF(own); i++) {
        if (strcasecmp(name, own[i]) == 0)
            return true;
    }
    return false;
}

static bool is_header_name(const char *name)
{
    for (; *name; name++) {
        bool letter =
            ((*name | 32) >= 'a' && (*name | 32) <= 'z') || (*name >= '0' && *name <= '9');
        if (!letter && !strchr("!#$%&'*+-.^_`|~", *name))
            return false;
    }
    return true;
}

/* Styles that mean something at a place; another one is what is usual there. */
static uint8_t style_at(int place, int wanted)
{
    static const uint8_t usual[] = {OPENAPI_SIMPLE, OPENAPI_FORM, OPENAPI_SIMPLE, OPENAPI_FORM};
    static const uint8_t most[] = {OPENAPI_MATRIX, OPENAPI_DEEP, OPENAPI_SIMPLE, OPENAPI_FORM};
    bool fits = wanted >= usual[place] && wanted <= most[place];

    return fits ? (uint8_t)wanted : usual[place];
}

/* How its value is written. */
static void read_style(Reading *reading, Node node, OpenapiParameter *parameter, ApiSchema *schema)
{
    Node content = node_member(reading, node, "content"), explode = node_get(node, "explode");

    schema->description = node_text(node, "description");
    schema->deprecated = node_is_true(node, "deprecated");
    if (node_is(content, DATUM_OBJECT) && content.at->count > 0) {
        const DatumMember *media = &content.at->members[0];
        Node inside = {(Datum *)(uintptr_t)&media->value, content.file};
        bool json = content_kind(media->name, media->length) == OPENAPI_CONTENT_JSON;
        parameter->style = json ? OPENAPI_JSON : OPENAPI_TEXT;
        schema->node = node_get(inside, "schema");
        return;
    }
    schema->node = node_get(node, "schema");
    parameter->style = style_at(parameter->place, style_named(node_text(node, "style")));
    parameter->explode = node_is(explode, DATUM_BOOL)
                             ? explode.at->truth
                             : parameter->style == OPENAPI_FORM || parameter->style == OPENAPI_DEEP;
    parameter->reserved = node_is_true(node, "allowReserved");
}

/* ---- the list ---- */

typedef struct Listing {
    Reading *reading;
    OpenapiParameter *parameters;
    ApiSchema *schemas;
    size_t count;
    const char *path;
    const char *why; /* the operation cannot be offered */
} Listing;

static bool is_in_path(const char *path, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strchr(path, '{'); at; at = strchr(at + 1, '{')) {
        if (strncmp(at + 1, name, length) == 0 && at[1 + length] == '}')
            return true;
    }
    return false;
}

/* One of the same name and place that was listed before; the operation's stands for its path's. */
static OpenapiParameter *listed(const Listing *listing, const char *wire, int place)
{
    for (size_t i = 0; i < listing->count; i++) {
        OpenapiParameter *at = &listing->parameters[i];
        if (at->place == place &&
            (place == OPENAPI_HEADER ? strcasecmp(at->wire, wire) : strcmp(at->wire, wire)) == 0)
            return at;
    }
    return NULL;
}

static void take_one(Listing *listing, Node node)
{
    Reading *reading = listing->reading;
    const char *why = NULL;
    Node at = node_follow(reading, node, &why);

    if (!node_is(at, DATUM_OBJECT)) {
        listing->why = arena_printf(reading->scratch, "one of its parameters is not there: %s",
                                    why ? why : "it is no object");
        return;
    }
    const char *wire = node_string(reading, at, "name");
    int place = place_named(node_text(at, "in"));
    if (!wire || !*wire || place < 0) {
        listing->why = "one of its parameters has no name, or no place that is known";
        return;
    }
    if (place == OPENAPI_HEADER && is_own_header(wire))
        return;
    if ((place == OPENAPI_HEADER && !is_header_name(wire)) ||
        (place == OPENAPI_PATH && !is_in_path(listing->path, wire))) {
        if (place == OPENAPI_HEADER && node_is_true(at, "required"))
            listing->why = "a header that it needs has a name that no header can have";
        return;
    }
    OpenapiParameter *parameter = listed(listing, wire, place);
    if (!parameter && listing->count == PARAMETERS_MOST) {
        listing->why = "it has more parameters than the limit of 500";
        return;
    }
    if (!parameter)
        parameter = &listing->parameters[listing->count++];
    ApiSchema *schema = &listing->schemas[parameter - listing->parameters];
    *schema = (ApiSchema){0};
    *parameter = (OpenapiParameter){.wire = wire, .place = (uint8_t)place};
    parameter->required = place == OPENAPI_PATH || node_is_true(at, "required");
    read_style(reading, at, parameter, schema);
}

static void take_list(Listing *listing, Node list)
{
    list = node_member(listing->reading, list, "parameters");
    for (uint32_t i = 0; node_is(list, DATUM_ARRAY) && i < list.at->count && !listing->why; i++)
        take_one(listing, (Node){&list.at->items[i], list.file});
}

/* {names} in the path that no parameter is declared for are texts. */
static void take_undeclared(Listing *listing)
{
    for (const char *at = strchr(listing->path, '{'); at; at = strchr(at + 1, '{')) {
        size_t length = strcspn(at + 1, "{}");
        if (at[1 + length] != '}' || length == 0 || listing->count == PARAMETERS_MOST)
            continue;
        const char *name = arena_text(listing->reading->arena, at + 1, length);
        if (!name || listed(listing, name, OPENAPI_PATH))
            continue;
        listing->parameters[listing->count++] = (OpenapiParameter){
            .wire = name, .place = OPENAPI_PATH, .style = OPENAPI_SIMPLE, .required = true};
    }
}

/* ---- names in the argument ---- */

static bool is_taken(const Listing *listing, const char *member, size_t before, bool body)
{
    if (body && strcmp(member, "body") == 0)
        return true;
    for (size_t i = 0; i < before; i++) {
        if (strcmp(listing->parameters[i].member, member) == 0)
            return true;
    }
    return false;
}

/* Of two with one name the one of the earlier place keeps it. */
static void name_members(Listing *listing, bool body)
{
    static const char *const places[] = {"path", "query", "header", "cookie"};
    Arena *arena = listing->reading->arena;

    for (size_t i = 0; i < listing->count; i++) {
        OpenapiParameter *at = &listing->parameters[i];
        at->member = at->wire;
        if (is_taken(listing, at->member, i, body))
            at->member = arena_printf(arena, "%s_%s", at->wire, places[at->place]);
        for (unsigned n = 2; at->member && is_taken(listing, at->member, i, body); n++)
            at->member = arena_printf(arena, "%s_%s_%u", at->wire, places[at->place], n);
        if (!at->member)
            return;
    }
}

/* By place, in the order of the document. */
static void sort_by_place(Listing *listing, OpenapiParameter *parameters, ApiSchema *schemas)
{
    size_t to = 0;

    for (int place = OPENAPI_PATH; place <= OPENAPI_COOKIE; place++) {
        for (size_t i = 0; i < listing->count; i++) {
            if (listing->parameters[i].place != place)
                continue;
            schemas[to] = listing->schemas[i];
            parameters[to++] = listing->parameters[i];
        }
    }
    listing->parameters = parameters;
    listing->schemas = schemas;
}

bool parameters_read(Reading *reading, Node item, Node node, OpenapiOperation *operation,
                     ApiOperation *inner, const char **out_why)
{
    OpenapiParameter found[PARAMETERS_MOST];
    ApiSchema schemas[PARAMETERS_MOST];
    Listing listing = {
        .reading = reading, .parameters = found, .schemas = schemas, .path = operation->path};

    memset(schemas, 0, sizeof schemas);
    take_list(&listing, item);
    if (!listing.why)
        take_list(&listing, node);
    if (!listing.why)
        take_undeclared(&listing);
    *out_why = listing.why;
    if (listing.why)
        return false;
    operation->parameter_count = listing.count;
    OpenapiParameter *kept = ARENA_ARRAY(reading->arena, OpenapiParameter, listing.count + 1);
    inner->inputs = ARENA_ARRAY(reading->scratch, ApiSchema, listing.count + 1);
    *out_why = "memory ran out";
    if (!kept || !inner->inputs)
        return false;
    sort_by_place(&listing, kept, inner->inputs);
    operation->parameters = kept;
    name_members(&listing, operation->body.kind != OPENAPI_NO_CONTENT);
    return arena_status(reading->arena) == TN_OK;
}
