/* Advice on calls that the policy does not let be made. */
#ifndef DENIED_H
#define DENIED_H

#include "advice.h"

/**
 * TN1301, an error, at each call of a function that offer->policy denies whatever its arguments.
 *
 * Only where it is sure what is called: by the name that was imported, or by the global one, and
 * only if that name stands nowhere in the program where it could come to mean something else.
 */
void advise_denied(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings);

#endif
