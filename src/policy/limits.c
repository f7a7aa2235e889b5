#include "limits.h"

#define FIELDS(each)                                                                               \
    each(wall_ms) each(cpu_ms) each(memory_bytes) each(calls) each(calls_open)                     \
        each(argument_bytes) each(reply_bytes) each(result_bytes) each(console_bytes)              \
            each(source_bytes) each(depth) each(timers) each(linger_ms)

tn_limits limits_default(void)
{
    return (tn_limits){
        .size = sizeof(tn_limits),
        .wall_ms = 30000,
        .cpu_ms = 10000,
        .memory_bytes = (uint64_t)64 << 20,
        .calls = 1000,
        .calls_open = 32,
        .argument_bytes = (uint64_t)1 << 20,
        .reply_bytes = (uint64_t)8 << 20,
        .result_bytes = (uint64_t)1 << 20,
        .console_bytes = (uint64_t)256 << 10,
        .source_bytes = 256u << 10,
        .depth = 1000,
        .timers = 10000,
        .linger_ms = 1000,
    };
}

tn_limits limits_resolve(const tn_limits *over, const tn_limits *under)
{
    tn_limits result = *under;

/* A caller built against an older header has a shorter struct: what it lacks is not looked at. */
#define TAKE(field)                                                                                \
    if (offsetof(tn_limits, field) + sizeof over->field <= over->size && over->field != 0)         \
        result.field = over->field;
    if (over) {
        FIELDS(TAKE)
    }
    /* readers of values follow this far and no further (docs/values.md) */
    if (result.depth > LIMITS_DEPTH_MOST)
        result.depth = LIMITS_DEPTH_MOST;
    return result;
}
