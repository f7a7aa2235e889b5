#include "variables.h"

#include "complain.h"
#include "secret.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Why a variable is nothing, and how to mend it. */
typedef struct Lack {
    const char *where; /* the member that names it */
    const char *what, *remedy;
    bool told; /* it was in what stands instead of another, and is complained of already */
} Lack;

size_t scope_line(const Scope *scope, const char *where, const char *needle)
{
    const char *const keys[] = {scope->section, scope->server, where, NULL};

    return jsonc_line(scope->file, keys, needle);
}

const char *variables_input_name(Kept *kept, const char *id)
{
    char *name = kept_format(kept, "TENON_INPUT_%s", id);

    for (char *c = name; c != NULL && *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return name;
}

static const char *member_text(Kept *kept, tn_value object, const char *name)
{
    size_t length;
    const char *text = tn_value_text(tn_value_member(object, name), &length);

    return text != NULL ? kept_text(kept, text, length) : NULL;
}

/* ${input:ID}: an editor would ask, here the environment answers. */
static const char *input(Scope *scope, const char *id, Lack *lack)
{
    const char *name = variables_input_name(&scope->kept, id);
    const char *answer = name != NULL ? getenv(name) : NULL;
    tn_value described = {0};

    for (tn_cursor cursor = {0}; tn_value_next(scope->inputs, &cursor);) {
        const char *this_id = member_text(&scope->kept, cursor.value, "id");
        if (this_id != NULL && strcmp(this_id, id) == 0)
            described = cursor.value;
    }
    if (answer == NULL && !tn_value_bool(tn_value_member(described, "password")))
        answer = member_text(&scope->kept, described, "default");
    if (answer == NULL) {
        lack->what =
            kept_format(&scope->kept, "asks for the input \"%s\", which is not answered", id);
        lack->remedy = kept_format(&scope->kept,
                                   "An editor would ask a person. Here the variable %s answers, or "
                                   "write ${env:NAME} in its place.",
                                   name);
    }
    return answer;
}

/* What is known of the machine; NULL: `name` is none of it. */
static const char *place(Scope *scope, const char *name)
{
    const char *workspace = scope->workspace;
    const char *slash = strrchr(workspace, '/');

    if (strcmp(name, "workspaceFolder") == 0 || strncmp(name, "workspaceFolder:", 16) == 0 ||
        strcmp(name, "workspaceRoot") == 0)
        return workspace;
    if (strcmp(name, "workspaceFolderBasename") == 0)
        return slash != NULL ? slash + 1 : workspace;
    if (strcmp(name, "userHome") == 0)
        return getenv("HOME");
    if (strcmp(name, "cwd") == 0)
        return kept_take(&scope->kept, getcwd(NULL, 0));
    return strcmp(name, "pathSeparator") == 0 || strcmp(name, "/") == 0 ? "/" : NULL;
}

static const char *environment(Scope *scope, char *name, Lack *lack)
{
    char *instead = strstr(name, ":-");
    const char *value;

    if (instead != NULL) {
        *instead = '\0';
        instead += 2;
    }
    value = getenv(name);
    if (value == NULL && strcmp(name, "CLAUDE_PROJECT_DIR") == 0)
        value = scope->workspace;
    if ((value == NULL || value[0] == '\0') && instead != NULL) {
        value = variables_expand(scope, lack->where, instead, strlen(instead));
        lack->told = value == NULL;
    } else if (value == NULL) {
        lack->what = kept_format(&scope->kept, "needs the variable %s, which is not set", name);
        lack->remedy = "Set it, or write ${NAME:-instead} in the file.";
    }
    return value;
}

/* What stands for ${inside}; NULL: nothing, as `lack` says. */
static const char *variable(Scope *scope, char *inside, Lack *lack)
{
    const char *value = place(scope, inside);
    bool prefixed = inside[strcspn(inside, ":")] == ':' && strstr(inside, ":-") == NULL;

    if (value != NULL)
        return value;
    if (strncmp(inside, "env:", 4) == 0)
        return environment(scope, inside + 4, lack);
    if (strncmp(inside, "input:", 6) == 0)
        return input(scope, inside + 6, lack);
    if (strncmp(inside, "file:", 5) == 0 || strncmp(inside, "command:", 8) == 0) {
        value = secret_read(&scope->kept, inside, scope->workspace, &lack->what);
        if (value == NULL)
            lack->what =
                kept_format(&scope->kept, "has a secret that cannot be had: %s", lack->what);
        lack->remedy = "${file:PATH} is what a file holds, ${command:LINE} what the shell's line "
                       "prints; commands of an editor are not known here.";
        return value;
    }
    if (!prefixed)
        return environment(scope, inside, lack);
    lack->what = kept_format(&scope->kept, "has ${%s}, which means nothing here", inside);
    lack->remedy = "Known are ${NAME}, ${NAME:-instead}, ${env:NAME}, ${file:PATH}, "
                   "${command:LINE}, ${input:ID}, ${workspaceFolder} and ${userHome}.";
    return NULL;
}

static void complain_of(const Scope *scope, const char *needle, const Lack *lack)
{
    if (lack->told)
        return;
    if (needle == NULL || lack->what == NULL || lack->remedy == NULL) {
        (void)library_failed(TN_ERR_NOMEM, "read the servers");
        return;
    }
    (void)complain_about("%s", lack->remedy, "%s:%zu: %s of server %s %s", scope->file->path,
                         scope_line(scope, lack->where, needle), lack->where, scope->package,
                         lack->what);
}

/* The brace that closes the one at `open`, which may hold others in turn. */
static const char *closing(const char *open, const char *end)
{
    size_t depth = 0;

    for (const char *c = open; c < end; c++) {
        depth += *c == '{' && c[-1] == '$';
        if (*c == '}' && --depth == 0)
            return c;
    }
    return NULL;
}

const char *variables_expand(Scope *scope, const char *where, const char *text, size_t length)
{
    const char *end = text + length;
    const char *made = "";

    while (made != NULL) {
        const char *open = memmem(text, (size_t)(end - text), "${", 2);
        const char *close = open != NULL ? closing(open + 1, end) : NULL;
        if (close == NULL)
            break;
        Lack lack = {.where = where};
        char *needle = kept_text(&scope->kept, open, (size_t)(close - open));
        char *inside = needle != NULL ? kept_text(&scope->kept, needle + 2, strlen(needle)) : NULL;
        const char *value = inside != NULL ? variable(scope, inside, &lack) : NULL;
        if (value == NULL) {
            complain_of(scope, needle, &lack);
            return NULL;
        }
        made = kept_format(&scope->kept, "%s%.*s%s", made, (int)(open - text), text, value);
        text = close + 1;
    }
    if (made != NULL)
        made = kept_format(&scope->kept, "%s%.*s", made, (int)(end - text), text);
    if (made == NULL)
        (void)library_failed(TN_ERR_NOMEM, "read the servers");
    return made;
}
