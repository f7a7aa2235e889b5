/* What a host gives and demands: inputs as declarations, types told from data, types that are ones.
 */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "check.h"
#include "json_type.h"

/** Can a program call something so? */
bool contract_is_name(const char *name);

/**
 * The inputs without a type of their own as a declaration file: one `declare const` each. Its text
 * is NULL if there are none. (Those with one may name types of the program: wrap.c.)
 *
 * Errors: TN_ERR_ARGUMENT (a name or JSON text is none), TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status contract_inputs(Arena *arena, const InputGiven *inputs, size_t count,
                          const JsonTable *tables, Declaration *out_declaration);

/**
 * The type that a JSON value has (its `$type` forms too), in TypeScript: elements of an array are
 * taken together, members that not all of them have are optional.
 *
 * Errors: TN_ERR_ARGUMENT (not JSON), TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status contract_type_of_json(Arena *arena, const char *json, size_t length,
                                const JsonTable *tables, const char **out_type);

/** Is this text one whole type and nothing else? TN_ERR_ARGUMENT if not. */
tn_status contract_check_type(Arena *arena, const char *type);

/**
 * Read a type. What is wrong with it first, with its place in the text, or NULL: then `*out_type`
 * is its tree, whose places are beyond those in the text.
 */
tn_status contract_read_type(Arena *arena, const char *type, const Node **out_type,
                             const Finding **out_wrong);

/** The names that a type is made of, `visit` each: of types, and of what `typeof` names. */
void contract_each_name(const Node *type, void (*visit)(void *context, const Name *name),
                        void *context);

#endif
