#include "packages.h"

#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "package.h"
#include "services.h"
#include "utf8.h"

/* ---- what cannot be used ---- */

static void add_problem(tn_engine *engine, const char *text)
{
    Arena *arena = &engine->registry.arena;
    const char **grown =
        text ? arena_grow(arena, engine->problems, engine->problem_count * sizeof *grown,
                          (engine->problem_count + 1) * sizeof *grown)
             : NULL;

    if (!grown)
        return;
    grown[engine->problem_count++] = text;
    engine->problems = grown;
}

void packages_problem(tn_engine *engine, const char *text)
{
    add_problem(engine, text);
}

static void add_faults(tn_engine *engine, const Tool *tool, const char *which,
                       const SchemaReport *report)
{
    Arena *arena = &engine->registry.arena;

    if (report->first)
        add_problem(engine,
                    arena_printf(arena,
                                 "%s: its %s schema is wrong at %s (%s)%s: what is there is "
                                 "unknown to the check",
                                 tool->shown, which,
                                 report->first->pointer[0] ? report->first->pointer : "its top",
                                 report->first->reason,
                                 report->count > 1 ? ", and at other places" : ""));
}

/* ---- the call ---- */

static tn_value empty_object(void)
{
    return tn_value_view("\xa0", 1);
}

static bool fits(const void *context, const tn_value *arguments, size_t *count, Arena *scratch,
                 Misfit *out_misfit)
{
    const Tool *tool = context;
    const Taker taker = {.input = tool->input,
                         .type = tool->type.text,
                         .type_length = tool->type.length,
                         .needs_argument = tool->needs_argument};

    return taker_fits(&taker, arguments, count, scratch, out_misfit);
}

/* What a program computes with is what was declared, or it is told. A schema that cannot be held
 * against so large a result costs the check, not the result. */
static bool accept_result(void *context, tn_value result, Buf *out_why)
{
    Tool *tool = context;
    const SchemaCheckOptions options = {.depth = 200};
    SchemaOutcome outcome = {.verdict = SCHEMA_VALID};
    Arena scratch;

    kept_observe(tool, result);
    if (!tool->output)
        return true;
    arena_init(&scratch, memory_default(), (size_t)64 << 20);
    bool refused = schema_check(tool->output, result, &options, &scratch, &outcome) == TN_OK &&
                   outcome.verdict == SCHEMA_INVALID;
    if (refused) {
        const SchemaFailure *failure = outcome.failures;
        buf_append_string(out_why, tool->shown);
        buf_append_string(out_why, " answered what its output schema does not allow: ");
        buf_append_string(out_why, failure->path);
        buf_append_string(out_why, " must be ");
        buf_append_string(out_why, failure->expected);
        buf_append_string(out_why, ", and is ");
        buf_append_string(out_why, failure->got);
        buf_append_string(out_why, "; the call itself was made");
    }
    arena_release(&scratch);
    return !refused;
}

static void call_tool(void *context, tn_call *call)
{
    const Tool *tool = context;
    tn_value argument = tn_call_argument(call, 0);

    if (tn_value_type(argument) != TN_TYPE_OBJECT)
        argument = empty_object();
    mcp_call(tool->package->server, tool->wire, argument, call);
}

/* ---- one tool ---- */

static SchemaText text_of(tn_value value)
{
    SchemaText text = {0};

    text.text = tn_value_text(value, &text.length);
    return text.text ? text : (SchemaText){"", 0};
}

/* "list_issues" and what the type is for: "ListIssuesInput". */
static const char *type_prefix(Arena *arena, const char *identifier, const char *what)
{
    char *prefix = arena_push(arena, strlen(identifier) + strlen(what) + 1), *at = prefix;
    bool capital = true;

    if (!prefix)
        return NULL;
    for (; *identifier; identifier++) {
        if (*identifier == '_') {
            capital = true;
            continue;
        }
        *at++ = capital && *identifier >= 'a' && *identifier <= 'z' ? (char)(*identifier - 32)
                                                                    : *identifier;
        capital = false;
    }
    memcpy(at, what, strlen(what) + 1);
    return prefix;
}

enum { LEARNED_TYPE_BYTES = 1200 };

typedef struct Saying {
    tn_engine *engine;
    Arena *arena;
    Buf *text; /* the package's declaration */
    SchemaNames *names;
    const char *learned; /* what types that were learned are marked with */
} Saying;

/* The type that a schema of the tool's means; "any" without one. Parts it declares are put first.
 */
static tn_status say_type(Saying *saying, Tool *tool, const char *identifier, const char *member,
                          const char *what, const Schema **out_schema, SchemaText *out_type)
{
    tn_value schema = tn_value_member(tool->about, member);
    SchemaTypeOptions options = {.prefix = type_prefix(saying->arena, identifier, what),
                                 .object = true};
    SchemaReport *report = ARENA_NEW(saying->arena, SchemaReport);
    SchemaText declarations = {0};
    tn_status status;

    *out_schema = NULL;
    *out_type = (SchemaText){"any", 3};
    if (tn_value_type(schema) == TN_TYPE_NONE)
        return TN_OK;
    if (!options.prefix || !report)
        return TN_ERR_NOMEM;
    status = schema_read(saying->arena, schema, SCHEMA_DIALECT_AUTO, NULL, report, out_schema);
    if (status == TN_OK)
        status = schema_type(saying->arena, *out_schema, saying->names, &options, &declarations,
                             out_type);
    if (status == TN_ERR_NOMEM)
        return status;
    if (status != TN_OK) {
        /* one schema that is too much takes no other tool along */
        add_problem(saying->engine,
                    arena_printf(saying->arena, "%s: its %s schema is too large to be read",
                                 tool->shown, what));
        *out_schema = NULL;
        *out_type = (SchemaText){"any", 3};
        return TN_OK;
    }
    add_faults(saying->engine, tool, strcmp(what, "Input") == 0 ? "input" : "output", report);
    buf_append(saying->text, declarations.text, declarations.length);
    return TN_OK;
}

static bool hint(tn_value about, const char *name)
{
    return tn_value_bool(tn_value_member(tn_value_member(about, "annotations"), name));
}

/* May it be called without an argument? */
static bool takes_nothing(const Schema *input, Arena *arena)
{
    SchemaOutcome outcome = {.verdict = SCHEMA_INVALID};

    return !input || (schema_check(input, empty_object(), NULL, arena, &outcome) == TN_OK &&
                      outcome.verdict == SCHEMA_VALID);
}

/* A type that was learned is `any` to the check, by its mark; whoever reads it sees what it was. */
static void say_learned(const Saying *saying, const Tool *tool)
{
    buf_append_string(saying->text, saying->learned);
    buf_append_byte(saying->text, '<');
    learned_type(tool->learned, LEARNED_TYPE_BYTES, saying->text);
    buf_append_byte(saying->text, '>');
}

enum { FACTS_BYTES = 800 };

static size_t facts_length(const Buf *facts)
{
    return facts->length <= FACTS_BYTES ? facts->length
                                        : utf8_floor(facts->data, facts->length, FACTS_BYTES);
}

static void add_fact(Buf *facts, const char *fact)
{
    buf_append_string(facts, facts->length > 0 ? " " : "");
    buf_append_string(facts, fact);
}

/* What is known of a tool beside its types and what the server says of it. */
static void say_facts(const Tool *tool, const char *identifier, Buf *facts)
{
    if (strcmp(identifier, tool->wire) != 0 && strlen(tool->wire) < 200 &&
        !strpbrk(tool->wire, "*/\n\r")) {
        buf_append_string(facts, "The server calls it ");
        buf_append_string(facts, tool->wire);
        buf_append_byte(facts, '.');
    }
    if (hint(tool->about, "destructiveHint"))
        add_fact(facts, "It may destroy what it works on.");
    if (tool->input)
        schema_facts(tool->input, "Its argument: ", facts);
    if (tool->output)
        schema_facts(tool->output, "Its result: ", facts);
    if (tool->learned) {
        uint32_t count = learned_results(tool->learned);
        char fact[80];
        (void)snprintf(fact, sizeof fact, "The type of its result was learned from %u result%s.",
                       count, count == 1 ? "" : "s");
        add_fact(facts, fact);
    }
}

static tn_status say_tool(Saying *saying, Tool *tool, const char *identifier)
{
    SchemaText result;
    Buf facts;
    tn_status status =
        say_type(saying, tool, identifier, "inputSchema", "Input", &tool->input, &tool->type);

    if (status == TN_OK)
        status =
            say_type(saying, tool, identifier, "outputSchema", "Output", &tool->output, &result);
    if (status != TN_OK)
        return status;
    tool->needs_argument = !takes_nothing(tool->input, saying->arena);
    buf_init(&facts, saying->arena->allocator, SIZE_MAX);
    say_facts(tool, identifier, &facts);
    schema_comment(saying->text, 2, text_of(tn_value_member(tool->about, "description")), 600,
                   (SchemaText){(const char *)facts.data, facts_length(&facts)});
    buf_release(&facts);
    buf_append_string(saying->text, "  function ");
    buf_append_string(saying->text, identifier);
    buf_append_string(saying->text, tool->needs_argument ? "(input: " : "(input?: ");
    buf_append(saying->text, tool->type.text, tool->type.length);
    buf_append_string(saying->text, "): Promise<");
    if (tool->learned)
        say_learned(saying, tool);
    else
        buf_append(saying->text, result.text, result.length);
    buf_append_string(saying->text, ">;\n");
    return buf_status(saying->text);
}

/* ---- one package ---- */

static tn_status add_tool(tn_engine *engine, const Tool *tool, bool *out_added)
{
    unsigned flags = hint(tool->about, "readOnlyHint") ? TN_FUNCTION_READ_ONLY : 0;
    Provider provider = {
        .context = (void *)(uintptr_t)tool, .invoke = call_tool, .accept = accept_result};
    tn_status status =
        registry_add(&engine->registry, ENTRY_FUNCTION, tool->shown, flags, provider);

    *out_added = status == TN_OK;
    if (status == TN_OK)
        engine->registry.entries[engine->registry.count - 1].check = (ArgumentCheck){tool, fits};
    if (status == TN_ERR_STATE || status == TN_ERR_ARGUMENT) {
        add_problem(engine, arena_printf(&engine->registry.arena,
                                         "%s: there is a function of that name already, or the "
                                         "name is none: it is left out",
                                         tool->shown));
        return TN_OK;
    }
    return status;
}

static tn_status add_declaration(tn_engine *engine, const Package *package, const Buf *text)
{
    char name[160];
    (void)snprintf(name, sizeof name, "%s.d.ts", package->name);

    return engine_declare(engine, name, (const char *)text->data, text->length);
}

/* What the tools of a package are called, and what is known of their results. */
static tn_status know_tools(Saying *saying, Package *package, const char *const *identifiers,
                            const SchemaText *wires)
{
    tn_status status = TN_OK;
    bool any = false;

    for (size_t i = 0; i < package->tool_count && status == TN_OK; i++) {
        Tool *tool = &package->tools[i];
        tool->engine = saying->engine;
        tool->package = package;
        tool->wire = arena_text(saying->arena, wires[i].text, wires[i].length);
        tool->shown = arena_printf(saying->arena, "%s.%s", package->name, identifiers[i]);
        tool->learns = tn_value_type(tn_value_member(tool->about, "outputSchema")) == TN_TYPE_NONE;
        if (!tool->wire || !tool->shown)
            return TN_ERR_NOMEM;
        if (tool->learns)
            status = kept_recall(tool);
        any = any || tool->learned;
    }
    if (!any || status != TN_OK)
        return status;
    saying->learned = schema_names_type(saying->names, "", (SchemaText){"Learned", 7});
    if (!saying->learned)
        return TN_ERR_NOMEM;
    buf_append_string(saying->text,
                      "  /** What results have looked like so far: no promise, and any "
                      "to the check. */\n  type ");
    buf_append_string(saying->text, saying->learned);
    buf_append_string(saying->text, "<Shape> = any;\n");
    return TN_OK;
}

static tn_status take_tools(Saying *saying, Package *package)
{
    tn_value tools = package->catalogue->tools;
    size_t count = tn_value_count(tools), at = 0;
    SchemaText *wires = ARENA_ARRAY(saying->arena, SchemaText, count + 1);
    const char **identifiers = ARENA_ARRAY(saying->arena, const char *, count + 1);
    Tool *made = package->tools = ARENA_ARRAY(saying->arena, Tool, count + 1);
    tn_status status;

    if (!wires || !identifiers || !made)
        return TN_ERR_NOMEM;
    for (tn_cursor cursor = {0}; at < count && tn_value_next(tools, &cursor); at++) {
        made[at].about = cursor.value;
        wires[at] = text_of(tn_value_member(cursor.value, "name"));
    }
    package->tool_count = at;
    status = schema_names_assign(saying->arena, wires, at, identifiers);
    if (status == TN_OK)
        status = know_tools(saying, package, identifiers, wires);
    for (size_t i = 0; i < at && status == TN_OK; i++) {
        Tool *tool = &made[i];
        status = add_tool(saying->engine, tool, &tool->added);
        if (status == TN_OK && tool->added)
            status = say_tool(saying, tool, identifiers[i]);
    }
    return status;
}

static tn_status take_package(tn_engine *engine, Package *package)
{
    Arena *arena = &engine->registry.arena;
    Saying saying = {.engine = engine, .arena = arena, .names = schema_names_new(arena)};
    Buf text;
    tn_status status = TN_OK;

    if (!package->catalogue)
        status = mcp_server_catalogue(package->server, &package->catalogue);
    if (status == TN_ERR_NOMEM || !saying.names)
        return TN_ERR_NOMEM;
    if (status != TN_OK || package->catalogue->error) {
        add_problem(engine, arena_printf(arena, "%s: %s", package->name,
                                         status == TN_OK ? package->catalogue->error
                                                         : tn_status_text(status)));
        return TN_OK;
    }
    for (size_t i = 0; i < package->catalogue->note_count; i++)
        add_problem(engine,
                    arena_printf(arena, "%s: %s", package->name, package->catalogue->notes[i]));
    mcp_server_expect(package->server, package->catalogue);
    buf_init(&text, &engine->allocator, SIZE_MAX);
    saying.text = &text;
    buf_append_string(&text, "declare namespace ");
    buf_append_string(&text, package->name);
    buf_append_string(&text, " {\n");
    status = take_tools(&saying, package);
    buf_append_string(&text, "}\ndeclare module \"");
    buf_append_string(&text, package->name);
    buf_append_string(&text, "\" {\n  export = ");
    buf_append_string(&text, package->name);
    buf_append_string(&text, ";\n}\n");
    if (status == TN_OK)
        status = buf_status(&text);
    if (status == TN_OK)
        status = add_declaration(engine, package, &text);
    buf_release(&text);
    return status;
}

/* ---- all of them ---- */

static bool is_package_name(const char *name)
{
    bool first = true;

    for (; *name; name++, first = false) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                      *name == '_' || *name == '$';
        if (!letter && (first || *name < '0' || *name > '9'))
            return false;
    }
    return !first;
}

tn_status packages_may_add(const tn_engine *engine, const char *name)
{
    if (engine->closed)
        return TN_ERR_STATE;
    if (!is_package_name(name))
        return TN_ERR_ARGUMENT;
    for (size_t i = 0; i < engine->package_count; i++) {
        if (strcmp(engine->packages[i].name, name) == 0)
            return TN_ERR_STATE;
    }
    return services_have(engine, name) ? TN_ERR_STATE : TN_OK;
}

static tn_mcp_server read_server(const tn_mcp_server *server)
{
    tn_mcp_server result = {.size = sizeof result};

    memcpy(&result, server, server->size < sizeof result ? server->size : sizeof result);
    return result;
}

/* What the embedder calls an elicitation is the client's question. */
static void elicit(void *user, McpQuestion *question)
{
    tn_engine *engine = user;

    engine->elicit(engine->elicit_user, (tn_elicitation *)question);
}

const char *tn_elicitation_package(const tn_elicitation *elicitation)
{
    return mcp_server_name(mcp_question_server((const McpQuestion *)elicitation));
}

tn_value tn_elicitation_params(const tn_elicitation *elicitation)
{
    return mcp_question_params((const McpQuestion *)elicitation);
}

void tn_elicitation_answer(tn_elicitation *elicitation, tn_elicit_action action, tn_value content)
{
    static const McpAction actions[] = {[TN_ELICIT_ACCEPT] = MCP_ACCEPT,
                                        [TN_ELICIT_DECLINE] = MCP_DECLINE,
                                        [TN_ELICIT_CANCEL] = MCP_CANCEL};

    mcp_question_answer((McpQuestion *)elicitation,
                        action <= TN_ELICIT_CANCEL ? actions[action] : MCP_CANCEL, content);
}

tn_status tn_engine_add_mcp(tn_engine *engine, const char *package, const tn_mcp_server *server)
{
    Arena *arena = &engine->registry.arena;
    tn_mcp_server chosen = read_server(server);
    McpServerOptions options = {.name = package,
                                .command = chosen.command,
                                .arguments = chosen.arguments,
                                .environment = chosen.environment,
                                .folder = chosen.folder,
                                .url = chosen.url,
                                .headers = chosen.headers,
                                .start_ms = chosen.start_ms,
                                .call_ms = chosen.call_ms};
    McpClientOptions client = {.allocator = &engine->allocator};
    size_t count = engine->package_count;
    Package *grown;
    tn_status status = TN_OK;

    client.host.user = engine;
    client.host.listed = kept_listed;
    client.host.elicit = engine->elicit ? elicit : NULL;
    if (!chosen.command == !chosen.url)
        return TN_ERR_ARGUMENT;
    status = packages_may_add(engine, package);
    if (status != TN_OK)
        return status;
    grown = arena_grow(arena, engine->packages, count * sizeof *grown, (count + 1) * sizeof *grown);
    if (!grown)
        return TN_ERR_NOMEM;
    engine->packages = grown;
    if (!engine->mcp)
        status = mcp_client_new(&client, &engine->mcp);
    grown[count] = (Package){.name = arena_string(arena, package)};
    if (status == TN_OK && !grown[count].name)
        status = TN_ERR_NOMEM;
    if (status == TN_OK)
        status = kept_key(engine, &chosen, &grown[count].key);
    if (status == TN_OK)
        status = mcp_server_add(engine->mcp, &options, &grown[count].server);
    engine->package_count += status == TN_OK;
    return status;
}

tn_status packages_open(tn_engine *engine)
{
    tn_status status = TN_OK;

    kept_open(engine);
    for (size_t i = 0; i < engine->package_count; i++) {
        Package *package = &engine->packages[i];
        package->catalogue = kept_catalogue(engine, package);
        if (!package->catalogue || engine->cache_use == TN_CACHE_REFRESH)
            mcp_server_begin(package->server);
    }
    for (size_t i = 0; i < engine->package_count && status == TN_OK; i++)
        status = take_package(engine, &engine->packages[i]);
    return status == TN_OK ? services_open(engine) : status;
}

const Learned *packages_learned(const RegistryEntry *entry)
{
    return entry->provider.invoke == call_tool ? ((Tool *)entry->provider.context)->learned : NULL;
}

bool packages_missing(const tn_engine *engine, const char *pattern)
{
    for (size_t i = 0; i < engine->package_count; i++) {
        const Package *package = &engine->packages[i];
        size_t length = strlen(package->name);
        if (strncmp(pattern, package->name, length) == 0 && pattern[length] == '.' &&
            (!package->catalogue || package->catalogue->error))
            return true;
    }
    return false;
}

void packages_close(tn_engine *engine)
{
    mcp_client_free(engine->mcp);
    kept_close(engine);
    services_close(engine);
    for (size_t i = 0; i < engine->package_count; i++)
        mcp_catalogue_free(engine->packages[i].catalogue);
}

size_t tn_engine_problem_count(const tn_engine *engine)
{
    return engine->problem_count;
}

const char *tn_engine_problem(const tn_engine *engine, size_t index)
{
    return index < engine->problem_count ? engine->problems[index] : NULL;
}
