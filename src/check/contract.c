#include "contract.h"

#include <string.h>

#include "base.h"
#include "json_type.h"
#include "syntax.h"

static bool is_name(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 0x80;
        if (!letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return length > 0;
}

static tn_status type_of(Arena *arena, const InputGiven *input, const char **out_type)
{
    *out_type = "any";
    if (input->type) {
        *out_type = input->type;
        return contract_check_type(arena, input->type);
    }
    return input->json ? contract_type_of_json(arena, input->json, input->json_length, out_type)
                       : TN_OK;
}

tn_status contract_inputs(Arena *arena, const InputGiven *inputs, size_t count,
                          Declaration *out_declaration)
{
    const char *type;
    tn_status status = TN_OK;
    Buf out;

    *out_declaration = (Declaration){.name = "inputs.d.ts"};
    if (count == 0)
        return TN_OK;
    buf_init(&out, arena->allocator, (size_t)8 << 20);
    for (size_t i = 0; i < count && status == TN_OK; i++) {
        if (!is_name(inputs[i].name))
            continue; /* no program can name it so */
        status = type_of(arena, &inputs[i], &type);
        if (status != TN_OK)
            break;
        buf_append_string(&out, "declare const ");
        buf_append_string(&out, inputs[i].name);
        buf_append_string(&out, ": ");
        buf_append_string(&out, type);
        buf_append_string(&out, ";\n");
    }
    if (status == TN_OK)
        status = buf_status(&out);
    if (status == TN_OK) {
        out_declaration->text = arena_text(arena, (const char *)out.data, out.length);
        out_declaration->length = out.length;
        status = arena_status(arena);
    }
    buf_release(&out);
    return status;
}

tn_status contract_check_type(Arena *arena, const char *type)
{
    const ParseOptions options = {.declaration_file = false};
    const char *text = arena_printf(arena, "type T = %s\n;", type);
    Findings findings;
    SourceFile *file;
    Source *source;

    if (!text)
        return arena_status(arena);
    TRY(source_load(arena, "type", text, strlen(text), &source));
    findings_init(&findings, arena);
    TRY(parse_module(arena, source, &options, &findings, &file));
    bool good = findings.errors == 0 && file->statements->count == 1 &&
                file->statements->at[0]->kind == NODE_TYPE_ALIAS_DECLARATION &&
                file->statements->at[0]->end == strlen(text);
    return good ? TN_OK : TN_ERR_ARGUMENT;
}
