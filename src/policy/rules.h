/* Rules: what a run may call, and on what terms.
 *
 * A policy is a set of clauses, each with a pattern ("github.deleteRepo", "hub.list*", "*") and one
 * thing to say about the functions that it fits: allow, ask or deny them; limit them; whether they
 * only read; which parameters the host fixes; what runs in their place. Reading order: this file,
 * rules.c (which clauses fit a name, which conditions hold, what follows), rules_read.c (from a
 * document, or exactly what is wrong with it), rules_fetch.c (what `fetch` may reach), policy.c
 * (the public side).
 *
 * What is decided does not depend on the order of rules: **deny beats ask, ask beats allow, and the
 * default is for what no rule names**. Of clauses that can only hold one at a time (override,
 * readOnly, a bound parameter) the most specific pattern is taken: the one with more bytes before
 * its first `*`; a name without `*` before all; then the longer pattern; then the later one.
 *
 * Clauses are found by what stands before the first `*`: a call asks once for each beginning of the
 * function's name, so thousands of rules cost no more than those that begin alike.
 *
 * The invariant: after it is built a policy is never written to, so that any number of runs in any
 * threads read it. Nothing here calls the system. */
#ifndef TENON_RULES_H
#define TENON_RULES_H

#include "arena.h"
#include "buf.h"
#include "http_grant.h"
#include "tenon.h"

enum { RULES_PATTERN_MAX = 200, RULES_CLAUSE_KINDS = 7 };

typedef enum ClauseKind {
    CLAUSE_ALLOW = TN_POLICY_ALLOW,
    CLAUSE_ASK = TN_POLICY_ASK,
    CLAUSE_DENY = TN_POLICY_DENY,
    CLAUSE_LIMIT,
    CLAUSE_READ_ONLY,
    CLAUSE_BOUND,
    CLAUSE_OVERRIDE
} ClauseKind;

/* One step of a path into the arguments. */
typedef struct PathStep {
    const char *name;
    size_t length;
    size_t index;
    bool is_index; /* digits: a position, or a member of that name where there are no positions */
} PathStep;

typedef enum MatchKind {
    MATCH_ANY_OF,  /* equal to one of the values */
    MATCH_PREFIX,  /* text that begins so */
    MATCH_PATTERN, /* text, `*` for anything */
    MATCH_NEVER    /* one of no values */
} MatchKind;

typedef struct Condition {
    struct Condition *next;
    const char *path; /* as it was written */
    const PathStep *steps;
    size_t step_count;
    MatchKind kind;
    const tn_value *values;
    size_t value_count;
    const char *text;
    size_t text_length;
} Condition;

typedef struct BoundParameter {
    struct BoundParameter *next;
    const char *name;
    size_t length;
    tn_value value;
} BoundParameter;

typedef enum OverrideKind {
    OVERRIDE_FUNCTION, /* another of the engine's */
    OVERRIDE_VALUE,
    OVERRIDE_DENIAL,
    OVERRIDE_HOST /* a function of the embedder's */
} OverrideKind;

typedef struct Clause {
    struct Clause *next; /* with the same beginning, in the order they were added */
    ClauseKind kind;
    uint32_t order;
    const char *pattern;
    size_t length, literal; /* bytes before the first `*` */
    bool exact;
    const char *reason; /* of the policy's writer, for the program; NULL without one */
    const Condition *when;
    uint32_t calls_most; /* 0: not limited */
    uint32_t time_ms;
    bool read_only;
    const BoundParameter *bound;
    OverrideKind override;
    const char *function_name;
    tn_value value;
    tn_function function;
    void *user;
} Clause;

typedef struct ClauseChain {
    uint32_t hash;
    Clause *first, *last; /* NULL: an empty place */
} ClauseChain;

struct tn_policy {
    tn_allocator allocator;
    Arena arena;
    ClauseChain *chains; /* open addressing by the hash of the beginning */
    uint32_t chain_mask, chain_count;
    uint32_t clause_count;
    uint32_t kinds[RULES_CLAUSE_KINDS];
    size_t literal_most;     /* the longest beginning */
    tn_policy_effect effect; /* of what no rule names */
    Buf spelled;       /* what it was made of, in the order in which it was: the same text, the same
                          policy, but for the host's functions */
    HttpGrant *grants; /* of `fetch`, in their order */
    size_t grant_count;
};

/* A walk over the clauses that fit a name: the more specific come later. */
typedef struct RuleWalk {
    const char *name;
    size_t length, at; /* the beginning that is looked up next */
    uint32_t hash;
    const Clause *next;
} RuleWalk;

typedef struct Verdict {
    tn_policy_effect effect;
    const Clause *clause;  /* NULL: the default */
    const char *ambiguous; /* denied: a member that the arguments name twice, by its path */
} Verdict;

tn_policy *rules_new(const tn_allocator *allocator);
void rules_free(tn_policy *policy);

/** What is wrong with a pattern, as the words after "expected"; NULL: nothing. */
const char *rules_pattern_fault(const char *pattern, size_t length);

/** Add a clause whose pattern (checked) and particulars are set and live as long as the policy. */
tn_status rules_add(tn_policy *policy, const Clause *clause);

RuleWalk rules_walk(const tn_policy *policy, const char *name);
const Clause *rules_next(const tn_policy *policy, RuleWalk *walk);

/** The most specific clause of a kind; NULL without one. */
const Clause *rules_best(const tn_policy *policy, const char *name, ClauseKind kind);

/** What is to become of a call. */
Verdict rules_decide(const tn_policy *policy, const char *name, const tn_value *arguments,
                     size_t count);

/** Will every call of it be denied, whatever the arguments? */
bool rules_denies_all(const tn_policy *policy, const char *name, const Clause **out_clause);

/**
 * What of a policy shows in the list of functions, as one number: policies that hide the same
 * functions and parameters have the same. 0: it hides nothing.
 */
uint64_t rules_shown(const tn_policy *policy);

/** The limits of all clauses that fit: the least of each; 0: none. */
void rules_limits(const tn_policy *policy, const char *name, uint32_t *out_calls,
                  uint32_t *out_time_ms);

/** The text with `*` for anything fits. */
bool rules_fits(const char *pattern, size_t pattern_length, const char *text, size_t length);

/**
 * Fill a policy from a document (docs/policy.md). `*out_fault` says what is wrong with one that is
 * none, in the policy's arena. Errors: TN_ERR_ARGUMENT with a fault, TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status rules_read(tn_policy *policy, tn_value document, const char **out_fault);

/** Let `fetch` reach something more; what the grant points to lives as long as the policy. The
 * first one allows the functions of `fetch`: what else rules say of them holds. */
tn_status rules_grant(tn_policy *policy, const HttpGrant *grant);

/** Split "https://api.example.com/v1/" into origin and path. What is wrong with it, as the words
 * after "expected", or NULL. */
const char *rules_grant_of(Arena *arena, const char *url, HttpGrant *out_grant);

#endif
