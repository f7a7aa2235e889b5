/*
 * From JSON text to a value: what tn_put_json is made of.
 *
 * The tape is walked with a stack of frames; each frame is a run of children still to be written.
 * A form (json_forms.c) writes its head and leaves frames for what is inside it.
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include "json_tape.h"
#include "value.h"
#include "writer.h"

typedef enum ReadKind {
    READ_ITEMS,        /* values from `at` to `end` */
    READ_MEMBERS,      /* names and values */
    READ_OBJECT_PAIRS, /* [name, value] arrays */
    READ_MAP_PAIRS
} ReadKind;

typedef struct ReadFrame {
    ReadKind kind;
    bool of_error; /* members: without those that the error's form has for itself */
    bool at_value; /* pairs: the key is written */
    uint32_t at;
    uint32_t end;
    unsigned depth; /* of the values in it */
} ReadFrame;

/* For texts with circular forms only: where each token stands. */
typedef struct Place {
    uint32_t parent; /* the container around it, plus one */
    uint32_t index;  /* in that container */
    uint32_t number; /* of a shared object, from 1 */
} Place;

typedef struct JsonReader {
    Tape tape;
    tn_writer *writer;
    Buf *out;
    Buf frames;
    Buf scratch;    /* names of one large object */
    Buf places;     /* of Place, one for each token */
    unsigned depth; /* of the value being written */
    bool wrong;     /* a form is not what it should be */
} JsonReader;

/** A name or text as a value: UTF-8, or WTF-8 where escapes made a lone surrogate. */
void read_put_string(JsonReader *reader, const JsonToken *token);

/** Frames are worked from the last one pushed. */
void read_push(JsonReader *reader, ReadFrame frame);

/** Tag 28 before a container that something inside refers to. */
void read_put_shared(JsonReader *reader, uint32_t token);

/** Marks repeated names dead; how many members are left. */
uint32_t read_unique_members(JsonReader *reader, uint32_t object);

/** Is `token` an object with a `$type` that is ours? Then it is written here. */
bool read_form(JsonReader *reader, uint32_t token);

/** Mark the containers that circular forms mean. */
void read_mark_circular(JsonReader *reader);

/** Does this name belong to the error's form, not among the error's members? */
bool read_is_error_name(const JsonReader *reader, const JsonToken *name);

/* ---- forms without values in them (json_scalars.c) ---- */

void form_put_undefined(JsonReader *reader, uint32_t form);
void form_put_number(JsonReader *reader, uint32_t form);
void form_put_bigint(JsonReader *reader, uint32_t form);
void form_put_date(JsonReader *reader, uint32_t form);
void form_put_bytes(JsonReader *reader, uint32_t form);
void form_put_text(JsonReader *reader, uint32_t form);
void form_put_typed_array(JsonReader *reader, uint32_t form, const TypedArray *array);

/** A member that must be a string (NULL) or an array (0); if it is not, the form is wrong. */
const JsonToken *form_string(JsonReader *reader, uint32_t form, const char *name);
uint32_t form_array(JsonReader *reader, uint32_t form, const char *name);

#endif
