#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int64_t cpu_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void elapsed_begin(Elapsed *elapsed)
{
    elapsed->cpu_ns -= cpu_ns();
    elapsed->wall_ns -= (int64_t)now_ns();
}

void elapsed_end(Elapsed *elapsed)
{
    elapsed->wall_ns += (int64_t)now_ns();
    elapsed->cpu_ns += cpu_ns();
}

void give_up(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

char *read_file(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long length;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (length = ftell(file)) < 0)
        give_up(path, "cannot be read");
    rewind(file);
    text = malloc((size_t)length + 1);
    if (!text || fread(text, 1, (size_t)length, file) != (size_t)length)
        give_up(path, "cannot be read");
    fclose(file);
    text[length] = 0;
    *out_length = (size_t)length;
    return text;
}

void answer_elapsed(const Elapsed *elapsed)
{
    printf("%lld %lld\n", (long long)elapsed->wall_ns, (long long)elapsed->cpu_ns);
}

void answer_two(double first, double second)
{
    printf("%.1f %.1f\n", first, second);
}

void answer_text(const char *text, size_t length)
{
    printf("%.*s\n", (int)length, text);
}

static void do_line(const Case *cases, size_t count, char *line)
{
    char *name = strtok(line, " \n"), *number = strtok(NULL, " \n"), *argument = strtok(NULL, "\n");

    for (size_t i = 0; name && number && i < count; i++) {
        if (strcmp(cases[i].name, name) == 0) {
            cases[i].run(strtoul(number, NULL, 10), argument ? argument : "");
            return;
        }
    }
    give_up(name ? name : "(nothing)", "there is no such case");
}

void serve(const Case *cases, size_t count)
{
    char line[4096];

    while (fgets(line, sizeof line, stdin)) {
        do_line(cases, count, line);
        fflush(stdout);
    }
}
