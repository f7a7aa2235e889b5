/* What the public types are made of, for the files that see the whole tree: engine.c, run.c and
 * pipeline.c. */
#ifndef TENON_WHOLE_H
#define TENON_WHOLE_H

#include <pthread.h>

#include "advice.h"
#include "calls.h"
#include "check.h"
#include "digest.h"
#include "erase.h"
#include "findings.h"
#include "journal.h"
#include "limits.h"
#include "outcome.h"
#include "realm.h"
#include "registry.h"
#include "source.h"
#include "zone.h"

/* The name of what we declare ourselves: packages in the ways in which nobody declared them. */
#define MISSING_DECLARATIONS "tenon-packages.d.ts"

typedef struct Package Package;
struct McpClient;

/* What programs may call, made to be asked about: of all there is, or under a policy. */
enum { VIEWS_KEPT = 4 };
typedef struct View {
    uint64_t shown; /* rules_shown of the policy */
    uint64_t asked; /* when, by the count of questions */
    unsigned readers;
    bool kept;   /* by the engine, for the next who asks */
    Arena arena; /* of the declarations, where they are others than the engine's */
    struct Inventory *inventory;
} View;
struct HttpClient;

struct tn_engine {
    tn_allocator allocator;
    tn_limits limits;
    const EngineCode *code;
    int signal;
    bool guard;
    unsigned kept;
    Registry registry;
    Zone *zone; /* the host's */
    pthread_mutex_t lock;
    bool closed; /* it is being opened: nothing more is added */
    bool ready;  /* it is open */
    Image *image;
    RealmPool pool;
    uint32_t warm_count; /* atomic: programs that hold the slot they were compiled in */
    Checker *checker;    /* NULL: no compiler was named */
    tn_checker checking;
    Declaration *declarations; /* in the registry's arena */
    size_t declaration_count, declaration_capacity;
    Offer offer;             /* what programs may call, for advice */
    View *views[VIEWS_KEPT]; /* the same, for who asks; under the lock, like the next */
    uint64_t views_asked;
    const char *cache; /* where what was known is kept; NULL: nowhere */
    tn_cache_use cache_use;
    struct Keep *keep;        /* that file, open; NULL: it cannot be used */
    pthread_mutex_t learning; /* of what results have looked like since */
    bool outdated;            /* atomic: a server offers something else by now */
    Arena learned;            /* its texts */
    struct McpClient *mcp;    /* NULL: no servers */
    void (*elicit)(void *user, tn_elicitation *elicitation);
    void *elicit_user;
    struct HttpClient *http; /* NULL: nothing goes to the web yet; engine_http */
    bool has_fetch;          /* programs find the global */
    Package *packages;       /* of servers; in the registry's arena, like the problems */
    size_t package_count;
    struct Services *services; /* of OpenAPI documents; NULL: none */
    const char **problems;
    size_t problem_count;
    uint64_t seed_key;
    uint64_t seed_count; /* atomic */
    uint32_t run_count;  /* atomic: a generation for each run */
};

struct tn_program {
    tn_engine *engine;
    Arena arena;
    const Source *source;
    const Source *javascript; /* what runs: the source itself, or without its types */
    const Erased *erased;     /* how places in it are found in the source; NULL: they are equal */
    Findings findings;
    tn_finding *told; /* the same for the public, findings.count of them */
    bool ready;
    Slot *warm;           /* atomic: compiled in it, not yet run; the first run takes it */
    pthread_mutex_t lock; /* of the cards while they are made */
    bool has_cards;
    ProgramCards cards; /* from the second run on */
    double compile_us;
    tn_export *exports; /* what it was asked for, in the arena */
    size_t export_count;
};

typedef enum RunPhase {
    RUN_NEW,
    RUN_CALL, /* an exported function is to be called */
    RUN_GOING,
    RUN_LINGERING, /* settled well; what is open may finish */
    RUN_DONE
} RunPhase;

struct tn_run {
    tn_program *program;
    tn_allocator allocator;
    tn_limits limits;
    RunPhase phase;
    bool keeps_realm; /* done, and exports can be called */
    bool for_exports; /* the program's own value is not wanted */
    bool is_call;     /* what goes on is a call of an export, not the program itself */
    volatile bool cancelled;
    Wake *wake;
    Journal journal;
    tn_journal *log; /* where it is written down too; NULL: nowhere */
    bool durable;
    const char *label;                  /* the host's */
    char policy_hash[DIGEST_HEX_BYTES]; /* of the policy's text, or "" */
    Calls calls;
    Console console;
    Realm realm;
    bool has_realm;
    Zone *zone;    /* the run's own; NULL: the engine's */
    double now_ms; /* of the program's clock, at the start */
    bool seeded;
    uint64_t random_state;
    Buf input;
    RealmInvoke call_how;
    uint32_t call_held;
    Buf call_name, call_arguments;
    unsigned users;     /* who drives it, and its handles */
    uint64_t origin_ns; /* of the program's clock: never set back */
    uint64_t start_ns, wall_deadline_ns, linger_until_ns, wake_ns;
    uint64_t peak_bytes;
    tn_outcome *outcome;
};

static inline double run_elapsed_ms(const tn_run *run)
{
    return (double)(watch_now_ns() - run->start_ns) / 1e6;
}

/** Make the image if this is the first program. */
tn_status engine_close(tn_engine *engine);

/** The engine's one HTTP client, made when it is first asked for. Errors: TN_ERR_NOMEM. Before the
 * image is made. */
tn_status engine_http(tn_engine *engine, struct HttpClient **out_client);

/** tn_engine_add_declarations, also while the engine is being opened. */
tn_status engine_declare(tn_engine *engine, const char *name, const char *text, size_t length);

/** What a run of it begins with in its journal, and what it ends with. TN_ERR_SYSTEM. */
tn_status written_begin(tn_run *run, const char *after);
void written_end(tn_run *run);

/** From text to a program that can be run, or to findings that say why not. */
tn_status pipeline_compile(tn_program *program, const tn_program_options *options, const char *text,
                           size_t length);

/** For a program whose warm slot is taken: the cards to open realms from. */
tn_status pipeline_cards(tn_program *program);

/** Do some work on a realm's own stack, which is large: whatever recurses as deep as a text says.
 */
tn_status pipeline_on_large_stack(tn_engine *engine, void (*work)(void *argument), void *argument);

/** Start a run anew with a call as its work; `held` and `name` as realm_invoke has them. */
tn_status run_begin_call(tn_run *run, RealmInvoke how, uint32_t held, const char *name,
                         tn_value arguments);

/** Drive a run until it is done; its outcome. */
tn_status run_to_end(tn_run *run, tn_outcome **out_outcome);

/** Take a run as far as it goes without waiting. */
tn_status pipeline_step(tn_run *run, tn_run_state *out_state);

#endif
