/* What exactly is declared under these names? */
#include <string.h>

#include "answer.h"
#include "near.h"
#include "plain.h"

enum { LAST_LINE_BYTES = 110, NAME_BYTES_MAX = 400, SUGGESTIONS_MAX = 3 };

/* ---- the form: scopes opened and closed as they were declared ---- */

static bool has_braces(const Scope *scope)
{
    return scope && scope->kind != SCOPE_GLOBAL && scope->kind != SCOPE_FILE;
}

/* Namespaces inside each other are one: `namespace a.b {` */
static bool is_joined(const Scope *scope)
{
    return scope->kind == SCOPE_NAMESPACE && scope->parent->kind == SCOPE_NAMESPACE;
}

/* The scope whose braces are around it. */
static const Scope *around(const Scope *scope)
{
    while (is_joined(scope))
        scope = scope->parent;
    return scope->parent;
}

static unsigned depth_of(const Scope *scope)
{
    unsigned depth = 0;

    for (; has_braces(scope); scope = around(scope))
        depth++;
    return depth;
}

static void put_indent(Buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth * INDENT; i++)
        buf_append_byte(out, ' ');
}

static void put_head(Buf *out, const Scope *scope)
{
    const char *name = scope->name;

    switch (scope->kind) {
    case SCOPE_MODULE:
        buf_append_string(out, "module ");
        put_quoted(out, name, strlen(name));
        break;
    case SCOPE_NAMESPACE:
        buf_append_string(out, "namespace ");
        buf_append_string(out, scope->path);
        break;
    case SCOPE_OBJECT:
        buf_append_string(out, "const ");
        buf_append_string(out, name);
        buf_append_byte(out, ':');
        break;
    default:
        put_member(out, "", name, strlen(name));
        buf_append_byte(out, ':');
        break;
    }
    buf_append_string(out, " {\n");
}

static void open_scope(Buf *out, const Scope *scope)
{
    if (!has_braces(scope))
        return;
    open_scope(out, around(scope));
    unsigned depth = depth_of(scope) - 1;
    put_indent(out, depth);
    if (depth == 0)
        buf_append_string(out, "declare ");
    put_head(out, scope);
}

static const void *scope_of(const Item *item)
{
    return item->file ? (const void *)item->scope : item;
}

static void open_item(Buf *out, const Item *item)
{
    open_scope(out, item->scope);
}

static void close_item(Buf *out, const Item *item)
{
    for (const Scope *scope = item->scope; has_braces(scope); scope = around(scope)) {
        put_indent(out, depth_of(scope) - 1);
        buf_append_string(out, scope->kind >= SCOPE_OBJECT ? "};\n" : "}\n");
    }
}

/* Nobody declared it. */
static void put_registered(Buf *out, const Item *item)
{
    size_t length = strlen(item->package->name);

    buf_append_string(out, "declare namespace ");
    buf_append_string(out, item->package->name);
    buf_append_string(out, " {\n    function ");
    buf_append_string(out, item->line + length + 1);
    buf_append_string(out, "; // its types are not known\n}\n");
}

static void put_item(Buf *out, const Item *item)
{
    unsigned indent = depth_of(item->scope) * INDENT;

    if (!item->file) {
        put_registered(out, item);
        return;
    }
    if (item->comment.end > item->comment.start) {
        put_indent(out, indent / INDENT);
        layout_comment(out, item->file->text + item->comment.start,
                       item->comment.end - item->comment.start, indent);
        buf_append_byte(out, '\n');
    }
    layout_lines(out, item->file, item->span, indent);
    buf_append_byte(out, '\n');
}

static void put_short(Buf *out, const Item *item)
{
    put_indent(out, depth_of(item->scope));
    buf_append_string(out, "// in short: ");
    buf_append_string(out, item->line);
    buf_append_byte(out, '\n');
}

static const Form form = {.group = scope_of,
                          .open = open_item,
                          .close = close_item,
                          .put = put_item,
                          .put_short = put_short,
                          .remedy = "name fewer or raise tokens"};

/* ---- names ---- */

typedef struct Asked {
    const char *text; /* NUL-terminated */
    size_t length;    /* without what a `*` stands for */
    bool begins;      /* "github.*" */
} Asked;

typedef bool (*Match)(const Item *item, const Asked *asked);

/* Not an object of functions: these are asked for as a package. */
static bool is_named(const Item *item, const Asked *asked)
{
    if (item->hidden || (item->kind == ITEM_VALUE && !item->listed))
        return false;
    return asked->begins ? strncmp(item->name, asked->text, asked->length) == 0
                         : strcmp(item->name, asked->text) == 0;
}

static bool is_in_package(const Item *item, const Asked *asked)
{
    const char *package = item->package ? item->package->name : "";

    return item->listed && asked->length > 0 && strncmp(package, asked->text, asked->length) == 0 &&
           (package[asked->length] == '\0' || package[asked->length] == '.');
}

static bool is_named_nearly(const Item *item, const Asked *asked)
{
    return !item->hidden && (strcasecmp(item->name, asked->text) == 0 ||
                             (item->package && strcasecmp(item_name_in(item), asked->text) == 0));
}

static uint32_t choose_matching(Answer *answer, const Asked *asked, Match match, bool any)
{
    const Inventory *inventory = answer->inventory;
    uint32_t count = 0;

    for (uint32_t i = 0; i < inventory->count; i++) {
        const Item *item = inventory->items[i];
        if (!match(item, asked) || (asked->begins && !item->listed && !any))
            continue;
        count++;
        answer_choose(answer, item->shown);
        if (!answer->full)
            answer_choose_needs(answer, item->shown, SIZE_MAX);
    }
    return count;
}

/* ---- did you mean ---- */

/* How far is an item's name from what was asked for? A beginning of it is near. */
static unsigned far_from(const Item *item, const char *name, unsigned most)
{
    const char *dot = strrchr(name, '.'), *end = dot && dot[1] ? dot + 1 : name;
    unsigned whole = near_distance(name, item->name, most);
    unsigned part_most = near_most(strlen(end));
    unsigned part = near_distance(end, item_name_in(item), part_most) + (dot != NULL);

    if (strlen(end) > 2 && (strncasecmp(item->name, name, strlen(name)) == 0 ||
                            strncasecmp(item_name_in(item), end, strlen(end)) == 0))
        part = part < 2 ? part : 2;
    else if (part > part_most + (dot != NULL))
        part = most + 1;
    return whole < part ? whole : part;
}

static void suggest(const Inventory *inventory, const char *name, Buf *notes)
{
    unsigned most = near_most(strlen(name)) + 1;
    unsigned count = 0;
    const char *before = "";

    plain_line(notes, name, strlen(name), 100);
    buf_append_byte(notes, '"');
    for (unsigned far = 0; far <= most && count < SUGGESTIONS_MAX; far++) {
        for (uint32_t i = 0; i < inventory->count && count < SUGGESTIONS_MAX; i++) {
            const Item *item = inventory->items[i];
            if (!item->listed || far_from(item, name, most) != far ||
                strcmp(item->name, before) == 0)
                continue;
            buf_append_string(notes, count == 0 ? ": did you mean " : ", ");
            buf_append_string(notes, item->name);
            before = item->name;
            count++;
        }
    }
    buf_append_string(notes, count == 0 ? ": search for it in other words\n" : "?\n");
}

/* ---- the question ---- */

static void describe_name(Answer *answer, const char *name, Buf *notes)
{
    Asked asked = {.text = name, .length = strlen(name)};

    if (asked.length > 0 && name[asked.length - 1] == '*') {
        asked.begins = true;
        asked.length--;
    }
    if (choose_matching(answer, &asked, is_named, false) > 0)
        return;
    while (asked.length > 0 && strchr(".*", name[asked.length - 1]))
        asked.length--;
    if (choose_matching(answer, &asked, is_in_package, true) > 0 ||
        (!asked.begins && choose_matching(answer, &asked, is_named_nearly, true) > 0))
        return;
    size_t before = notes->length;
    buf_append_string(notes, "// there is no \"");
    suggest(answer->inventory, name, notes);
    if (notes->length - before + answer->used > answer->room)
        buf_truncate(notes, before);
    answer->used += notes->length - before;
}

static void describe_names(Answer *answer, const char *names, Buf *notes)
{
    char name[NAME_BYTES_MAX + 1];

    while (*names) {
        size_t length = strcspn(names, " ,\t\r\n");
        size_t copied = length < NAME_BYTES_MAX ? length : NAME_BYTES_MAX;
        memcpy(name, names, copied);
        name[copied] = '\0';
        if (length > 0)
            describe_name(answer, name, notes);
        names += length + (names[length] != '\0');
    }
}

tn_status inventory_describe(Inventory *inventory, const char *names, size_t budget, Buf *out)
{
    size_t room = (budget < ANSWER_BYTES_MIN ? ANSWER_BYTES_MIN : budget) - LAST_LINE_BYTES;
    Answer answer;
    Buf notes;
    tn_status status = answer_begin(&answer, inventory, &form, room);

    buf_init(&notes, &inventory->allocator, SIZE_MAX);
    if (status == TN_OK) {
        describe_names(&answer, names, &notes);
        status = arena_status(&answer.arena);
    }
    if (status == TN_OK)
        status = buf_status(&notes);
    if (status == TN_OK) {
        buf_append(out, notes.data, notes.length);
        answer_write(&answer, out);
        status = buf_status(out);
    }
    buf_release(&notes);
    answer_release(&answer);
    return status;
}
