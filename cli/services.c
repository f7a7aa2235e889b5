#include "services.h"

#include "complain.h"
#include "secret.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the command line ---- */

/* One --openapi: its package, and where its document is. */
typedef struct Named {
    char *package;
    const char *document;
} Named;

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') && c != '_' && c != '$' &&
            !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0;
}

/* "github=github.yaml", or the document alone, which then gives the name. */
static int read_name(Kept *kept, const char *text, Named *out)
{
    size_t head = strcspn(text, "=");

    if (text[head] == '=' && is_word(text, head)) {
        out->package = kept_text(kept, text, head);
        out->document = text + head + 1;
    } else {
        size_t end = strstr(text, "://") != NULL ? strcspn(text, "?#") : strlen(text);
        size_t begin = end;
        while (begin > 0 && text[begin - 1] != '/')
            begin--;
        out->document = text;
        out->package = server_package(kept, text + begin, strcspn(text + begin, ".?#"));
    }
    if (out->package == NULL)
        return library_failed(TN_ERR_NOMEM, "read the options");
    if (out->document[0] == '\0' || strspn(out->package, "_") == strlen(out->package))
        return complain("As in --openapi github=github.yaml.",
                        "--openapi \"%s\" does not say what to call it, or where it is", text);
    return 0;
}

/* The part of a --credential after the package's name; NULL: it is for another. */
static const char *for_package(const char *credential, const char *package, size_t services)
{
    size_t length = strlen(package);

    if (strncmp(credential, package, length) == 0 && credential[length] == '.')
        return credential + length + 1;
    return services == 1 ? credential : NULL;
}

/* "SCHEME=env:NAME" becomes "SCHEME=secret". */
static int read_credential(Kept *kept, const char *text, const char **out)
{
    const char *equals = strchr(text, '='), *why = NULL, *secret;

    if (equals == NULL || equals == text || !secret_is_reference(equals + 1))
        return complain("As in --credential bearerAuth=env:TOKEN: the name is the one of the "
                        "document's security scheme, and a secret is env:NAME, file:PATH or "
                        "command:LINE.",
                        "a --credential does not say which secret, or says the secret itself");
    secret = secret_read(kept, equals + 1, NULL, &why);
    if (secret == NULL)
        return complain("It is env:NAME, file:PATH or command:LINE.", "--credential %.*s: %s",
                        (int)(equals - text), text, why);
    *out = kept_format(kept, "%.*s=%s", (int)(equals - text), text, secret);
    return *out != NULL ? 0 : library_failed(TN_ERR_NOMEM, "read the options");
}

static int told(tn_status status, const char *package)
{
    if (status == TN_ERR_STATE)
        return complain("Call one of them otherwise: --openapi NAME=FILE.",
                        "there are two packages %s", package);
    return status == TN_OK ? 0 : library_failed(status, "take a service");
}

static int add_named(const Settings *settings, Kept *kept, const Named *named, bool *used,
                     tn_engine *engine)
{
    tn_openapi made = TN_INIT(tn_openapi);
    const char *credentials[LIST_MAX + 1] = {0};
    size_t count = 0;
    int wrong = 0;

    for (size_t i = 0; i < settings->credentials.count && wrong == 0; i++) {
        const char *own =
            for_package(settings->credentials.at[i], named->package, settings->services.count);
        if (own == NULL)
            continue;
        used[i] = true;
        wrong = read_credential(kept, own, &credentials[count++]);
    }
    made.document = named->document;
    made.credentials = credentials;
    return wrong != 0 ? wrong
                      : told(tn_engine_add_openapi(engine, named->package, &made), named->package);
}

int services_add(const Settings *settings, tn_engine *engine)
{
    bool used[LIST_MAX] = {false};
    Kept kept = {0};
    int wrong = 0;

    for (size_t i = 0; i < settings->services.count && wrong == 0; i++) {
        Named named = {0};
        wrong = read_name(&kept, settings->services.at[i], &named);
        if (wrong == 0)
            wrong = add_named(settings, &kept, &named, used, engine);
    }
    for (size_t i = 0; i < settings->credentials.count && wrong == 0; i++) {
        if (!used[i])
            wrong = complain("Of several --openapi, say which: --credential NAME.SCHEME=env:TOKEN.",
                             "--credential %.*s is for no package of --openapi",
                             (int)strcspn(settings->credentials.at[i], "="),
                             settings->credentials.at[i]);
    }
    kept_release(&kept);
    return wrong;
}

/* ---- a file ---- */

static int add_entry(Scope *scope, tn_value name, tn_value entry, tn_engine *engine)
{
    tn_openapi made;
    size_t length;
    const char *text = tn_value_text(name, &length);
    char *server = text != NULL ? kept_text(&scope->kept, text, length) : NULL;
    char *package = server != NULL ? server_package(&scope->kept, server, length) : NULL;

    if (package == NULL)
        return library_failed(TN_ERR_NOMEM, "read the services");
    scope->server = server;
    scope->package = package;
    switch (service_read(scope, entry, &made)) {
    case ENTRY_LEFT:
        return 0;
    case ENTRY_WRONG:
        return EXIT_USAGE;
    case ENTRY_TAKEN:
        break;
    }
    return told(tn_engine_add_openapi(engine, package, &made), package);
}

int services_add_section(Scope *scope, tn_engine *engine)
{
    tn_value services = tn_value_member(jsonc_value(scope->file), "openapi");
    int wrong = 0;

    if (tn_value_type(services) == TN_TYPE_NONE)
        return 0;
    if (tn_value_type(services) != TN_TYPE_OBJECT)
        return complain("As in {\"openapi\": {\"github\": {\"document\": \"github.yaml\"}}}.",
                        "%s: \"openapi\" must be an object of services", scope->file->path);
    scope->section = "openapi";
    for (tn_cursor cursor = {0}; wrong == 0 && tn_value_next(services, &cursor);)
        wrong = add_entry(scope, cursor.key, cursor.value, engine);
    return wrong;
}
