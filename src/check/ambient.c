#include "ambient.h"

#include <string.h>

#include "globals.h"

enum { NAMES_MAX = 64, DEEPEST = SYNTAX_HEIGHT_MAX };

typedef struct Ambient {
    const Name *name;
    const Node *place;
    bool used;
    bool excused; /* it is made, or asked for, somewhere */
} Ambient;

typedef struct Looker {
    Ambient names[NAMES_MAX];
    size_t count;
    const Node *skipped; /* the child that is a name and no use of it */
    bool makes_globals;
    unsigned depth;
} Looker;

/* ---- what the world has ---- */

static const char language[] =
    " AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array "
    "BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry "
    "Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl "
    "Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect "
    "RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError URIError "
    "Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet arguments "
    "decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite "
    "isNaN parseFloat parseInt undefined unescape ";

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

/* Anywhere in a text, as a whole word. */
static bool has_word(const char *text, size_t length, const Name *name)
{
    const char *at = text, *end = text + length;

    while (name->length > 0 &&
           (at = memmem(at, (size_t)(end - at), name->text, name->length)) != NULL) {
        const char *after = at + name->length;
        if ((at == text || !is_name_part(at[-1])) && (after == end || !is_name_part(*after)))
            return true;
        at = after;
    }
    return false;
}

static bool is_first_part(const char *path, const Name *name)
{
    size_t length = strcspn(path, ".");

    return length == name->length && memcmp(path, name->text, length) == 0;
}

static bool is_provided(Arena *arena, const Offer *offer, const Name *name)
{
    Declaration realm = globals_for(arena, NULL, 0);

    if (has_word(language, sizeof language - 1, name) || has_word(realm.text, realm.length, name))
        return true;
    for (size_t i = 0; i < offer->declaration_count; i++) {
        if (has_word(offer->declarations[i].text, offer->declarations[i].length, name))
            return true;
    }
    for (size_t i = 0; i < offer->count; i++) {
        if (is_first_part(offer->functions[i].name, name))
            return true;
    }
    for (size_t i = 0; i < offer->input_count; i++) {
        if (is_first_part(offer->inputs[i], name))
            return true;
    }
    return false;
}

/* ---- what is only declared ---- */

static Ambient *ambient_of(Looker *looker, const Node *identifier)
{
    const Name *name =
        identifier && identifier->kind == NODE_IDENTIFIER ? as_identifier(identifier)->name : NULL;

    for (size_t i = 0; name && i < looker->count; i++) {
        if (looker->names[i].name == name)
            return &looker->names[i];
    }
    return NULL;
}

static void add(Looker *looker, const Node *name)
{
    if (!name || name->kind != NODE_IDENTIFIER || looker->count == NAMES_MAX ||
        ambient_of(looker, name))
        return;
    looker->names[looker->count++] = (Ambient){.name = as_identifier(name)->name, .place = name};
}

static void add_declared(Looker *looker, const Node *node)
{
    switch (node->kind) {
    case NODE_VARIABLE_STATEMENT: {
        const NodeList *list =
            as_variable_declaration_list(as_variable_statement(node)->declarations)->list;
        for (uint32_t i = 0; i < list->count; i++)
            add(looker, as_variable_declaration(list->at[i])->name);
        break;
    }
    case NODE_FUNCTION_DECLARATION:
        add(looker, as_function(node)->name);
        break;
    case NODE_CLASS_DECLARATION:
        add(looker, as_class(node)->name);
        break;
    case NODE_MODULE_DECLARATION:
        if (as_module_declaration(node)->token != TOKEN_GLOBAL)
            add(looker, as_module_declaration(node)->name);
        break;
    default: /* a constant enum may be put in where it is used */
        break;
    }
}

static bool is_ambient(const Node *node)
{
    return modifiers_of(node_modifiers(node)) & MODIFIER_DECLARE;
}

/* ---- uses ---- */

static bool look(Node *node, void *context);

static void descend(Looker *looker, const Node *node, const Node *skipped)
{
    const Node *before = looker->skipped;

    if (looker->depth == DEEPEST)
        return;
    looker->depth++;
    looker->skipped = skipped;
    (void)tree_each_child(node, look, looker);
    looker->skipped = before;
    looker->depth--;
}

static void excuse(Looker *looker, const Node *name)
{
    Ambient *ambient = ambient_of(looker, name);

    if (ambient)
        ambient->excused = true;
}

/* The child that is a name of its own. A binding of that name is another thing somewhere, so that
 * nothing is said of it anywhere. */
static const Node *name_in(Looker *looker, const Node *node)
{
    const Node *name = NULL;

    switch (node->kind) {
    case NODE_PROPERTY_ACCESS:
        return as_property_access(node)->name;
    case NODE_PROPERTY_ASSIGNMENT:
        return as_property_assignment(node)->name;
    case NODE_PROPERTY_DECLARATION:
        return as_property(node)->name;
    case NODE_METHOD_DECLARATION:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        return as_function(node)->name;
    case NODE_ENUM_MEMBER:
        return as_enum_member(node)->name;
    case NODE_LABELED_STATEMENT:
        return as_labeled_statement(node)->label;
    case NODE_BREAK_STATEMENT:
    case NODE_CONTINUE_STATEMENT:
        return as_unary(node)->expression;
    case NODE_VARIABLE_DECLARATION:
        name = as_variable_declaration(node)->name;
        break;
    case NODE_PARAMETER:
        name = as_parameter(node)->name;
        break;
    case NODE_BINDING_ELEMENT:
        excuse(looker, as_binding_element(node)->name);
        return as_binding_element(node)->property_name;
    case NODE_FUNCTION_DECLARATION:
    case NODE_FUNCTION_EXPRESSION:
        name = as_function(node)->name;
        break;
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
        name = as_class(node)->name;
        break;
    case NODE_ENUM_DECLARATION:
        name = as_enum_declaration(node)->name;
        break;
    case NODE_MODULE_DECLARATION:
        name = as_module_declaration(node)->name;
        break;
    case NODE_IMPORT_EQUALS_DECLARATION:
        name = as_import_equals(node)->name;
        break;
    case NODE_IMPORT_CLAUSE:
        name = as_import_clause(node)->name;
        break;
    case NODE_NAMESPACE_IMPORT:
        name = as_unary(node)->expression;
        break;
    case NODE_IMPORT_SPECIFIER:
        name = as_specifier(node)->name;
        break;
    case NODE_EXPORT_SPECIFIER:
        excuse(looker, as_specifier(node)->property_name);
        name = as_specifier(node)->name;
        break;
    default:
        break;
    }
    excuse(looker, name);
    return name;
}

static bool is_type(const Node *node)
{
    return (node->kind >= NODE_KEYWORD_TYPE && node->kind <= NODE_COMMENT_TYPE) ||
           node->kind == NODE_TYPE_PARAMETER || node->kind == NODE_INTERFACE_DECLARATION ||
           node->kind == NODE_TYPE_ALIAS_DECLARATION ||
           (node->kind == NODE_HERITAGE_CLAUSE &&
            as_heritage_clause(node)->token == TOKEN_IMPLEMENTS);
}

static bool look(Node *node, void *context)
{
    static const char world[] = "globalThis";
    Looker *looker = context;

    if (node == looker->skipped && node->kind == NODE_IDENTIFIER)
        return true;
    if (is_type(node) || is_ambient(node))
        return true;
    if (node->kind == NODE_TYPEOF_EXPRESSION)
        excuse(looker, as_unary(node)->expression);
    if (node->kind == NODE_IDENTIFIER) {
        const Name *name = as_identifier(node)->name;
        Ambient *ambient = ambient_of(looker, node);
        if (ambient)
            ambient->used = true;
        looker->makes_globals |=
            name->length == sizeof world - 1 && memcmp(name->text, world, name->length) == 0;
    }
    descend(looker, node, name_in(looker, node));
    return true;
}

void advise_ambient(Arena *arena, const SourceFile *file, const Offer *offer, Findings *findings)
{
    const NodeList *list = file->statements;
    Looker looker = {.count = 0};

    for (uint32_t i = 0; list && i < list->count; i++) {
        if (is_ambient(list->at[i]))
            add_declared(&looker, list->at[i]);
    }
    if (looker.count == 0)
        return;
    (void)tree_each_child(&file->node, look, &looker);
    for (size_t i = 0; i < looker.count && !looker.makes_globals; i++) {
        const Ambient *ambient = &looker.names[i];
        if (!ambient->used || ambient->excused || is_provided(arena, offer, ambient->name))
            continue;
        const char *message = arena_printf(
            arena,
            "`%.100s` is declared here, and nothing has it: `declare` makes nothing, and the run "
            "ends where it is used, unless it is given as an input",
            ambient->name->text);
        if (message)
            findings_add(findings, "TN1109", TN_SEVERITY_WARNING,
                         (Span){ambient->place->start, ambient->place->end}, message);
    }
}
