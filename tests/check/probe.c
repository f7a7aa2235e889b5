/* The check as a command for tests: programs in, one line out for each finding.
 *
 *   probe COMPILER [option | FILE]...
 *
 * Options hold for the files after them:
 *   --declare FILE   a declaration file (more add up); --clear forgets all options
 *   --expect TYPE    of the program's value
 *   --export NAME[:TYPE]
 *   --input NAME=JSON
 *   --input-type NAME=TYPE
 *   --value          print the shape of the program's value
 *   --module         do not parse: the compiler alone, on the text as it is
 *   --language       without the globals of a realm
 *   --check-declarations
 *
 * A line is: file, code, line, column, end line, end column, message, and then what there is of:
 * `in=FILE`, `mean=NAME`, `edit=TEXT`, `declared=LINE`; between tabs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "syntax.h"

enum { LIST_MAX = 64 };

static Checker *checker;
static CheckRequest request;
static Declaration declarations[LIST_MAX];
static ExportDemand exports[LIST_MAX];
static InputGiven inputs[LIST_MAX];
static bool parsed = true;

static char *read_file(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0;

    if (!file) {
        fprintf(stderr, "probe: cannot open %s\n", path);
        exit(2);
    }
    for (size_t got = 1; got > 0; length += got) {
        text = realloc(text, length + 65536);
        if (!text)
            abort();
        got = fread(text + length, 1, 65535, file);
        text[length + got] = '\0';
    }
    fclose(file);
    *out_length = length;
    return text;
}

static void print_shape(const Shape *shape, const char *name)
{
    static const char *const kinds[] = {
        "any",     "unknown", "never",  "void",     "undefined", "null",  "boolean", "number",
        "string",  "bigint",  "symbol", "literal",  "array",     "tuple", "object",  "union",
        "promise", "map",     "set",    "instance", "function",  "again"};

    if (name)
        printf("%s", name);
    printf("%s%s%s", shape->optional ? "?" : "", shape->rest ? "..." : "",
           name || shape->optional || shape->rest ? ":" : "");
    printf("%s", kinds[shape->kind]);
    if (shape->text)
        printf(" %s", shape->text);
    if (!shape->first)
        return;
    printf("(");
    for (const Shape *child = shape->first; child; child = child->next) {
        print_shape(child, child->name);
        printf("%s", child->next ? ", " : "");
    }
    printf(")");
}

static void print_place(const Source *source, Span span)
{
    Position start = source_position(source, span.start);
    Position end = source_position(source, span.end);

    printf("%u\t%u\t%u\t%u", start.line, start.column, end.line, end.column);
}

static void print_finding(const char *path, const Source *source, const CheckFinding *finding)
{
    printf("%s\t%s\t", path, finding->code);
    if (finding->file)
        printf("%u\t%u\t%u\t%u", finding->start.line, finding->start.column, finding->end.line,
               finding->end.column);
    else
        print_place(source, finding->span);
    printf("\t%s", finding->message);
    if (finding->file)
        printf("\tin=%s", finding->file);
    if (finding->did_you_mean)
        printf("\tmean=%s", finding->did_you_mean);
    if (finding->edit_text)
        printf("\tedit=%s", finding->edit_text);
    if (finding->declaration)
        printf("\tdeclared=%s", finding->declaration);
    printf("\n");
}

/* Parse it; what is wrong with its grammar is printed. False if there is something. */
static bool parse(Arena *arena, const char *path, const Source *source)
{
    size_t length = strlen(path);
    ParseOptions options = {.async_body = true};
    Findings findings;
    SourceFile *file = NULL;

    options.declaration_file = length > 5 && strcmp(path + length - 5, ".d.ts") == 0;
    findings_init(&findings, arena);
    if (parse_module(arena, source, &options, &findings, &file) != TN_OK)
        abort();
    if (findings.count == 0)
        check_grammar(arena, source, &options, file, &findings);
    for (const Finding *at = findings.first; at; at = at->next) {
        printf("%s\t%s\t", path, at->code);
        print_place(source, at->span);
        printf("\t%s\n", at->message);
    }
    request.file = file;
    return findings.errors == 0;
}

static void check_file(const char *path)
{
    size_t length;
    char *text = read_file(path, &length);
    CheckResult result = {0};
    Source *source;
    Arena arena;

    arena_init(&arena, memory_default(), (size_t)256 << 20);
    if (source_load(&arena, path, text, length, &source) != TN_OK)
        abort();
    request.source = source;
    request.file = NULL;
    if (!parsed || parse(&arena, path, source)) {
        tn_status status = checker_check(checker, &arena, &request, &result);
        for (const CheckFinding *at = result.first; at; at = at->next)
            print_finding(path, source, at);
        if (status != TN_OK)
            printf("%s\tstatus %d limit %d\n", path, (int)status, (int)result.limit);
        if (result.value) {
            printf("%s\tvalue\t", path);
            print_shape(result.value, NULL);
            printf("\n");
        }
    }
    fflush(stdout);
    arena_release(&arena);
    free(text);
}

static void clear(void)
{
    for (size_t i = 0; i < request.declaration_count; i++)
        free((char *)(uintptr_t)declarations[i].text);
    request = (CheckRequest){.declarations = declarations, .exports = exports, .inputs = inputs};
    parsed = true;
}

static void take_pair(char *argument, char between, const char **out_name, const char **out_rest)
{
    char *sign = strchr(argument, between);

    *out_name = argument;
    *out_rest = sign ? sign + 1 : NULL;
    if (sign)
        *sign = '\0';
}

/* An option with a value. False if it is none. */
static bool take_option(const char *option, char *value)
{
    if (strcmp(option, "--declare") == 0 && request.declaration_count < LIST_MAX) {
        Declaration *declaration = &declarations[request.declaration_count++];
        declaration->name = value;
        declaration->text = read_file(value, &declaration->length);
    } else if (strcmp(option, "--expect") == 0) {
        request.expect = value;
    } else if (strcmp(option, "--export") == 0 && request.export_count < LIST_MAX) {
        ExportDemand *demand = &exports[request.export_count++];
        take_pair(value, ':', &demand->name, &demand->type);
    } else if (strcmp(option, "--input") == 0 && request.input_count < LIST_MAX) {
        InputGiven *input = &inputs[request.input_count++];
        *input = (InputGiven){0};
        take_pair(value, '=', &input->name, &input->json);
        input->json_length = input->json ? strlen(input->json) : 0;
    } else if (strcmp(option, "--input-type") == 0 && request.input_count < LIST_MAX) {
        /* of the input before it, if it is called so */
        InputGiven input = {0}, *before = &inputs[request.input_count];
        take_pair(value, '=', &input.name, &input.type);
        if (request.input_count > 0 && strcmp(before[-1].name, input.name) == 0)
            before[-1].type = input.type;
        else
            inputs[request.input_count++] = input;
    } else {
        return false;
    }
    return true;
}

int main(int count, char **arguments)
{
    CheckerOptions options = {.compiler = count > 1 ? arguments[1] : ""};

    if (checker_new(memory_default(), &options, &checker) != TN_OK)
        return 2;
    clear();
    for (int i = 2; i < count; i++) {
        const char *argument = arguments[i];
        if (i + 1 < count && take_option(argument, arguments[i + 1]))
            i++;
        else if (strcmp(argument, "--value") == 0)
            request.want_value = true;
        else if (strcmp(argument, "--module") == 0)
            parsed = false;
        else if (strcmp(argument, "--language") == 0)
            request.language_only = true;
        else if (strcmp(argument, "--check-declarations") == 0)
            request.check_declarations = true;
        else if (strcmp(argument, "--clear") == 0)
            clear();
        else
            check_file(argument);
    }
    clear();
    checker_free(checker);
    return 0;
}
