/* Values in text: for messages, comments and literal types. */
#ifndef SAY_H
#define SAY_H

#include "buf.h"
#include "datum.h"

/**
 * Text in double quotes, at most `most` bytes of it, with the escapes that JSON and TypeScript
 * share. Controls, line separators, marks of direction, invisible tags and lone surrogates are
 * escaped: what is put is one line that reads as it is.
 */
void say_text(Buf *buf, const char *text, size_t length, size_t most);

/** A value as JSON for a reader, cut short after about 200 bytes. */
void say_json(Buf *buf, const Datum *value);

/** A value as the TypeScript type that has only it. */
void say_literal(Buf *buf, const Datum *value);

/** Is that character invisible, or does it move or turn what stands around it? */
bool say_is_hidden(uint32_t code);

#endif
