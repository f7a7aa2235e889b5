/* tn_doctor: what this machine gives. Each layer is tried, not assumed. */
#include "whole.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "json.h"
#include "memory.h"
#include "text.h"

typedef struct Exam {
    Buf out;
    unsigned checks;
    bool all_ok;
} Exam;

static void add_check(Exam *exam, const char *name, bool ok, const char *detail, const char *remedy)
{
    Buf *out = &exam->out;

    buf_append_string(out, exam->checks++ ? ",{\"name\":" : "{\"name\":");
    json_put_string(out, name, strlen(name));
    buf_append_string(out, ok ? ",\"ok\":true,\"detail\":" : ",\"ok\":false,\"detail\":");
    json_put_string(out, detail, strlen(detail));
    buf_append_string(out, ",\"remedy\":");
    json_put_string(out, ok ? "" : remedy, ok ? 0 : strlen(remedy));
    buf_append_string(out, "}");
    exam->all_ok &= ok;
}

static void examine_kernel(Exam *exam)
{
    struct utsname names;
    char detail[256] = "unknown";

    if (uname(&names) == 0)
        snprintf(detail, sizeof detail, "%s %s on %s", names.sysname, names.release, names.machine);
    add_check(exam, "system", true, detail, "");
}

static void examine_addresses(Exam *exam)
{
    size_t bytes = (size_t)9 << 30;
    void *space = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool ok = space != MAP_FAILED;

    if (ok)
        munmap(space, bytes);
    add_check(exam, "address space", ok,
              ok ? "9 GiB of addresses can be reserved for a realm"
                 : "a realm's addresses are refused",
              "lift the limit on virtual memory (ulimit -v), or use bounds: checked");
}

/* A value of a short program in an engine of this kind; NaN if there is none. */
static double try_program(tn_bounds bounds, const char *text, uint32_t wall_ms,
                          tn_outcome_status *out_status, double *out_wall_ms)
{
    tn_engine_options options = {.size = sizeof options, .bounds = bounds};
    tn_run_options run = {.size = sizeof run,
                          .limits = {.size = sizeof run.limits, .wall_ms = wall_ms}};
    tn_engine *engine = NULL;
    tn_program *program = NULL;
    tn_outcome *outcome = NULL;
    double value = 0.0 / 0.0;

    *out_status = TN_OUTCOME_CRASHED;
    *out_wall_ms = 0;
    if (tn_engine_new(&options, &engine) == TN_OK &&
        tn_program_new(engine, text, strlen(text), NULL, &program) == TN_OK &&
        tn_run_program(program, &run, &outcome) == TN_OK) {
        *out_status = tn_outcome_status_of(outcome);
        *out_wall_ms = tn_outcome_usage(outcome)->wall_ms;
        value = tn_value_number(tn_outcome_value(outcome));
    }
    tn_outcome_free(outcome);
    tn_program_free(program);
    tn_engine_free(engine);
    return value;
}

static void examine_engine(Exam *exam, tn_bounds bounds, const char *name)
{
    tn_outcome_status status;
    double wall_ms;
    bool ok =
        try_program(bounds, "[1, 2, 3].reduce((a, b) => a + b)", 5000, &status, &wall_ms) == 6;
    char detail[128];

    snprintf(detail, sizeof detail, ok ? "a program ran in %.2f ms" : "a program did not run",
             wall_ms);
    add_check(exam, name, ok, detail,
              "see that real-time signals, timers and memory files (memfd) are allowed here");
}

static void examine_stop(Exam *exam, const char *name, const char *text)
{
    tn_outcome_status status;
    double wall_ms;
    char detail[128];

    try_program(TN_BOUNDS_GUARD, text, 50, &status, &wall_ms);
    bool ok = status == TN_OUTCOME_LIMIT && wall_ms < 1000;
    snprintf(detail, sizeof detail,
             ok ? "a limit of 50 ms ended it after %.0f ms" : "not ended (%.0f ms)", wall_ms);
    add_check(exam, name, ok, detail, "something keeps timer signals from arriving");
}

/* The forbidden thing: a store beyond the memory must trap, and only its realm. */
static void examine_overflow(Exam *exam)
{
    tn_outcome_status status;
    double wall_ms;
    double value = try_program(TN_BOUNDS_GUARD,
                               "let n = 0; try { (function f() { n++; f(); })(); } "
                               "catch (e) { if (!(e instanceof RangeError)) throw e; } n",
                               5000, &status, &wall_ms);
    bool ok = value >= 5000;
    char detail[128];

    snprintf(detail, sizeof detail,
             ok ? "recursion ends as an error after %.0f frames" : "recursion does not end well",
             value);
    add_check(exam, "call depth", ok, detail, "the build is broken: build again");
}

static void examine_zones(Exam *exam)
{
    Zone *zone = NULL;
    bool ok = zone_load(memory_default(), "Europe/Paris", &zone) == TN_OK;

    zone_free(zone);
    add_check(exam, "time zones", ok, ok ? "the zone database is readable" : "no zone database",
              "install tzdata (zones other than UTC do not work without)");
}

tn_status tn_doctor(char **out_text, size_t *out_length)
{
    Exam exam = {.all_ok = true};

    text_begin(&exam.out, memory_default(), SIZE_MAX);
    buf_append_string(&exam.out, "{\"checks\":[");
    examine_kernel(&exam);
    examine_addresses(&exam);
    examine_engine(&exam, TN_BOUNDS_GUARD, "engine, guard pages");
    examine_engine(&exam, TN_BOUNDS_CHECKED, "engine, checked accesses");
    examine_stop(&exam, "stop a loop", "for (;;) {}");
    examine_stop(&exam, "stop a native",
                 "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)");
    examine_overflow(&exam);
    examine_zones(&exam);
    buf_append_string(&exam.out, exam.all_ok ? "],\"ok\":true}" : "],\"ok\":false}");
    return text_finish(&exam.out, out_text, out_length);
}
