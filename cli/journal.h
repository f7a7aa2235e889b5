/* Where runs are written down: --journal, --journal-file, --keep. */
#ifndef TENON_CLI_JOURNAL_H
#define TENON_CLI_JOURNAL_H

#include "options.h"

/* The journal that was asked for. NULL: none was, or a `normal` one cannot be had, which is said.
 * Complains and returns an exit code, or 0. */
int journal_open(const Settings *settings, tn_journal **out_journal);
tn_journal_level journal_level(const Settings *settings);

/* The same, only to look into. */
int journal_look(const Settings *settings, tn_journal **out_journal);

/* Say what could not be written, and let go of it. */
void journal_close(tn_journal *journal);

#endif
