/* The policy of the command line: a file, then patterns. */
#include "policy.h"

#include "complain.h"
#include "json_fault.h"
#include "prepare.h"

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
        (wrong = add_patterns(policy, "deny", &settings->deny, TN_POLICY_DENY)) != 0)
        return wrong;
    return add_patterns(policy, "ask", &settings->ask, TN_POLICY_ASK);
}

int policy_read(const Settings *settings, tn_policy **out_policy)
{
    tn_policy *policy = NULL;
    int wrong = 0;

    *out_policy = NULL;
    if (settings->policy == NULL &&
        settings->allow.count + settings->deny.count + settings->ask.count == 0)
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
