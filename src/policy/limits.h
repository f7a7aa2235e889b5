/* Policy: what a run may do and use. Pure: no system calls; memory by arenas.
 *
 * Here are the limits: the documented defaults, and how a run's settings lie over an engine's and
 * an engine's over the defaults. What it may call is in rules.h. The invariant: after
 * limits_resolve no field is zero. */
#ifndef TENON_LIMITS_H
#define TENON_LIMITS_H

#include "tenon.h"

enum { LIMITS_DEPTH_MOST = 1200 };

/** The documented defaults (docs/design.md, limits). */
tn_limits limits_default(void);

/** `over` where it says something, `under` elsewhere. A size of 0 in `over` says nothing. */
tn_limits limits_resolve(const tn_limits *over, const tn_limits *under);

#endif
