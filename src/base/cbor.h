/*
 * CBOR (RFC 8949), the low level: a writer onto a Buf, a checked reader, and the tags that values
 * carry across the boundary. What the tags mean is docs/values.md.
 *
 * The reader never reads past its end and never recurses, whatever the bytes say. It accepts
 * definite and indefinite arrays and maps, and definite strings only; all widths of integers and
 * floats; no simple values but false, true, null and undefined.
 */
#ifndef CBOR_H
#define CBOR_H

#include "buf.h"

enum {
    CBOR_UINT = 0,
    CBOR_NEGATIVE = 1,
    CBOR_BYTES = 2,
    CBOR_TEXT = 3,
    CBOR_ARRAY = 4,
    CBOR_MAP = 5,
    CBOR_TAG = 6,
    CBOR_SIMPLE = 7
};

enum { CBOR_FALSE = 20, CBOR_TRUE = 21, CBOR_NULL = 22, CBOR_UNDEFINED = 23 };

/* The tags of the profile. */
enum {
    CBOR_TAG_DATE = 1,           /* seconds since 1970, integer or float; NaN: invalid */
    CBOR_TAG_BIGINT = 2,         /* big-endian bytes */
    CBOR_TAG_BIGINT_MINUS = 3,   /* -1 - n */
    CBOR_TAG_ERROR = 27,         /* [name, {message, ...}] */
    CBOR_TAG_SHARED = 28,        /* this object is met again: */
    CBOR_TAG_SHARED_REF = 29,    /* here, by the count of tags 28 before it in the document */
    CBOR_TAG_UINT8_CLAMPED = 68, /* typed arrays: RFC 8746, little endian */
    CBOR_TAG_INT8 = 72,
    CBOR_TAG_UINT16 = 69,
    CBOR_TAG_UINT32 = 70,
    CBOR_TAG_UINT64 = 71,
    CBOR_TAG_INT16 = 77,
    CBOR_TAG_INT32 = 78,
    CBOR_TAG_INT64 = 79,
    CBOR_TAG_FLOAT16 = 84,
    CBOR_TAG_FLOAT32 = 85,
    CBOR_TAG_FLOAT64 = 86,
    CBOR_TAG_SET = 258,
    CBOR_TAG_MAP = 259,
    CBOR_TAG_WTF8 = 273,
    CBOR_TAG_REGEXP = 21066,
    CBOR_TAG_ARRAY_BUFFER = 0x746E01,
    CBOR_TAG_REFERENCE = 0x746E02, /* [interface, id, generation] */
    CBOR_TAG_DATA_VIEW = 0x746E03
};

/* Arrays and maps inside each other that a reader follows. Tags do not count, and an error is two
 * of them; so values may nest 1250 deep whatever they are made of. */
enum { CBOR_DEPTH_MAX = 2500 };

/* ---- writing ---- */

void cbor_put_head(Buf *buf, unsigned major, uint64_t argument);
void cbor_put_uint(Buf *buf, uint64_t value);
void cbor_put_int(Buf *buf, int64_t value);
void cbor_put_float(Buf *buf, double value);
/** A JavaScript number: an integer where it is a safe one and not -0, else a float64. */
void cbor_put_number(Buf *buf, double value);
void cbor_put_bytes(Buf *buf, const void *bytes, size_t length);
/** Text that is known to be UTF-8. */
void cbor_put_text(Buf *buf, const char *text, size_t length);
/** UTF-8 as text; anything else as tag 273 and its bytes, which should be WTF-8. */
void cbor_put_string(Buf *buf, const char *text, size_t length);
/** A big integer: sign, and the magnitude's bytes, most significant first; zeros in front go. */
void cbor_put_bigint(Buf *buf, int sign, const uint8_t *magnitude, size_t length);
void cbor_put_tag(Buf *buf, uint64_t tag);
void cbor_put_array(Buf *buf, uint64_t count);
void cbor_put_map(Buf *buf, uint64_t pairs);
void cbor_put_array_open(Buf *buf);
void cbor_put_map_open(Buf *buf);
void cbor_put_break(Buf *buf);
void cbor_put_simple(Buf *buf, unsigned value);

/* ---- reading ---- */

typedef struct CborReader {
    const uint8_t *at;
    const uint8_t *end;
} CborReader;

typedef struct CborHead {
    uint8_t major;
    uint8_t info;      /* the low five bits: tells the width of floats */
    bool indefinite;   /* an array or map that ends in a break */
    uint64_t argument; /* number, length, count, tag, simple value, or a float's bits */
} CborHead;

/**
 * Read one head; a string's bytes, a container's items and a tag's content follow it. False, and
 * nothing is read, if it is malformed, past the end, a break, or announces more than can follow.
 */
bool cbor_head(CborReader *reader, CborHead *out_head);

/** Is a break next? It is then read. */
bool cbor_break(CborReader *reader);

/** The bytes of a string whose head was just read: in place. */
bool cbor_string(CborReader *reader, const CborHead *head, const uint8_t **out_bytes,
                 size_t *out_length);

/** Is this head a number (integer or float)? Then its value, as near as a double comes. */
bool cbor_number(const CborHead *head, double *out_number);

/** The milliseconds of a date that was written as milliseconds / 1000; NaN if there is none. */
double cbor_date_ms(double seconds);

/** Step over one whole item. `depth` is at most CBOR_DEPTH_MAX. */
bool cbor_skip(CborReader *reader, unsigned depth);

#endif
