/* The one argument of a function that came from elsewhere, held against its schema. */
#include "packages.h"
#include "schema.h"

static tn_value empty_object(void)
{
    return tn_value_view("\xa0", 1);
}

tn_value taker_argument(const tn_call *call)
{
    tn_value argument = tn_call_argument(call, 0);

    return tn_value_type(argument) == TN_TYPE_OBJECT ? argument : empty_object();
}

bool taker_fits(const void *context, const tn_value *arguments, size_t *count, Arena *scratch,
                Misfit *out_misfit)
{
    const SchemaCheckOptions options = {.depth = 200};
    const Taker *taker = context;
    SchemaOutcome outcome = {.verdict = SCHEMA_VALID};
    tn_value argument = *count > 0 ? arguments[0] : empty_object();
    tn_type type = tn_value_type(argument);

    if (type == TN_TYPE_UNDEFINED)
        argument = empty_object();
    out_misfit->takes =
        arena_printf(scratch, "(input%s: %.*s)", taker->needs_argument ? "" : "?",
                     (int)(taker->type_length < 500 ? taker->type_length : 500), taker->type);
    if (*count > 1 || (type != TN_TYPE_UNDEFINED && type != TN_TYPE_OBJECT)) {
        out_misfit->path = "what it is called with";
        out_misfit->expected = "one argument, an object";
        out_misfit->got = *count > 1 ? "more than one" : "another value";
        return false;
    }
    if (!taker->input ||
        (schema_check(taker->input, argument, &options, scratch, &outcome) == TN_OK &&
         outcome.verdict == SCHEMA_VALID))
        return true;
    if (outcome.failures) {
        out_misfit->path = outcome.failures->path;
        out_misfit->expected = outcome.failures->expected;
        out_misfit->got = outcome.failures->got;
    }
    out_misfit->reason = outcome.reason ? outcome.reason : "it is too large";
    return false;
}
