/* The real compiler as a provider: a few processes of it, begun when needed, kept warm. */
#ifndef TSC_H
#define TSC_H

#include "provider.h"

/**
 * Errors: TN_ERR_NOMEM. Whether there is a compiler is seen when the first one is needed:
 *         TN_ERR_UNAVAILABLE then, and from then on without another try.
 */
tn_status tsc_new(const tn_allocator *allocator, const CheckerOptions *options,
                  Provider **out_provider);

#endif
