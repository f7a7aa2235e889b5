/*
 * learn: what results have looked like.
 *
 * Many tools say nothing of what they answer. What they did answer shows it: of each result the
 * shape is kept (which kinds of values, which members, how often), and the shapes of many results
 * are one. It is said as a type to whoever writes the next program, and looked at softly when a
 * program is checked; it is never a promise, and nothing is refused for it.
 *
 * Reading order: this file, inside.h (a place and what is known of it), observe.c (a result comes
 * in; records and tables told apart), document.c (to bytes and back, which is how two shapes are
 * joined), say.c (the type; questions about a place).
 *
 * The invariant: **no value is kept, only shapes**, and they are bounded whatever is answered. The
 * names of members may themselves be data (ids, addresses, dates, words of other languages): those
 * are not kept either. They are "others", and an object of nothing else is a table,
 * Record<string, T>.
 */
#ifndef LEARN_H
#define LEARN_H

#include "buf.h"

/** The shape of a function's results. One thread at a time. */
typedef struct Learned Learned;

/** Nothing is known yet. Errors: TN_ERR_NOMEM. */
tn_status learned_new(const tn_allocator *allocator, Learned **out_learned);
void learned_free(Learned *learned);

/** One more result. What does not fit into the bounds is `any`. */
void learned_observe(Learned *learned, tn_value result);
/** How many there were. */
uint32_t learned_results(const Learned *learned);

/** Append it as a document (CBOR). Errors are told by the Buf. */
void learned_write(const Learned *learned, Buf *out);
/** What a document knows comes to it. False: it is none, and nothing is of use. */
bool learned_read(Learned *learned, tn_value document);

/** Append it as a type in TypeScript, about `budget` bytes at most: deeper parts are `any` then. */
void learned_type(const Learned *learned, size_t budget, Buf *out);

/* ---- places in it ---- */

/** A place that all results have, or that some have: NULL is one of which nothing is known.
 * Borrowed from the whole. */
typedef struct LearnedPlace LearnedPlace;

const LearnedPlace *learned_whole(const Learned *learned);
/** How many values were there. */
uint32_t learned_count(const LearnedPlace *place);
/** Was a member of this name ever there? Sure, too, only where nothing but such objects was there.
 */
typedef enum LearnedAnswer { LEARNED_UNKNOWN, LEARNED_SEEN, LEARNED_UNSEEN } LearnedAnswer;
LearnedAnswer learned_member(const LearnedPlace *place, const char *name, size_t length,
                             const LearnedPlace **out_place);
/** What the elements are, if nothing but arrays was there. */
const LearnedPlace *learned_element(const LearnedPlace *place);
/** The names of its members, at most `most`; borrowed, each ends in NUL. */
size_t learned_names(const LearnedPlace *place, const char **out_names, size_t most);

#endif
