/* What the value_*.c files share among themselves. See value.h. */
#ifndef VALUE_PARTS_H
#define VALUE_PARTS_H

#include "value.h"

#include "base.h"
#include "cbor.h"
#include "inside_values.h"

/* ---- value_text.c ---- */

/** A string as it will be in UTF-8 (WTF-8, if it has lone surrogates). */
typedef struct TextSize {
    uint64_t bytes;
    bool lone; /* a surrogate without its other half */
} TextSize;

/** Are all bytes ASCII? Eight are looked at in one step. */
bool text_is_ascii(const uint8_t *bytes, size_t length);
TextSize text_size(JSValueConst string);
TextSize key_size(JSContext *ctx, JSAtom key);
/** Bytes of CBOR that a text of this size takes. */
uint64_t text_cost(TextSize size);
uint64_t head_cost(uint64_t argument);

void text_put(Buf *out, JSValueConst string);
void key_put(JSContext *ctx, Buf *out, JSAtom key);
/** At most `limit` bytes of it, ended at a character; lone surrogates become U+FFFD. */
void text_put_cut(Buf *out, JSValueConst string, size_t limit);
/** The same into a C string. Returns its length. */
size_t text_copy(JSValueConst string, char *out, size_t size);
size_t key_copy(JSContext *ctx, JSAtom key, char *out, size_t size);

/** A short text that shows any value, made without asking the program. */
void text_show(JSContext *ctx, JSValueConst value, char *out, size_t size);

/* ---- value_path.c ---- */

typedef enum StepKind {
    STEP_KEY,       /* .key or ["a key"] */
    STEP_INDEX,     /* [3] */
    STEP_MAP_VALUE, /* .get("key") */
    STEP_MAP_KEY,   /* a key that is itself an object */
    STEP_SET_ITEM
} StepKind;

/** One step from the root to a part; steps live on the stack of who walks. */
typedef struct Step {
    const struct Step *up;
    StepKind kind;
    uint32_t index; /* STEP_INDEX, and the place in a Map or Set */
    JSAtom key;     /* STEP_KEY */
    JSValueConst map_key;
} Step;

/** Write `root` and the steps; where they do not fit, the middle is left out. */
void path_write(JSContext *ctx, const char *root, const Step *step, char *out, size_t size);

/* ---- value_graph.c ---- */

/** An object that was met. */
typedef struct Node {
    const void *object;
    uint64_t tree;  /* bytes of it as a tree; meaningful when done */
    uint32_t index; /* which tag 28 it has in the document, NOT_WRITTEN before */
    bool done;      /* else it is being walked: meeting it again is a cycle */
    bool shared;
} Node;

enum { NODES_INLINE = 16 };

/** The objects met, by address. Grown with the program's memory. */
typedef struct Graph {
    JSRuntime *rt;
    Node *nodes;
    uint32_t capacity; /* a power of two */
    uint32_t count;
    uint32_t shared;
    Node first[NODES_INLINE];
} Graph;

#define NOT_WRITTEN UINT32_MAX

void graph_begin(JSContext *ctx, Graph *graph);
void graph_end(Graph *graph);
Node *graph_find(Graph *graph, const void *object);
/** NULL without memory. Nodes handed out before may have moved. */
Node *graph_add(Graph *graph, const void *object);

/** Everything that writing one value needs. */
typedef struct Writing {
    JSContext *ctx;
    const ValueLimits *limits;
    const ValueHooks *hooks;
    const char *root;
    char *message;
    size_t message_size;
    Graph graph;
    uint64_t bytes;       /* met so far, each object once */
    ValueStatus status;   /* of pass two */
    uint32_t next_shared; /* tags 28 written */
    Buf *out;
} Writing;

typedef struct Reference {
    const char *name;
    size_t name_length;
    uint32_t id;
    uint32_t generation;
} Reference;

/** Does the host know this object as a reference? */
bool reference_of(const Writing *w, InsideKind kind, JSValueConst object, Reference *out);

/** Pass one: `*out_tree` is what the value takes as a tree. Fills the graph, or the message. */
ValueStatus graph_measure(Writing *w, JSValueConst value, const Step *step, uint32_t depth,
                          uint64_t *out_tree);

/** Safe integer, so that CBOR has it as one? */
bool number_is_integer(double number, int64_t *out_integer);

/** The tag of a typed array's bytes; 0 for Uint8Array, which is bytes plain. */
uint64_t typed_tag(JSTypedArrayEnum type);

/** Magnitude bytes of a big integer, or of -1 - n where it is negative. */
size_t bigint_bytes(JSValueConst value, bool *out_minus);
uint8_t bigint_byte(JSValueConst value, size_t from_least);

/* ---- value_error.c ---- */

/** A text that may have been something else. */
typedef struct ErrorText {
    JSValueConst string; /* if `is_string` */
    bool is_string;
    char shown[160];
} ErrorText;

/** `name` and `message` as toString would find them, if it ran nothing. */
void error_name(JSContext *ctx, JSValueConst error, ErrorText *out);
void error_message(JSContext *ctx, JSValueConst error, ErrorText *out);
/** The stack, if it is a string: an own property before the engine's own record. */
bool error_stack(JSContext *ctx, JSValueConst error, JSValueConst *out_stack);
void error_text_put(Buf *out, const ErrorText *text);

/** The parts of an error besides its name and message, in the order they are written. */
typedef struct ErrorWalk {
    JSContext *ctx;
    JSValueConst error;
    unsigned special; /* cause, errors */
    InsideWalk rest;
} ErrorWalk;

/** `most` as for inside_walk_begin. */
bool error_walk_begin(JSContext *ctx, JSValueConst error, uint64_t most, ErrorWalk *out_walk);
bool error_walk_next(ErrorWalk *walk, InsideProperty *out_property);
void error_walk_end(ErrorWalk *walk);

#endif
