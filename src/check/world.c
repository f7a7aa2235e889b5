#include "world.h"

#include <string.h>

#include "base.h"
#include "library.h"

typedef void Answer(const World *world, const char *path, size_t length, Buf *out);

static const WorldFile *find(const World *world, const char *path, size_t length)
{
    for (size_t i = 0; i < world->count; i++) {
        if (strlen(world->files[i].path) == length &&
            memcmp(world->files[i].path, path, length) == 0)
            return &world->files[i];
    }
    return NULL;
}

/* The compiler looks for its library where its program lies; only the names count. */
static const Buf *find_library(const World *world, const char *path, size_t length)
{
    const char *slash = memrchr(path, '/', length);
    const char *name = slash ? slash + 1 : path;
    size_t bytes = length - (size_t)(name - path);

    if (bytes == strlen(library_file) && memcmp(name, library_file, bytes) == 0)
        return &world->library->text;
    if (bytes > 0 && bytes == strlen(world->library->module_file) &&
        memcmp(name, world->library->module_file, bytes) == 0)
        return &world->library->module;
    return NULL;
}

/* {"content": text}, or {"content": null} for what is not there. A plain null would send the
 * compiler to the disk. */
static void answer_read(const World *world, const char *path, size_t length, Buf *out)
{
    const WorldFile *file = find(world, path, length);
    const Buf *library = file ? NULL : find_library(world, path, length);

    buf_append_string(out, "{\"content\":");
    if (file)
        rpc_put_string(out, file->text, file->length);
    else if (library)
        rpc_put_string(out, (const char *)library->data, library->length);
    else
        buf_append_string(out, "null");
    buf_append_byte(out, '}');
}

static void answer_exists(const World *world, const char *path, size_t length, Buf *out)
{
    bool there = find(world, path, length) || find_library(world, path, length);

    buf_append_string(out, there ? "true" : "false");
}

static void answer_folder(const World *world, const char *path, size_t length, Buf *out)
{
    (void)world;
    buf_append_string(out, length == 1 && path[0] == '/' ? "true" : "false");
}

static void answer_entries(const World *world, const char *path, size_t length, Buf *out)
{
    (void)world, (void)path, (void)length;
    buf_append_string(out, "{\"files\":[],\"directories\":[]}");
}

static void answer_real(const World *world, const char *path, size_t length, Buf *out)
{
    (void)world;
    rpc_put_string(out, path, length);
}

void world_asked(void *context, const Tape *tape, uint32_t method, uint32_t params, Buf *out)
{
    static const struct {
        const char *name;
        Answer *answer;
    } questions[] = {
        {"readFile", answer_read},          {"fileExists", answer_exists},
        {"directoryExists", answer_folder}, {"getAccessibleEntries", answer_entries},
        {"realpath", answer_real},
    };
    const JsonToken *path = params ? tape_token(tape, params) : NULL;

    for (size_t i = 0; context && path && path->kind == JSON_STRING && i < COUNT_OF(questions);
         i++) {
        if (tape_is(tape, tape_token(tape, method), questions[i].name)) {
            questions[i].answer(context, tape_text(tape, path), path->length, out);
            return;
        }
    }
    buf_append_string(out, "null");
}
