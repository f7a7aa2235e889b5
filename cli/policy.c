/* The policy of the command line: a file, then patterns. */
#include "policy.h"

#include "complain.h"
#include "json_fault.h"
#include "kept.h"
#include "prepare.h"
#include "secret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse_file(const char *path, const Text *text, char *fault)
{
    JsonFault where = json_fault(text->bytes, text->length);
    bool is_json = fault == NULL || strncmp(fault, "$: expected JSON", 16) != 0;
    int wrong;

    if (is_json)
        wrong = complain("docs/policy.md shows what a policy is made of.", "%s: %s", path,
                         fault != NULL ? fault : "this is no policy");
    else
        wrong = complain("docs/policy.md shows what a policy is made of.",
                         "%s is not JSON: expected %s at line %zu, column %zu", path,
                         where.expected, where.line, where.column);
    tn_text_free(fault);
    return wrong;
}

static int read_file(const char *path, tn_policy **out_policy)
{
    ReadJob job = {.path = path,
                   .what = "policy",
                   .remedy = "Is it a policy (docs/policy.md)?",
                   .limit_bytes = FILE_BYTES_MAX};
    Text text = {0};
    char *fault = NULL;
    int wrong = file_read(&job, &text);

    if (wrong != 0)
        return wrong;
    tn_status status = tn_policy_new(text.bytes, text.length, out_policy, &fault);
    if (status == TN_ERR_ARGUMENT)
        wrong = refuse_file(path, &text, fault);
    else if (status != TN_OK)
        wrong = library_failed(status, "read the policy");
    free(text.bytes);
    return wrong;
}

static int add_patterns(tn_policy *policy, const char *option, const TextList *patterns,
                        tn_policy_effect effect)
{
    for (size_t i = 0; i < patterns->count; i++) {
        tn_status status = tn_policy_add(policy, effect, patterns->at[i]);
        if (status == TN_ERR_ARGUMENT)
            return complain("Name a function, or several by *: --deny github.deleteRepo, "
                            "--allow 'hub.list*', --ask '*'.",
                            "--%s cannot be \"%s\"", option, patterns->at[i]);
        if (status != TN_OK)
            return library_failed(status, "make the policy");
    }
    return 0;
}

static int add_origins(tn_policy *policy, const TextList *urls)
{
    for (size_t i = 0; i < urls->count; i++) {
        tn_status status = tn_policy_add_fetch(policy, urls->at[i]);
        if (status == TN_ERR_ARGUMENT)
            return complain("Name an origin, and a path if need be: --allow-fetch "
                            "https://api.example.com/v1/, --allow-fetch 'https://*.example.com'.",
                            "--allow-fetch cannot be \"%s\"", urls->at[i]);
        if (status != TN_OK)
            return library_failed(status, "make the policy");
    }
    return 0;
}

/* Those that requests need; who runs nothing sends none. */
static int read_secrets(const Settings *settings, tn_policy *policy)
{
    const char *slash = settings->policy != NULL ? strrchr(settings->policy, '/') : NULL;
    Kept kept = {0};
    char *folder = slash != NULL
                       ? kept_text(&kept, settings->policy, (size_t)(slash - settings->policy) + 1)
                       : NULL;
    const char *reference, *why = "";
    int wrong = 0;

    for (size_t i = 0; wrong == 0 && (settings->command & (COMMAND_RUN | COMMAND_MCP)) != 0 &&
                       (reference = tn_policy_secret(policy, i)) != NULL;
         i++) {
        const char *value = secret_read(&kept, reference, folder, &why);
        if (value == NULL)
            wrong = complain("docs/policy.md shows how secrets are named.",
                             "%s: the secret %s is not to be had: %s", settings->policy, reference,
                             why);
        else if (tn_policy_set_secret(policy, reference, value) != TN_OK)
            wrong = library_failed(TN_ERR_NOMEM, "keep the secrets");
    }
    kept_release(&kept);
    return wrong;
}

/* ---- what is said in one argument of what a file says in an object ---- */

/* An object with one member, once more and once more: {"override": {"mail.send": ... */
static void open_path(tn_writer *json, const char *section, const char *pattern, size_t length)
{
    char name[256];

    (void)snprintf(name, sizeof name, "%.*s", (int)length, pattern);
    tn_put_object_begin(json);
    tn_put_key(json, section);
    tn_put_object_begin(json);
    tn_put_key(json, name);
    tn_put_object_begin(json);
}

static int add_object(tn_policy *policy, tn_writer *json, const char *option, const char *text)
{
    char *document = NULL, *fault = NULL;
    size_t length = 0;
    int wrong = 0;
    tn_status status;

    for (int i = 0; i < 3; i++)
        tn_put_object_end(json);
    status = tn_value_json(tn_writer_value(json), &document, &length);
    if (status == TN_OK)
        status = tn_policy_read(policy, document, length, &fault);
    if (status == TN_ERR_ARGUMENT)
        wrong = complain("docs/policy.md says what it means.", "--%s \"%s\": %s", option, text,
                         fault != NULL ? fault : "this is no policy");
    else if (status != TN_OK)
        wrong = library_failed(status, "make the policy");
    tn_text_free(document);
    tn_text_free(fault);
    return wrong;
}

/* JSON, or plain text where it is plainly none: org=acme, userId=7. */
static bool put_json_or_text(tn_writer *json, const char *value)
{
    tn_writer *trial = NULL;
    tn_status status = tn_writer_new(&trial);

    if (status == TN_OK)
        status = tn_put_json(trial, value, strlen(value));
    if (status == TN_OK)
        tn_put_value(json, tn_writer_value(trial));
    tn_writer_free(trial);
    if (status == TN_ERR_ARGUMENT && strchr("{[\"", value[0]) == NULL) {
        tn_put_string(json, value);
        status = TN_OK;
    }
    return status == TN_OK;
}

/* PATTERN:NAME=VALUE */
static int add_bound(tn_policy *policy, const char *text, tn_writer *json)
{
    static const char remedy[] = "As --bind 'github.*:userId=7': functions, a parameter, and its "
                                 "value, in JSON or as text.";
    const char *colon = strchr(text, ':');
    const char *equals = colon != NULL ? strchr(colon, '=') : NULL;
    char name[256];

    if (equals == NULL || colon == text || equals == colon + 1 ||
        (size_t)(equals - colon) > sizeof name)
        return complain(remedy, "--bind cannot be \"%s\"", text);
    (void)snprintf(name, sizeof name, "%.*s", (int)(equals - colon - 1), colon + 1);
    open_path(json, "bound", text, (size_t)(colon - text));
    tn_put_key(json, name);
    if (!put_json_or_text(json, equals + 1))
        return complain(remedy, "--bind \"%s\": what comes after the = is no JSON", text);
    return add_object(policy, json, "bind", text);
}

/* PATTERN=FUNCTION, PATTERN=deny, PATTERN=deny:REASON, PATTERN=value:JSON */
static int add_override(tn_policy *policy, const char *text, tn_writer *json)
{
    static const char remedy[] = "As --override mail.send=mock.send, 'mail.*=deny:not today', or "
                                 "'clock.now=value:0'.";
    const char *equals = strchr(text, '=');
    const char *what = equals != NULL ? equals + 1 : "";

    if (equals == NULL || equals == text || what[0] == '\0')
        return complain(remedy, "--override cannot be \"%s\"", text);
    open_path(json, "override", text, (size_t)(equals - text));
    if (strncmp(what, "value:", 6) == 0) {
        tn_put_key(json, "value");
        if (tn_put_json(json, what + 6, strlen(what + 6)) != TN_OK)
            return complain(remedy, "--override \"%s\": what comes after value: is no JSON", text);
    } else if (strcmp(what, "deny") == 0) {
        tn_put_key(json, "deny");
        tn_put_bool(json, true);
    } else if (strncmp(what, "deny:", 5) == 0) {
        tn_put_key(json, "deny");
        tn_put_string(json, what + 5);
    } else {
        tn_put_key(json, "function");
        tn_put_string(json, what);
    }
    return add_object(policy, json, "override", text);
}

static int add_each(tn_policy *policy, const TextList *texts,
                    int (*add)(tn_policy *policy, const char *text, tn_writer *json))
{
    int wrong = 0;

    for (size_t i = 0; i < texts->count && wrong == 0; i++) {
        tn_writer *json = NULL;
        tn_status status = tn_writer_new(&json);
        wrong = status == TN_OK ? add(policy, texts->at[i], json)
                                : library_failed(status, "make the policy");
        tn_writer_free(json);
    }
    return wrong;
}

/* ---- all of it ---- */

/* Who says what is allowed means: and nothing else. A file has its own word for the rest. */
static int fill(const Settings *settings, tn_policy *policy)
{
    tn_status status = TN_OK;
    int wrong;

    if (settings->allow.count > 0 && settings->policy == NULL)
        status = tn_policy_default(policy, TN_POLICY_DENY);
    if (status != TN_OK)
        return library_failed(status, "make the policy");
    if ((wrong = add_patterns(policy, "allow", &settings->allow, TN_POLICY_ALLOW)) != 0 ||
        (wrong = add_patterns(policy, "deny", &settings->deny, TN_POLICY_DENY)) != 0 ||
        (wrong = add_origins(policy, &settings->fetch)) != 0 ||
        (wrong = read_secrets(settings, policy)) != 0)
        return wrong;
    if ((wrong = add_patterns(policy, "ask", &settings->ask, TN_POLICY_ASK)) != 0 ||
        (wrong = add_each(policy, &settings->overrides, add_override)) != 0)
        return wrong;
    return add_each(policy, &settings->bound, add_bound);
}

int policy_read(const Settings *settings, tn_policy **out_policy)
{
    tn_policy *policy = NULL;
    int wrong = 0;

    *out_policy = NULL;
    if (settings->policy == NULL && settings->allow.count + settings->deny.count +
                                            settings->ask.count + settings->overrides.count +
                                            settings->bound.count + settings->fetch.count ==
                                        0)
        return 0;
    if (settings->policy != NULL) {
        wrong = read_file(settings->policy, &policy);
    } else {
        tn_status status = tn_policy_new(NULL, 0, &policy, NULL);
        wrong = status == TN_OK ? 0 : library_failed(status, "make the policy");
    }
    if (wrong == 0)
        wrong = fill(settings, policy);
    if (wrong != 0) {
        tn_policy_free(policy);
        return wrong;
    }
    *out_policy = policy;
    return 0;
}

void policy_tell_unmatched(tn_engine *engine, const tn_policy *policy)
{
    char *text = NULL;
    size_t length = 0;

    if (policy == NULL || tn_policy_unmatched(engine, policy, &text, &length) != TN_OK)
        return;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        (void)fprintf(stderr, "tenon: policy: %.*s\n", (int)(end - line), line);
    tn_text_free(text);
}
