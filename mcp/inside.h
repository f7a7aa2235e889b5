/* What the files of the door share. */
#ifndef TENON_MCP_INSIDE_H
#define TENON_MCP_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <time.h>

#include "door.h"

/* A value too long to be shown whole, kept for resources/read. */
typedef struct Kept {
    unsigned number; /* of the run; 0: the place is free */
    char *json;
    size_t length;
} Kept;

enum { KEPT_MAX = 32 };

/* ---- what is configured ---- */

typedef enum ItemKind { ITEM_TOOL, ITEM_PROMPT, ITEM_RESOURCE, ITEM_TEMPLATE } ItemKind;

/* Something that a server offers beside the three tools. */
typedef struct Item {
    ItemKind kind;
    const char *name; /* or address, or the pattern of addresses */
    size_t name_length;
    tn_value about; /* as it stands in the configuration */
    char *code;     /* NULL: no program */
    size_t code_length;
    char *path;   /* of the program, or of a resource that is a file; NULL: it stands there */
    bool content; /* a tool's value is blocks of content */
    bool told;    /* what is wrong with its program; under the lock of the configuration */
    tn_schema *input, *output;
} Item;

struct DoorConfig {
    tn_writer *document;
    tn_value whole;
    bool builtin; /* search, describe and run are offered too */
    Item *items;
    size_t count;
    pthread_mutex_t lock;
};

typedef struct Job Job;
typedef struct Watch Watch;
typedef struct Request Request;

/* What a client lets itself be asked. */
typedef struct Can {
    bool elicit, sample, roots;
} Can;

/* Who speaks to the door: standard input's only one, a session of HTTP, or one HTTP request. Ids of
 * requests and answers to questions count within it. */
typedef struct Peer {
    Can can;              /* as one that shook hands has said */
    atomic_int log_level; /* of what it is told; LOG_OFF: nothing */
    struct Sink *stream;  /* what it is told of nothing that it asked for; under the door's lock */
} Peer;

enum { LOG_INFO = 1, LOG_OFF = 8 }; /* places in the list of levels */

/* What is said, and why. */
typedef struct Said {
    bool answer;  /* to the request, and the last that is said of it */
    int code;     /* of an error; 0: a result, or no answer */
    bool refused; /* the message itself was wrong: no method has seen it */
} Said;

/* Where a request's answer goes, and what its client is told meanwhile. The transports have one
 * each; the rest of the door knows no more of them. */
typedef struct Sink Sink;
struct Sink {
    Peer *peer;
    bool modern; /* the transport says that its era is the newer one, whatever the message says */
    void (*put)(Sink *sink, const char *text, size_t length, const Said *said); /* any thread */
    /* May this go on? False: it has answered. `version` is what a modern message says; NULL: none.
     * NULL: all may. */
    bool (*admit)(Sink *sink, Request *request, const char *version, size_t length);
    void (*ref)(Sink *sink); /* NULL, like `unref`: it outlives everything */
    void (*unref)(Sink *sink);
};

typedef enum DoorState {
    DOOR_CLOSED,
    DOOR_OPEN,
    DOOR_SHUT /* it could not be opened */
} DoorState;

typedef struct DoorEngine {
    tn_engine *engine;
    unsigned users; /* under the door's lock */
    bool replaced;  /* whoever uses it last frees it */
    /* of the items, each once it is needed; under the lock of the configuration */
    tn_program **programs;
    size_t program_count;
} DoorEngine;

typedef struct Door {
    DoorOptions options;
    bool (*left)(void);     /* whoever speaks has gone: nobody waits for the engine. NULL: never */
    pthread_mutex_t output; /* taken last */
    atomic_bool broken;     /* the output cannot be written */
    atomic_bool closing;
    pthread_mutex_t lock;   /* of all below */
    pthread_cond_t changed; /* a job ended or is to go on, the engine is open, the door closes */
    DoorState state;        /* of the engine */
    pthread_t opener, watcher;
    bool opens, watched;
    DoorEngine *current;
    bool renewing; /* another one is being made */
    time_t renew_after, renew_wait;
    Watch *watches;
    unsigned watch_count;
    Job *jobs;
    unsigned job_count, working;
    unsigned runs; /* so far: their numbers */
    Kept kept[KEPT_MAX];
} Door;

/* One message that came, read. */
struct Request {
    Door *door;
    Sink *sink;
    tn_writer *text; /* of the whole message: the values are views of it */
    tn_value id;     /* TN_TYPE_NONE: a notification */
    tn_value params;
    tn_value meta; /* params._meta */
    const char *method;
    size_t method_length;
    bool modern;
    bool listens; /* it stays open, and is told of changes */
};

/* Something that the client has not answered: a question of the policy, or of the program. */
typedef struct Asked {
    tn_question *question; /* NULL: `call` waits for what is said */
    tn_call *call;
    const char *method;
    tn_writer *params; /* of the program's */
    char id[36];       /* that nobody can guess */
    char key[80];      /* among those of one answer */
    bool sent;
    tn_value said; /* while it is being answered */
    struct Asked *next;
} Asked;

/* A key that the program has asked by: what a client said of its own accord counts once. */
typedef struct Key {
    struct Key *next;
    char name[];
} Key;

struct Job {
    Request request; /* what was asked first: its arguments are what runs */
    Request reply;   /* whom to answer: a later request if the client was asked in between */
    void (*look)(const Request *request); /* NULL: a program is to be run */
    Item *item;                           /* whose program; NULL: the one in the arguments */
    tn_writer *input;                     /* of an item's program */
    unsigned number;
    Can can;
    Key *keys; /* the running thread's */
    /* under the lock: */
    tn_run *run; /* what to cancel; NULL while the program is checked */
    bool cancelled, answered;
    bool parked; /* the client holds the questions: no request waits for an answer */
    time_t parked_at;
    char state[40]; /* what the client says to go on */
    Asked *asked;
    double told; /* of progress; below 0: nothing yet */
    Job *next;
};

/* ---- door.c ---- */

/** A door whose engine, which is taken over, is being opened. NULL: no memory. */
Door *door_new(tn_engine *engine, const DoorOptions *options);
/** Cancel what runs and let go of the door, unless its engine is still being opened. */
DoorEnd door_end(Door *door);
/** Wait until the engine is open, or the client has gone, but not for ever. False: it is not. */
bool door_wait_open(Door *door, unsigned most_ms);

/* ---- engine.c ---- */

/** One that nobody uses. */
void door_engine_free(DoorEngine *held);
/** The engine is taken over. NULL: no memory, or there is none. */
DoorEngine *door_engine_new(tn_engine *engine);
/** The one to use now; give it back. */
DoorEngine *door_engine_take(Door *door);
void door_engine_give(Door *door, DoorEngine *held);
/** Have another one made, if the time has come. With the lock held. */
void door_engine_look(Door *door);

/* ---- message.c ---- */

enum {
    WRONG_JSON = -32700,
    WRONG_REQUEST = -32600,
    WRONG_METHOD = -32601,
    WRONG_PARAMS = -32602,
    WRONG_INSIDE = -32603,
    WRONG_HEADER = -32020,
    WRONG_CAPABILITY = -32021,
    WRONG_VERSION = -32022
};

/** Read a message, answer it or give it to a job. True: an answer to it has been put or will be. */
bool message_take(Door *door, Sink *sink, const char *line, size_t length);
void message_too_long(Door *door, Sink *sink);

/** An answer: result_begin, the members of the result, result_end, which sends and frees. NULL if
 * there is no memory: result_end accepts that and says so to the client. */
tn_writer *result_begin(const Request *request);
/** One that is of another type than "complete". */
tn_writer *result_begin_as(const Request *request, const char *type);
void result_end(const Request *request, tn_writer *writer);
void answer_error(const Request *request, int code, const char *message);
/** An error with one text as its data. */
void answer_error_about(const Request *request, int code, const char *message, const char *key,
                        const char *text, size_t length);
/** The client has not said that it can do what `required` says. */
void answer_capability(const Request *request, tn_value required);
/** The message itself is wrong. */
void answer_refused(const Request *request, int code, const char *message);

/** A notification, or a request with an id: begin puts everything up to the params' members. */
tn_writer *notification_begin(const char *method);
tn_writer *demand_begin(const char *id, const char *method);
void notification_end(Sink *sink, tn_writer *writer);

/** Both texts are the caller's. */
void put_text(tn_writer *writer, const char *key, const char *text);
void put_text_of(tn_writer *writer, const char *key, const char *text, size_t length);
void put_json(tn_writer *writer, const char *key, const char *json);
/** How long an answer holds; only the modern era has words for it. */
void put_lifetime(const Request *request, tn_writer *writer, int64_t ms);

/** A member's text, or NULL. It does not end in NUL. */
const char *member_text(tn_value object, const char *name, size_t *out_length);
bool text_is(const char *text, size_t length, const char *word);

/** A copy that outlives the line it came in. False: no memory. */
bool request_copy(const Request *request, Request *out_copy);
void request_free(Request *request);

/* ---- methods.c ---- */

void method_take(Request *request);
void notification_take(const Request *request);

/* ---- tools.c ---- */

void tools_list(const Request *request);
void tool_call(Request *request);
/** The answer of a tool: one text, an error or not, and more members. */
tn_writer *tool_answer_begin(const Request *request, const char *text, size_t length,
                             bool is_error);

/** A tool's answer that is one text. */
void tool_answer(const Request *request, const char *text, bool is_error);

/* ---- answer.c ---- */

void answer_outcome(Job *job, const tn_outcome *outcome);

/* ---- answer_item.c ---- */

/** For the value of an item's program. */
void answer_item(Job *job, const tn_outcome *outcome);

/* ---- ask.c ---- */

/** What these capabilities of a client say. */
Can can_of(tn_value capabilities);
/** And what the client of a request has said. */
Can can_of_request(const Request *request);
/** tn_run_options.ask; `job` is a Job. */
void ask_take(void *job, tn_question *question);
/** A program asks: `params` is given. `key` may be of no text. */
void ask_call(Job *job, tn_call *call, const char *method, tn_writer *params, tn_value key);
/** Under the lock: send the questions that were not sent. */
void ask_post(Job *job);
/** What a client says to a question: a response with our id. */
void ask_answer(const Request *request, tn_value result, tn_value error);
/** A request that goes on with a parked job. */
void ask_resume(Request *request);
/** The job is over: what is still open is refused, and the client told. */
void ask_drop(Job *job);
/** 32 hexadecimal digits that nobody can foresee. False: the system has none. */
bool random_id(char *out);

/* ---- client.c ---- */

/** What programs of items are checked against beside their arguments. */
extern const char client_declarations[];
/** The level's place, or -1. */
int log_level(const char *text, size_t length);

/* ---- config.c, items.c ---- */

/** NULL: there is none of that name. */
Item *item_find(const Door *door, ItemKind kind, const char *name, size_t length);
/** Members that are said of it as they stand, all but ours. */
void put_item(tn_writer *writer, const Item *item);
/** Its program for this engine, compiled if it was not; complains. NULL: it cannot run. */
tn_program *item_program(Door *door, DoorEngine *held, Item *item);
/** All of them, until the door closes. */
void items_compile(Door *door);
/** The options of its program. */
tn_run_options item_run_options(const Job *job);
bool has_items(const Door *door, ItemKind kind);
/** Begin its program with these arguments (NONE: nothing). */
void item_begin(Request *request, Item *item, tn_value arguments);

/* ---- offer.c ---- */

/* Of a resource: one of text and bytes. */
typedef struct Contents {
    const char *uri;
    size_t uri_length;
    const char *text, *bytes;
    size_t length;
} Contents;

void put_contents(const Request *request, const Item *item, Contents contents);

void prompts_list(const Request *request);
void prompts_get(Request *request);
void complete(const Request *request);
void templates_list(const Request *request);
/** True: it was one of a configured resource or template, and is answered or will be. */
bool resource_item(Request *request, const char *uri, size_t length);
void set_level(const Request *request);

/* ---- watch.c ---- */

void watch_subscribe(const Request *request);
void watch_unsubscribe(const Request *request);
void watch_listen(const Request *request);
/** What a client says about a request of its own: that it is cancelled. */
void watch_cancel(const Request *request);
void watches_leave(Door *door, const Sink *sink);
void watches_forget(Door *door, const Peer *peer);
/** The door closes: those who listen are answered. */
void watches_end(Door *door);
/** That resource has changed. */
void watches_tell(Door *door, const char *uri, size_t length);

/* ---- base64.c ---- */

/** Text of these bytes, freed with free(); NULL: no memory. */
char *base64_of(const char *bytes, size_t length);
/** Into `out`, which has room for `length`; how many bytes, or -1. */
ssize_t base64_read(const char *text, size_t length, char *out);

/* ---- job.c ---- */

/** What is to be done for a request: its program; or what is looked up in an engine that is not
 * open yet; or an item's program. */
typedef struct Task {
    void (*look)(const Request *request);
    Item *item;
    tn_writer *input; /* given */
} Task;

void job_begin(Request *request, Task task);
bool same_id(tn_value a, tn_value b);
void job_cancel(const Request *request, tn_value id);
/** Who waited for this answer has gone: what works for it ends. */
void jobs_leave(Door *door, const Sink *sink);
/** All that was begun by it. */
void jobs_forget(Door *door, const Peer *peer);
/** Tell clients now and then that their programs go on, until the door closes: a thread's work. */
void *jobs_watch(void *door);
/** Cancel them all and wait for their ends. */
void jobs_end(Door *door);

/* ---- keep.c ---- */

/** Keep a value's JSON under a run's number; the oldest goes. Copies. False:
 * no memory. */
bool keep_value(Door *door, unsigned number, const char *json, size_t length);
void resources_list(const Request *request);
void resources_read(Request *request);
void keep_release(Door *door);

#endif
