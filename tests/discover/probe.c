/* Discovery as a command for tests: questions on standard input, answers on standard output.
 *
 *   probe FILE... < questions
 *
 * A line of the input is one of
 *   register NAME        a host function "package.name"; before the first question
 *   register-sync NAME
 *   search TOKENS WORDS  |  describe TOKENS NAMES
 * An answer ends as all do: in a line COMPLETE or PARTIAL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discover.h"
#include "memory.h"

enum { FILES_MAX = 16 };

static DeclaredText read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    DeclaredText read = {.name = path};
    size_t size = 1 << 22;
    char *text = calloc(size, 1);

    if (!file || !text)
        exit(2);
    read.length = fread(text, 1, size - 1, file);
    read.text = text;
    fclose(file);
    return read;
}

static tn_status answer(Inventory *inventory, const char *line, Buf *out)
{
    char *rest = NULL;
    const char *space = strchr(line, ' ');
    size_t tokens = space ? strtoul(space, &rest, 10) : 0;

    if (!rest)
        return TN_ERR_ARGUMENT;
    rest += *rest == ' ';
    if (strncmp(line, "search ", 7) == 0)
        return inventory_search(inventory, rest, tokens * 4, out);
    return inventory_describe(inventory, rest, tokens * 4, out);
}

int main(int argc, char **argv)
{
    DeclaredText texts[FILES_MAX];
    size_t count = 0;
    char line[4096];
    Registry registry;
    Inventory *inventory = NULL;
    tn_status status = TN_OK;

    for (int i = 1; i < argc && count < FILES_MAX; i++)
        texts[count++] = read_file(argv[i]);
    registry_init(&registry, memory_default());
    while (status == TN_OK && fgets(line, sizeof line, stdin)) {
        Buf out;
        line[strcspn(line, "\n")] = '\0';
        const char *name = strchr(line, ' ');
        if (strncmp(line, "register", 8) == 0 && name) {
            unsigned flags = line[8] == '-' ? TN_FUNCTION_SYNC : 0;
            status = registry_add(&registry, ENTRY_FUNCTION, name + 1, flags, (Provider){0});
            continue;
        }
        if (!inventory)
            status = inventory_new(memory_default(), &registry, NULL, texts, count, &inventory);
        buf_init(&out, memory_default(), SIZE_MAX);
        if (status == TN_OK)
            status = answer(inventory, line, &out);
        (void)fwrite(out.data, 1, out.length, stdout);
        buf_release(&out);
    }
    inventory_free(inventory);
    registry_release(&registry);
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)texts[i].text);
    return status == TN_OK ? 0 : 1;
}
