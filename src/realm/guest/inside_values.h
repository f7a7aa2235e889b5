/*
 * Windows into the engine's values.
 *
 * inside_values.c is compiled at the end of the engine's own source, where every struct and static
 * function is in sight; this header is all that the rest of the guest sees of it.
 *
 * The invariant: nothing here runs the program's code. Nothing is looked up through a prototype,
 * no accessor or proxy trap is called, no error of the engine's own builds a stack trace (which a
 * program can hook), and what is made is made with the realm's first prototypes, whatever the
 * program did to its globals since.
 *
 * Values handed out are borrowed: they live as long as the object they were read from is not
 * changed, and nothing changes while no program runs. Functions that make something return
 * JS_EXCEPTION or false when memory is short; InsideQuiet drops the exception.
 */
#ifndef INSIDE_VALUES_H
#define INSIDE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

/** What a value is, by what the engine stored and not by what the program says of it. */
typedef enum InsideKind {
    INSIDE_UNDEFINED,
    INSIDE_NULL,
    INSIDE_BOOL,
    INSIDE_INT,
    INSIDE_DOUBLE,
    INSIDE_BIGINT,
    INSIDE_STRING,
    INSIDE_SYMBOL, /* boxed ones too */
    INSIDE_BOXED,  /* new Number(1): see inside_boxed */
    INSIDE_PLAIN,  /* object literals, class instances, module namespaces */
    INSIDE_ARRAY,
    INSIDE_ARGUMENTS,
    INSIDE_ERROR,
    INSIDE_DOM_EXCEPTION,
    INSIDE_DATE,
    INSIDE_REGEXP,
    INSIDE_MAP,
    INSIDE_SET,
    INSIDE_BUFFER,
    INSIDE_SHARED_BUFFER,
    INSIDE_TYPED,
    INSIDE_VIEW, /* DataView */
    INSIDE_HOST, /* a class of the guest's own */
    INSIDE_FUNCTION,
    INSIDE_PROMISE,
    INSIDE_PROXY,
    INSIDE_GENERATOR,
    INSIDE_ITERATOR,
    INSIDE_WEAK,
    INSIDE_OTHER
} InsideKind;

InsideKind inside_kind(JSValueConst value);

/** While it is held, errors of the engine build no stack and those it left are dropped. */
typedef struct InsideQuiet {
    bool was_building;
    JSValue exception;
} InsideQuiet;

void inside_quiet_begin(JSContext *ctx, InsideQuiet *out_quiet);
void inside_quiet_end(JSContext *ctx, InsideQuiet *quiet);

/* ---- text ---- */

/** A piece of a string: Latin-1 bytes or UTF-16 units. */
typedef struct InsideText {
    const void *units;
    uint32_t count;
    bool wide;
} InsideText;

/** Ropes are at most 60 deep: the engine rebalances them. */
typedef struct InsideTextWalk {
    JSValueConst pending[64];
    int count;
} InsideTextWalk;

/** Length in UTF-16 units, without flattening. */
uint32_t inside_text_length(JSValueConst string);
void inside_text_begin(JSValueConst string, InsideTextWalk *out_walk);
bool inside_text_next(InsideTextWalk *walk, InsideText *out_piece);

/** The text of a property key; `digits` holds that of a small index. */
void inside_key_text(JSContext *ctx, JSAtom key, char digits[12], InsideText *out_text);

/** Description of a symbol, empty without one. */
void inside_symbol_text(JSContext *ctx, JSValueConst symbol, InsideText *out_text);

/* ---- numbers, dates, patterns ---- */

/** Limbs of a big integer, two's complement, least significant first. */
const uint32_t *inside_bigint(JSValueConst value, uint32_t scratch[1], uint32_t *out_count);
/** The primitive in a boxed one. */
JSValueConst inside_boxed(JSValueConst object);
/** Milliseconds since 1970, NaN if invalid. */
double inside_date(JSValueConst object);
/** A new string. */
JSValue inside_regexp_source(JSContext *ctx, JSValueConst object);
size_t inside_regexp_flags(JSValueConst object, char out_flags[10]);

/* ---- properties ---- */

/** Keys that every realm has. */
typedef enum InsideAtom {
    INSIDE_ATOM_NAME,
    INSIDE_ATOM_MESSAGE,
    INSIDE_ATOM_STACK,
    INSIDE_ATOM_CAUSE,
    INSIDE_ATOM_ERRORS
} InsideAtom;

JSAtom inside_atom(InsideAtom which);

typedef enum InsideSlot {
    INSIDE_ABSENT,
    INSIDE_DATA,
    INSIDE_ACCESSOR,
    INSIDE_UNSET /* a binding before its declaration ran */
} InsideSlot;

typedef struct InsideProperty {
    JSAtom key; /* borrowed */
    InsideSlot slot;
    bool enumerable;
    JSValueConst value; /* INSIDE_DATA only */
} InsideProperty;

/** One own property by name. Absent on a proxy. */
void inside_own(JSContext *ctx, JSValueConst object, JSAtom key, InsideProperty *out_property);

/** The prototype; JS_NULL if there is none, or if only a proxy could tell. */
JSValueConst inside_prototype(JSValueConst object);

/** The own enumerable properties with string keys, in the order of the language. */
typedef struct InsideWalk {
    JSContext *ctx;
    JSValueConst object;
    uint32_t count;  /* how many there are */
    JSAtom *indexes; /* keys that are array indexes, ascending: they come first */
    uint32_t index_count;
    uint32_t index_next;
    uint32_t next;
} InsideWalk;

/**
 * False if there was no memory to sort in. With more than `most` properties `count` says so and
 * nothing was sorted: end the walk.
 */
bool inside_walk_begin(JSContext *ctx, JSValueConst object, uint64_t most, InsideWalk *out_walk);
bool inside_walk_next(InsideWalk *walk, InsideProperty *out_property);
void inside_walk_end(InsideWalk *walk);

/* ---- arrays, collections, bytes ---- */

/** Length of an array, and how many elements in front are dense: the rest of a dense one is holes.
 */
void inside_array(JSContext *ctx, JSValueConst array, uint32_t *out_length, uint32_t *out_dense,
                  bool *out_sparse);
/** The elements in front as they lie there; NULL if they do not lie so. */
const JSValue *inside_array_values(JSValueConst array);
void inside_array_item(JSContext *ctx, JSValueConst array, uint32_t index,
                       InsideProperty *out_item);

uint32_t inside_collection_count(JSValueConst collection);
/** `*cursor` is NULL at first. */
bool inside_collection_next(JSValueConst collection, void **cursor, JSValueConst *out_key,
                            JSValueConst *out_value);

typedef struct InsideBytes {
    const uint8_t *data;
    size_t length;
    JSTypedArrayEnum type; /* INSIDE_TYPED only */
    bool gone;             /* detached, or shrunk away under the view */
} InsideBytes;

void inside_bytes(JSValueConst object, InsideBytes *out_bytes);

/* ---- errors ---- */

/** The stack that the engine stored beside the properties; JS_UNDEFINED without one. */
JSValueConst inside_error_stack(JSValueConst error);
void inside_dom_exception(JSValueConst exception, JSValueConst *out_name,
                          JSValueConst *out_message);
/** Name of the class, as the engine calls it. Truncated to `size`. */
void inside_class_name(JSContext *ctx, JSValueConst object, char *out_name, size_t size);

/* ---- making ---- */

/** An Error of the native kind that has this name, else a plain one and `*out_named` is false. */
JSValue inside_new_error(JSContext *ctx, const char *name, size_t length, bool *out_named);
void inside_error_set_stack(JSContext *ctx, JSValueConst error, JSValue stack);
/** A string of Latin-1 bytes. */
JSValue inside_new_latin1(JSContext *ctx, const uint8_t *bytes, size_t length);
JSValue inside_new_collection(JSContext *ctx, InsideKind kind);
bool inside_collection_add(JSContext *ctx, JSValueConst collection, JSValueConst key,
                           JSValueConst value);
/** Append to an array that was made by JS_NewArray and is still dense. Takes the value. */
bool inside_array_push(JSContext *ctx, JSValueConst array, JSValue value);
JSValue inside_new_bigint(JSContext *ctx, const uint8_t *magnitude, size_t length, bool minus);
/** JS_EXCEPTION also if the pattern is not one. */
JSValue inside_new_regexp(JSContext *ctx, JSValueConst pattern, JSValueConst flags);
JSValue inside_new_typed(JSContext *ctx, JSTypedArrayEnum type, JSValueConst buffer);
JSValue inside_new_view(JSContext *ctx, JSValueConst buffer);

/* ---- for structuredClone, which may run the program ---- */

/** An iterable as an array. Runs its iterator. */
JSValue inside_list(JSContext *ctx, JSValueConst iterable);
JSValue inside_new_dom_exception(JSContext *ctx, JSValueConst name, JSValueConst message);
/** A copy of an ArrayBuffer, resizable if that is. */
JSValue inside_copy_buffer(JSContext *ctx, JSValueConst buffer);
/** The buffer under a view; borrowed. */
JSValueConst inside_view_buffer(JSValueConst view);
/** A view of another buffer, otherwise like `view`. JS_UNDEFINED if that buffer is too short. */
JSValue inside_same_view(JSContext *ctx, JSValueConst view, JSValueConst buffer);

/** Can an ArrayBuffer's bytes be moved out of it? */
bool inside_buffer_movable(JSValueConst buffer);
/** An ArrayBuffer over the bytes of another, which still owns them. */
JSValue inside_borrow_buffer(JSContext *ctx, JSValueConst owner);
/** Are the owner's bytes still those that were lent? */
bool inside_loan_holds(JSValueConst owner, JSValueConst borrower);
/** Move ownership and detach the owner, while the loan holds. */
void inside_move_buffer(JSValueConst owner, JSValueConst borrower);
/** End a loan: the borrower is left detached. */
void inside_return_buffer(JSValueConst borrower);

#endif
