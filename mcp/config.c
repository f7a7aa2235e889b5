/* The configuration of a server, read: every member is known, or the file is refused. */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 8 << 20 };

typedef struct Reading {
    DoorConfig *config;
    const char *folder;
    char where[160]; /* "tools[2]" */
    char *fault;
    size_t room;
} Reading;

__attribute__((format(printf, 2, 3))) static bool wrong(Reading *reading, const char *format, ...)
{
    va_list arguments;
    int length = snprintf(reading->fault, reading->room, "%s%s", reading->where,
                          reading->where[0] ? ": " : "");

    va_start(arguments, format);
    if (length >= 0 && (size_t)length < reading->room)
        (void)vsnprintf(reading->fault + length, reading->room - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- members ---- */

typedef struct Member {
    const char *name;
    tn_type type; /* NONE: anything */
    bool needed;
} Member;

/* Everything that offers something is described by these. */
static const Member common[] = {
    {"title", TN_TYPE_TEXT, false},         {"description", TN_TYPE_TEXT, false},
    {"icons", TN_TYPE_ARRAY, false},        {"_meta", TN_TYPE_OBJECT, false},
    {"annotations", TN_TYPE_OBJECT, false}, {0}};
static const Member of_tool[] = {{"name", TN_TYPE_TEXT, true},
                                 {"inputSchema", TN_TYPE_OBJECT, false},
                                 {"outputSchema", TN_TYPE_OBJECT, false},
                                 {"program", TN_TYPE_TEXT, false},
                                 {"code", TN_TYPE_TEXT, false},
                                 {"returns", TN_TYPE_TEXT, false},
                                 {"requires", TN_TYPE_OBJECT, false},
                                 {"limits", TN_TYPE_OBJECT, false},
                                 {0}};
static const Member of_prompt[] = {
    {"name", TN_TYPE_TEXT, true},      {"arguments", TN_TYPE_ARRAY, false},
    {"program", TN_TYPE_TEXT, false},  {"code", TN_TYPE_TEXT, false},
    {"limits", TN_TYPE_OBJECT, false}, {0}};
static const Member of_resource[] = {{"uri", TN_TYPE_TEXT, true},
                                     {"name", TN_TYPE_TEXT, true},
                                     {"mimeType", TN_TYPE_TEXT, false},
                                     {"size", TN_TYPE_NUMBER, false},
                                     {"text", TN_TYPE_TEXT, false},
                                     {"base64", TN_TYPE_TEXT, false},
                                     {"file", TN_TYPE_TEXT, false},
                                     {"program", TN_TYPE_TEXT, false},
                                     {"code", TN_TYPE_TEXT, false},
                                     {"limits", TN_TYPE_OBJECT, false},
                                     {0}};
static const Member of_template[] = {
    {"uriTemplate", TN_TYPE_TEXT, true}, {"name", TN_TYPE_TEXT, true},
    {"mimeType", TN_TYPE_TEXT, false},   {"values", TN_TYPE_OBJECT, false},
    {"program", TN_TYPE_TEXT, false},    {"code", TN_TYPE_TEXT, false},
    {"limits", TN_TYPE_OBJECT, false},   {0}};
static const Member of_argument[] = {{"name", TN_TYPE_TEXT, true},
                                     {"required", TN_TYPE_BOOL, false},
                                     {"values", TN_TYPE_ARRAY, false},
                                     {0}};
static const Member of_limits[] = {{"wallMs", TN_TYPE_NUMBER, false},
                                   {"cpuMs", TN_TYPE_NUMBER, false},
                                   {"memoryBytes", TN_TYPE_NUMBER, false},
                                   {"calls", TN_TYPE_NUMBER, false},
                                   {0}};
static const Member of_whole[] = {{"$schema", TN_TYPE_TEXT, false},
                                  {"name", TN_TYPE_TEXT, false},
                                  {"title", TN_TYPE_TEXT, false},
                                  {"version", TN_TYPE_TEXT, false},
                                  {"instructions", TN_TYPE_TEXT, false},
                                  {"builtin", TN_TYPE_BOOL, false},
                                  {"tools", TN_TYPE_ARRAY, false},
                                  {"prompts", TN_TYPE_ARRAY, false},
                                  {"resources", TN_TYPE_ARRAY, false},
                                  {"templates", TN_TYPE_ARRAY, false},
                                  {0}};

static const Member *member_of(const Member *members, const char *name, size_t length)
{
    for (; members && members->name; members++) {
        if (text_is(name, length, members->name))
            return members;
    }
    return NULL;
}

static const char *words_of(tn_type type)
{
    return type == TN_TYPE_TEXT     ? "a text"
           : type == TN_TYPE_BOOL   ? "true or false"
           : type == TN_TYPE_ARRAY  ? "a list"
           : type == TN_TYPE_NUMBER ? "a number"
                                    : "an object";
}

static bool check_members(Reading *reading, tn_value object, const Member *members,
                          const Member *more)
{
    if (tn_value_type(object) != TN_TYPE_OBJECT)
        return wrong(reading, "it must be an object");
    for (tn_cursor cursor = {0}; tn_value_next(object, &cursor);) {
        size_t length = 0;
        const char *name = tn_value_text(cursor.key, &length);
        const Member *member = member_of(members, name, length);
        if (!member)
            member = member_of(more, name, length);
        if (!member)
            return wrong(reading, "there is no member \"%.*s\"",
                         name && length < 60 ? (int)length : 0, name ? name : "");
        if (tn_value_type(cursor.value) != member->type)
            return wrong(reading, "%s must be %s", member->name, words_of(member->type));
    }
    for (; members->name; members++) {
        if (members->needed &&
            tn_value_type(tn_value_member(object, members->name)) == TN_TYPE_NONE)
            return wrong(reading, "%s is missing", members->name);
    }
    return true;
}

/* ---- programs and schemas ---- */

static char *path_in(const char *folder, const char *name, size_t length)
{
    char *path = NULL;

    if (memchr(name, '\0', length))
        return NULL;
    if (name[0] == '/' || !folder || !folder[0])
        return strndup(name, length);
    return asprintf(&path, "%s/%.*s", folder, (int)length, name) < 0 ? NULL : path;
}

static char *read_whole(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(FILE_MOST + 1) : NULL, *exact;

    *out_length = text ? fread(text, 1, FILE_MOST + 1, file) : 0;
    bool bad = !text || ferror(file) || *out_length > FILE_MOST;
    if (file)
        (void)fclose(file);
    if (bad) {
        free(text);
        return NULL;
    }
    text[*out_length] = '\0';
    exact = realloc(text, *out_length + 1);
    return exact ? exact : text;
}

/* "program" is a file, "code" the text itself. */
static bool take_program(Reading *reading, Item *item, bool needed)
{
    size_t file_length, length;
    const char *file = member_text(item->about, "program", &file_length);
    const char *code = member_text(item->about, "code", &length);

    if (file && code)
        return wrong(reading, "it has both \"program\" and \"code\"");
    if (!file && !code)
        return !needed || wrong(reading, "\"program\" (a file) or \"code\" is missing");
    if (code) {
        item->code = strndup(code, length);
        item->code_length = length;
        return item->code || wrong(reading, "out of memory");
    }
    item->path = path_in(reading->folder, file, file_length);
    item->code = item->path ? read_whole(item->path, &item->code_length) : NULL;
    return item->code || wrong(reading, "the program %.*s cannot be read",
                               file_length < 200 ? (int)file_length : 200, file);
}

static bool take_schema(Reading *reading, const Item *item, const char *member,
                        tn_schema **out_schema)
{
    tn_value schema = tn_value_member(item->about, member);

    if (tn_value_type(schema) == TN_TYPE_NONE)
        return true;
    return tn_schema_new(schema, out_schema) == TN_OK ||
           wrong(reading, "%s cannot be read as JSON Schema", member);
}

static bool check_limits(Reading *reading, const Item *item)
{
    tn_value limits = tn_value_member(item->about, "limits");
    int64_t number;

    if (tn_value_type(limits) == TN_TYPE_NONE)
        return true;
    if (!check_members(reading, limits, of_limits, NULL))
        return false;
    for (tn_cursor cursor = {0}; tn_value_next(limits, &cursor);) {
        if (!tn_value_int(cursor.value, &number) || number <= 0 || number > UINT32_MAX)
            return wrong(reading, "a limit is a whole number above 0");
    }
    return true;
}

/* ---- each kind ---- */

static bool is_builtin(const char *name, size_t length)
{
    return text_is(name, length, "search") || text_is(name, length, "describe") ||
           text_is(name, length, "run");
}

static bool take_tool(Reading *reading, Item *item)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    tn_value input = tn_value_member(item->about, "inputSchema");
    size_t length, good = 0;
    const char *returns = member_text(item->about, "returns", &length);

    while (good < item->name_length && item->name[good] && strchr(letters, item->name[good]))
        good++;
    if (good != item->name_length || good == 0 || good > 128)
        return wrong(reading, "a tool's name is 1 to 128 letters, digits, `_`, `-` and `.`");
    if (reading->config->builtin && is_builtin(item->name, item->name_length))
        return wrong(reading, "that name is one of ours; \"builtin\": false leaves ours out");
    if (returns && !text_is(returns, length, "value") && !text_is(returns, length, "content"))
        return wrong(reading, "returns is \"value\" or \"content\"");
    item->content = text_is(returns, length, "content");
    const char *type = member_text(input, "type", &length);
    if (tn_value_type(input) != TN_TYPE_NONE && !text_is(type, length, "object"))
        return wrong(reading, "inputSchema has \"type\": \"object\"");
    return take_schema(reading, item, "inputSchema", &item->input) &&
           take_schema(reading, item, "outputSchema", &item->output) &&
           take_program(reading, item, true);
}

static bool take_prompt(Reading *reading, Item *item)
{
    tn_value arguments = tn_value_member(item->about, "arguments");
    size_t at = strlen(reading->where), index = 0;

    for (tn_cursor cursor = {0}; tn_value_next(arguments, &cursor);) {
        (void)snprintf(reading->where + at, sizeof reading->where - at, ".arguments[%zu]", index++);
        if (!check_members(reading, cursor.value, of_argument, common))
            return false;
    }
    reading->where[at] = '\0';
    return take_program(reading, item, true);
}

static bool take_resource(Reading *reading, Item *item)
{
    static const char *const ways[] = {"text", "base64", "file", "program", "code"};
    unsigned given = 0;
    size_t length;
    const char *file = member_text(item->about, "file", &length);

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        given += tn_value_type(tn_value_member(item->about, ways[i])) != TN_TYPE_NONE;
    if (given != 1)
        return wrong(reading,
                     "it has one of \"text\", \"base64\", \"file\", \"program\", \"code\"");
    if (file)
        item->path = path_in(reading->folder, file, length);
    return (!file || item->path || wrong(reading, "file is no name")) &&
           take_program(reading, item, false);
}

static bool take_template(Reading *reading, Item *item)
{
    if (!memchr(item->name, '{', item->name_length))
        return wrong(reading, "uriTemplate has no {name} in it");
    return take_program(reading, item, true);
}

static const struct Kind {
    const char *list, *name;
    const Member *members;
    bool (*take)(Reading *reading, Item *item);
} kinds[] = {
    [ITEM_TOOL] = {"tools", "name", of_tool, take_tool},
    [ITEM_PROMPT] = {"prompts", "name", of_prompt, take_prompt},
    [ITEM_RESOURCE] = {"resources", "uri", of_resource, take_resource},
    [ITEM_TEMPLATE] = {"templates", "uriTemplate", of_template, take_template},
};

static bool take_item(Reading *reading, ItemKind kind, tn_value about)
{
    DoorConfig *config = reading->config;
    Item *item = &config->items[config->count];

    if (!check_members(reading, about, kinds[kind].members, common))
        return false;
    item->kind = kind;
    item->about = about;
    item->name = member_text(about, kinds[kind].name, &item->name_length);
    for (size_t i = 0; i < config->count; i++) {
        const Item *other = &config->items[i];
        if (other->kind == kind && other->name_length == item->name_length &&
            memcmp(other->name, item->name, item->name_length) == 0)
            return wrong(reading, "there are two of that %s", kinds[kind].name);
    }
    config->count++;
    return kinds[kind].take(reading, item) && check_limits(reading, item);
}

static bool take_whole(Reading *reading)
{
    DoorConfig *config = reading->config;
    size_t count = 0;

    if (!check_members(reading, config->whole, of_whole, NULL))
        return false;
    config->builtin = tn_value_type(tn_value_member(config->whole, "builtin")) == TN_TYPE_NONE ||
                      tn_value_bool(tn_value_member(config->whole, "builtin"));
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        count += tn_value_count(tn_value_member(config->whole, kinds[kind].list));
    config->items = calloc(count + 1, sizeof *config->items);
    if (!config->items)
        return wrong(reading, "out of memory");
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        tn_value list = tn_value_member(config->whole, kinds[kind].list);
        size_t index = 0;
        for (tn_cursor cursor = {0}; tn_value_next(list, &cursor);) {
            (void)snprintf(reading->where, sizeof reading->where, "%s[%zu]", kinds[kind].list,
                           index++);
            if (!take_item(reading, (ItemKind)kind, cursor.value))
                return false;
        }
    }
    return true;
}

DoorConfig *door_config_new(tn_value document, const char *folder, char *fault, size_t room)
{
    DoorConfig *config = calloc(1, sizeof *config);
    Reading reading = {.config = config, .folder = folder, .fault = fault, .room = room};

    if (!config)
        return NULL;
    pthread_mutex_init(&config->lock, NULL);
    if (tn_writer_new(&config->document) == TN_OK) {
        tn_put_value(config->document, document);
        config->whole = tn_writer_value(config->document);
        if (take_whole(&reading))
            return config;
    }
    door_config_free(config);
    return NULL;
}

void door_config_free(DoorConfig *config)
{
    if (!config)
        return;
    for (size_t i = 0; i < config->count; i++) {
        Item *item = &config->items[i];
        free(item->code);
        free(item->path);
        tn_schema_free(item->input);
        tn_schema_free(item->output);
    }
    free(config->items);
    pthread_mutex_destroy(&config->lock);
    tn_writer_free(config->document);
    free(config);
}
