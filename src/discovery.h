/* Inventories of an engine, as programs under a policy see it. */
#ifndef TENON_DISCOVERY_H
#define TENON_DISCOVERY_H

#include "discover.h"
#include "whole.h"

/** What there is under a policy; NULL: all of it. To be given back. Errors: TN_ERR_STATE (the
 * engine is not open), those of inventory_new. */
tn_status discovery_take(tn_engine *engine, const tn_policy *policy, View **out_view);
void discovery_give_back(tn_engine *engine, View *view);

/** The engine ends: those that are kept end with it. */
void discovery_free(tn_engine *engine);

#endif
