/* The journal on disk: what is in it on every way a run can end, and what becomes of it when the
 * process is killed, the disk is full, the file is another one, or several write at once. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "try.h"

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static tn_journal *open_at(const char *name, const tn_journal_options *options)
{
    tn_journal *journal = NULL;
    char *fault = NULL;

    if (!CHECK(tn_journal_open(path_of(name), options, &journal, &fault) == TN_OK))
        (void)fprintf(stderr, "    %s\n", fault ? fault : "");
    tn_text_free(fault);
    return journal;
}

/* ---- a world ---- */

static tn_journal *watched; /* of the run: what a function sees in it while it runs */
static char seen[4096];
static int calls_made;
static tn_call *kept;

static void echo(void *user, tn_call *call)
{
    (void)user;
    calls_made++;
    tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

static void fail(void *user, tn_call *call)
{
    (void)user;
    calls_made++;
    tn_call_fail(call, "E_FULL", "the mailbox is full", true);
}

static void later(void *user, tn_call *call)
{
    (void)user;
    calls_made++;
    CHECK(tn_call_defer(call) == TN_OK);
    kept = call;
}

static void cancel(void *user, tn_call *call)
{
    (void)user;
    calls_made++;
    tn_run_cancel(*(tn_run **)tn_call_context(call));
}

/* Look into the file as another process would. */
static void look_at(const char *name)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    tn_journal *reader = NULL;
    char *text = NULL;
    size_t length = 0;

    options.read_only = true;
    seen[0] = '\0';
    if (tn_journal_open(path_of(name), &options, &reader, NULL) == TN_OK &&
        tn_journal_trace(reader, NULL, TN_TRACE_JSON, 0, &text, &length, NULL) == TN_OK)
        (void)snprintf(seen, sizeof seen, "%s", text);
    tn_text_free(text);
    tn_journal_free(reader);
}

static void look(void *user, tn_call *call)
{
    (void)user;
    (void)call;
    calls_made++;
    look_at("look.db");
}

/* At once, or (1) when it is in the file that this call is made. */
static void die(void *user, tn_call *call)
{
    int64_t waits = 0;

    (void)user;
    (void)tn_value_int(tn_call_argument(call, 0), &waits);
    seen[0] = '\0';
    for (int tries = 0; waits && !strstr(seen, "a.die\",") && tries < 2000; tries++) {
        (void)usleep(10000);
        look_at("killed.db");
    }
    (void)kill(getpid(), SIGKILL);
}

static void set_up(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "a.list", echo, NULL, TN_FUNCTION_READ_ONLY) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.send", echo, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.now", echo, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.fail", fail, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.later", later, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.cancel", cancel, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.die", die, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "a.look", look, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "mock.send", echo, NULL, 0) == TN_OK);
}

typedef struct Written {
    Try try;
    tn_journal *journal;
    tn_journal_level level;
    tn_policy *policy;
    const char *label;
    char *text; /* the last trace */
} Written;

static tn_run_options options_of(Written *written)
{
    tn_run_options options = try_options(&written->try);

    options.journal = written->journal;
    options.journal_level = written->level;
    options.policy = written->policy;
    options.label = written->label;
    options.context = &written->try.run;
    return options;
}

static tn_outcome *run_it(Written *written, const char *program)
{
    written->try.setup = set_up;
    calls_made = 0;
    if (!try_program(&written->try, program))
        return NULL;
    tn_run_options options = options_of(written);
    if (!CHECK(tn_run_start(written->try.program, &options, &written->try.run) == TN_OK))
        return NULL;
    tn_outcome *outcome = try_finish(&written->try);
    if (kept) { /* its run is over, it is still ours to end */
        tn_call_finish(kept);
        kept = NULL;
    }
    return outcome;
}

static const char *trace_of(Written *written, const char *run, tn_trace_form form)
{
    size_t length = 0;
    char *fault = NULL;

    tn_text_free(written->text);
    written->text = NULL;
    CHECK(tn_journal_trace(written->journal, run, form, 0, &written->text, &length, &fault) ==
          TN_OK);
    if (fault)
        (void)fprintf(stderr, "    %s\n", fault);
    tn_text_free(fault);
    return written->text ? written->text : "";
}

/* The outcome itself; valid until the next trace. */
static const char *outcome_of(Written *written)
{
    size_t length = 0;

    tn_text_free(written->text);
    written->text = NULL;
    if (written->try.outcome)
        CHECK(tn_outcome_json(written->try.outcome, &written->text, &length) == TN_OK);
    return written->text ? written->text : "";
}

static bool holds(const char *text, const char *part)
{
    if (strstr(text, part))
        return true;
    (void)fprintf(stderr, "    no %s in\n    %s\n", part, text);
    return false;
}

static void end(Written *written)
{
    try_end(&written->try);
    tn_policy_free(written->policy);
    tn_journal_free(written->journal);
    tn_text_free(written->text);
    *written = (Written){0};
}

/* ---- what is in it ---- */

static void keeps_a_run(void)
{
    Written written = {.journal = open_at("run.db", NULL), .label = "tenant 7"};
    struct stat file;
    const char *id;
    char beginning[5] = "";

    tn_outcome *outcome = run_it(&written, "await a.list({x: 1n}, [new Date(0)]); a.now('é'); "
                                           "await a.fail().catch(() => 0); 7");
    id = outcome ? tn_outcome_run(outcome) : NULL;
    if (!CHECK(id && strlen(id) == 12))
        return;
    CHECK(holds(outcome_of(&written), "\"run\":\""));
    (void)snprintf(beginning, sizeof beginning, "%s", id);
    const char *text = trace_of(&written, beginning, TN_TRACE_JSON);
    CHECK(holds(text, "\"status\":\"ok\"") && holds(text, "\"label\":\"tenant 7\"") &&
          holds(text, "\"level\":\"normal\"") && holds(text, "\"callCount\":3") &&
          holds(text, "\"source\":\"await a.list"));
    CHECK(holds(text, "\"arguments\":[{\"x\":{\"$type\":\"bigint\",\"value\":\"1\"}},"
                      "[{\"$type\":\"date\",\"value\":\"1970-01-01T00:00:00.000Z\"}]]"));
    CHECK(holds(text, "\"name\":\"a.now\"") && holds(text, "\"result\":\"\xC3\xA9\""));
    CHECK(holds(text, "\"error\":{\"message\":\"the mailbox is full\",\"code\":\"E_FULL\","
                      "\"retryable\":true}"));
    CHECK(stat(path_of("run.db"), &file) == 0 && (file.st_mode & 0777) == 0600);

    /* in memory there is nothing but the effects */
    tn_journal *journal = written.journal;
    written.journal = NULL;
    outcome = run_it(&written, "await a.send(1)");
    CHECK(outcome && !tn_outcome_run(outcome) && tn_outcome_effect_count(outcome) == 1);
    CHECK(!strstr(outcome_of(&written), "\"run\""));
    written.journal = journal;
    end(&written);
}

static void keeps_what_the_policy_did(void)
{
    static const char rules[] =
        "{\"rules\":[{\"deny\":\"a.fail\",\"reason\":\"not here\"}],\"bound\":{\"a.list\":"
        "{\"user\":7}},\"override\":{\"a.send\":{\"function\":\"mock.send\"}}}";
    Written written = {.journal = open_at("policy.db", NULL)};

    CHECK(tn_policy_new(rules, sizeof rules - 1, &written.policy, NULL) == TN_OK);
    tn_outcome *outcome = run_it(&written, "await a.list({q: 1}); await a.send(2); const x = a; "
                                           "await x['fail'](3)");
    CHECK(outcome && tn_outcome_status_of(outcome) == TN_OUTCOME_DENIED);
    const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
    CHECK(holds(text, "\"arguments\":[{\"q\":1}],\"handedOver\":{\"q\":1,\"user\":7}"));
    CHECK(holds(text, "\"ran\":\"mock.send\"") &&
          holds(text, "\"state\":\"denied\",\"made\":false"));
    CHECK(holds(text, "\"policySha256\":\"") && holds(text, "\"status\":\"denied\""));
    end(&written);
}

static void again(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_OK);
}

static void keeps_originals(void)
{
    Written written = {.journal = open_at("original.db", NULL)};

    CHECK(tn_policy_new(NULL, 0, &written.policy, NULL) == TN_OK);
    CHECK(tn_policy_override(written.policy, "a.send", again, NULL) == TN_OK);
    tn_outcome *outcome = run_it(&written, "await Promise.all([a.send(1), a.list(5), a.send(2)])");
    CHECK(outcome && tn_outcome_status_of(outcome) == TN_OUTCOME_OK);
    const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
    CHECK(holds(text, "\"originalOf\":1") && holds(text, "\"ran\":\"a host function\""));
    text = trace_of(&written, NULL, TN_TRACE_TEXT);
    const char *first = strstr(text, "a.send(1)");
    const char *below = first ? strstr(first, "original a.send(1)") : NULL;
    const char *second = strstr(text, "a.list(5)");
    CHECK_SAY(below && second && below < second, "%s", text);
    end(&written);
}

/* Arguments and result larger than what is kept are known by their length and hash. */
static void leaves_out_large_values(void)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    Written written = {0};

    options.value_bytes = 100;
    written.journal = open_at("large.db", &options);
    /* 95 bytes of text are 97 in CBOR, 99 are 101 */
    run_it(&written, "await a.send('x'.repeat(95)); await a.send('x'.repeat(99))");
    const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
    CHECK(holds(text, "\"arguments\":[\"xxxxx"));
    /* sha-256 of 0x78 0x63 and 99 x */
    CHECK(holds(text, "\"argumentsLeftOut\":{\"bytes\":101,\"sha256\":"
                      "\"eeb11db031fe191c5e6f29fabd5418d59a5a7f1308819abf2074ea765db40ed8\"}"));
    CHECK(holds(text, "\"resultLeftOut\":{\"bytes\":101"));
    end(&written);
}

/* Whatever ends a run: its calls are in the outcome, in order, and in the journal. */
static void knows_every_end(void)
{
    static const struct {
        const char *program, *status, *state;
        tn_limits limits;
    } ends[] = {
        {"await a.send(1); await a.list(0); await a.send(2)", "ok", "answered", {0}},
        {"await a.send(1); await a.send(2); throw new Error('x')", "failed", "answered", {0}},
        {"await a.send(1); await a.fail()", "failed", "failed", {0}},
        {"await a.send(1); await a.send(2); for (;;) {}", "limit", "answered", {.cpu_ms = 50}},
        {"await a.send(1); await a.later(); 1", "limit", "cancelled", {.wall_ms = 100}},
        {"await a.send(1); await a.send(2); await a.send(3)", "limit", "answered", {.calls = 2}},
        {"await a.send(1); await a.cancel(); await a.send(3)", "cancelled", "answered", {0}},
        {"await a.send(1); a.later(); 1", "ok", "cancelled", {.linger_ms = 20}},
        {"await a.send(1); await a.send('x'.repeat(200)); 'y'.repeat(9000)",
         "limit",
         "answered",
         {.result_bytes = 1000}},
    };
    Written written = {.journal = open_at("ends.db", NULL)};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char wanted[64];
        written.try.limits = ends[i].limits;
        written.try.limits.size = sizeof ends[i].limits;
        tn_outcome *outcome = run_it(&written, ends[i].program);
        if (!outcome)
            continue;
        CHECK_SAY(strcmp(tn_outcome_status_text(tn_outcome_status_of(outcome)), ends[i].status) ==
                      0,
                  "%s: %s", ends[i].program, tn_outcome_status_text(tn_outcome_status_of(outcome)));
        CHECK_SAY(tn_outcome_effect_count(outcome) == 2, "%s: %zu effects", ends[i].program,
                  tn_outcome_effect_count(outcome));
        CHECK(strcmp(tn_outcome_effect(outcome, 0)->name, "a.send") == 0);
        const char *text = trace_of(&written, tn_outcome_run(outcome), TN_TRACE_JSON);
        (void)snprintf(wanted, sizeof wanted, "\"status\":\"%s\"", ends[i].status);
        CHECK(holds(text, wanted));
        (void)snprintf(wanted, sizeof wanted, "\"state\":\"%s\"", ends[i].state);
        CHECK(holds(text, wanted));
        CHECK(!strstr(text, "\"state\":\"open\""));
    }
    run_it(&written, "this is no program");
    CHECK(holds(trace_of(&written, NULL, TN_TRACE_JSON), "\"status\":\"refused\""));

    /* given up by its host */
    if (try_program(&written.try, "await a.send(1); await a.later()")) {
        tn_run_options options = options_of(&written);
        tn_run_state state;
        CHECK(tn_run_start(written.try.program, &options, &written.try.run) == TN_OK);
        CHECK(tn_run_step(written.try.run, &state) == TN_OK && state == TN_RUN_WAITING);
        try_clear(&written.try);
        tn_call_finish(kept);
        kept = NULL;
        const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
        CHECK(holds(text, "\"status\":\"abandoned\"") && holds(text, "\"state\":\"cancelled\""));
    }
    end(&written);
}

static void links_calls_of_exports(void)
{
    Written written = {.journal = open_at("exports.db", NULL)};
    tn_outcome *outcome = run_it(&written, "export async function f(n) { return a.send(n) }");
    char first[16] = "", wanted[40];

    if (!outcome)
        return;
    (void)snprintf(first, sizeof first, "%s", tn_outcome_run(outcome));
    tn_writer *writer = NULL;
    CHECK(tn_writer_new(&writer) == TN_OK && tn_put_json(writer, "[5]", 3) == TN_OK);
    CHECK(tn_run_call(written.try.run, "f", tn_writer_value(writer)) == TN_OK);
    outcome = try_finish(&written.try);
    CHECK(outcome && tn_outcome_run(outcome) && strcmp(tn_outcome_run(outcome), first) != 0);
    (void)snprintf(wanted, sizeof wanted, "\"after\":\"%s\"", first);
    const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
    CHECK(holds(text, wanted) && holds(text, "\"name\":\"a.send\""));
    tn_writer_free(writer);
    end(&written);
}

/* ---- levels ---- */

static void durable_is_on_disk_first(void)
{
    Written written = {.journal = open_at("look.db", NULL), .level = TN_JOURNAL_DURABLE};

    run_it(&written, "await a.send(1); await a.look({secret: 2}); 3");
    CHECK(holds(seen, "\"status\":\"unfinished\"") && holds(seen, "\"level\":\"durable\""));
    CHECK(holds(seen, "\"name\":\"a.look\",\"line\":1,\"state\":\"open\",\"made\":true") &&
          holds(seen, "\"arguments\":[{\"secret\":2}]"));
    /* and its end is there with the outcome, without anybody asking for it */
    look_at("look.db");
    CHECK(holds(seen, "\"status\":\"ok\""));
    end(&written);
}

/* A process that is killed in the middle of a call. */
static void killed(tn_journal_level level, const char *program, const char *wanted)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    Written written = {0};
    int status = 0;
    pid_t child;

    (void)unlink(path_of("killed.db"));
    (void)fflush(NULL);
    child = fork();
    if (child == 0) {
        Written own = {.journal = open_at("killed.db", NULL), .level = level};
        run_it(&own, program);
        _exit(1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
          WTERMSIG(status) == SIGKILL);
    options.read_only = true;
    written.journal = open_at("killed.db", &options);
    if (written.journal) {
        const char *text = trace_of(&written, NULL, TN_TRACE_JSON);
        CHECK_SAY(holds(text, "\"status\":\"unfinished\"") && holds(text, wanted), "%s", program);
    }
    end(&written);
    /* who comes next writes on */
    written.journal = open_at("killed.db", NULL);
    tn_outcome *outcome = run_it(&written, "await a.send(9)");
    CHECK(outcome && tn_outcome_run(outcome) &&
          holds(trace_of(&written, NULL, TN_TRACE_JSON), "\"arguments\":[9]"));
    end(&written);
}

static void survives_a_kill(void)
{
    static const char open[] = "\"name\":\"a.die\",\"line\":1,\"state\":\"open\",\"made\":true";

    killed(TN_JOURNAL_DURABLE, "await a.send(1); await a.die(0)", open);
    killed(TN_JOURNAL_NORMAL, "await a.send(1); await a.die(1)", open);
    killed(TN_JOURNAL_DURABLE, "for (let i = 0; i < 40; i++) await a.send(i); await a.die(0)",
           "\"callCount\":41");
}

/* ---- what cannot be written ---- */

static void set_file_limit(rlim_t bytes)
{
    struct rlimit limit = {bytes, RLIM_INFINITY};

    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* A file that may not grow is to it what a full disk is. */
static void refuses_what_cannot_be_written(void)
{
    Written written = {.journal = open_at("full.db", NULL), .level = TN_JOURNAL_DURABLE};
    char *fault = NULL;

    run_it(&written, "await a.send(1)");
    set_file_limit(4096);
    tn_outcome *outcome = run_it(
        &written, "const c = await a.send('x'.repeat(50000)).then(() => 0, e => e.code); "
                  "const d = (() => { try { return a.now(1) } catch (e) { return e.message } })();"
                  "[c, d]");
    set_file_limit(RLIM_INFINITY);
    CHECK(calls_made == 0);
    CHECK_SAY(strncmp(try_json(&written.try), "[\"JOURNAL\",\"the call was not made", 33) == 0,
              "%s", outcome_of(&written));
    CHECK(outcome && !tn_outcome_run(outcome) && tn_outcome_effect_count(outcome) == 0);
    CHECK(holds(outcome_of(&written), "TN2004"));

    written.level = TN_JOURNAL_NORMAL;
    set_file_limit(4096);
    run_it(&written, "await a.send('x'.repeat(50000)); 8");
    CHECK(strcmp(try_json(&written.try), "8") == 0 && calls_made == 1);
    CHECK(tn_journal_flush(written.journal, &fault) == TN_ERR_SYSTEM && fault &&
          holds(fault, "full.db: "));
    tn_text_free(fault);
    set_file_limit(RLIM_INFINITY);
    CHECK(tn_journal_flush(written.journal, NULL) == TN_OK);

    /* as soon as there is room it goes on */
    outcome = run_it(&written, "await a.send(77)");
    CHECK(outcome && tn_outcome_run(outcome) &&
          holds(trace_of(&written, NULL, TN_TRACE_JSON), "\"arguments\":[77]"));
    CHECK(tn_journal_flush(written.journal, NULL) == TN_OK);
    end(&written);
}

static void put_file(const char *name, const char *text, size_t length)
{
    int file = open(path_of(name), O_WRONLY | O_CREAT, 0644);

    CHECK(file >= 0 && write(file, text, length) == (ssize_t)length);
    close(file);
}

static void refused_at(const char *name, tn_status wanted, const char *words)
{
    tn_journal *journal = NULL;
    char *fault = NULL;
    tn_status status = tn_journal_open(path_of(name), NULL, &journal, &fault);

    CHECK_SAY(status == wanted, "%s: %s", name, tn_status_text(status));
    CHECK(!journal && fault && holds(fault, words) && holds(fault, name));
    tn_text_free(fault);
}

static void leaves_other_files_alone(void)
{
    static const char text[] = "Dear diary, this is far longer than the head of a database is, and "
                               "no database at all; nobody is to write anything into it.\n";
    char back[sizeof text] = "";
    Written written = {0};
    int file;

    put_file("diary.txt", text, sizeof text);
    refused_at("diary.txt", TN_ERR_ARGUMENT, "not a journal: it is left alone");
    file = open(path_of("diary.txt"), O_RDONLY);
    CHECK(read(file, back, sizeof back) == sizeof back && memcmp(back, text, sizeof text) == 0);
    close(file);
    refused_at("none/journal.db", TN_ERR_NOT_FOUND, "No such file");
    CHECK(mkdir(path_of("is-a-folder"), 0700) == 0);
    refused_at("is-a-folder", TN_ERR_SYSTEM, "directory");
    if (geteuid() != 0) {
        CHECK(mkdir(path_of("closed"), 0500) == 0);
        refused_at("closed/journal.db", TN_ERR_SYSTEM, "ermission");
    }

    /* one of ours that was damaged */
    written.journal = open_at("damaged.db", NULL);
    for (int i = 0; i < 40; i++)
        run_it(&written, "await a.send('x'.repeat(20000))");
    end(&written);
    file = open(path_of("damaged.db"), O_WRONLY);
    for (off_t at = 4096; at < 400000; at += 4096)
        CHECK(pwrite(file, text, sizeof text, at) == sizeof text);
    close(file);
    (void)unlink(path_of("damaged.db-wal"));
    (void)unlink(path_of("damaged.db-shm"));
    char *fault = NULL;
    tn_status status = tn_journal_open(path_of("damaged.db"), NULL, &written.journal, &fault);
    if (status == TN_OK) { /* seen when it is written to */
        run_it(&written, "await a.send(1); 5");
        CHECK(strcmp(try_json(&written.try), "5") == 0);
        CHECK(tn_journal_flush(written.journal, &fault) == TN_ERR_SYSTEM);
    }
    CHECK(fault && holds(fault, "damaged"));
    tn_text_free(fault);
    end(&written);
}

/* ---- several at once ---- */

enum { WRITERS = 3, RUNS_EACH = 30 };

static void *write_runs(void *argument)
{
    tn_program *program = argument;
    tn_run_options options = TN_INIT(tn_run_options);

    options.journal = watched;
    for (int i = 0; i < RUNS_EACH; i++) {
        tn_outcome *outcome = NULL;
        if (CHECK(tn_run_program(program, &options, &outcome) == TN_OK))
            CHECK(tn_outcome_run(outcome) != NULL);
        tn_outcome_free(outcome);
    }
    return NULL;
}

static void write_from_threads(const char *name)
{
    Try try = {.setup = set_up};
    pthread_t threads[WRITERS];

    watched = open_at(name, NULL);
    tn_program *program = try_program(&try, "await Promise.all([1, 2, 3].map(a.send))");
    for (int i = 0; watched && i < WRITERS; i++)
        CHECK(pthread_create(&threads[i], NULL, write_runs, program) == 0);
    for (int i = 0; watched && i < WRITERS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(tn_journal_flush(watched, NULL) == TN_OK);
    try_end(&try);
    tn_journal_free(watched);
    watched = NULL;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    while ((text = strstr(text, part))) {
        text += strlen(part);
        count++;
    }
    return count;
}

static void several_write_at_once(void)
{
    pid_t children[3];
    Written written = {0};
    char *text = NULL;
    size_t length = 0;

    (void)fflush(NULL);
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            write_from_threads("shared.db");
            _exit(check_wrong_ != 0);
        }
    }
    for (int i = 0; i < 3; i++) {
        int status = 0;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    written.journal = open_at("shared.db", NULL);
    CHECK(tn_journal_list(written.journal, 1000, TN_TRACE_JSON, &text, &length, NULL) == TN_OK);
    if (text) {
        CHECK(count_of(text, "\"status\":\"ok\"") == 3 * WRITERS * RUNS_EACH);
        CHECK(count_of(text, "\"callCount\":3") == 3 * WRITERS * RUNS_EACH);
    }
    tn_text_free(text);
    end(&written);
}

/* ---- how much is kept ---- */

static size_t runs_in(tn_journal *journal)
{
    char *text = NULL;
    size_t length, count = 0;

    if (CHECK(tn_journal_list(journal, 1000, TN_TRACE_JSON, &text, &length, NULL) == TN_OK))
        count = count_of(text, "\"run\":");
    tn_text_free(text);
    return count;
}

static void forgets_the_oldest(void)
{
    tn_journal_options options = TN_INIT(tn_journal_options);
    Written written = {0};
    struct stat file;

    options.keep_runs = 5;
    written.journal = open_at("few.db", &options);
    for (int i = 0; i < 140; i++)
        run_it(&written, "await a.send(1)");
    CHECK(tn_journal_flush(written.journal, NULL) == TN_OK);
    /* looked after every 64 */
    CHECK_SAY(runs_in(written.journal) <= 5 + 64, "%zu runs", runs_in(written.journal));
    end(&written);
    written.journal = open_at("few.db", &options);
    run_it(&written, "await a.send(2)");
    end(&written);
    written.journal = open_at("few.db", &options);
    CHECK_SAY(runs_in(written.journal) == 5, "%zu runs", runs_in(written.journal));
    CHECK(holds(trace_of(&written, NULL, TN_TRACE_JSON), "\"arguments\":[2]"));
    end(&written);

    options.keep_runs = 0;
    options.keep_bytes = 1 << 20;
    written.journal = open_at("small.db", &options);
    for (int i = 0; i < 200; i++)
        run_it(&written, "await a.send('x'.repeat(20000))"); /* 40 KB, 8 MB in all */
    end(&written);
    written.journal = open_at("small.db", &options);
    run_it(&written, "await a.send(2)");
    end(&written);
    CHECK(stat(path_of("small.db"), &file) == 0);
    CHECK_SAY(file.st_size < 4 << 20, "%lld bytes", (long long)file.st_size);
    written.journal = open_at("small.db", &options);
    CHECK(runs_in(written.journal) > 5 && runs_in(written.journal) < 60);
    end(&written);
}

static void finds_by_a_beginning(void)
{
    Written written = {.journal = open_at("ids.db", NULL)};
    char *text = NULL, *fault = NULL;
    size_t length;

    CHECK(tn_journal_trace(written.journal, NULL, TN_TRACE_TEXT, 0, &text, &length, &fault) ==
          TN_ERR_NOT_FOUND);
    CHECK(fault && holds(fault, "there is no run in it"));
    tn_text_free(fault);
    for (int i = 0; i < 40; i++) /* more than there are letters: two begin alike */
        run_it(&written, "1");
    const char *letters = "0123456789abcdefghjkmnpqrstvwxyz";
    unsigned several = 0;
    for (int i = 0; i < 32; i++) {
        char one[2] = {letters[i], 0};
        fault = NULL;
        tn_status status =
            tn_journal_trace(written.journal, one, TN_TRACE_TEXT, 0, &text, &length, &fault);
        if (status == TN_OK)
            tn_text_free(text);
        several += status == TN_ERR_ARGUMENT && fault && strstr(fault, "several runs begin with");
        tn_text_free(fault);
    }
    CHECK(several > 0);
    fault = NULL;
    CHECK(tn_journal_trace(written.journal, "%_'", TN_TRACE_TEXT, 0, &text, &length, &fault) ==
          TN_ERR_NOT_FOUND);
    tn_text_free(fault);
    end(&written);
}

int main(int argc, char **argv)
{
    int wrong;

    (void)snprintf(folder, sizeof folder, "/tmp/tenon-journal-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    wrong = RUN(
        argc, argv, {"keeps a run", keeps_a_run},
        {"keeps what the policy did", keeps_what_the_policy_did},
        {"keeps originals", keeps_originals}, {"leaves out large values", leaves_out_large_values},
        {"knows every end", knows_every_end}, {"links calls of exports", links_calls_of_exports},
        {"durable is on disk first", durable_is_on_disk_first},
        {"survives a kill", survives_a_kill},
        {"refuses what cannot be written", refuses_what_cannot_be_written},
        {"leaves other files alone", leaves_other_files_alone},
        {"several write at once", several_write_at_once},
        {"forgets the oldest", forgets_the_oldest}, {"finds by a beginning", finds_by_a_beginning});
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || wrong;
}
