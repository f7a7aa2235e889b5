/*
 * JSON text read into a tape: one token after another in the order of the text, sixteen bytes
 * each, a container knowing where it ends. Small enough for large texts, and enough to look ahead,
 * which the `$type` forms and repeated names need.
 */
#ifndef JSON_TAPE_H
#define JSON_TAPE_H

#include "buf.h"

typedef enum JsonKind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY, /* then its elements */
    JSON_OBJECT /* then name and value in turn; a name is a string token */
} JsonKind;

typedef struct JsonToken {
    uint8_t kind;
    bool escaped;  /* string: its text is among the tape's strings, not in the input */
    bool dead;     /* name: a later member has the same one */
    bool shared;   /* container: something inside refers to it */
    uint32_t next; /* the token after this one and all in it; of a name: its member's value */
    union {
        double number;
        struct {
            uint32_t offset;
            uint32_t length; /* of a string in bytes, of a container in elements or members */
        };
    };
} JsonToken;

typedef struct Tape {
    const char *input;
    Buf tokens;
    Buf strings;       /* the texts that had escapes */
    bool has_circular; /* some string is "circular" */
} Tape;

/** Arrays and objects inside each other. A form takes up to three for one level of value. */
enum { JSON_DEPTH_MAX = 4000 };

/** TN_ERR_ARGUMENT: not JSON. The input is borrowed. Release it in every case. */
tn_status tape_read(Tape *tape, const tn_allocator *allocator, const char *json, size_t length);
void tape_release(Tape *tape);

static inline JsonToken *tape_token(const Tape *tape, uint32_t at)
{
    return (JsonToken *)(void *)tape->tokens.data + at;
}

static inline const char *tape_text(const Tape *tape, const JsonToken *token)
{
    return (token->escaped ? (const char *)tape->strings.data : tape->input) + token->offset;
}

/** Is this token a string, and this one? */
bool tape_is(const Tape *tape, const JsonToken *token, const char *string);

/** The value of an object's member (the last of that name); 0, which is no member, without one. */
uint32_t tape_member(const Tape *tape, uint32_t object, const char *name);

#endif
