/* The front end alone, by its own headers: a text parsed and rid of its types, in one process, the
 * memory warm. What an embedder gets of it is measured by check.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "erase.h"
#include "server.h"

/* Memory as a process has it that has done this before: mapped, touched, handed out from the start
 * again for each text. */
typedef struct Warm {
    char *place;
    size_t bytes, used;
} Warm;

enum { WARM_BYTES = 512 << 20, WARM_ALIGN = 64 };

static void *warm_resize(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    Warm *warm = context;
    char *block = warm->place + warm->used;
    size_t rounded = (new_bytes + WARM_ALIGN - 1) / WARM_ALIGN * WARM_ALIGN;

    if (new_bytes == 0 || rounded > warm->bytes - warm->used)
        return NULL;
    warm->used += rounded;
    if (old)
        memcpy(block, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    return block;
}

static Warm *the_memory(void)
{
    static Warm warm;

    if (!warm.place) {
        warm.place = aligned_alloc(WARM_ALIGN, WARM_BYTES);
        warm.bytes = WARM_BYTES;
        if (!warm.place)
            give_up("memory", "none");
    }
    warm.used = 0;
    return &warm;
}

static void must(tn_status status, const char *what)
{
    if (status != TN_OK)
        give_up(what, "failed");
}

typedef struct Job {
    Arena arena;
    tn_allocator allocator;
    Findings findings;
    Source *source;
    SourceFile *file;
    Erased erased;
} Job;

static void job_read(Job *job, const char *text, size_t length)
{
    const ParseOptions options = {.async_body = true};

    job->allocator = (tn_allocator){.context = the_memory(), .resize = warm_resize};
    arena_init(&job->arena, &job->allocator, SIZE_MAX);
    findings_init(&job->findings, &job->arena);
    must(source_load(&job->arena, "program.ts", text, length, &job->source), "source");
    must(parse_module(&job->arena, job->source, &options, &job->findings, &job->file), "parse");
}

static void job_erase(Job *job)
{
    must(erase_types(&job->arena, job->source, job->file, &job->findings, &job->erased), "erase");
    if (job->findings.errors > 0)
        give_up("program", job->findings.first->message);
}

/* What comes out is written to a file: it is too long for a line. The argument: "FROM TO". */
static void erase_to(unsigned long count, const char *argument)
{
    char from[4096], to[4096];
    size_t length;
    Job job;
    (void)count;

    if (sscanf(argument, "%4095s %4095s", from, to) != 2)
        give_up("erase-to", "two files");
    char *text = read_file(from, &length);
    job_read(&job, text, length);
    job_erase(&job);
    FILE *file = fopen(to, "wb");
    if (!file || fwrite(job.erased.text, 1, job.erased.length, file) != job.erased.length ||
        fclose(file) != 0)
        give_up(to, "cannot be written");
    answer_text("ok", 2);
    free(text);
}

static void repeat(unsigned long count, const char *path, bool erasing)
{
    size_t length;
    char *text = read_file(path, &length);
    Elapsed elapsed = {0};
    Job job;

    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++) {
        job_read(&job, text, length);
        if (erasing)
            job_erase(&job);
    }
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
    free(text);
}

static void erase(unsigned long count, const char *path)
{
    repeat(count, path, true);
}

static void parse_only(unsigned long count, const char *path)
{
    repeat(count, path, false);
}

int main(void)
{
    static const Case cases[] = {
        {"erase-to", erase_to},
        {"erase", erase},
        {"parse", parse_only},
    };

    serve(cases, sizeof cases / sizeof *cases);
    return 0;
}
