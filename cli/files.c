/* Reading the program and its input. */
#include "files.h"

#include "complain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read_open(int descriptor, size_t limit, Text *out_text)
{
    size_t room = 16 * 1024;
    size_t length = 0;
    char *bytes = malloc(room);

    while (bytes != NULL && length <= limit) {
        if (length + 1 >= room) {
            char *larger = realloc(bytes, room *= 2);
            if (larger == NULL)
                break;
            bytes = larger;
        }
        ssize_t got = read(descriptor, bytes + length, room - 1 - length);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            int failure = got < 0 ? errno : 0;
            bytes[length] = '\0';
            *out_text = (Text){bytes, length};
            return failure;
        }
        length += got > 0 ? (size_t)got : 0;
    }
    if (bytes != NULL && length > limit) {
        *out_text = (Text){bytes, length};
        return EFBIG;
    }
    free(bytes);
    return ENOMEM;
}

static void size_text(uint64_t bytes, char *out, size_t room)
{
    if (bytes % (1024 * 1024) == 0)
        snprintf(out, room, "%lluM", (unsigned long long)(bytes / (1024 * 1024)));
    else if (bytes % 1024 == 0)
        snprintf(out, room, "%lluK", (unsigned long long)(bytes / 1024));
    else
        snprintf(out, room, "%llu bytes", (unsigned long long)bytes);
}

static int open_file(const ReadJob *job)
{
    struct stat status;
    int descriptor = open(job->path, O_RDONLY | O_CLOEXEC);

    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        close(descriptor);
        errno = EISDIR;
        return -1;
    }
    return descriptor;
}

int file_read(const ReadJob *job, Text *out_text)
{
    bool is_stdin = strcmp(job->path, "-") == 0;
    const char *shown = is_stdin ? "standard input" : job->path;
    int descriptor = is_stdin ? STDIN_FILENO : open_file(job);
    Text text = {0};
    char limit[32];

    if (descriptor < 0)
        return complain("Name a file that can be read, - for standard input, or give the text "
                        "itself.",
                        "cannot read the %s from %s: %s", job->what, shown, strerror(errno));
    if (is_stdin && isatty(STDIN_FILENO) == 1)
        fprintf(stderr, "tenon: reading the %s from the terminal; end it with Ctrl-D\n", job->what);

    int failure = file_read_open(descriptor, job->limit_bytes, &text);
    if (!is_stdin)
        close(descriptor);
    if (failure == 0) {
        *out_text = text;
        return 0;
    }
    free(text.bytes);
    size_text(job->limit_bytes, limit, sizeof limit);
    if (failure == EFBIG)
        return complain(job->remedy, "the %s from %s is larger than its limit of %s", job->what,
                        shown, limit);
    return complain("Check the file and try again.", "cannot read the %s from %s: %s", job->what,
                    shown, strerror(failure));
}
