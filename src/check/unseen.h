/* Members that no result of a function has had so far. */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "advice.h"

/**
 * TN1203: a program reads a member of what a function gave, and no result so far had it. What a
 * function without an output schema gives was learned (OfferedFunction.learned) and is no promise:
 * this is a warning where the name is nearly one that was there, else a note, and nothing at all
 * where the program itself allows for its absence, writes such a member, or may mean another value.
 */
void advise_unseen(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings);

#endif
