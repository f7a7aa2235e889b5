/*
 * base: what everything else stands on.
 *
 * Nothing here knows of programs, realms or outcomes. The folder is read in the order of what
 * leans on what:
 *
 *   memory.h   three helpers over the one allocator function of the public header
 *   buf        bytes that grow, up to a limit
 *   utf8       UTF-8, and WTF-8 for strings that JavaScript can make and Unicode cannot
 *   cbor       the boundary format (RFC 8949): a writer onto a Buf, a checked reader, the tags
 *   arena      memory that dies together
 *   value      reading what crossed: the tn_value functions, and the check that bytes are a value
 *   writer     building what is to cross: tn_writer and the tn_put functions
 *   number     numbers as JavaScript writes and reads them
 *   json_tape  JSON text as a tape of tokens
 *   text       text that is handed out of the library
 *   clock      the clocks, in milliseconds
 *   hash       a keyed hash, where somebody could look for two texts with the same one
 *   zone       time zones, from the system's own tables
 *
 * The first four are also compiled into the guest, a wasm32 module. They call nothing but memcpy,
 * memset, memcmp, strlen and the allocator they are handed.
 *
 * The invariant: **failure is sticky and is asked for once.** A Buf or an Arena that was refused
 * memory, or that met its limit, remembers it and ignores what it is told from then on; a whole
 * stage is written without a check and ends in one question. So a partial result is never mistaken
 * for a whole one: whoever hands something out must have asked.
 *
 * Nothing here has mutable globals, reads the environment, or keeps a pointer to memory of the
 * caller beyond the call, except where "view" or "borrowed" says so.
 */
#ifndef BASE_H
#define BASE_H

#include "tenon.h"

/** Leave the function with the status of a call that did not succeed. The one macro that jumps. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        tn_status try_status_ = (call);                                                            \
        if (try_status_ != TN_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
