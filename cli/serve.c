#include "serve.h"

#include "complain.h"
#include "door.h"
#include "policy.h"
#include "prepare.h"

#include <unistd.h>

/* A person who types `tenon mcp` would otherwise see nothing at all. */
static void explain_terminal(void)
{
    if (isatty(STDIN_FILENO))
        complain("Name `tenon mcp` as the command of a server in an agent's configuration.",
                 "this speaks the Model Context Protocol to an agent, one JSON message a line");
}

int mcp_command(const Settings *settings)
{
    DoorOptions options = {
        .limits = settings->limits, .open = prepare_open, .tokens = settings->tokens};
    tn_policy *policy = NULL;
    tn_engine *engine = NULL;
    int wrong = policy_read(settings, &policy);

    options.policy = policy;
    if (wrong == 0)
        wrong = prepare_closed(settings, &engine);
    if (wrong == 0) {
        explain_terminal();
        DoorEnd end = door_stdio(engine, &options);
        if (end == DOOR_OPENING)
            _exit(EXIT_OK); /* its servers end with us */
        if (end == DOOR_BROKEN)
            wrong = EXIT_FAILED;
    }
    tn_engine_free(engine);
    tn_policy_free(policy);
    return wrong;
}
