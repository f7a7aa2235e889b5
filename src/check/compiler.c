/* A check is one little project: a configuration that names the program and the declarations. The
 * program stands at a path that was never used before and cannot be guessed; a declaration at one
 * that is a hash of what is in it, so that it is read once and then known. The project is opened,
 * asked, and closed with the next one.
 *
 * The compiler's programming interface calls itself unstable: the version is pinned, and all that
 * is known of it is in this file and in tsc_shape.c. */
#include "compiler.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "clock.h"
#include "facts.h"
#include "tsc_shape.h"
#include "utf8.h"
#include "world.h"

enum {
    MESSAGE_MAX_BYTES = 64 << 20,
    DIAGNOSTICS_MAX = 200, /* looked at */
};

/* ---- its life ---- */

/* Not a moment too long, but a busy machine is not the program's fault: the time counts when the
 * processor worked for it, or when it is five times over. */
static bool time_is_over(void *context, uint64_t *deadline_ns)
{
    Compiler *compiler = context;
    uint64_t now = clock_monotonic_ns();
    double wall_ms = (double)(now - compiler->began_ns) / 1e6;
    double cpu_ms = process_cpu_ms(&compiler->process) - compiler->began_cpu_ms;

    if (cpu_ms >= compiler->time_ms || wall_ms >= 5.0 * compiler->time_ms)
        return true;
    *deadline_ns = now + 20 * 1000000u;
    return false;
}

void compiler_begin_clock(Compiler *compiler, uint32_t time_ms)
{
    compiler->time_ms = time_ms;
    compiler->began_ns = clock_monotonic_ns();
    compiler->began_cpu_ms = process_cpu_ms(&compiler->process);
    compiler->rpc.deadline_ns = compiler->began_ns + (uint64_t)time_ms * 1000000u;
    process_allow_cpu(&compiler->process, 5.0 * time_ms);
}

void compiler_init(Compiler *compiler, const tn_allocator *allocator)
{
    rpc_init(&compiler->rpc, allocator, MESSAGE_MAX_BYTES);
    compiler->rpc.socket = compiler->process.socket;
    compiler->rpc.asked = world_asked;
    compiler->rpc.over = time_is_over;
    compiler->rpc.over_context = compiler;
}

ProcessEnd compiler_end(Compiler *compiler, uint64_t memory_bytes)
{
    ProcessEnd end = process_end(&compiler->process, memory_bytes);

    rpc_release(&compiler->rpc);
    compiler->serial = compiler->snapshot = compiler->checks = 0;
    compiler->config[0] = '\0';
    memset(compiler->clean, 0, sizeof compiler->clean);
    return end;
}

bool compiler_is_open(const Compiler *compiler)
{
    return compiler->process.socket >= 0 && compiler->process.owner == getpid();
}

/* ---- the questions ---- */

/* One project: what stands where. Paths by number and by hash never name two contents. */
typedef struct Project {
    unsigned serial;
    char program[PROJECT_PATH_MAX_BYTES];
    char config[PROJECT_PATH_MAX_BYTES];
    char (*paths)[PROJECT_PATH_MAX_BYTES]; /* of the declarations */
    WorldFile *files;                      /* program, config, declarations */
    size_t count;
} Project;

/* The target is what the engine runs, the library what a realm has (library.c; its name is only the
 * one that it is asked for by). */
static const char config_head[] =
    "{\"compilerOptions\":{\"strict\":true,\"target\":\"esnext\",\"lib\":[\"es2023\"],"
    "\"module\":\"esnext\",\"moduleResolution\":\"bundler\",\"moduleDetection\":\"force\","
    "\"types\":[],\"noEmit\":true},\"files\":[";

/* A name that no other program can guess: the compiler remembers files for a while, and an import
 * by path must not find another tenant's. */
static void name_project(const HashKey *key, unsigned serial, char program[PROJECT_PATH_MAX_BYTES],
                         char config[PROJECT_PATH_MAX_BYTES])
{
    char hex[HASH_HEX_BYTES];

    hash_hex(key, &serial, sizeof serial, hex);
    snprintf(program, PROJECT_PATH_MAX_BYTES, "/%s.ts", hex);
    snprintf(config, PROJECT_PATH_MAX_BYTES, "/%s.json", hex);
}

static tn_status project_init(Project *project, const HashKey *key, unsigned serial, Arena *arena,
                              const ProviderJob *job)
{
    size_t count = job->declaration_count;
    Buf config;

    project->serial = serial;
    project->count = count + 2;
    project->files = ARENA_ARRAY(arena, WorldFile, project->count);
    project->paths = arena_push_array(arena, count + 1, sizeof *project->paths);
    if (!project->files || !project->paths)
        return arena_status(arena);
    name_project(key, serial, project->program, project->config);
    project->files[0] = (WorldFile){project->program, job->text, job->length};
    buf_init(&config, arena->allocator, SIZE_MAX);
    buf_append_string(&config, config_head);
    rpc_put_string(&config, project->program, strlen(project->program));
    for (size_t i = 0; i < count; i++) {
        const Declaration *declaration = &job->declarations[i];
        char hex[HASH_HEX_BYTES];
        hash_hex(key, declaration->text, declaration->length, hex);
        snprintf(project->paths[i], PROJECT_PATH_MAX_BYTES, "/%s.d.ts", hex);
        project->files[i + 2] =
            (WorldFile){project->paths[i], declaration->text, declaration->length};
        buf_append_byte(&config, ',');
        rpc_put_string(&config, project->paths[i], strlen(project->paths[i]));
    }
    buf_append_string(&config, "]}");
    const char *text = arena_text(arena, (const char *)config.data, config.length);
    tn_status status = buf_status(&config);
    project->files[1] = (WorldFile){project->config, text, config.length};
    buf_release(&config);
    return status == TN_OK ? arena_status(arena) : status;
}

/* Forget the project before, open this one. */
static tn_status open_project(Compiler *compiler, const Project *project)
{
    Rpc *rpc = &compiler->rpc;
    Tape tape;
    uint32_t result;
    size_t mark;
    Buf *out;

    if (compiler->snapshot > 0) {
        out = rpc_begin(rpc, "release", &mark);
        buf_append_string(out, "{\"snapshot\":");
        buf_append_uint(out, compiler->snapshot);
        buf_append_byte(out, '}');
        (void)rpc_end(rpc, mark);
    }
    out = rpc_begin(rpc, "updateSnapshot", &mark);
    buf_append_string(out, "{\"openProjects\":[");
    rpc_put_string(out, project->config, strlen(project->config));
    buf_append_string(out, "]");
    if (compiler->config[0] != '\0') {
        buf_append_string(out, ",\"closeProjects\":[");
        rpc_put_string(out, compiler->config, strlen(compiler->config));
        buf_append_string(out, "],\"fileChanges\":{\"deleted\":[");
        rpc_put_string(out, compiler->config, strlen(compiler->config));
        buf_append_byte(out, ',');
        rpc_put_string(out, compiler->program, strlen(compiler->program));
        buf_append_string(out, "]}");
    }
    buf_append_string(out, "}");
    tn_status status = rpc_answer(rpc, rpc_end(rpc, mark), &tape, &result);
    if (status == TN_OK) {
        uint32_t snapshot = tape_token(&tape, result)->kind == JSON_OBJECT
                                ? tape_member(&tape, result, "snapshot")
                                : 0;
        if (snapshot && tape_token(&tape, snapshot)->kind == JSON_NUMBER)
            compiler->snapshot = (unsigned)tape_token(&tape, snapshot)->number;
        else
            status = TN_ERR_STATE;
    }
    tape_release(&tape);
    compiler->serial = project->serial;
    strcpy(compiler->config, project->config);
    strcpy(compiler->program, project->program);
    return status;
}

/* ---- diagnostics ---- */

typedef struct Reading {
    Arena *arena;
    const ProviderJob *job;
    const Project *project;
    const Tape *tape;
    size_t left;   /* how many more are looked at */
    bool is_ascii; /* the program: units are bytes */
} Reading;

static uint32_t number_member(const Tape *tape, uint32_t object, const char *name)
{
    uint32_t at = tape_member(tape, object, name);
    double number =
        at && tape_token(tape, at)->kind == JSON_NUMBER ? tape_token(tape, at)->number : 0;
    return number > 0 && number < UINT32_MAX ? (uint32_t)number : 0;
}

/* Which file is meant: -1 the program, from 0 a declaration, -2 anything else. */
static int file_of(const Reading *reading, uint32_t object)
{
    uint32_t name = tape_member(reading->tape, object, "fileName");

    for (size_t i = 0; name && i < reading->project->count; i++) {
        if (tape_is(reading->tape, tape_token(reading->tape, name),
                    reading->project->files[i].path))
            return i == 0 ? -1 : i == 1 ? -2 : (int)i - 2;
    }
    return -2;
}

/* Places come in UTF-16 units. */
static Span span_of(const Reading *reading, uint32_t object, int file)
{
    Span span = {number_member(reading->tape, object, "pos"),
                 number_member(reading->tape, object, "end")};

    if (file < -1 || (file == -1 && reading->is_ascii))
        return span;
    const char *text = file < 0 ? reading->job->text : reading->job->declarations[file].text;
    size_t length = file < 0 ? reading->job->length : reading->job->declarations[file].length;
    span.start = (uint32_t)utf8_offset_of_unit(text, length, span.start);
    span.end = (uint32_t)utf8_offset_of_unit(text, length, span.end);
    return span;
}

static Diagnostic *read_diagnostics(Reading *reading, uint32_t array, unsigned depth);

static Diagnostic *read_diagnostic(Reading *reading, uint32_t object, unsigned depth)
{
    const Tape *tape = reading->tape;
    Diagnostic *diagnostic = ARENA_NEW(reading->arena, Diagnostic);
    uint32_t text = tape_member(tape, object, "text");

    if (!diagnostic)
        return NULL;
    diagnostic->code = number_member(tape, object, "code");
    diagnostic->file = file_of(reading, object);
    diagnostic->span = span_of(reading, object, diagnostic->file);
    if (text && tape_token(tape, text)->kind == JSON_STRING)
        diagnostic->words =
            facts_of(reading->arena, diagnostic->code, tape_text(tape, tape_token(tape, text)),
                     tape_token(tape, text)->length, &diagnostic->word_count);
    if (depth < 8) {
        diagnostic->reasons =
            read_diagnostics(reading, tape_member(tape, object, "messageChain"), depth + 1);
        diagnostic->related =
            read_diagnostics(reading, tape_member(tape, object, "relatedInformation"), depth + 1);
    }
    return diagnostic;
}

/* Of the outermost ones only errors; suggestions and hints are not asked for. */
static Diagnostic *read_diagnostics(Reading *reading, uint32_t array, unsigned depth)
{
    const Tape *tape = reading->tape;
    Diagnostic *first = NULL, **last = &first;

    if (!array || tape_token(tape, array)->kind != JSON_ARRAY)
        return NULL;
    for (uint32_t at = array + 1; at < tape_token(tape, array)->next && reading->left > 0;
         at = tape_token(tape, at)->next) {
        if (tape_token(tape, at)->kind != JSON_OBJECT ||
            (depth == 0 && number_member(tape, at, "category") != 1))
            continue;
        *last = read_diagnostic(reading, at, depth);
        if (!*last)
            break;
        last = &(*last)->next;
        reading->left -= depth == 0;
    }
    return first;
}

static tn_status ask_diagnostics(Compiler *compiler, Reading *reading, const char *method,
                                 const char *file, Diagnostic **out_diagnostics)
{
    Rpc *rpc = &compiler->rpc;
    Tape tape;
    uint32_t result;
    size_t mark;
    Buf *out = rpc_begin(rpc, method, &mark);

    buf_append_string(out, "{\"snapshot\":");
    buf_append_uint(out, compiler->snapshot);
    buf_append_string(out, ",\"project\":");
    rpc_put_string(out, reading->project->config, strlen(reading->project->config));
    buf_append_string(out, ",\"file\":");
    rpc_put_string(out, file, strlen(file));
    buf_append_byte(out, '}');
    tn_status status = rpc_answer(rpc, rpc_end(rpc, mark), &tape, &result);
    if (status == TN_OK) {
        reading->tape = &tape;
        *out_diagnostics = read_diagnostics(reading, result, 0);
        reading->tape = NULL;
    }
    tape_release(&tape);
    return status;
}

/* What is wrong with one file: its grammar, or else its types. */
static tn_status ask_file(Compiler *compiler, Reading *reading, const char *file, bool parsed,
                          Diagnostic ***last)
{
    if (!parsed)
        TRY(ask_diagnostics(compiler, reading, "getSyntacticDiagnostics", file, *last));
    if (!**last)
        TRY(ask_diagnostics(compiler, reading, "getSemanticDiagnostics", file, *last));
    while (**last)
        *last = &(**last)->next;
    return TN_OK;
}

/* ---- declarations ---- */

/* Their paths are what is in them; all of them together are one set. */
static bool hash_set(const HashKey *key, const ProviderJob *job, const Project *project,
                     Arena *arena, char out_hex[HASH_HEX_BYTES])
{
    size_t count = job->declaration_count - job->skipped_declarations;
    char *all = arena_push(arena, (count + 1) * PROJECT_PATH_MAX_BYTES);

    if (!all)
        return false;
    memset(all, 0, (count + 1) * PROJECT_PATH_MAX_BYTES);
    for (size_t i = 0; i < count; i++)
        strcpy(all + i * PROJECT_PATH_MAX_BYTES, project->paths[job->skipped_declarations + i]);
    hash_hex(key, all, count * PROJECT_PATH_MAX_BYTES, out_hex);
    return true;
}

static bool is_clean(const Compiler *compiler, const char *hex)
{
    for (unsigned i = 0; i < CLEAN_SETS; i++) {
        if (strcmp(compiler->clean[i], hex) == 0)
            return true;
    }
    return false;
}

/* The host's declarations are the same for thousands of programs: nothing was wrong with them, and
 * nothing will be. */
static tn_status ask_declarations(Compiler *compiler, Reading *reading, const HashKey *key,
                                  Diagnostic ***last)
{
    const ProviderJob *job = reading->job;
    Diagnostic **first = *last;
    char hex[HASH_HEX_BYTES];

    if (!job->check_declarations || job->declaration_count == job->skipped_declarations)
        return TN_OK;
    if (!hash_set(key, job, reading->project, reading->arena, hex))
        return arena_status(reading->arena);
    if (is_clean(compiler, hex))
        return TN_OK;
    for (size_t i = job->skipped_declarations; i < job->declaration_count; i++)
        TRY(ask_file(compiler, reading, reading->project->paths[i], false, last));
    if (!*first)
        memcpy(compiler->clean[compiler->next_clean++ % CLEAN_SETS], hex, sizeof hex);
    return TN_OK;
}

/* ---- a check in one compiler ---- */

static tn_status ask(Compiler *compiler, const HashKey *key, Arena *arena, const ProviderJob *job,
                     const Project *project, ProviderReply *reply)
{
    Reading reading = {
        .arena = arena,
        .job = job,
        .project = project,
        .left = DIAGNOSTICS_MAX,
        .is_ascii = utf8_units(job->text, job->length) == job->length,
    };
    Diagnostic **last = &reply->diagnostics;

    TRY(open_project(compiler, project));
    TRY(ask_declarations(compiler, &reading, key, &last));
    TRY(ask_file(compiler, &reading, project->program, job->parsed, &last));
    ShapeSession session = {
        &compiler->rpc,   arena, compiler->snapshot, project->config, project->program,
        reading.is_ascii, job};
    if (job->follow && reply->diagnostics) {
        uint32_t places[FOLLOW_MAX];
        size_t count = job->follow(job->follow_context, reply->diagnostics, places, FOLLOW_MAX);
        TRY(tsc_type_texts(&session, places, count, reply->followed));
    }
    if (job->question_count > 0)
        TRY(tsc_shapes(&session, reply));
    return arena_status(arena);
}

tn_status compiler_check(Compiler *compiler, const Library *library, const HashKey *key,
                         Arena *arena, const ProviderJob *job, ProviderReply *reply)
{
    World world = {.library = library};
    Project project;

    TRY(project_init(&project, key, compiler->serial + 1, arena, job));
    world.files = project.files;
    world.count = project.count;
    compiler->rpc.asked_context = &world;
    tn_status status = ask(compiler, key, arena, job, &project, reply);
    compiler->rpc.asked_context = NULL;
    compiler->checks++;
    return status;
}

/* ---- beginning one ---- */

const char *const compiler_arguments[] = {
    "tsc",  "--api", "-async",
    "-cwd", "/",     "-callbacks=readFile,fileExists,directoryExists,getAccessibleEntries,realpath",
    NULL};

tn_status compiler_initialize(Compiler *compiler)
{
    Tape tape;
    uint32_t result;
    size_t mark;
    Buf *out = rpc_begin(&compiler->rpc, "initialize", &mark);

    buf_append_string(out, "null");
    tn_status status = rpc_answer(&compiler->rpc, rpc_end(&compiler->rpc, mark), &tape, &result);
    tape_release(&tape);
    return status;
}
