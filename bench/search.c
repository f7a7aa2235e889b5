/* Discovery: an engine with a thousand declared functions, asked in plain words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon.h>

#include "server.h"

enum { PACKAGES = 10, VERBS = 10, NOUNS = 10, TEXT_BYTES = 1 << 20 };

static const char *const packages[PACKAGES] = {"github", "gitlab", "jira",     "slack", "notion",
                                               "linear", "drive",  "calendar", "mail",  "crm"};
static const char *const verbs[VERBS] = {"list",   "get",    "create", "update", "delete",
                                         "search", "assign", "merge",  "upload", "archive"};
static const char *const nouns[NOUNS] = {"Issue",   "Repository", "PullRequest", "Comment", "Label",
                                         "Project", "Message",    "User",        "Webhook", "File"};

static void must(tn_status status, const char *what)
{
    if (status != TN_OK)
        give_up(what, tn_status_text(status));
}

static char *declare_all(size_t *out_length)
{
    char *text = malloc(TEXT_BYTES);
    FILE *out = text ? fmemopen(text, TEXT_BYTES, "w") : NULL;

    if (!out)
        give_up("memory", "none");
    for (size_t i = 0; i < PACKAGES * VERBS * NOUNS; i++) {
        const char *package = packages[i / 100], *verb = verbs[i / 10 % 10], *noun = nouns[i % 10];
        if (i % 100 == 0)
            fprintf(out, "declare namespace %s {\n", package);
        if (i % 100 < NOUNS)
            fprintf(out, "interface %s { id: number; name: string; url: string }\n", noun);
        fprintf(out,
                "/**\n * The call to %s a %s of the workspace in %s. Needs the right to do so.\n"
                " * @param input which %s, and how\n */\n"
                "function %s%s(input: { owner: string; id: number; page?: number; sort?: "
                "\"created\" | \"updated\" }): Promise<%s[]>;\n",
                verb, noun, package, noun, verb, noun, noun);
        if (i % 100 == 99)
            fprintf(out, "}\n");
    }
    *out_length = (size_t)ftell(out);
    fclose(out);
    return text;
}

static tn_engine *make_engine(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;
    size_t length;
    char *text = declare_all(&length);

    options.checker = TN_CHECKER_NONE;
    must(tn_engine_new(&options, &engine), "tn_engine_new");
    must(tn_engine_add_declarations(engine, "all.d.ts", text, length), "declarations");
    must(tn_engine_open(engine), "tn_engine_open");
    free(text);
    return engine;
}

static void ask(tn_engine *engine, const char *query)
{
    char *text = NULL;
    size_t length;

    must(tn_engine_search(engine, query, 2000, NULL, &text, &length), "tn_engine_search");
    tn_text_free(text);
}

/* The declarations are read by the first one, which is not counted. */
static void run_search(unsigned long count, const char *query)
{
    static tn_engine *engine;
    Elapsed elapsed = {0, 0};

    if (!engine) {
        engine = make_engine();
        ask(engine, query);
    }
    elapsed_begin(&elapsed);
    for (unsigned long i = 0; i < count; i++)
        ask(engine, query);
    elapsed_end(&elapsed);
    answer_elapsed(&elapsed);
}

/* The first one alone, of an engine that is open. */
static void run_first(unsigned long count, const char *query)
{
    Elapsed elapsed = {0, 0};

    for (unsigned long i = 0; i < count; i++) {
        tn_engine *engine = make_engine();
        elapsed_begin(&elapsed);
        ask(engine, query);
        elapsed_end(&elapsed);
        tn_engine_free(engine);
    }
    answer_elapsed(&elapsed);
}

int main(void)
{
    static const Case cases[] = {{"search", run_search}, {"first", run_first}};

    serve(cases, sizeof cases / sizeof *cases);
}
