/* Schemas for hosts: src/schema behind the public header. */
#include <string.h>

#include "memory.h"
#include "schema.h"
#include "text.h"

enum { BYTES_MOST = 64 << 20 };

struct tn_schema {
    Arena arena;
    tn_writer *document;
    SchemaReport report;
    const Schema *schema;
};

tn_status tn_schema_new(tn_value document, tn_schema **out_schema)
{
    tn_type type = tn_value_type(document);
    tn_schema *schema;
    tn_status status;

    if (type != TN_TYPE_OBJECT && type != TN_TYPE_BOOL)
        return TN_ERR_ARGUMENT;
    schema = memory_new(memory_default(), sizeof *schema);
    if (!schema)
        return TN_ERR_NOMEM;
    arena_init(&schema->arena, memory_default(), BYTES_MOST);
    status = tn_writer_new(&schema->document);
    if (status == TN_OK) {
        tn_put_value(schema->document, document);
        status = schema_read(&schema->arena, tn_writer_value(schema->document), SCHEMA_DIALECT_AUTO,
                             NULL, &schema->report, &schema->schema);
    }
    if (status != TN_OK) {
        tn_schema_free(schema);
        return status;
    }
    *out_schema = schema;
    return TN_OK;
}

void tn_schema_free(tn_schema *schema)
{
    if (!schema)
        return;
    arena_release(&schema->arena);
    tn_writer_free(schema->document);
    memory_free(memory_default(), schema, sizeof *schema);
}

tn_status tn_schema_check(const tn_schema *schema, tn_value value, char **out_why)
{
    const SchemaCheckOptions options = {.depth = 200};
    SchemaOutcome outcome = {.verdict = SCHEMA_UNDECIDED};
    tn_status status;
    Arena scratch;
    Buf why;

    arena_init(&scratch, memory_default(), BYTES_MOST);
    status = schema_check(schema->schema, value, &options, &scratch, &outcome);
    if (status == TN_OK && outcome.verdict != SCHEMA_VALID)
        status = outcome.verdict == SCHEMA_INVALID ? TN_ERR_ARGUMENT : TN_ERR_LIMIT;
    if (status == TN_ERR_ARGUMENT && out_why) {
        const SchemaFailure *failure = outcome.failures;
        text_begin(&why, memory_default(), BYTES_MOST);
        buf_append_string(&why, failure->path);
        buf_append_string(&why, " must be ");
        buf_append_string(&why, failure->expected);
        buf_append_string(&why, ", not ");
        buf_append_string(&why, failure->got);
        if (text_finish(&why, out_why, NULL) != TN_OK)
            status = TN_ERR_NOMEM;
    }
    arena_release(&scratch);
    return status;
}

static bool is_identifier(const char *name)
{
    size_t length =
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$0123456789");

    return length > 0 && name[length] == '\0' && !(name[0] >= '0' && name[0] <= '9');
}

tn_status tn_schema_type(const tn_schema *schema, const char *name, bool object, char **out_text)
{
    SchemaTypeOptions options = {.object = object};
    SchemaText declarations = {0}, type = {0};
    SchemaNames *names;
    tn_status status;
    Arena scratch;
    Buf text;

    if (!is_identifier(name))
        return TN_ERR_ARGUMENT;
    arena_init(&scratch, memory_default(), BYTES_MOST);
    names = schema_names_new(&scratch);
    /* a schema that refers to itself has the prefix as its name, which must not be NAME's */
    char *prefix = arena_push(&scratch, strlen(name) + sizeof "Part");
    if (prefix) {
        strcpy(prefix, name);
        strcat(prefix, "Part");
    }
    options.prefix = prefix;
    status = names && prefix
                 ? schema_type(&scratch, schema->schema, names, &options, &declarations, &type)
                 : TN_ERR_NOMEM;
    if (status == TN_OK) {
        text_begin(&text, memory_default(), BYTES_MOST);
        buf_append(&text, declarations.text, declarations.length);
        buf_append_string(&text, "type ");
        buf_append_string(&text, name);
        buf_append_string(&text, " = ");
        buf_append(&text, type.text, type.length);
        buf_append_string(&text, ";\n");
        status = text_finish(&text, out_text, NULL);
    }
    arena_release(&scratch);
    return status;
}
