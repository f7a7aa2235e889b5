/* The file is JSON with comments and commas too many; texts in it may name variables of the
 * environment: ${NAME}, ${NAME:-instead}, ${env:NAME}. A secret is thus never in the file. */
#include "servers.h"

#include "complain.h"
#include "files.h"
#include "json_fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One file being read. All texts made on the way are freed with it. */
typedef struct Reading {
    const char *path;
    const char *server; /* the one at hand */
    char *texts[512];
    size_t text_count;
} Reading;

static char *keep(Reading *reading, char *text)
{
    if (text != NULL && reading->text_count == sizeof reading->texts / sizeof *reading->texts) {
        free(text);
        return NULL;
    }
    if (text != NULL)
        reading->texts[reading->text_count++] = text;
    return text;
}

static int no_memory(void)
{
    return library_failed(TN_ERR_NOMEM, "read the servers");
}

/* ---- comments ---- */

/* Past one comment, blanked; NULL if none is there. Lines stay where they are. */
static char *blank_comment(char *at, const char *end)
{
    bool line = end - at > 1 && at[0] == '/' && at[1] == '/';
    bool block = end - at > 1 && at[0] == '/' && at[1] == '*';
    char *stop;

    if (line) {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : at + (end - at);
    } else if (block) {
        stop = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
        stop = stop != NULL ? stop + 2 : at + (end - at);
    } else {
        return NULL;
    }
    for (; at < stop; at++) {
        if (*at != '\n')
            *at = ' ';
    }
    return stop;
}

static char *past_string(char *at, const char *end)
{
    for (at++; at < end && *at != '"' && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
    }
    return at < end ? at + 1 : at;
}

/* Comments, and a comma before a closing bracket, become blanks. */
static void plain_json(char *text, size_t length)
{
    char *end = text + length, *comma = NULL;

    for (char *at = text; at < end;) {
        char *past = blank_comment(at, end);
        if (past != NULL) {
            at = past;
            continue;
        }
        if (comma != NULL && (*at == '}' || *at == ']'))
            *comma = ' ';
        if (*at == ',')
            comma = at;
        else if (strchr(" \t\r\n", *at) == NULL)
            comma = NULL;
        at = *at == '"' ? past_string(at, end) : at + 1;
    }
}

/* ---- variables ---- */

typedef struct Growing {
    char *text;
    size_t length, room;
} Growing;

static void grow(Growing *growing, const char *text, size_t length)
{
    if (growing->length + length + 1 > growing->room) {
        size_t room = growing->room * 2 + length + 64;
        char *grown = realloc(growing->text, room);
        if (grown == NULL) {
            free(growing->text);
            *growing = (Growing){0};
            return;
        }
        growing->text = grown;
        growing->room = room;
    }
    memcpy(growing->text + growing->length, text, length);
    growing->length += length;
    growing->text[growing->length] = '\0';
}

/* What stands for "NAME", "NAME:-instead" or "env:NAME"; NULL: nothing does. */
static const char *variable(char *inside)
{
    char *instead = strstr(inside, ":-");
    const char *value;

    if (instead != NULL) {
        *instead = '\0';
        instead += 2;
    }
    if (strncmp(inside, "env:", 4) == 0)
        inside += 4;
    if (strcmp(inside, "workspaceFolder") == 0)
        return ".";
    value = getenv(inside);
    return value != NULL && (value[0] != '\0' || instead == NULL) ? value : instead;
}

/* A text with its variables put in. Complains and returns NULL if one is not set. */
static const char *expand(Reading *reading, const char *text, size_t length)
{
    Growing growing = {0};
    const char *end = text + length;

    grow(&growing, "", 0);
    while (text < end) {
        const char *open = memmem(text, (size_t)(end - text), "${", 2);
        const char *close = open != NULL ? memchr(open, '}', (size_t)(end - open)) : NULL;
        if (close == NULL)
            break;
        char *inside = strndup(open + 2, (size_t)(close - open - 2));
        const char *value = inside != NULL ? variable(inside) : NULL;
        if (value == NULL) {
            complain("Set it, or write ${NAME:-instead} in the file.",
                     "%s: server %s needs the variable %s, which is not set", reading->path,
                     reading->server, inside != NULL ? inside : "");
            free(inside);
            free(growing.text);
            return NULL;
        }
        grow(&growing, text, (size_t)(open - text));
        grow(&growing, value, strlen(value));
        free(inside);
        text = close + 1;
    }
    grow(&growing, text, (size_t)(end - text));
    return keep(reading, growing.text);
}

/* ---- one server ---- */

/* Text of a member, its variables put in: NULL without it. False after a complaint. */
static bool member_text(Reading *reading, tn_value object, const char *name, const char **out_text)
{
    tn_value value = tn_value_member(object, name);
    size_t length;
    const char *text = tn_value_text(value, &length);

    *out_text = NULL;
    if (tn_value_type(value) == TN_TYPE_NONE)
        return true;
    if (text == NULL) {
        complain("Write it in quotes.", "%s: %s of server %s must be text", reading->path, name,
                 reading->server);
        return false;
    }
    *out_text = expand(reading, text, length);
    return *out_text != NULL;
}

/* A list of texts that ends with NULL, in memory that `reading` frees. */
static const char **list_new(Reading *reading, size_t count)
{
    return (const char **)(void *)keep(reading, calloc(count + 1, sizeof(char *)));
}

static bool take_arguments(Reading *reading, tn_value server, tn_mcp_server *out)
{
    tn_value value = tn_value_member(server, "args");
    const char **list = list_new(reading, tn_value_count(value));
    size_t at = 0;

    if (tn_value_type(value) == TN_TYPE_NONE || list == NULL)
        return list != NULL;
    if (tn_value_type(value) != TN_TYPE_ARRAY) {
        complain("As in \"args\": [\"-y\", \"a-server\"].",
                 "%s: args of server %s must be a list of texts", reading->path, reading->server);
        return false;
    }
    for (tn_cursor cursor = {0}; tn_value_next(value, &cursor);) {
        size_t length;
        const char *text = tn_value_text(cursor.value, &length);
        if (text == NULL) {
            complain("Write each in quotes.", "%s: args of server %s must be a list of texts",
                     reading->path, reading->server);
            return false;
        }
        list[at] = expand(reading, text, length);
        if (list[at++] == NULL)
            return false;
    }
    out->arguments = list;
    return true;
}

/* Of the host's environment what a program needs to run at all. */
static size_t safe_environment(Reading *reading, const char **list)
{
    static const char *const names[] = {"PATH", "HOME",   "USER", "LOGNAME", "SHELL", "TERM",
                                        "LANG", "LC_ALL", "TZ",   "TMPDIR",  NULL};
    size_t count = 0;

    for (size_t i = 0; names[i] != NULL; i++) {
        const char *value = getenv(names[i]);
        char *pair = NULL;
        if (value != NULL && asprintf(&pair, "%s=%s", names[i], value) >= 0 &&
            keep(reading, pair) != NULL)
            list[count++] = pair;
    }
    return count;
}

/* "NAME=value" or "Name: value" of each member. */
static bool take_pairs(Reading *reading, tn_value object, const char *between, const char **list,
                       size_t at)
{
    for (tn_cursor cursor = {0}; tn_value_next(object, &cursor);) {
        size_t name_length, length;
        const char *name = tn_value_text(cursor.key, &name_length);
        const char *text = tn_value_text(cursor.value, &length);
        const char *value = text != NULL ? expand(reading, text, length) : NULL;
        char *pair = NULL;
        if (text == NULL)
            complain("Write it in quotes.", "%s: %.*s of server %s must be text", reading->path,
                     name != NULL ? (int)name_length : 0, name != NULL ? name : "",
                     reading->server);
        if (value == NULL || name == NULL)
            return false;
        if (asprintf(&pair, "%.*s%s%s", (int)name_length, name, between, value) < 0 ||
            keep(reading, pair) == NULL)
            return false;
        list[at++] = pair;
    }
    return true;
}

static bool take_server(Reading *reading, tn_value server, tn_mcp_server *out)
{
    enum { SAFE_MAX = 16 };
    tn_value environment = tn_value_member(server, "env");
    tn_value headers = tn_value_member(server, "headers");
    const char **variables = list_new(reading, tn_value_count(environment) + SAFE_MAX);
    const char **lines = list_new(reading, tn_value_count(headers));

    if (variables == NULL || lines == NULL)
        return false;
    out->environment = variables;
    out->headers = lines;
    return member_text(reading, server, "command", &out->command) &&
           member_text(reading, server, "cwd", &out->folder) &&
           member_text(reading, server, "url", &out->url) && take_arguments(reading, server, out) &&
           take_pairs(reading, environment, "=", variables, safe_environment(reading, variables)) &&
           take_pairs(reading, headers, ": ", lines, 0);
}

/* A package's name for a server's: an identifier. */
static char *package_name(Reading *reading, const char *server, size_t length)
{
    char *name = malloc(length + 2), *at = name;

    if (name == NULL)
        return NULL;
    if (length == 0 || (server[0] >= '0' && server[0] <= '9'))
        *at++ = '_';
    for (size_t i = 0; i < length; i++) {
        char c = server[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '$';
        *at++ = fine ? c : '_';
    }
    *at = '\0';
    return keep(reading, name);
}

static int add_server(Reading *reading, tn_engine *engine, tn_value name, tn_value server)
{
    tn_mcp_server made = TN_INIT(tn_mcp_server);
    size_t length;
    const char *text = tn_value_text(name, &length);
    char *package = package_name(reading, text, length);
    tn_status status;

    if (package == NULL)
        return no_memory();
    reading->server = package;
    if (tn_value_bool(tn_value_member(server, "disabled")))
        return 0;
    if (!take_server(reading, server, &made))
        return EXIT_USAGE;
    if ((made.command == NULL) == (made.url == NULL))
        return complain("A server is a program (\"command\", \"args\", \"env\") or an address "
                        "(\"url\", \"headers\").",
                        "%s: server %s must have either \"command\" or \"url\"", reading->path,
                        package);
    status = tn_engine_add_mcp(engine, package, &made);
    if (status == TN_ERR_STATE)
        return complain("Call one of them otherwise.", "%s: there are two servers %s",
                        reading->path, package);
    return status == TN_OK ? 0 : library_failed(status, "take a server");
}

/* ---- one file ---- */

static int add_servers(Reading *reading, tn_engine *engine, tn_value whole)
{
    tn_value servers = tn_value_member(whole, "mcpServers");
    int wrong = 0;

    if (tn_value_type(servers) != TN_TYPE_OBJECT)
        servers = tn_value_member(whole, "servers");
    if (tn_value_type(servers) != TN_TYPE_OBJECT)
        return complain(
            "As in {\"mcpServers\": {\"files\": {\"command\": \"npx\", \"args\": [...]}}}.",
            "%s has no object \"mcpServers\" or \"servers\"", reading->path);
    for (tn_cursor cursor = {0}; wrong == 0 && tn_value_next(servers, &cursor);)
        wrong = add_server(reading, engine, cursor.key, cursor.value);
    return wrong;
}

static int add_file(const char *path, tn_engine *engine)
{
    ReadJob job = {.path = path,
                   .what = "servers",
                   .remedy = "Is it a file of MCP servers?",
                   .limit_bytes = FILE_BYTES_MAX};
    Reading reading = {.path = path, .server = ""};
    Text text = {0};
    tn_writer *writer = NULL;
    int wrong = file_read(&job, &text);

    if (wrong != 0)
        return wrong;
    plain_json(text.bytes, text.length);
    tn_status status = tn_writer_new(&writer);
    if (status == TN_OK)
        status = tn_put_json(writer, text.bytes, text.length);
    if (status == TN_OK) {
        wrong = add_servers(&reading, engine, tn_writer_value(writer));
    } else if (status == TN_ERR_ARGUMENT) {
        JsonFault fault = json_fault(text.bytes, text.length);
        wrong = complain("Comments and a comma too many are fine; all else is JSON.",
                         "%s is not JSON: expected %s at line %zu, column %zu", path,
                         fault.expected, fault.line, fault.column);
    } else {
        wrong = library_failed(status, "read the servers");
    }
    for (size_t i = 0; i < reading.text_count; i++)
        free(reading.texts[i]);
    tn_writer_free(writer);
    free(text.bytes);
    return wrong;
}

int servers_add(const Settings *settings, tn_engine *engine)
{
    int wrong = 0;

    for (size_t i = 0; i < settings->servers.count && wrong == 0; i++)
        wrong = add_file(settings->servers.at[i], engine);
    return wrong;
}

void servers_tell_problems(const tn_engine *engine)
{
    for (size_t i = 0; i < tn_engine_problem_count(engine); i++)
        (void)fprintf(stderr, "tenon: %s\n", tn_engine_problem(engine, i));
}
