#include "types.h"

#include "complain.h"
#include "prepare.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

static bool is_text(tn_value value, const char *wanted)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text != NULL && length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

static size_t put_member(Printer *out, tn_value object, const char *name)
{
    size_t length = 0;
    const char *text = tn_value_text(tn_value_member(object, name), &length);

    if (text != NULL)
        printer_write(out, text, length);
    return length;
}

static void put_number(Printer *out, int64_t number, const char *unit)
{
    char text[60];

    snprintf(text, sizeof text, "%lld %s%s", (long long)number, unit, number == 1 ? "" : "s");
    printer_put(out, text);
}

static void put_age(Printer *out, int64_t ms)
{
    if (ms < 60 * 1000)
        printer_put(out, "less than a minute");
    else if (ms < 60 * 60 * 1000)
        put_number(out, ms / 60000, "minute");
    else if (ms < 48 * 60 * 60 * 1000)
        put_number(out, ms / 3600000, "hour");
    else
        put_number(out, ms / 86400000, "day");
}

/* "hub: server fake, version 1, protocol 2025-06-18 (handshake); its list is of 3 minutes ago" */
static void put_head(Printer *out, tn_value package)
{
    tn_value server = tn_value_member(package, "server");
    tn_value catalogue = tn_value_member(package, "catalogue");
    int64_t age = 0;

    put_member(out, package, "package");
    if (tn_value_type(server) == TN_TYPE_NONE) {
        printer_put(out, ": nothing is known of it\n");
        return;
    }
    printer_put(out, ": server ");
    if (put_member(out, server, "name") == 0)
        printer_put(out, "without a name");
    printer_put(out, ", version ");
    if (put_member(out, server, "version") == 0)
        printer_put(out, "not said");
    printer_put(out, ", protocol ");
    put_member(out, server, "protocol");
    printer_put(out, " (");
    put_member(out, server, "era");
    printer_put(out, "); ");
    if (tn_value_bool(tn_value_member(catalogue, "kept"))) {
        printer_put(out, "its list is kept, from ");
        (void)tn_value_int(tn_value_member(catalogue, "ageMs"), &age);
        put_age(out, age);
        printer_put(out, " ago\n");
    } else {
        printer_put(out, "asked just now\n");
    }
}

/* The last line of an answer says that it is complete. */
static int put_declarations(Printer *out, tn_engine *engine, const char *name)
{
    enum { TOKENS = 250000 };
    char *text;
    size_t length;
    tn_status status = tn_engine_describe(engine, name, TOKENS, NULL, &text, &length);

    if (status != TN_OK)
        return library_failed(status, "describe a package");
    while (length > 0 && text[length - 1] == '\n')
        length--;
    while (length > 0 && text[length - 1] != '\n')
        length--;
    printer_write(out, text, length);
    tn_text_free(text);
    return 0;
}

/* "  hub.list   checked  learned from 3 results" */
static void put_function(Printer *out, tn_value function, int width)
{
    tn_value result = tn_value_member(function, "result");
    int64_t results = 0;

    printer_put(out, "  ");
    for (int at = (int)put_member(out, function, "name"); at < width + 2; at++)
        printer_put(out, " ");
    put_member(out, function, "argument");
    printer_put(out, is_text(tn_value_member(function, "argument"), "any") ? "       " : "   ");
    put_member(out, function, "result");
    if (is_text(result, "learned")) {
        (void)tn_value_int(tn_value_member(function, "results"), &results);
        printer_put(out, " from ");
        put_number(out, results, "result");
    }
    printer_put(out, "\n");
}

static void put_functions(Printer *out, tn_value functions)
{
    size_t width = 0, length;
    char head[200];

    for (tn_cursor cursor = {0}; tn_value_next(functions, &cursor);) {
        (void)tn_value_text(tn_value_member(cursor.value, "name"), &length);
        width = length > width && length < 100 ? length : width;
    }
    snprintf(head, sizeof head, "%-*s  argument  result\n", (int)width + 2, "At the call");
    printer_put(out, head);
    for (tn_cursor cursor = {0}; tn_value_next(functions, &cursor);)
        put_function(out, cursor.value, (int)width);
    printer_put(out,
                "checked: held against its schema; any, learned: nothing is promised, and it is "
                "any to the check\n");
}

static int put_package(Printer *out, tn_engine *engine, tn_value package)
{
    tn_value functions = tn_value_member(package, "functions");
    tn_value problems = tn_value_member(package, "problems");
    size_t length;
    const char *text = tn_value_text(tn_value_member(package, "package"), &length);
    char *name = text != NULL ? strndup(text, length) : NULL;
    int wrong = 0;

    if (name == NULL)
        return library_failed(TN_ERR_NOMEM, "describe a package");
    put_head(out, package);
    if (tn_value_count(functions) > 0) {
        wrong = put_declarations(out, engine, name);
        put_functions(out, functions);
    }
    if (tn_value_count(problems) > 0)
        printer_put(out, "Problems:\n");
    for (tn_cursor cursor = {0}; tn_value_next(problems, &cursor);) {
        printer_put(out, "  ");
        text = tn_value_text(cursor.value, &length);
        printer_line(out, text, length);
    }
    free(name);
    return wrong;
}

static int put_all(Printer *out, tn_engine *engine, const Settings *settings, const char *json,
                   size_t length)
{
    tn_writer *writer = NULL;
    tn_cursor cursor = {0};
    tn_status status = tn_writer_new(&writer);
    int wrong = 0;

    if (status == TN_OK)
        status = tn_put_json(writer, json, length);
    if (status != TN_OK) {
        tn_writer_free(writer);
        return library_failed(status, "describe a package");
    }
    if (settings->json)
        printer_line(out, json, length);
    while (!settings->json && wrong == 0 && tn_value_next(tn_writer_value(writer), &cursor))
        wrong = put_package(out, engine, cursor.value);
    tn_writer_free(writer);
    return wrong;
}

/* One that is of no server: all that is known is what was declared. */
static int put_declared(Printer *out, tn_engine *engine, const Settings *settings, const char *name)
{
    if (settings->json)
        return complain("`tenon describe` tells what was declared.",
                        "\"%s\" is no package of a server", name);
    return put_declarations(out, engine, name);
}

static int tell(Printer *out, tn_engine *engine, const Settings *settings, const char *name)
{
    char *json;
    size_t length;
    tn_status status = tn_engine_types(engine, name, &json, &length);
    int wrong;

    if (status == TN_ERR_NOT_FOUND)
        return put_declared(out, engine, settings, name);
    if (status != TN_OK)
        return library_failed(status, "describe a package");
    wrong = put_all(out, engine, settings, json, length);
    tn_text_free(json);
    return wrong;
}

int types_command(const Settings *settings)
{
    Printer out = printer_for(stdout, COLOR_NEVER);
    const char *name = settings->operand_count > 0 ? settings->operands[0] : NULL;
    tn_engine *engine = NULL;
    int wrong = 0;

    if (settings->operand_count > 1)
        return complain("Usage: tenon types [PACKAGE]", "types tells of one package, or of all");
    wrong = prepare_closed(settings, NULL, &engine);
    tn_status status = wrong == 0 ? tn_engine_open(engine) : TN_OK;
    if (status != TN_OK)
        wrong = library_failed(status, "make an engine");
    if (wrong == 0)
        wrong = tell(&out, engine, settings, name);
    tn_engine_free(engine);
    printer_finish(&out);
    return wrong;
}
