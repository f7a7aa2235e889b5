/* What `fetch` may reach, from a policy's document, and the secrets it names. The secrets
 * themselves are never in it. */
#include <string.h>

#include "base.h"
#include "origin.h"
#include "rules_reader.h"

enum { TEXT_MOST = 2000 };

static const char expected_url[] =
    "an origin like \"https://api.example.com\", a path behind it at most";

const char *rules_grant_of(Arena *arena, const char *url, HttpGrant *out_grant)
{
    const char *host = strstr(url, "://");
    size_t length = host ? (size_t)(host - url) + 3 + strcspn(host + 3, "/") : 0;
    Origin origin;

    if (!host || origin_read(url, length, &origin) || strpbrk(url + length, "?#% \\"))
        return expected_url;
    out_grant->origin = arena_text(arena, url, length);
    out_grant->path = url[length] ? arena_string(arena, url + length) : NULL;
    return NULL;
}

tn_status rules_grant(tn_policy *policy, const HttpGrant *grant)
{
    const Clause allowed = {.kind = CLAUSE_ALLOW, .pattern = "fetch.*"};
    size_t count = policy->grant_count;
    HttpGrant *grown = arena_grow(&policy->arena, policy->grants, count * sizeof *grown,
                                  (count + 1) * sizeof *grown);

    if (!grown)
        return arena_status(&policy->arena);
    grown[count] = *grant;
    policy->grants = grown;
    policy->grant_count++;
    return count == 0 ? rules_add(policy, &allowed) : TN_OK;
}

/* ---- credentials ---- */

static bool set_kind(Reader *reader, const Place *place, tn_value value, Draft *draft,
                     HttpCredentialKind kind)
{
    HttpCredential *credential = &draft->credential;

    if (draft->effect)
        return rules_wrong(reader, place, "one of header, query, cookie, bearer and basic", value);
    draft->effect = place->name;
    credential->kind = kind;
    return true;
}

static bool take_reference(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] =
        "where the secret is, like \"env:TOKEN\", \"file:/run/secrets/token\" or \"command:...\"";
    const char *text = rules_text(reader, place, value, TEXT_MOST, expected);
    size_t scheme = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz") : 0;

    if (text && (scheme == 0 || text[scheme] != ':' || !text[scheme + 1]))
        return rules_wrong(reader, place, expected, value);
    draft->credential.reference = text;
    return text;
}

static bool is_token(const char *text)
{
    size_t length = strlen(text);

    return length > 0 && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789!#$%&'*+-.^_`|~") == length;
}

static bool take_name(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] = "its name: letters, digits and signs like - and _";

    draft->credential.name = rules_text(reader, place, value, 200, expected);
    return draft->credential.name &&
           (is_token(draft->credential.name) || rules_wrong(reader, place, expected, value));
}

static bool read_header(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return set_kind(reader, place, value, draft, HTTP_CREDENTIAL_HEADER) &&
           take_name(reader, place, value, draft);
}

static bool read_query(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return set_kind(reader, place, value, draft, HTTP_CREDENTIAL_QUERY) &&
           take_name(reader, place, value, draft);
}

static bool read_cookie(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return set_kind(reader, place, value, draft, HTTP_CREDENTIAL_COOKIE) &&
           take_name(reader, place, value, draft);
}

static bool read_bearer(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    draft->credential.name = "Authorization";
    draft->credential.prefix = "Bearer ";
    return set_kind(reader, place, value, draft, HTTP_CREDENTIAL_HEADER) &&
           take_reference(reader, place, value, draft);
}

static bool read_basic(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    return set_kind(reader, place, value, draft, HTTP_CREDENTIAL_BASIC) &&
           take_reference(reader, place, value, draft);
}

static bool read_prefix(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    draft->credential.prefix =
        rules_text(reader, place, value, 200, "what stands before the secret, like \"Token \"");
    return draft->credential.prefix;
}

static bool read_user(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] = "the name of a user, without a colon";
    const char *name = rules_text(reader, place, value, 200, expected);

    if (name && strchr(name, ':'))
        return rules_wrong(reader, place, expected, value);
    draft->user = name;
    return name;
}

static bool read_credential(Reader *reader, const Place *place, tn_value value,
                            HttpCredential *out_credential)
{
    static const Member members[] = {{"header", read_header}, {"query", read_query},
                                     {"cookie", read_cookie}, {"bearer", read_bearer},
                                     {"basic", read_basic},   {"value", take_reference},
                                     {"prefix", read_prefix}, {"user", read_user}};
    Draft draft = {0};

    if (!rules_members(reader, place, value, members, COUNT_OF(members), &draft))
        return false;
    if (!draft.effect || !draft.credential.reference)
        return rules_wrong(reader, place,
                           "one of header, query, cookie (with a value), bearer and basic", value);
    if (draft.user && draft.credential.kind != HTTP_CREDENTIAL_BASIC)
        return rules_wrong(reader, place, "a user beside basic only", value);
    if (draft.user)
        draft.credential.name = draft.user;
    if (draft.credential.prefix && draft.credential.kind != HTTP_CREDENTIAL_HEADER)
        return rules_wrong(reader, place, "a prefix beside header only", value);
    *out_credential = draft.credential;
    return true;
}

/* ---- grants ---- */

static bool read_origin(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    const char *text = rules_text(reader, place, value, TEXT_MOST, expected_url);
    const char *path = draft->grant.path;

    if (text && (rules_grant_of(&reader->policy->arena, text, &draft->grant) ||
                 (draft->grant.path && path)))
        return rules_wrong(reader, place, expected_url, value);
    if (path)
        draft->grant.path = path;
    return text;
}

static bool read_path(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] = "the beginning of a path, \"/v1/\", said once";
    const char *path = rules_text(reader, place, value, TEXT_MOST, expected);

    if (path && (path[0] != '/' || strpbrk(path, "?#%\\") || strstr(path, "/../") ||
                 strstr(path, "/./") || draft->grant.path))
        return rules_wrong(reader, place, expected, value);
    draft->grant.path = path;
    return path;
}

static bool read_private(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    draft->grant.private_addresses = tn_value_bool(value);
    return tn_value_type(value) == TN_TYPE_BOOL ||
           rules_wrong(reader, place, "true or false", value);
}

static bool read_methods(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    static const char expected[] = "methods in capitals, [\"GET\", \"HEAD\"]";
    const char **methods =
        ARENA_ARRAY(&reader->policy->arena, const char *, tn_value_count(value) + 1);
    tn_cursor cursor = {0};

    if (tn_value_type(value) != TN_TYPE_ARRAY || tn_value_count(value) == 0)
        return rules_wrong(reader, place, expected, value);
    for (size_t i = 0; methods && tn_value_next(value, &cursor); i++) {
        Place element = {place, NULL, i};
        const char *name = rules_text(reader, &element, cursor.value, 32, expected);
        if (name && (!is_token(name) || strpbrk(name, "abcdefghijklmnopqrstuvwxyz")))
            return rules_wrong(reader, &element, expected, cursor.value);
        methods[draft->grant.method_count++] = name;
        if (!name)
            return false;
    }
    draft->grant.methods = methods;
    return methods;
}

static bool read_credentials(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    HttpCredential *credentials =
        ARENA_ARRAY(&reader->policy->arena, HttpCredential, tn_value_count(value) + 1);
    tn_cursor cursor = {0};

    if (tn_value_type(value) != TN_TYPE_ARRAY)
        return rules_wrong(reader, place, "an array of credentials", value);
    for (size_t i = 0; credentials && tn_value_next(value, &cursor); i++) {
        Place element = {place, NULL, i};
        if (!read_credential(reader, &element, cursor.value, &credentials[i]))
            return false;
        draft->grant.credential_count++;
    }
    draft->grant.credentials = credentials;
    return credentials;
}

static bool read_grant(Reader *reader, const Place *place, tn_value value)
{
    static const Member members[] = {
        {"origin", read_origin},   {"methods", read_methods},         {"path", read_path},
        {"private", read_private}, {"credentials", read_credentials},
    };
    Draft draft = {0};

    if (tn_value_type(value) == TN_TYPE_TEXT
            ? !read_origin(reader, place, value, &draft)
            : !rules_members(reader, place, value, members, COUNT_OF(members), &draft))
        return false;
    if (!draft.grant.origin)
        return rules_wrong(reader, place, "an object with an origin", value);
    return rules_grant(reader->policy, &draft.grant) == TN_OK;
}

bool rules_read_fetch(Reader *reader, const Place *place, tn_value value, Draft *draft)
{
    tn_cursor cursor = {0};
    (void)draft;

    if (tn_value_type(value) != TN_TYPE_ARRAY)
        return rules_wrong(reader, place, "an array of what may be reached", value);
    for (size_t i = 0; tn_value_next(value, &cursor); i++) {
        Place element = {place, NULL, i};
        if (!read_grant(reader, &element, cursor.value))
            return false;
    }
    return true;
}
