/*
 * Codex keeps TOML. Debian has no library for it that both of its releases have and that C can
 * call; both have Python's own reader, so `python3` turns the one table that is wanted into JSON.
 */
#include "clients.h"

#include "complain.h"
#include "server.h"
#include "trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* "./" is looked for upwards, as .mcp.json is; "~/" is the home folder, "+/" that of settings. */
typedef struct Client {
    const char *name;
    const char *paths[6];
} Client;

static const Client clients[] = {
    {"claude-code", {"./.mcp.json", "~/.claude.json"}},
    {"claude-desktop", {"+/Claude/claude_desktop_config.json"}},
    {"cursor", {"./.cursor/mcp.json", "~/.cursor/mcp.json"}},
    {"vscode",
     {"./.vscode/mcp.json", "+/Code/User/mcp.json", "+/Code/User/settings.json",
      "+/Code - Insiders/User/mcp.json", "+/VSCodium/User/mcp.json"}},
    {"codex", {"./.codex/config.toml", "~/.codex/config.toml"}},
    {"windsurf", {"~/.codeium/windsurf/mcp_config.json"}},
    {"gemini", {"./.gemini/settings.json", "~/.gemini/settings.json"}},
    {"copilot", {"~/.copilot/mcp-config.json"}},
};
enum { CLIENT_COUNT = sizeof clients / sizeof *clients };

const char *clients_names(Kept *kept)
{
    const char *names = "";

    for (size_t i = 0; i < CLIENT_COUNT && names != NULL; i++)
        names = kept_format(kept, "%s%s%s", names, i > 0 ? ", " : "", clients[i].name);
    return names;
}

/* What lies in the home folder is the user's, and belongs to no project. */
static bool is_home(const char *folder)
{
    const char *home = getenv("HOME");

    return home != NULL && strcmp(folder, home) == 0;
}

/* NULL: there is no such file. */
static const char *place_of(Kept *kept, const char *path)
{
    const char *home = getenv("HOME"), *settings = getenv("XDG_CONFIG_HOME");
    const char *codex = getenv("CODEX_HOME"), *place = NULL;

    if (path[0] == '.')
        place = trust_find_named(kept, path + 2);
    else if (path[0] == '+' && settings != NULL && settings[0] == '/')
        place = kept_format(kept, "%s%s", settings, path + 1);
    else if (strncmp(path, "~/.codex/", 9) == 0 && codex != NULL)
        place = kept_format(kept, "%s/%s", codex, path + 9);
    else if (home != NULL)
        place = kept_format(kept, "%s%s%s", home, path[0] == '+' ? "/.config" : "", path + 1);
    return place != NULL && access(place, F_OK) == 0 ? place : NULL;
}

/* ---- TOML ---- */

static const char toml_script[] =
    "import sys, os, json\n"
    "try: import tomllib\n"
    "except ImportError: sys.exit(127)\n"
    "try: whole = tomllib.load(open(os.environ['TENON_TOML'], 'rb'))\n"
    "except Exception as e: print(e); sys.exit(4)\n"
    "print(json.dumps({'mcpServers': whole.get('mcp_servers', {})}, default=str))\n";

static int read_toml(Jsonc *out, const char *path)
{
    Text text = {0};
    FILE *stream = NULL;
    int status;

    *out = (Jsonc){.path = path};
    if (setenv("TENON_TOML", path, 1) == 0 && setenv("TENON_TOML_SCRIPT", toml_script, 1) == 0)
        stream = popen("exec python3 -I -c \"$TENON_TOML_SCRIPT\" 2>/dev/null", "re");
    if (stream == NULL || file_read_open(fileno(stream), FILE_BYTES_MAX, &text) != 0) {
        free(text.bytes);
        text = (Text){0};
    }
    status = stream != NULL ? pclose(stream) : 127 << 8;
    if (text.bytes != NULL && status == 0)
        return jsonc_parse(out, path, text);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (status == 4 && text.bytes != NULL)
        status = complain("Mend it, or import from another client.", "%s: %.*s", path,
                          (int)strcspn(text.bytes, "\n"), text.bytes);
    else
        status = complain("It is TOML, which python3 (3.11 or later) is needed to read. "
                          "`codex mcp list --json` shows its servers.",
                          "cannot read %s", path);
    free(text.bytes);
    return status;
}

/* ---- the servers in a file ---- */

static Source *add_source(Kept *kept, Source ***last, const Source *like, tn_value servers)
{
    Source *source = NULL;

    if (tn_value_count(servers) > 0)
        source = kept_new(kept, 1, sizeof *source);
    if (source == NULL)
        return NULL;
    *source = *like;
    source->servers = servers;
    source->file = (Jsonc){0};
    **last = source;
    *last = &source->next;
    return source;
}

/* The project that the current folder is in, of those that Claude Code knows. */
static tn_value project_of(Kept *kept, tn_value projects, const char **out_folder)
{
    const char *here = kept_take(kept, getcwd(NULL, 0));
    tn_value found = {0};
    size_t longest = 0;

    for (tn_cursor cursor = {0}; here != NULL && tn_value_next(projects, &cursor);) {
        size_t length;
        const char *folder = tn_value_text(cursor.key, &length);
        bool inside = folder != NULL && length > longest && length <= strlen(here) &&
                      memcmp(here, folder, length) == 0 &&
                      (here[length] == '/' || here[length] == '\0');
        if (!inside)
            continue;
        found = cursor.value;
        longest = length;
        *out_folder = kept_text(kept, folder, length);
    }
    return found;
}

/* All objects of servers that the file has. Its memory goes to the first of them. */
static void add_file(Kept *kept, Source ***last, Source *like, Jsonc *file)
{
    tn_value whole = jsonc_value(file), settings = tn_value_member(whole, "mcp");
    const char *section;
    Source *owner, *other;

    like->inputs = tn_value_member(whole, "inputs");
    owner = add_source(kept, last, like, servers_object(whole, &section));
    like->inputs = tn_value_member(settings, "inputs");
    other = add_source(kept, last, like, tn_value_member(settings, "servers"));
    owner = owner != NULL ? owner : other;
    settings = project_of(kept, tn_value_member(whole, "projects"), &like->workspace);
    other = add_source(kept, last, like, tn_value_member(settings, "mcpServers"));
    owner = owner != NULL ? owner : other;
    if (owner != NULL)
        owner->file = *file;
    else
        jsonc_release(file);
}

static bool is_toml(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".toml") == 0;
}

static int read_one(Kept *kept, Source ***last, const char *client, const char *path, bool project)
{
    Source like = {.client = client, .path = path};
    const char *workspace = workspace_of(kept, path);
    Jsonc file;
    int wrong = is_toml(path) ? read_toml(&file, path) : jsonc_read(&file, path, "servers");

    if (project && !is_home(workspace))
        like.workspace = workspace;
    if (wrong == 0)
        add_file(kept, last, &like, &file);
    else
        jsonc_release(&file);
    return wrong;
}

static int read_client(Kept *kept, Source ***last, const Client *client)
{
    int wrong = 0;

    for (size_t i = 0; i < sizeof client->paths / sizeof *client->paths; i++) {
        const char *path = client->paths[i];
        const char *place = path != NULL ? place_of(kept, path) : NULL;
        bool again = place != NULL && path[0] == '.' && strchr(path + 2, '/') != NULL &&
                     is_home(workspace_of(kept, place)); /* the user's own comes after it */
        if (place != NULL && !again &&
            read_one(kept, last, client->name, place, path[0] == '.') != 0)
            wrong = EXIT_USAGE;
    }
    return wrong;
}

int clients_read(Kept *kept, const char *what, Source ***last)
{
    Source **before = *last;
    int wrong = 0;
    bool known = what == NULL;

    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        if (what != NULL && strcmp(what, clients[i].name) != 0)
            continue;
        known = true;
        if (read_client(kept, last, &clients[i]) != 0)
            wrong = what != NULL ? EXIT_USAGE : 0; /* told; the others are looked at all the same */
    }
    if (!known && strpbrk(what, "./") == NULL && access(what, F_OK) != 0)
        return complain_about("It is a file, or one of: %s.", clients_names(kept),
                              "unknown client \"%s\"", what);
    if (!known)
        wrong = read_one(kept, last, "file", what, true);
    if (wrong == 0 && what != NULL && *last == before)
        return complain("tenon mcp import --list shows what there is.",
                        known ? "%s has no MCP servers here" : "%s has no MCP servers", what);
    return wrong;
}

void clients_release(Source *first)
{
    for (; first != NULL; first = first->next)
        jsonc_release(&first->file);
}
