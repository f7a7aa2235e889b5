#include "wrap.h"

#include <string.h>

#include "base.h"
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
    const Outline *outline;
    Wrapped *out;
    Buf edits;
    CheckFinding ***last;
} Wrapper;

/* The names that are put in. No program has them by accident. */
#define VALUE_FUNCTION "tenon__value"
#define DEFAULT_EXPORT "tenon__default"

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
                 arena_printf(wrapper->arena, "\n;const tenon__export%u: %s = %s;", (unsigned)i,
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
               ? arena_printf(wrapper->arena, "() => (%s) | Promise<%s>", request->expect,
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
            type ? arena_printf(wrapper->arena, ";const " DEFAULT_EXPORT ": %s = %s", type, begin)
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
                 arena_printf(wrapper->arena, "\n;const tenon__value: %s = %s;", type, name),
                 value->place, about);
    if (!wrapper->request->want_value)
        return;
    put_text(wrapper, "\n;", value->place, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = value->is_function};
    wrapper->out->has_question = true;
    put_text(wrapper, arena_printf(wrapper->arena, "%s;", name), value->place, 0);
}

/* ---- the forms ---- */

static void wrap_module(Wrapper *wrapper)
{
    const Outline *outline = wrapper->outline;

    if (outline->default_export.statement)
        edit_default(wrapper, false);
    put_program(wrapper);
    put_export_checks(wrapper);
    put_default_value(wrapper);
}

static void edit_thrown(Wrapper *wrapper)
{
    for (size_t i = 0; i < wrapper->outline->return_count; i++) {
        const Node *statement = wrapper->outline->returns[i];
        bool bare = !as_unary(statement)->expression;
        replace(wrapper, statement->start, statement->start + (uint32_t)strlen("return"),
                bare ? "throw 0" : "throw ", span_of(statement), 0);
    }
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
                arena_printf(wrapper->arena, is_async ? ": Promise<%s>" : ": %s", expect),
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
    put_text(wrapper, "async function ", end, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = true};
    wrapper->out->has_question = true;
    put_text(wrapper, VALUE_FUNCTION "()", end, 0);
    if (expect && wrapper->out->value != WRAP_VALUE_DEFAULT &&
        wrapper->out->value != WRAP_VALUE_HIDDEN)
        put_text(wrapper, arena_printf(wrapper->arena, ": Promise<%s>", expect), end,
                 WRAP_ABOUT_VALUE);
    put_text(wrapper, " {\n", end, 0);
    if (wrapper->out->value == WRAP_VALUE_FUNCTION) {
        edit_function(wrapper);
    } else {
        for (size_t i = 0; i < outline->count; i++)
            edit_statement(wrapper, &outline->statements[i]);
    }
    put_program(wrapper);
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
    return outline->last_is_hidden ? WRAP_VALUE_HIDDEN : WRAP_VALUE_NONE;
}

static void choose(Wrapper *wrapper)
{
    Wrapped *out = wrapper->out;
    const Outline *outline = wrapper->outline;
    bool asked = wrapper->request->expect || wrapper->request->want_value;

    out->value = value_of(outline);
    if (out->value == WRAP_VALUE_RETURN)
        out->form = outline->can_be_body ? WRAP_BODY : WRAP_THROWN;
    else if (asked && (out->value == WRAP_VALUE_LAST || out->value == WRAP_VALUE_FUNCTION))
        out->form = outline->can_be_body ? WRAP_BODY : WRAP_MODULE;
    else
        out->form = WRAP_MODULE;
}

/* A value that is demanded and that nothing gives. */
static void add_missing_value(Wrapper *wrapper)
{
    CheckFinding *finding = ARENA_NEW(wrapper->arena, CheckFinding);
    uint32_t end = wrapper->outline->end;

    if (!finding)
        return;
    *finding = (CheckFinding){
        .code = "TN1121", .severity = TN_SEVERITY_ERROR, .span = {end > 0 ? end - 1 : 0, end}};
    finding->message =
        arena_printf(wrapper->arena,
                     "The program must give a value of type `%s`, and gives none: end it with "
                     "`return` or an expression.",
                     wrapper->request->expect);
    **wrapper->last = finding;
    *wrapper->last = &finding->next;
}

static bool allows_nothing(const char *type)
{
    return strstr(type, "undefined") || strstr(type, "void") || strstr(type, "any") ||
           strstr(type, "unknown");
}

tn_status wrap(Arena *arena, const CheckRequest *request, Wrapped *out_wrapped,
               CheckFinding ***last)
{
    Wrapper wrapper = {.arena = arena, .request = request, .out = out_wrapped, .last = last};
    Outline outline;

    *out_wrapped = (Wrapped){.form = WRAP_MODULE};
    buf_init(&out_wrapped->text, arena->allocator, UINT32_MAX / 2);
    buf_init(&out_wrapped->pieces, arena->allocator, SIZE_MAX);
    buf_init(&wrapper.edits, arena->allocator, SIZE_MAX);
    outline_make(arena, request->source, request->file, &outline);
    wrapper.outline = &outline;
    choose(&wrapper);
    if (out_wrapped->form == WRAP_BODY) {
        wrap_body(&wrapper);
    } else {
        if (out_wrapped->form == WRAP_THROWN)
            edit_thrown(&wrapper);
        wrap_module(&wrapper);
    }
    if (request->expect && out_wrapped->value == WRAP_VALUE_NONE && request->export_count == 0 &&
        !allows_nothing(request->expect))
        add_missing_value(&wrapper);
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
