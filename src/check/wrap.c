#include "wrap_parts.h"

#include <string.h>

#include "base.h"
#include "contract.h"

/* The name of the function that is put around a body. No program has it by accident. */
#define VALUE_FUNCTION "tenon__value"

static Span span_of(const Node *node)
{
    return (Span){node->start, node->end};
}

/* ---- the forms ---- */

static void wrap_module(Wrapper *wrapper)
{
    const Outline *outline = wrapper->outline;

    if (outline->default_export.statement)
        wrap_edit_default(wrapper, false);
    wrap_edit_completion(wrapper);
    wrap_put_program(wrapper);
    wrap_put_text(wrapper, "\n;", (Span){outline->end, outline->end}, 0);
    wrap_put_inputs(wrapper);
    wrap_put_completion(wrapper);
    wrap_put_contracts(wrapper);
    wrap_put_export_checks(wrapper);
    wrap_put_default_value(wrapper);
}

/* What stays in the body: without `export`, and with `return` before the last expression. */
static void edit_statement(Wrapper *wrapper, const OutlineStatement *statement)
{
    const Node *node = statement->node;

    if (statement->hoisted || statement->dropped)
        wrap_blank(wrapper, node->start, node->end);
    else if (node == wrapper->outline->default_export.statement)
        wrap_edit_default(wrapper, true);
    else if (statement->export_word.end > 0)
        wrap_blank(wrapper, statement->export_word.start, statement->export_word.end);
    else if (node == wrapper->outline->last && wrapper->out->value == WRAP_VALUE_LAST)
        wrap_replace(wrapper, node->start, node->start, "return ", span_of(node), WRAP_ABOUT_VALUE);
}

/* The program is one function of nothing, and what it returns is meant:
 * `return (async (): Promise<T> => {...})()`. */
static void edit_function(Wrapper *wrapper)
{
    const Node *node = wrapper->outline->last;
    const FunctionLike *function = as_function(wrapper->outline->function);
    const char *expect = wrapper->request->expect;
    bool is_async = modifiers_of(function->modifiers) & MODIFIER_ASYNC;
    Span anchor = span_of(&function->node);

    wrap_replace(wrapper, node->start, node->start, "return (", anchor, WRAP_ABOUT_VALUE);
    if (expect && !function->type && function->parameters && !function->asterisk)
        wrap_replace(wrapper, function->parameters->end, function->parameters->end,
                     arena_printf(wrapper->arena, is_async ? ": Promise<%s\n>" : ": %s\n", expect),
                     (Span){wrapper->outline->function->end - 1, wrapper->outline->function->end},
                     WRAP_ABOUT_VALUE);
    wrap_replace(wrapper, as_unary(node)->expression->end, as_unary(node)->expression->end, ")()",
                 anchor, WRAP_ABOUT_VALUE);
}

static void wrap_body(Wrapper *wrapper)
{
    const Outline *outline = wrapper->outline;
    const char *expect = wrapper->request->expect;
    uint32_t length = (uint32_t)wrapper->request->source->length;
    Span end = {outline->end > 0 ? outline->end - 1 : 0, outline->end};

    for (size_t i = 0; i < outline->count; i++) {
        const OutlineStatement *statement = &outline->statements[i];
        if (statement->hoisted) {
            wrap_put_copied(wrapper, statement->node->start, statement->node->end);
            wrap_put_text(wrapper, "\n", (Span){length, length}, 0);
        }
    }
    wrap_put_inputs(wrapper);
    wrap_put_text(wrapper, "async function ", end, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = true};
    wrapper->out->has_question = true;
    wrap_put_text(wrapper, VALUE_FUNCTION "()", end, 0);
    if (expect && wrapper->out->value != WRAP_VALUE_DEFAULT &&
        wrapper->out->value != WRAP_VALUE_HIDDEN)
        wrap_put_text(wrapper, arena_printf(wrapper->arena, ": Promise<%s\n>", expect), end,
                      WRAP_ABOUT_VALUE);
    wrap_put_text(wrapper, " {\n", end, 0);
    if (wrapper->out->value == WRAP_VALUE_FUNCTION) {
        edit_function(wrapper);
    } else {
        for (size_t i = 0; i < outline->count; i++)
            edit_statement(wrapper, &outline->statements[i]);
        wrap_edit_completion(wrapper);
    }
    wrap_put_program(wrapper);
    wrap_put_completion(wrapper);
    wrap_put_contracts(wrapper);
    wrap_put_export_checks(wrapper);
    wrap_put_text(wrapper, "\n}\n", end, 0);
}

/* ---- choosing ---- */

static WrapValue value_of(const Outline *outline)
{
    if (outline->return_count > 0)
        return WRAP_VALUE_RETURN;
    if (outline->function)
        return WRAP_VALUE_FUNCTION;
    if (outline->default_export.statement)
        return WRAP_VALUE_DEFAULT;
    if (outline->last)
        return WRAP_VALUE_LAST;
    if (outline->completion.count > 0)
        return WRAP_VALUE_BRANCHES;
    return outline->completion.unknown ? WRAP_VALUE_HIDDEN : WRAP_VALUE_NONE;
}

typedef struct Bringing {
    Wrapper *wrapper;
    bool failed;
} Bringing;

static void bring_name(void *context, const Name *name)
{
    Bringing *bringing = context;
    Wrapper *wrapper = bringing->wrapper;
    const Name *own = names_get(wrapper->request->file->names, name->text, name->length);

    if (!bringing->failed && !outline_bring(wrapper->arena, wrapper->outline, own))
        bringing->failed = true;
}

/* The type of a body's function stands before it, and those of inputs: what they name of the
 * program has to as well. */
static bool can_be_body(Wrapper *wrapper, const Node *const *types)
{
    Bringing bringing = {wrapper, false};

    if (!wrapper->outline->can_be_body)
        return false;
    contract_each_name(types[0], bring_name, &bringing);
    for (size_t i = 0; i < wrapper->request->input_count; i++)
        contract_each_name(types[1 + wrapper->request->export_count + i], bring_name, &bringing);
    return wrapper->outline->can_be_body && !bringing.failed;
}

static void choose(Wrapper *wrapper, const Node *const *types)
{
    Wrapped *out = wrapper->out;
    const CheckRequest *request = wrapper->request;

    out->value = value_of(wrapper->outline);
    if (out->value == WRAP_VALUE_RETURN)
        out->form = can_be_body(wrapper, types) ? WRAP_BODY : WRAP_THROWN;
    else if ((request->want_value && out->value == WRAP_VALUE_LAST) ||
             ((request->want_value || request->expect) && out->value == WRAP_VALUE_FUNCTION))
        out->form = can_be_body(wrapper, types) ? WRAP_BODY : WRAP_MODULE;
    else
        out->form = WRAP_MODULE;
}

/* `#!/usr/bin/env tenon` may only be the first line of all. */
static uint32_t first_line_end(const Source *source)
{
    const char *text = source->text;

    return text[0] == '#' && text[1] == '!' ? (uint32_t)strcspn(text, "\r\n") : 0;
}

tn_status wrap(Arena *arena, const CheckRequest *request, const Node *const *types,
               Wrapped *out_wrapped, CheckFinding ***last)
{
    Wrapper wrapper = {.arena = arena, .request = request, .out = out_wrapped, .last = last};
    Outline outline;

    *out_wrapped = (Wrapped){.form = WRAP_MODULE};
    buf_init(&out_wrapped->text, arena->allocator, UINT32_MAX / 2);
    buf_init(&out_wrapped->pieces, arena->allocator, SIZE_MAX);
    buf_init(&wrapper.edits, arena->allocator, SIZE_MAX);
    outline_make(arena, request->source, request->file, &outline);
    wrapper.outline = &outline;
    choose(&wrapper, types);
    wrap_blank(&wrapper, 0, first_line_end(request->source));
    if (out_wrapped->form == WRAP_BODY) {
        wrap_body(&wrapper);
    } else {
        if (out_wrapped->form == WRAP_THROWN)
            wrap_edit_thrown(&wrapper);
        wrap_module(&wrapper);
    }
    tn_status status = buf_status(&wrapper.edits);
    buf_release(&wrapper.edits);
    TRY(status);
    TRY(buf_status(&out_wrapped->text));
    TRY(buf_status(&out_wrapped->pieces));
    return arena_status(arena);
}

void wrap_release(Wrapped *wrapped)
{
    buf_release(&wrapped->text);
    buf_release(&wrapped->pieces);
}
