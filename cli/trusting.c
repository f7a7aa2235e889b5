/*
 * What is shown is what the file says, not what becomes of it: variables stay names, and values
 * that may be secret are not shown. What decides which code runs (a command, its arguments,
 * LD_PRELOAD and the like) always is.
 */
#include "trusting.h"

#include "complain.h"
#include "interrupt.h"
#include "jsonc.h"
#include "policy.h"
#include "print.h"
#include "secret.h"
#include "server.h"
#include "trust.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LABEL_COLUMN = 13 };

typedef struct Show {
    Printer out;
    Kept kept;
    size_t count; /* of servers */
} Show;

/* ---- texts of the file ---- */

/* Signs that are there and not seen, or that turn the direction of what follows. */
static bool is_hidden(const char *text)
{
    const unsigned char *b = (const unsigned char *)text;

    return (b[0] == 0xe2 && ((b[1] == 0x80 && ((b[2] >= 0x8b && b[2] <= 0x8f) || b[2] >= 0xa8)) ||
                             (b[1] == 0x81 && b[2] >= 0xa0))) ||
           (b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf) || (b[0] == 0xf3 && b[1] == 0xa0);
}

static void put_plain(Show *show, const char *text, size_t length)
{
    static const char hexadecimal[] = "0123456789abcdef";

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        char escaped[5] = {'\\', 'x', hexadecimal[c >> 4], hexadecimal[c & 15], 0};
        if (c == '\n' || c == '\r' || c == '\t' || is_hidden(text + i))
            printer_put(&show->out, escaped);
        else
            printer_write(&show->out, text + i, 1);
    }
}

/* A word of a command line, in quotes where it has to be. */
static void put_word(Show *show, const char *text, size_t length)
{
    bool plain = length > 0;

    for (size_t i = 0; i < length; i++)
        plain = plain && (isalnum((unsigned char)text[i]) || strchr("-_./:=@,+%${}~", text[i]));
    printer_put(&show->out, plain ? " " : " '");
    put_plain(show, text, length);
    printer_put(&show->out, plain ? "" : "'");
}

/* "--api-key" before it, or "--api-key=" at its head. */
static void put_argument(Show *show, const char *before, const char *text, size_t length)
{
    const char *equals = memchr(text, '=', length);
    size_t head = text[0] == '-' && equals != NULL ? (size_t)(equals + 1 - text) : 0;
    bool named = head > 0
                     ? secret_named(text, head)
                     : before != NULL && before[0] == '-' && secret_named(before, strlen(before));

    if (!named || !secret_likely(text + head, length - head)) {
        put_word(show, text, length);
        return;
    }
    if (head > 0)
        put_word(show, text, head);
    printer_put(&show->out, head > 0 ? "[not shown]" : " [not shown]");
}

/* ---- lines ---- */

static void put_label(Show *show, const char *label)
{
    char line[LABEL_COLUMN + 4];

    (void)snprintf(line, sizeof line, "  %-*s", LABEL_COLUMN - 2, label);
    printer_put(&show->out, line);
}

static void put_command(Show *show, tn_value entry)
{
    size_t length;
    const char *text = tn_value_text(tn_value_member(entry, "command"), &length), *before = NULL;

    put_label(show, "starts");
    put_word(show, text != NULL ? text : "", text != NULL ? length : 0);
    for (tn_cursor cursor = {0}; tn_value_next(tn_value_member(entry, "args"), &cursor);) {
        text = tn_value_text(cursor.value, &length);
        if (text == NULL)
            continue;
        put_argument(show, before, text, length);
        before = kept_text(&show->kept, text, length);
    }
    printer_put(&show->out, "\n");
}

/* Without what stands before an @ in it, and the values of its query. */
static void put_address(Show *show, const char *text, size_t length)
{
    const char *end = text + length;
    const char *scheme = memmem(text, length, "://", 3);
    const char *host = scheme != NULL ? scheme + 3 : text;
    const char *slash = memchr(host, '/', (size_t)(end - host));
    const char *at = memrchr(host, '@', (size_t)((slash != NULL ? slash : end) - host));
    const char *query = memchr(host, '?', (size_t)(end - host));

    put_label(show, "connects to");
    printer_put(&show->out, " ");
    put_plain(show, text, (size_t)(host - text));
    if (at != NULL)
        printer_put(&show->out, "[not shown]");
    host = at != NULL ? at : host;
    put_plain(show, host, (size_t)((query != NULL && query > host ? query : end) - host));
    printer_put(&show->out, query != NULL && query > host ? "?[not shown]\n" : "\n");
}

/* Variables of the environment that decide which code a program runs. */
static bool decides_code(const char *name, size_t length)
{
    static const char *const heads[] = {"LD_",     "NODE_", "PYTHON", "PERL5", "RUBY", "BASH_ENV",
                                        "ENV",     "PATH",  "GIT_",   "JAVA_", "npm_", "NPM_",
                                        "DOTNET_", "SHELL", "UV_",    "PIP_",  "HOME"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t size = strlen(heads[i]);
        if (length >= size && memcmp(name, heads[i], size) == 0 && !secret_named(name, length))
            return true;
    }
    return false;
}

/* The names of an object's members, with the values that must be seen. */
static void put_names(Show *show, const char *label, tn_value object)
{
    bool any = false;

    for (tn_cursor cursor = {0}; tn_value_next(object, &cursor);) {
        size_t length, value_length;
        const char *name = tn_value_text(cursor.key, &length);
        const char *value = tn_value_text(cursor.value, &value_length);
        if (!any)
            put_label(show, label);
        printer_put(&show->out, any ? ", " : " ");
        any = true;
        put_plain(show, name, length);
        if (value != NULL && decides_code(name, length)) {
            printer_put(&show->out, "=");
            put_plain(show, value, value_length);
        }
    }
    printer_put(&show->out, any ? "\n" : "");
}

/* ---- what it refers to ---- */

typedef struct Names {
    const char *at[64];
    size_t count;
} Names;

/* Each ${...} of each text in it, once. */
static void gather(Show *show, tn_value value, Names *names, unsigned depth)
{
    size_t length = 0;
    const char *text = tn_value_text(value, &length), *end = text != NULL ? text + length : NULL;

    while (text != NULL && (text = memmem(text, (size_t)(end - text), "${", 2)) != NULL) {
        const char *close = memchr(text, '}', (size_t)(end - text));
        char *name =
            close != NULL ? kept_text(&show->kept, text + 2, (size_t)(close - text - 2)) : NULL;
        bool known = name == NULL || names->count == sizeof names->at / sizeof *names->at;
        for (size_t i = 0; i < names->count && !known; i++)
            known = strcmp(names->at[i], name) == 0;
        if (!known)
            names->at[names->count++] = name;
        text += 2;
    }
    for (tn_cursor cursor = {0}; depth > 0 && tn_value_next(value, &cursor);)
        gather(show, cursor.value, names, depth - 1);
}

static void put_variables(Show *show, tn_value entry)
{
    Names names = {0};

    gather(show, entry, &names, 4);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = strncmp(names.at[i], "env:", 4) == 0 ? names.at[i] + 4 : names.at[i];
        size_t length = strcspn(name, ":");
        char *alone = kept_text(&show->kept, name, length);
        if (i == 0)
            put_label(show, "reads");
        printer_put(&show->out, i > 0 ? ", " : " ");
        put_plain(show, name,
                  name[length] == ':' && name[length + 1] == '-' ? length : strlen(name));
        if (name[length] == '\0' && alone != NULL && getenv(alone) == NULL && isupper(name[0]))
            printer_put(&show->out, " (not set)");
    }
    printer_put(&show->out, names.count > 0 ? "\n" : "");
}

static void put_text_member(Show *show, const char *label, tn_value entry, const char *member)
{
    size_t length;
    const char *text = tn_value_text(tn_value_member(entry, member), &length);

    if (text == NULL)
        return;
    put_label(show, label);
    put_word(show, text, length);
    printer_put(&show->out, "\n");
}

static void put_server(Show *show, tn_value name, tn_value entry)
{
    size_t length;
    const char *text = tn_value_text(name, &length);
    tn_value address = server_address(entry);

    show->count++;
    printer_put(&show->out, "\n");
    printer_style(&show->out, "1");
    put_plain(show, text, length);
    printer_style(&show->out, "");
    if (tn_value_bool(tn_value_member(entry, "disabled")))
        printer_put(&show->out, " (switched off)");
    if (server_is_tenon(entry))
        printer_put(&show->out, " (left out: it is tenon itself)");
    printer_put(&show->out, "\n");
    if (tn_value_type(tn_value_member(entry, "command")) != TN_TYPE_NONE)
        put_command(show, entry);
    text = tn_value_text(address, &length);
    if (text != NULL)
        put_address(show, text, length);
    put_text_member(show, "in", entry, "cwd");
    put_names(show, "sets", tn_value_member(entry, "env"));
    put_text_member(show, "sets from", entry, "envFile");
    put_names(show, "sends", tn_value_member(entry, "headers"));
    put_variables(show, entry);
}

/* ---- the question ---- */

static bool ask_person(void)
{
    const char *question = "\nTrust it? These may then be started and called from here, with your "
                           "rights, until the file changes. [y/N] ";

    return terminal_confirm(question);
}

static int say(Show *show, const char *before, const char *path, const char *after)
{
    printer_put(&show->out, before);
    put_plain(show, path, strlen(path));
    printer_put(&show->out, after);
    return 0;
}

static int give(Show *show, const Settings *settings, const TrustFile *file)
{
    bool known, yes = settings->yes;
    int wrong;

    if (!yes && trust_of(&show->kept, file) == TRUST_GIVEN)
        return say(show, "\n", file->path, " is trusted already.\n");
    (void)printer_finish(&show->out);
    if (!yes && (isatty(STDOUT_FILENO) != 1 || !terminal_open()))
        return complain("Look at what is shown, then say tenon trust --yes.",
                        "there is no terminal at which somebody could look and be asked");
    yes = yes || ask_person();
    if (!yes) {
        (void)say(show, "", file->path, " is not trusted.\n");
        return EXIT_FAILED;
    }
    wrong = trust_set(&show->kept, file->path, file->digest, &known);
    return wrong != 0 ? wrong : say(show, "", file->path, " is trusted, as it is now.\n");
}

static int show_file(Show *show, const Settings *settings, TrustFile *file)
{
    const char *section;
    Jsonc json;
    int wrong = jsonc_parse(&json, file->path, file->text);
    tn_value servers = servers_object(jsonc_value(&json), &section);

    file->text = (Text){0};
    if (wrong == 0 && tn_value_type(servers) != TN_TYPE_OBJECT)
        wrong = complain("There is nothing in it to trust.",
                         "%s has no object \"mcpServers\" or \"servers\"", file->path);
    if (wrong == 0) {
        (void)say(show, "", file->path, "\n");
        for (tn_cursor cursor = {0}; tn_value_next(servers, &cursor);)
            put_server(show, cursor.key, cursor.value);
        wrong = give(show, settings, file);
    }
    jsonc_release(&json);
    return wrong;
}

/* ---- the list, and taking it back ---- */

static bool put_listed(void *user, const char *path, const char *digest)
{
    Show *show = user;
    TrustFile now = {0};
    bool there = trust_open(&show->kept, path, &now) == NULL;
    bool same = there && strcmp(now.digest, digest) == 0 && strcmp(now.path, path) == 0;

    show->count++;
    free(now.text.bytes);
    return say(show, same ? "trusted  " : there ? "changed  " : "gone     ", path, "\n") == 0;
}

static int list(Show *show)
{
    trust_each(&show->kept, put_listed, show);
    return 0;
}

/* By the name that it has in the list, or by one that leads to the same file. */
static int take_back(Show *show, const char *path)
{
    char *true_path = kept_take(&show->kept, realpath(path, NULL));
    bool known = false;
    int wrong = trust_set(&show->kept, true_path != NULL ? true_path : path, NULL, &known);

    if (wrong != 0)
        return wrong;
    if (!known)
        return complain("tenon trust --list shows those that are.", "%s is not trusted", path);
    return say(show, "", path, " is not trusted any more.\n");
}

static int perform(Show *show, const Settings *settings)
{
    const char *path = settings->operands[0], *why;
    TrustFile file = {0};
    int wrong;

    if (settings->operand_count > 1 || (settings->list && (path != NULL || settings->revoke)))
        return complain(
            "Usage: tenon trust [FILE], tenon trust --revoke [FILE], tenon trust --list",
            "trust takes one file at a time, and --list none");
    if (settings->list)
        return list(show);
    if (path == NULL)
        path = trust_find(&show->kept);
    if (path == NULL)
        return complain("Name the file: tenon trust FILE.",
                        "there is no .mcp.json here, nor above up to the next .git or home folder");
    if (settings->revoke)
        return take_back(show, path);
    why = trust_open(&show->kept, path, &file);
    if (why != NULL)
        return complain("Only a file that you alone can change can be trusted.",
                        "%s cannot be trusted: %s", path, why);
    wrong = show_file(show, settings, &file);
    free(file.text.bytes);
    return wrong;
}

int trust_command(const Settings *settings)
{
    Show show = {.out = printer_for(stdout, COLOR_AUTO)};
    int wrong;

    show.out.terminal = true; /* a stranger's text is shown, not obeyed, wherever it goes */
    wrong = perform(&show, settings);
    (void)printer_finish(&show.out);
    kept_release(&show.kept);
    return wrong;
}
