/*
 * The same thing has many spellings. What restricts a server in a way that is not kept here is
 * told, never passed over in silence: its owner relies on it.
 */
#include "server.h"

#include "complain.h"
#include "secret.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wrong_type(const Scope *scope, const char *name, const char *must_be)
{
    (void)complain("docs/cli.md shows what a server is made of.",
                   "%s:%zu: %s of server %s must be %s", scope->file->path,
                   scope_line(scope, name, ""), name, scope->package, must_be);
    return false;
}

static bool no_memory(void)
{
    (void)library_failed(TN_ERR_NOMEM, "read the servers");
    return false;
}

static void tell(const Scope *scope, const char *what)
{
    (void)fprintf(stderr, "tenon: %s: server %s %s\n", scope->file->path, scope->package, what);
}

/* ---- texts ---- */

/* A scalar as text: 8080 and true are as good as "8080" and "true". NULL: it is none. */
static const char *scalar_text(Scope *scope, tn_value value, size_t *out_length)
{
    const char *text = tn_value_text(value, out_length);
    tn_type type = tn_value_type(value);
    char *json = NULL;

    if (text != NULL || (type != TN_TYPE_NUMBER && type != TN_TYPE_BOOL) ||
        tn_value_json(value, &json, out_length) != TN_OK)
        return text;
    text = kept_text(&scope->kept, json, *out_length);
    tn_text_free(json);
    return text;
}

/* NULL after a complaint. `where` is the member that the text is, or is in. */
static const char *text_of(Scope *scope, const char *where, tn_value value, const char *must_be)
{
    size_t length;
    const char *text = scalar_text(scope, value, &length);

    if (text == NULL) {
        wrong_type(scope, where, must_be);
        return NULL;
    }
    text = variables_expand(scope, where, text, length);
    return text;
}

/* Text of a member: NULL without it. False after a complaint. */
static bool member_text(Scope *scope, tn_value entry, const char *name, const char **out_text)
{
    tn_value value = tn_value_member(entry, name);

    *out_text = NULL;
    if (tn_value_type(value) == TN_TYPE_NONE || tn_value_type(value) == TN_TYPE_NULL)
        return true;
    *out_text = text_of(scope, name, value, "text");
    return *out_text != NULL;
}

static bool take_arguments(Scope *scope, tn_value entry, tn_mcp_server *out)
{
    tn_value value = tn_value_member(entry, "args");
    const char **list = kept_new(&scope->kept, tn_value_count(value) + 1, sizeof *list);
    size_t at = 0;

    if (list == NULL)
        return no_memory();
    if (tn_value_type(value) == TN_TYPE_NONE)
        return true;
    if (tn_value_type(value) != TN_TYPE_ARRAY)
        return wrong_type(scope, "args", "a list of texts");
    for (tn_cursor cursor = {0}; tn_value_next(value, &cursor);) {
        list[at] = text_of(scope, "args", cursor.value, "a list of texts");
        if (list[at++] == NULL)
            return false;
    }
    out->arguments = list;
    return true;
}

/* ---- lists of "NAME=value" and "Name: value" ---- */

typedef struct Pairs {
    const char **list;
    size_t count, room;
} Pairs;

static bool add_pair(Scope *scope, Pairs *pairs, const char *text)
{
    if (text == NULL || pairs->count + 1 >= pairs->room) {
        size_t room = pairs->room * 2 + 32;
        const char **list = text != NULL ? kept_new(&scope->kept, room, sizeof *list) : NULL;
        if (list == NULL)
            return no_memory();
        if (pairs->count > 0)
            memcpy(list, pairs->list, pairs->count * sizeof *list);
        pairs->list = list;
        pairs->room = room;
    }
    pairs->list[pairs->count++] = text;
    return true;
}

/* "NAME=value", in the place of what was said of that name before. */
static bool set_variable(Scope *scope, Pairs *pairs, const char *text)
{
    size_t head = text != NULL ? strcspn(text, "=") + 1 : 0;

    for (size_t i = 0; i < pairs->count && text != NULL; i++) {
        if (strncmp(pairs->list[i], text, head) == 0) {
            pairs->list[i] = text;
            return true;
        }
    }
    return add_pair(scope, pairs, text);
}

/* Of the host's environment what a program needs to run at all, and how deep it is if it is us. */
static bool add_safe_environment(Scope *scope, Pairs *pairs)
{
    static const char *const names[] = {"PATH", "HOME",   "USER", "LOGNAME", "SHELL", "TERM",
                                        "LANG", "LC_ALL", "TZ",   "TMPDIR",  NULL};

    for (size_t i = 0; names[i] != NULL; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL &&
            !add_pair(scope, pairs, kept_format(&scope->kept, "%s=%s", names[i], value)))
            return false;
    }
    const char *depth = getenv("TENON_DEPTH");
    return add_pair(
        scope, pairs,
        kept_format(&scope->kept, "TENON_DEPTH=%d", (depth != NULL ? atoi(depth) : 0) + 1));
}

/* "NAME=value" or "Name: value" of each member; null is as good as none. */
static bool add_pairs(Scope *scope, tn_value entry, const char *where, const char *between,
                      Pairs *pairs)
{
    tn_value object = tn_value_member(entry, where);

    if (tn_value_type(object) != TN_TYPE_NONE && tn_value_type(object) != TN_TYPE_OBJECT)
        return wrong_type(scope, where, "an object of texts");
    for (tn_cursor cursor = {0}; tn_value_next(object, &cursor);) {
        size_t length;
        const char *name = tn_value_text(cursor.key, &length), *value;
        if (tn_value_type(cursor.value) == TN_TYPE_NULL || name == NULL)
            continue;
        value = text_of(scope, where, cursor.value, "an object of texts");
        if (value == NULL)
            return false;
        if (strpbrk(value, "\r\n") != NULL && between[0] == ':')
            return wrong_type(scope, where, "without line breaks");
        value = kept_format(&scope->kept, "%.*s%s%s", (int)length, name, between, value);
        if (!(between[0] == '=' ? set_variable : add_pair)(scope, pairs, value))
            return false;
    }
    return true;
}

/* ---- a file of variables: NAME=value, export NAME='value', # a comment ---- */

/* The value of a line, its quotes taken off; blanks and comments after it are none of it. */
static const char *line_value(Scope *scope, char *value)
{
    size_t length;

    value += strspn(value, " \t");
    if (*value == '"' || *value == '\'') {
        char *close = strrchr(value + 1, *value);
        if (close != NULL)
            return kept_text(&scope->kept, value + 1, (size_t)(close - value - 1));
    }
    for (char *c = value; *c != '\0'; c++) {
        if (*c == '#' && c > value && (c[-1] == ' ' || c[-1] == '\t'))
            *c = '\0';
    }
    length = strlen(value);
    while (length > 0 && strchr(" \t\r", value[length - 1]) != NULL)
        length--;
    return kept_text(&scope->kept, value, length);
}

static bool add_line(Scope *scope, char *line, Pairs *pairs)
{
    char *equals = strchr(line, '=');
    const char *value;
    int length;

    line += strspn(line, " \t");
    if (strncmp(line, "export ", 7) == 0)
        line += 7;
    if (*line == '#' || equals == NULL || equals <= line)
        return true;
    value = line_value(scope, equals + 1);
    length = (int)(strcspn(line, " \t="));
    if (value != NULL)
        value = kept_format(&scope->kept, "%.*s=%s", length, line, value);
    return set_variable(scope, pairs, value);
}

static bool add_file(Scope *scope, tn_value entry, Pairs *pairs)
{
    const char *path = NULL, *why, *text;
    char *line, *rest;

    if (!member_text(scope, entry, "envFile", &path))
        return false;
    if (path == NULL)
        return true;
    text = secret_read(&scope->kept, kept_format(&scope->kept, "file:%s", path), scope->workspace,
                       &why);
    if (text == NULL) {
        (void)complain("It is a file of lines, NAME=value.", "%s:%zu: envFile of server %s: %s",
                       scope->file->path, scope_line(scope, "envFile", ""), scope->package, why);
        return false;
    }
    for (rest = (char *)(uintptr_t)text; (line = strsep(&rest, "\n")) != NULL;) {
        if (!add_line(scope, line, pairs))
            return false;
    }
    return true;
}

/* ---- times ---- */

/* A time is in the unit that its name says, else in milliseconds; below 1000, which nobody means in
 * milliseconds, in seconds. */
typedef struct TimeName {
    const char *name;
    size_t offset;
    double unit_ms; /* 0: it depends */
} TimeName;

static bool take_times(Scope *scope, tn_value entry, tn_mcp_server *out)
{
    static const TimeName names[] = {
        {"timeout", offsetof(tn_mcp_server, call_ms), 0},
        {"tool_timeout_sec", offsetof(tn_mcp_server, call_ms), 1000},
        {"initTimeout", offsetof(tn_mcp_server, start_ms), 0},
        {"startupTimeout", offsetof(tn_mcp_server, start_ms), 0},
        {"startup_timeout_ms", offsetof(tn_mcp_server, start_ms), 1},
        {"startup_timeout_sec", offsetof(tn_mcp_server, start_ms), 1000},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tn_value value = tn_value_member(entry, names[i].name);
        double unit = names[i].unit_ms, number = tn_value_number(value);
        if (tn_value_type(value) == TN_TYPE_NONE || tn_value_type(value) == TN_TYPE_NULL)
            continue;
        if (tn_value_type(value) != TN_TYPE_NUMBER || !(number > 0))
            return wrong_type(scope, names[i].name, "a number above 0");
        if (unit == 0)
            unit = number < 1000 ? 1000 : 1;
        number *= unit;
        *(uint32_t *)(void *)((char *)out + names[i].offset) =
            number < 604800e3 ? (uint32_t)ceil(number) : 604800000;
    }
    return true;
}

/* ---- kinds ---- */

tn_value server_address(tn_value entry)
{
    static const char *const names[] = {"url", "serverUrl", "httpUrl", NULL};
    tn_value address = {0};

    for (size_t i = 0; names[i] != NULL && tn_value_type(address) == TN_TYPE_NONE; i++)
        address = tn_value_member(entry, names[i]);
    return address;
}

static bool value_is(tn_value value, const char *wanted)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text != NULL && length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

bool server_is_tenon(tn_value entry)
{
    size_t length;
    const char *command = tn_value_text(tn_value_member(entry, "command"), &length);

    return command != NULL && length >= 5 && memcmp(command + length - 5, "tenon", 5) == 0 &&
           (length == 5 || command[length - 6] == '/') &&
           value_is(tn_value_item(tn_value_member(entry, "args"), 0), "mcp");
}

/* Of a kind that this client does not speak? */
static bool is_foreign(const Scope *scope, tn_value type)
{
    if (value_is(type, "sse")) {
        tell(scope, "is left out: it is of the old kind, \"sse\", which is not spoken; many such "
                    "servers answer \"type\": \"http\" too, often at /mcp");
        return true;
    }
    if (value_is(type, "ws") || value_is(type, "websocket")) {
        tell(scope, "is left out: its kind is not spoken; those that are: stdio and http");
        return true;
    }
    return false;
}

/* Members that would restrict or open the server in a way that only other clients know. */
static void tell_unheeded(const Scope *scope, tn_value entry)
{
    static const char *const names[] = {"includeTools",   "excludeTools",  "enabled_tools",
                                        "disabled_tools", "disabledTools", "headersHelper",
                                        "oauth",          "auth",          "authProviderType"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tn_value value = tn_value_member(entry, names[i]);
        if (tn_value_type(value) != TN_TYPE_NONE && tn_value_count(value) + (i > 4) > 0)
            (void)fprintf(stderr, "tenon: %s: %s of server %s is not heeded%s\n", scope->file->path,
                          names[i], scope->package,
                          i > 4 ? "" : "; --deny and --allow say which tools may be called");
    }
}

static bool is_off(tn_value entry)
{
    tn_value enabled = tn_value_member(entry, "enabled");

    return tn_value_bool(tn_value_member(entry, "disabled")) ||
           (tn_value_type(enabled) == TN_TYPE_BOOL && !tn_value_bool(enabled));
}

/* Either a program or an address, and the kind that it says it is of. */
static bool check_kind(const Scope *scope, tn_value entry, const tn_mcp_server *out)
{
    tn_value type = tn_value_member(entry, "type");
    bool named = out->command == NULL || out->command[0] != '\0';
    bool fits =
        (out->command == NULL) != (out->url == NULL) &&
        !(out->command == NULL && value_is(type, "stdio")) &&
        !(out->url == NULL && (value_is(type, "http") || value_is(type, "streamable-http")));

    if (!named)
        return wrong_type(scope, "command", "the name of a program");
    if (!fits)
        (void)complain("A server is a program (\"command\", \"args\", \"env\") or an address "
                       "(\"url\", \"headers\").",
                       "%s:%zu: server %s must have either \"command\" or \"url\"%s",
                       scope->file->path, scope_line(scope, "", ""), scope->package,
                       tn_value_type(type) != TN_TYPE_NONE ? ", as its \"type\" says" : "");
    return fits;
}

static bool take_folder(Scope *scope, tn_value entry, tn_mcp_server *out)
{
    const char *folder = NULL;

    if (!member_text(scope, entry, "cwd", &folder))
        return false;
    out->folder = path_from(&scope->kept, scope->workspace, folder != NULL ? folder : ".");
    return out->folder != NULL || no_memory();
}

Entry server_read(Scope *scope, tn_value entry, tn_mcp_server *out)
{
    tn_value address = server_address(entry);
    Pairs variables = {0}, headers = {0};

    *out = (tn_mcp_server)TN_INIT(tn_mcp_server);
    if (tn_value_type(entry) != TN_TYPE_OBJECT) {
        (void)wrong_type(scope, "", "an object");
        return ENTRY_WRONG;
    }
    if (is_off(entry) || is_foreign(scope, tn_value_member(entry, "type")))
        return ENTRY_LEFT;
    if (tn_value_type(address) != TN_TYPE_NONE &&
        (out->url = text_of(scope, "url", address, "text")) == NULL)
        return ENTRY_WRONG;
    if (!member_text(scope, entry, "command", &out->command) || !check_kind(scope, entry, out) ||
        !take_folder(scope, entry, out) || !take_arguments(scope, entry, out) ||
        !take_times(scope, entry, out) || !add_safe_environment(scope, &variables) ||
        !add_file(scope, entry, &variables) || !add_pairs(scope, entry, "env", "=", &variables) ||
        !add_pairs(scope, entry, "headers", ": ", &headers))
        return ENTRY_WRONG;
    out->environment = variables.list;
    out->headers = headers.list;
    tell_unheeded(scope, entry);
    return ENTRY_TAKEN;
}

/* ---- services ---- */

Entry service_read(Scope *scope, tn_value entry, tn_openapi *out)
{
    const char *document = NULL;
    tn_mcp_server times = TN_INIT(tn_mcp_server);
    Pairs headers = {0}, credentials = {0};

    *out = (tn_openapi)TN_INIT(tn_openapi);
    if (tn_value_type(entry) != TN_TYPE_OBJECT) {
        (void)wrong_type(scope, "", "an object");
        return ENTRY_WRONG;
    }
    if (is_off(entry))
        return ENTRY_LEFT;
    if (!member_text(scope, entry, "document", &document) ||
        !member_text(scope, entry, "server", &out->server) || !take_times(scope, entry, &times) ||
        !add_pairs(scope, entry, "headers", ": ", &headers) ||
        !add_pairs(scope, entry, "credentials", "=", &credentials))
        return ENTRY_WRONG;
    if (document == NULL) {
        (void)wrong_type(scope, "document", "a file or an address");
        return ENTRY_WRONG;
    }
    out->document = strstr(document, "://") != NULL
                        ? document
                        : path_from(&scope->kept, scope->workspace, document);
    out->headers = headers.list;
    out->credentials = credentials.list;
    out->call_ms = times.call_ms;
    return out->document != NULL || no_memory() ? ENTRY_TAKEN : ENTRY_WRONG;
}

/* ---- names ---- */

tn_value servers_object(tn_value whole, const char **out_section)
{
    tn_value servers = tn_value_member(whole, *out_section = "mcpServers");

    if (tn_value_type(servers) != TN_TYPE_OBJECT)
        servers = tn_value_member(whole, *out_section = "servers");
    return tn_value_type(servers) == TN_TYPE_OBJECT ? servers : (tn_value){0};
}

char *server_package(Kept *kept, const char *name, size_t length)
{
    char *package = kept_new(kept, length + 2, 1), *at = package;

    if (package == NULL)
        return NULL;
    if (length == 0 || (name[0] >= '0' && name[0] <= '9'))
        *at++ = '_';
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '_' || c == '$';
        *at++ = fine ? c : '_';
    }
    return package;
}

const char *workspace_of(Kept *kept, const char *path)
{
    static const char *const inside[] = {".vscode", ".cursor", ".gemini",
                                         ".codex",  ".claude", NULL};
    char *folder = kept_take(kept, realpath(path, NULL));
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    char *here = kept_take(kept, getcwd(NULL, 0));

    if (slash == NULL || slash == folder)
        return here != NULL ? here : ".";
    *slash = '\0';
    if (strcmp(slash + 1, ".mcp.json") == 0)
        return folder;
    slash = strrchr(folder, '/');
    for (size_t i = 0; slash != NULL && slash > folder && inside[i] != NULL; i++) {
        if (strcmp(slash + 1, inside[i]) == 0) {
            *slash = '\0';
            return folder;
        }
    }
    return here != NULL ? here : ".";
}
