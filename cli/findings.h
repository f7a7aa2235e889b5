/* Findings for a person: a line each, the line of the program, and what may help. */
#ifndef TENON_CLI_FINDINGS_H
#define TENON_CLI_FINDINGS_H

#include <tenon.h>

#include "print.h"

typedef struct FindingPlace {
    const char *name; /* of the program */
    const char *text; /* of the program, for excerpts */
    size_t length;
} FindingPlace;

/* Warnings and notes without an excerpt. */
void finding_put(Printer *printer, const FindingPlace *place, const tn_finding *finding);

#endif
