/* Advice on what a program only declares: `declare const q: number` says that there is a `q`, and
 * does not make one. */
#ifndef AMBIENT_H
#define AMBIENT_H

#include "advice.h"

/**
 * TN1109, a warning, at each such declaration whose name the program uses as a value, and which
 * nobody has: neither the realm nor the host nor the program elsewhere. A program that asks whether
 * it is there (`typeof q`), or makes globals itself (`globalThis`), is left alone.
 */
void advise_ambient(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings);

#endif
