#include "origin.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

enum { HOST_MOST = 253 };

static const char expected[] =
    "an origin like \"https://api.example.com\", \"http://127.0.0.1:8080\" or "
    "\"https://*.example.com\", without a path";

static bool is_host_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

/* ":8080", or nothing. */
static bool read_port(const char *text, size_t length, Origin *origin)
{
    unsigned port = 0;

    origin->port = origin->secure ? 443 : 80;
    if (length == 0)
        return true;
    if (text[0] != ':' || length < 2 || length > 6)
        return false;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        port = port * 10 + (unsigned)(text[i] - '0');
    }
    origin->port = port;
    return port > 0 && port < 65536;
}

static bool parse_address(int family, const char *text, size_t length, unsigned char *out)
{
    char copy[INET6_ADDRSTRLEN];

    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return inet_pton(family, copy, out) == 1;
}

/* Numbers alone would be an address in one of its odd spellings: 127.1, 0x7f.1, 2130706433. */
static bool is_name(const char *host, size_t length)
{
    const char *last = host + length;
    unsigned char address[4];

    while (last > host && last[-1] != '.')
        last--;
    if (length == 0 || length > HOST_MOST || host[0] == '.' || last == host + length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_host_part(host[i]) || (host[i] == '.' && host[i + 1] == '.'))
            return false;
    }
    return !(*last >= '0' && *last <= '9') || parse_address(AF_INET, host, length, address);
}

const char *origin_read(const char *text, size_t length, Origin *out_origin)
{
    Origin origin = {.secure = length > 8 && strncasecmp(text, "https://", 8) == 0};
    const char *at = text + (origin.secure ? 8 : 7), *end = text + length, *after;
    unsigned char address[16];

    if (!origin.secure && (length <= 7 || strncasecmp(text, "http://", 7) != 0))
        return expected;
    origin.below = *at == '*';
    at += origin.below;
    if (end > at && end[-1] == '/') /* as people copy it */
        end--;
    if (at < end && *at == '[') {
        after = memchr(at, ']', (size_t)(end - at));
        origin.host = at + 1;
        origin.length = after ? (size_t)(after - at) - 1 : 0;
        if (!after || origin.below || !parse_address(AF_INET6, origin.host, origin.length, address))
            return expected;
        after++;
    } else {
        for (after = at; after < end && is_host_part(*after); after++)
            ;
        origin.host = at;
        origin.length = (size_t)(after - at);
        if (origin.below ? origin.length > 0 && (*at != '.' || !is_name(at + 1, origin.length - 1))
                         : !is_name(at, origin.length))
            return expected;
    }
    if (!read_port(after, (size_t)(end - after), &origin))
        return expected;
    *out_origin = origin;
    return NULL;
}

bool origin_covers(const Origin *origin, bool secure, const char *host, unsigned port)
{
    size_t length = strlen(host);
    unsigned char granted[16], asked[16];

    if (origin->secure != secure || origin->port != port)
        return false;
    if (origin->below)
        return length > origin->length &&
               strncasecmp(host + length - origin->length, origin->host, origin->length) == 0;
    if (memchr(origin->host, ':', origin->length))
        return parse_address(AF_INET6, origin->host, origin->length, granted) &&
               parse_address(AF_INET6, host, length, asked) && memcmp(granted, asked, 16) == 0;
    return length == origin->length && strncasecmp(host, origin->host, length) == 0;
}
