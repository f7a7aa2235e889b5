/* Servers of many files into one: each under a name of its own, none lost, none overwritten. */
#include "import.h"

#include "carry.h"
#include "complain.h"
#include "print.h"
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A server of the new file. */
typedef struct Item {
    const char *name, *package;
    const char *json; /* its entry */
    bool old;         /* the file had it */
    bool taken;       /* this time, or found to be there already */
} Item;

typedef struct Import {
    const Settings *settings;
    Kept kept;
    Source *sources;
    Jsonc target; /* what --to holds already */
    tn_value old; /* its servers */
    const char *section;
    Item *items;
    size_t count, added, same;
} Import;

static int no_memory(void)
{
    return library_failed(TN_ERR_NOMEM, "import the servers");
}

/* ---- names ---- */

static Item *item_of_package(Import *import, const char *package)
{
    for (size_t i = 0; i < import->count; i++) {
        if (strcmp(import->items[i].package, package) == 0)
            return &import->items[i];
    }
    return NULL;
}

static Item *add_item(Import *import, const char *name, const char *json)
{
    Item *item = &import->items[import->count];

    *item = (Item){
        .name = name, .json = json, .package = server_package(&import->kept, name, strlen(name))};
    if (item->package == NULL || json == NULL)
        return NULL;
    import->count++;
    return item;
}

static const char *json_of(Import *import, tn_value value)
{
    char *json;
    size_t length;
    const char *kept = NULL;

    if (tn_value_json(value, &json, &length) == TN_OK) {
        kept = kept_text(&import->kept, json, length);
        tn_text_free(json);
    }
    return kept;
}

/* The first of name, name_2, name_3 that is free, or that holds the same entry. */
static int place_item(Import *import, const char *name, const char *json, const char *from)
{
    for (unsigned n = 1; n < 10000; n++) {
        const char *numbered = n == 1 ? name : kept_format(&import->kept, "%s_%u", name, n);
        const char *package =
            numbered != NULL ? server_package(&import->kept, numbered, strlen(numbered)) : NULL;
        Item *there = package != NULL ? item_of_package(import, package) : NULL;
        if (package == NULL)
            return no_memory();
        if (there != NULL && strcmp(there->json, json) == 0) {
            import->same++;
            return 0;
        }
        if (there != NULL && there->old && !there->taken && import->settings->force) {
            there->json = json;
        } else if (there == NULL) {
            there = add_item(import, numbered, json);
            if (there == NULL)
                return no_memory();
        } else {
            continue;
        }
        if (n > 1)
            (void)fprintf(stderr, "tenon: %s: server %s is %s, since that name is taken\n", from,
                          name, numbered);
        there->taken = true;
        import->added++;
        return 0;
    }
    return no_memory();
}

/* ---- gathering ---- */

static int take_server(Import *import, const Source *source, tn_value key, tn_value entry)
{
    size_t length;
    const char *text = tn_value_text(key, &length), *json = NULL;
    char *name = text != NULL ? kept_text(&import->kept, text, length) : NULL;
    Carry carry = {.kept = &import->kept,
                   .source = source,
                   .name = name,
                   .references = import->settings->references};
    bool carried;

    if (name == NULL || tn_writer_new(&carry.out) != TN_OK)
        return no_memory();
    carried = tn_value_type(entry) == TN_TYPE_OBJECT && carry_server(&carry, entry);
    if (carried)
        json = json_of(import, tn_writer_value(carry.out));
    tn_writer_free(carry.out);
    if (!carried)
        return 0;
    return json != NULL ? place_item(import, name, json, source->path) : no_memory();
}

static int gather(Import *import)
{
    size_t room = tn_value_count(import->old) + 1;
    int wrong = 0;

    for (const Source *source = import->sources; source != NULL; source = source->next)
        room += tn_value_count(source->servers);
    import->items = kept_new(&import->kept, room, sizeof *import->items);
    if (import->items == NULL)
        return no_memory();
    for (tn_cursor cursor = {0}; tn_value_next(import->old, &cursor);) {
        size_t length;
        const char *text = tn_value_text(cursor.key, &length);
        char *name = text != NULL ? kept_text(&import->kept, text, length) : NULL;
        Item *item = name != NULL ? add_item(import, name, json_of(import, cursor.value)) : NULL;
        if (item == NULL)
            return no_memory();
        item->old = true;
    }
    for (const Source *source = import->sources; source != NULL; source = source->next) {
        for (tn_cursor cursor = {0}; wrong == 0 && tn_value_next(source->servers, &cursor);)
            wrong = take_server(import, source, cursor.key, cursor.value);
    }
    return wrong;
}

/* ---- the file ---- */

static void put_json(FILE *out, tn_value value, int indent)
{
    tn_type type = tn_value_type(value);
    bool object = type == TN_TYPE_OBJECT, first = true;
    char *json;
    size_t length;

    if ((!object && type != TN_TYPE_ARRAY) || tn_value_count(value) == 0 ||
        (!object && tn_value_type(tn_value_item(value, 0)) != TN_TYPE_OBJECT)) {
        if (tn_value_json(value, &json, &length) == TN_OK) {
            (void)fwrite(json, 1, length, out);
            tn_text_free(json);
        }
        return;
    }
    (void)fputc(object ? '{' : '[', out);
    for (tn_cursor cursor = {0}; tn_value_next(value, &cursor); first = false) {
        (void)fprintf(out, "%s\n%*s", first ? "" : ",", indent + 2, "");
        if (object) {
            put_json(out, cursor.key, indent);
            (void)fputs(": ", out);
        }
        put_json(out, cursor.value, indent + 2);
    }
    (void)fprintf(out, "\n%*s%c", indent, "", object ? '}' : ']');
}

/* The whole new file: what it held beside its servers stays. */
static tn_status compose(Import *import, tn_writer *out)
{
    tn_status status = TN_OK;

    tn_put_object_begin(out);
    for (tn_cursor cursor = {0};
         import->target.writer != NULL && tn_value_next(jsonc_value(&import->target), &cursor);) {
        size_t length;
        const char *text = tn_value_text(cursor.key, &length);
        char *name = text != NULL ? kept_text(&import->kept, text, length) : NULL;
        if (name == NULL)
            return TN_ERR_NOMEM;
        if (strcmp(name, import->section) == 0)
            continue;
        tn_put_key(out, name);
        tn_put_value(out, cursor.value);
    }
    tn_put_key(out, import->section);
    tn_put_object_begin(out);
    for (size_t i = 0; i < import->count && status == TN_OK; i++) {
        tn_put_key(out, import->items[i].name);
        status = tn_put_json(out, import->items[i].json, strlen(import->items[i].json));
    }
    tn_put_object_end(out);
    tn_put_object_end(out);
    return status;
}

/* A new file beside it, then in its place; secrets in it are its owner's. */
static bool replace_file(Import *import, const char *path, tn_value whole)
{
    struct stat status;
    char *true_path = kept_take(&import->kept, realpath(path, NULL));
    const char *place = true_path != NULL ? true_path : path;
    const char *fresh = kept_format(&import->kept, "%s.%d", place, (int)getpid());
    mode_t mode = stat(place, &status) == 0 ? status.st_mode & 0777 : 0600;
    int descriptor = fresh != NULL
                         ? open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600)
                         : -1;
    FILE *out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    bool good;

    if (out == NULL)
        return false;
    put_json(out, whole, 0);
    (void)fputc('\n', out);
    good = fchmod(descriptor, mode) == 0 && fflush(out) == 0 && !ferror(out);
    good = fclose(out) == 0 && good && rename(fresh, place) == 0;
    if (!good)
        (void)unlink(fresh);
    return good;
}

static int write_all(Import *import)
{
    const char *path = import->settings->to;
    tn_writer *out = NULL;
    tn_status status = tn_writer_new(&out);
    int wrong = 0;

    if (status == TN_OK)
        status = compose(import, out);
    if (status != TN_OK) {
        wrong = library_failed(status, "import the servers");
    } else if (path == NULL) {
        put_json(stdout, tn_writer_value(out), 0);
        (void)fputc('\n', stdout);
    } else if (import->added > 0 && !replace_file(import, path, tn_writer_value(out))) {
        wrong = complain("Name a file that can be written.", "cannot write %s: %s", path,
                         strerror(errno));
    }
    if (wrong == 0 && path != NULL)
        (void)fprintf(stderr, "tenon: %s: %zu servers added, %zu there already\n", path,
                      import->added, import->same);
    tn_writer_free(out);
    return wrong;
}

/* ---- the command ---- */

static int read_target(Import *import)
{
    const char *path = import->settings->to;
    Text text = {0};
    ReadJob job = {.path = path,
                   .what = "servers",
                   .remedy = "Is it a file of MCP servers?",
                   .limit_bytes = FILE_BYTES_MAX};
    char *before;
    bool commented;
    int wrong;

    import->section = "mcpServers";
    if (path == NULL || access(path, F_OK) != 0)
        return 0;
    if ((wrong = file_read(&job, &text)) != 0)
        return wrong;
    before = kept_text(&import->kept, text.bytes, text.length);
    wrong = jsonc_parse(&import->target, path, text);
    if (wrong != 0)
        return wrong;
    commented = before == NULL || memcmp(before, import->target.text.bytes, strlen(before)) != 0;
    if (commented && !import->settings->force)
        return complain("Say --force to write it anew without them, or name another file.",
                        "%s has comments, which would be lost", path);
    if (tn_value_type(jsonc_value(&import->target)) != TN_TYPE_OBJECT)
        return complain("Name another file.", "%s is no object of servers", path);
    import->old = servers_object(jsonc_value(&import->target), &import->section);
    if (tn_value_type(import->old) == TN_TYPE_NONE)
        import->section = "mcpServers";
    return 0;
}

static void list_sources(const Import *import)
{
    Printer out = printer_for(stdout, COLOR_NEVER);

    out.terminal = true;
    for (const Source *source = import->sources; source != NULL; source = source->next) {
        char head[40];
        bool first = true;
        (void)snprintf(head, sizeof head, "%-15s ", source->client);
        printer_put(&out, head);
        printer_put(&out, source->path);
        printer_put(&out, ": ");
        for (tn_cursor cursor = {0}; tn_value_next(source->servers, &cursor); first = false) {
            size_t length;
            const char *name = tn_value_text(cursor.key, &length);
            printer_put(&out, first ? "" : ", ");
            printer_write(&out, name, length);
        }
        printer_put(&out, "\n");
    }
    (void)printer_finish(&out);
}

static int perform(Import *import)
{
    const Settings *settings = import->settings;
    Source **last = &import->sources;
    int wrong = 0;

    if (settings->operand_count == 0)
        wrong = clients_read(&import->kept, NULL, &last);
    for (size_t i = 0; i < settings->operand_count && wrong == 0; i++)
        wrong = clients_read(&import->kept, settings->operands[i], &last);
    if (wrong != 0)
        return wrong;
    if (settings->list) {
        list_sources(import);
        return 0;
    }
    if (import->sources == NULL)
        return complain_about("Looked for were those of %s; or name a file.",
                              clients_names(&import->kept),
                              "no client here has MCP servers to import");
    wrong = read_target(import);
    if (wrong == 0)
        wrong = gather(import);
    return wrong != 0 ? wrong : write_all(import);
}

int import_command(const Settings *settings)
{
    Import import = {.settings = settings};
    int wrong = perform(&import);

    clients_release(import.sources);
    jsonc_release(&import.target);
    kept_release(&import.kept);
    return wrong;
}
