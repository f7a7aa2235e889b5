/*
 * An allocator for tests: refuses the n-th allocation, and holds its caller to the contract. Each
 * block remembers its size, so that a wrong `old_bytes` shows; what is not given back shows too.
 *
 *   FOR_EACH_REFUSAL(failing) {            runs with allocation 0, 1, ... refused, until none was
 *       tn_status status = make(failing_allocator(&failing), &thing);
 *       ...
 *       failing_settle(&failing, status);
 *   }
 */
#ifndef FAILING_ALLOCATOR_H
#define FAILING_ALLOCATOR_H

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "tenon.h"

typedef struct Failing {
    tn_allocator allocator;
    size_t asked;  /* allocations so far */
    size_t refuse; /* the one to refuse; SIZE_MAX for none */
    bool refused;
    size_t bytes; /* handed out and not given back */
    size_t peak;
} Failing;

typedef union FailingHead {
    size_t bytes;
    max_align_t align;
} FailingHead;

static inline void *failing_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    Failing *failing = context;
    FailingHead *head = old ? (FailingHead *)old - 1 : NULL;

    assert_true(old != NULL || new_bytes > 0);
    if (head)
        assert_int_equal(head->bytes, old_bytes);
    if (new_bytes == 0) {
        failing->bytes -= old_bytes;
        memset(old, 0xDD, old_bytes);
        free(head);
        return NULL;
    }
    if (failing->asked++ == failing->refuse) {
        failing->refused = true;
        return NULL;
    }
    /* Always moved: who keeps the old address is found out. */
    FailingHead *moved = malloc(sizeof *moved + new_bytes);
    assert_non_null(moved);
    moved->bytes = new_bytes;
    memset(moved + 1, 0xCC, new_bytes);
    if (head) {
        memcpy(moved + 1, old, old_bytes < new_bytes ? old_bytes : new_bytes);
        failing->bytes -= old_bytes;
        free(head);
    }
    failing->bytes += new_bytes;
    failing->peak = failing->bytes > failing->peak ? failing->bytes : failing->peak;
    return moved + 1;
}

static inline const tn_allocator *failing_allocator(Failing *failing)
{
    failing->allocator = (tn_allocator){failing, failing_resize};
    return &failing->allocator;
}

/* One round is over: it failed if, and only if, an allocation was refused, and nothing is left. */
static inline void failing_settle(Failing *failing, tn_status status)
{
    assert_int_equal(status, failing->refused ? TN_ERR_NOMEM : TN_OK);
    assert_int_equal(failing->bytes, 0);
}

static inline bool failing_next(Failing *failing, size_t round)
{
    bool more = round == 0 || failing->refused;
    *failing = (Failing){.refuse = round};
    return more;
}

#define FOR_EACH_REFUSAL(failing)                                                                  \
    Failing failing = {0};                                                                         \
    for (size_t round_ = 0; failing_next(&failing, round_); round_++)

#endif
