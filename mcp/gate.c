/* Who may come in: by path, host, origin and token. Nothing of a message has been read yet. */
#include "http.h"

#include <string.h>
#include <strings.h>

const char *header_of(const Http *http, struct MHD_Connection *connection, const char *name)
{
    return http->mhd->MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

bool header_modern(const Http *http, struct MHD_Connection *connection)
{
    const char *version = header_of(http, connection, "MCP-Protocol-Version");

    /* dates in digits are in the order of their letters; what is no date is no older version */
    return version && strcmp(version, "2026") >= 0;
}

/* "localhost", "127.0.0.1" or "[::1]", and perhaps a port. */
static bool is_loopback(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) != 0)
            continue;
        const char *rest = host + length;
        if (*rest == ':')
            rest += 1 + strspn(rest + 1, "0123456789");
        return *rest == '\0';
    }
    return false;
}

const char *gate_origin(const Http *http, struct MHD_Connection *connection)
{
    const char *origin = header_of(http, connection, "Origin");

    if (!origin)
        return NULL;
    for (size_t i = 0; i < http->options->origin_count; i++) {
        if (strcasecmp(http->options->origins[i], origin) == 0)
            return origin;
    }
    if (strncasecmp(origin, "http://", 7) == 0 && is_loopback(origin + 7))
        return origin;
    if (strncasecmp(origin, "https://", 8) == 0 && is_loopback(origin + 8))
        return origin;
    return NULL;
}

/* As long for every token of the same length. */
static bool same_token(const char *given, const char *token)
{
    size_t length = strlen(token);
    unsigned char differs = strlen(given) != length;

    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(token[i] ^ (differs ? 0 : given[i]));
    return differs == 0;
}

static bool has_token(const Http *http, struct MHD_Connection *connection)
{
    const char *given = header_of(http, connection, "Authorization");

    if (!http->options->token)
        return true;
    return given && strncasecmp(given, "Bearer ", 7) == 0 &&
           same_token(given + 7 + strspn(given + 7, " "), http->options->token);
}

unsigned gate(const Http *http, struct MHD_Connection *connection, const char *url)
{
    const char *host = header_of(http, connection, "Host");

    /* a page whose name was turned to this machine says its own name here */
    if (http->loopback && (!host || !is_loopback(host)))
        return MHD_HTTP_FORBIDDEN;
    if (header_of(http, connection, "Origin") && !gate_origin(http, connection))
        return MHD_HTTP_FORBIDDEN;
    if (strcmp(url, "/mcp") != 0)
        return MHD_HTTP_NOT_FOUND;
    return has_token(http, connection) ? 0 : MHD_HTTP_UNAUTHORIZED;
}
