/* Where an operation is: the URL that its path is appended to. */
#include "inside.h"
#include "uri.h"

/* {name} becomes the variable's default; false if one has none. */
static bool put_variables(Reading *reading, Node server, SchemaText url, Buf *out)
{
    Node variables = node_member(reading, server, "variables");

    for (size_t i = 0; i < url.length; i++) {
        const char *close = url.text[i] == '{' ? memchr(url.text + i, '}', url.length - i) : NULL;
        if (!close) {
            buf_append_byte(out, (uint8_t)url.text[i]);
            continue;
        }
        size_t length = (size_t)(close - url.text) - i - 1;
        const DatumMember *member =
            variables.at ? datum_member(variables.at, url.text + i + 1, length) : NULL;
        if (!member)
            return false;
        Node variable = {(Datum *)(uintptr_t)&member->value, variables.file};
        SchemaText value = node_text(variable, "default");
        Node listed = node_get(variable, "enum");
        if (!node_get(variable, "default").at && node_is(listed, DATUM_ARRAY) &&
            listed.at->count > 0 && listed.at->items[0].kind == DATUM_TEXT)
            value = (SchemaText){listed.at->items[0].text, listed.at->items[0].count};
        else if (!node_is(node_get(variable, "default"), DATUM_TEXT))
            return false;
        buf_append(out, value.text, value.length);
        i += length + 1;
    }
    return !out->failed;
}

/* "https://api.example.com" of what begins so; NULL if it is no address of a service. */
static char *origin_of(Arena *arena, const char *url)
{
    size_t scheme = strncasecmp(url, "https://", 8) == 0  ? 8
                    : strncasecmp(url, "http://", 7) == 0 ? 7
                                                          : 0;
    size_t host = scheme ? strcspn(url + scheme, "/?#") : 0;

    for (size_t i = 0; i < scheme + host; i++) {
        if ((unsigned char)url[i] <= ' ' || strchr("\"<>\\^`{|}@", url[i]))
            return NULL;
    }
    return host > 0 ? arena_text(arena, url, scheme + host) : NULL;
}

/* The whole of a server's URL. NULL: `*out_why`. */
static const char *absolute(Reading *reading, Node server, const char **out_why)
{
    const char *address = reading->options->address;
    SchemaText text = node_text(server, "url");
    Buf url;
    Uri uri = {0};

    *out_why = "the URL of its server has a variable without a default";
    buf_init(&url, reading->scratch->allocator, 4096);
    bool good = put_variables(reading, server, text, &url);
    const char *given = url.length > 0 ? (const char *)url.data : "";
    if (good && !uri_resolve(reading->scratch, address ? address : "",
                             address ? strcspn(address, "#") : 0, given, url.length, &uri))
        good = false;
    buf_release(&url);
    return good ? arena_text(reading->scratch, uri.text, uri.length) : NULL;
}

static const Datum *first_server(Node node)
{
    Node list = node_get(node, "servers");

    return node_is(list, DATUM_ARRAY) && list.at->count > 0 ? &list.at->items[0] : NULL;
}

bool server_read(Reading *reading, Node item, Node node, OpenapiOperation *operation,
                 const char **out_why)
{
    const char *url = reading->options->server;
    Node holders[] = {node, item, reading->root};
    Datum *server = NULL;

    for (size_t i = 0; !url && !server && i < COUNT_OF(holders); i++)
        server = (Datum *)(uintptr_t)first_server(holders[i]);
    if (!url)
        url = absolute(reading, (Node){server, node.file}, out_why);
    if (!url)
        return false;
    size_t length = strcspn(url, "?#");
    while (length > 0 && url[length - 1] == '/')
        length--;
    operation->base = arena_text(reading->arena, url, length);
    operation->origin = operation->base ? origin_of(reading->arena, operation->base) : NULL;
    *out_why = "the document does not say where the service is (servers), and the host did not "
               "either";
    return operation->origin != NULL;
}
