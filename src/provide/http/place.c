/* A URL, taken apart by libcurl's own parser and put together again from the parts: what is held
 * against the grants is what libcurl connects to. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "http_inside.h"

/* What a browser would mend or read in its own way is refused: nobody is to wonder which host is
 * meant. */
static const char *characters_fault(const char *url)
{
    for (; *url; url++) {
        if ((unsigned char)*url <= ' ' || (unsigned char)*url >= 0x7f || *url == '\\')
            return "holds characters that have to be percent-encoded";
    }
    return NULL;
}

static const char *take(Arena *arena, CURLU *handle, CURLUPart part, unsigned flags)
{
    char *text = NULL;
    const char *copy;

    if (curl_url_get(handle, part, &text, flags) != CURLUE_OK)
        return NULL;
    copy = arena_string(arena, text);
    curl_free(text);
    return copy;
}

static const char *small_host(Arena *arena, CURLU *handle)
{
    char *host = (char *)(uintptr_t)take(arena, handle, CURLUPART_HOST, 0);
    size_t length = host ? strlen(host) : 0;

    for (size_t i = 0; i < length; i++)
        host[i] = (char)tolower((unsigned char)host[i]);
    if (length > 1 && host[0] == '[') {
        host[length - 1] = 0;
        host++;
    }
    return host;
}

static const char *fill(Arena *arena, CURLU *handle, Place *place)
{
    const char *scheme = take(arena, handle, CURLUPART_SCHEME, 0);
    const char *port = take(arena, handle, CURLUPART_PORT, CURLU_DEFAULT_PORT);

    place->secure = scheme && strcmp(scheme, "https") == 0;
    if (scheme && !place->secure && strcmp(scheme, "http") != 0)
        return "is not of http: or https:";
    place->host = small_host(arena, handle);
    place->port = port ? (unsigned)strtoul(port, NULL, 10) : 0;
    place->path = take(arena, handle, CURLUPART_PATH, 0);
    place->query = take(arena, handle, CURLUPART_QUERY, 0);
    (void)curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
    place->url = take(arena, handle, CURLUPART_URL, CURLU_NO_DEFAULT_PORT);
    if (!scheme || !port || !place->host || !place->path || !place->url)
        return arena->failed ? "takes more memory than there is" : "is none";
    if (strchr(place->host, '%'))
        return "names a host with a zone or with percent signs";
    return NULL;
}

const char *place_read(Arena *arena, const char *url, const Place *base, Place *out_place)
{
    const char *fault = characters_fault(url);
    CURLU *handle = fault ? NULL : curl_url();
    CURLUcode code;

    if (!handle)
        return fault ? fault : "takes more memory than there is";
    code = base ? curl_url_set(handle, CURLUPART_URL, base->url, 0) : CURLUE_OK;
    if (code == CURLUE_OK)
        code = curl_url_set(handle, CURLUPART_URL, url,
                            CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME);
    if (code == CURLUE_USER_NOT_ALLOWED)
        fault = "holds a user name or password";
    else if (code != CURLUE_OK)
        fault = "is none";
    else
        fault = fill(arena, handle, out_place);
    curl_url_cleanup(handle);
    return fault;
}

const char *place_origin(Arena *arena, const Place *place)
{
    bool v6 = strchr(place->host, ':') != NULL, usual = place->port == (place->secure ? 443u : 80u);
    char port[8] = "";

    if (!usual)
        (void)snprintf(port, sizeof port, ":%u", place->port & 0xffff);
    return arena_printf(arena, "%s://%s%s%s%s", place->secure ? "https" : "http", v6 ? "[" : "",
                        place->host, v6 ? "]" : "", port);
}

bool place_same_origin(const Place *a, const Place *b)
{
    return a->secure == b->secure && a->port == b->port && strcmp(a->host, b->host) == 0;
}

void place_encode(Buf *out, const char *text)
{
    static const char hex[] = "0123456789ABCDEF";

    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (isalnum(c) || strchr("-._~", c)) {
            buf_append_byte(out, c);
        } else {
            buf_append_byte(out, '%');
            buf_append_byte(out, (uint8_t)hex[c >> 4]);
            buf_append_byte(out, (uint8_t)hex[c & 15]);
        }
    }
}

/* Parameters of that name are left out: what the program wrote there is not the secret. */
const char *place_with_parameter(Arena *arena, const char *url, const char *name, const char *value)
{
    const char *query = strchr(url, '?'), *result;
    size_t name_length = strlen(name);
    Buf out;

    buf_init(&out, arena->allocator, SIZE_MAX);
    buf_append(&out, url, query ? (size_t)(query - url) : strlen(url));
    buf_append_byte(&out, '?');
    for (const char *at = query ? query + 1 : ""; *at;) {
        size_t length = strcspn(at, "&");
        bool same = strncmp(at, name, name_length) == 0 &&
                    (at[name_length] == '=' || at[name_length] == '&' || !at[name_length]);
        if (!same && length > 0) {
            buf_append(&out, at, length);
            buf_append_byte(&out, '&');
        }
        at += length + (at[length] == '&');
    }
    place_encode(&out, name);
    buf_append_byte(&out, '=');
    place_encode(&out, value);
    result = out.failed ? NULL : arena_text(arena, (const char *)out.data, out.length);
    buf_release(&out);
    return result;
}
