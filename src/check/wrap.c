#include "wrap.h"

#include <string.h>

#include "base.h"
#include "contract.h"
#include "outline.h"

/* What is done to the program's text, in the order of places. */
typedef struct Edit {
    uint32_t start;
    uint32_t end;
    const char *text; /* put in its place; NULL: blanks */
    Span anchor;
    unsigned about;
} Edit;

typedef struct Wrapper {
    Arena *arena;
    const CheckRequest *request;
    Outline *outline;
    Wrapped *out;
    Buf edits;
    CheckFinding ***last;
} Wrapper;

/* The names that are put in. No program has them by accident. */
#define VALUE_FUNCTION "tenon__value"
#define DEFAULT_EXPORT "tenon__default"
#define LAST_VALUE     "tenon__last"

/* ---- edits ---- */

static void edit(Wrapper *wrapper, Edit edit)
{
    buf_append(&wrapper->edits, &edit, sizeof edit);
}

static void blank(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    edit(wrapper, (Edit){.start = start, .end = end});
}

static void replace(Wrapper *wrapper, uint32_t start, uint32_t end, const char *text, Span anchor,
                    unsigned about)
{
    edit(wrapper, (Edit){start, end, text, anchor, about});
}

static Span span_of(const Node *node)
{
    return (Span){node->start, node->end};
}

/* ---- writing ---- */

static void begin_piece(Wrapped *out, WrapPiece piece)
{
    piece.at = (uint32_t)out->text.length;
    buf_append(&out->pieces, &piece, sizeof piece);
}

static void put_copied(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    if (start >= end)
        return;
    begin_piece(wrapper->out, (WrapPiece){.copied = true, .source = start});
    buf_append(&wrapper->out->text, wrapper->request->source->text + start, end - start);
}

static void put_text(Wrapper *wrapper, const char *text, Span anchor, unsigned about)
{
    begin_piece(wrapper->out, (WrapPiece){.anchor = anchor, .about = about});
    buf_append_string(&wrapper->out->text, text);
}

/* The text of a contract once more, by itself: where it is wrong, this is what is told of it. */
static void put_contract(Wrapper *wrapper, const char *text, size_t index)
{
    unsigned about = WRAP_ABOUT_TEXT | (unsigned)index;

    begin_piece(wrapper->out, (WrapPiece){.text = true, .about = about});
    buf_append_string(&wrapper->out->text, text);
    put_text(wrapper, "\n;", (Span){0, 0}, about);
}

/* Blanks for every byte but the ends of lines. */
static void put_blanks(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    const char *text = wrapper->request->source->text;

    if (start >= end)
        return;
    begin_piece(wrapper->out, (WrapPiece){.copied = true, .source = start, .blank = true});
    for (uint32_t at = start; at < end; at++)
        buf_append_byte(&wrapper->out->text,
                        text[at] == '\n' || text[at] == '\r' ? (uint8_t)text[at] : ' ');
}

/* By place; nearly in order already. */
static void sort_edits(Edit *edits, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        Edit moved = edits[i];
        size_t to = i;
        for (; to > 0 && edits[to - 1].start > moved.start; to--)
            edits[to] = edits[to - 1];
        edits[to] = moved;
    }
}

/* The program with its edits. */
static void put_program(Wrapper *wrapper)
{
    Edit *edits = (Edit *)(void *)wrapper->edits.data;
    size_t count = wrapper->edits.length / sizeof *edits;
    uint32_t at = 0;

    sort_edits(edits, count);

    for (size_t i = 0; i < count; i++) {
        put_copied(wrapper, at, edits[i].start);
        if (edits[i].text)
            put_text(wrapper, edits[i].text, edits[i].anchor, edits[i].about);
        else
            put_blanks(wrapper, edits[i].start, edits[i].end);
        at = edits[i].end;
    }
    put_copied(wrapper, at, (uint32_t)wrapper->request->source->length);
}

/* ---- exports that are demanded ---- */

static void add_missing_export(Wrapper *wrapper, const ExportDemand *demand)
{
    CheckFinding *finding = ARENA_NEW(wrapper->arena, CheckFinding);
    const char *near = outline_nearest_export(wrapper->outline, demand->name);

    if (!finding)
        return;
    *finding =
        (CheckFinding){.code = "TN1122", .severity = TN_SEVERITY_ERROR, .did_you_mean = near};
    finding->message = arena_printf(
        wrapper->arena, "The program must export `%s`%s%s%s%s%s%s", demand->name,
        demand->type ? " of type `" : "", demand->type ? demand->type : "", demand->type ? "`" : "",
        near ? ": it exports `" : ".", near ? near : "", near ? "`, was that meant?" : "");
    **wrapper->last = finding;
    *wrapper->last = &finding->next;
}

/* Behind the program: a constant for each, of the type that it is to have. What a default export
 * without a name is to be was said in its place. */
static void put_export_checks(Wrapper *wrapper)
{
    const CheckRequest *request = wrapper->request;

    for (size_t i = 0; i < request->export_count; i++) {
        const ExportDemand *demand = &request->exports[i];
        const OutlineExport *found = outline_export(wrapper->outline, demand->name);
        if (!found) {
            if (!wrapper->outline->exports_all)
                add_missing_export(wrapper, demand);
            continue;
        }
        if (!demand->type || !found->local)
            continue;
        put_text(wrapper,
                 arena_printf(wrapper->arena, "\n;const tenon__export%u: %s\n = %s;", (unsigned)i,
                              demand->type, found->local),
                 found->place, WRAP_ABOUT_EXPORT + (unsigned)i);
    }
}

/* The type that is demanded of the default export, and by what. */
static const char *default_demand(const CheckRequest *request, unsigned *out_about)
{
    for (size_t i = 0; i < request->export_count; i++) {
        if (strcmp(request->exports[i].name, "default") == 0 && request->exports[i].type) {
            *out_about = WRAP_ABOUT_EXPORT + (unsigned)i;
            return request->exports[i].type;
        }
    }
    *out_about = 0;
    return NULL;
}

/* What the value is to be if the default export gives it. */
static const char *default_type(Wrapper *wrapper, unsigned *out_about)
{
    const CheckRequest *request = wrapper->request;
    const char *type = default_demand(request, out_about);

    if (type || !request->expect || wrapper->out->value != WRAP_VALUE_DEFAULT)
        return type;
    *out_about = WRAP_ABOUT_VALUE;
    return wrapper->outline->default_export.is_function
               ? arena_printf(wrapper->arena, "() => (%s\n) | Promise<%s\n>", request->expect,
                              request->expect)
               : request->expect;
}

/* `export default value` becomes `const tenon__default: T = value`, in a function too. A function
 * or class with a name only loses its words. */
static void edit_default(Wrapper *wrapper, bool in_body)
{
    const OutlineDefault *value = &wrapper->outline->default_export;
    const Node *statement = value->statement;
    unsigned about;
    const char *type = default_type(wrapper, &about);

    if (value->has_name) {
        if (in_body)
            blank(wrapper, value->words.start, value->words.end);
        return;
    }
    if (!type && !in_body && !wrapper->request->want_value)
        return;
    /* a promise is waited for, as the run does */
    bool awaits = about == WRAP_ABOUT_VALUE && !value->is_function;
    const char *begin = awaits ? "await (" : "";
    replace(wrapper, value->words.start, value->words.end,
            type ? arena_printf(wrapper->arena, ";const " DEFAULT_EXPORT ": %s\n = %s", type, begin)
                 : ";const " DEFAULT_EXPORT " = ",
            value->place, about);
    if (awaits)
        replace(wrapper, value->place.end, value->place.end, ")", value->place, about);
    if (statement->kind != NODE_EXPORT_ASSIGNMENT)
        replace(wrapper, statement->end, statement->end, ";", value->place, 0);
}

/* A default export with a name is held against its type behind the program. Its value is asked
 * for by a name that is put in. */
static void put_default_value(Wrapper *wrapper)
{
    const OutlineDefault *value = &wrapper->outline->default_export;
    const OutlineExport *export = outline_export(wrapper->outline, "default");
    const char *name = value->has_name && export ? export->local : DEFAULT_EXPORT;
    unsigned about;
    const char *type = default_type(wrapper, &about);

    if (wrapper->out->value != WRAP_VALUE_DEFAULT || !name)
        return;
    if (value->has_name && about == WRAP_ABOUT_VALUE)
        put_text(wrapper,
                 arena_printf(wrapper->arena, "\n;const tenon__value: %s\n = %s;", type, name),
                 value->place, about);
    if (!wrapper->request->want_value)
        return;
    put_text(wrapper, "\n;", value->place, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = value->is_function};
    wrapper->out->has_question = true;
    put_text(wrapper, arena_printf(wrapper->arena, "%s;", name), value->place, 0);
}

/* ---- the value of the last statement, and what is thrown ---- */

/* What is no promise as it stands: then a finding inside it keeps its place. */
static bool is_settled(const Node *node)
{
    while (node->kind == NODE_PARENTHESIZED_EXPRESSION && as_unary(node)->expression)
        node = as_unary(node)->expression;
    switch (node->kind) {
    case NODE_OBJECT_LITERAL:
    case NODE_ARRAY_LITERAL:
    case NODE_STRING_LITERAL:
    case NODE_NUMERIC_LITERAL:
    case NODE_BIGINT_LITERAL:
    case NODE_TEMPLATE_EXPRESSION:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
    case NODE_ARROW_FUNCTION:
    case NODE_FUNCTION_EXPRESSION:
        return true;
    default:
        return false;
    }
}

/* `value` becomes `tenon__last = await (value)`. */
static void edit_value(Wrapper *wrapper, const Node *value, Span anchor)
{
    bool settled = is_settled(value);

    replace(wrapper, value->start, value->start,
            settled ? LAST_VALUE " = " : LAST_VALUE " = await (", anchor, WRAP_ABOUT_VALUE);
    if (!settled)
        replace(wrapper, value->end, value->end, ")", anchor, WRAP_ABOUT_VALUE);
}

/* Is the value of the last statement held against what is expected? */
static bool checks_completion(const Wrapper *wrapper)
{
    const Wrapped *out = wrapper->out;

    if (!wrapper->request->expect)
        return false;
    if (out->value == WRAP_VALUE_LAST)
        return out->form != WRAP_BODY;
    return out->value == WRAP_VALUE_BRANCHES || out->value == WRAP_VALUE_RETURN ||
           out->value == WRAP_VALUE_NONE;
}

static void edit_completion(Wrapper *wrapper)
{
    const Completion *completion = &wrapper->outline->completion;

    if (!checks_completion(wrapper))
        return;
    for (size_t i = 0; i < completion->count; i++)
        edit_value(wrapper, as_unary(completion->values[i])->expression,
                   span_of(completion->values[i]));
}

/* Is it said of a way through the program that it ends without a value? In a body with a `return`
 * the type of the function says it. */
static bool tells_missing(const Wrapper *wrapper)
{
    const Completion *completion = &wrapper->outline->completion;
    bool some = completion->count > 0 || completion->unknown;

    if (!completion->missing || (!some && wrapper->request->export_count > 0))
        return false;
    return some || wrapper->out->form != WRAP_BODY;
}

/* Behind the program: the variable, and what it is where nothing was assigned to it. */
static void put_completion(Wrapper *wrapper)
{
    const Completion *completion = &wrapper->outline->completion;
    uint32_t end = wrapper->outline->end;
    Span anchor = {end > 0 ? end - 1 : 0, end};

    if (!checks_completion(wrapper))
        return;
    put_text(wrapper,
             arena_printf(wrapper->arena, "\n;var " LAST_VALUE ": %s\n;", wrapper->request->expect),
             anchor, WRAP_ABOUT_VALUE);
    if (tells_missing(wrapper)) {
        wrapper->out->gives_none =
            completion->count == 0 && !completion->unknown && wrapper->outline->return_count == 0;
        put_text(wrapper, LAST_VALUE " = undefined;", completion->gap, WRAP_ABOUT_MISSING);
    }
    if (wrapper->out->form == WRAP_BODY && (completion->count > 0 || completion->unknown))
        put_text(wrapper, "return " LAST_VALUE "!;", anchor, 0);
}

static void edit_thrown(Wrapper *wrapper)
{
    bool checked = wrapper->request->expect != NULL;

    for (size_t i = 0; i < wrapper->outline->return_count; i++) {
        const Node *statement = wrapper->outline->returns[i];
        const Node *value = as_unary(statement)->expression;
        replace(wrapper, statement->start, statement->start + (uint32_t)strlen("return"),
                value     ? "throw "
                : checked ? "throw " LAST_VALUE " = undefined"
                          : "throw 0",
                span_of(statement), checked && !value ? WRAP_ABOUT_VALUE : 0);
        if (checked && value)
            edit_value(wrapper, value,
                       (Span){statement->start, statement->start + (uint32_t)strlen("return")});
    }
}

/* ---- contracts by themselves ---- */

/* Inputs that have a type are names in the program's world, and may be of a type of the program. */
static void put_inputs(Wrapper *wrapper)
{
    const CheckRequest *request = wrapper->request;
    size_t first = 1 + request->export_count;

    wrapper->out->inputs = ARENA_ARRAY(wrapper->arena, uint32_t, request->input_count + 1);
    for (size_t i = 0; wrapper->out->inputs && i < request->input_count; i++) {
        const InputGiven *input = &request->inputs[i];
        unsigned about = WRAP_ABOUT_TEXT | (unsigned)(first + i);
        if (!input->type || !contract_is_name(input->name))
            continue;
        put_text(wrapper, "declare global { const ", (Span){0, 0}, about);
        wrapper->out->inputs[i] = (uint32_t)wrapper->out->text.length;
        put_text(wrapper, arena_printf(wrapper->arena, "%s: ", input->name), (Span){0, 0}, about);
        put_contract(wrapper, input->type, first + i);
        put_text(wrapper, "}\n", (Span){0, 0}, about);
    }
}

static void put_contracts(Wrapper *wrapper)
{
    const CheckRequest *request = wrapper->request;

    for (size_t i = 0; i <= request->export_count; i++) {
        const char *type = i == 0 ? request->expect : request->exports[i - 1].type;
        if (!type)
            continue;
        put_text(wrapper, arena_printf(wrapper->arena, "\n;type tenon__contract%u = ", (unsigned)i),
                 (Span){0, 0}, WRAP_ABOUT_TEXT | (unsigned)i);
        put_contract(wrapper, type, i);
    }
}

/* ---- the forms ---- */

static void wrap_module(Wrapper *wrapper)
{
    const Outline *outline = wrapper->outline;

    if (outline->default_export.statement)
        edit_default(wrapper, false);
    edit_completion(wrapper);
    put_program(wrapper);
    put_text(wrapper, "\n;", (Span){outline->end, outline->end}, 0);
    put_inputs(wrapper);
    put_completion(wrapper);
    put_contracts(wrapper);
    put_export_checks(wrapper);
    put_default_value(wrapper);
}

/* What stays in the body: without `export`, and with `return` before the last expression. */
static void edit_statement(Wrapper *wrapper, const OutlineStatement *statement)
{
    const Node *node = statement->node;

    if (statement->hoisted || statement->dropped)
        blank(wrapper, node->start, node->end);
    else if (node == wrapper->outline->default_export.statement)
        edit_default(wrapper, true);
    else if (statement->export_word.end > 0)
        blank(wrapper, statement->export_word.start, statement->export_word.end);
    else if (node == wrapper->outline->last && wrapper->out->value == WRAP_VALUE_LAST)
        replace(wrapper, node->start, node->start, "return ", span_of(node), WRAP_ABOUT_VALUE);
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

    replace(wrapper, node->start, node->start, "return (", anchor, WRAP_ABOUT_VALUE);
    if (expect && !function->type && function->parameters && !function->asterisk)
        replace(wrapper, function->parameters->end, function->parameters->end,
                arena_printf(wrapper->arena, is_async ? ": Promise<%s\n>" : ": %s\n", expect),
                (Span){wrapper->outline->function->end - 1, wrapper->outline->function->end},
                WRAP_ABOUT_VALUE);
    replace(wrapper, as_unary(node)->expression->end, as_unary(node)->expression->end, ")()",
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
            put_copied(wrapper, statement->node->start, statement->node->end);
            put_text(wrapper, "\n", (Span){length, length}, 0);
        }
    }
    put_inputs(wrapper);
    put_text(wrapper, "async function ", end, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = true};
    wrapper->out->has_question = true;
    put_text(wrapper, VALUE_FUNCTION "()", end, 0);
    if (expect && wrapper->out->value != WRAP_VALUE_DEFAULT &&
        wrapper->out->value != WRAP_VALUE_HIDDEN)
        put_text(wrapper, arena_printf(wrapper->arena, ": Promise<%s\n>", expect), end,
                 WRAP_ABOUT_VALUE);
    put_text(wrapper, " {\n", end, 0);
    if (wrapper->out->value == WRAP_VALUE_FUNCTION) {
        edit_function(wrapper);
    } else {
        for (size_t i = 0; i < outline->count; i++)
            edit_statement(wrapper, &outline->statements[i]);
        edit_completion(wrapper);
    }
    put_program(wrapper);
    put_completion(wrapper);
    put_contracts(wrapper);
    put_export_checks(wrapper);
    put_text(wrapper, "\n}\n", end, 0);
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
    if (out_wrapped->form == WRAP_BODY) {
        wrap_body(&wrapper);
    } else {
        if (out_wrapped->form == WRAP_THROWN)
            edit_thrown(&wrapper);
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

/* ---- the way back ---- */

/* The piece that a byte belongs to: the last that begins at or before it. */
static const WrapPiece *piece_at(const Wrapped *wrapped, uint32_t at)
{
    const WrapPiece *pieces = (const WrapPiece *)(void *)wrapped->pieces.data;
    size_t low = 0, high = wrapped->pieces.length / sizeof *pieces;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pieces[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return high > 0 ? &pieces[low] : NULL;
}

Span wrap_place(const Wrapped *wrapped, Span span, unsigned *out_about)
{
    const WrapPiece *first = piece_at(wrapped, span.start);
    const WrapPiece *final = piece_at(wrapped, span.end > span.start ? span.end - 1 : span.end);

    *out_about = 0;
    if (!first || !final)
        return span;
    *out_about = first->copied ? 0 : first->about;
    if (first->text) {
        uint32_t most = (first + 1)->at; /* something always follows */
        return (Span){span.start - first->at, (span.end < most ? span.end : most) - first->at};
    }
    if (!first->copied)
        return first->anchor;
    uint32_t start = first->source + (span.start - first->at);
    uint32_t end = final->copied ? final->source + (span.end - final->at) : final->anchor.end;
    return (Span){start, end > start ? end : start};
}

bool wrap_locate(const Wrapped *wrapped, uint32_t source, uint32_t *out_at)
{
    const WrapPiece *pieces = (const WrapPiece *)(void *)wrapped->pieces.data;
    size_t count = wrapped->pieces.length / sizeof *pieces;

    for (size_t i = 0; i < count; i++) {
        uint32_t end = i + 1 < count ? pieces[i + 1].at : (uint32_t)wrapped->text.length;
        if (!pieces[i].copied || pieces[i].blank || source < pieces[i].source ||
            source - pieces[i].source >= end - pieces[i].at)
            continue;
        *out_at = pieces[i].at + (source - pieces[i].source);
        return true;
    }
    return false;
}
