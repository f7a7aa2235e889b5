#include "serve.h"

#include "complain.h"
#include "door.h"
#include "journal.h"
#include "jsonc.h"
#include "policy.h"
#include "prepare.h"
#include "secret.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A person who types `tenon mcp` would otherwise see nothing at all. */
static void explain_terminal(void)
{
    if (isatty(STDIN_FILENO))
        complain("Name `tenon mcp` as the command of a server in an agent's configuration.",
                 "this speaks the Model Context Protocol to an agent, one JSON message a line");
}

/* ---- the configuration ---- */

static int read_config(const Settings *settings, DoorConfig **out_config)
{
    const char *slash = settings->config != NULL ? strrchr(settings->config, '/') : NULL;
    Jsonc jsonc = {0};
    char fault[400] = "out of memory";
    char *folder;
    int wrong;

    if (settings->config == NULL)
        return 0;
    wrong = jsonc_read(&jsonc, settings->config, "configuration");
    if (wrong != 0) {
        jsonc_release(&jsonc);
        return wrong;
    }
    folder = slash != NULL ? strndup(settings->config, (size_t)(slash - settings->config) + 1)
                           : strdup("");
    *out_config = door_config_new(jsonc_value(&jsonc), folder, fault, sizeof fault);
    free(folder);
    jsonc_release(&jsonc);
    if (*out_config == NULL)
        return complain("docs/mcp.md shows what a configuration is made of.", "%s: %s",
                        settings->config, fault);
    return 0;
}

static int add_config(const DoorConfig *config, tn_engine *engine, tn_policy *policy)
{
    tn_status status = config != NULL ? door_config_add(config, engine) : TN_OK;

    if (status == TN_ERR_STATE)
        return complain("Call that one otherwise.",
                        "there is a package `client` already, which --config needs");
    /* who allows some functions only does not mean the programs of the server itself */
    if (status == TN_OK && config != NULL && policy != NULL)
        status = tn_policy_add(policy, TN_POLICY_ALLOW, "client.*");
    return status == TN_OK ? 0 : library_failed(status, "take the configuration");
}

static void tell_program(const char *text)
{
    (void)fprintf(stderr, "tenon: %s\n", text);
}

/* ---- HTTP ---- */

static int read_token(const Settings *settings, Kept *kept, const char **out_token)
{
    enum { TOKEN_LEAST = 16 };
    const char *why = NULL;

    if (settings->token == NULL)
        return 0;
    if (!secret_is_reference(settings->token))
        return complain("Say where it is: --token env:NAME, file:PATH or command:LINE.",
                        "--token takes no token itself: others can read a command line");
    *out_token = secret_read(kept, settings->token, NULL, &why);
    if (*out_token == NULL)
        return complain("It is env:NAME, file:PATH or command:LINE.", "--token %s: %s",
                        settings->token, why);
    if (strlen(*out_token) < TOKEN_LEAST || strcspn(*out_token, " \t\r\n") < strlen(*out_token))
        return complain("As in: head -c 24 /dev/urandom | base64 > token",
                        "--token %s: a token has %d characters at least, and no blanks",
                        settings->token, TOKEN_LEAST);
    return 0;
}

static int listen_http(const Settings *settings, bool has_token, HttpPlace *out_place)
{
    switch (http_listen(settings->http, has_token, out_place)) {
    case HTTP_NO_ADDRESS:
        return complain("As in --http 127.0.0.1:8808, --http [::1]:8808 or --http 0.",
                        "--http cannot be \"%s\": it is no address of this machine",
                        settings->http);
    case HTTP_OPEN_TO_ALL:
        return complain("Name a token with --token, or listen at 127.0.0.1.",
                        "--http %s: others than this machine could come, and no token is asked for",
                        settings->http);
    case HTTP_TAKEN:
        return complain("Port 0 takes one that is free.", "--http %s: %s", settings->http,
                        strerror(errno));
    case HTTP_FINE:
        break;
    }
    return 0;
}

static void tell_ready(const char *url)
{
    (void)fprintf(stderr, "tenon: listening on %s\n", url);
}

static int serve_http(const Settings *settings, tn_engine **engine, const DoorOptions *options,
                      DoorEnd *out_end)
{
    HttpOptions http = {.origins = settings->origins.at,
                        .origin_count = settings->origins.count,
                        .ready = tell_ready};
    Kept kept = {0};
    int wrong = read_token(settings, &kept, &http.token);

    if (wrong == 0)
        wrong = listen_http(settings, http.token != NULL, &http.place);
    if (wrong == 0) {
        *out_end = door_http(*engine, options, &http);
        *engine = NULL;
    }
    kept_release(&kept);
    return wrong;
}

static int check_options(const Settings *settings)
{
    if (settings->http == NULL && (settings->token != NULL || settings->origins.count > 0))
        return complain("Add --http 127.0.0.1:8808.", "--%s is of use with --http only",
                        settings->token != NULL ? "token" : "origin");
    return 0;
}

typedef struct Settled {
    const Settings *settings;
    const DoorConfig *config;
    const tn_policy *policy;
} Settled;

/* Servers offer something else than when we began. */
static tn_engine *renew(const void *context)
{
    const Settled *settled = context;
    tn_engine *engine = NULL;

    if (prepare_closed(settled->settings, settled->policy, &engine) == 0 &&
        (settled->config == NULL || door_config_add(settled->config, engine) == TN_OK) &&
        prepare_open(engine, NULL) == 0)
        return engine;
    tn_engine_free(engine);
    return NULL;
}

int mcp_command(const Settings *settings)
{
    Settled settled = {.settings = settings};
    DoorOptions options = {.limits = settings->limits,
                           .open = prepare_open,
                           .tokens = settings->tokens,
                           .renew = renew,
                           .context = &settled,

                           .complain = tell_program};
    tn_policy *policy = NULL;
    tn_engine *engine = NULL;
    DoorEnd end = DOOR_ENDED;
    int wrong = check_options(settings);

    if (wrong == 0)
        wrong = read_config(settings, &options.config);
    settled.config = options.config;
    if (wrong == 0)
        wrong = policy_read(settings, &policy);
    options.policy = settled.policy = policy;
    options.journal_level = journal_level(settings);
    if (wrong == 0)
        wrong = journal_open(settings, &options.journal);
    if (wrong == 0)
        wrong = prepare_closed(settings, policy, &engine);
    if (wrong == 0)
        wrong = add_config(options.config, engine, policy);
    if (wrong == 0 && settings->http != NULL) {
        wrong = serve_http(settings, &engine, &options, &end);
    } else if (wrong == 0) {
        explain_terminal();
        end = door_stdio(engine, &options);
        engine = NULL;
    }
    if (end == DOOR_OPENING)
        _exit(EXIT_OK); /* its servers end with us */
    if (end == DOOR_BROKEN)
        wrong = EXIT_FAILED;
    if (end == DOOR_NO_LIBRARY)
        wrong = complain("Install the package libmicrohttpd12.",
                         "--http needs the library libmicrohttpd, which is not here");
    door_config_free(options.config);
    tn_engine_free(engine);
    tn_policy_free(policy);
    journal_close(options.journal);
    return wrong;
}
