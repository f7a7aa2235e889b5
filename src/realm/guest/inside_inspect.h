/* The native half of the console and of the text codecs: what the prelude's JavaScript cannot do
 * without running the program's code (look through a proxy, read a property without calling its
 * getter), or could do only slowly (decode bytes).
 *
 * inside_inspect.c is compiled at the end of the engine's own source file, since it reads the
 * engine's object layout. The rest of the guest sees only this header.
 */
#ifndef TN_INSIDE_INSPECT_H
#define TN_INSIDE_INSPECT_H

#include "quickjs.h"

/* A fresh object holding the intrinsics; the prelude receives it as `host.inspect`. An exception
 * value when memory ran out. Ownership: the result is the caller's. */
JSValue inspect_intrinsics(JSContext *ctx);

#endif
