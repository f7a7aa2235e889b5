/*
 * Moved to another file, an entry must not change its meaning: what is relative to its project
 * becomes absolute, what only its own client would put in becomes a variable of the environment.
 * All members go along, known or not.
 */
#include "carry.h"

#include "secret.h"
#include "server.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void tell(const Carry *carry, const char *where, const char *what)
{
    (void)fprintf(stderr, "tenon: %s: server %s%s%s %s\n", carry->source->path, carry->name,
                  where[0] != '\0' ? ": " : "", where, what);
}

/* "api-key" as API_KEY */
static char *variable_name(Kept *kept, const char *first, const char *second)
{
    char *name = kept_format(kept, "%s%s%s", first, second[0] != '\0' ? "_" : "", second);

    for (char *c = name; c != NULL && *c != '\0'; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return name;
}

/* ---- texts ---- */

/* What ${inside} becomes: a piece of text, or another ${...}. */
static const char *moved_variable(Carry *carry, const char *inside, const char *where)
{
    const char *workspace = carry->source->workspace;
    const char *slash = workspace != NULL ? strrchr(workspace, '/') : NULL;

    if (strncmp(inside, "input:", 6) == 0) {
        const char *name = variable_name(carry->kept, inside + 6, "");
        if (name != NULL)
            tell(carry, where,
                 kept_format(carry->kept, "asked for the input \"%s\": set %s", inside + 6, name));
        return kept_format(carry->kept, "${%s}", name != NULL ? name : "");
    }
    if (workspace != NULL && strncmp(inside, "workspaceFolder", 15) == 0 &&
        (inside[15] == '\0' || inside[15] == ':'))
        return workspace;
    if (slash != NULL && strcmp(inside, "workspaceFolderBasename") == 0)
        return slash + 1;
    return kept_format(carry->kept, "${%s}", inside);
}

/* $NAME, as Gemini writes it, where it stands for a whole text or for what follows a blank. */
static const char *dollar_name(Carry *carry, const char *text)
{
    const char *dollar = strrchr(text, '$');
    size_t length =
        dollar != NULL ? strspn(dollar + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") : 0;

    if (strcmp(carry->source->client, "gemini") != 0 || length == 0 || dollar[length + 1] != '\0' ||
        (dollar > text && dollar[-1] != ' '))
        return text;
    return kept_format(carry->kept, "%.*s${%s}", (int)(dollar - text), text, dollar + 1);
}

static const char *moved(Carry *carry, const char *text, size_t length, const char *where)
{
    const char *end = text + length;
    const char *made = "";

    while (made != NULL) {
        const char *open = memmem(text, (size_t)(end - text), "${", 2);
        const char *close = open != NULL ? memchr(open, '}', (size_t)(end - open)) : NULL;
        if (close == NULL)
            break;
        char *inside = kept_text(carry->kept, open + 2, (size_t)(close - open - 2));
        const char *instead = inside != NULL ? moved_variable(carry, inside, where) : NULL;
        made = instead != NULL
                   ? kept_format(carry->kept, "%s%.*s%s", made, (int)(open - text), text, instead)
                   : NULL;
        text = close + 1;
    }
    if (made != NULL)
        made = kept_format(carry->kept, "%s%.*s", made, (int)(end - text), text);
    return made != NULL ? dollar_name(carry, made) : "";
}

/* ---- secrets that are written out ---- */

/* `text` without its last `length` bytes, which look secret, if references are wanted. */
static const char *hidden(Carry *carry, const char *text, size_t length, const char *where,
                          const char *name)
{
    size_t head = strlen(text) - length;

    if (!secret_likely(text + head, length))
        return text;
    if (!carry->references) {
        tell(carry, where, "holds what looks like a secret");
        return text;
    }
    tell(carry, where, kept_format(carry->kept, "was written out: set %s to it", name));
    return kept_format(carry->kept, "%.*s${%s}", (int)head, text, name);
}

/* The value of a variable or a header whose name says that it is secret. */
static const char *hidden_member(Carry *carry, const char *member, const char *name,
                                 const char *text)
{
    bool variable = strcmp(member, "env") == 0;
    const char *space = variable ? NULL : strrchr(text, ' ');
    const char *where = kept_format(carry->kept, "%s %s", member, name);
    const char *instead = variable ? name : variable_name(carry->kept, carry->name, name);

    if (!secret_named(name, strlen(name)) || where == NULL || instead == NULL)
        return text;
    return hidden(carry, text, strlen(space != NULL ? space + 1 : text), where, instead);
}

/* "--api-key=x", or "x" after "--api-key". */
static const char *hidden_argument(Carry *carry, const char *before, const char *text)
{
    const char *equals = text[0] == '-' ? strchr(text, '=') : NULL;
    const char *flag = equals != NULL ? text : before;
    size_t length = flag != NULL ? strcspn(flag, "=") : 0;
    char *name = length > 0 && flag[0] == '-' ? kept_text(carry->kept, flag, length) : NULL;
    const char *variable;

    if (name == NULL || !secret_named(name, length))
        return text;
    variable = variable_name(carry->kept, carry->name, name + strspn(name, "-"));
    return hidden(carry, text, strlen(equals != NULL ? equals + 1 : text), name,
                  variable != NULL ? variable : "");
}

/* ---- values ---- */

static void put_value(Carry *carry, const char *member, const char *name, tn_value value);

static void put_list(Carry *carry, const char *member, tn_value list)
{
    const char *before = NULL;

    tn_put_array_begin(carry->out);
    for (tn_cursor cursor = {0}; tn_value_next(list, &cursor);) {
        size_t length;
        const char *text = tn_value_text(cursor.value, &length);
        if (text == NULL || strcmp(member, "args") != 0) {
            put_value(carry, member, NULL, cursor.value);
            continue;
        }
        text = moved(carry, text, length, member);
        tn_put_string(carry->out, hidden_argument(carry, before, text));
        before = text;
    }
    tn_put_array_end(carry->out);
}

static void put_members(Carry *carry, const char *member, tn_value object)
{
    for (tn_cursor cursor = {0}; tn_value_next(object, &cursor);) {
        size_t length;
        const char *key = tn_value_text(cursor.key, &length);
        char *name = key != NULL ? kept_text(carry->kept, key, length) : NULL;
        if (name == NULL)
            continue;
        tn_put_key(carry->out, name);
        put_value(carry, member, name, cursor.value);
    }
}

/* `member` is that of the entry it is in, `name` that of its own, if it is in an object of it. */
static void put_value(Carry *carry, const char *member, const char *name, tn_value value)
{
    bool named = name != NULL && (strcmp(member, "env") == 0 || strcmp(member, "headers") == 0);
    size_t length;
    const char *text = tn_value_text(value, &length);

    if (text != NULL) {
        text = moved(carry, text, length, member);
        if (strcmp(member, "envFile") == 0 || strcmp(member, "cwd") == 0)
            text = path_from(carry->kept, carry->source->workspace, text);
        tn_put_string(carry->out, named ? hidden_member(carry, member, name, text) : text);
    } else if (tn_value_type(value) == TN_TYPE_ARRAY) {
        put_list(carry, member, value);
    } else if (tn_value_type(value) == TN_TYPE_OBJECT) {
        tn_put_object_begin(carry->out);
        put_members(carry, member, value);
        tn_put_object_end(carry->out);
    } else {
        tn_put_value(carry->out, value);
    }
}

/* ---- what Codex writes otherwise ---- */

static void put_reference(Carry *carry, const char *name, const char *before, tn_value variable,
                          const char *after)
{
    size_t length;
    const char *text = tn_value_text(variable, &length);

    if (text == NULL)
        return;
    tn_put_key(carry->out, name);
    const char *made = kept_format(carry->kept, "%s${%.*s%s}", before, (int)length, text, after);
    tn_put_string(carry->out, made != NULL ? made : "");
}

static void put_headers(Carry *carry, tn_value entry)
{
    tn_value names = tn_value_member(entry, "env_http_headers");

    tn_put_key(carry->out, "headers");
    tn_put_object_begin(carry->out);
    put_members(carry, "headers", tn_value_member(entry, "headers"));
    put_members(carry, "headers", tn_value_member(entry, "http_headers"));
    put_reference(carry, "Authorization", "Bearer ", tn_value_member(entry, "bearer_token_env_var"),
                  "");
    for (tn_cursor cursor = {0}; tn_value_next(names, &cursor);) {
        size_t length;
        const char *key = tn_value_text(cursor.key, &length);
        char *name = key != NULL ? kept_text(carry->kept, key, length) : NULL;
        if (name != NULL)
            put_reference(carry, name, "", cursor.value, "");
    }
    tn_put_object_end(carry->out);
}

static void put_environment(Carry *carry, tn_value entry)
{
    tn_put_key(carry->out, "env");
    tn_put_object_begin(carry->out);
    put_members(carry, "env", tn_value_member(entry, "env"));
    for (tn_cursor cursor = {0}; tn_value_next(tn_value_member(entry, "env_vars"), &cursor);) {
        size_t length;
        const char *text = tn_value_text(cursor.value, &length);
        char *name = text != NULL ? kept_text(carry->kept, text, length) : NULL;
        if (name != NULL)
            put_reference(carry, name, "", cursor.value, ":-");
    }
    tn_put_object_end(carry->out);
}

static bool has(tn_value entry, const char *name)
{
    return tn_value_type(tn_value_member(entry, name)) != TN_TYPE_NONE;
}

bool carry_server(Carry *carry, tn_value entry)
{
    static const char *const converted[] = {"http_headers", "env_http_headers",
                                            "bearer_token_env_var", "env_vars", NULL};
    bool headers = has(entry, "http_headers") || has(entry, "env_http_headers") ||
                   has(entry, "bearer_token_env_var");
    bool variables = has(entry, "env_vars");

    if (server_is_tenon(entry)) {
        tell(carry, "", "is left out: it is tenon itself, which would start itself");
        return false;
    }
    tn_put_object_begin(carry->out);
    for (tn_cursor cursor = {0}; tn_value_next(entry, &cursor);) {
        size_t length;
        const char *key = tn_value_text(cursor.key, &length);
        char *name = key != NULL ? kept_text(carry->kept, key, length) : NULL;
        bool skip = name == NULL || (headers && strcmp(name, "headers") == 0) ||
                    (variables && strcmp(name, "env") == 0);
        for (size_t i = 0; !skip && converted[i] != NULL; i++)
            skip = strcmp(name, converted[i]) == 0;
        if (skip)
            continue;
        tn_put_key(carry->out, name);
        put_value(carry, name, NULL, cursor.value);
    }
    if (headers)
        put_headers(carry, entry);
    if (variables)
        put_environment(carry, entry);
    if (carry->source->workspace != NULL && has(entry, "command") && !has(entry, "cwd")) {
        tn_put_key(carry->out, "cwd");
        tn_put_string(carry->out, carry->source->workspace);
    }
    tn_put_object_end(carry->out);
    return true;
}
