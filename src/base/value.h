/*
 * Reading values: one decoded item, which everything that looks at values is built from, and the
 * check that makes bytes a value. docs/values.md has the whole profile.
 */
#ifndef VALUE_H
#define VALUE_H

#include "cbor.h"

/** One item with its tags taken in. Its content is still to be read, after `head`. */
typedef struct Item {
    tn_type type;  /* TN_TYPE_NONE: another occurrence of shared object `ref` */
    bool shared;   /* wrapped in tag 28: it is met again */
    uint64_t tag;  /* the innermost tag; 0 without one */
    uint64_t ref;  /* the count of a tag 29 */
    CborHead head; /* of what the innermost tag holds */
    CborReader in; /* after that head */
} Item;

/** Decode the item at `at`. False, and the output is of no use, if it is malformed or outside the
 * profile. */
bool item_read(const uint8_t *at, const uint8_t *end, Item *out_item);

/** Decode a value, shared references followed (the document is searched for them). */
bool value_open(tn_value value, Item *out_item);

/** Is it a value that tn_value_next walks in pairs? */
static inline bool item_is_keyed(const Item *item)
{
    return item->type == TN_TYPE_OBJECT || item->type == TN_TYPE_MAP;
}

/** The magnitude of a big integer and whether it is negative (it is then -1 - magnitude). */
bool item_bigint(const Item *item, const uint8_t **out_bytes, size_t *out_length,
                 bool *out_negative);

/** The date's milliseconds, the number, or the big integer as near as a double comes. */
double item_number(const Item *item);

/** The text or bytes in place; NULL if it is neither. */
const char *item_text(const Item *item, size_t *out_length);

/** The parts of an error: its name, and the map of its properties. False if it is none. */
bool value_error_parts(tn_value value, tn_value *out_name, tn_value *out_properties);

/** Source and flags of a regular expression. */
bool value_regexp_parts(tn_value value, tn_value *out_source, tn_value *out_flags);

/** Interface, id and generation of a host reference. */
bool value_reference_parts(tn_value value, tn_value *out_interface, uint64_t *out_id,
                           uint64_t *out_generation);

/** What the elements of a typed array are. */
typedef enum ElementKind { ELEMENT_UINT, ELEMENT_INT, ELEMENT_FLOAT } ElementKind;

typedef struct TypedArray {
    uint64_t tag; /* 0: a plain byte string */
    const char *name;
    unsigned bytes; /* of one element */
    ElementKind kind;
} TypedArray;

/** The kind of view that a byte value's tag means; NULL for other tags. By name: for reading. */
const TypedArray *typed_array_of_tag(uint64_t tag);
const TypedArray *typed_array_of_name(const char *name, size_t length);

/** One element, little endian; 64-bit integers are handed out by their bits. */
double typed_array_element(const TypedArray *array, const uint8_t *at, uint64_t *out_bits);

/** A number as one element's bits. False if an integer array cannot hold it. */
bool typed_array_bits(const TypedArray *array, double number, uint64_t *out_bits);

/**
 * What a check learns. Both lists are offsets from the document's start, rising; they are only
 * collected if `allocator` is given (Buf of size_t), and counted anyway.
 */
typedef struct ValueIndex {
    Buf shared; /* where each tag 28 is, by its count */
    Buf odd;    /* objects whose keys JSON cannot hold plainly: "$type", or no Unicode */
    size_t shared_count;
} ValueIndex;

/**
 * Is this exactly one value of the profile? Every head, text, tag and reference is looked at; what
 * passes can be walked without a surprise. `index` may be NULL.
 */
bool value_check(const uint8_t *document, size_t length, ValueIndex *index);

/** As value_check, with the lists. TN_ERR_ARGUMENT says the bytes are no value. */
tn_status value_index_init(ValueIndex *index, const tn_allocator *allocator,
                           const uint8_t *document, size_t length);
void value_index_release(ValueIndex *index);

/** Where shared object `ref` is (its tag 28); NULL if there is none. */
const uint8_t *value_index_shared(const ValueIndex *index, const uint8_t *document, uint64_t ref);

/** The count of the tag 28 at `at`, which is one. */
size_t value_index_number(const ValueIndex *index, const uint8_t *document, const uint8_t *at);

/** Is the object that begins at `map` (with its tag 28, if any) one that JSON cannot hold plainly?
 */
bool value_index_is_odd(const ValueIndex *index, const uint8_t *document, const uint8_t *map);

#endif
