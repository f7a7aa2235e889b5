/* From settings to an engine and to what a program has to be. */
#include "prepare.h"

#include "cache.h"
#include "complain.h"
#include "elicit.h"
#include "policy.h"
#include "servers.h"
#include "services.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef TENON_TSC_PATH
#define TENON_TSC_PATH ""
#endif

const char *program_name(const Settings *settings, const char *path)
{
    const char *slash;

    if (settings->code != NULL || strcmp(path, "-") == 0)
        return "program.ts";
    slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* ---- the engine ---- */

/* The compiler: the one that is named, else the one that was there when this was built. */
const char *prepare_compiler(void)
{
    const char *named = getenv("TENON_TSC");

    if (named != NULL && named[0] != '\0')
        return named;
    return access(TENON_TSC_PATH, X_OK) == 0 ? TENON_TSC_PATH : NULL;
}

static int add_declarations(tn_engine *engine, const char *path)
{
    ReadJob job = {.path = path,
                   .what = "declarations",
                   .remedy = "Is it a declaration file (.d.ts)?",
                   .limit_bytes = FILE_BYTES_MAX};
    Text text = {0};
    tn_status status;
    int wrong = file_read(&job, &text);

    if (wrong != 0)
        return wrong;
    status = tn_engine_add_declarations(engine, path, text.bytes, text.length);
    free(text.bytes);
    if (status == TN_ERR_STATE)
        return complain("Once is enough.", "--declare %s is given twice", path);
    return status == TN_OK ? 0 : library_failed(status, "take the declarations");
}

int prepare_closed(const Settings *settings, const tn_policy *policy, tn_engine **out_engine)
{
    static const tn_bounds bounds[] = {
        [BOUNDS_GUARD] = TN_BOUNDS_GUARD, [BOUNDS_CHECKED] = TN_BOUNDS_CHECKED};
    static const tn_checker checkers[] = {[CHECKER_AUTO] = TN_CHECKER_AUTO,
                                          [CHECKER_TSC] = TN_CHECKER_TSC,
                                          [CHECKER_NONE] = TN_CHECKER_NONE};
    tn_engine_options options = TN_INIT(tn_engine_options);
    char cache[PATH_MAX];
    int wrong = 0;

    options.limits = settings->limits;
    options.idle_realms = 1;
    options.checker = checkers[settings->checker];
    options.compiler = prepare_compiler();
    if (cache_path("packages.db", cache, sizeof cache))
        options.cache = cache;
    if (settings->fresh)
        options.cache_use = TN_CACHE_RENEW;
    else if (settings->command == COMMAND_MCP)
        options.cache_use = TN_CACHE_REFRESH;
    if (settings_given(settings, "bounds"))
        options.bounds = bounds[settings->bounds];
    if (settings->command != COMMAND_MCP)
        options.elicit = elicit_at_terminal;
    tn_status status = tn_engine_new(&options, out_engine);
    if (status == TN_OK && tn_policy_fetches(policy))
        status = tn_engine_add_fetch(*out_engine);
    if (status != TN_OK)
        return library_failed(status, "make an engine");
    for (size_t i = 0; i < settings->declarations.count && wrong == 0; i++)
        wrong = add_declarations(*out_engine, settings->declarations.at[i]);
    if (wrong == 0)
        wrong = services_add(settings, *out_engine);
    return wrong != 0 ? wrong : servers_add(settings, *out_engine);
}

int prepare_open(tn_engine *engine, const tn_policy *policy)
{
    tn_status status = tn_engine_open(engine);

    if (status != TN_OK)
        return library_failed(status, "make an engine");
    servers_tell_problems(engine);
    policy_tell_unmatched(engine, policy);
    return 0;
}

int prepare_engine(const Settings *settings, const tn_policy *policy, tn_engine **out_engine)
{
    int wrong = prepare_closed(settings, policy, out_engine);

    return wrong != 0 ? wrong : prepare_open(*out_engine, policy);
}

/* ---- what is asked of a program ---- */

/* "NAME: TYPE", or the name alone. */
static int take_export(Asked *asked, size_t index, const char *text)
{
    size_t length = strcspn(text, ": ");
    const char *type = strchr(text, ':');

    if (type != NULL)
        type += 1 + strspn(type + 1, " ");

    if (length == 0)
        return complain("Write a name: --export 'render: (name: string) => string'.",
                        "--export cannot be \"%s\"", text);
    asked->names[index] = strndup(text, length);
    if (asked->names[index] == NULL)
        return library_failed(TN_ERR_NOMEM, "read the options");
    asked->exports[index] = (tn_export){asked->names[index], type};
    return 0;
}

/* The type of one member of the whole input's. */
static char *member_type(const char *whole, const char *name)
{
    size_t size = strlen(whole) + 2 * strlen(name) + 8;
    char *type = malloc(size);
    char *at = type;

    if (type == NULL)
        return NULL;
    at += snprintf(type, size, "(%s)[\"", whole);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            *at++ = '\\';
        *at++ = *name;
    }
    memcpy(at, "\"]", 3);
    return type;
}

static int take_inputs(const Settings *settings, tn_value input, Asked *asked)
{
    size_t count = tn_value_count(input);

    asked->inputs = calloc(count + 1, sizeof *asked->inputs);
    asked->texts = calloc(2 * count + 1, sizeof *asked->texts);
    if (asked->inputs == NULL || asked->texts == NULL)
        return library_failed(TN_ERR_NOMEM, "read the options");
    for (tn_cursor cursor = {0}; tn_value_next(input, &cursor);) {
        tn_input_type *one = &asked->inputs[asked->options.input_count];
        size_t length = 0;
        const char *key = tn_value_text(cursor.key, &length);
        char *name = key != NULL && memchr(key, '\0', length) == NULL ? strndup(key, length) : NULL;
        if (name == NULL)
            continue; /* no program can name it */
        asked->texts[asked->text_count++] = name;
        *one = (tn_input_type){.name = name, .example = cursor.value};
        asked->options.input_count++;
        if (settings->input_type == NULL)
            continue;
        char *type = member_type(settings->input_type, name);
        if (type == NULL)
            return library_failed(TN_ERR_NOMEM, "read the options");
        asked->texts[asked->text_count++] = type;
        one->type = type;
    }
    asked->options.inputs = asked->inputs;
    return 0;
}

int prepare_program(const Settings *settings, tn_value input, Asked *out_asked)
{
    int wrong = 0;

    *out_asked = (Asked){.options = TN_INIT(tn_program_options)};
    out_asked->options.unchecked = settings->no_check;
    out_asked->options.expect = settings->expect;
    for (size_t i = 0; i < settings->exports.count && wrong == 0; i++)
        wrong = take_export(out_asked, i, settings->exports.at[i]);
    out_asked->options.exports = out_asked->exports;
    out_asked->options.export_count = settings->exports.count;
    if (wrong == 0 && tn_value_type(input) == TN_TYPE_OBJECT)
        wrong = take_inputs(settings, input, out_asked);
    return wrong;
}

void asked_release(Asked *asked)
{
    for (size_t i = 0; i < asked->text_count; i++)
        free(asked->texts[i]);
    for (size_t i = 0; i < LIST_MAX; i++)
        free(asked->names[i]);
    free(asked->texts);
    free(asked->inputs);
    *asked = (Asked){0};
}
