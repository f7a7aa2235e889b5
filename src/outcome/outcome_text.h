/* The outcome's text for a model; for a person it is in outcome_text.c itself. */
#ifndef OUTCOME_TEXT_H
#define OUTCOME_TEXT_H

#include "outcome.h"

/** At most four bytes for each token (0: 2000 of them), appended to `out`. */
tn_status outcome_put_model(Buf *out, const tn_outcome *outcome, unsigned tokens);

#endif
