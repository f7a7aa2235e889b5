/* The public policy. */
#include <string.h>

#include "base.h"
#include "memory.h"
#include "rules.h"
#include "text.h"

enum { TEXT_BYTES_MOST = 32 << 20 };

static tn_status tell(const char *fault, char **out_fault)
{
    size_t length;
    Buf text;

    if (!out_fault)
        return TN_ERR_ARGUMENT;
    text_begin(&text, memory_default(), SIZE_MAX);
    buf_append_string(&text, fault);
    TRY(text_finish(&text, out_fault, &length));
    return TN_ERR_ARGUMENT;
}

static tn_status read_json(tn_policy *policy, const char *json, size_t length, char **out_fault)
{
    const char *fault = NULL;
    tn_writer *writer;
    tn_status status;

    if (length > TEXT_BYTES_MOST)
        return TN_ERR_LIMIT;
    TRY(tn_writer_new(&writer));
    status = tn_put_json(writer, json, length);
    if (status == TN_OK)
        status = rules_read(policy, tn_writer_value(writer), &fault);
    else if (status == TN_ERR_ARGUMENT)
        fault = "$: expected JSON, got text that is none";
    tn_writer_free(writer);
    buf_append(&policy->spelled, json, length);
    return fault ? tell(fault, out_fault) : status;
}

tn_status tn_policy_new(const char *json, size_t length, tn_policy **out_policy, char **out_fault)
{
    tn_policy *policy = rules_new(memory_default());
    tn_status status = policy ? TN_OK : TN_ERR_NOMEM;

    if (policy && json)
        status = read_json(policy, json, length, out_fault);
    if (status == TN_OK)
        status = buf_status(&policy->spelled);
    if (status != TN_OK) {
        rules_free(policy);
        return status;
    }
    *out_policy = policy;
    return TN_OK;
}

tn_status tn_policy_read(tn_policy *policy, const char *json, size_t length, char **out_fault)
{
    return read_json(policy, json, length, out_fault);
}

void tn_policy_free(tn_policy *policy)
{
    rules_free(policy);
}

static const char *const effects[] = {
    [TN_POLICY_ALLOW] = "allow ", [TN_POLICY_ASK] = "ask ", [TN_POLICY_DENY] = "deny "};

static void spell(tn_policy *policy, const char *what, const char *pattern)
{
    buf_append_byte(&policy->spelled, '\n');
    buf_append_string(&policy->spelled, what);
    buf_append_string(&policy->spelled, pattern);
}

static tn_status add(tn_policy *policy, const char *pattern, Clause *clause)
{
    if (!pattern || rules_pattern_fault(pattern, strlen(pattern)))
        return TN_ERR_ARGUMENT;
    spell(policy, clause->kind == CLAUSE_OVERRIDE ? "override " : effects[clause->kind], pattern);
    clause->pattern = arena_string(&policy->arena, pattern);
    if (!clause->pattern)
        return arena_status(&policy->arena);
    TRY(rules_add(policy, clause));
    return buf_status(&policy->spelled);
}

tn_status tn_policy_add(tn_policy *policy, tn_policy_effect effect, const char *pattern)
{
    Clause clause = {.kind = (ClauseKind)effect};

    return effect > TN_POLICY_DENY ? TN_ERR_ARGUMENT : add(policy, pattern, &clause);
}

tn_status tn_policy_default(tn_policy *policy, tn_policy_effect effect)
{
    if (effect > TN_POLICY_DENY)
        return TN_ERR_ARGUMENT;
    policy->effect = effect;
    spell(policy, effects[effect], "by default");
    return buf_status(&policy->spelled);
}

tn_status tn_policy_override(tn_policy *policy, const char *pattern, tn_function function,
                             void *user)
{
    Clause clause = {
        .kind = CLAUSE_OVERRIDE, .override = OVERRIDE_HOST, .function = function, .user = user};

    return function ? add(policy, pattern, &clause) : TN_ERR_ARGUMENT;
}

tn_status tn_policy_add_fetch(tn_policy *policy, const char *url)
{
    HttpGrant grant = {0};

    if (!url || rules_grant_of(&policy->arena, url, &grant))
        return TN_ERR_ARGUMENT;
    if (policy->arena.failed)
        return arena_status(&policy->arena);
    spell(policy, "fetch ", url);
    TRY(rules_grant(policy, &grant));
    return buf_status(&policy->spelled);
}

bool tn_policy_fetches(const tn_policy *policy)
{
    return policy && policy->grant_count > 0;
}

/* The credential that is the `index`th to name a secret. */
static HttpCredential *credential_at(const tn_policy *policy, size_t index)
{
    for (size_t i = 0; i < policy->grant_count; i++) {
        if (index < policy->grants[i].credential_count)
            return (HttpCredential *)(uintptr_t)&policy->grants[i].credentials[index];
        index -= policy->grants[i].credential_count;
    }
    return NULL;
}

const char *tn_policy_secret(const tn_policy *policy, size_t index)
{
    const HttpCredential *credential = policy ? credential_at(policy, index) : NULL;

    return credential ? credential->reference : NULL;
}

tn_status tn_policy_set_secret(tn_policy *policy, const char *reference, const char *value)
{
    HttpCredential *credential;
    bool found = false;
    const char *copy = arena_string(&policy->arena, value);

    for (size_t i = 0; copy && (credential = credential_at(policy, i)); i++) {
        if (strcmp(credential->reference, reference) == 0) {
            credential->value = copy;
            found = true;
        }
    }
    return !copy ? arena_status(&policy->arena) : found ? TN_OK : TN_ERR_NOT_FOUND;
}
