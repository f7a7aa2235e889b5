#include "alike.h"

#include <stddef.h>
#include <string.h>

/* What functions do and are about, in other people's words. A word is in one group only. */
static const char *const groups[] = {
    " get read fetch load retrieve show view ",
    " list all enumerate browse ",
    " create add new make insert open ",
    " delete remove erase drop destroy ",
    " update edit change modify set patch write save ",
    " search find query lookup ",
    " send post publish submit ",
    " move rename ",
    " copy duplicate clone ",
    " run execute start invoke launch ",
    " stop cancel abort kill end ",
    " folder directory dir ",
    " mail email ",
    " message chat ",
    " image picture photo ",
    " user member person people ",
    " settings config configuration preferences ",
    " doc document page ",
    " task issue ticket todo ",
    " event meeting appointment ",
    " url link site website ",
    " pull pr ",
};

const char *alike_group(const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (const char *at = groups[i]; (at = strstr(at, word)); at++) {
            if (at[-1] == ' ' && at[length] == ' ')
                return groups[i];
        }
    }
    return NULL;
}
