/* Declarations without the parameters that the host fixes: programs do not see what they cannot
 * pass. */
#ifndef BOUND_H
#define BOUND_H

#include "check.h"
#include "rules.h"

/**
 * Take the parameters that the policy binds out of the first parameter's type of each function that
 * they are bound in. A literal type loses the members and their comments, anything else is put into
 * Omit<...>; with nothing left that is required, the parameter becomes optional.
 *
 * `declarations` is rewritten in place; new texts are the arena's. Errors: TN_ERR_NOMEM,
 * TN_ERR_LIMIT. Uses the stack deeply.
 */
tn_status bound_declarations(Arena *arena, const tn_policy *policy, Declaration *declarations,
                             size_t count);

#endif
