/*
 * The declarations of the language itself: the compiler's own, read from the folder it lies in and
 * put together into one text.
 *
 * One text and not sixty: an interface declared in ten files is merged anew for every program, one
 * declared ten times in a file is merged once. What the engine does not have is left out: memory
 * shared between threads, Temporal, and the values of Intl (its types stay, since the signatures of
 * `toLocaleString` use them).
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "buf.h"

enum { LIBRARY_NAME_MAX_BYTES = 48 };

typedef struct Library {
    Buf text;
    Buf module; /* the one file that is a module and must stay by itself; the text refers to it */
    char module_file[LIBRARY_NAME_MAX_BYTES]; /* "lib.es2025.iterator.d.ts"; empty: none */
} Library;

/** What the file is called that the compiler is told to take as its library: "lib.es2023.d.ts". */
extern const char library_file[];

void library_init(Library *library, const tn_allocator *allocator);
void library_release(Library *library);

/**
 * Read it. `compiler` is the path of the compiler's program.
 *
 * Errors: TN_ERR_NOT_FOUND (there are no such files), TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status library_load(Library *library, const char *compiler);

#endif
