#include "lsp.h"

#include "complain.h"
#include "prepare.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void put_text(tn_writer *json, const char *name, const char *text)
{
    tn_put_key(json, name);
    tn_put_string(json, text);
}

/* Lines and columns from 0, columns in UTF-16 units as ours are. */
static void put_place(tn_writer *json, const char *name, unsigned line, unsigned column)
{
    tn_put_key(json, name);
    tn_put_object_begin(json);
    tn_put_key(json, "line");
    tn_put_int(json, line > 0 ? line - 1 : 0);
    tn_put_key(json, "character");
    tn_put_int(json, column > 0 ? column - 1 : 0);
    tn_put_object_end(json);
}

/* What has no place in the file (a type of the command line) stands at its beginning. */
static void put_range(tn_writer *json, const tn_finding *finding, bool placed)
{
    tn_put_key(json, "range");
    tn_put_object_begin(json);
    put_place(json, "start", placed ? finding->line : 1, placed ? finding->column : 1);
    put_place(json, "end", placed ? finding->end_line : 1, placed ? finding->end_column : 1);
    tn_put_object_end(json);
}

/* What a code action needs; other editors pass it by. */
static void put_data(tn_writer *json, const tn_finding *finding, bool placed)
{
    if (!finding->did_you_mean && !finding->declaration && !finding->edit)
        return;
    tn_put_key(json, "data");
    tn_put_object_begin(json);
    if (finding->did_you_mean)
        put_text(json, "didYouMean", finding->did_you_mean);
    if (finding->declaration)
        put_text(json, "declaration", finding->declaration);
    if (finding->edit && placed) {
        tn_put_key(json, "edit");
        tn_put_object_begin(json);
        put_range(json, finding, placed);
        put_text(json, "newText", finding->edit);
        tn_put_object_end(json);
    }
    tn_put_object_end(json);
}

static void put_diagnostic(tn_writer *json, const tn_finding *finding, bool placed)
{
    static const int severities[] = {
        [TN_SEVERITY_ERROR] = 1, [TN_SEVERITY_WARNING] = 2, [TN_SEVERITY_INFO] = 3};

    tn_put_object_begin(json);
    put_range(json, finding, placed);
    tn_put_key(json, "severity");
    tn_put_int(json, severities[finding->severity]);
    put_text(json, "code", finding->code);
    put_text(json, "source", "tenon");
    put_text(json, "message", finding->message);
    put_data(json, finding, placed);
    tn_put_object_end(json);
}

/* file:///home/ann/a%20b.ts */
static void put_uri(tn_writer *json, const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char *whole = path != NULL && strcmp(path, "-") != 0 ? realpath(path, NULL) : NULL;
    char uri[3 * PATH_MAX + 8] = "untitled:program.ts", *at = uri;

    if (whole != NULL && strlen(whole) < PATH_MAX) {
        at = stpcpy(uri, "file://");
        for (const char *c = whole; *c != '\0'; c++) {
            if (strchr(plain, *c) != NULL)
                *at++ = *c;
            else
                at += sprintf(at, "%%%02X", (unsigned char)*c);
        }
        *at = '\0';
    }
    free(whole);
    put_text(json, "uri", uri);
}

static bool is_declaration_file(const tn_finding *finding)
{
    return finding->file != NULL && strncmp(finding->file, "the ", 4) != 0;
}

static bool belongs(const tn_finding *finding, const char *file)
{
    if (file == NULL)
        return !is_declaration_file(finding);
    return finding->file != NULL && strcmp(finding->file, file) == 0;
}

int lsp_put(Printer *out, const tn_program *program, const char *file, const char *path)
{
    tn_writer *json = NULL;
    tn_status status = tn_writer_new(&json);

    if (status != TN_OK)
        return library_failed(status, "print what was found");
    tn_put_object_begin(json);
    put_uri(json, path);
    tn_put_key(json, "diagnostics");
    tn_put_array_begin(json);
    for (size_t i = 0; i < tn_program_finding_count(program); i++) {
        const tn_finding *finding = tn_program_finding(program, i);
        if (belongs(finding, file))
            put_diagnostic(json, finding, file != NULL || finding->file == NULL);
    }
    tn_put_array_end(json);
    tn_put_object_end(json);
    status = printer_json(out, json);
    tn_writer_free(json);
    return status == TN_OK ? 0 : library_failed(status, "print what was found");
}
