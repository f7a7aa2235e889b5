#include "input.h"

#include "complain.h"
#include "json_fault.h"
#include "prepare.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse_input(const char *text, size_t length, const char *origin)
{
    JsonFault fault = json_fault(text, length);

    if (origin == NULL && access(text, R_OK) == 0)
        return complain_about("To read that file: --input @%s", text, "--input is not JSON: \"%s\"",
                              text);
    return complain("An object is wanted, as --input '{\"name\": \"Ada\", \"n\": 3}'.",
                    "--input%s%s is not JSON: expected %s at line %zu, column %zu",
                    origin != NULL ? " from " : "", origin != NULL ? origin : "", fault.expected,
                    fault.line, fault.column);
}

int input_read(const Settings *settings, Input *out_input)
{
    const char *text = settings->input;
    const char *origin = NULL;
    tn_status status = TN_OK;

    if (text == NULL)
        return 0;
    size_t length = strlen(text);
    if (text[0] == '@' || strcmp(text, "-") == 0) {
        ReadJob file = {.path = text[0] == '@' ? text + 1 : text,
                        .what = "input",
                        .remedy = "Give the program less.",
                        .limit_bytes = FILE_BYTES_MAX};
        int wrong = file_read(&file, &out_input->text);
        if (wrong != 0)
            return wrong;
        origin = strcmp(file.path, "-") == 0 ? "standard input" : file.path;
        text = out_input->text.bytes;
        length = out_input->text.length;
    }
    if ((status = tn_writer_new(&out_input->writer)) != TN_OK)
        return library_failed(status, "read the input");
    status = tn_put_json(out_input->writer, text, length);
    if (status == TN_ERR_ARGUMENT)
        return refuse_input(text, length, origin);
    if (status != TN_OK)
        return library_failed(status, "read the input");
    if (tn_value_type(tn_writer_value(out_input->writer)) != TN_TYPE_OBJECT)
        return complain("Its members become names in the program: --input '{\"list\": [1, 2]}'.",
                        "--input is JSON, but not an object");
    return 0;
}

tn_value input_value(const Input *input)
{
    return input->writer != NULL ? tn_writer_value(input->writer) : (tn_value){0};
}

void input_release(Input *input)
{
    tn_writer_free(input->writer);
    free(input->text.bytes);
    *input = (Input){0};
}
