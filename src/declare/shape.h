/* What is left of a type: the shape that values must have to be of it. */
#ifndef SHAPE_H
#define SHAPE_H

#include "names.h"
#include "registry.h"
#include "value.h"

typedef enum ShapeKind {
    SHAPE_ANY,   /* whatever it is; also one that is still being made */
    SHAPE_LINK,  /* as another one, which was not made yet when this one was */
    SHAPE_KINDS, /* of one of these kinds; of none: never */
    SHAPE_TEXT,  /* exactly this */
    SHAPE_NUMBER,
    SHAPE_BOOL,
    SHAPE_BYTES,     /* a view of that kind */
    SHAPE_REFERENCE, /* a host object of that interface */
    SHAPE_OBJECT,
    SHAPE_ARRAY,
    SHAPE_TUPLE,
    SHAPE_MAP,
    SHAPE_SET,
    SHAPE_UNION, /* one of these */
    SHAPE_ALL    /* each of these */
} ShapeKind;

typedef struct ShapeProperty {
    const char *name;
    uint32_t length;
    bool optional; /* or of a kind that cannot cross: functions */
    const Shape *shape;
} ShapeProperty;

typedef struct ObjectShape {
    uint32_t count;
    const Shape *index; /* of what is not named; NULL: it is not looked at */
    ShapeProperty *properties;
} ObjectShape;

typedef struct TupleShape {
    uint32_t count, required;
    const Shape *rest; /* of the elements after these; NULL: there are none */
    const Shape **items;
} TupleShape;

typedef struct ShapeList {
    uint32_t count;
    const Shape **items;
} ShapeList;

struct Shape {
    uint8_t kind;
    bool pending; /* being made: it may be pointed at, and nothing is known of it */
    uint32_t length;
    union {
        uint32_t kinds; /* a bit for each tn_type */
        const char *text;
        double number;
        bool truth;
        uint64_t tag;
        const Shape *target;  /* LINK, ARRAY, SET */
        const Shape *pair[2]; /* MAP: key, value */
        const ObjectShape *object;
        const TupleShape *tuple;
        const ShapeList *list;
    };
};

static inline uint32_t kind_bit(tn_type type)
{
    return 1u << type;
}

/* The last in a chain of links. */
static inline const Shape *shape_follow(const Shape *shape)
{
    for (unsigned hops = 0; shape->kind == SHAPE_LINK; hops++) {
        static const Shape any = {0};
        if (hops == 16)
            return &any;
        shape = shape->target;
    }
    return shape;
}

/* ---- functions ---- */

typedef struct ParameterShape {
    const char *name; /* of one that is taken apart, "" */
    const Shape *shape;
} ParameterShape;

typedef struct Signature {
    struct Signature *next; /* an overload */
    uint32_t count;
    ParameterShape *parameters;
    const Shape *rest; /* NULL: no more are taken */
    const char *rest_name;
    const char *takes; /* as it was written: "(q: { repo: string })" */
} Signature;

/** ArgumentCheck.fits of a Signature. */
bool signature_fits(const void *signature, const tn_value *arguments, size_t *count, Arena *scratch,
                    Misfit *out_misfit);

/* ---- hold.c and explain.c ---- */

/* Where in the value we are. */
typedef struct Where {
    const struct Where *up;
    const char *name; /* NULL: an element */
    size_t length;    /* of the name, or the element's index */
} Where;

typedef struct Fault {
    unsigned depth; /* in the value, from 1 on; 0: none */
    bool telling;   /* a property that tells alternatives apart is another one */
    const char *path, *expected, *got;
} Fault;

typedef struct Hold {
    const uint8_t *document, *end;
    int64_t steps;
    unsigned depth;
    const char *stopped; /* why it is given up: then no answer means anything */
    bool choosing;       /* among alternatives: what tells them apart is looked at first */
    Arena *scratch;
    Fault *fault;          /* the deepest so far; NULL: nobody wants to know */
    struct Shared *shared; /* of a document in which something is met twice */
} Hold;

/** Does the value at `in` fit? Then `in` is past it. */
bool hold_shape(Hold *hold, const Shape *shape, CborReader *in, const Where *where);

/** It does not: note why, and answer false. */
bool hold_fail(Hold *hold, const Shape *shape, const CborReader *in, const Where *where);
/** None of the alternatives does. */
bool hold_explain_union(Hold *hold, const Shape *shape, const CborReader *in, const Where *where);

#endif
