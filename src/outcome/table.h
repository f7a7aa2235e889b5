/* An array of flat objects as a table, where that is easier to read than its text. */
#ifndef TABLE_H
#define TABLE_H

#include "display.h"

enum { TABLE_COLUMNS = 100, TABLE_ROWS = 100 };

/**
 * Write the table if the value is one: two to two thousand objects, each with a few members of
 * which none has parts or takes lines, and all of it a hundred columns wide at the most. Else
 * nothing is written. Rows after the first hundred are counted. `bold` is put before the head's
 * line and `plain` after it.
 */
bool table_put(const Display *display, tn_value value, const char *bold, const char *plain,
               Buf *out);

#endif
