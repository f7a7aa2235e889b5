#include "c_function.h"

typedef struct CFunction {
    tn_function function;
    void *user;
} CFunction;

static void invoke(void *context, tn_call *call)
{
    const CFunction *c = context;

    c->function(c->user, call);
}

tn_status c_function_provider(Arena *arena, tn_function function, void *user,
                              Provider *out_provider)
{
    CFunction *c = arena_push(arena, sizeof *c);

    if (!function)
        return TN_ERR_ARGUMENT;
    if (!c)
        return TN_ERR_NOMEM;
    *c = (CFunction){function, user};
    *out_provider = (Provider){.context = c, .invoke = invoke};
    return TN_OK;
}
