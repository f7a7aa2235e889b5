/* Who reads what is printed: a person, a script or a model. */
#include "complain.h"
#include "report.h"

#include <stdlib.h>
#include <unistd.h>

/* Is an agent reading what we print? */
static bool agent_environment(void)
{
    static const char *const signs[] = {"AI_AGENT",     "CLAUDECODE",    "CURSOR_AGENT",
                                        "GEMINI_CLI",   "CODEX_SANDBOX", "OPENCODE_CLIENT",
                                        "AUGMENT_AGENT"};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *value = getenv(signs[i]);
        if (value != NULL && *value != '\0')
            return true;
    }
    return false;
}

int report_style(const Settings *settings, Style *out_style)
{
    const char *asked[] = {settings->json ? "--json" : NULL, settings->lsp ? "--lsp" : NULL,
                           settings->agent ? "--agent" : NULL, settings->quiet ? "--quiet" : NULL};
    const char *first = NULL;

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        if (asked[i] != NULL && first != NULL)
            return complain("Each says what stdout holds: choose one.",
                            "%s and %s exclude each other", first, asked[i]);
        first = asked[i] != NULL ? asked[i] : first;
    }
    if (settings->agent && settings->no_agent)
        return complain("Choose one.", "--agent and --no-agent exclude each other");

    *out_style = settings->json ? STYLE_JSON : settings->quiet ? STYLE_VALUE : STYLE_PERSON;
    if (settings->agent ||
        (first == NULL && !settings->no_agent && isatty(STDOUT_FILENO) != 1 && agent_environment()))
        *out_style = STYLE_MODEL;
    if (settings_given(settings, "tokens") && *out_style != STYLE_MODEL)
        return complain("Add --agent.", "--tokens only has a meaning with --agent");
    return 0;
}
