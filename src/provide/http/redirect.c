/* The next hop, as the Fetch standard has it (HTTP-redirect fetch): at most twenty, each held
 * against the grants as if it had been asked for. */
#include <strings.h>

#include "http_inside.h"

enum { HOPS_MOST = 20 };

bool redirect_wanted(const Transfer *transfer)
{
    unsigned status = transfer->status;
    bool redirect =
        status == 301 || status == 302 || status == 303 || status == 307 || status == 308;

    return redirect && transfer->location && transfer->request.redirect != HTTP_REDIRECT_MANUAL;
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

static void change_method(Transfer *transfer)
{
    const char *method = transfer->method;
    bool post = (transfer->status == 301 || transfer->status == 302) && strcmp(method, "POST") == 0;
    bool other =
        transfer->status == 303 && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;

    if (!post && !other)
        return;
    transfer->method = "GET";
    transfer->has_body = false;
}

bool redirect_follow(Transfer *transfer)
{
    Arena *arena = &transfer->arena;
    const char *url = as_url(arena, transfer->location), *fault;
    Place before = transfer->place;

    if (transfer->request.redirect == HTTP_REDIRECT_ERROR)
        return transfer_fault(transfer, "redirect", "it was answered by a redirect");
    if (++transfer->hops > HOPS_MOST)
        return transfer_fault(transfer, "redirect", "it was answered by more than 20 redirects");
    fault = url ? place_read(arena, url, &before, &transfer->place) : NULL;
    if (!url || fault)
        return transfer_fault(transfer, "redirect",
                              arena_printf(arena, "it was redirected to a URL that %s",
                                           fault ? fault : "is too long"));
    transfer->crossed |= !place_same_origin(&before, &transfer->place);
    change_method(transfer);
    transfer_clear(transfer);
    return true;
}
