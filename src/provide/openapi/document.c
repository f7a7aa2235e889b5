/* Files of a document, and where a `$ref` leads. */
#include <stdarg.h>
#include <stdio.h>

#include "inside.h"
#include "plain_json.h"
#include "yaml_read.h"

void problem(Reading *reading, const char *format, ...)
{
    OpenapiService *service = reading->service;
    char text[1000];
    va_list list;

    if (service->problem_count >= PROBLEMS_MOST)
        return;
    if (service->problem_count == reading->problem_room) {
        size_t room = reading->problem_room * 2 + 8;
        const char **grown =
            arena_grow(reading->arena, service->problems, service->problem_count * sizeof *grown,
                       room * sizeof *grown);
        if (!grown)
            return;
        service->problems = grown;
        reading->problem_room = room;
    }
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (service->problem_count == PROBLEMS_MOST - 1)
        (void)snprintf(text, sizeof text, "there is more that cannot be offered");
    const char *kept = arena_printf(reading->arena, "%s: %s", reading->options->name, text);
    if (kept)
        service->problems[service->problem_count++] = kept;
}

/* ---- files ---- */

/* JSON is tried first where it may be JSON: it is read much faster. */
static tn_status read_text(Reading *reading, const char *text, size_t length, Buf *out,
                           const char **out_why)
{
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    tn_status status;

    *out_why = "it is not JSON";
    if (length > DOCUMENT_BYTES_MOST) {
        *out_why = "it is larger than 64 MiB";
        return TN_ERR_ARGUMENT;
    }
    text += at;
    length -= at;
    for (at = 0; at < length && memchr(" \t\r\n", text[at], 4); at++) {
    }
    if (at < length && text[at] == '{') {
        status = plain_json_read(out, text, length);
        if (status != TN_ERR_ARGUMENT)
            return status;
    }
    status = yaml_read(out, reading->scratch, text, length, out_why);
    if (status == TN_ERR_UNAVAILABLE) {
        *out_why = "it is no JSON, and YAML cannot be read without libyaml (libyaml-0-2)";
        return TN_ERR_ARGUMENT;
    }
    return status;
}

/* Make a tree of a file's text; `why` says what is wrong with it. */
static void read_file(Reading *reading, ApiFile *file, const char *text, size_t length)
{
    const DatumLimits limits = {VALUES_MOST, DEPTH_MOST};
    tn_status status = read_text(reading, text, length, &file->bytes, &file->why);

    if (status == TN_OK && file->bytes.length > 0) {
        tn_value value = {file->bytes.data, file->bytes.data,
                          file->bytes.data + file->bytes.length};
        status = datum_read(reading->scratch, value, limits, &file->root, &file->why);
    } else if (status == TN_ERR_LIMIT) {
        file->why = "it is nested too deep, or becomes too large when its aliases are written out";
    }
    if (status != TN_OK)
        file->root = NULL;
    else
        file->why = NULL;
}

static ApiFile *add_file(Reading *reading, const char *path)
{
    ApiFile *file = ARENA_NEW(reading->scratch, ApiFile), **link = &reading->files;

    if (!file)
        return NULL;
    while (*link)
        link = &(*link)->next;
    file->path = path;
    buf_init(&file->bytes, reading->scratch->allocator, DOCUMENT_BYTES_MOST);
    reading->file_count++;
    *link = file;
    return file;
}

bool document_open(Reading *reading)
{
    const OpenapiOptions *options = reading->options;
    ApiFile *file = add_file(reading, options->file ? options->file : "");

    if (!file)
        return false;
    read_file(reading, file, options->text ? options->text : "", options->length);
    if (file->why)
        problem(reading, "the document cannot be read: %s", file->why);
    reading->root = (Node){file->root, file};
    return file->root != NULL;
}

void document_close(Reading *reading)
{
    for (ApiFile *file = reading->files; file; file = file->next)
        buf_release(&file->bytes);
}

/* The file of that path, read if it was not yet. */
static ApiFile *file_at(Reading *reading, const char *path)
{
    const OpenapiOptions *options = reading->options;
    ApiFile *file = reading->files;
    Buf text;

    while (file && strcmp(file->path, path) != 0)
        file = file->next;
    if (file || !(file = add_file(reading, path)))
        return file;
    if (!options->load || reading->file_count > FILES_MOST) {
        file->why = options->load ? "there are more files than the limit of 500"
                                  : "there are no files beside this document";
        return file;
    }
    buf_init(&text, reading->scratch->allocator, DOCUMENT_BYTES_MOST);
    file->why = options->load(options->load_user, path, &text);
    if (!file->why)
        read_file(reading, file, text.data ? (const char *)text.data : "", text.length);
    buf_release(&text);
    return file;
}

/* ---- references ---- */

static int hex(char c)
{
    return c >= '0' && c <= '9'                 ? c - '0'
           : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                : -1;
}

/* %41 becomes A, in place. */
static size_t undo_percent(char *text, size_t length)
{
    size_t to = 0;

    for (size_t i = 0; i < length; i++) {
        bool escape =
            text[i] == '%' && i + 2 < length && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
        text[to++] = escape ? (char)(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i];
        i += escape ? 2 : 0;
    }
    text[to] = '\0';
    return to;
}

static Datum *step_into(Datum *datum, const char *token, size_t length)
{
    unsigned index = 0;

    if (datum->kind == DATUM_OBJECT) {
        const DatumMember *member = datum_member(datum, token, length);
        return member ? (Datum *)(uintptr_t)&member->value : NULL;
    }
    if (datum->kind != DATUM_ARRAY || length == 0 || length > 7)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (token[i] < '0' || token[i] > '9')
            return NULL;
        index = index * 10 + (unsigned)(token[i] - '0');
    }
    return index < datum->count ? &datum->items[index] : NULL;
}

/* By a JSON pointer, whose text is used up. */
static Datum *by_pointer(Datum *datum, char *pointer, size_t length)
{
    const char *end = pointer + length;

    for (char *at = pointer; datum && at < end;) {
        char *token = ++at, *to = at;
        for (; at < end && *at != '/'; at++) {
            bool escaped = *at == '~' && at + 1 < end && (at[1] == '0' || at[1] == '1');
            *to++ = !escaped ? *at : at[1] == '0' ? '~' : '/';
            at += escaped;
        }
        datum = step_into(datum, token, (size_t)(to - token));
    }
    return datum;
}

static bool has_scheme(const char *text, size_t length)
{
    size_t at = 0;

    while (at < length && (((text[at] | 32) >= 'a' && (text[at] | 32) <= 'z') ||
                           (at > 0 && memchr("0123456789+.-", text[at], 13))))
        at++;
    return at > 1 && at < length && text[at] == ':';
}

/* `relative` beside the file at `base`, dots taken out; NULL if it leads out of the folder. */
static char *join(Arena *arena, const char *base, const char *relative)
{
    const char *slash = strrchr(base, '/');
    size_t folder = slash ? (size_t)(slash - base) + 1 : 0;
    char *path = arena_push(arena, folder + strlen(relative) + 2), *to = path;
    const char *from;

    if (!path)
        return NULL;
    memcpy(path, base, folder);
    to += folder;
    for (from = relative; *from;) {
        size_t count = strcspn(from, "/");
        if (count == 2 && memcmp(from, "..", 2) == 0) {
            if (to == path)
                return NULL;
            for (to--; to > path && to[-1] != '/'; to--) {
            }
        } else if (count > 0 && !(count == 1 && *from == '.')) {
            memcpy(to, from, count);
            to += count;
            if (from[count] == '/')
                *to++ = '/';
        }
        from += count + (from[count] == '/');
    }
    *to = '\0';
    return path;
}

/* The file that the part of a reference before # names. */
static ApiFile *file_of(Reading *reading, ApiFile *from, const char *name, size_t length,
                        const char **out_why)
{
    char *relative = arena_text(reading->scratch, name, length);

    *out_why = "memory ran out";
    if (!relative)
        return NULL;
    if (has_scheme(name, length) || (length > 1 && memcmp(name, "//", 2) == 0)) {
        *out_why = "it refers to another place, and nothing is fetched";
        return NULL;
    }
    length = undo_percent(relative, length);
    bool odd = strlen(relative) != length || relative[0] == '/' || strpbrk(relative, "\\?");
    const char *path = odd ? NULL : join(reading->scratch, from->path, relative);
    if (!path || !*path) {
        *out_why = "it refers to a file that is not below the document's folder";
        return NULL;
    }
    ApiFile *file = file_at(reading, path);
    if (!file || file->root)
        return file;
    *out_why = arena_printf(reading->scratch, "it refers to the file %s: %s", path,
                            file->why ? file->why : "it is empty");
    return NULL;
}

Node document_find(Reading *reading, ApiFile *file, const char *reference, size_t length,
                   const char **out_why)
{
    const char *hash = memchr(reference, '#', length);
    size_t name = hash ? (size_t)(hash - reference) : length;
    size_t rest = hash ? length - name - 1 : 0;

    if (name > 0)
        file = file_of(reading, file, reference, name, out_why);
    if (!file)
        return (Node){0};
    if (rest == 0)
        return (Node){file->root, file};
    *out_why = "it refers to nothing in its document";
    char *pointer = hash[1] == '/' ? arena_text(reading->scratch, hash + 1, rest) : NULL;
    Datum *at = pointer ? by_pointer(file->root, pointer, undo_percent(pointer, rest)) : NULL;
    return (Node){at, file};
}

Node node_follow(Reading *reading, Node node, const char **out_why)
{
    for (unsigned i = 0; node.at && i < REFERENCES_MOST; i++) {
        Node reference = node_get(node, "$ref");
        if (!node_is(reference, DATUM_TEXT))
            return node;
        node = document_find(reading, node.file, reference.at->text, reference.at->count, out_why);
    }
    if (node.at)
        *out_why = "it refers to something that refers to it again";
    return (Node){0};
}

Node node_member(Reading *reading, Node node, const char *name)
{
    const char *why;

    return node_follow(reading, node_get(node, name), &why);
}

SchemaText node_text(Node node, const char *name)
{
    node = node_get(node, name);
    return node_is(node, DATUM_TEXT) ? (SchemaText){node.at->text, node.at->count}
                                     : (SchemaText){"", 0};
}

const char *node_string(Reading *reading, Node node, const char *name)
{
    node = node_get(node, name);
    if (!node_is(node, DATUM_TEXT) || memchr(node.at->text, '\0', node.at->count))
        return NULL;
    return arena_text(reading->arena, node.at->text, node.at->count);
}
