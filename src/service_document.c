#include "service_document.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "http_client.h"

enum { BYTES_MOST = 64 << 20 };

/* A document being read: its folder, or the address that folders are below. */
typedef struct Origin {
    tn_engine *engine;
    const tn_openapi *about;
    bool web;
    char folder[4096]; /* with a slash at its end, or empty */
    Buf *text;         /* where an answer goes */
    const char *why;
} Origin;

static const char *keep(Origin *source, const char *text)
{
    const char *kept = arena_string(&source->engine->registry.arena, text);

    return kept ? kept : "memory ran out";
}

static bool is_address(const char *text)
{
    return text && (strncasecmp(text, "http://", 7) == 0 || strncasecmp(text, "https://", 8) == 0);
}

/* ---- files ---- */

static const char *read_file(Origin *source, const char *path, Buf *out)
{
    FILE *file = fopen(path, "re");
    struct stat found;
    const char *why = NULL;

    if (!file)
        return keep(source, strerror(errno));
    if (fstat(fileno(file), &found) != 0 || !S_ISREG(found.st_mode))
        why = "it is no file";
    else if (found.st_size > BYTES_MOST)
        why = "it is larger than 64 MiB";
    while (!why && !out->failed) {
        uint8_t *room = buf_extend(out, 64 * 1024);
        size_t length = room ? fread(room, 1, 64 * 1024, file) : 0;
        if (room)
            buf_truncate(out, out->length - 64 * 1024 + length);
        if (length == 0)
            break;
    }
    if (!why && (ferror(file) || out->failed))
        why = ferror(file) ? "it cannot be read" : "it is larger than can be read";
    (void)fclose(file);
    return why;
}

/* A link may lead out of the folder: what counts is where the file is. */
static bool is_below(const char *folder, const char *path)
{
    char *real_folder = realpath(folder[0] ? folder : ".", NULL);
    char *real_path = realpath(path, NULL);
    size_t length = real_folder ? strlen(real_folder) : 0;
    bool below = real_folder && real_path && strncmp(real_path, real_folder, length) == 0 &&
                 (real_path[length] == '/' || length == 1);

    free(real_folder);
    free(real_path);
    return below;
}

/* ---- addresses ---- */

static void take_answer(void *user, tn_call *call, const HttpAnswer *answer)
{
    Origin *source = user;
    char text[300];

    (void)call;
    if (answer->error) {
        (void)snprintf(text, sizeof text, "%.290s", answer->message);
        source->why = keep(source, text);
    } else if (answer->status != 200) {
        (void)snprintf(text, sizeof text, "it answers %u", answer->status);
        source->why = keep(source, text);
    } else {
        buf_append(source->text, answer->body, answer->body_length);
    }
}

/* Without the host's headers: they are for the service, and this may be another place. */
static const char *fetch(Origin *source, const char *url, Buf *out)
{
    Arena arena;
    struct HttpClient *client;
    const char *after = strstr(url, "://");
    size_t length = after ? (size_t)(after - url) + 3 + strcspn(after + 3, "/?#") : 0;

    arena_init(&arena, &source->engine->allocator, 1 << 20);
    HttpGrant grant = {.origin = arena_text(&arena, url, length)};
    HttpRequest request = {.url = url,
                           .grants = &grant,
                           .grant_count = 1,
                           .timeout_ms = 30000,
                           .body_most = BYTES_MOST};
    source->text = out;
    source->why = "memory ran out";
    if (grant.origin && engine_http(source->engine, &client) == TN_OK) {
        source->why = NULL;
        http_wait(client, &request, take_answer, source);
    }
    arena_release(&arena);
    return source->why;
}

/* ---- both ---- */

static const char *load(void *user, const char *path, Buf *out)
{
    Origin *source = user;
    char whole[8192];
    int length = snprintf(whole, sizeof whole, "%s%s", source->folder, path);

    if (length < 0 || (size_t)length >= sizeof whole)
        return "its path is too long";
    if (source->web)
        return fetch(source, whole, out);
    if (!is_below(source->folder, whole))
        return "it is not there, or not below the document's folder";
    return read_file(source, whole, out);
}

/* Up to the last slash; of an address, of its path. */
static bool take_folder(Origin *source)
{
    const char *document = source->about->document ? source->about->document : "";
    size_t end = strcspn(document, source->web ? "?#" : "");
    const char *begin = source->web ? strstr(document, "://") + 3 : document;

    while (document + end > begin && document[end - 1] != '/')
        end--;
    if (end >= sizeof source->folder)
        return false;
    memcpy(source->folder, document, end);
    source->folder[end] = '\0';
    return true;
}

tn_status service_document_read(tn_engine *engine, const char *name, const tn_openapi *about,
                                OpenapiService **out_service, const char **out_why)
{
    Arena *arena = &engine->registry.arena;
    Origin source = {.engine = engine, .about = about, .web = is_address(about->document)};
    OpenapiOptions options = {.name = name, .server = about->server, .load_user = &source};
    const char **names;
    size_t count = 0;
    Buf text;

    *out_why = "the path of its document is too long";
    if (!take_folder(&source))
        return TN_OK;
    buf_init(&text, &engine->allocator, BYTES_MOST);
    *out_why = NULL;
    if (about->text)
        options.text = about->text;
    else if (source.web)
        *out_why = fetch(&source, about->document, &text);
    else
        *out_why = read_file(&source, about->document, &text);
    if (*out_why) {
        *out_why = arena_printf(arena, "its document %s: %s", about->document, *out_why);
        buf_release(&text);
        return *out_why ? TN_OK : TN_ERR_NOMEM;
    }
    options.length = about->text ? about->text_length : text.length;
    options.text = about->text ? about->text : (const char *)text.data;
    options.load = about->document ? load : NULL;
    options.address = source.web ? about->document : NULL;
    options.file = about->document ? about->document + strlen(source.folder) : NULL;
    while (about->credentials && about->credentials[count])
        count++;
    names = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; names && i < count; i++)
        names[i] = arena_text(arena, about->credentials[i], strcspn(about->credentials[i], "="));
    options.credentials = names;
    tn_status status = openapi_read(arena, &options, out_service);
    buf_release(&text);
    return status;
}
