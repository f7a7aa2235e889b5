#include "wrap_parts.h"

#include <string.h>

#include "base.h"
#include "contract.h"

/* The names that are put in. No program has them by accident. */
#define DEFAULT_EXPORT "tenon__default"
#define LAST_VALUE     "tenon__last"

static Span span_of(const Node *node)
{
    return (Span){node->start, node->end};
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
void wrap_put_export_checks(Wrapper *wrapper)
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
        wrap_put_text(wrapper,
                      arena_printf(wrapper->arena, "\n;const tenon__export%u: %s\n = %s;",
                                   (unsigned)i, demand->type, found->local),
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
void wrap_edit_default(Wrapper *wrapper, bool in_body)
{
    const OutlineDefault *value = &wrapper->outline->default_export;
    const Node *statement = value->statement;
    unsigned about;
    const char *type = default_type(wrapper, &about);

    if (value->has_name) {
        if (in_body)
            wrap_blank(wrapper, value->words.start, value->words.end);
        return;
    }
    if (!type && !in_body && !wrapper->request->want_value)
        return;
    /* a promise is waited for, as the run does */
    bool awaits = about == WRAP_ABOUT_VALUE && !value->is_function;
    const char *begin = awaits ? "await (" : "";
    wrap_replace(
        wrapper, value->words.start, value->words.end,
        type ? arena_printf(wrapper->arena, ";const " DEFAULT_EXPORT ": %s\n = %s", type, begin)
             : ";const " DEFAULT_EXPORT " = ",
        value->place, about);
    if (awaits)
        wrap_replace(wrapper, value->place.end, value->place.end, ")", value->place, about);
    if (statement->kind != NODE_EXPORT_ASSIGNMENT)
        wrap_replace(wrapper, statement->end, statement->end, ";", value->place, 0);
}

/* A default export with a name is held against its type behind the program. Its value is asked
 * for by a name that is put in. */
void wrap_put_default_value(Wrapper *wrapper)
{
    const OutlineDefault *value = &wrapper->outline->default_export;
    const OutlineExport *export = outline_export(wrapper->outline, "default");
    const char *name = value->has_name && export ? export->local : DEFAULT_EXPORT;
    unsigned about;
    const char *type = default_type(wrapper, &about);

    if (wrapper->out->value != WRAP_VALUE_DEFAULT || !name)
        return;
    if (value->has_name && about == WRAP_ABOUT_VALUE)
        wrap_put_text(wrapper,
                      arena_printf(wrapper->arena, "\n;const tenon__value: %s\n = %s;", type, name),
                      value->place, about);
    if (!wrapper->request->want_value)
        return;
    wrap_put_text(wrapper, "\n;", value->place, 0);
    wrapper->out->question =
        (TypeQuestion){.at = (uint32_t)wrapper->out->text.length, .returns = value->is_function};
    wrapper->out->has_question = true;
    wrap_put_text(wrapper, arena_printf(wrapper->arena, "%s;", name), value->place, 0);
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

    wrap_replace(wrapper, value->start, value->start,
                 settled ? LAST_VALUE " = " : LAST_VALUE " = await (", anchor, WRAP_ABOUT_VALUE);
    if (!settled)
        wrap_replace(wrapper, value->end, value->end, ")", anchor, WRAP_ABOUT_VALUE);
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

void wrap_edit_completion(Wrapper *wrapper)
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
void wrap_put_completion(Wrapper *wrapper)
{
    const Completion *completion = &wrapper->outline->completion;
    uint32_t end = wrapper->outline->end;
    Span anchor = {end > 0 ? end - 1 : 0, end};

    if (!checks_completion(wrapper))
        return;
    wrap_put_text(
        wrapper,
        arena_printf(wrapper->arena, "\n;var " LAST_VALUE ": %s\n;", wrapper->request->expect),
        anchor, WRAP_ABOUT_VALUE);
    if (tells_missing(wrapper)) {
        wrapper->out->gives_none =
            completion->count == 0 && !completion->unknown && wrapper->outline->return_count == 0;
        wrap_put_text(wrapper, LAST_VALUE " = undefined;", completion->gap, WRAP_ABOUT_MISSING);
    }
    if (wrapper->out->form == WRAP_BODY && (completion->count > 0 || completion->unknown))
        wrap_put_text(wrapper, "return " LAST_VALUE "!;", anchor, 0);
}

void wrap_edit_thrown(Wrapper *wrapper)
{
    bool checked = wrapper->request->expect != NULL;

    for (size_t i = 0; i < wrapper->outline->return_count; i++) {
        const Node *statement = wrapper->outline->returns[i];
        const Node *value = as_unary(statement)->expression;
        wrap_replace(wrapper, statement->start, statement->start + (uint32_t)strlen("return"),
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
void wrap_put_inputs(Wrapper *wrapper)
{
    const CheckRequest *request = wrapper->request;
    size_t first = 1 + request->export_count;

    wrapper->out->inputs = ARENA_ARRAY(wrapper->arena, uint32_t, request->input_count + 1);
    for (size_t i = 0; wrapper->out->inputs && i < request->input_count; i++) {
        const InputGiven *input = &request->inputs[i];
        unsigned about = WRAP_ABOUT_TEXT | (unsigned)(first + i);
        if (!input->type || !contract_is_name(input->name))
            continue;
        wrap_put_text(wrapper, "declare global { const ", (Span){0, 0}, about);
        wrapper->out->inputs[i] = (uint32_t)wrapper->out->text.length;
        wrap_put_text(wrapper, arena_printf(wrapper->arena, "%s: ", input->name), (Span){0, 0},
                      about);
        wrap_put_contract(wrapper, input->type, first + i);
        wrap_put_text(wrapper, "}\n", (Span){0, 0}, about);
    }
}

void wrap_put_contracts(Wrapper *wrapper)
{
    const CheckRequest *request = wrapper->request;

    for (size_t i = 0; i <= request->export_count; i++) {
        const char *type = i == 0 ? request->expect : request->exports[i - 1].type;
        if (!type)
            continue;
        wrap_put_text(wrapper,
                      arena_printf(wrapper->arena, "\n;type tenon__contract%u = ", (unsigned)i),
                      (Span){0, 0}, WRAP_ABOUT_TEXT | (unsigned)i);
        wrap_put_contract(wrapper, type, i);
    }
}
