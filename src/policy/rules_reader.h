/* What the two readers of a policy's document share: rules_read.c and, for its section "fetch",
 * rules_fetch.c. */
#ifndef TENON_RULES_READER_H
#define TENON_RULES_READER_H

#include "rules.h"

/* Where in the document: from here up to its root. */
typedef struct Place {
    const struct Place *up;
    const char *name; /* NULL: an element */
    size_t length;    /* of the name, or the element's index */
} Place;

typedef struct Reader {
    tn_policy *policy;
    const char *fault; /* the first */
} Reader;

/* A rule while its members are read. */
typedef struct Draft {
    Clause clause;
    tn_value patterns; /* text, or an array of them */
    const char *effect;
    HttpGrant grant;
    HttpCredential credential;
    const char *user;
} Draft;

typedef struct Member {
    const char *name;
    bool (*read)(Reader *reader, const Place *place, tn_value value, Draft *draft);
} Member;

/** Complain, if it is the first complaint: always false. */
bool rules_wrong(Reader *reader, const Place *place, const char *expected, tn_value got);

/** Read an object that has these members and no others. */
bool rules_members(Reader *reader, const Place *up, tn_value object, const Member *members,
                   size_t count, Draft *draft);

/** A copy of a text of at most `most` bytes; NULL: it is none (the complaint is made), or there is
 * no memory. */
const char *rules_text(Reader *reader, const Place *place, tn_value value, size_t most,
                       const char *expected);

/** The section "fetch". */
bool rules_read_fetch(Reader *reader, const Place *place, tn_value value, Draft *draft);

#endif
