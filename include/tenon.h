/*
 * Tenon: run the code that language models write.
 *
 * One header, one library. A host makes an *engine* (its packages and its
 * defaults), turns text into a *program*, starts a *run* of it in a fresh,
 * contained JavaScript realm, and reads the *outcome*: value, error, console,
 * effects, usage. Nothing a program does can reach or outlive the host.
 *
 *   tn_engine *engine;    tn_engine_new(NULL, &engine);
 *   tn_program *program;  tn_program_new(engine, text, length, NULL, &program);
 *   tn_outcome *outcome;  tn_run_program(program, NULL, &outcome);
 *
 * Conventions. Options structs begin with their size: set it with
 * TN_INIT(tn_run_options), then only what you need; zero means the default.
 * Outputs come last and are untouched on failure. A thing made by `_new`,
 * `_start` or an output parameter is yours: end it with its `_free`, which
 * accepts NULL. Text is UTF-8, with its length, and also ends in NUL.
 */
#ifndef TENON_H
#define TENON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0

#if defined(__GNUC__)
#define TN_API     __attribute__((visibility("default")))
#define TN_CHECKED TN_API __attribute__((warn_unused_result))
#else
#define TN_API
#define TN_CHECKED
#endif

/** Make an options struct that carries its size and is otherwise all default. */
#ifdef __cplusplus
#define TN_INIT(type)                                                                              \
    ([] {                                                                                          \
        type tn_made{};                                                                            \
        tn_made.size = sizeof(type);                                                               \
        return tn_made;                                                                            \
    }())
#else
#define TN_INIT(type) ((type){.size = sizeof(type)})
#endif

/* ---- status ------------------------------------------------------------------------------- */

/**
 * Whether the library could do what was asked. Never says anything about the
 * program: a program that fails has an outcome, and the call returns TN_OK.
 */
typedef enum tn_status {
    TN_OK = 0,
    TN_ERR_NOMEM,       /**< the allocator or the system refused memory */
    TN_ERR_ARGUMENT,    /**< an argument is wrong; the caller can mend it */
    TN_ERR_LIMIT,       /**< something is larger than its limit */
    TN_ERR_STATE,       /**< right call, wrong moment (see the function) */
    TN_ERR_NOT_FOUND,   /**< no such name */
    TN_ERR_UNAVAILABLE, /**< this machine lacks what is needed (see tn_doctor) */
    TN_ERR_SYSTEM       /**< an operating-system call failed */
} tn_status;

/** The words for a status: constant text, never NULL. Since: 0.1 */
TN_API const char *tn_status_text(tn_status status);

/** The library's version, "0.1.0": constant text. Since: 0.1 */
TN_API const char *tn_version(void);

/* ---- memory ------------------------------------------------------------------------------- */

/**
 * Where the host side's memory comes from.
 *
 * `resize` allocates (old == NULL), frees (new_bytes == 0), or resizes; it
 * returns NULL when it refuses, and the block at `old` is then still valid.
 * Realm memory itself is mapped, not allocated here.
 *
 * Threads: called from every thread that uses the engine, at the same time.
 */
typedef struct tn_allocator {
    void *context;
    void *(*resize)(void *context, void *old, size_t old_bytes, size_t new_bytes);
} tn_allocator;

/* ---- values ------------------------------------------------------------------------------- */

/**
 * What a value is. Values cross between program and host as CBOR (RFC 8949);
 * these are its kinds as a program sees them.
 */
typedef enum tn_type {
    TN_TYPE_NONE = 0, /**< no value here: past the end, absent member, malformed bytes */
    TN_TYPE_UNDEFINED,
    TN_TYPE_NULL,
    TN_TYPE_BOOL,
    TN_TYPE_NUMBER,
    TN_TYPE_BIGINT, /**< text form with tn_value_json; small ones with tn_value_int */
    TN_TYPE_TEXT,
    TN_TYPE_BYTES, /**< ArrayBuffer, typed arrays and DataView: the bytes of the view */
    TN_TYPE_ARRAY,
    TN_TYPE_OBJECT,
    TN_TYPE_MAP,
    TN_TYPE_SET,
    TN_TYPE_DATE, /**< milliseconds since 1970 UTC by tn_value_number; NaN if invalid */
    TN_TYPE_REGEXP,
    TN_TYPE_ERROR,
    TN_TYPE_REFERENCE /**< a host object that the program holds by reference */
} tn_type;

/**
 * A view of one value inside a larger encoded document. Plain data: copy it
 * freely; it borrows from whatever handed it out (an outcome, a call).
 */
typedef struct tn_value {
    const uint8_t *document; /**< first byte of the whole document, for shared references */
    const uint8_t *start;    /**< first byte of this value */
    const uint8_t *end;      /**< end of the document */
} tn_value;

/** View encoded bytes as a value. Errors: the view is TN_TYPE_NONE if malformed. Since: 0.1 */
TN_API tn_value tn_value_view(const void *cbor, size_t length);

/** The kind of a value. Since: 0.1 */
TN_API tn_type tn_value_type(tn_value value);

/** true only for the boolean true. Since: 0.1 */
TN_API bool tn_value_bool(tn_value value);

/** A number, date or small big integer as a double; NaN for anything else. Since: 0.1 */
TN_API double tn_value_number(tn_value value);

/** An exact integer. Returns false if the value is not one or does not fit. Since: 0.1 */
TN_API bool tn_value_int(tn_value value, int64_t *out_integer);

/** Text (or, for a TN_TYPE_BYTES value, bytes) in place: not NUL-terminated. NULL if neither.
 * Since: 0.1 */
TN_API const char *tn_value_text(tn_value value, size_t *out_length);

/** Elements of an array or set, members of an object, entries of a map; else 0. Since: 0.1 */
TN_API size_t tn_value_count(tn_value value);

/** The index-th element. Walks from the start: use tn_value_next to visit all. Since: 0.1 */
TN_API tn_value tn_value_item(tn_value value, size_t index);

/** The member of an object by name. Since: 0.1 */
TN_API tn_value tn_value_member(tn_value value, const char *name);

/** Where a walk over the children of a value stands. Zero it to begin. */
typedef struct tn_cursor {
    tn_value key;   /**< the member's name or map's key; TN_TYPE_NONE in arrays and sets */
    tn_value value; /**< the child */
    const uint8_t *next;
    size_t left;
    bool started;
} tn_cursor;

/** Step to the next child of an array, set, object or map. False at the end. Since: 0.1 */
TN_API bool tn_value_next(tn_value parent, tn_cursor *cursor);

/**
 * A value as JSON text: plain data plain, the rest as `{"$type": ...}` (docs/values.md).
 *
 * Ownership: `*out_text` is freed with tn_text_free.
 * Errors:    TN_ERR_NOMEM; TN_ERR_ARGUMENT if the bytes are malformed; TN_ERR_LIMIT if shared
 *            parts, written out, explode.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_value_json(tn_value value, char **out_text, size_t *out_length);

/** Free text handed out by this library. Since: 0.1 */
TN_API void tn_text_free(char *text);

/**
 * Builds one value. Errors are sticky and told when the value is used: writing
 * needs no checks in between.
 */
typedef struct tn_writer tn_writer;

TN_CHECKED tn_status tn_writer_new(tn_writer **out_writer);
TN_API void tn_writer_free(tn_writer *writer);
/** What has been written; TN_TYPE_NONE unless exactly one whole value was. Borrowed. Since: 0.1 */
TN_API tn_value tn_writer_value(const tn_writer *writer);

TN_API void tn_put_undefined(tn_writer *writer);
TN_API void tn_put_null(tn_writer *writer);
TN_API void tn_put_bool(tn_writer *writer, bool value);
TN_API void tn_put_number(tn_writer *writer, double value);
TN_API void tn_put_int(tn_writer *writer, int64_t value);
TN_API void tn_put_text(tn_writer *writer, const char *text, size_t length);
/** NUL-terminated text. */
TN_API void tn_put_string(tn_writer *writer, const char *text);
TN_API void tn_put_bytes(tn_writer *writer, const void *bytes, size_t length);
TN_API void tn_put_date(tn_writer *writer, double unix_ms);
/** An array: begin, each element, end. */
TN_API void tn_put_array_begin(tn_writer *writer);
TN_API void tn_put_array_end(tn_writer *writer);
/** An object: begin, then key and value in turn, end. */
TN_API void tn_put_object_begin(tn_writer *writer);
TN_API void tn_put_key(tn_writer *writer, const char *name);
TN_API void tn_put_object_end(tn_writer *writer);
/** Copy a whole value. */
TN_API void tn_put_value(tn_writer *writer, tn_value value);
/** A value from JSON text, `$type` forms included. TN_ERR_ARGUMENT says it is not JSON. */
TN_CHECKED tn_status tn_put_json(tn_writer *writer, const char *json, size_t length);

/* ---- limits ------------------------------------------------------------------------------- */

/** What one run may use. Zero in a field means the engine's default for it. */
typedef struct tn_limits {
    size_t size;
    uint32_t wall_ms;        /**< whole run, waiting included; default 30 000 */
    uint32_t cpu_ms;         /**< time inside the realm; default 10 000 */
    uint64_t memory_bytes;   /**< what the program allocates, buffers and strings too; 64 MiB */
    uint32_t calls;          /**< host calls in all; default 1000 */
    uint32_t calls_open;     /**< host calls in flight; default 32, the rest wait their turn */
    uint64_t argument_bytes; /**< arguments of one call; default 1 MiB. The calls that wait for an
                                  answer may together hold as much as `memory_bytes` */
    uint64_t reply_bytes;    /**< result of one call; default 8 MiB */
    uint64_t result_bytes;   /**< the run's value, written out as a tree; default 1 MiB */
    uint64_t console_bytes;  /**< console kept, head and tail; default 256 KiB */
    uint32_t source_bytes;   /**< program text; default 256 KiB */
    uint32_t depth;          /**< nesting of values; default 1000 */
    uint32_t timers;         /**< timers waiting at one time; default 10 000 */
    uint32_t linger_ms;      /**< after the value is settled, open calls and short timers may
                                  still finish for this long; default 1000 */
} tn_limits;

/* ---- engine ------------------------------------------------------------------------------- */

/** How accesses outside a realm's memory are caught. */
typedef enum tn_bounds {
    TN_BOUNDS_DEFAULT = 0,
    TN_BOUNDS_GUARD,  /**< guard pages; a SIGSEGV handler chained to yours */
    TN_BOUNDS_CHECKED /**< a comparison before each access; no SIGSEGV handler at all */
} tn_bounds;

/** Who checks types. */
typedef enum tn_checker {
    TN_CHECKER_AUTO =
        0,          /**< the compiler, if `compiler` names one that can be started; where it
                         cannot, programs are erased and run unchecked, and a finding says so */
    TN_CHECKER_TSC, /**< the compiler; without it no TypeScript program is ready */
    TN_CHECKER_NONE /**< nobody: types are taken out, nothing more */
} tn_checker;

/** What is done with what earlier starts have kept (tn_engine_options.cache). */
typedef enum tn_cache_use {
    TN_CACHE_USE =
        0,          /**< a server whose list of tools is known is started by the first call of it */
    TN_CACHE_RENEW, /**< lists are not taken from it: every server is started and asked */
    TN_CACHE_REFRESH /**< they are, and every server is asked in the background */
} tn_cache_use;

/** Something that an MCP server asks a person in the middle of a call (MCP's elicitation). */
typedef struct tn_elicitation tn_elicitation;
typedef enum tn_elicit_action {
    TN_ELICIT_ACCEPT = 0,
    TN_ELICIT_DECLINE, /**< the person said no */
    TN_ELICIT_CANCEL   /**< nobody said anything */
} tn_elicit_action;

/**
 * The package of the server, and what it asks as it was sent: `message` and `requestedSchema`, an
 * object of plain values; or, with `mode` "url", `message` and the `url` of a page to look at. All
 * of it is the server's word. Borrowed until the answer. Since: 0.1
 */
TN_API const char *tn_elicitation_package(const tn_elicitation *elicitation);
TN_API tn_value tn_elicitation_params(const tn_elicitation *elicitation);

/**
 * Answer it, once; it is gone then. `content` is an object for TN_ELICIT_ACCEPT, else ignored;
 * members that it lacks and the schema has defaults for are sent with those. An answer that comes
 * too late, or when the engine has ended, does nothing. Threads: any. Since: 0.1
 */
TN_API void tn_elicitation_answer(tn_elicitation *elicitation, tn_elicit_action action,
                                  tn_value content);

typedef struct tn_engine_options {
    size_t size;
    const tn_allocator *allocator; /**< NULL: the C library's */
    tn_bounds bounds;
    /**
     * The real-time signal for deadlines. 0: SIGRTMIN + 6. It is sent to a thread that is inside
     * a realm (and at most once more after it left), with SA_RESTART and SA_ONSTACK; what is not
     * ours is passed on to the handler that was there before. Calls that SA_RESTART does not cover
     * (poll, epoll_wait, nanosleep) may return EINTR by that last one. Handlers of yours should
     * have SA_ONSTACK: without it, one that comes while a program runs uses the program's stack.
     */
    int signal;
    tn_limits limits;     /**< defaults for the runs; leave zero for the documented ones */
    uint32_t idle_realms; /**< realms kept ready for each thread; default 4 */
    tn_checker checker;
    /** Path of the program `tsc` of TypeScript 7, its library beside it; NULL: none. Copied. It is
     * kept running between checks, without files, network or environment of its own. */
    const char *compiler;
    uint32_t check_ms;    /**< time of one check; default 1000 */
    uint64_t check_bytes; /**< memory of one compiler process; default 512 MiB */
    /**
     * A file for what is worth knowing at the next start: what MCP servers offered, by their
     * configuration (no secret of it) and version, and what results of tools without an output
     * schema looked like (shapes, no values). Made if it is not there, with its folders, for this
     * user alone. Any number of processes share one; a file that is broken is begun anew,
     * one that cannot be used is done without. NULL: nothing is kept.
     */
    const char *cache;
    tn_cache_use cache_use;
    /**
     * Asked what servers ask of a person, on a thread of the engine's: it must not block, and
     * answers now or later. The calls of the server that are open have no time limit meanwhile,
     * their runs do. NULL: servers are told that nobody can be asked.
     */
    void (*elicit)(void *user, tn_elicitation *elicitation);
    void *elicit_user;
} tn_engine_options;

typedef struct tn_engine tn_engine;

/**
 * Make an engine: packages are added to it, programs are compiled for it.
 *
 * Ownership: `*out_engine` is ended with tn_engine_free after everything made from it.
 * Errors:    TN_ERR_NOMEM, TN_ERR_ARGUMENT, TN_ERR_UNAVAILABLE (no real-time signal or timer).
 * Threads:   one thread until the first program; then any number share it.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_new(const tn_engine_options *options, tn_engine **out_engine);
TN_API void tn_engine_free(tn_engine *engine);

/* ---- host functions ----------------------------------------------------------------------- */

/** One call from a program to a host function. */
typedef struct tn_call tn_call;

/**
 * A host function. Runs on the thread that drives the run, on that thread's
 * own stack; the realm stands still meanwhile and its clock with it (the wall
 * clock does not).
 *
 * It answers before it returns (tn_call_result, or tn_call_fail), or calls
 * tn_call_defer and answers later from any thread. Returning without any of
 * these answers undefined.
 */
typedef void (*tn_function)(void *user, tn_call *call);

typedef enum tn_function_flags {
    TN_FUNCTION_SYNC = 1, /**< the program gets the value itself, not a promise; no deferring */
    TN_FUNCTION_READ_ONLY = 2, /**< changes nothing: not listed among the effects */
    TN_FUNCTION_UNLISTED = 4   /**< for programs that the host means it for: no search finds it, and
                                    the check knows it from a program's own declarations only */
} tn_function_flags;

/**
 * Add a function to a package.
 *
 * `name` is the package, a dot, and the function: "github.listIssues". The
 * package may itself have dots ("tools.test.echo"): it is then a nested global.
 * Programs reach it as `import { listIssues } from "github"` and as the global
 * `github.listIssues`.
 *
 * Errors:  TN_ERR_ARGUMENT (not a name), TN_ERR_STATE (a program was already compiled, or the
 *          name is taken), TN_ERR_NOMEM.
 * Threads: before the first program only.
 * Since:   0.1
 */
TN_CHECKED tn_status tn_engine_add_function(tn_engine *engine, const char *name,
                                            tn_function function, void *user, unsigned flags);

/** A method of a host interface. */
typedef struct tn_method {
    const char *name;
    tn_function function;
    void *user;
    unsigned flags;
} tn_method;

/**
 * Declare an interface whose objects live in the host and cross by reference.
 *
 * A program holds such an object as an opaque value with these methods; each is a host call like
 * any other, with tn_call_object() as its subject. References end with their run.
 *
 * Ownership: the array is copied. Errors and threads: as tn_engine_add_function.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_add_interface(tn_engine *engine, const char *name,
                                             const tn_method *methods, size_t count);

/**
 * Declare types that programs are checked against: those of functions added above, of packages, of
 * the host. `text` is a declaration file (`declare namespace github { ... }`, `declare module
 * "github" { ... }`, interfaces); `name` is what findings in it call it ("github.d.ts").
 *
 * Ownership: both are copied. Errors and threads: as tn_engine_add_function.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_add_declarations(tn_engine *engine, const char *name,
                                                const char *text, size_t length);

/**
 * Give programs fetch, Request, Response, Headers, FormData, Blob and File.
 *
 * What a run may reach with it, its policy says (docs/policy.md, "fetch"); without one, nothing.
 * Requests are host calls like any other, one function a method: "fetch.get", "fetch.post", ...
 *
 * Errors:  TN_ERR_STATE: a program was already compiled; at tn_engine_open: the host has a package
 *          "fetch".
 * Threads: before the first program only.
 * Since:   0.1
 */
TN_CHECKED tn_status tn_engine_add_fetch(tn_engine *engine);

/** An MCP server: a program that is started and spoken to over its standard input and output, or
 * an HTTP address. All is copied; the lists end with NULL. */
typedef struct tn_mcp_server {
    size_t size;
    const char *command;            /**< the program, looked for as a shell does; NULL: `url` */
    const char *const *arguments;   /**< after its name; NULL: none */
    const char *const *environment; /**< "NAME=value": all it gets, nothing is inherited */
    const char *folder;             /**< where it is started; NULL: where the host is */
    const char *url;                /**< http or https */
    const char *const *headers;     /**< "Name: value" with each request; never shown anywhere */
    uint32_t start_ms;              /**< until it has said what it offers; default 30 000 */
    uint32_t call_ms; /**< of one call, counted anew at each word of progress; default 60 000 */
} tn_mcp_server;

/**
 * Make a package of an MCP server: each tool is a function of it, typed by its schemas.
 *
 * Nothing is started yet: tn_engine_open does, all servers side by side. A server that cannot be
 * had is a problem of the engine (tn_engine_problem), and the others are not touched by it. A
 * server that ends is started again by the next call.
 *
 * Errors and threads: as tn_engine_add_function.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_add_mcp(tn_engine *engine, const char *package,
                                       const tn_mcp_server *server);

/** A service that an OpenAPI document (3.0 or 3.1, JSON or YAML) describes. All is copied; the
 * lists end with NULL. */
typedef struct tn_openapi {
    size_t size;
    /** The document: a file, or an http or https address. Files that it refers to are read if they
     * are below its folder (at the address: below it); nothing else is. */
    const char *document;
    const char *text; /**< the document itself, `document` only says where it is from; NULL: read */
    size_t text_length;
    const char *server; /**< URL of the service in place of the document's; NULL: as it says */
    /** "SCHEME=secret", by the names of the document's security schemes: attached to operations
     * that ask for them, when a call has left the realm, and taken out of what comes back. Of basic
     * authentication: "SCHEME=user:password". */
    const char *const *credentials;
    const char *const *headers; /**< "Name: value" with each request; as secret as credentials */
    uint32_t call_ms;           /**< of one call; default 60 000 */
} tn_openapi;

/**
 * Make a package of a service: each operation of the document is a function of it, which takes one
 * object (parameters by their names, and `body`) and resolves to what a good answer holds. Another
 * answer is a thrown Error with the code "HTTP_404" and the like (docs/openapi.md).
 *
 * The document is read by tn_engine_open. What of it cannot be offered, or the whole, is a problem
 * of the engine (tn_engine_problem). Naming it grants the servers that it names.
 *
 * Errors and threads: as tn_engine_add_function.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_add_openapi(tn_engine *engine, const char *package,
                                           const tn_openapi *service);

/** Start what was added and close the engine: nothing more is added after it. The first program
 * does it as well. Blocks until every server has answered or its time is up. Since: 0.1 */
TN_CHECKED tn_status tn_engine_open(tn_engine *engine);

/** Does a server by now offer something else than when the engine was opened? What changed cannot
 * be called from this engine; one that is made anew has it. Threads: any. Since: 0.1 */
TN_API bool tn_engine_outdated(const tn_engine *engine);

/** What of it cannot be used, and why: one sentence each, borrowed from the engine; known once it
 * is open. Since: 0.1 */
TN_API size_t tn_engine_problem_count(const tn_engine *engine);
TN_API const char *tn_engine_problem(const tn_engine *engine, size_t index);

/** What a run may call, and on what terms (docs/policy.md). Once a run has it, it is only read: any
 * number of runs in any threads share one. */
typedef struct tn_policy tn_policy;

/**
 * Functions that fit a query in plain words, best first: signatures with the first sentence of what
 * each does, as text for a model within `tokens` (about four bytes each; 0: 2000). The last line
 * says COMPLETE, or PARTIAL with the number left out. An empty query lists everything, by package.
 *
 * `policy` is that of the programs to come, or NULL: functions that it denies whatever they are
 * called with are not there, and parameters that it binds are in no signature.
 *
 * Ownership: tn_text_free. Errors: TN_ERR_NOMEM, TN_ERR_STATE (the engine is not open).
 * Threads:   any, once the engine is open.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_search(tn_engine *engine, const char *query, unsigned tokens,
                                      const tn_policy *policy, char **out_text, size_t *out_length);

/**
 * The exact declarations of functions, with the types they need: "github.listIssues", "github.*",
 * or a package's name; several separated by blanks or commas. A name that is not there is answered
 * with those that are near. Otherwise as tn_engine_search.
 */
TN_CHECKED tn_status tn_engine_describe(tn_engine *engine, const char *names, unsigned tokens,
                                        const tn_policy *policy, char **out_text,
                                        size_t *out_length);

/**
 * What is known of the types of a package of a server (NULL: of all), as JSON: an array of
 * `{"package", "server": {"name", "version", "protocol", "era"}, "catalogue": {"kept", "ageMs"},
 * "declaration", "functions": [{"name", "tool", "argument", "result", "results"}], "problems"}`.
 * `argument` is "checked" at the call or "any"; `result` is "checked", "learned" (from so many
 * `results`; "any" to the check of programs) or "any".
 *
 * Ownership: tn_text_free. Errors: TN_ERR_NOT_FOUND, TN_ERR_STATE (the engine is not open),
 *            TN_ERR_NOMEM.
 * Threads:   any, once the engine is open.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_engine_types(tn_engine *engine, const char *package, char **out_text,
                                     size_t *out_length);

/** The user pointer that the run was started with. Since: 0.1 */
TN_API void *tn_call_context(const tn_call *call);
/** "package.function", or "Interface.method": borrowed from the engine. Since: 0.1 */
TN_API const char *tn_call_name(const tn_call *call);
/** Line of the program that made the call, 1-based; 0 if unknown. Since: 0.1 */
TN_API unsigned tn_call_line(const tn_call *call);
/** The arguments. Borrowed until the call is answered. Since: 0.1 */
TN_API size_t tn_call_count(const tn_call *call);
TN_API tn_value tn_call_argument(const tn_call *call, size_t index);
/** The object that a method was called on; NULL for functions. Since: 0.1 */
TN_API void *tn_call_object(const tn_call *call);

/** Where to write the result: write exactly one value. Since: 0.1 */
TN_API tn_writer *tn_call_result(tn_call *call);

/**
 * Put a host object into a result. When the run ends, `release` is called once with `object`, on
 * the thread that drives the run, also if this very call fails. Since: 0.1
 */
TN_API void tn_put_reference(tn_writer *writer, const char *interface_name, void *object,
                             void (*release)(void *object));

/**
 * Answer with an error: the program sees a thrown (or rejected) Error with this message, `code`
 * and `retryable`. `code` may be NULL. Since: 0.1
 */
TN_API void tn_call_fail(tn_call *call, const char *code, const char *message, bool retryable);

/**
 * Keep the call open past the function's return; end it with tn_call_finish.
 *
 * Ownership: the call is yours until then, even if the run ends first.
 * Errors:    TN_ERR_STATE for a TN_FUNCTION_SYNC function.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_call_defer(tn_call *call);

/** Hand in the answer of a deferred call. The call is gone afterwards. Threads: any. Since: 0.1 */
TN_API void tn_call_finish(tn_call *call);

/**
 * Somebody is being asked: until this deferred call is finished the wall clock of its run stands
 * still, as while a question of the policy is open. Errors: TN_ERR_STATE (not deferred, or
 * finished). Threads: any. Since: 0.1
 */
TN_CHECKED tn_status tn_call_stop_clock(tn_call *call);

/** Has the run ended, or been cancelled, while this call was open? Threads: any. Since: 0.1 */
TN_API bool tn_call_cancelled(const tn_call *call);

/**
 * Be told when an open call is no longer wanted. Called at most once, from the thread that drives
 * or frees the run; tn_call_finish is still owed. Called at once if it already happened. It may
 * run while another thread is in tn_call_finish for the same call: `user` must outlive both.
 * Since: 0.1
 */
TN_API void tn_call_on_cancel(tn_call *call, void (*cancelled)(void *user), void *user);

/* ---- policy ------------------------------------------------------------------------------- */

/** What becomes of a call. */
typedef enum tn_policy_effect {
    TN_POLICY_ALLOW = 0,
    TN_POLICY_ASK, /**< somebody is asked first (tn_run_options.ask) */
    TN_POLICY_DENY /**< the program sees an Error with the code "denied" */
} tn_policy_effect;

/**
 * Make a policy from JSON (docs/policy.schema.json); NULL for one that allows everything so far.
 *
 * Ownership: `*out_policy` is ended with tn_policy_free after the runs that have it.
 * Errors:    TN_ERR_ARGUMENT: it is no policy; `*out_fault`, if you want it, then says where, what
 *            was expected and what is there (free with tn_text_free). TN_ERR_NOMEM, TN_ERR_LIMIT.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_policy_new(const char *json, size_t length, tn_policy **out_policy,
                                   char **out_fault);
TN_API void tn_policy_free(tn_policy *policy);

/**
 * Add what another document says. Of what can hold only once for the same pattern (override,
 * readOnly, a bound parameter, the default), the later one holds.
 *
 * Errors: as tn_policy_new; after one, what stands before the fault has been added. Since: 0.1
 */
TN_CHECKED tn_status tn_policy_read(tn_policy *policy, const char *json, size_t length,
                                    char **out_fault);

/** Add a rule without conditions. A pattern is "package.function" or "Interface.method", with `*`
 * for anything. Errors: TN_ERR_ARGUMENT (no pattern), TN_ERR_NOMEM. Since: 0.1 */
TN_CHECKED tn_status tn_policy_add(tn_policy *policy, tn_policy_effect effect, const char *pattern);

/** What becomes of functions that no rule names; in the beginning they are allowed. Since: 0.1 */
TN_CHECKED tn_status tn_policy_default(tn_policy *policy, tn_policy_effect effect);

/**
 * Run `function` in place of all functions that fit the pattern. It answers the call as if it were
 * the function that was called, and may have that one do it (tn_call_original); the program cannot
 * tell, and has no way to the original. Errors: as tn_policy_add. Since: 0.1
 */
TN_CHECKED tn_status tn_policy_override(tn_policy *policy, const char *pattern,
                                        tn_function function, void *user);

/**
 * Let fetch reach an origin, or what is below a path of it: "https://api.example.com",
 * "https://api.example.com/v1/"; the host may be "*.example.com". All methods, no credentials: a
 * policy's document can say more. Only programs of engines with tn_engine_add_fetch have it.
 * Errors: TN_ERR_ARGUMENT (no such URL), TN_ERR_NOMEM. Since: 0.1
 */
TN_CHECKED tn_status tn_policy_add_fetch(tn_policy *policy, const char *url);

/** Does it grant fetch anything? NULL: no. Since: 0.1 */
TN_API bool tn_policy_fetches(const tn_policy *policy);

/**
 * The secrets that a policy's credentials name, as they are written ("env:TOKEN"), from 0; NULL
 * past the last. The library looks up none of them: give each its value before the first run. A
 * request that needs one without a value fails and says which. Secrets are attached past the realm
 * and taken out of what comes back. Since: 0.1
 */
TN_API const char *tn_policy_secret(const tn_policy *policy, size_t index);

/** Give a secret its value, which is copied. Errors: TN_ERR_NOT_FOUND (no credential names it),
 * TN_ERR_NOMEM. Since: 0.1 */
TN_CHECKED tn_status tn_policy_set_secret(tn_policy *policy, const char *reference,
                                          const char *value);

/**
 * What of a policy can mean nothing to this engine: patterns that fit no function (added, or only
 * declared), and overrides by functions that are not there. One sentence a line, with the name that
 * was probably meant: such a rule is a slip, and a denial that denies nothing a dangerous one.
 *
 * Ownership: tn_text_free; empty text if all is well. Errors: TN_ERR_NOMEM, TN_ERR_STATE (the
 * engine is not open). Threads: any. Since: 0.1
 */
TN_CHECKED tn_status tn_policy_unmatched(tn_engine *engine, const tn_policy *policy,
                                         char **out_text, size_t *out_length);

/** What a function that was replaced has answered. */
typedef struct tn_answer {
    bool failed;
    tn_value value; /**< the result; of a failure an object: message, code, retryable */
} tn_answer;

/**
 * From a function that stands for another one: call that one.
 *
 * `arguments` is an array, or TN_TYPE_NONE for those of the call. As soon as there is an answer
 * `answered` is called, on the thread that drives the run, and is to this call what a function is:
 * it answers, defers, or calls the original again; if it does none of these, or is NULL, the
 * original's answer is the call's. It is called exactly once, with a failure (code "CANCELLED") if
 * the run ends first. After TN_OK the call is not yours to answer until then, deferred or not.
 *
 * Errors:  TN_ERR_STATE (the call is of no function that was replaced, the original is already at
 *          work, the run is over; for a TN_FUNCTION_SYNC function also: from another thread),
 *          TN_ERR_ARGUMENT (no array), TN_ERR_LIMIT (tn_limits.calls), TN_ERR_NOMEM.
 * Threads: any; from another than the one that drives the run it begins at the next step.
 * Since:   0.1
 */
TN_CHECKED tn_status tn_call_original(tn_call *call, tn_value arguments,
                                      void (*answered)(void *user, tn_call *call,
                                                       const tn_answer *answer),
                                      void *user);

/**
 * May this call be made? Asked by a policy, answered once, by whoever can; about one call of one
 * run with these very arguments, and nothing else. It expires with its run.
 */
typedef struct tn_question tn_question;

/** "package.function", its line in the program, its arguments as they will be handed over, and the
 * pattern of the rule that asks: borrowed from the question. Since: 0.1 */
TN_API const char *tn_question_name(const tn_question *question);
TN_API unsigned tn_question_line(const tn_question *question);
TN_API size_t tn_question_count(const tn_question *question);
TN_API tn_value tn_question_argument(const tn_question *question, size_t index);
TN_API const char *tn_question_rule(const tn_question *question);

/** 32 hexadecimal digits that nobody can foresee: a hash of the run, the call, the function and its
 * arguments. Whoever answers from elsewhere says it again. Since: 0.1 */
TN_API const char *tn_question_id(const tn_question *question);

/**
 * Answer it. With an `id` that is not this question's nothing happens; NULL: it need not be said.
 *
 * Errors:  TN_ERR_STATE (answered before, or the run is over), TN_ERR_ARGUMENT (another id).
 * Threads: any. Since: 0.1
 */
TN_CHECKED tn_status tn_question_answer(tn_question *question, const char *id, bool allow);

/** Does it still wait for an answer? Threads: any. Since: 0.1 */
TN_API bool tn_question_open(const tn_question *question);

/** Let go of it, in any thread, also after the run. One that is open is refused by that. Since: 0.1
 */
TN_API void tn_question_free(tn_question *question);

/* ---- journal ------------------------------------------------------------------------------ */

/** Where runs are written down: a file that several processes may write at once, and that outlives
 * them (docs/journal.md). */
typedef struct tn_journal tn_journal;

typedef struct tn_journal_options {
    size_t size;
    uint32_t keep_runs;   /**< the oldest go when there are more; default 1000 */
    uint64_t keep_bytes;  /**< or when the file is larger; default 256 MiB */
    uint64_t value_bytes; /**< larger arguments and results are kept by their SHA-256 and length;
                               default 64 KiB */
    bool read_only;       /**< only look: nothing is made */
} tn_journal_options;

/** How sure a run is that what it did is in its journal. */
typedef enum tn_journal_level {
    TN_JOURNAL_NORMAL =
        0, /**< it copies; what it copied is in the file within about 20 ms, so that the end of this
                process loses no more than that. What cannot be written is lost, and said */
    TN_JOURNAL_DURABLE /**< a call is made only when it is on disk that it will be, and fails (code
                            "JOURNAL") if that cannot be done; the outcome is there when it is
                            on disk */
} tn_journal_level;

/**
 * Open a journal, or begin one where there is none, readable for its owner alone. A file that is
 * something else is never touched.
 *
 * Ownership: `*out_journal` is ended with tn_journal_free after the runs that have it.
 * Errors:    TN_ERR_SYSTEM, TN_ERR_ARGUMENT (another file), TN_ERR_NOT_FOUND (no such folder or, to
 *            look at, file): `*out_fault`, if you want it, says where and why (free with
 *            tn_text_free). TN_ERR_NOMEM.
 * Threads:   any number of runs in any threads write to one journal, which has a thread of its own.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_journal_open(const char *path, const tn_journal_options *options,
                                     tn_journal **out_journal, char **out_fault);

/** Writes what waits, and closes. Since: 0.1 */
TN_API void tn_journal_free(tn_journal *journal);

/** Wait until what was copied so far is in the file. TN_ERR_SYSTEM: since the last time that this
 * was asked something could not be written; `*out_fault` as tn_journal_open has it. Since: 0.1 */
TN_CHECKED tn_status tn_journal_flush(tn_journal *journal, char **out_fault);

typedef enum tn_trace_form {
    TN_TRACE_TEXT = 0, /**< for a terminal, plain */
    TN_TRACE_COLOR,    /**< the same with ANSI colours */
    TN_TRACE_JSON,     /**< one object (docs/trace.schema.json) */
    TN_TRACE_CHROME    /**< a Chrome trace event file, for Perfetto and the like */
} tn_trace_form;

/**
 * The calls of one run: as bars on a line of time, `columns` wide (0: 100), or as a document.
 *
 * `run` is its id or the beginning of it; NULL: the run that began last.
 *
 * Ownership: tn_text_free both texts. Errors: TN_ERR_NOT_FOUND, TN_ERR_ARGUMENT (several begin so,
 * or this is no journal), TN_ERR_SYSTEM, with `*out_fault` as tn_journal_open has it; TN_ERR_NOMEM.
 * Threads:   any. Since: 0.1
 */
TN_CHECKED tn_status tn_journal_trace(tn_journal *journal, const char *run, tn_trace_form form,
                                      unsigned columns, char **out_text, size_t *out_length,
                                      char **out_fault);

/** The newest runs, at most `most` (0: 20), as a table or as one JSON object.
 * Otherwise as tn_journal_trace. */
TN_CHECKED tn_status tn_journal_list(tn_journal *journal, unsigned most, tn_trace_form form,
                                     char **out_text, size_t *out_length, char **out_fault);

/* ---- program ------------------------------------------------------------------------------ */

/** Something a program is to export. */
typedef struct tn_export {
    const char *name; /**< "render"; "default" too */
    const char *type; /**< in TypeScript: "(name: string) => string"; NULL: any */
} tn_export;

/** A name that will be in scope when the program runs (tn_run_options.input). */
typedef struct tn_input_type {
    const char *name;
    const char *type; /**< in TypeScript; NULL: inferred from `example` */
    tn_value example; /**< TN_TYPE_NONE: none, the type is unknown */
} tn_input_type;

/** All text is borrowed for the call. */
typedef struct tn_program_options {
    size_t size;
    /** What errors call it; default "program.js". The language goes by its end: ".ts" and ".mts"
     * are TypeScript, checked and erased; all else is JavaScript, run as it stands. */
    const char *name;
    bool unchecked;     /**< TypeScript: only take the types out */
    const char *expect; /**< the type of the program's value, in TypeScript; NULL: any */
    const tn_export *exports;
    size_t export_count;
    const tn_input_type *inputs;
    size_t input_count;
    /** Declarations for this program alone, in TypeScript: types made from data, the interface it
     * is to implement. What they declare is not provided by that. NULL: none. */
    const char *declarations;
    const tn_policy *policy; /**< what its runs will have: calls that it surely denies are findings
                                  (TN1301), and the program is refused; NULL: none */
} tn_program_options;

typedef struct tn_program tn_program;

/**
 * Turn text into a program: compiled once, run as often as you like.
 *
 * Code fences around the text are removed. A program that does not parse, or does not fit the
 * types, is not a failure: the call returns TN_OK, tn_program_ready is false, its findings say why,
 * and every run of it has the outcome `refused`.
 *
 * Ownership: `text` is borrowed for the call.
 * Errors:    TN_ERR_NOMEM, TN_ERR_UNAVAILABLE.
 * Threads:   calls may overlap on one engine; a program may be run by many threads at once.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_program_new(tn_engine *engine, const char *text, size_t length,
                                    const tn_program_options *options, tn_program **out_program);
TN_API bool tn_program_ready(const tn_program *program);
/** What was found in it before it ran. Borrowed from the program. Since: 0.1 */
TN_API size_t tn_program_finding_count(const tn_program *program);
TN_API const struct tn_finding *tn_program_finding(const tn_program *program, size_t index);
/** The JavaScript that runs: types taken out, each token left at its line and column. Borrowed from
 * the program; empty if it does not parse. Since: 0.1 */
TN_API const char *tn_program_javascript(const tn_program *program, size_t *out_length);
TN_API void tn_program_free(tn_program *program);

/* ---- run ---------------------------------------------------------------------------------- */

typedef struct tn_run_options {
    size_t size;
    tn_value input;       /**< an object: its members are names in the program's scope */
    tn_limits limits;     /**< zero fields: the engine's */
    void *context;        /**< for tn_call_context */
    double now_ms;        /**< where the program's clock starts (ms since 1970); 0: the real time */
    const char *zone;     /**< IANA time zone; NULL: the host's */
    const char *locale;   /**< BCP 47 tag; NULL: en-US, the only one whose data is here so far */
    const uint64_t *seed; /**< makes Math.random and crypto repeatable; NULL: real randomness */
    const tn_policy *policy; /**< what it may call; NULL: everything. Borrowed while the run or a
                                  handle of it lives */
    /**
     * Somebody to ask where the policy says so; NULL: nobody, and such calls are refused for good.
     * Called on the thread that drives the run. The question is yours: answer it at once or later,
     * end it with tn_question_free. While one is open the wall clock of the run stands still; the
     * rest of the program goes on. A TN_FUNCTION_SYNC function is refused if it is not answered on
     * return.
     */
    void (*ask)(void *user, tn_question *question);
    void *ask_user;
    tn_journal *journal; /* where it is written down; NULL: in memory only. Borrowed, as `policy` */
    tn_journal_level journal_level;
    const char *label; /* whose run it is, or what for: kept with it in the journal. Borrowed, as
                          `policy`; NULL: nothing */
} tn_run_options;

typedef struct tn_run tn_run;
typedef struct tn_outcome tn_outcome;

/** Run a program to its end. Blocks. Ownership: free the outcome. Since: 0.1 */
TN_CHECKED tn_status tn_run_program(tn_program *program, const tn_run_options *options,
                                    tn_outcome **out_outcome);

typedef enum tn_run_state {
    TN_RUN_READY,   /**< step it: there is something to do now */
    TN_RUN_WAITING, /**< for a host call or a timer: step it when its descriptor is readable */
    TN_RUN_DONE     /**< take the outcome */
} tn_run_state;

/**
 * Begin a run without blocking. Nothing of the program has run yet.
 *
 * Ownership: `*out_run` is ended with tn_run_free; the program must outlive it.
 * Errors:    TN_ERR_NOMEM, TN_ERR_ARGUMENT (input is not an object, unknown zone), TN_ERR_SYSTEM.
 * Threads:   one thread at a time drives a run; it may be another one at each step.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_run_start(tn_program *program, const tn_run_options *options,
                                  tn_run **out_run);

/** Go on until the run is done or waits. Never blocks longer than the program computes. Since: 0.1
 */
TN_CHECKED tn_status tn_run_step(tn_run *run, tn_run_state *out_state);

/** Block until the run can be stepped, or `timeout_ms` passed (-1: no end). Since: 0.1 */
TN_CHECKED tn_status tn_run_wait(tn_run *run, int timeout_ms);

/**
 * A descriptor that polls readable when the run should be stepped: an answer came, a timer is
 * due, a deadline passed, it was cancelled. Owned by the run. -1 if the system refuses one.
 * Since: 0.1
 */
TN_API int tn_run_fd(tn_run *run);

/** Ask a run to end with the outcome `cancelled`. Threads: any. Since: 0.1 */
TN_API void tn_run_cancel(tn_run *run);

/**
 * Take the outcome of a run that is done.
 *
 * Ownership: the outcome is yours and lives on after run, program and engine.
 * Errors:    TN_ERR_STATE if it is not done or was already taken.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_run_outcome(tn_run *run, tn_outcome **out_outcome);

/**
 * Call a function that the program exported, in the same realm, as often as you like.
 *
 * After TN_RUN_DONE with the outcome `ok`: the run starts anew with this call as its work, its own
 * limits counted from zero, and ends in TN_RUN_DONE again with its own outcome. A call that throws
 * does not end the realm: the next one may follow. One that meets a limit does.
 *
 * Errors: TN_ERR_STATE (not done, the program itself was not `ok`, or a limit ended it),
 *         TN_ERR_NOT_FOUND (no such export, or not a function), TN_ERR_ARGUMENT (`arguments` is not
 *         an array), TN_ERR_NOMEM.
 * Since:  0.1
 */
TN_CHECKED tn_status tn_run_call(tn_run *run, const char *export_name, tn_value arguments);

/** Handles of this run keep it alive until the last of them is freed. Since: 0.1 */
TN_API void tn_run_free(tn_run *run);

/* ---- handles ------------------------------------------------------------------------------ */

/** Something a program exported, alive in the program's realm. One thread at a time uses a realm's
 * handles. */
typedef struct tn_handle tn_handle;

typedef enum tn_handle_kind {
    TN_HANDLE_FUNCTION = 1, /**< call it */
    TN_HANDLE_CLASS,        /**< make instances of it; call its static methods */
    TN_HANDLE_OBJECT        /**< an instance, or another object: call its methods */
} tn_handle_kind;

/**
 * Run a program to its end, keep its realm, and give what it exports under `name` ("default" too).
 * The value of the program itself is not looked at.
 *
 * Ownership: free the handle; the program must outlive it. `*out_outcome` is the outcome of the
 *            program's own run, yours; NULL if you do not want it. If that is not `ok`, the handle
 *            is NULL and the outcome says why.
 * Errors:    TN_ERR_NOT_FOUND (no such export, or neither function nor object), those of
 *            tn_run_start.
 * Threads:   blocks as tn_run_program does.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_program_export(tn_program *program, const char *name,
                                       const tn_run_options *options, tn_handle **out_handle,
                                       tn_outcome **out_outcome);

/** The same of a run that is done: all its handles share one realm. Errors: TN_ERR_STATE,
 * TN_ERR_NOT_FOUND, TN_ERR_NOMEM. Since: 0.1 */
TN_CHECKED tn_status tn_run_export(tn_run *run, const char *name, tn_handle **out_handle);

TN_API tn_handle_kind tn_handle_kind_of(const tn_handle *handle);

/** The type that the program was asked to export it with (tn_program_options.exports) and that the
 * check held it to; NULL if none was asked. Borrowed from the program. Since: 0.1 */
TN_API const char *tn_handle_type(const tn_handle *handle);

/**
 * Call it, or its method (`method` not NULL), and wait for what it gives.
 *
 * Each call has an outcome of its own and limits counted from zero. One that throws leaves the
 * realm as it is; one that meets a limit ends it, and every handle of it answers TN_ERR_STATE.
 *
 * Ownership: free the outcome.
 * Errors:    TN_ERR_STATE, TN_ERR_ARGUMENT (`arguments` is not an array), TN_ERR_NOMEM.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_handle_call(tn_handle *handle, const char *method, tn_value arguments,
                                    tn_outcome **out_outcome);

/** Make an instance of a class. If its constructor throws, the instance is NULL and the outcome
 * says why. Ownership: free both. Errors: as tn_handle_call; TN_ERR_ARGUMENT for what is no class.
 * Since: 0.1 */
TN_CHECKED tn_status tn_handle_construct(tn_handle *handle, tn_value arguments,
                                         tn_handle **out_instance, tn_outcome **out_outcome);

/** Begin a call without waiting: drive it by tn_handle_run, with tn_run_step, tn_run_wait,
 * tn_run_fd and tn_run_outcome. Errors: as tn_handle_call. Since: 0.1 */
TN_CHECKED tn_status tn_handle_start(tn_handle *handle, const char *method, tn_value arguments);

/** The run that its realm belongs to. Borrowed: alive as long as the handle. Since: 0.1 */
TN_API tn_run *tn_handle_run(const tn_handle *handle);

TN_API void tn_handle_free(tn_handle *handle);

/* ---- outcome ------------------------------------------------------------------------------ */

typedef enum tn_outcome_status {
    TN_OUTCOME_OK = 0,
    TN_OUTCOME_REFUSED, /**< findings say why; nothing ran */
    TN_OUTCOME_FAILED,  /**< the program threw */
    TN_OUTCOME_LIMIT,   /**< see tn_error.code: which limit */
    TN_OUTCOME_DENIED,
    TN_OUTCOME_SUSPENDED,
    TN_OUTCOME_CANCELLED,
    TN_OUTCOME_CRASHED /**< the realm trapped: a fault in the engine, contained */
} tn_outcome_status;

/** What ended a run that is not `ok`. Text is never NULL; "" where there is nothing to say. */
typedef struct tn_error {
    const char *name; /**< "TypeError", "LimitError", ... */
    const char *message;
    const char *code;   /**< "wall", "cpu", "memory", "calls", "result", ... for limits; the host's
                             code for a failed call; else "" */
    const char *stack;  /**< one line a frame, async callers included */
    const char *frame;  /**< the source lines around, with a caret */
    const char *hint;   /**< what to do about it, where that is sure */
    unsigned line;      /**< in the program, 1-based; 0 if unknown */
    unsigned column;    /**< 1-based, in UTF-16 units as editors count */
    unsigned character; /**< 1-based, in code points as people count */
    bool retryable;
    tn_value value; /**< the thrown value itself */
    tn_value cause; /**< TN_TYPE_NONE without one */
} tn_error;

typedef enum tn_level {
    TN_LEVEL_DEBUG = 0,
    TN_LEVEL_LOG,
    TN_LEVEL_INFO,
    TN_LEVEL_WARN,
    TN_LEVEL_ERROR
} tn_level;

typedef struct tn_console_entry {
    tn_level level;
    double time_ms; /**< since the run began */
    const char *text;
    size_t length;
} tn_console_entry;

typedef enum tn_severity {
    TN_SEVERITY_ERROR = 0,
    TN_SEVERITY_WARNING,
    TN_SEVERITY_INFO
} tn_severity;

typedef struct tn_finding {
    const char *code; /**< "TS1005", "TN1003", ... */
    tn_severity severity;
    const char *message;
    unsigned line, column, end_line, end_column; /**< 1-based, UTF-16 columns */
    unsigned character;       /**< 1-based, where it begins in code points, as people count */
    const char *file;         /**< NULL: the program; else a declaration file's name */
    const char *did_you_mean; /**< a name; NULL without one */
    const char *declaration;  /**< the declaration it concerns, on one line; NULL without one */
    const char *edit;         /**< what to put at that place, where that is sure; else NULL */
} tn_finding;

typedef struct tn_effect {
    const char *name; /**< the function */
    unsigned line;    /**< where the program called it */
    double start_ms;  /**< since the run began */
    double duration_ms;
    bool ok;
    bool open;         /**< it had not been answered when the run ended */
    const char *error; /**< message, if not ok */
    bool denied;       /**< the policy did not let it be made, or somebody refused it */
    bool original;     /**< called by the function that stands for it, not by the program */
    const char *ran;   /**< what ran in its place: another function's name, "a value", "a host
                            function"; NULL: it ran itself */
} tn_effect;

typedef struct tn_usage {
    double wall_ms;
    double cpu_ms;       /**< inside the realm */
    double compile_us;   /**< of the program, once */
    uint64_t peak_bytes; /**< most that the program had allocated at one time */
    uint32_t calls;
    uint64_t console_bytes; /**< written, kept or not */
    uint64_t console_dropped_bytes;
} tn_usage;

TN_API tn_outcome_status tn_outcome_status_of(const tn_outcome *outcome);
/** "ok", "refused", ...: constant text. */
TN_API const char *tn_outcome_status_text(tn_outcome_status status);
/** The value of an `ok` run; TN_TYPE_NONE otherwise. Borrowed from the outcome, like all below. */
TN_API tn_value tn_outcome_value(const tn_outcome *outcome);
/** NULL if the run is `ok`. */
TN_API const tn_error *tn_outcome_error(const tn_outcome *outcome);
TN_API size_t tn_outcome_console_count(const tn_outcome *outcome);
TN_API const tn_console_entry *tn_outcome_console(const tn_outcome *outcome, size_t index);
TN_API size_t tn_outcome_finding_count(const tn_outcome *outcome);
TN_API const tn_finding *tn_outcome_finding(const tn_outcome *outcome, size_t index);
TN_API size_t tn_outcome_effect_count(const tn_outcome *outcome);
TN_API const tn_effect *tn_outcome_effect(const tn_outcome *outcome, size_t index);
TN_API const tn_usage *tn_outcome_usage(const tn_outcome *outcome);
/** What the run is called in its journal; NULL: it is in none. Since: 0.1 */
TN_API const char *tn_outcome_run(const tn_outcome *outcome);

/** The outcome as one JSON object (docs/outcome.schema.json). Free with tn_text_free. Since: 0.1 */
TN_CHECKED tn_status tn_outcome_json(const tn_outcome *outcome, char **out_text,
                                     size_t *out_length);

typedef enum tn_text_style {
    TN_TEXT_PERSON = 0, /**< for a terminal, plain */
    TN_TEXT_COLOR,      /**< the same with ANSI colours */
    TN_TEXT_MODEL       /**< compact and stable, for a model's context */
} tn_text_style;

/**
 * The outcome as text. `tokens` bounds the length for TN_TEXT_MODEL (about four bytes each; 0:
 * 2000). What does not fit is counted, never cut inside a value or a character. Free with
 * tn_text_free. Since: 0.1
 */
TN_CHECKED tn_status tn_outcome_text(const tn_outcome *outcome, tn_text_style style,
                                     unsigned tokens, char **out_text, size_t *out_length);

TN_API void tn_outcome_free(tn_outcome *outcome);

/* ---- schemas ------------------------------------------------------------------------------ */

/** A JSON Schema (draft-07, 2019-09, 2020-12), read once. Read-only: any threads share it. */
typedef struct tn_schema tn_schema;

/**
 * Read a schema. What is wrong in it says nothing and refuses nothing; nothing is fetched.
 *
 * Ownership: `*out_schema` is yours; `document` is borrowed for the call.
 * Errors:    TN_ERR_ARGUMENT (neither an object nor a boolean), TN_ERR_LIMIT, TN_ERR_NOMEM.
 * Since:     0.1
 */
TN_CHECKED tn_status tn_schema_new(tn_value document, tn_schema **out_schema);
TN_API void tn_schema_free(tn_schema *schema);

/**
 * Hold a value against it.
 *
 * Errors: TN_ERR_ARGUMENT: it does not fit; `*out_why`, if you want it, says the first thing that
 *         does not ("$.id must be a string, not the number 7"; tn_text_free). TN_ERR_LIMIT: it was
 *         given up, which is no yes. TN_ERR_NOMEM.
 * Since:  0.1
 */
TN_CHECKED tn_status tn_schema_check(const tn_schema *schema, tn_value value, char **out_why);

/**
 * What TypeScript can say of it: declarations that end with `type NAME = ...;`. `object`: of
 * objects only, whatever the schema says (arguments of a tool). Ownership: tn_text_free. Errors:
 * TN_ERR_ARGUMENT (`name` is no identifier), TN_ERR_LIMIT, TN_ERR_NOMEM. Since: 0.1
 */
TN_CHECKED tn_status tn_schema_type(const tn_schema *schema, const char *name, bool object,
                                    char **out_text);

/* ---- doctor ------------------------------------------------------------------------------- */

/**
 * What this machine gives and what was tried, as JSON: `{"checks": [{"name", "ok", "detail",
 * "remedy"}], "ok": bool}`. Each layer is tried, not assumed. Free with tn_text_free. Since: 0.1
 */
TN_CHECKED tn_status tn_doctor(char **out_text, size_t *out_length);

#ifdef __cplusplus
}
#endif

#endif
