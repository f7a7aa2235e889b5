/* The policy at a call: what it says of a function, and whether one call may go on. */
#include <stdio.h>
#include <string.h>

#include "tn_call.h"

/* ---- of a function, once a run ---- */

/* The parameters that the host fixes: of clauses that fix the same one the most specific. */
static bool collect_bound(Calls *calls, const char *name, Governed *governed)
{
    const tn_policy *policy = calls->terms.policy;
    const Clause *clause;
    size_t most = 0;

    for (RuleWalk walk = rules_walk(policy, name); (clause = rules_next(policy, &walk));) {
        for (const BoundParameter *bound = clause->bound; bound; bound = bound->next)
            most++;
    }
    governed->bound = ARENA_ARRAY(&calls->arena, const BoundParameter *, most + 1);
    if (!governed->bound)
        return false;
    for (RuleWalk walk = rules_walk(policy, name); (clause = rules_next(policy, &walk));) {
        for (const BoundParameter *bound = clause->bound; bound; bound = bound->next) {
            size_t at = 0;
            while (at < governed->bound_count &&
                   (governed->bound[at]->length != bound->length ||
                    memcmp(governed->bound[at]->name, bound->name, bound->length) != 0))
                at++;
            governed->bound[at] = bound;
            governed->bound_count += at == governed->bound_count;
        }
    }
    return true;
}

static Governed *resolve(Calls *calls, const RegistryEntry *entry)
{
    const tn_policy *policy = calls->terms.policy;
    Governed *governed = ARENA_NEW(&calls->arena, Governed);
    const Clause *read_only = rules_best(policy, entry->name, CLAUSE_READ_ONLY);
    const RegistryEntry *acting = entry;

    if (!governed)
        return NULL;
    governed->override = rules_best(policy, entry->name, CLAUSE_OVERRIDE);
    if (governed->override && governed->override->override == OVERRIDE_FUNCTION) {
        governed->replacement =
            registry_function(calls->registry, governed->override->function_name);
        acting = governed->replacement ? governed->replacement : entry;
    }
    governed->original_read_only =
        read_only ? read_only->read_only : (entry->flags & TN_FUNCTION_READ_ONLY) != 0;
    governed->read_only =
        read_only ? read_only->read_only : (acting->flags & TN_FUNCTION_READ_ONLY) != 0;
    rules_limits(policy, entry->name, &governed->calls_most, &governed->time_ms);
    if (policy->kinds[CLAUSE_BOUND] > 0 && !collect_bound(calls, entry->name, governed))
        return NULL;
    return governed;
}

Governed *govern_function(Calls *calls, const RegistryEntry *entry)
{
    if (!calls->governed)
        calls->governed = ARENA_ARRAY(&calls->arena, Governed *, calls->registry->functions);
    if (!calls->governed)
        return NULL;
    if (!calls->governed[entry->number])
        calls->governed[entry->number] = resolve(calls, entry);
    return calls->governed[entry->number];
}

/* ---- bound arguments ---- */

static Ruling deny_bound(tn_call *call, const char *what, const char *member, const char *mend)
{
    const char *const parts[] = {call->entry->name, ": ", what, member, mend, NULL};

    call_deny(call, "denied", parts);
    return RULING_ANSWERED;
}

static bool is_named(tn_value key, const BoundParameter *bound)
{
    size_t length;
    const char *text = tn_value_text(key, &length);

    return text && length == bound->length && memcmp(text, bound->name, length) == 0;
}

static void put_item(Buf *out, tn_value value)
{
    CborReader reader = {value.start, value.end};

    if (cbor_skip(&reader, CBOR_DEPTH_MAX))
        buf_append(out, value.start, (size_t)(reader.at - value.start));
}

/* The members of the argument, then those of the host: what is shared in it keeps its number. */
static void write_bound(tn_call *call, tn_value argument, const Governed *governed)
{
    tn_cursor cursor = {0};
    size_t count = tn_value_count(argument);
    Buf *out = &call->bound;
    Item item = {0};

    if (argument.start && item_read(argument.start, argument.end, &item) && item.shared)
        cbor_put_tag(out, CBOR_TAG_SHARED);
    cbor_put_map(out, count + governed->bound_count);
    while (tn_value_next(argument, &cursor)) {
        put_item(out, cursor.key);
        put_item(out, cursor.value);
    }
    for (size_t i = 0; i < governed->bound_count; i++) {
        cbor_put_string(out, governed->bound[i]->name, governed->bound[i]->length);
        put_item(out, governed->bound[i]->value);
    }
}

static Ruling bind_arguments(tn_call *call)
{
    const Governed *governed = call->governed;
    tn_value argument = tn_call_argument(call, 0);
    tn_type type = tn_value_type(argument);
    tn_cursor cursor = {0};

    if (type == TN_TYPE_UNDEFINED || type == TN_TYPE_NONE)
        argument = (tn_value){0};
    else if (type != TN_TYPE_OBJECT)
        return deny_bound(call,
                          "the host adds parameters to its first argument, which has to be "
                          "an object",
                          "", "");
    while (argument.start && tn_value_next(argument, &cursor)) {
        for (size_t i = 0; i < governed->bound_count; i++) {
            if (is_named(cursor.key, governed->bound[i]))
                return deny_bound(call, "the host fixes the parameter \"", governed->bound[i]->name,
                                  "\": leave it out of the call");
        }
    }
    write_bound(call, argument, governed);
    if (call->bound.failed)
        return deny_bound(call, "the host has no memory for the call", "", "");
    call->arguments[0] =
        (tn_value){call->bound.data, call->bound.data, call->bound.data + call->bound.length};
    if (call->argument_count == 0)
        call->argument_count = 1;
    return RULING_GO;
}

/* ---- of a call ---- */

/* It may be called at all: how often, and by whom? */
static Ruling let_through(tn_call *call)
{
    Governed *governed = call->governed;
    const Clause *override = governed->override;
    char most[24];

    if (override && override->override == OVERRIDE_DENIAL) {
        const char *const parts[] = {call->entry->name,
                                     " is denied by the policy (override \"",
                                     override->pattern,
                                     "\")",
                                     override->reason ? ": " : "",
                                     override->reason ? override->reason : "",
                                     NULL};
        call_deny(call, "denied", parts);
        return RULING_ANSWERED;
    }
    if (override && override->override == OVERRIDE_FUNCTION &&
        (!governed->replacement || (call->entry->flags & TN_FUNCTION_SYNC &&
                                    !(governed->replacement->flags & TN_FUNCTION_SYNC)))) {
        const char *const parts[] = {call->entry->name, " cannot be replaced by ",
                                     override->function_name,
                                     ", which answers later: this one has to at once", NULL};
        call_deny(call, "denied", parts);
        return RULING_ANSWERED;
    }
    if (governed->calls_most && governed->made >= governed->calls_most) {
        snprintf(most, sizeof most, "%u", governed->calls_most);
        const char *const parts[] = {call->entry->name,
                                     " has been called as often as the policy lets a run call it (",
                                     most, ")", NULL};
        call_deny(call, "LIMIT", parts);
        return RULING_ANSWERED;
    }
    governed->made++;
    return RULING_GO;
}

static Ruling deny(tn_call *call, const Verdict *verdict)
{
    const Clause *rule = verdict->clause;
    const char *reason = rule ? rule->reason : NULL;
    const char *const parts[] = {call->entry->name,
                                 " is denied by the policy (rule \"",
                                 rule ? rule->pattern : "default",
                                 "\")",
                                 reason ? ": " : "",
                                 reason ? reason : "",
                                 NULL};
    const char *const twice[] = {call->entry->name, " is denied by the policy: its argument names ",
                                 verdict->ambiguous, " twice", NULL};

    call_deny(call, "denied", verdict->ambiguous ? twice : parts);
    return RULING_ANSWERED;
}

Ruling govern_answered(tn_call *call)
{
    static const char final[] = "\" asks about it, and the answer was no): that is final, do not "
                                "try it again";
    const char *const parts[] = {call->entry->name, " was refused (rule \"", call->asking_rule,
                                 final, NULL};

    if (call->allowed)
        return let_through(call);
    call_deny(call, "denied", parts);
    return RULING_ANSWERED;
}

Ruling govern_call(Calls *calls, tn_call *call)
{
    Verdict verdict;

    if (call->governed->bound_count > 0 && bind_arguments(call) != RULING_GO)
        return RULING_ANSWERED;
    verdict =
        rules_decide(calls->terms.policy, call->entry->name, call->arguments, call->argument_count);
    if (verdict.effect == TN_POLICY_DENY)
        return deny(call, &verdict);
    /* nobody is asked about a call that cannot be made */
    if (!call_fits(call))
        return RULING_ANSWERED;
    return verdict.effect == TN_POLICY_ASK ? question_ask(calls, call, verdict.clause)
                                           : let_through(call);
}

/* ---- of a run ---- */

static tn_status check_override(const Calls *calls, const Clause *clause)
{
    const RegistryEntry *replacement, *replaced;

    if (clause->kind != CLAUSE_OVERRIDE || clause->override != OVERRIDE_FUNCTION)
        return TN_OK;
    replacement = registry_function(calls->registry, clause->function_name);
    replaced = clause->exact ? registry_function(calls->registry, clause->pattern) : NULL;
    if (!replacement)
        return TN_ERR_NOT_FOUND;
    return replaced && replaced->flags & TN_FUNCTION_SYNC &&
                   !(replacement->flags & TN_FUNCTION_SYNC)
               ? TN_ERR_ARGUMENT
               : TN_OK;
}

tn_status calls_set_terms(Calls *calls, const CallTerms *terms)
{
    const tn_policy *policy = terms->policy;
    tn_status status = TN_OK;

    calls->terms = *terms;
    if (!policy || policy->kinds[CLAUSE_OVERRIDE] == 0)
        return TN_OK;
    for (uint32_t i = 0; i <= policy->chain_mask; i++) {
        for (const Clause *c = policy->chains[i].first; c && status == TN_OK; c = c->next)
            status = check_override(calls, c);
    }
    return status;
}
