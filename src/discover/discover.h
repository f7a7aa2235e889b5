/*
 * discover: what may a program call, found by whoever writes it.
 *
 * An engine knows its functions from two places: the registry (what can be called) and the
 * declaration files of the host (what it is called with). A Inventory is made of both, once, and is
 * then only read. Two questions are put to it, and answered in text for a model within a budget:
 * which functions fit these words, and what exactly is declared under these names. Read in this
 * order:
 *
 *   plain       text from outside, made fit to be shown: no control characters, nothing hidden
 *   layout      a declaration on one line, or laid out anew with its comments
 *   comment     what a doc comment says: its first sentence, its words
 *   inventory   scopes, items (functions, values, types), and what each needs
 *   collect     from the trees of the declaration files to items
 *   member      what can be called below a value: `declare const hub: { list(): ... }`
 *   need        the types a declaration names, found in its scopes
 *   split       text to words: camelCase, snake_case, dots, digits
 *   alike, near words for words: other people's, and misspelt ones
 *   finder      words to items, ranked (SQLite FTS5, in memory)
 *   answer      what is chosen within a budget, grouped as it was declared
 *   search, describe    the two questions
 *
 * The invariant: **what is declared is data from outside, and each piece stays in its place.** A
 * name, a signature, a description never begins a line, ends a comment or steers a terminal; a
 * query is words and never an expression. The last line of an answer is ours, always.
 *
 * A declaration file that is broken gives what can be read of it. Types are looked up by name in
 * the scopes they stand in, as the language does, and nothing is computed: an answer shows what
 * somebody wrote.
 */
#ifndef DISCOVER_H
#define DISCOVER_H

#include "buf.h"
#include "registry.h"
#include "rules.h"

typedef struct DeclaredText {
    const char *name;
    const char *text; /* ends in NUL */
    size_t length;
} DeclaredText;

typedef struct Inventory Inventory;

/**
 * Read what is declared and registered. Functions that the policy (NULL: none) denies whatever they
 * are called with are not there.
 *
 * Ownership: the texts are borrowed until inventory_free, the registry for the call.
 * Errors:    TN_ERR_NOMEM; TN_ERR_LIMIT (more than 256 MiB of it); TN_ERR_UNAVAILABLE (SQLite
 *            lacks FTS5).
 */
tn_status inventory_new(const tn_allocator *allocator, const Registry *registry,
                        const tn_policy *policy, const DeclaredText *texts, size_t count,
                        Inventory **out_inventory);
void inventory_free(Inventory *inventory);

/** Functions that fit a query, best first; everything if it has no words. Appended to `out`, at
 * most `budget` bytes (never less than ANSWER_BYTES_MIN). Threads: any number at the same time. */
tn_status inventory_search(Inventory *inventory, const char *query, size_t budget, Buf *out);

/** The declarations of names that are separated by blanks or commas, with the types they need. */
tn_status inventory_describe(Inventory *inventory, const char *names, size_t budget, Buf *out);

/** The names of all functions, hidden ones too, in no order. */
size_t inventory_count(const Inventory *inventory);
const char *inventory_name(const Inventory *inventory, size_t index);

enum { ANSWER_BYTES_MIN = 256 };

#endif
