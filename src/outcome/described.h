/* Thrown values as the guest describes them: bounded maps, read without asking the value itself. */
#ifndef DESCRIBED_H
#define DESCRIBED_H

#include "value.h"

/** The thrown value out of its description, as a document of its own; NONE if it could not cross.
 */
tn_value described_value(tn_value description);

/**
 * A description as a value: an error with its causes, or the value itself. It is written into
 * `out` as one document. False if there is nothing to write, or memory ran out (see `out`).
 */
bool described_write(tn_value description, Buf *out);

/** A text member; "" without it. */
const char *described_text(tn_value description, const char *name, size_t *out_length);

#endif
