/* Handles: what a program exported, kept in its realm and called by the host as often as it likes.
 * The realm belongs to a run; handles count as its users. */
#include "whole.h"

#include <string.h>

#include "guest/abi.h"
#include "memory.h"

struct tn_handle {
    tn_run *run;
    uint32_t held; /* its number in the realm */
    tn_handle_kind kind;
    const char *type; /* in the program's arena, or NULL */
};

static tn_handle *handle_new(tn_run *run, uint32_t held, tn_handle_kind kind)
{
    tn_handle *handle = memory_new(&run->allocator, sizeof *handle);

    if (!handle) {
        realm_drop(&run->realm, held);
        return NULL;
    }
    *handle = (tn_handle){.run = run, .held = held, .kind = kind};
    run->users++;
    return handle;
}

static const char *asked_type(const tn_program *program, const char *name)
{
    for (size_t i = 0; i < program->export_count; i++) {
        if (strcmp(program->exports[i].name, name) == 0)
            return program->exports[i].type;
    }
    return NULL;
}

/* The number is the guest's word: anything it may be is one of these. */
static tn_handle_kind kind_of(uint32_t held_kind)
{
    return held_kind == HELD_FUNCTION ? TN_HANDLE_FUNCTION
           : held_kind == HELD_CLASS  ? TN_HANDLE_CLASS
                                      : TN_HANDLE_OBJECT;
}

tn_status tn_run_export(tn_run *run, const char *name, tn_handle **out_handle)
{
    uint32_t held, kind = 0;

    *out_handle = NULL;
    if (run->phase != RUN_DONE || !run->keeps_realm)
        return TN_ERR_STATE;
    realm_renew(&run->realm, watch_now_ns() + run->limits.wall_ms * 1000000u);
    held = realm_hold(&run->realm, name, &kind);
    if (!held)
        return run->realm.dead ? TN_ERR_STATE : TN_ERR_NOT_FOUND;
    *out_handle = handle_new(run, held, kind_of(kind));
    if (!*out_handle)
        return TN_ERR_NOMEM;
    (*out_handle)->type = asked_type(run->program, name);
    return TN_OK;
}

tn_status tn_program_export(tn_program *program, const char *name, const tn_run_options *options,
                            tn_handle **out_handle, tn_outcome **out_outcome)
{
    tn_outcome *outcome = NULL;
    tn_run *run;
    tn_status status = tn_run_start(program, options, &run);

    *out_handle = NULL;
    if (out_outcome)
        *out_outcome = NULL;
    if (status != TN_OK)
        return status;
    run->for_exports = true;
    status = run_to_end(run, &outcome);
    if (status == TN_OK && tn_outcome_status_of(outcome) == TN_OUTCOME_OK)
        status = tn_run_export(run, name, out_handle);
    if (status == TN_OK && out_outcome)
        *out_outcome = outcome;
    else
        tn_outcome_free(outcome);
    tn_run_free(run);
    return status;
}

tn_handle_kind tn_handle_kind_of(const tn_handle *handle)
{
    return handle->kind;
}

const char *tn_handle_type(const tn_handle *handle)
{
    return handle->type;
}

tn_run *tn_handle_run(const tn_handle *handle)
{
    return handle->run;
}

tn_status tn_handle_start(tn_handle *handle, const char *method, tn_value arguments)
{
    return run_begin_call(handle->run, method ? REALM_CALL_METHOD : REALM_CALL_HELD, handle->held,
                          method ? method : "", arguments);
}

tn_status tn_handle_call(tn_handle *handle, const char *method, tn_value arguments,
                         tn_outcome **out_outcome)
{
    tn_status status = tn_handle_start(handle, method, arguments);

    *out_outcome = NULL;
    return status == TN_OK ? run_to_end(handle->run, out_outcome) : status;
}

tn_status tn_handle_construct(tn_handle *handle, tn_value arguments, tn_handle **out_instance,
                              tn_outcome **out_outcome)
{
    tn_run *run = handle->run;
    tn_status status;

    *out_instance = NULL;
    *out_outcome = NULL;
    if (handle->kind != TN_HANDLE_CLASS)
        return TN_ERR_ARGUMENT;
    status = run_begin_call(run, REALM_NEW_HELD, handle->held, "", arguments);
    if (status == TN_OK)
        status = run_to_end(run, out_outcome);
    if (status != TN_OK || tn_outcome_status_of(*out_outcome) != TN_OUTCOME_OK)
        return status;
    *out_instance = handle_new(run, realm_mailbox(&run->realm)->held, TN_HANDLE_OBJECT);
    if (*out_instance)
        return TN_OK;
    tn_outcome_free(*out_outcome);
    *out_outcome = NULL;
    return TN_ERR_NOMEM;
}

void tn_handle_free(tn_handle *handle)
{
    tn_allocator allocator;
    tn_run *run;

    if (!handle)
        return;
    run = handle->run;
    allocator = run->allocator;
    if (run->has_realm && run->phase == RUN_DONE && run->keeps_realm)
        realm_drop(&run->realm, handle->held);
    tn_run_free(run);
    memory_free(&allocator, handle, sizeof *handle);
}
