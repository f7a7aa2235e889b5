/* fetch: the global of realms, where an engine has it. */
#ifndef TENON_FETCH_H
#define TENON_FETCH_H

#include "whole.h"

/* What its types are called among the declarations. */
#define FETCH_DECLARATION "fetch.d.ts"

/** Add the functions behind it, and its types, if it was asked for. Errors: TN_ERR_STATE (a host
 * has a package "fetch" of its own), TN_ERR_NOMEM. */
tn_status fetch_open(tn_engine *engine);

/** Its declaration in a line, for who looks for functions: what it reaches under this policy, and
 * the types that everybody knows left out. Empty where it reaches nothing. Errors: TN_ERR_NOMEM. */
tn_status fetch_said(Arena *arena, const tn_policy *policy, Declaration *out_declaration);

#endif
