/* `tenon completion SHELL` prints one of the files in completion/, embedded by completion.S. */
#include "completion.h"

#include "complain.h"
#include "print.h"

#include <string.h>

extern const char completion_bash[], completion_bash_end[];
extern const char completion_zsh[], completion_zsh_end[];
extern const char completion_fish[], completion_fish_end[];

typedef struct Script {
    const char *shell;
    const char *start, *end;
} Script;

int completion_command(const Settings *settings)
{
    const Script scripts[] = {
        {"bash", completion_bash, completion_bash_end},
        {"zsh", completion_zsh, completion_zsh_end},
        {"fish", completion_fish, completion_fish_end},
    };
    Printer out = printer_for(stdout, COLOR_NEVER);

    if (settings->operand_count != 1)
        return complain("tenon completion bash, zsh or fish.", "name one shell");
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        if (strcmp(scripts[i].shell, settings->operands[0]) != 0)
            continue;
        printer_write(&out, scripts[i].start, (size_t)(scripts[i].end - scripts[i].start));
        int failure = printer_finish(&out);
        if (failure != 0)
            return complain("Make room and run it again.", "cannot write to standard output: %s",
                            strerror(failure));
        return EXIT_OK;
    }
    return complain("There are bash, zsh and fish.", "no completion for the shell \"%s\"",
                    settings->operands[0]);
}
