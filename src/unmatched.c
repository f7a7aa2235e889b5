/* What of a policy fits nothing that an engine has: slips, told before they do harm. */
#include <stdio.h>
#include <string.h>

#include "discovery.h"
#include "near.h"
#include "packages.h"
#include "text.h"

enum { ANSWER_BYTES_MOST = 1 << 20 };

/* All names that a pattern may fit: of functions, and of methods. */
typedef struct NameList {
    const char **at;
    size_t count;
} NameList;

typedef struct Unmatched {
    const tn_engine *engine;
    NameList names;
    const Clause **clauses; /* by their order; NULL: it fits something */
    Buf text;
} Unmatched;

static void list_names(const tn_engine *engine, const Inventory *inventory, NameList *names)
{
    for (size_t i = 0; i < engine->registry.count; i++) {
        if (engine->registry.entries[i].kind != ENTRY_INTERFACE)
            names->at[names->count++] = engine->registry.entries[i].name;
    }
    for (size_t i = 0; inventory && i < inventory_count(inventory); i++)
        names->at[names->count++] = inventory_name(inventory, i);
}

/* "github.lst*": of all beginnings of names the one nearest to "github.lst". */
static void suggest(Unmatched *all, const char *pattern)
{
    size_t literal = strcspn(pattern, "*"), best_length = 0;
    unsigned most = near_most(literal), far = most + 1;
    char wanted[NEAR_BYTES_MAX + 1], begin[NEAR_BYTES_MAX + 1];
    const char *best = NULL;

    if (literal > NEAR_BYTES_MAX - 3)
        return;
    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)literal, pattern);
    for (size_t i = 0; i < all->names.count && most > 0; i++) {
        const char *name = all->names.at[i];
        size_t whole = strlen(name);
        for (size_t length = literal > most ? literal - most : 1;
             length <= literal + most && length <= whole; length++) {
            if (!pattern[literal] && length != whole)
                continue;
            (void)snprintf(begin, sizeof begin, "%.*s", (int)length, name);
            unsigned distance = near_distance(wanted, begin, most);
            if (distance < far || (distance == far && distance <= most && length > best_length)) {
                far = distance;
                best = name;
                best_length = length;
            }
        }
    }
    if (!best || far > most)
        return;
    buf_append_string(&all->text, ": did you mean \"");
    buf_append(&all->text, best, best_length);
    buf_append_string(&all->text, pattern + literal);
    buf_append_string(&all->text, "\"?");
}

static void tell_clause(Unmatched *all, const Clause *clause)
{
    static const char *const words[] = {[CLAUSE_ALLOW] = "allow",        [CLAUSE_ASK] = "ask",
                                        [CLAUSE_DENY] = "deny",          [CLAUSE_LIMIT] = "limits",
                                        [CLAUSE_READ_ONLY] = "readOnly", [CLAUSE_BOUND] = "bound",
                                        [CLAUSE_OVERRIDE] = "override"};

    if (packages_missing(all->engine, clause->pattern))
        return;
    buf_append_string(&all->text, words[clause->kind]);
    buf_append_string(&all->text, " \"");
    buf_append_string(&all->text, clause->pattern);
    buf_append_string(&all->text, "\" fits no function");
    suggest(all, clause->pattern);
    buf_append_byte(&all->text, '\n');
}

static void tell_replacement(Unmatched *all, const Clause *clause)
{
    if (clause->kind != CLAUSE_OVERRIDE || clause->override != OVERRIDE_FUNCTION ||
        registry_function(&all->engine->registry, clause->function_name) ||
        packages_missing(all->engine, clause->function_name))
        return;
    buf_append_string(&all->text, "override \"");
    buf_append_string(&all->text, clause->pattern);
    buf_append_string(&all->text, "\": there is no function \"");
    buf_append_string(&all->text, clause->function_name);
    buf_append_string(&all->text, "\" to run in its place");
    suggest(all, clause->function_name);
    buf_append_byte(&all->text, '\n');
}

static void cross_out(Unmatched *all, const tn_policy *policy)
{
    const Clause *clause;

    for (size_t i = 0; i < all->names.count; i++) {
        for (RuleWalk walk = rules_walk(policy, all->names.at[i]);
             (clause = rules_next(policy, &walk));)
            all->clauses[clause->order] = NULL;
    }
}

static bool is_any_left(const Unmatched *all, const tn_policy *policy)
{
    for (uint32_t i = 0; i < policy->clause_count; i++) {
        if (all->clauses[i])
            return true;
    }
    return false;
}

static tn_status look_for_unmatched(tn_engine *engine, const tn_policy *policy, Arena *arena,
                                    Unmatched *all)
{
    View *view = NULL;
    tn_status status = TN_OK;

    all->clauses = ARENA_ARRAY(arena, const Clause *, policy->clause_count + 1);
    all->names.at = ARENA_ARRAY(arena, const char *, engine->registry.count + 1);
    if (!all->clauses || !all->names.at)
        return arena_status(arena);
    for (uint32_t i = 0; policy->chains && i <= policy->chain_mask; i++) {
        for (const Clause *c = policy->chains[i].first; c; c = c->next)
            all->clauses[c->order] = c;
    }
    const Clause **each = ARENA_ARRAY(arena, const Clause *, policy->clause_count + 1);
    if (!each)
        return arena_status(arena);
    memcpy(each, all->clauses, policy->clause_count * sizeof *each);
    list_names(engine, NULL, &all->names);
    cross_out(all, policy);
    /* what is only declared counts as well: a program can be checked against it */
    if (is_any_left(all, policy) && engine->declaration_count > 0)
        status = discovery_take(engine, NULL, &view);
    if (view) {
        size_t count = inventory_count(view->inventory);
        all->names.at = ARENA_ARRAY(arena, const char *, engine->registry.count + count + 1);
        all->names.count = 0;
        if (all->names.at)
            list_names(engine, view->inventory, &all->names);
        cross_out(all, policy);
    }
    for (uint32_t i = 0; i < policy->clause_count && status == TN_OK; i++) {
        if (all->clauses[i])
            tell_clause(all, all->clauses[i]);
        tell_replacement(all, each[i]);
    }
    if (view)
        discovery_give_back(engine, view);
    return status == TN_OK ? arena_status(arena) : status;
}

tn_status tn_policy_unmatched(tn_engine *engine, const tn_policy *policy, char **out_text,
                              size_t *out_length)
{
    Unmatched all = {.engine = engine};
    Arena arena;
    tn_status status;
    bool open;

    pthread_mutex_lock(&engine->lock);
    open = engine->ready;
    pthread_mutex_unlock(&engine->lock);
    if (!open)
        return TN_ERR_STATE;
    arena_init(&arena, &engine->allocator, SIZE_MAX);
    text_begin(&all.text, &engine->allocator, ANSWER_BYTES_MOST);
    status = look_for_unmatched(engine, policy, &arena, &all);
    arena_release(&arena);
    if (status != TN_OK) {
        buf_release(&all.text);
        return status;
    }
    return text_finish(&all.text, out_text, out_length);
}
