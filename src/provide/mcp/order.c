/* What a server's process is begun with: its arguments, its whole environment, and the places where
 * its program may be, as a shell would look for it with that environment. */
#include "inside.h"
#include "order.h"

static size_t count_of(const char *const *strings)
{
    size_t count = 0;

    while (strings && strings[count])
        count++;
    return count;
}

static size_t name_length(const char *variable)
{
    const char *equals = strchr(variable, '=');

    return equals ? (size_t)(equals - variable) : strlen(variable);
}

static const char *variable_of(const char *const *environment, const char *name, size_t length)
{
    for (; environment && *environment; environment++) {
        if (name_length(*environment) == length && memcmp(*environment, name, length) == 0 &&
            (*environment)[length] == '=')
            return *environment;
    }
    return NULL;
}

/* The safe ones of the host, but for those that the server is given itself. */
static const char *const *environment_of(const McpServer *server, Arena *arena)
{
    const char *const *safe = server->client->environment;
    size_t own = count_of(server->environment), count = own;
    const char **all = ARENA_ARRAY(arena, const char *, own + count_of(safe) + 1);

    for (size_t i = 0; all && i < own; i++)
        all[i] = server->environment[i];
    for (; all && safe && *safe; safe++) {
        if (!variable_of(server->environment, *safe, name_length(*safe)))
            all[count++] = *safe;
    }
    return all;
}

static const char *const *places_of(const McpServer *server, Arena *arena,
                                    const char *const *environment)
{
    const char *variable = variable_of(environment, "PATH", 4);
    const char *path = variable ? variable + 5 : "/usr/local/bin:/usr/bin:/bin";
    size_t count = 2;

    for (const char *c = path; *c; c++)
        count += *c == ':';
    const char **places = ARENA_ARRAY(arena, const char *, count + 1);
    if (!places || strchr(server->command, '/')) {
        if (places)
            places[0] = server->command;
        return places;
    }
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(path, ":");
        if (length > 0)
            places[i] = arena_printf(arena, "%.*s/%s", (int)length, path, server->command);
        else
            places[i] = arena_printf(arena, "./%s", server->command);
        if (!path[length])
            break;
        path += length + 1;
    }
    return places;
}

bool server_order(const McpServer *server, Arena *arena, ChildOrder *out_order)
{
    size_t count = count_of(server->arguments);
    const char **arguments = ARENA_ARRAY(arena, const char *, count + 2);
    const char *const *environment = environment_of(server, arena);
    const char *const *places = environment ? places_of(server, arena, environment) : NULL;

    if (!arguments || !places || arena->failed)
        return false;
    arguments[0] = server->command;
    for (size_t i = 0; i < count; i++)
        arguments[i + 1] = server->arguments[i];
    *out_order = (ChildOrder){places, arguments, environment, server->folder};
    return true;
}
