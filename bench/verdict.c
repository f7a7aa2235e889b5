#include "verdict.h"

#include <stdio.h>
#include <stdlib.h>

void say(const char *first, const char *second, size_t length)
{
    fputs(first, stdout);
    for (size_t i = 0; i < length; i++)
        putchar(second[i] == '\n' || second[i] == '\r' ? ' ' : second[i]);
    putchar('\n');
}

void judge_all(void (*judge)(const char *text, size_t length))
{
    char line[64];

    while (fgets(line, sizeof line, stdin)) {
        size_t length = strtoul(line, NULL, 10);
        char *text = malloc(length + 1);
        if (!text || fread(text, 1, length, stdin) != length)
            exit(1);
        text[length] = 0;
        judge(text, length);
        fflush(stdout);
        free(text);
    }
}
