/* Words to entries, ranked: SQLite's FTS5, in memory. */
#ifndef FINDER_H
#define FINDER_H

#include "tenon.h"

typedef struct Finder Finder;

/* What of an entry is found: names weigh most, names of parameters least. Words are separated by
 * blanks. */
typedef struct FinderEntry {
    uint32_t id; /* from 0 */
    const char *name, *package, *description, *parameters;
} FinderEntry;

/** Errors: TN_ERR_NOMEM, TN_ERR_UNAVAILABLE (no FTS5). */
tn_status finder_new(const tn_allocator *allocator, Finder **out_finder);
void finder_free(Finder *finder);

tn_status finder_add(Finder *finder, const FinderEntry *entry);
/** No more is added. */
tn_status finder_seal(Finder *finder);

/** Every entry that has the word (letters and digits only), a word that begins with it, or `whole`
 * (NULL: none). The weight says in what. */
typedef void (*FinderVisitor)(void *context, uint32_t id, double weight);
tn_status finder_word(Finder *finder, const char *word, const char *whole, FinderVisitor visit,
                      void *context);

#endif
