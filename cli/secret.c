#include "secret.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

enum { SECRET_MOST = 64 * 1024 };

const char *path_from(Kept *kept, const char *folder, const char *path)
{
    const char *home = getenv("HOME");

    if (strncmp(path, "~/", 2) == 0 && home != NULL)
        return kept_format(kept, "%s/%s", home, path + 2);
    if (path[0] == '/' || folder == NULL)
        return kept_text(kept, path, strlen(path));
    return kept_format(kept, "%s/%s", folder, path);
}

/* All of the stream, without the line break at its end; NULL with a reason. */
static const char *read_stream(Kept *kept, FILE *stream, const char **out_why)
{
    char *text = kept_new(kept, SECRET_MOST + 1, 1);
    size_t length = text != NULL ? fread(text, 1, SECRET_MOST + 1, stream) : 0;

    if (text == NULL || length > SECRET_MOST) {
        *out_why = text == NULL ? "there is no memory left" : "it is longer than 64K";
        return NULL;
    }
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    text[length] = '\0';
    if (ferror(stream) || strlen(text) != length) {
        *out_why = ferror(stream) ? "it cannot be read" : "it is no text";
        return NULL;
    }
    return text;
}

static const char *read_file(Kept *kept, const char *path, const char **out_why)
{
    FILE *stream = path != NULL ? fopen(path, "re") : NULL;
    const char *text = NULL, *why = "it cannot be read";

    if (stream != NULL) {
        text = read_stream(kept, stream, &why);
        fclose(stream);
    } else if (path != NULL) {
        why = strerror(errno);
    }
    if (text == NULL)
        *out_why = kept_format(kept, "the file %s: %s", path != NULL ? path : "", why);
    return text;
}

static const char *read_command(Kept *kept, const char *line, const char **out_why)
{
    FILE *stream = popen(line, "re");
    const char *why = "it cannot be started";
    const char *text = stream != NULL ? read_stream(kept, stream, &why) : NULL;
    int status = stream != NULL ? pclose(stream) : 0;

    if (text != NULL && status == 0)
        return text;
    if (text != NULL)
        why = WIFEXITED(status) ? kept_format(kept, "it ended with %d", WEXITSTATUS(status))
                                : "it was ended by a signal";
    *out_why = kept_format(kept, "the command \"%s\": %s", line, why != NULL ? why : "");
    return NULL;
}

bool secret_is_reference(const char *text)
{
    return strncmp(text, "env:", 4) == 0 || strncmp(text, "file:", 5) == 0 ||
           strncmp(text, "command:", 8) == 0;
}

const char *secret_read(Kept *kept, const char *reference, const char *folder, const char **out_why)
{
    const char *found = NULL;

    *out_why = NULL;
    if (strncmp(reference, "env:", 4) == 0) {
        found = getenv(reference + 4);
        if (found == NULL)
            *out_why = kept_format(kept, "the variable %s is not set", reference + 4);
    } else if (strncmp(reference, "file:", 5) == 0) {
        found = read_file(kept, path_from(kept, folder, reference + 5), out_why);
    } else if (strncmp(reference, "command:", 8) == 0) {
        found = read_command(kept, reference + 8, out_why);
    } else {
        *out_why = "a secret is env:NAME, file:PATH or command:LINE";
    }
    if (found == NULL && *out_why == NULL)
        *out_why = "there is no memory left";
    return found;
}

/* ---- what looks like one ---- */

bool secret_named(const char *name, size_t length)
{
    static const char *const words[] = {"key", "token", "secret", "passw", "auth", "credential"};

    for (size_t i = 0; i < length; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            size_t size = strlen(words[k]);
            if (i + size <= length && strncasecmp(name + i, words[k], size) == 0)
                return true;
        }
    }
    return false;
}

bool secret_likely(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("-_.+=", text[i]) == NULL)
            return false;
    }
    return length >= 8;
}
