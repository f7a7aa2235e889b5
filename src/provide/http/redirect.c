/* The next hop, as the Fetch standard has it (HTTP-redirect fetch): at most twenty, each held
 * against the grants as if it had been asked for. */
#include <strings.h>

#include "http_inside.h"

enum { HOPS_MOST = 20 };

bool redirect_wanted(const Exchange *exchange)
{
    unsigned status = exchange->status;
    bool redirect =
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308;

    return redirect && exchange->location && exchange->request.redirect != HTTP_REDIRECT_MANUAL;
}

/* What a server writes into a header, as a URL has it. */
static const char *as_url(Arena *arena, const char *location)
{
    static const char hex[] = "0123456789ABCDEF";
    char *url = arena_push(arena, strlen(location) * 3 + 1), *to = url;

    for (; url && *location; location++) {
        unsigned char c = (unsigned char)*location;
        if (c <= ' ' || c >= 0x7f) {
            *to++ = '%';
            *to++ = hex[c >> 4];
            *to++ = hex[c & 15];
        } else {
            *to++ = (char)c;
        }
    }
    return url;
}

static void change_method(Exchange *exchange)
{
    const char *method = exchange->method;
    bool post = (exchange->status == 301 || exchange->status == 302) && strcmp(method, "POST") == 0;
    bool other =
        exchange->status == 303 && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;

    if (!post && !other)
        return;
    exchange->method = "GET";
    exchange->has_body = false;
}

bool redirect_follow(Exchange *exchange)
{
    Arena *arena = &exchange->arena;
    const char *url = as_url(arena, exchange->location), *fault;
    Place before = exchange->place;

    if (exchange->request.redirect == HTTP_REDIRECT_ERROR)
        return exchange_fault(exchange, "redirect", "it was answered by a redirect");
    if (++exchange->hops > HOPS_MOST)
        return exchange_fault(exchange, "redirect", "it was answered by more than 20 redirects");
    fault = url ? place_read(arena, url, &before, &exchange->place) : NULL;
    if (!url || fault)
        return exchange_fault(exchange, "redirect",
                              arena_printf(arena, "it was redirected to a URL that %s",
                                           fault ? fault : "is too long"));
    exchange->crossed |= !place_same_origin(&before, &exchange->place);
    change_method(exchange);
    exchange_clear(exchange);
    return true;
}
