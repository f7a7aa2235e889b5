#include "trust.h"

#include "complain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRUST_FILE_MOST = 1024 * 1024 };

static const char no_memory[] = "there is no memory left";

/* ---- finding ---- */

static bool exists(Kept *kept, const char *folder, const char *name)
{
    struct stat status;
    const char *path = kept_format(kept, "%s/%s", folder, name);

    return path != NULL && lstat(path, &status) == 0;
}

const char *trust_find(Kept *kept)
{
    return trust_find_named(kept, ".mcp.json");
}

const char *trust_find_named(Kept *kept, const char *name)
{
    char *folder = kept_take(kept, getcwd(NULL, 0));
    const char *home = getenv("HOME");

    while (folder != NULL) {
        char *slash = strrchr(folder, '/');
        if (exists(kept, folder, name))
            return kept_format(kept, "%s/%s", folder, name);
        if (slash == NULL || folder[0] == '\0' || exists(kept, folder, ".git") ||
            (home != NULL && strcmp(folder, home) == 0))
            return NULL;
        *slash = '\0';
    }
    return NULL;
}

/* ---- opening ---- */

/* Where an open file truly lies. */
static const char *path_of(Kept *kept, int descriptor)
{
    char link[40], path[4096];
    ssize_t length;

    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    length = readlink(link, path, sizeof path);
    return length > 0 && (size_t)length < sizeof path ? kept_text(kept, path, (size_t)length)
                                                      : NULL;
}

/* Only its owner, or the machine's, may have written it. */
static const char *refuse_owner(const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return "it is not a plain file";
    if (status->st_uid != geteuid() && status->st_uid != 0)
        return "it belongs to somebody else";
    return (status->st_mode & S_IWOTH) != 0 ? "everybody may write to it" : NULL;
}

static const char *read_open(Kept *kept, int descriptor, TrustFile *out)
{
    struct stat status;
    const char *why = fstat(descriptor, &status) == 0 ? refuse_owner(&status) : strerror(errno);
    int failure;

    if (why != NULL)
        return why;
    out->path = path_of(kept, descriptor);
    if (out->path == NULL || out->path[strcspn(out->path, "\r\n")] != '\0')
        return out->path == NULL ? "its place cannot be told (is /proc there?)"
                                 : "its name has a line break";
    failure = file_read_open(descriptor, TRUST_FILE_MOST, &out->text);
    if (failure != 0)
        return failure == EFBIG ? "it is larger than 1M" : strerror(failure);
    if (!sha256_hex(out->text.bytes, out->text.length, out->digest))
        return "libsodium.so.23, by which it would be known again, cannot be loaded: install it";
    return NULL;
}

const char *trust_open(Kept *kept, const char *path, TrustFile *out)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *why;

    *out = (TrustFile){.path = path};
    if (descriptor < 0)
        return strerror(errno);
    why = read_open(kept, descriptor, out);
    close(descriptor);
    if (why != NULL) {
        free(out->text.bytes);
        out->text = (Text){0};
    }
    return why;
}

/* ---- the list: lines of a digest, a blank, a path ---- */

const char *state_folder(Kept *kept, bool make)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder = NULL;

    if (state != NULL && state[0] == '/')
        folder = kept_format(kept, "%s/tenon", state);
    else if (home != NULL && home[0] == '/')
        folder = kept_format(kept, "%s/.local/state/tenon", home);
    for (char *slash = folder; make && slash != NULL; slash = strchr(slash + 1, '/')) {
        if (slash == folder)
            continue;
        *slash = '\0';
        (void)mkdir(folder, 0700);
        *slash = '/';
    }
    if (make && folder != NULL && mkdir(folder, 0700) != 0 && errno != EEXIST)
        return NULL;
    return folder;
}

/* The whole list, "" if there is none; NULL after a word on why it counts for nothing. */
static char *list_read(Kept *kept)
{
    const char *folder = state_folder(kept, false);
    const char *path = folder != NULL ? kept_format(kept, "%s/trust", folder) : NULL;
    int descriptor = path != NULL ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    const char *why = NULL;
    struct stat status;
    Text text = {0};

    if (descriptor < 0 && (path == NULL || errno == ENOENT || errno == ENOTDIR))
        return kept_text(kept, "", 0);
    if (descriptor < 0)
        why = strerror(errno);
    else if (fstat(descriptor, &status) != 0 || status.st_uid != geteuid() ||
             !S_ISREG(status.st_mode) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        why = "others may write to it";
    else if (file_read_open(descriptor, TRUST_FILE_MOST, &text) != 0)
        why = "it cannot be read";
    if (descriptor >= 0)
        close(descriptor);
    if (why == NULL)
        return kept_take(kept, text.bytes);
    free(text.bytes);
    (void)complain("Nothing is trusted until that is mended, or the file is removed.", "%s: %s",
                   path, why);
    return NULL;
}

void trust_each(Kept *kept, bool (*each)(void *user, const char *path, const char *digest),
                void *user)
{
    char *rest = list_read(kept), *line;

    while (rest != NULL && (line = strsep(&rest, "\n")) != NULL) {
        if (strlen(line) < SHA256_HEX + 2 || line[SHA256_HEX] != ' ')
            continue;
        line[SHA256_HEX] = '\0';
        if (!each(user, line + SHA256_HEX + 1, line))
            return;
    }
}

typedef struct Looked {
    const TrustFile *file;
    Trust trust;
} Looked;

static bool look(void *user, const char *path, const char *digest)
{
    Looked *looked = user;

    if (strcmp(path, looked->file->path) == 0)
        looked->trust = strcmp(digest, looked->file->digest) == 0 ? TRUST_GIVEN : TRUST_CHANGED;
    return looked->trust == TRUST_NONE;
}

Trust trust_of(Kept *kept, const TrustFile *file)
{
    Looked looked = {.file = file};

    trust_each(kept, look, &looked);
    return looked.trust;
}

/* ---- changing it ---- */

typedef struct Rewriting {
    FILE *out;
    const char *path; /* the one whose line is left out */
    bool known;
} Rewriting;

static bool copy_line(void *user, const char *path, const char *digest)
{
    Rewriting *rewriting = user;

    if (strcmp(path, rewriting->path) == 0)
        rewriting->known = true;
    else
        (void)fprintf(rewriting->out, "%s %s\n", digest, path);
    return true;
}

/* A new list beside the old one, then in its place: nobody ever reads half a list. */
static bool rewrite(Kept *kept, const char *folder, Rewriting *rewriting, const char *digest)
{
    const char *list = kept_format(kept, "%s/trust", folder);
    const char *fresh = kept_format(kept, "%s/trust.%d", folder, (int)getpid());
    int descriptor;
    bool good;

    if (list == NULL || fresh == NULL)
        return false;
    (void)unlink(fresh);
    descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    rewriting->out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (rewriting->out == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    trust_each(kept, copy_line, rewriting);
    if (digest != NULL)
        (void)fprintf(rewriting->out, "%s %s\n", digest, rewriting->path);
    good = fflush(rewriting->out) == 0 && !ferror(rewriting->out) && fsync(descriptor) == 0;
    good = fclose(rewriting->out) == 0 && good && rename(fresh, list) == 0;
    if (!good)
        (void)unlink(fresh);
    return good;
}

int trust_set(Kept *kept, const char *path, const char *digest, bool *out_known)
{
    const char *folder = state_folder(kept, true);
    int lock = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    Rewriting rewriting = {.path = path};
    bool good = lock >= 0 && flock(lock, LOCK_EX) == 0;
    int failure;

    good = good && rewrite(kept, folder, &rewriting, digest);
    failure = errno;
    if (lock >= 0)
        close(lock);
    *out_known = rewriting.known;
    if (good)
        return 0;
    return complain(
        "It is kept in $XDG_STATE_HOME/tenon/trust, else in ~/.local/state/tenon/trust.",
        "cannot write down what is trusted: %s", folder != NULL ? strerror(failure) : no_memory);
}
