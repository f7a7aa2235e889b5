/* Services that an OpenAPI document describes, as functions.
 *
 * A document (3.0 or 3.1, JSON or YAML, with files beside it) is read once into a list of
 * operations and one value that holds the schemas of them all; from then on an operation turns an
 * argument into a request, and the answer into a value or an error. What a schema means, what is
 * registered and what is declared is decided elsewhere; what may be reached, by provide/http.
 *
 * Reading order:
 *
 *   openapi.h     this file
 *   inside.h      what the parts share while a document is read
 *   yaml_read.c   YAML to values; yaml_lazy.c opens libyaml
 *   document.c    files of a document, and where a `$ref` leads
 *   service.c     the whole: paths, operations, their names
 *   parameter.c   parameters: which there are, what the argument calls them
 *   content.c     bodies: of the media types one is taken
 *   security.c    which credentials an operation needs, and which of them there are
 *   server.c      where an operation is
 *   parts.c       the schemas that operations lead to, and which differ by direction
 *   bundle.c      all of them as one value
 *   style.c       a parameter as text: the styles of OpenAPI
 *   request.c     an argument as a request; body.c its body
 *   response.c    what an answer means
 *
 * The shape of the argument: one object with a member for each parameter, by its own name, and
 * `body`. Where two parameters of different places have one name, or one is called like the body,
 * the first of path, query, header, cookie keeps it (the body always does) and the other is
 * NAME_PLACE ("id_query").
 *
 * The invariant: **the document is data from someone we do not know.** It cannot name a place that
 * is not below its own folder, nor a host but in its `servers`; what of it cannot be offered is a
 * problem with a reason and takes nothing else along; everything that is read has a limit. And what
 * a program passes stays inside the part of the request it is for: no value makes another segment,
 * parameter, header or line. */
#ifndef OPENAPI_H
#define OPENAPI_H

#include "arena.h"
#include "schema.h"

/** What a document is read with. Borrowed for the call. */
typedef struct OpenapiOptions {
    const char *name; /* what problems call it */
    const char *text; /* JSON or YAML */
    size_t length;
    const char *file;    /* its own name in its folder, which other files refer to; NULL: none */
    const char *address; /* its own URL, which relative servers go by; NULL: none */
    const char *server;  /* the service's URL, whatever the document says; NULL: as it says */
    const char *const *credentials; /* names of security schemes that the host has; ends with NULL;
                                       NULL: none */
    /** The text of a file beside the document, by its path below the document's folder. NULL if it
     * is there, else why not. A NULL function: there are none. */
    const char *(*load)(void *user, const char *path, Buf *out_text);
    void *load_user;
} OpenapiOptions;

typedef enum OpenapiPlace {
    OPENAPI_PATH,
    OPENAPI_QUERY,
    OPENAPI_HEADER,
    OPENAPI_COOKIE
} OpenapiPlace;

typedef enum OpenapiStyle {
    OPENAPI_SIMPLE,
    OPENAPI_LABEL,
    OPENAPI_MATRIX,
    OPENAPI_FORM,
    OPENAPI_SPACE,
    OPENAPI_PIPE,
    OPENAPI_DEEP,
    OPENAPI_JSON, /* `content`: the value as JSON */
    OPENAPI_TEXT  /* `content` of another type: text as it is */
} OpenapiStyle;

typedef struct OpenapiParameter {
    const char *wire;   /* the service's name of it */
    const char *member; /* of the argument */
    uint8_t place;
    uint8_t style;
    bool explode, reserved, required;
} OpenapiParameter;

typedef enum OpenapiKind {
    OPENAPI_NO_CONTENT,
    OPENAPI_CONTENT_JSON,
    OPENAPI_CONTENT_FORM,
    OPENAPI_CONTENT_MULTIPART,
    OPENAPI_CONTENT_TEXT,
    OPENAPI_CONTENT_BYTES
} OpenapiKind;

/** How one member of a form or a multipart body is sent, where the document says so. */
typedef struct OpenapiEncoding {
    const char *member;
    const char *type; /* of its part; NULL: by its value */
    uint8_t style;
    bool explode, reserved, styled;
} OpenapiEncoding;

typedef struct OpenapiBody {
    uint8_t kind;
    const char *type; /* the media type to send */
    bool required;
    const OpenapiEncoding *encodings;
    size_t encoding_count;
} OpenapiBody;

typedef enum OpenapiAuthorization {
    OPENAPI_AUTH_HEADER, /* `wire`, with `prefix` before the secret */
    OPENAPI_AUTH_QUERY,
    OPENAPI_AUTH_COOKIE,
    OPENAPI_AUTH_BASIC
} OpenapiAuthorization;

/** A security scheme of the document. */
typedef struct OpenapiScheme {
    const char *name; /* what the host gives its secret by */
    uint8_t kind;
    const char *wire;
    const char *prefix; /* "Bearer "; "": none */
} OpenapiScheme;

/** One function. */
typedef struct OpenapiOperation {
    const char *identifier; /* unique in its service */
    const char *method;     /* in capitals */
    const char *path;       /* with its {parameters} */
    const char *base;       /* URL that the path is appended to, no slash at its end */
    const char *origin;     /* of it: "https://api.example.com" */
    SchemaText words;       /* what the document says about it; a copy */
    bool deprecated;
    bool read_only; /* GET, HEAD, OPTIONS */
    bool needs_argument;
    const OpenapiParameter *parameters;
    size_t parameter_count;
    OpenapiBody body;
    const char *accept;                  /* of the request; NULL: none */
    bool answers_nothing;                /* some good answer has no content */
    uint32_t outputs;                    /* schemas of good answers in the bundle */
    bool output_unknown;                 /* some good answer has content without a schema */
    const OpenapiScheme *const *schemes; /* to attach; all are among those the host has */
    size_t scheme_count;
    const char *missing; /* schemes that it wants and the host has not, in words; NULL: none */
} OpenapiOperation;

/** A document that was read. Everything is in the arena it was read into, but the value. */
typedef struct OpenapiService {
    const char *title;
    OpenapiOperation *operations;
    size_t count;
    const char **problems; /* one sentence each, with the service's name */
    size_t problem_count;
    const OpenapiScheme *schemes;
    size_t scheme_count;
    SchemaDialect dialect;
    /** {functions: {IDENTIFIER: {input, output: [...]}}, parts: {...}}: document of schemas. */
    tn_value schemas;
    Buf bytes; /* of it: release it when it is no longer needed */
} OpenapiService;

/**
 * Read a document. One that cannot be read is a service without operations and with a problem.
 *
 * Ownership: everything is in `arena`; openapi_release what is not.
 * Errors:    TN_ERR_NOMEM, TN_ERR_LIMIT (the arena's).
 */
tn_status openapi_read(Arena *arena, const OpenapiOptions *options, OpenapiService **out_service);
void openapi_release(OpenapiService *service);

typedef struct OpenapiHeader {
    const char *name, *value;
} OpenapiHeader;

/** A request, without credentials. In the arena it was made in. */
typedef struct OpenapiRequest {
    const char *url;
    OpenapiHeader *headers;
    size_t header_count;
    const uint8_t *body; /* NULL: none */
    size_t body_length;
} OpenapiRequest;

/**
 * The request that an argument means. The argument fits the operation's schema.
 *
 * Errors: TN_ERR_ARGUMENT (`*out_why`, in the arena, says what cannot be sent), TN_ERR_NOMEM,
 *         TN_ERR_LIMIT.
 */
tn_status openapi_request(const OpenapiOperation *operation, tn_value argument, Arena *arena,
                          OpenapiRequest *out_request, const char **out_why);

/** An answer, as the parts that matter here. */
typedef struct OpenapiAnswer {
    unsigned status;
    const char *status_text;
    const OpenapiHeader *headers; /* names in small letters */
    size_t header_count;
    const uint8_t *body;
    size_t body_length;
} OpenapiAnswer;

/** What a failed operation tells a program. Texts are in the arena. */
typedef struct OpenapiFailure {
    char code[12]; /* "HTTP_404" */
    const char *message;
    bool retryable;
    Buf details; /* CBOR of an object {status, body, headers, retryAfter}: release it */
} OpenapiFailure;

/**
 * Put what an answer means into the writer; or say how it failed (the details' allocator is the
 * arena's). True: the call succeeded.
 */
bool openapi_answer(const OpenapiOperation *operation, const OpenapiAnswer *answer, Arena *arena,
                    tn_writer *writer, OpenapiFailure *out_failure);

#endif
