/* Rejections that nobody handles: kept from the moment they happen until somebody does. */
#include <string.h>

#include "cbor.h"
#include "guest.h"

typedef struct Rejection {
    struct Rejection *next;
    JSValue promise;
    JSValue reason;
    uint32_t line;
} Rejection;

/* More than these are counted only. */
enum { REJECTIONS_KEPT = 64, REJECTIONS_TOLD = 8 };

static Rejection *rejections;
static uint32_t rejection_count;

static void drop(JSContext *context, Rejection **link)
{
    Rejection *gone = *link;

    *link = gone->next;
    JS_FreeValue(context, gone->promise);
    JS_FreeValue(context, gone->reason);
    js_free_rt(guest.runtime, gone);
    rejection_count--;
}

static void track(JSContext *context, JSValueConst promise, JSValueConst reason, bool is_handled,
                  void *opaque)
{
    uint32_t column;
    (void)opaque;

    if (is_handled) {
        for (Rejection **link = &rejections; *link; link = &(*link)->next) {
            if (JS_VALUE_GET_PTR((*link)->promise) == JS_VALUE_GET_PTR(promise)) {
                drop(context, link);
                return;
            }
        }
        return;
    }
    if (rejection_count >= REJECTIONS_KEPT)
        return;
    Rejection *rejection = js_mallocz_rt(guest.runtime, sizeof *rejection);
    if (!rejection)
        return;
    rejection->promise = JS_DupValue(context, promise);
    rejection->reason = JS_DupValue(context, reason);
    if (!inside_position(context, &rejection->line, &column))
        rejection->line = 0;
    Rejection **end = &rejections;
    while (*end)
        end = &(*end)->next;
    *end = rejection;
    rejection_count++;
}

bool report_start(void)
{
    JS_SetHostPromiseRejectionTracker(guest.runtime, track, NULL);
    return true;
}

uint32_t report_count(void)
{
    return rejection_count;
}

void report_rejections(Buf *out)
{
    uint32_t count = 0, told = 0;
    JSValueConst main_promise = inside_promise();

    for (Rejection *r = rejections; r; r = r->next) {
        if (JS_VALUE_GET_PTR(r->promise) != JS_VALUE_GET_PTR(main_promise))
            count++;
    }
    cbor_put_array(out, count < REJECTIONS_TOLD ? count : REJECTIONS_TOLD);
    for (Rejection *r = rejections; r && told < REJECTIONS_TOLD; r = r->next) {
        if (JS_VALUE_GET_PTR(r->promise) == JS_VALUE_GET_PTR(main_promise))
            continue;
        cbor_put_array(out, 2);
        cbor_put_uint(out, r->line);
        error_write(guest.context, r->reason, out);
        told++;
    }
}

void report_handled(JSValueConst promise)
{
    inside_handled(guest.context, promise);
    track(guest.context, promise, JS_UNDEFINED, true, NULL);
}
