/* Members of JSON objects: each writes `"name":value,`, and the last comma becomes the end. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include "buf.h"

void member_name(Buf *out, const char *name);
void member_string(Buf *out, const char *name, const char *text);
void member_number(Buf *out, const char *name, double number);
/** Times are measured no finer than a microsecond. */
void member_ms(Buf *out, const char *name, double ms);
void member_bool(Buf *out, const char *name, bool value);
/** Lines and columns count from 1; what is not known is null. */
void member_place(Buf *out, const char *name, unsigned place);
/** A value and a comma; a member that is one. One that shares so much that its tree explodes is
 * described instead: the rest is worth having. TN_TYPE_NONE: null. Errors: TN_ERR_ARGUMENT
 * (malformed), TN_ERR_NOMEM. */
tn_status members_value(Buf *out, tn_value value);
tn_status member_value(Buf *out, const char *name, tn_value value);
void members_end(Buf *out, char end);

#endif
