/*
 * A form of plain values, one line for each. Every word of it is the server's, and what is typed
 * goes to the server: who asks is said first, and the whole is sent after one more yes.
 */
#include "elicit.h"

#include "policy.h"
#include "print.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_ROOM = 4096, TRIES = 3 };

typedef struct Form {
    Printer out;
    tn_value schema;
    tn_writer *content;
} Form;

static void put(Form *form, tn_value text)
{
    size_t length;
    const char *bytes = tn_value_text(text, &length);

    if (bytes != NULL)
        printer_write(&form->out, bytes, length < LINE_ROOM ? length : LINE_ROOM);
}

static bool is_same(tn_value value, const char *wanted, size_t size)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text != NULL && length == size && memcmp(text, wanted, length) == 0;
}

static bool is_text(tn_value value, const char *wanted)
{
    return is_same(value, wanted, strlen(wanted));
}

/* ---- what may be typed ---- */

/* The values to choose from: an array of texts, or of objects with `const` and `title`. */
static tn_value choices_of(tn_value field)
{
    static const char *const names[] = {"enum", "oneOf", "anyOf"};
    tn_value choices = {0};

    for (size_t i = 0; i < 3 && tn_value_type(choices) != TN_TYPE_ARRAY; i++)
        choices = tn_value_member(field, names[i]);
    return choices;
}

static tn_value choice_value(tn_value choice)
{
    tn_value value = tn_value_member(choice, "const");

    return tn_value_type(value) == TN_TYPE_NONE ? choice : value;
}

static void put_choices(Form *form, tn_value choices)
{
    const char *before = " (";

    for (tn_cursor cursor = {0}; tn_value_next(choices, &cursor); before = ", ") {
        printer_put(&form->out, before);
        put(form, choice_value(cursor.value));
        if (tn_value_type(tn_value_member(cursor.value, "title")) == TN_TYPE_TEXT) {
            printer_put(&form->out, " = ");
            put(form, tn_value_member(cursor.value, "title"));
        }
    }
    printer_put(&form->out, ")");
}

static void put_prompt(Form *form, tn_value key, tn_value field, bool required)
{
    tn_value type = tn_value_member(field, "type");
    tn_value choices = choices_of(is_text(type, "array") ? tn_value_member(field, "items") : field);
    tn_value usual = tn_value_member(field, "default"),
             about = tn_value_member(field, "description");
    char *json;
    size_t length;

    printer_put(&form->out, "  ");
    put(form, key);
    if (tn_value_type(about) == TN_TYPE_TEXT) {
        printer_put(&form->out, ": ");
        put(form, about);
    }
    if (tn_value_type(choices) == TN_TYPE_ARRAY)
        put_choices(form, choices);
    else
        printer_put(&form->out, is_text(type, "boolean")   ? " (yes or no)"
                                : is_text(type, "number")  ? " (a number)"
                                : is_text(type, "integer") ? " (a whole number)"
                                                           : "");
    if (is_text(type, "array"))
        printer_put(&form->out, " (any of them, with commas)");
    if (tn_value_type(usual) != TN_TYPE_NONE && tn_value_json(usual, &json, &length) == TN_OK) {
        printer_put(&form->out, " [");
        printer_write(&form->out, json, length);
        printer_put(&form->out, "]");
        tn_text_free(json);
    } else if (!required) {
        printer_put(&form->out, " [nothing]");
    }
    printer_put(&form->out, " ");
    printer_finish(&form->out);
}

/* ---- what was typed ---- */

static bool is_choice(tn_value choices, const char *text, size_t length)
{
    bool found = tn_value_type(choices) != TN_TYPE_ARRAY;

    for (tn_cursor cursor = {0}; !found && tn_value_next(choices, &cursor);)
        found = is_same(choice_value(cursor.value), text, length);
    return found;
}

/* Words with commas between; written only if `out` is there, so that all are looked at before. */
static bool take_words(tn_value choices, const char *line, tn_writer *out)
{
    while (*line != '\0') {
        size_t length = strcspn(line, ",");
        const char *word = line + strspn(line, " ");
        size_t size = word < line + length ? (size_t)(line + length - word) : 0;
        while (size > 0 && word[size - 1] == ' ')
            size--;
        if (!is_choice(choices, word, size))
            return false;
        if (out != NULL)
            tn_put_text(out, word, size);
        line += length;
        line += *line == ',';
    }
    return true;
}

static bool take_list(Form *form, tn_value field, const char *line)
{
    tn_value choices = choices_of(tn_value_member(field, "items"));

    if (!take_words(choices, line, NULL))
        return false;
    tn_put_array_begin(form->content);
    (void)take_words(choices, line, form->content);
    tn_put_array_end(form->content);
    return true;
}

static bool take_number(Form *form, const char *line, bool whole)
{
    char *end;
    double number = strtod(line, &end);

    if (*end != '\0' || !isfinite(number) || (whole && floor(number) != number))
        return false;
    tn_put_number(form->content, number);
    return true;
}

static bool take_flag(Form *form, const char *line)
{
    bool yes =
        strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0 || strcasecmp(line, "true") == 0;

    if (!yes && strcasecmp(line, "n") != 0 && strcasecmp(line, "no") != 0 &&
        strcasecmp(line, "false") != 0)
        return false;
    tn_put_bool(form->content, yes);
    return true;
}

/* The value of a line, written after its key by who called. False: it is none. */
static bool fits(Form *form, tn_value field, const char *line)
{
    tn_value type = tn_value_member(field, "type");

    if (is_text(type, "array"))
        return take_list(form, field, line);
    if (is_text(type, "boolean"))
        return take_flag(form, line);
    if (is_text(type, "number") || is_text(type, "integer"))
        return take_number(form, line, is_text(type, "integer"));
    if (!is_choice(choices_of(field), line, strlen(line)))
        return false;
    tn_put_string(form->content, line);
    return true;
}

static bool is_required(const Form *form, tn_value key)
{
    size_t length;
    const char *name = tn_value_text(key, &length);

    for (tn_cursor cursor = {0};
         tn_value_next(tn_value_member(form->schema, "required"), &cursor);) {
        if (is_same(cursor.value, name, length))
            return true;
    }
    return false;
}

/* One field. False: given up. An empty line leaves out what need not be said, or has a default. */
static bool ask_field(Form *form, tn_value key, tn_value field)
{
    char line[LINE_ROOM], name[256];
    bool required =
        is_required(form, key) && tn_value_type(tn_value_member(field, "default")) == TN_TYPE_NONE;
    size_t length;
    const char *text = tn_value_text(key, &length);

    (void)snprintf(name, sizeof name, "%.*s", text != NULL ? (int)length : 0, text);
    for (int i = 0; i < TRIES; i++) {
        tn_writer *whole = form->content, *alone = NULL;
        put_prompt(form, key, field, required);
        if (!terminal_line(line, sizeof line))
            return false;
        if (line[0] == '\0' && !required)
            return true;
        if (line[0] == '\0' || tn_writer_new(&alone) != TN_OK)
            continue;
        form->content = alone;
        bool good = fits(form, field, line);
        form->content = whole;
        if (good) {
            tn_put_key(whole, name);
            tn_put_value(whole, tn_writer_value(alone));
        }
        tn_writer_free(alone);
        if (good)
            return true;
        printer_put(&form->out, "  That is none of what may be answered.\n");
    }
    return false;
}

/* ---- asking ---- */

static bool say_yes(Form *form, const char *question)
{
    char line[16];

    printer_put(&form->out, question);
    printer_finish(&form->out);
    return terminal_line(line, sizeof line) &&
           (strcasecmp(line, "y") == 0 || strcasecmp(line, "yes") == 0);
}

static bool ask_fields(Form *form)
{
    bool going = true;

    tn_put_object_begin(form->content);
    for (tn_cursor cursor = {0};
         going && tn_value_next(tn_value_member(form->schema, "properties"), &cursor);)
        going = ask_field(form, cursor.key, cursor.value);
    tn_put_object_end(form->content);
    return going;
}

static void *ask(void *argument)
{
    tn_elicitation *elicitation = argument;
    tn_value params = tn_elicitation_params(elicitation);
    Form form = {.out = {.stream = terminal_take(), .terminal = true},
                 .schema = tn_value_member(params, "requestedSchema")};
    bool page = is_text(tn_value_member(params, "mode"), "url"), yes = false;

    printer_put(&form.out, "tenon: the server ");
    printer_put(&form.out, tn_elicitation_package(elicitation));
    printer_put(&form.out, page ? " wants a page to be looked at: " : " asks: ");
    put(&form, tn_value_member(params, "message"));
    printer_put(&form.out, "\n");
    if (page) {
        printer_put(&form.out, "  ");
        put(&form, tn_value_member(params, "url"));
        yes = say_yes(&form, "\nIs it one that you trust, and was it looked at? [y/N] ");
    } else if (tn_writer_new(&form.content) == TN_OK) {
        yes = ask_fields(&form) && say_yes(&form, "Send this to the server? [y/N] ");
    }
    terminal_give();
    tn_elicitation_answer(elicitation, yes ? TN_ELICIT_ACCEPT : TN_ELICIT_DECLINE,
                          form.content != NULL ? tn_writer_value(form.content) : (tn_value){0});
    tn_writer_free(form.content);
    return NULL;
}

void elicit_at_terminal(void *user, tn_elicitation *elicitation)
{
    pthread_attr_t detached;
    pthread_t thread;
    bool begun = false;

    (void)user;
    if (terminal_open() && pthread_attr_init(&detached) == 0) {
        begun = pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED) == 0 &&
                pthread_create(&thread, &detached, ask, elicitation) == 0;
        pthread_attr_destroy(&detached);
    }
    if (begun)
        return;
    (void)fprintf(stderr, "tenon: the server %s asks a person, and nobody can be asked here\n",
                  tn_elicitation_package(elicitation));
    tn_elicitation_answer(elicitation, TN_ELICIT_CANCEL, (tn_value){0});
}
