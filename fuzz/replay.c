/* Runs a fuzz target on the files of a folder: its seeds, and every input that once broke it. */
#include <dirent.h>
#include <string.h>

#include "fuzz.h"

static int replay(const char *folder, const char *name)
{
    char path[4096];
    uint8_t *data = NULL;
    size_t length = 0;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    (void)fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    /* Exactly as many bytes: a sanitizer sees a read past them. */
    data = malloc(size > 0 ? (size_t)size : 1);
    if (data && size > 0)
        length = fread(data, 1, (size_t)size, file);
    (void)fclose(file);
    if (!data)
        return 0;
    (void)fprintf(stderr, "%s\n", name);
    (void)LLVMFuzzerTestOneInput(data, length);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int passed = 0;

    if (argc != 2)
        return 2;
    DIR *folder = opendir(argv[1]);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.')
            passed += replay(argv[1], entry->d_name);
    }
    if (folder)
        (void)closedir(folder);
    /* An input that breaks its target ends this program before here. */
    (void)printf("%d passed, %d failed\n", passed, passed == 0);
    return passed == 0;
}
