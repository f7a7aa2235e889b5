/* What a host gives and demands: inputs as declarations, types told from data, types that are ones.
 */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "check.h"

/**
 * The inputs as a declaration file: one `declare const` each. Its text is NULL if there are none.
 *
 * Errors: TN_ERR_ARGUMENT (a name or JSON text is none), TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status contract_inputs(Arena *arena, const InputGiven *inputs, size_t count,
                          Declaration *out_declaration);

/**
 * The type that a JSON value has (its `$type` forms too), in TypeScript: elements of an array are
 * taken together, members that not all of them have are optional.
 *
 * Errors: TN_ERR_ARGUMENT (not JSON), TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status contract_type_of_json(Arena *arena, const char *json, size_t length,
                                const char **out_type);

/** Is this text one whole type and nothing else? */
tn_status contract_check_type(Arena *arena, const char *type);

#endif
