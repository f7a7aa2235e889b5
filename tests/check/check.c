/* The checker as its embedders meet it: threads, limits, processes that end, memory refused.
 *
 *   check COMPILER      the program tsc; without it there is nothing to test (77) */
#include "cmocka_all.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "confine.h"
#include "contract.h"
#include "failing_allocator.h"
#include "memory.h"
#include "syntax.h"

static const char *compiler;

static Checker *open_checker(CheckerOptions options)
{
    Checker *checker;

    options.compiler = options.compiler ? options.compiler : compiler;
    assert_int_equal(checker_new(memory_default(), &options, &checker), TN_OK);
    return checker;
}

/* Check a text in an arena. */
static tn_status check_in(Checker *checker, Arena *arena, const char *text, const char *expect,
                          CheckResult *out_result)
{
    const ParseOptions options = {.async_body = true};
    CheckRequest request = {.expect = expect, .want_value = expect != NULL};
    Findings findings;
    SourceFile *file;
    Source *source;
    tn_status status = source_load(arena, "program", text, strlen(text), &source);

    *out_result = (CheckResult){0};
    if (status != TN_OK)
        return status;
    findings_init(&findings, arena);
    status = parse_module(arena, source, &options, &findings, &file);
    if (status != TN_OK)
        return status;
    assert_int_equal(findings.errors, 0);
    request.source = source;
    request.file = file;
    return checker_check(checker, arena, &request, out_result);
}

/* The code of the first finding, "" if it is clean, or the status. */
static void check_text(Checker *checker, const char *text, char out_code[16])
{
    CheckResult result;
    Arena arena;

    arena_init(&arena, memory_default(), (size_t)64 << 20);
    tn_status status = check_in(checker, &arena, text, NULL, &result);
    if (status != TN_OK)
        snprintf(out_code, 16, "status %d/%d", (int)status, (int)result.limit);
    else
        snprintf(out_code, 16, "%s", result.first ? result.first->code : "");
    arena_release(&arena);
}

#define assert_checks(checker, text, wanted)                                                       \
    do {                                                                                           \
        char code_[16];                                                                            \
        check_text(checker, text, code_);                                                          \
        assert_string_equal(code_, wanted);                                                        \
    } while (0)

/* ---- plain ---- */

static void plain(void **state)
{
    Checker *checker = open_checker((CheckerOptions){0});

    (void)state;
    assert_int_equal(checker_warm(checker), TN_OK);
    assert_checks(checker, "const a: number = 1;", "");
    assert_checks(checker, "const a: number = '';", "TS2322");
    assert_checks(checker, "return 1 + (2 as any).x;", "");
    checker_free(checker);
    checker_free(NULL);
}

static void absent(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.compiler = "/nowhere/tsc"});
    Checker *other = open_checker((CheckerOptions){.compiler = "/dev/null"});

    (void)state;
    assert_int_equal(checker_warm(checker), TN_ERR_UNAVAILABLE);
    assert_checks(checker, "1", "status 6/0");
    assert_int_equal(checker_warm(other), TN_ERR_UNAVAILABLE);
    checker_free(checker);
    checker_free(other);
}

/* For every file of the library: put a link to it into a folder, or take it away again. */
static void link_library(const char *folder, bool away)
{
    char from[4096], to[4096];
    struct dirent *entry;

    snprintf(from, sizeof from, "%s", compiler);
    char *slash = strrchr(from, '/');
    assert_non_null(slash);
    *slash = 0;
    DIR *library = opendir(from);
    assert_non_null(library);
    while ((entry = readdir(library)) != NULL) {
        if (strncmp(entry->d_name, "lib.", 4) != 0)
            continue;
        snprintf(slash, sizeof from - (size_t)(slash - from), "/%s", entry->d_name);
        snprintf(to, sizeof to, "%s/%s", folder, entry->d_name);
        assert_int_equal(away ? unlink(to) : symlink(from, to), 0);
    }
    closedir(library);
}

/* A program that is no compiler of ours is tried twice, and then remembered. */
static void of_another_version(void **state)
{
    char folder[] = "/tmp/tenon-check-XXXXXX", path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tsc", folder);
    link_library(folder, false);
    assert_int_equal(symlink("/bin/false", path), 0);
    Checker *checker = open_checker((CheckerOptions){.compiler = path, .processes = 1});
    Buf out;
    for (int i = 0; i < 5; i++) {
        assert_checks(checker, "1", "status 6/0");
        buf_init(&out, memory_default(), 4096);
        checker_describe(checker, &out);
        bool given_up = memmem(out.data, out.length, "no compiler", 11) != NULL;
        assert_true(given_up || i == 0); /* at once, where the jail lets it not even begin */
        buf_release(&out);
    }
    checker_free(checker);
    link_library(folder, true);
    (void)unlink(path);
    (void)rmdir(folder);
}

/* The host's declarations are looked at once, and again when they are others. */
static void declarations_remembered(void **state)
{
    static const Declaration good[] = {{"a.d.ts", "declare const a: number;", 24}};
    static const Declaration bad[] = {{"a.d.ts", "declare const a: nombre;", 24}};
    static const Declaration two[] = {{"a.d.ts", "declare const a: number;", 24},
                                      {"b.d.ts", "declare const b: nombre;", 24}};
    static const struct {
        const Declaration *all;
        size_t count, errors;
    } turns[] = {{good, 1, 0}, {good, 1, 0}, {bad, 1, 1}, {bad, 1, 1},
                 {good, 1, 0}, {two, 2, 1},  {two, 2, 1}, {good, 1, 0}};
    Checker *checker = open_checker((CheckerOptions){.processes = 1});

    (void)state;
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        CheckRequest request = {.declarations = turns[i].all,
                                .declaration_count = turns[i].count,
                                .check_declarations = true};
        CheckResult result = {0};
        Source *source;
        Arena arena;
        arena_init(&arena, memory_default(), (size_t)16 << 20);
        assert_int_equal(source_load(&arena, "p", "a.toFixed();", 12, &source), TN_OK);
        request.source = source;
        assert_int_equal(checker_check(checker, &arena, &request, &result), TN_OK);
        assert_int_equal(result.errors, turns[i].errors);
        arena_release(&arena);
    }
    checker_free(checker);
}

/* What one check is told is nothing to the next. */
static void nothing_shared(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});

    (void)state;
    assert_checks(checker, "declare global { var leaked: string } export const secret = 1;", "");
    assert_checks(checker, "leaked;", "TS2304");
    assert_checks(checker, "import { secret } from './program-1';", "TS2307");
    assert_checks(checker, "import { secret } from '/inputs.d.ts';", "TS2307");
    assert_checks(checker, "import passwd from '/etc/passwd';", "TS2307");
    checker_free(checker);
}

/* ---- limits ---- */

static const char hostile[] =
    "type Perm<T, K = T> = [T] extends [never] ? [] : K extends K ? [K, ...Perm<Exclude<T, K>>] "
    ": never;\n"
    "const p: Perm<1|2|3|4|5|6|7|8|9|10> = [1,2,3,4,5,6,7,8,8,1];\n";

static void over_time(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1, .time_ms = 300});

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_checks(checker, hostile, "status 3/1");
        assert_checks(checker, "const a: number = '';", "TS2322");
    }
    checker_free(checker);
}

static void over_memory(void **state)
{
    Checker *checker = open_checker(
        (CheckerOptions){.processes = 1, .time_ms = 60000, .memory_bytes = (uint64_t)192 << 20});

    (void)state;
    assert_checks(checker, hostile, "status 3/2");
    assert_checks(checker, "const a: number = '';", "TS2322");
    checker_free(checker);
}

/* ---- processes ---- */

/* The compilers among our children. */
static unsigned find_compilers(pid_t out_pids[16])
{
    char path[300], line[512], parent[32];
    unsigned count = 0;
    struct dirent *entry;
    DIR *folder = opendir("/proc");

    assert_non_null(folder);
    snprintf(parent, sizeof parent, ") S %d ", (int)getpid());
    while ((entry = readdir(folder)) != NULL && count < 16) {
        pid_t pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        if (fgets(line, sizeof line, file)) {
            const char *close = strrchr(line, ')');
            int found = 0;
            if (close && sscanf(close + 1, " %*c %d", &found) == 1 && found == getpid())
                out_pids[count++] = pid;
        }
        fclose(file);
    }
    closedir(folder);
    return count;
}

static void ended_from_outside(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});
    pid_t pids[16];

    (void)state;
    assert_int_equal(checker_warm(checker), TN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(find_compilers(pids), 1);
        kill(pids[0], SIGKILL);
        usleep(20000);
        assert_checks(checker, "const a: number = '';", "TS2322");
    }
    assert_int_equal(find_compilers(pids), 1);
    checker_free(checker);
    assert_int_equal(find_compilers(pids), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void *end_one_soon(void *context)
{
    pid_t pids[16];

    usleep(300000);
    if (find_compilers(pids) == 1)
        kill(pids[0], SIGKILL);
    return context;
}

/* In the middle of a check: it is made once more, and what it ends with is its own. */
static void ended_in_a_check(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1, .time_ms = 700});
    pthread_t thread;

    (void)state;
    assert_int_equal(checker_warm(checker), TN_OK);
    assert_int_equal(pthread_create(&thread, NULL, end_one_soon, NULL), 0);
    assert_checks(checker, hostile, "status 3/1");
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_checks(checker, "const a: number = '';", "TS2322");
    checker_free(checker);
}

static void *warm_only(void *context)
{
    assert_int_equal(checker_warm(context), TN_OK);
    return NULL;
}

/* The thread that began a process may end: the process stays. */
static void outlives_its_thread(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});
    pthread_t thread;
    pid_t before[16], after[16];

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, warm_only, checker), 0);
    pthread_join(thread, NULL);
    assert_int_equal(find_compilers(before), 1);
    usleep(50000);
    assert_checks(checker, "1 + 1", "");
    assert_int_equal(find_compilers(after), 1);
    assert_int_equal(before[0], after[0]);
    checker_free(checker);
}

static void read_proc(pid_t pid, const char *name, char *out, size_t room)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    ssize_t got = read(fd, out, room - 1);
    assert_true(got >= 0);
    out[got] = '\0';
    close(fd);
}

/* It has three descriptors of ours, no environment of ours, and stands in the root folder. */
static void has_nothing_of_ours(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});
    char text[4096], path[64], link[256];
    pid_t pids[16];
    Buf out;

    (void)state;
    setenv("TENON_TEST_SECRET", "1", 1);
    int left_open = dup(1); /* without close-on-exec */
    assert_int_equal(checker_warm(checker), TN_OK);
    assert_int_equal(find_compilers(pids), 1);
    read_proc(pids[0], "environ", text, sizeof text);
    assert_null(memmem(text, sizeof text, "SECRET", 6));
    read_proc(pids[0], "status", text, sizeof text);
    assert_non_null(strstr(text, "NoNewPrivs:\t1"));
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pids[0], left_open);
    ssize_t got = readlink(path, link, sizeof link - 1);
    link[got > 0 ? got : 0] = '\0';
    assert_null(strstr(link, "pts"));
    buf_init(&out, memory_default(), 4096);
    checker_describe(checker, &out);
    assert_non_null(memmem(out.data, out.length, "in a jail", 9));
    buf_release(&out);
    close(left_open);
    checker_free(checker);
}

/* Tried in a child of our own: what `confine` says stands, stands. */
static void walls_stand(void **state)
{
    int program = open("/proc/self/exe", O_PATH | O_CLOEXEC), status;
    pid_t pid = fork();

    (void)state;
    if (pid == 0) {
        unsigned walls = confine(program, (uint64_t)512 << 20);
        bool file = open("/etc/passwd", O_RDONLY) >= 0;
        bool made = open("/tmp/tenon-check-walls", O_WRONLY | O_CREAT, 0600) >= 0;
        bool net = socket(AF_INET, 1, 0) >= 0;
        _exit(((walls & CONFINE_LANDLOCK) && file) ||
              ((walls & CONFINE_SECCOMP) && (made || net)) ||
              ((walls & CONFINE_SECCOMP) && kill(getppid(), 0) == 0));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(program);
}

/* ---- threads ---- */

typedef struct Worker {
    Checker *checker;
    unsigned number;
    unsigned wrong;
} Worker;

static void *work(void *context)
{
    Worker *worker = context;
    char text[128], code[16];

    for (unsigned i = 0; i < 12; i++) {
        bool bad = (i + worker->number) % 2;
        snprintf(text, sizeof text, "const own%u = %u; const n: number = %s; return own%u;",
                 worker->number, i, bad ? "''" : "1", worker->number);
        check_text(worker->checker, text, code);
        worker->wrong += strcmp(code, bad ? "TS2322" : "") != 0;
    }
    return NULL;
}

static void many_threads(void **state)
{
    enum { WORKERS = 6 };
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    Checker *checker = open_checker((CheckerOptions){.processes = 2});

    (void)state;
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){checker, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    checker_free(checker);
}

/* A child that the host forked has processes of its own, and leaves its parent's alone. */
static void after_fork(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});
    int status;

    (void)state;
    assert_checks(checker, "1", "");
    pid_t pid = fork();
    if (pid == 0) {
        char code[16];
        check_text(checker, "const a: number = '';", code);
        _exit(strcmp(code, "TS2322") != 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_checks(checker, "const a: number = '';", "TS2322");
    checker_free(checker);
}

/* ---- memory ---- */

static const char worth_much[] =
    "interface Row { id: number; tags: string[] }\n"
    "const rows: Row[] = [{ id: 1, tags: [] }];\n"
    "return { rows, first: rows[0]?.id, pair: [1, 'a'] as [number, string] };\n";

static void refused_memory(void **state)
{
    Checker *checker = open_checker((CheckerOptions){.processes = 1});

    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        CheckResult result;
        Arena arena;
        arena_init(&arena, failing_allocator(&failing), (size_t)64 << 20);
        tn_status status =
            check_in(checker, &arena, worth_much,
                     "{ rows: object[]; first?: number; pair: [number, string] }", &result);
        if (status == TN_OK) {
            assert_int_equal(result.errors, 0);
            assert_non_null(result.value);
            assert_int_equal(result.value->kind, SHAPE_OBJECT);
        }
        arena_release(&arena);
        failing_settle(&failing, status);
    }
    checker_free(checker);
}

/* ---- contracts ---- */

static void types_of_json(void **state)
{
    static const char *const pairs[][2] = {
        {"1", "number"},
        {"null", "any"},
        {"[]", "Array<any>"},
        {"[1,\"a\",null]", "Array<string | number | null>"},
        {"[{\"a\":1},{\"a\":2,\"b\":true}]", "Array<{ \"a\": number; \"b\"?: boolean; }>"},
        {"{\"x\":{\"$type\":\"date\",\"value\":null},\"y\\\"\":[[1]]}",
         "{ \"x\": Date; \"y\\\"\": Array<Array<number>>; }"},
        {"[{\"$type\":\"undefined\"},{\"$type\":\"bigint\",\"value\":\"1\"}]",
         "Array<undefined | bigint>"},
    };
    Arena arena;
    const char *type;

    (void)state;
    arena_init(&arena, memory_default(), 1 << 20);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(
            contract_type_of_json(&arena, pairs[i][0], strlen(pairs[i][0]), NULL, &type), TN_OK);
        assert_string_equal(type, pairs[i][1]);
        assert_int_equal(contract_check_type(&arena, type), TN_OK);
    }
    assert_int_equal(contract_type_of_json(&arena, "{", 1, NULL, &type), TN_ERR_ARGUMENT);
    assert_int_equal(contract_check_type(&arena, "number"), TN_OK);
    assert_int_equal(contract_check_type(&arena, "number; let a = 1"), TN_ERR_ARGUMENT);
    assert_int_equal(contract_check_type(&arena, "{ a: 1"), TN_ERR_ARGUMENT);
    assert_int_equal(contract_check_type(&arena, ""), TN_ERR_ARGUMENT);
    arena_release(&arena);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(absent),
        cmocka_unit_test(of_another_version),
        cmocka_unit_test(declarations_remembered),
        cmocka_unit_test(nothing_shared),
        cmocka_unit_test(over_time),
        cmocka_unit_test(over_memory),
        cmocka_unit_test(ended_from_outside),
        cmocka_unit_test(ended_in_a_check),
        cmocka_unit_test(outlives_its_thread),
        cmocka_unit_test(has_nothing_of_ours),
        cmocka_unit_test(walls_stand),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(after_fork),
        cmocka_unit_test(refused_memory),
        cmocka_unit_test(types_of_json),
    };

    compiler = count > 1 ? arguments[1] : "";
    if (access(compiler, X_OK) != 0) {
        printf("no compiler, skipped\n0 passed, 0 failed\n");
        return 77;
    }
    int failed = cmocka_run_group_tests_name("check", tests, NULL, NULL);
    int all = (int)(sizeof tests / sizeof tests[0]);
    printf("%d passed, %d failed\n", all - failed, failed);
    return failed != 0;
}
