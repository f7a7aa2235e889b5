/* setTimeout, setInterval, setImmediate and their clears.
 *
 * Timers live on the run's clock (milliseconds since it began) in a binary heap ordered by due time
 * and then by age, so that equal delays fire in the order they were set. Their number is limited;
 * they die with the run. */
#include <math.h>
#include <string.h>

#include "guest.h"

typedef struct Timer {
    double due_ms;
    double interval_ms; /* negative: fires once */
    uint64_t age;
    uint32_t id;
    int argument_count;
    JSValue function;
    JSValue *arguments;
} Timer;

static struct {
    Timer **heap;
    uint32_t count, capacity, next_id, intervals;
    uint64_t age;
    bool running;        /* a timer's function is on the stack */
    uint32_t running_id; /* cleared: do not repeat it */
} timers;

static bool earlier(const Timer *a, const Timer *b)
{
    return a->due_ms < b->due_ms || (a->due_ms == b->due_ms && a->age < b->age);
}

static void sift_up(uint32_t i)
{
    Timer *timer = timers.heap[i];

    for (; i > 0 && earlier(timer, timers.heap[(i - 1) / 2]); i = (i - 1) / 2)
        timers.heap[i] = timers.heap[(i - 1) / 2];
    timers.heap[i] = timer;
}

static void sift_down(uint32_t i)
{
    Timer *timer = timers.heap[i];

    for (uint32_t child; (child = 2 * i + 1) < timers.count; i = child) {
        if (child + 1 < timers.count && earlier(timers.heap[child + 1], timers.heap[child]))
            child++;
        if (!earlier(timers.heap[child], timer))
            break;
        timers.heap[i] = timers.heap[child];
    }
    timers.heap[i] = timer;
}

static Timer *take_at(uint32_t i)
{
    Timer *timer = timers.heap[i], *last = timers.heap[--timers.count];

    if (i < timers.count) {
        timers.heap[i] = last;
        sift_down(i);
        sift_up(i);
    }
    if (timer->interval_ms >= 0)
        timers.intervals--;
    return timer;
}

static bool insert(Timer *timer)
{
    if (timers.count == timers.capacity) {
        uint32_t capacity = timers.capacity ? timers.capacity * 2 : 16;
        Timer **heap = js_realloc_rt(guest.runtime, timers.heap, capacity * sizeof *heap);
        if (!heap)
            return false;
        timers.heap = heap;
        timers.capacity = capacity;
    }
    timer->age = timers.age++;
    timers.heap[timers.count++] = timer;
    if (timer->interval_ms >= 0)
        timers.intervals++;
    sift_up(timers.count - 1);
    return true;
}

static void timer_free(Timer *timer)
{
    JS_FreeValue(guest.context, timer->function);
    for (int i = 0; i < timer->argument_count; i++)
        JS_FreeValue(guest.context, timer->arguments[i]);
    js_free_rt(guest.runtime, timer->arguments);
    js_free_rt(guest.runtime, timer);
}

static bool copy_arguments(Timer *timer, int count, JSValueConst *values)
{
    if (count <= 0)
        return true;
    timer->arguments = js_malloc_rt(guest.runtime, (size_t)count * sizeof(JSValue));
    if (!timer->arguments)
        return false;
    for (int i = 0; i < count; i++)
        timer->arguments[i] = JS_DupValue(guest.context, values[i]);
    timer->argument_count = count;
    return true;
}

enum { TIMEOUT, INTERVAL, IMMEDIATE };

/* Delays as Node has them: what is not in 1..2^31-1 becomes 1; setImmediate is due at once. */
static bool read_delay(JSContext *context, int kind, int count, JSValueConst *values,
                       double *out_delay)
{
    double delay = 0;

    if (kind == IMMEDIATE) {
        *out_delay = 0;
        return true;
    }
    if (count > 1 && JS_ToFloat64(context, &delay, values[1]) < 0)
        return false;
    delay = trunc(delay);
    *out_delay = delay >= 1 && delay <= 2147483647 ? delay : 1;
    return true;
}

static JSValue set_timer(JSContext *context, JSValueConst self, int count, JSValueConst *values,
                         int kind)
{
    double delay;
    (void)self;

    if (count < 1 || !JS_IsFunction(context, values[0]))
        return JS_ThrowTypeError(context, "a timer needs a function to call (code in a string is "
                                          "not run here)");
    if (!read_delay(context, kind, count, values, &delay))
        return JS_EXCEPTION;
    if (timers.count >= (mailbox.timers ? mailbox.timers : 10000))
        return JS_ThrowRangeError(context, "more than %u timers are waiting", timers.count);
    Timer *timer = js_mallocz_rt(guest.runtime, sizeof *timer);
    if (!timer)
        return JS_ThrowOutOfMemory(context);
    int skip = kind == IMMEDIATE ? 1 : 2;
    timer->id = ++timers.next_id;
    timer->due_ms = host_clock(0) + delay;
    timer->interval_ms = kind == INTERVAL ? delay : -1;
    timer->function = JS_DupValue(context, values[0]);
    if (!copy_arguments(timer, count - skip, values + skip) || !insert(timer)) {
        timer_free(timer);
        return JS_ThrowOutOfMemory(context);
    }
    return JS_NewUint32(context, timer->id);
}

/* Anything that is not the number of a waiting timer is ignored, as everywhere. */
static JSValue clear_timer(JSContext *context, JSValueConst self, int count, JSValueConst *values)
{
    double id = 0;
    (void)self;

    if (count < 1 || !JS_IsNumber(values[0]) || JS_ToFloat64(context, &id, values[0]) < 0)
        return JS_UNDEFINED;
    if (timers.running && id == timers.running_id)
        timers.running_id = 0;
    for (uint32_t i = 0; i < timers.count; i++) {
        if (timers.heap[i]->id == id) {
            timer_free(take_at(i));
            break;
        }
    }
    return JS_UNDEFINED;
}

static void fire(Timer *timer)
{
    JSContext *context = guest.context;

    timers.running = true;
    timers.running_id = timer->id;
    JSValue result =
        JS_Call(context, timer->function, JS_UNDEFINED, timer->argument_count, timer->arguments);
    timers.running = false;
    if (JS_IsException(result)) {
        /* Nobody is there to catch it: it counts as a rejection that nobody handled. */
        JSValue functions[2] = {JS_UNDEFINED, JS_UNDEFINED}, error = JS_GetException(context);
        JSValue promise = JS_NewPromiseCapability(context, functions);
        if (!JS_IsException(promise) && !tn_stop_requested)
            JS_FreeValue(context, JS_Call(context, functions[1], JS_UNDEFINED, 1, &error));
        JS_FreeValue(context, functions[0]);
        JS_FreeValue(context, functions[1]);
        JS_FreeValue(context, promise);
        JS_FreeValue(context, error);
    }
    JS_FreeValue(context, result);
    if (timer->interval_ms >= 0 && timers.running_id == timer->id) {
        timer->due_ms = host_clock(0) + timer->interval_ms;
        if (insert(timer))
            return;
    }
    timer_free(timer);
}

/* Fire the next timer if it is due. Says whether one was. */
bool timers_run(void)
{
    if (timers.count == 0 || timers.heap[0]->due_ms > host_clock(0))
        return false;
    fire(take_at(0));
    return true;
}

/* When the next timer is due; negative if none waits. */
double timers_next(bool *out_intervals_only)
{
    *out_intervals_only = timers.count > 0 && timers.intervals == timers.count;
    return timers.count > 0 ? timers.heap[0]->due_ms : -1;
}

bool timers_start(void)
{
    static const JSCFunctionListEntry entries[] = {
        JS_CFUNC_MAGIC_DEF("setTimeout", 2, set_timer, TIMEOUT),
        JS_CFUNC_MAGIC_DEF("setInterval", 2, set_timer, INTERVAL),
        JS_CFUNC_MAGIC_DEF("setImmediate", 1, set_timer, IMMEDIATE),
        JS_CFUNC_DEF("clearTimeout", 1, clear_timer),
        JS_CFUNC_DEF("clearInterval", 1, clear_timer),
        JS_CFUNC_DEF("clearImmediate", 1, clear_timer),
    };
    JSValue global = JS_GetGlobalObject(guest.context);
    int done = JS_SetPropertyFunctionList(guest.context, global, entries,
                                          sizeof entries / sizeof *entries);

    JS_FreeValue(guest.context, global);
    return done >= 0;
}
