/* An outcome on stdout and stderr. */
#ifndef TENON_CLI_REPORT_H
#define TENON_CLI_REPORT_H

#include "options.h"

typedef enum Style {
    STYLE_PERSON, /* value and console.log on stdout; warnings and errors on stderr */
    STYLE_VALUE,  /* only the value */
    STYLE_JSON,   /* one object */
    STYLE_MODEL   /* text for a model */
} Style;

typedef struct Report {
    Style style;
    int color;
    unsigned tokens;
    const char *program_name; /* what errors call it */
    const char *program_text; /* for excerpts */
    size_t program_length;
    const char *journal_file; /* if it is not the usual one */
} Report;

/* The style that the command line and the place of stdout ask for. Complains and returns
 * EXIT_USAGE, or returns 0. */
int report_style(const Settings *settings, Style *out_style);

/* Print it. Returns the exit code of the outcome, or of what kept it from being printed. */
int report_outcome(const Report *report, const tn_outcome *outcome);

#endif
