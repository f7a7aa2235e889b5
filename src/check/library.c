#include "library.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base.h"

const char library_file[] = "lib.es2023.d.ts";

/* Each takes in what it refers to. */
static const char *const roots[] = {
    "es2025",       "esnext.array",       "esnext.collection", "esnext.disposable",
    "esnext.error", "esnext.typedarrays", "esnext.decorators",
};

enum {
    FILES_MAX = 256, /* there are some seventy */
                     /* "es2020.symbol.wellknown" */
    FILE_MAX_BYTES = 1 << 20,
    FOLDER_MAX_BYTES = 3072,
};

typedef struct Loading {
    Library *library;
    char folder[FOLDER_MAX_BYTES];
    char seen[FILES_MAX][LIBRARY_NAME_MAX_BYTES];
    unsigned count;
} Loading;

/* ---- what the engine does not have ---- */

static bool is_left_out(const char *name)
{
    return strstr(name, "sharedmemory") != NULL || strstr(name, "temporal") != NULL;
}

static bool begins(const char *line, size_t length, const char *with)
{
    size_t bytes = strlen(with);

    return length >= bytes && memcmp(line, with, bytes) == 0;
}

/* One member of a namespace that is a value: from its line to the semicolon that ends it. */
static const char *after_value(const char *at, const char *end)
{
    int depth = 0;

    for (; at < end; at++) {
        depth += *at == '{' || *at == '(';
        depth -= *at == '}' || *at == ')';
        if (depth == 0 && (*at == ';' || (*at == '}' && at + 1 < end && at[1] == '\n')))
            return at + 1;
    }
    return end;
}

static bool is_value(const char *line, size_t length)
{
    return begins(line, length, "    var ") || begins(line, length, "    const ") ||
           begins(line, length, "    function ");
}

/* The text of one file, line by line. */
static void take_text(Buf *out, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    bool in_intl = false;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;
        size_t bytes = (size_t)(next - at);
        if (begins(at, bytes, "declare namespace Intl"))
            in_intl = true;
        else if (begins(at, bytes, "}"))
            in_intl = false;
        if (in_intl && is_value(at, bytes))
            next = after_value(at, end);
        else if (!begins(at, bytes, "/// <reference"))
            buf_append(out, at, bytes);
        at = next;
    }
}

/* ---- files ---- */

static tn_status read_file(const char *path, Buf *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = 0;

    if (fd < 0)
        return TN_ERR_NOT_FOUND;
    do {
        if (!buf_reserve(out, 64 * 1024))
            break;
        got = read(fd, out->data + out->length, 64 * 1024);
        out->length += got > 0 ? (size_t)got : 0;
    } while (got > 0 && out->length < FILE_MAX_BYTES);
    close(fd);
    return out->failed ? buf_status(out) : got < 0 ? TN_ERR_NOT_FOUND : TN_OK;
}

static bool is_seen(const Loading *loading, const char *name)
{
    for (unsigned i = 0; i < loading->count; i++) {
        if (strcmp(loading->seen[i], name) == 0)
            return true;
    }
    return false;
}

static tn_status take(Loading *loading, const char *name);

/* `/// <reference lib="name" />`, in the lines before the first declaration */
static tn_status take_references(Loading *loading, const char *text, size_t length)
{
    static const char mark[] = "/// <reference lib=\"";
    const char *at = text, *end = text + length;
    char name[LIBRARY_NAME_MAX_BYTES];

    while ((at = memmem(at, (size_t)(end - at), mark, sizeof mark - 1)) != NULL) {
        at += sizeof mark - 1;
        const char *quote = memchr(at, '"', (size_t)(end - at));
        if (!quote || (size_t)(quote - at) >= sizeof name)
            return TN_ERR_NOT_FOUND;
        memcpy(name, at, (size_t)(quote - at));
        name[quote - at] = '\0';
        TRY(take(loading, name));
    }
    return TN_OK;
}

static tn_status take_file(Loading *loading, const char *name, Buf *text)
{
    static const char mark[] = "\nexport {};";
    Library *library = loading->library;

    if (!memmem(text->data, text->length, mark, sizeof mark - 1)) {
        take_text(&library->text, (const char *)text->data, text->length);
        return TN_OK;
    }
    if (library->module.length > 0)
        return TN_ERR_NOT_FOUND;
    snprintf(library->module_file, sizeof library->module_file, "lib.%.37s.d.ts", name);
    take_text(&library->module, (const char *)text->data, text->length);
    return buf_status(&library->module);
}

static tn_status take(Loading *loading, const char *name)
{
    char path[FOLDER_MAX_BYTES + LIBRARY_NAME_MAX_BYTES + 16];
    Buf text;

    if (is_left_out(name) || is_seen(loading, name))
        return TN_OK;
    if (loading->count == FILES_MAX || strlen(name) >= LIBRARY_NAME_MAX_BYTES)
        return TN_ERR_LIMIT;
    strcpy(loading->seen[loading->count++], name);
    snprintf(path, sizeof path, "%slib.%s.d.ts", loading->folder, name);
    buf_init(&text, loading->library->text.allocator, FILE_MAX_BYTES + 128 * 1024);
    tn_status status = read_file(path, &text);
    if (status == TN_OK)
        status = take_references(loading, (const char *)text.data, text.length);
    if (status == TN_OK)
        status = take_file(loading, name, &text);
    buf_release(&text);
    return status;
}

/* A reference counts only at a file's head: room for it is kept there. */
static const char room[] = "////////////////////////////////////////////////////////////////\n";

static void refer_to_module(Library *library, const char *file)
{
    char line[sizeof room + LIBRARY_NAME_MAX_BYTES];
    size_t name = strlen(file);

    if (name < sizeof "lib..d.ts")
        return;
    int length =
        snprintf(line, sizeof line, "/// <reference lib=\"%.*s\" />", (int)name - 9, file + 4);
    if (length > 0 && (size_t)length < sizeof room && !library->text.failed) {
        memset(library->text.data, ' ', sizeof room - 2);
        memcpy(library->text.data, line, (size_t)length);
    }
}

void library_init(Library *library, const tn_allocator *allocator)
{
    *library = (Library){.module_file = ""};
    buf_init(&library->text, allocator, (size_t)16 << 20);
    buf_init(&library->module, allocator, FILE_MAX_BYTES);
}

void library_release(Library *library)
{
    buf_release(&library->text);
    buf_release(&library->module);
}

tn_status library_load(Library *library, const char *compiler)
{
    Loading loading = {.library = library};
    const char *slash = strrchr(compiler, '/');
    size_t folder = slash ? (size_t)(slash + 1 - compiler) : 0;

    if (folder >= sizeof loading.folder)
        return TN_ERR_NOT_FOUND;
    memcpy(loading.folder, compiler, folder);
    buf_clear(&library->text);
    buf_clear(&library->module);
    buf_append_string(&library->text, room);
    for (size_t i = 0; i < COUNT_OF(roots); i++)
        TRY(take(&loading, roots[i]));
    refer_to_module(library, library->module_file);
    return buf_status(&library->text);
}
