#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static char *read_file(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, room = 0;

    if (!file)
        return NULL;
    do {
        room = room ? room * 2 : 65536;
        char *grown = realloc(text, room);
        if (!grown)
            break;
        text = grown;
        length += fread(text + length, 1, room - length - 1, file);
    } while (length == room - 1);
    (void)fclose(file);
    if (text)
        text[length] = 0;
    *out_length = length;
    return text;
}

/* ---- the head's words ---- */

static uint64_t read_size(const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 10);

    return *end == 'M' ? number << 20 : *end == 'K' ? number << 10 : number;
}

static bool take_limit(tn_limits *limits, const char *name, uint64_t value)
{
    static const struct {
        const char *name;
        size_t offset;
        bool is_wide;
    } fields[] = {
        {"wall", offsetof(tn_limits, wall_ms), false},
        {"cpu", offsetof(tn_limits, cpu_ms), false},
        {"memory", offsetof(tn_limits, memory_bytes), true},
        {"calls", offsetof(tn_limits, calls), false},
        {"open", offsetof(tn_limits, calls_open), false},
        {"argument", offsetof(tn_limits, argument_bytes), true},
        {"reply", offsetof(tn_limits, reply_bytes), true},
        {"result", offsetof(tn_limits, result_bytes), true},
        {"console", offsetof(tn_limits, console_bytes), true},
        {"depth", offsetof(tn_limits, depth), false},
        {"timers", offsetof(tn_limits, timers), false},
        {"linger", offsetof(tn_limits, linger_ms), false},
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        void *field = (char *)limits + fields[i].offset;
        if (fields[i].is_wide)
            memcpy(field, &value, sizeof value);
        else
            memcpy(field, &(uint32_t){(uint32_t)value}, sizeof(uint32_t));
        return true;
    }
    return false;
}

static bool take_limits(Case *one, char *list)
{
    char *rest = list;

    for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (!equals)
            return false;
        *equals = 0;
        if (!take_limit(&one->limits, word, read_size(equals + 1)))
            return false;
    }
    return true;
}

static bool take_memories(Case *one, char *list)
{
    char *rest = list;

    for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (one->memory_count == CASE_MEMORIES_MOST)
            return false;
        one->memories[one->memory_count++] = read_size(word);
    }
    return true;
}

/* One line of the head. Its value becomes the case's, or is freed. */
static bool take_line(Case *one, const char *key, char *value)
{
    char **fields[] = {&one->mode, &one->expect, &one->zone, &one->locale, &one->input};
    static const char *const names[] = {"mode", "expect", "zone", "locale", "input"};
    bool is_known = true;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(key, names[i]) == 0) {
            free(*fields[i]);
            *fields[i] = value;
            return true;
        }
    }
    if (strcmp(key, "also") == 0) {
        if (one->also_count < CASE_ALSO_MOST) {
            one->also[one->also_count++] = value;
            return true;
        }
        is_known = false;
    } else if (strcmp(key, "limits") == 0) {
        is_known = take_limits(one, value);
    } else if (strcmp(key, "memory") == 0) {
        is_known = take_memories(one, value);
    } else if (strcmp(key, "now") == 0) {
        one->now_ms = strtod(value, NULL);
    } else if (strcmp(key, "seed") == 0) {
        one->seeded = true;
        one->seed = strtoull(value, NULL, 10);
    } else {
        is_known = strcmp(key, "id") == 0 || strcmp(key, "title") == 0 ||
                   strcmp(key, "source") == 0 || strcmp(key, "tools") == 0 ||
                   strcmp(key, "safe") == 0;
    }
    free(value);
    return is_known;
}

/* "// key: value". */
static bool split_line(const char *line, size_t length, char *key, size_t key_size,
                       char **out_value)
{
    const char *colon = memchr(line, ':', length);
    size_t key_length;

    if (length < 5 || memcmp(line, "// ", 3) != 0 || !colon)
        return false;
    key_length = (size_t)(colon - line) - 3;
    if (key_length == 0 || key_length >= key_size || memchr(line + 3, ' ', key_length))
        return false;
    memcpy(key, line + 3, key_length);
    key[key_length] = 0;
    for (colon++; colon < line + length && *colon == ' ';)
        colon++;
    *out_value = copy_of(colon, (size_t)(line + length - colon));
    return *out_value != NULL;
}

/* Read the head; where it ends. NULL if a line of it is not understood. */
static const char *read_head(Case *one, const char *path)
{
    const char *line = one->file;
    char key[16], *value;

    for (;;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (length == 6 && memcmp(line, "// ---", 6) == 0)
            return end ? end + 1 : line + length;
        if (!split_line(line, length, key, sizeof key, &value))
            return line;
        if (!take_line(one, key, value)) {
            (void)fprintf(stderr, "%s: the head's line `%s` is not understood\n", path, key);
            return NULL;
        }
        if (!end)
            return line + length;
        line = end + 1;
    }
}

static void set_name(Case *one, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = path;

    for (const char *at = path; slash && at < slash; at++) {
        if (*at == '/')
            start = at + 1;
    }
    (void)snprintf(one->name, sizeof one->name, "%s", start);
}

Case *case_read(const char *path)
{
    Case *one = calloc(1, sizeof *one);
    size_t length = 0;
    const char *head_end;

    if (!one)
        return NULL;
    set_name(one, path);
    one->limits.size = sizeof one->limits;
    one->file = read_file(path, &length);
    head_end = one->file ? read_head(one, path) : NULL;
    if (!head_end || !one->expect) {
        (void)fprintf(stderr, "%s: cannot be read, or has no `expect`\n", path);
        case_free(one);
        return NULL;
    }
    if (!one->mode)
        one->mode = copy_of("body", 4);
    one->text = strcmp(one->mode, "text") == 0 ? head_end : one->file;
    one->length = length - (size_t)(one->text - one->file);
    return one;
}

void case_free(Case *one)
{
    if (!one)
        return;
    for (size_t i = 0; i < one->also_count; i++)
        free(one->also[i]);
    free(one->mode);
    free(one->expect);
    free(one->zone);
    free(one->locale);
    free(one->input);
    free(one->file);
    free(one);
}

unsigned case_times(const Case *one)
{
    return strcmp(one->mode, "body-twice") == 0 ? 2 : 1;
}
