/*
 * The command with packages of its own, for tests of what a policy does with them: the linker puts
 * this in front of tn_engine_new.
 *
 *   hub.listIssues({repo})   read only     hub.send({to, text})   gives what it was given
 *   hub.now()                at once       mock.send(...)         gives "mock"
 */
#include <stddef.h>

#include "tenon.h"

tn_status __real_tn_engine_new(const tn_engine_options *options, tn_engine **out_engine);
tn_status __wrap_tn_engine_new(const tn_engine_options *options, tn_engine **out_engine);

static void echo(void *user, tn_call *call)
{
    (void)user;
    tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

static void say(void *user, tn_call *call)
{
    tn_put_string(tn_call_result(call), user);
}

static tn_status add(tn_engine *engine, const char *name, tn_function function, const char *user,
                     unsigned flags)
{
    return tn_engine_add_function(engine, name, function, (void *)(uintptr_t)user, flags);
}

tn_status __wrap_tn_engine_new(const tn_engine_options *options, tn_engine **out_engine)
{
    tn_engine *engine = NULL;
    tn_status status = __real_tn_engine_new(options, &engine);

    if (status == TN_OK)
        status = add(engine, "hub.listIssues", echo, NULL, TN_FUNCTION_READ_ONLY);
    if (status == TN_OK)
        status = add(engine, "hub.send", echo, NULL, 0);
    if (status == TN_OK)
        status = add(engine, "hub.now", say, "now", TN_FUNCTION_SYNC);
    if (status == TN_OK)
        status = add(engine, "mock.send", say, "mock", 0);
    if (status != TN_OK) {
        tn_engine_free(engine);
        return status;
    }
    *out_engine = engine;
    return TN_OK;
}
