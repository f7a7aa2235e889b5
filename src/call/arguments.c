/* The arguments of a call against what the function takes. How that is known (a declaration, a
 * schema) is the matter of whoever added the function; what is said of it is the same for all. */
#include <stdio.h>
#include <string.h>

#include "tn_call.h"

enum { SCRATCH_BYTES_MOST = 64 << 20, TAKES_SHOWN = 500 };

/* "q.userId" for userId: the value of it is the host's, and nothing of it is told. */
static bool is_of_host(const tn_call *call, const char *path)
{
    const Governed *governed = call->governed;
    const char *member = strpbrk(path, ".[");
    size_t length = member ? strcspn(member + 1, ".[") : 0;

    for (size_t i = 0; member && i < governed->bound_count; i++) {
        const BoundParameter *bound = governed->bound[i];
        if (*member == '[' ||
            (bound->length == length && memcmp(bound->name, member + 1, length) == 0))
            return true;
    }
    return false;
}

/* With parameters that the host adds there is more in the arguments, and in what is taken, than the
 * program is to know. */
static void refuse_bound(tn_call *call, const Misfit *misfit)
{
    const char *got = strncmp(misfit->got, "an object", 9) == 0 ? "not" : misfit->got;
    char message[1000];

    if (is_of_host(call, misfit->path))
        (void)snprintf(message, sizeof message,
                       "%s: what the host adds to its argument does not fit what it takes",
                       call->entry->name);
    else
        (void)snprintf(message, sizeof message, "%s: %s must be %s, and is %s", call->entry->name,
                       misfit->path, misfit->expected, got);
    call_write_error(call, "arguments", message, 0);
}

static void refuse(tn_call *call, const Misfit *misfit)
{
    char message[1600];

    if (misfit->path && call->governed && call->governed->bound_count > 0) {
        refuse_bound(call, misfit);
        return;
    }
    if (misfit->path)
        (void)snprintf(message, sizeof message, "%s: %s must be %s, and is %s; it takes %.*s",
                       call->entry->name, misfit->path, misfit->expected, misfit->got, TAKES_SHOWN,
                       misfit->takes);
    else
        (void)snprintf(message, sizeof message,
                       "%s: its arguments cannot be held against its type: %s", call->entry->name,
                       misfit->reason ? misfit->reason : "there is no memory for it");
    call_write_error(call, "arguments", message, 0);
}

bool call_fits(tn_call *call)
{
    const ArgumentCheck *check = &call->entry->check;
    Misfit misfit = {0};
    Arena scratch;
    bool fits;

    if (!check->fits)
        return true;
    arena_init(&scratch, &call->wake->allocator, SCRATCH_BYTES_MOST);
    fits = check->fits(check->context, call->arguments, &call->argument_count, &scratch, &misfit);
    if (!fits)
        refuse(call, &misfit);
    arena_release(&scratch);
    return fits;
}
