#include "contract.h"

#include <string.h>

#include "base.h"
#include "json_type.h"
#include "syntax.h"

bool contract_is_name(const char *name)
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

static tn_status type_of(Arena *arena, const InputGiven *input, const JsonTable *tables,
                         const char **out_type)
{
    *out_type = "any";
    return input->json
               ? contract_type_of_json(arena, input->json, input->json_length, tables, out_type)
               : TN_OK;
}

tn_status contract_inputs(Arena *arena, const InputGiven *inputs, size_t count,
                          const JsonTable *tables, Declaration *out_declaration)
{
    const char *type;
    tn_status status = TN_OK;
    Buf out;

    *out_declaration = (Declaration){.name = "inputs.d.ts"};
    if (count == 0)
        return TN_OK;
    buf_init(&out, arena->allocator, (size_t)8 << 20);
    for (size_t i = 0; i < count && status == TN_OK; i++) {
        if (inputs[i].type || !contract_is_name(inputs[i].name))
            continue; /* it stands beside the program; or no program can name it so */
        status = type_of(arena, &inputs[i], tables, &type);
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
    if (status == TN_OK && out.length > 0) {
        out_declaration->text = arena_text(arena, (const char *)out.data, out.length);
        out_declaration->length = out.length;
        status = arena_status(arena);
    }
    buf_release(&out);
    return status;
}

static const char alias[] = "type T = ";

/* The place in the text of a place in the alias. */
static Span led_back(Span span, size_t length)
{
    uint32_t before = sizeof alias - 1, most = (uint32_t)length;
    uint32_t start = span.start > before ? span.start - before : 0;
    uint32_t end = span.end > before ? span.end - before : 0;

    start = start < most ? start : most;
    end = end < most ? end : most;
    return (Span){start, end > start ? end : start};
}

/* One finding at the most: what follows the first is mostly its consequence. */
tn_status contract_read_type(Arena *arena, const char *type, const Node **out_type,
                             const Finding **out_wrong)
{
    const ParseOptions options = {.declaration_file = false};
    const char *text = arena_printf(arena, "%s%s\n;", alias, type);
    size_t length = strlen(type);
    Finding *wrong = ARENA_NEW(arena, Finding);
    Findings findings;
    SourceFile *file;
    Source *source;

    if (!text || !wrong)
        return arena_status(arena);
    TRY(source_load(arena, "type", text, strlen(text), &source));
    findings_init(&findings, arena);
    TRY(parse_module(arena, source, &options, &findings, &file));
    const NodeList *list = file->statements;
    const Node *first = list->count > 0 ? list->at[0] : NULL;
    bool is_type = first && first->kind == NODE_TYPE_ALIAS_DECLARATION;

    const Node *tree = is_type ? as_type_alias(first)->type : NULL;
    const Finding *found = findings.first;

    *out_type = tree;
    *out_wrong = NULL;
    if (!found && is_type && list->count == 1 && first->end == strlen(text))
        return arena_status(arena);
    *out_wrong = wrong;
    if (found && (!tree || found->span.start < first->end)) {
        *wrong = *found;
    } else {
        uint32_t end = tree ? tree->end : 0;
        *wrong = (Finding){.message = "One type is wanted, and it ends here."};
        wrong->span = (Span){end > 0 ? end - 1 : 0, end};
    }
    wrong->span = led_back(wrong->span, length);
    return arena_status(arena);
}

tn_status contract_check_type(Arena *arena, const char *type)
{
    const Finding *wrong;
    const Node *tree;

    TRY(contract_read_type(arena, type, &tree, &wrong));
    return wrong ? TN_ERR_ARGUMENT : TN_OK;
}

/* ---- names in a type ---- */

typedef struct NameVisit {
    void (*visit)(void *context, const Name *name);
    void *context;
} NameVisit;

static bool visit_names(Node *node, void *context)
{
    const NameVisit *visit = context;

    if (node->kind == NODE_TYPE_REFERENCE || node->kind == NODE_TYPE_QUERY) {
        const Node *name = as_type_reference(node)->name;
        while (name->kind == NODE_QUALIFIED_NAME)
            name = as_qualified_name(name)->left;
        if (name->kind == NODE_IDENTIFIER)
            visit->visit(visit->context, as_identifier(name)->name);
    }
    return tree_each_child(node, visit_names, context);
}

void contract_each_name(const Node *type, void (*visit)(void *context, const Name *name),
                        void *context)
{
    NameVisit names = {visit, context};

    if (type)
        (void)visit_names((Node *)(uintptr_t)type, &names);
}
