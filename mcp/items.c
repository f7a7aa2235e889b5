/* What is configured, at work: found by its name, compiled, begun as a job. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Item *item_find(const Door *door, ItemKind kind, const char *name, size_t length)
{
    DoorConfig *config = door->options.config;

    for (size_t i = 0; name && config && i < config->count; i++) {
        Item *item = &config->items[i];
        if (item->kind == kind && item->name_length == length &&
            memcmp(item->name, name, length) == 0)
            return item;
    }
    return NULL;
}

bool has_items(const Door *door, ItemKind kind)
{
    const DoorConfig *config = door->options.config;

    for (size_t i = 0; config && i < config->count; i++) {
        if (config->items[i].kind == kind)
            return true;
    }
    return false;
}

/* Members that say how it is done are nobody's matter outside. */
static bool is_ours(const char *name, size_t length)
{
    static const char *const ours[] = {"program", "code",   "returns", "requires", "limits",
                                       "text",    "base64", "file",    "values"};

    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (text_is(name, length, ours[i]))
            return true;
    }
    return false;
}

static void put_described(tn_writer *writer, tn_value about);

static void put_argument_list(tn_writer *writer, tn_value list)
{
    tn_put_array_begin(writer);
    for (tn_cursor cursor = {0}; tn_value_next(list, &cursor);) {
        tn_put_object_begin(writer);
        put_described(writer, cursor.value);
        tn_put_object_end(writer);
    }
    tn_put_array_end(writer);
}

static void put_described(tn_writer *writer, tn_value about)
{
    for (tn_cursor cursor = {0}; tn_value_next(about, &cursor);) {
        size_t length = 0;
        const char *name = tn_value_text(cursor.key, &length);
        if (is_ours(name, length))
            continue;
        char key[40]; /* what a configuration may have is known, and short */
        (void)snprintf(key, sizeof key, "%.*s", (int)length, name);
        tn_put_key(writer, key);
        if (text_is(name, length, "arguments"))
            put_argument_list(writer, cursor.value);
        else
            tn_put_value(writer, cursor.value);
    }
}

void put_item(tn_writer *writer, const Item *item)
{
    tn_put_object_begin(writer);
    put_described(writer, item->about);
    if (item->kind == ITEM_TOOL && !item->input)
        put_json(writer, "inputSchema", "{\"type\":\"object\",\"additionalProperties\":false}");
    tn_put_object_end(writer);
}

/* ---- compiling ---- */

/* What stands before the program for the check: our types, and those of what it is given. */
typedef struct Types {
    char *text;
    size_t length;
    FILE *stream;
} Types;

static void put_type(Types *types, const tn_schema *schema, const char *name, bool object)
{
    char *text = NULL;

    if (schema && tn_schema_type(schema, name, object, &text) == TN_OK)
        (void)fputs(text, types->stream);
    else
        (void)fprintf(types->stream, "type %s = %s;\n", name, object ? "{}" : "unknown");
    tn_text_free(text);
}

static void put_quoted(FILE *stream, const char *text, size_t length)
{
    (void)fputc('"', stream);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\')
            (void)fputc('\\', stream);
        if ((unsigned char)text[i] >= 0x20)
            (void)fputc(text[i], stream);
    }
    (void)fputc('"', stream);
}

static void put_prompt_type(FILE *stream, const Item *item)
{
    (void)fputs("type Args = {", stream);
    for (tn_cursor cursor = {0};
         tn_value_next(tn_value_member(item->about, "arguments"), &cursor);) {
        size_t length;
        const char *name = member_text(cursor.value, "name", &length);
        put_quoted(stream, name, length);
        (void)fputs(tn_value_bool(tn_value_member(cursor.value, "required")) ? ": string; "
                                                                             : "?: string; ",
                    stream);
    }
    (void)fputs("};\n", stream);
}

static void put_template_type(FILE *stream, const Item *item)
{
    const char *at = item->name, *end = item->name + item->name_length, *close;

    (void)fputs("type Args = {", stream);
    while ((at = memchr(at, '{', (size_t)(end - at))) &&
           (close = memchr(at, '}', (size_t)(end - at)))) {
        at += 1 + (at[1] == '+');
        put_quoted(stream, at, (size_t)(close - at));
        (void)fputs(": string; ", stream);
        at = close;
    }
    (void)fputs("};\n", stream);
}

static char *types_of(const Item *item)
{
    Types types = {0};

    types.stream = open_memstream(&types.text, &types.length);
    if (!types.stream)
        return NULL;
    (void)fputs(client_declarations, types.stream);
    if (item->kind == ITEM_TOOL) {
        put_type(&types, item->input, "Args", true);
        put_type(&types, item->output, "Result", false);
    } else if (item->kind == ITEM_PROMPT) {
        put_prompt_type(types.stream, item);
    } else if (item->kind == ITEM_TEMPLATE) {
        put_template_type(types.stream, item);
    } else {
        (void)fputs("type Args = {};\n", types.stream);
    }
    return fclose(types.stream) == 0 ? types.text : NULL;
}

static const char *expected_of(const Item *item)
{
    if (item->kind == ITEM_PROMPT)
        return "string | Message | Message[]";
    if (item->kind == ITEM_TOOL && item->content)
        return "Block | Block[]";
    return item->kind == ITEM_TOOL && item->output ? "Result" : NULL;
}

static void complain(const Door *door, const Item *item, const char *why, unsigned line)
{
    char text[600], place[32] = "";

    if (!door->options.complain)
        return;
    if (line > 0)
        (void)snprintf(place, sizeof place, ", line %u", line);
    (void)snprintf(text, sizeof text, "%.*s%s: %s",
                   item->name_length < 200 ? (int)item->name_length : 200, item->name, place, why);
    door->options.complain(text);
}

static void tell_findings(const Door *door, const Item *item, const tn_program *program)
{
    for (size_t i = 0; i < tn_program_finding_count(program); i++) {
        const tn_finding *finding = tn_program_finding(program, i);
        char text[400];
        if (finding->severity != TN_SEVERITY_ERROR)
            continue;
        (void)snprintf(text, sizeof text, "%s: %s", finding->code, finding->message);
        complain(door, item, text, finding->line);
    }
}

static tn_program *compile_locked(Door *door, const DoorEngine *held, Item *item)
{
    static const tn_input_type args = {.name = "args", .type = "Args"};
    tn_program_options options = TN_INIT(tn_program_options);
    char *types = types_of(item);
    const char *slash = item->path ? strrchr(item->path, '/') : NULL;
    tn_program *program = NULL;

    options.name = !item->path ? "program.ts" : slash ? slash + 1 : item->path;
    options.declarations = types;
    options.inputs = &args;
    options.input_count = 1;
    options.expect = expected_of(item);
    options.policy = door->options.policy;
    tn_status status =
        tn_program_new(held->engine, item->code, item->code_length, &options, &program);
    if (status != TN_OK)
        complain(door, item, tn_status_text(status), 0);
    else if (!item->told)
        tell_findings(door, item, program);
    item->told = true;
    free(types);
    return program;
}

tn_program *item_program(Door *door, DoorEngine *held, Item *item)
{
    DoorConfig *config = door->options.config;
    size_t index = (size_t)(item - config->items);
    tn_program *program = NULL;

    pthread_mutex_lock(&config->lock);
    if (!held->programs) {
        held->programs = calloc(config->count, sizeof(tn_program *));
        held->program_count = held->programs ? config->count : 0;
    }
    if (index < held->program_count) {
        if (!held->programs[index])
            held->programs[index] = compile_locked(door, held, item);
        program = held->programs[index];
    }
    pthread_mutex_unlock(&config->lock);
    return program;
}

void items_compile(Door *door)
{
    DoorConfig *config = door->options.config;
    DoorEngine *held = config ? door_engine_take(door) : NULL;

    for (size_t i = 0; held && i < config->count && !door->closing; i++) {
        if (config->items[i].code)
            (void)item_program(door, held, &config->items[i]);
    }
    if (held)
        door_engine_give(door, held);
}

/* ---- running ---- */

tn_run_options item_run_options(const Job *job)
{
    const Door *door = job->request.door;
    tn_value limits = tn_value_member(job->item->about, "limits");
    tn_run_options options = TN_INIT(tn_run_options);
    int64_t number;

    options.limits = door->options.limits;
    options.policy = door->options.policy;
    options.journal = door->options.journal;
    options.journal_level = door->options.journal_level;
    options.input = tn_writer_value(job->input);
    if (tn_value_int(tn_value_member(limits, "wallMs"), &number))
        options.limits.wall_ms = (uint32_t)number;
    if (tn_value_int(tn_value_member(limits, "cpuMs"), &number))
        options.limits.cpu_ms = (uint32_t)number;
    if (tn_value_int(tn_value_member(limits, "calls"), &number))
        options.limits.calls = (uint32_t)number;
    if (tn_value_int(tn_value_member(limits, "memoryBytes"), &number))
        options.limits.memory_bytes = (uint64_t)number;
    return options;
}

void item_begin(Request *request, Item *item, tn_value arguments)
{
    Task task = {.item = item};

    if (tn_writer_new(&task.input) != TN_OK) {
        answer_error(request, WRONG_INSIDE, "out of memory");
        return;
    }
    tn_put_object_begin(task.input);
    tn_put_key(task.input, "args");
    if (tn_value_type(arguments) == TN_TYPE_OBJECT) {
        tn_put_value(task.input, arguments);
    } else {
        tn_put_object_begin(task.input);
        tn_put_object_end(task.input);
    }
    tn_put_object_end(task.input);
    job_begin(request, task);
}
