/* What the parts of this folder share while a document is read. */
#ifndef OPENAPI_INSIDE_H
#define OPENAPI_INSIDE_H

#include <string.h>

#include "base.h"
#include "datum.h"
#include "openapi.h"

enum {
    DOCUMENT_BYTES_MOST = 64 << 20, /* of one file, and of the value made of it */
    FILES_MOST = 500,
    VALUES_MOST = 4000000, /* of one file */
    DEPTH_MOST = 400,
    OPERATIONS_MOST = 10000,
    PARAMETERS_MOST = 500, /* of one operation */
    PROBLEMS_MOST = 200,
    REFERENCES_MOST = 50, /* one after the other */
    WORDS_MOST = 1200     /* bytes of a description that are looked at */
};

/* One file of the document, read. The main one comes first. */
typedef struct ApiFile {
    struct ApiFile *next;
    const char *path; /* below the document's folder; "" for the main one */
    Datum *root;      /* NULL: it cannot be had: */
    const char *why;
    Buf bytes; /* texts of the tree are views of it */
} ApiFile;

/* A place in a file. */
typedef struct Node {
    Datum *at; /* NULL: nowhere */
    ApiFile *file;
} Node;

typedef struct Part Part;

/* A schema that an operation has; the index is its place in the bundle. */
typedef struct ApiSchema {
    Node node; /* nowhere: only what is said beside it */
    SchemaText description;
    uint8_t bytes; /* the value is bytes, or text to send as such */
    bool deprecated;
} ApiSchema;

enum { BYTES_NO, BYTES_ONLY, BYTES_OR_TEXT, TEXT_ONLY };

/* What is needed of an operation until the bundle is there. */
typedef struct ApiOperation {
    SchemaText wish;   /* its name before it is an identifier */
    bool spare;        /* another one has it too */
    ApiSchema *inputs; /* one for each parameter */
    ApiSchema body;
    ApiSchema *outputs;
} ApiOperation;

typedef struct Reading {
    Arena *arena;   /* of the service */
    Arena *scratch; /* of the reading */
    const OpenapiOptions *options;
    OpenapiService *service;
    ApiFile *files;
    size_t file_count;
    Node root;
    ApiOperation *operations; /* beside the service's */
    size_t room, problem_room;
    /* the bundle */
    Part *parts, *last_part;
    SchemaNames *part_names;
    const char *file_part; /* key of the part that a file in a form is */
    bool file_used;
    uint32_t part_count;
    Part *queue[2], *queue_last[2]; /* parts to be written, by direction */
} Reading;

/* ---- document.c ---- */

/** Read the main file. False: a problem says why. */
bool document_open(Reading *reading);
void document_close(Reading *reading);

/** Where a reference that stands in a file leads; nowhere: `*out_why`. */
Node document_find(Reading *reading, ApiFile *file, const char *reference, size_t length,
                   const char **out_why);

/** The node itself, or what it refers to in the end. Nowhere: `*out_why`. */
Node node_follow(Reading *reading, Node node, const char **out_why);

static inline Node node_get(Node node, const char *name)
{
    return (Node){node.at ? datum_get(node.at, name) : NULL, node.file};
}

/** A member, followed; nowhere if it is not there or leads nowhere. */
Node node_member(Reading *reading, Node node, const char *name);

static inline bool node_is(Node node, DatumKind kind)
{
    return node.at && node.at->kind == kind;
}

static inline bool node_is_true(Node node, const char *name)
{
    node = node_get(node, name);
    return node_is(node, DATUM_BOOL) && node.at->truth;
}

/** The text of a member; empty if it has none. A view. */
SchemaText node_text(Node node, const char *name);

/** The same, copied, to end in NUL; NULL if it is none or holds a NUL. In the service's arena. */
const char *node_string(Reading *reading, Node node, const char *name);

/** One sentence, with the service's name before it. */
void problem(Reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- parameter.c ---- */

/** Parameters of an operation and of its path. False: `*out_why` says why it cannot be offered. */
bool parameters_read(Reading *reading, Node item, Node node, OpenapiOperation *operation,
                     ApiOperation *inner, const char **out_why);

/** A style of that name; -1 if there is none. */
int style_named(SchemaText name);

/* ---- content.c ---- */

OpenapiKind content_kind(const char *type, size_t length);
/** What is sent. False as above. */
bool body_read(Reading *reading, Node node, OpenapiOperation *operation, ApiOperation *inner,
               const char **out_why);
/** What good answers hold. */
void answers_read(Reading *reading, Node node, OpenapiOperation *operation, ApiOperation *inner);

/* ---- security.c ---- */

void schemes_read(Reading *reading);
void security_read(Reading *reading, Node node, OpenapiOperation *operation);

/* ---- server.c ---- */

/** Where it is: of its own servers, its path's, the document's. False as above. */
bool server_read(Reading *reading, Node item, Node node, OpenapiOperation *operation,
                 const char **out_why);

/* ---- parts.c ---- */

enum { SENT, GOT };

/** A schema that others refer to. */
struct Part {
    Part *next;
    Datum *at;
    ApiFile *file;
    const char *keys[2]; /* in the bundle, sent and got; equal unless they differ */
    Part **referrers;    /* parts that refer to it */
    uint32_t referrer_count, referrer_room;
    bool differs;   /* what is sent is not what is got */
    bool queued[2]; /* is to be written */
    Part *after[2]; /* in the queue of those */
};

/** Find all parts that the operations' schemas lead to, and which of them differ. */
tn_status parts_find(Reading *reading);
/** The part a reference leads to; NULL: to none of them. */
Part *part_of(Reading *reading, ApiFile *file, const Datum *reference);
/** Does a member that this object requires go the other way only? */
bool part_drops(Reading *reading, ApiFile *file, const Datum *object, const Datum *name,
                int direction);
/** Is it a text that stands for bytes? */
bool part_is_binary(const Datum *schema);

/* ---- bundle.c ---- */

tn_status bundle_write(Reading *reading);

/** What the value of a member of a schema is to who walks it. */
typedef enum Inside {
    INSIDE_SCHEMA, /* a schema or a list of them */
    INSIDE_MAP,    /* schemas by names that are no keywords */
    INSIDE_DATA,   /* plain data: what looks like a reference in it is none */
    INSIDE_NOTHING /* of no use here */
} Inside;

Inside inside_of(const DatumMember *member);

/* ---- style.c ---- */

/** Where text goes: what must be escaped in it. */
typedef enum Escape { ESCAPE_ALL, ESCAPE_RESERVED_STAYS, ESCAPE_FORM, ESCAPE_NONE } Escape;

void style_escape(Buf *out, const char *text, size_t length, Escape escape);

/** Append a parameter's value in its style. `separator` stands before the first pair of a form.
 * False: `*why` has the reason. */
bool style_put(Buf *out, const OpenapiParameter *parameter, tn_value value, Escape escape,
               char separator, Buf *why);

/** A value that is no list and no object, as text. False if it is one. */
bool style_scalar(Buf *out, tn_value value);

/* ---- body.c ---- */

tn_status body_write(const OpenapiBody *body, tn_value value, Arena *arena, Buf *out,
                     const char **out_type, Buf *why);

#endif
