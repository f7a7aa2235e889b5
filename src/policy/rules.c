#include "rules.h"

#include <string.h>

#include "memory.h"
#include "value.h"

tn_policy *rules_new(const tn_allocator *allocator)
{
    tn_policy *policy = memory_new(allocator, sizeof *policy);

    if (!policy)
        return NULL;
    policy->allocator = *allocator;
    arena_init(&policy->arena, &policy->allocator, SIZE_MAX);
    buf_init(&policy->spelled, &policy->allocator, SIZE_MAX);
    return policy;
}

void rules_free(tn_policy *policy)
{
    tn_allocator allocator;

    if (!policy)
        return;
    allocator = policy->allocator;
    arena_release(&policy->arena);
    buf_release(&policy->spelled);
    memory_free(&allocator, policy, sizeof *policy);
}

/* ---- patterns ---- */

const char *rules_pattern_fault(const char *pattern, size_t length)
{
    bool whole = false; /* names a function, or has a `*` */

    if (length > RULES_PATTERN_MAX)
        return "a pattern of at most 200 bytes";
    for (size_t i = 0; i < length; i++) {
        char c = pattern[i];
        whole = whole || c == '*' || (c == '.' && i > 0 && i + 1 < length);
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '$' || c == '.' || c == '*' || (unsigned char)c >= 0x80))
            return "a name like \"github.listIssues\", with * for anything";
    }
    return whole ? NULL
                 : "a function of a package, like \"github.listIssues\" (\"github.*\" for all of "
                   "them, \"*\" for everything)";
}

/* Only the last `*` can be wrong: so it is the only place to go back to. */
bool rules_fits(const char *pattern, size_t pattern_length, const char *text, size_t length)
{
    size_t p = 0, t = 0, star = SIZE_MAX, resume = 0;

    while (t < length) {
        if (p < pattern_length && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern_length && pattern[p] == text[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern_length && pattern[p] == '*')
        p++;
    return p == pattern_length;
}

/* ---- clauses by their beginnings ---- */

enum { HASH_START = 0x811c9dc5u };

/* FNV-1a: a beginning's hash is one step from that of the beginning a byte shorter. */
static uint32_t hash_step(uint32_t hash, char c)
{
    return (hash ^ (uint8_t)c) * 0x01000193u;
}

static ClauseChain *chain_place(const tn_policy *policy, uint32_t hash, const char *text,
                                size_t length)
{
    uint32_t at = hash * 0x9e3779b1u >> 7 & policy->chain_mask;

    for (;; at = (at + 1) & policy->chain_mask) {
        ClauseChain *chain = &policy->chains[at];
        if (!chain->first || (chain->hash == hash && chain->first->literal == length &&
                              memcmp(chain->first->pattern, text, length) == 0))
            return chain;
    }
}

static tn_status make_room(tn_policy *policy)
{
    uint32_t places = policy->chains ? (policy->chain_mask + 1) * 2 : 16;
    ClauseChain *before = policy->chains, *chains;
    uint32_t count = policy->chains ? policy->chain_mask + 1 : 0;

    if (policy->chains && policy->chain_count * 2 < count)
        return TN_OK;
    chains = ARENA_ARRAY(&policy->arena, ClauseChain, places);
    if (!chains)
        return arena_status(&policy->arena);
    policy->chains = chains;
    policy->chain_mask = places - 1;
    for (uint32_t i = 0; i < count; i++) {
        const Clause *first = before[i].first;
        if (first)
            *chain_place(policy, before[i].hash, first->pattern, first->literal) = before[i];
    }
    return TN_OK;
}

tn_status rules_add(tn_policy *policy, const Clause *clause)
{
    Clause *added = ARENA_NEW(&policy->arena, Clause);
    uint32_t hash = HASH_START;
    ClauseChain *chain;
    const char *star;

    if (!added || make_room(policy) != TN_OK)
        return arena_status(&policy->arena);
    *added = *clause;
    added->next = NULL;
    added->order = policy->clause_count++;
    added->length = strlen(clause->pattern);
    star = memchr(clause->pattern, '*', added->length);
    added->exact = !star;
    added->literal = star ? (size_t)(star - clause->pattern) : added->length;
    for (size_t i = 0; i < added->literal; i++)
        hash = hash_step(hash, clause->pattern[i]);
    chain = chain_place(policy, hash, clause->pattern, added->literal);
    if (chain->first) {
        chain->last->next = added;
        chain->last = added;
    } else {
        *chain = (ClauseChain){hash, added, added};
        policy->chain_count++;
    }
    policy->kinds[clause->kind]++;
    if (added->literal > policy->literal_most)
        policy->literal_most = added->literal;
    return TN_OK;
}

RuleWalk rules_walk(const tn_policy *policy, const char *name)
{
    size_t length = strlen(name);

    return (RuleWalk){
        .name = name, .length = length, .at = policy->chains ? 0 : length + 1, .hash = HASH_START};
}

static bool clause_fits(const Clause *clause, const RuleWalk *walk)
{
    if (clause->exact)
        return clause->length == walk->length;
    return rules_fits(clause->pattern + clause->literal, clause->length - clause->literal,
                      walk->name + clause->literal, walk->length - clause->literal);
}

const Clause *rules_next(const tn_policy *policy, RuleWalk *walk)
{
    for (;;) {
        while (walk->next) {
            const Clause *clause = walk->next;
            walk->next = clause->next;
            if (clause_fits(clause, walk))
                return clause;
        }
        if (walk->at > walk->length || walk->at > policy->literal_most)
            return NULL;
        walk->next = chain_place(policy, walk->hash, walk->name, walk->at)->first;
        if (walk->at < walk->length)
            walk->hash = hash_step(walk->hash, walk->name[walk->at]);
        walk->at++;
    }
}

/* Both fit one name, and `later` came later in the walk: its beginning is not shorter. */
static bool is_more_specific(const Clause *later, const Clause *before)
{
    if (later->literal != before->literal)
        return true;
    if (later->exact != before->exact)
        return later->exact;
    return later->length != before->length ? later->length > before->length
                                           : later->order > before->order;
}

const Clause *rules_best(const tn_policy *policy, const char *name, ClauseKind kind)
{
    const Clause *best = NULL, *clause;

    if (policy->kinds[kind] == 0)
        return NULL;
    for (RuleWalk walk = rules_walk(policy, name); (clause = rules_next(policy, &walk));) {
        if (clause->kind == kind && (!best || is_more_specific(clause, best)))
            best = clause;
    }
    return best;
}

void rules_limits(const tn_policy *policy, const char *name, uint32_t *out_calls,
                  uint32_t *out_time_ms)
{
    uint32_t calls = 0, time_ms = 0;
    const Clause *clause;

    for (RuleWalk walk = rules_walk(policy, name);
         policy->kinds[CLAUSE_LIMIT] > 0 && (clause = rules_next(policy, &walk));) {
        if (clause->kind != CLAUSE_LIMIT)
            continue;
        if (clause->calls_most && (!calls || clause->calls_most < calls))
            calls = clause->calls_most;
        if (clause->time_ms && (!time_ms || clause->time_ms < time_ms))
            time_ms = clause->time_ms;
    }
    *out_calls = calls;
    *out_time_ms = time_ms;
}

/* ---- conditions ---- */

/* The member of an object. An honest guest never writes one twice; with one that is not, what is
 * looked at here and what the provider reads could differ. */
static tn_value member_once(tn_value object, const char *name, size_t length, bool *out_twice)
{
    tn_value found = {0};
    tn_cursor cursor = {0};

    while (tn_value_next(object, &cursor)) {
        size_t key_length;
        const char *key = tn_value_text(cursor.key, &key_length);
        if (!key || key_length != length || memcmp(key, name, length) != 0)
            continue;
        *out_twice = *out_twice || found.start != NULL;
        found = cursor.value;
    }
    return found;
}

static tn_value find(const Condition *condition, const tn_value *arguments, size_t count,
                     bool *out_twice)
{
    const PathStep *steps = condition->steps;
    size_t at = steps[0].is_index ? 1 : 0;
    size_t argument = at == 1 ? steps[0].index : 0;
    tn_value value = argument < count ? arguments[argument] : (tn_value){0};

    for (; at < condition->step_count && value.start; at++) {
        tn_type type = tn_value_type(value);
        if (type == TN_TYPE_OBJECT)
            value = member_once(value, steps[at].name, steps[at].length, out_twice);
        else if (type == TN_TYPE_ARRAY && steps[at].is_index)
            value = tn_value_item(value, steps[at].index);
        else
            value = (tn_value){0};
    }
    return value;
}

static bool is_equal(tn_value given, tn_value wanted);

static bool are_equal_children(tn_value given, tn_value wanted, bool keyed)
{
    tn_cursor cursor = {0}, other = {0};

    if (tn_value_count(given) != tn_value_count(wanted))
        return false;
    while (tn_value_next(wanted, &cursor)) {
        if (keyed) {
            size_t length;
            const char *key = tn_value_text(cursor.key, &length);
            bool twice = false;
            if (!key || !is_equal(member_once(given, key, length, &twice), cursor.value) || twice)
                return false;
        } else if (!tn_value_next(given, &other) || !is_equal(other.value, cursor.value)) {
            return false;
        }
    }
    return true;
}

/* Goes as deep as the policy's own value. */
static bool is_equal(tn_value given, tn_value wanted)
{
    tn_type type = tn_value_type(given);
    size_t length, wanted_length;
    const char *text, *wanted_text;

    if (tn_value_type(wanted) == TN_TYPE_UNDEFINED)
        return type == TN_TYPE_UNDEFINED || type == TN_TYPE_NONE;
    if (type != tn_value_type(wanted))
        return false;
    switch (type) {
    case TN_TYPE_NULL:
        return true;
    case TN_TYPE_BOOL:
        return tn_value_bool(given) == tn_value_bool(wanted);
    case TN_TYPE_NUMBER:
    case TN_TYPE_DATE:
        return tn_value_number(given) == tn_value_number(wanted);
    case TN_TYPE_TEXT:
    case TN_TYPE_BYTES:
        text = tn_value_text(given, &length);
        wanted_text = tn_value_text(wanted, &wanted_length);
        return text && wanted_text && length == wanted_length &&
               memcmp(text, wanted_text, length) == 0;
    case TN_TYPE_ARRAY:
    case TN_TYPE_OBJECT:
        return are_equal_children(given, wanted, type == TN_TYPE_OBJECT);
    case TN_TYPE_BIGINT: {
        Item one, other;
        bool minus, other_minus;
        const uint8_t *bytes, *other_bytes;
        return value_open(given, &one) && value_open(wanted, &other) &&
               item_bigint(&one, &bytes, &length, &minus) &&
               item_bigint(&other, &other_bytes, &wanted_length, &other_minus) &&
               minus == other_minus && length == wanted_length &&
               memcmp(bytes, other_bytes, length) == 0;
    }
    default:
        return false; /* no policy can write the others down */
    }
}

static bool condition_holds(const Condition *condition, tn_value value)
{
    size_t length;
    const char *text;

    if (condition->kind == MATCH_ANY_OF) {
        for (size_t i = 0; i < condition->value_count; i++) {
            if (is_equal(value, condition->values[i]))
                return true;
        }
        return false;
    }
    text = tn_value_type(value) == TN_TYPE_TEXT ? tn_value_text(value, &length) : NULL;
    if (!text || condition->kind == MATCH_NEVER)
        return false;
    if (condition->kind == MATCH_PREFIX)
        return length >= condition->text_length &&
               memcmp(text, condition->text, condition->text_length) == 0;
    return rules_fits(condition->text, condition->text_length, text, length);
}

/* All conditions of a rule hold. */
static bool holds(const Clause *clause, const tn_value *arguments, size_t count,
                  const char **out_ambiguous)
{
    bool all = true, twice = false;

    for (const Condition *c = clause->when; c && all; c = c->next) {
        all = condition_holds(c, find(c, arguments, count, &twice));
        if (twice)
            *out_ambiguous = c->path;
    }
    return all;
}

/* ---- verdicts ---- */

Verdict rules_decide(const tn_policy *policy, const char *name, const tn_value *arguments,
                     size_t count)
{
    Verdict verdict = {.effect = policy->effect};
    const Clause *clause;

    for (RuleWalk walk = rules_walk(policy, name); (clause = rules_next(policy, &walk));) {
        bool stronger =
            !verdict.clause || (int)clause->kind > (int)verdict.effect ||
            (clause->kind == (ClauseKind)verdict.effect && clause->order < verdict.clause->order);
        if (clause->kind > CLAUSE_DENY || !stronger ||
            !holds(clause, arguments, count, &verdict.ambiguous))
            continue;
        verdict.effect = (tn_policy_effect)clause->kind;
        verdict.clause = clause;
    }
    if (verdict.ambiguous)
        verdict.effect = TN_POLICY_DENY;
    return verdict;
}

bool rules_denies_all(const tn_policy *policy, const char *name, const Clause **out_clause)
{
    const Clause *clause, *denial = NULL, *override;
    bool named = false;

    for (RuleWalk walk = rules_walk(policy, name); (clause = rules_next(policy, &walk));) {
        named = named || clause->kind == CLAUSE_ALLOW || clause->kind == CLAUSE_ASK;
        if (clause->kind == CLAUSE_DENY && !clause->when &&
            (!denial || clause->order < denial->order))
            denial = clause;
    }
    override = rules_best(policy, name, CLAUSE_OVERRIDE);
    if (!denial && override && override->override == OVERRIDE_DENIAL)
        denial = override;
    *out_clause = denial;
    return denial || (!named && policy->effect == TN_POLICY_DENY);
}

/* ---- what is hidden ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const uint8_t *at = bytes;

    for (size_t i = 0; i <= length; i++)
        hash = (hash ^ (i < length ? at[i] : 0xff)) * 0x100000001B3u;
    return hash ^ hash >> 29;
}

static uint64_t shown_of(const Clause *clause)
{
    bool hides = clause->kind == CLAUSE_OVERRIDE && clause->override == OVERRIDE_DENIAL;
    uint64_t hash = mix(clause->kind * 2u + hides, clause->pattern, clause->length);

    for (const BoundParameter *bound = clause->bound; bound; bound = bound->next)
        hash = mix(hash, bound->name, bound->length);
    /* which of two overrides holds depends on their order */
    if (clause->kind == CLAUSE_OVERRIDE)
        hash = mix(hash, &clause->order, sizeof clause->order);
    return clause->kind == CLAUSE_LIMIT || clause->kind == CLAUSE_READ_ONLY ||
                   (clause->kind == CLAUSE_DENY && clause->when)
               ? 0
               : hash;
}

uint64_t rules_shown(const tn_policy *policy)
{
    bool hides = policy->effect == TN_POLICY_DENY || policy->kinds[CLAUSE_DENY] > 0 ||
                 policy->kinds[CLAUSE_BOUND] > 0 || policy->kinds[CLAUSE_OVERRIDE] > 0 ||
                 policy->grant_count > 0;
    uint64_t sum = 1 + (uint64_t)policy->effect;

    /* they are told as they are written, in their order */
    if (policy->grant_count > 0)
        sum = mix(sum, policy->spelled.data, policy->spelled.length);

    for (uint32_t i = 0; policy->chains && hides && i <= policy->chain_mask; i++) {
        for (const Clause *c = policy->chains[i].first; c; c = c->next)
            sum += shown_of(c);
    }
    return hides ? sum | (uint64_t)1 << 63 : 0;
}
