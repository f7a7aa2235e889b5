/*
 * Policies: what a run may call and on what terms, seen from outside. Rules of every kind, and two
 * of the three ways round them that must not exist: past a denial, to a parameter that the host has
 * fixed.
 */
#include "under.h"

/* ---- allow and deny ---- */

static void without(void)
{
    Under under = {.try = {.setup = setup}};

    CHECK(gives(&under, "await hub.send(1)", "1"));
    CHECK(make(&under, NULL) && gives(&under, "await hub.send(1)", "1"));
    CHECK(make(&under, "{}") && gives(&under, "await hub.send(2)", "2"));
    end(&under);
    tn_policy_free(NULL);
    tn_question_free(NULL);
}

static void denials(void)
{
    Under under = {0};

    make(&under, "{\"rules\":[{\"deny\":\"hub.s*\",\"reason\":\"not on Mondays\"}]}");
    run_under(&under, "\nawait hub.send(1)");
    CHECK(is_denied(&under, "hub.send is denied by the policy (rule \"hub.s*\"): not on Mondays"));
    CHECK(try_error(&under.try)->line == 2);
    CHECK(has_said(""));
    CHECK(tn_outcome_effect_count(under.try.outcome) == 1);
    CHECK(effect_at(&under, 0)->denied && !effect_at(&under, 0)->ok && !effect_at(&under, 0)->open);
    CHECK(strcmp(effect_at(&under, 0)->name, "hub.send") == 0);
    CHECK(gives(&under,
                "try { await hub.send(1) } catch (e) {"
                " [e instanceof Error, e.code, e.retryable, e.package, e.function] }",
                "[true,\"denied\",false,\"hub\",\"send\"]"));
    CHECK(effect_at(&under, 0)->denied);
    CHECK(gives(&under, "await hub.list(1)", "1"));
    /* one that looks like a denial and is none; one that only comes of a denial */
    run_under(&under, "throw Object.assign(new Error('hub.send is denied'), {code: 'denied'})");
    CHECK(try_status(&under.try) == TN_OUTCOME_FAILED);
    run_under(&under, "try { await hub.send() } catch (e) { throw new Error('x', {cause: e}) }");
    CHECK(try_status(&under.try) == TN_OUTCOME_FAILED);
    /* functions that answer at once, methods, packages in packages */
    make(&under, "{\"rules\":[{\"deny\":[\"hub.now\",\"Cursor.n*\",\"a.b.*\"]}]}");
    run_under(&under, "hub.now()");
    CHECK(is_denied(&under, "hub.now is denied"));
    run_under(&under, "const c = await hub.open(); await c.next()");
    CHECK(is_denied(&under, "Cursor.next is denied"));
    CHECK(gives(&under, "const c = await hub.open(); c.drop(5)", "5"));
    run_under(&under, "await a.b.deep()");
    CHECK(is_denied(&under, "a.b.deep"));
    end(&under);
}

/* However it is called, whatever it was named, the denial is met. */
static void no_way_past(void)
{
    static const char *const ways[] = {
        "await hub.send(1)",
        "import {send} from 'hub'; await send(1)",
        "import {send as x} from 'hub'; await x.call(null, 1)",
        "import hub2 from 'hub'; await hub2.send(1)",
        "import * as all from 'hub'; await all.send(1)",
        "import * as all from 'hub'; await all.default.send(1)",
        "await globalThis.hub.send.bind({}, 1)()",
        "await Reflect.apply(hub.send, hub, [1])",
        "await new Proxy(hub.send, {})(1)",
        "await [1].map(hub.send)[0]",
        "const {send} = {...hub}; await send(1)",
        "await Object.getOwnPropertyDescriptor(hub, 'send').value(1)",
        "await Object.values(hub).map(f => f.name === 'send' ? f(1) : 0).find(x => x)",
        "await Promise.resolve(1).then(hub.send)",
        "const send = hub.send; class A { static send = send }; await A.send(1)",
        "await Function.prototype.call.call(hub.send, hub, 1)",
        "await eval('hub.send(1)')",
    };
    Under under = {0};

    make(&under, "{\"rules\":[{\"deny\":\"hub.send\"}]}");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        run_under(&under, ways[i]);
        CHECK_SAY(try_status(&under.try) == TN_OUTCOME_DENIED, "%s: %s", ways[i],
                  tn_outcome_status_text(try_status(&under.try)));
    }
    CHECK(has_said(""));
    end(&under);
}

static void defaults(void)
{
    Under under = {0};

    make(&under, "{\"default\":\"deny\",\"rules\":[{\"allow\":\"hub.list\"}]}");
    CHECK(gives(&under, "await hub.list(1)", "1"));
    run_under(&under, "await hub.send(1)");
    CHECK(is_denied(&under, "(rule \"default\")"));
    make(&under, NULL);
    CHECK(tn_policy_default(under.policy, TN_POLICY_DENY) == TN_OK);
    CHECK(tn_policy_add(under.policy, TN_POLICY_ALLOW, "hub.*") == TN_OK);
    CHECK(tn_policy_add(under.policy, TN_POLICY_DENY, "hub.drop") == TN_OK);
    CHECK(tn_policy_add(under.policy, TN_POLICY_DENY, "hub") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_add(under.policy, TN_POLICY_DENY, "") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_add(under.policy, TN_POLICY_DENY, "hub.a b") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_add(under.policy, (tn_policy_effect)3, "*") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_default(under.policy, (tn_policy_effect)-1) == TN_ERR_ARGUMENT);
    CHECK(tn_policy_override(under.policy, "hub.*", NULL, NULL) == TN_ERR_ARGUMENT);
    CHECK(gives(&under, "await hub.send(1)", "1"));
    run_under(&under, "await hub.drop(1)");
    CHECK(is_denied(&under, "hub.drop"));
    run_under(&under, "await mock.any(1)");
    CHECK(is_denied(&under, "mock.any"));
    end(&under);
}

static void conditions(void)
{
    Under under = {0};

    make(&under, "{\"default\":\"deny\",\"rules\":[{\"allow\":\"hub.send\",\"when\":{"
                 "\"repo\":{\"prefix\":\"acme/\"},\"options.force\":{\"oneOf\":[false,null]},"
                 "\"1\":{\"pattern\":\"*.md\"}}}]}");
    CHECK(gives(&under, "(await hub.send({repo: 'acme/x', options: {force: false}}, 'a.md')).repo",
                "\"acme/x\""));
    CHECK(gives(&under, "(await hub.send({repo: 'acme/', options: {force: null}}, '.md')).repo",
                "\"acme/\""));
    const char *const wrong[] = {
        "await hub.send({repo: 'acme', options: {force: false}}, 'a.md')",
        "await hub.send({repo: ['acme/x'], options: {force: false}}, 'a.md')",
        "await hub.send({repo: 'acme/x', options: {force: 0}}, 'a.md')",
        "await hub.send({repo: 'acme/x', options: {}}, 'a.md')",
        "await hub.send({repo: 'acme/x'}, 'a.md')",
        "await hub.send({repo: 'acme/x', options: {force: false}}, 'a.txt')",
        "await hub.send({repo: 'acme/x', options: {force: false}})",
        "await hub.send(Object.create({repo: 'acme/x', options: {force: false}}), 'a.md')",
        "await hub.send(new Map([['repo', 'acme/x']]), 'a.md')",
        "await hub.send()",
        "await hub.send('acme/x')",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_under(&under, wrong[i]);
        CHECK_SAY(try_status(&under.try) == TN_OUTCOME_DENIED, "%s", wrong[i]);
    }
    /* what is shared inside an argument is followed; what changes while it is read is read once */
    make(&under, "{\"rules\":[{\"deny\":\"hub.send\",\"when\":{\"b.x\":1}}]}");
    run_under(&under, "const o = {x: 1}; await hub.send({a: o, b: o})");
    CHECK(is_denied(&under, "hub.send"));
    run_under(&under, "let n = 0; await hub.send({b: {get x() { return ++n }}})");
    CHECK(try_status(&under.try) == TN_OUTCOME_FAILED);
    end(&under);
}

/* ---- limits, what only reads ---- */

static void limits(void)
{
    Under under = {0};

    make(&under, "{\"limits\":{\"hub.*\":{\"calls\":3},\"hub.s*\":{\"calls\":2}}}");
    CHECK(gives(&under,
                "let n = 0, code; try { for (;;) { await hub.send(1); n++ } } "
                "catch (e) { code = [e.code, e.retryable] }\n"
                "let m = 0; try { for (;;) { await hub.list(1); m++ } } catch (e) {}\n"
                "[n, m, code]",
                "[2,3,[\"LIMIT\",false]]"));
    CHECK(gives(&under, "await hub.send(1)", "1"));
    /* each piece of work counts from zero */
    run_under(&under, "await Promise.all([1, 2, 3].map(i => hub.send(i)))");
    CHECK(try_status(&under.try) == TN_OUTCOME_FAILED);
    CHECK(strstr(try_error(&under.try)->message,
                 "has been called as often as the policy lets a run call it (2)"));

    make(&under, "{\"limits\":{\"hub.never\":{\"timeMs\":30}}}");
    double start_ms = check_now_ms();
    CHECK(gives(&under, "try { await hub.never(1) } catch (e) { [e.code, e.retryable] }",
                "[\"TIMEOUT\",true]"));
    CHECK(check_now_ms() - start_ms < 5000);
    CHECK(kept_call && tn_call_cancelled(kept_call));
    if (kept_call)
        tn_call_finish(kept_call);
    kept_call = NULL;
    CHECK(gives(&under, "await hub.later(1)", "\"later\""));
    end(&under);
}

static void read_only(void)
{
    Under under = {0};

    make(&under, "{\"readOnly\":{\"hub.*\":true,\"hub.send\":false,\"hub.list\":false}}");
    CHECK(gives(&under, "await hub.drop(1); await hub.send(2); await hub.list(3)", "3"));
    CHECK(tn_outcome_effect_count(under.try.outcome) == 2);
    CHECK(strcmp(effect_at(&under, 0)->name, "hub.send") == 0);
    CHECK(strcmp(effect_at(&under, 1)->name, "hub.list") == 0);
    end(&under);
}

/* ---- bound arguments ---- */

static void bound(void)
{
    Under under = {0};

    make(&under,
         "{\"bound\":{\"hub.*\":{\"userId\":7,\"org\":\"a\"},\"hub.send\":{\"org\":\"b\"}}}");
    CHECK(gives(&under, "typeof await hub.send({x: 1})", "\"object\""));
    CHECK(has_said("hub.send({\"x\":1,\"org\":\"b\",\"userId\":7});") ||
          has_said("hub.send({\"x\":1,\"userId\":7,\"org\":\"b\"});"));
    forget();
    CHECK(gives(&under, "await hub.list(), await hub.list(undefined), await hub.now({}); 1", "1"));
    CHECK(strstr(said.text, "hub.list({") && strstr(said.text, "\"userId\":7"));
    CHECK(strstr(said.text, "hub.now({"));
    /* a cycle keeps what it points to */
    forget();
    CHECK(gives(&under,
                "const o = {deep: [{}]}; o.self = o; o.again = o.deep; const r = await hub.send(o);"
                "[r.self === r, r.again === r.deep, r.userId]",
                "[true,true,7]"));
    /* it cannot be passed, not even as undefined, nor read from anywhere */
    forget();
    const char *const tries[] = {
        "await hub.send({userId: 8})",
        "await hub.send({userId: undefined})",
        "await hub.send({x: 1, ['user' + 'Id']: 7})",
        "await hub.send(JSON.parse('{\"userId\":1}'))",
        "await hub.send(Object.assign(Object.create(null), {org: 'z'}))",
        "hub.now({org: 'z'})",
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        run_under(&under, tries[i]);
        CHECK_SAY(is_denied(&under, "leave it out of the call"), "%s", tries[i]);
    }
    CHECK(has_said(""));
    const char *const kinds[] = {"await hub.send('x')", "await hub.send(null)",
                                 "await hub.send([])", "await hub.send(new Map())",
                                 "await hub.send(5, {userId: 1})"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run_under(&under, kinds[i]);
        CHECK_SAY(is_denied(&under, "has to be an object"), "%s", kinds[i]);
    }
    CHECK(has_said(""));
    /* a proxy, an accessor or a prototype brings nothing in that is not seen */
    run_under(&under, "await hub.send(Object.create({userId: 8}))");
    CHECK(try_ok(&under.try) ? strstr(said.text, "\"userId\":7") != NULL : has_said(""));
    CHECK(gives(&under, "const o = {}; await hub.list(o); Object.keys(o).length", "0"));
    CHECK(gives(&under, "Object.keys(hub.send).length + hub.send.length", "0"));
    CHECK(gives(&under, "String(hub.send).includes('userId')", "false"));
    /* conditions see what is handed over */
    make(&under, "{\"bound\":{\"hub.send\":{\"userId\":7}},"
                 "\"rules\":[{\"deny\":\"hub.send\",\"when\":{\"userId\":7}}]}");
    run_under(&under, "await hub.send({})");
    CHECK(is_denied(&under, "hub.send"));
    end(&under);
}

/* ---- exported functions ---- */

static void exported(void)
{
    Under under = {0};
    tn_handle *handle = NULL;
    tn_writer *writer = NULL;
    tn_value arguments = try_input(&writer, "[1]");

    make(&under, "{\"rules\":[{\"deny\":\"hub.drop\"}],\"limits\":{\"hub.send\":{\"calls\":1}}}");
    try_program(&under.try, "export const send = x => hub.send(x), drop = x => hub.drop(x);");
    tn_run_options options = options_of(&under);
    CHECK(tn_program_export(under.try.program, "send", &options, &handle, NULL) == TN_OK);
    for (int i = 0; handle && i < 3; i++) {
        tn_outcome_free(under.try.outcome);
        under.try.outcome = NULL;
        CHECK(tn_handle_call(handle, NULL, arguments, &under.try.outcome) == TN_OK);
        CHECK(strcmp(try_json(&under.try), "1") == 0);
    }
    tn_handle_free(handle);
    CHECK(tn_program_export(under.try.program, "drop", &options, &handle, NULL) == TN_OK);
    tn_outcome_free(under.try.outcome);
    under.try.outcome = NULL;
    CHECK(tn_handle_call(handle, NULL, arguments, &under.try.outcome) == TN_OK);
    CHECK(is_denied(&under, "hub.drop"));
    tn_handle_free(handle);
    tn_writer_free(writer);
    end(&under);
}

/* ---- findings ---- */

static bool finds(Under *under, const char *text, unsigned line)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_program *program = NULL;
    unsigned found = 0;

    options.name = "program.ts";
    options.unchecked = true;
    options.policy = under->policy;
    CHECK(tn_program_new(try_engine(&under->try), text, strlen(text), &options, &program) == TN_OK);
    for (size_t i = 0; i < tn_program_finding_count(program); i++) {
        const tn_finding *finding = tn_program_finding(program, i);
        if (strcmp(finding->code, "TN1301") == 0)
            found = finding->line;
    }
    CHECK(tn_program_ready(program) == (found == 0));
    tn_program_free(program);
    if (found == line)
        return true;
    (void)fprintf(stderr, "    %s: found on line %u, not %u\n", text, found, line);
    return false;
}

static void findings(void)
{
    static const char *const certain[] = {
        "\nawait hub.send(1)",
        "import {send} from 'hub';\nawait send(1)",
        "import {send as s} from 'hub';\nif (Math.random() > 2) await s(1)",
        "import h from 'hub';\nawait h.send(1)",
        "import * as h from 'hub';\nawait h.send(1)",
        "const f = () =>\n hub.send(1); f",
        "\nawait a.b.deep()",
        "let x = {hub: 1, send: 2};\nawait hub.send(x)",
    };
    static const char *const uncertain[] = {
        "const hub = {send(x) { return x }}; hub.send(1)",
        "function f(hub) { return hub.send(1) } f({send() {}})",
        "for (const hub of [{send() {}}]) hub.send(1)",
        "try { throw {send() {}} } catch (hub) { hub.send(1) }",
        "const f = function hub() {}; f.send = () => 1; class A { m(send) { return send(1) } } 1",
        "import {send} from 'hub'; [1].map(send => send)",
        "import type {send} from 'hub'; 1",
        "Object.defineProperty(globalThis, 'hub', {value: {send() {}}}); hub.send(1)",
        "hub.list(1)",
        "hub['send'](1)",
        "hub?.send(1)",
        "const {send} = hub; send(1)",
        "const h = hub; h.send(1)",
        "import {send} from 'hub'; const g = send; g(1)",
        "hub.open(1)",
    };
    Under under = {0};

    make(&under, "{\"rules\":[{\"deny\":[\"hub.send\",\"a.b.*\"]},"
                 "{\"deny\":\"hub.open\",\"when\":{\"x\":1}}]}");
    for (size_t i = 0; i < sizeof certain / sizeof *certain; i++)
        CHECK(finds(&under, certain[i], 2));
    for (size_t i = 0; i < sizeof uncertain / sizeof *uncertain; i++)
        CHECK(finds(&under, uncertain[i], 0));
    make(&under, "{\"default\":\"deny\",\"rules\":[{\"allow\":\"hub.send\",\"when\":{\"x\":1}},"
                 "{\"ask\":\"hub.list\"}],\"override\":{\"mock.*\":{\"deny\":true}}}");
    CHECK(finds(&under, "hub.send(1)", 0));
    CHECK(finds(&under, "hub.list(1)", 0));
    CHECK(finds(&under, "hub.open(1)", 1));
    CHECK(finds(&under, "mock.any(1)", 1));
    CHECK(finds(&under, "Math.max(1)", 0));
    end(&under);
}

/* ---- hostile policies, many rules ---- */

static bool refuses(const char *json, const char *words)
{
    tn_policy *policy = NULL;
    char *fault = NULL;
    tn_status status = tn_policy_new(json, strlen(json), &policy, &fault);
    bool good = status == TN_ERR_ARGUMENT && !policy && fault && strstr(fault, words);

    if (!good)
        (void)fprintf(stderr, "    %.80s: %s, not %s\n", json, fault ? fault : "taken", words);
    tn_text_free(fault);
    tn_policy_free(policy);
    return good;
}

static void faults(void)
{
    tn_policy *policy = NULL;

    CHECK(refuses("", "JSON"));
    CHECK(refuses("{", "JSON"));
    CHECK(refuses("[]", "$: expected an object, got an empty array"));
    CHECK(refuses("{\"rules\":[{\"deny\":\"hub.*\"},{\"allow\":7}]}",
                  "$.rules[1].allow: expected a pattern like \"github.*\", or an array of them, "
                  "got 7"));
    CHECK(refuses("{\"rules\":[{\"deny\":[\"hub.*\",\"hub\"]}]}", "$.rules[0].deny[1]: expected a "
                                                                  "function of a package"));
    CHECK(tn_policy_new("x", 1, &policy, NULL) == TN_ERR_ARGUMENT && !policy);
}

static char *repeated(const char *begin, const char *part, size_t count, const char *finish)
{
    size_t length = strlen(part);
    char *text = malloc(strlen(begin) + count * length + strlen(finish) + 1);
    char *at = stpcpy(text, begin);

    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, part);
    strcpy(at, finish);
    return text;
}

static void huge(void)
{
    tn_policy *policy = NULL;
    char *fault = NULL;
    char *deep = repeated("{\"bound\":{\"a.*\":{\"x\":", "[", 100000, "");

    CHECK(tn_policy_new(deep, strlen(deep), &policy, &fault) == TN_ERR_ARGUMENT);
    tn_text_free(fault);
    free(deep);
    deep = repeated("{\"bound\":{\"a.*\":{\"x\":", "[", 70, "");
    char *closed = repeated(deep, "]", 70, "}}}");
    CHECK(refuses(closed, "64 levels deep"));
    free(deep);
    free(closed);
    char *long_name = repeated("{\"rules\":[{\"deny\":\"a.", "x", 100000, "\"}]}");
    CHECK(refuses(long_name, "at most 200 bytes"));
    free(long_name);
    char *stars = repeated("{\"rules\":[{\"deny\":\"a.", "*x", 90, "\"}]}");
    Under under = {0};
    CHECK(make(&under, stars) && gives(&under, "await hub.send(1)", "1"));
    free(stars);
    end(&under);
}

/* ---- slips ---- */

static void unmatched(void)
{
    static const struct {
        const char *policy, *told;
    } cases[] = {
        {"{}", ""},
        {"{\"rules\":[{\"deny\":[\"hub.*\",\"*.send\",\"*\",\"Cursor.next\",\"a.b.deep\",\"a.*\"]}]"
         "}",
         ""},
        {"{\"rules\":[{\"deny\":\"hub.drpo\"},{\"allow\":\"hbu.*\"},{\"ask\":\"Curser.next\"}]}",
         "deny \"hub.drpo\" fits no function: did you mean \"hub.drop\"?\n"
         "allow \"hbu.*\" fits no function: did you mean \"hub.*\"?\n"
         "ask \"Curser.next\" fits no function: did you mean \"Cursor.next\"?\n"},
        {"{\"rules\":[{\"deny\":\"far.away\"}]}", "deny \"far.away\" fits no function\n"},
        {"{\"limits\":{\"hub.lst*\":{\"calls\":1}},\"readOnly\":{\"hub.sends\":true},"
         "\"bound\":{\"x.y\":{\"a\":1}},\"override\":{\"hub.sent\":{\"value\":1}}}",
         "limits \"hub.lst*\" fits no function: did you mean \"hub.list*\"?\n"
         "readOnly \"hub.sends\" fits no function: did you mean \"hub.send\"?\n"
         "bound \"x.y\" fits no function\n"
         "override \"hub.sent\" fits no function: did you mean \"hub.send\"?\n"},
        {"{\"override\":{\"hub.send\":{\"function\":\"mock.ayn\"}}}",
         "override \"hub.send\": there is no function \"mock.ayn\" to run in its place: did you "
         "mean "
         "\"mock.any\"?\n"},
        /* only declared: it can be checked against */
        {"{\"rules\":[{\"deny\":[\"web.get\",\"web.gte\"]}]}",
         "deny \"web.gte\" fits no function: did you mean \"web.get\"?\n"},
    };
    static const char declared[] = "declare namespace web { function get(url: string): void }";
    tn_engine *engine = NULL;
    tn_policy *policy = NULL;
    char *text = NULL;
    size_t length = 0;

    CHECK(tn_engine_new(NULL, &engine) == TN_OK);
    setup(engine);
    CHECK(tn_engine_add_declarations(engine, "web.d.ts", declared, sizeof declared - 1) == TN_OK);
    CHECK(tn_policy_new(NULL, 0, &policy, NULL) == TN_OK);
    CHECK(tn_policy_unmatched(engine, policy, &text, &length) == TN_ERR_STATE);
    tn_policy_free(policy);
    CHECK(tn_engine_open(engine) == TN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(tn_policy_new(cases[i].policy, strlen(cases[i].policy), &policy, NULL) == TN_OK);
        if (CHECK(tn_policy_unmatched(engine, policy, &text, &length) == TN_OK))
            CHECK_SAY(strcmp(text, cases[i].told) == 0, "%s\n    tells %s    not   %s",
                      cases[i].policy, text, cases[i].told);
        tn_text_free(text);
        tn_policy_free(policy);
    }
    tn_engine_free(engine);
}

/* ---- what is shown ---- */

typedef struct Showing {
    tn_engine *engine;
    const char *policy;
} Showing;

/* Both answers under a policy, one after the other. */
static void show(const Showing *showing, char out[4000])
{
    tn_policy *policy = NULL;
    char *text = NULL;
    size_t length = 0;

    out[0] = 0;
    if (showing->policy)
        CHECK(tn_policy_new(showing->policy, strlen(showing->policy), &policy, NULL) == TN_OK);
    if (CHECK(tn_engine_search(showing->engine, "send list", 0, policy, &text, &length) == TN_OK))
        strncat(out, text, 1900);
    tn_text_free(text);
    if (CHECK(tn_engine_describe(showing->engine, "hub.send hub.list", 0, policy, &text, &length) ==
              TN_OK))
        strncat(out, text, 1900);
    tn_text_free(text);
    tn_policy_free(policy);
}

static void *show_many(void *argument)
{
    static const char *const policies[] = {
        NULL,
        "{\"rules\":[{\"deny\":\"hub.send\"}]}",
        "{\"rules\":[{\"deny\":\"hub.list\"}]}",
        "{\"bound\":{\"hub.send\":{\"userId\":1}}}",
        "{\"bound\":{\"hub.*\":{\"to\":1}}}",
        "{\"default\":\"deny\"}",
        "{\"override\":{\"hub.send\":{\"deny\":true}}}",
    };
    Showing showing = {argument, NULL};
    char text[4000];

    for (unsigned i = 0; i < 40; i++) {
        showing.policy = policies[i % 7];
        show(&showing, text);
        CHECK_SAY((strstr(text, "userId") != NULL) == (i % 7 == 0 || i % 7 == 2 || i % 7 == 4),
                  "%s: %s", showing.policy, text);
    }
    return NULL;
}

static void shown(void)
{
    static const char declared[] =
        "declare namespace hub {\n"
        "  function send(m: { to: string; /** secret of the host */ userId: number }): void;\n"
        "  function list(q: Query): void;\n"
        "  interface Query { repo: string }\n"
        "}";
    Showing showing = {0};
    pthread_t threads[4];
    char text[4000];

    CHECK(tn_engine_new(NULL, &showing.engine) == TN_OK);
    setup(showing.engine);
    CHECK(tn_engine_add_declarations(showing.engine, "hub.d.ts", declared, sizeof declared - 1) ==
          TN_OK);
    CHECK(tn_engine_open(showing.engine) == TN_OK);
    show(&showing, text);
    CHECK(strstr(text, "hub.send(m: { to: string; userId: number })") && strstr(text, "hub.list("));
    showing.policy = "{\"rules\":[{\"deny\":\"hub.send\"}],\"bound\":{\"hub.list\":{\"repo\":1}}}";
    show(&showing, text);
    CHECK_SAY(!strstr(text, "hub.send(") && !strstr(text, "function send") &&
                  strstr(text, "hub.list(q: Omit<Query, \"repo\">)") &&
                  strstr(text, "// there is no \"hub.send\""),
              "%s", text);
    CHECK(!strstr(text, "did you mean hub.send"));
    /* denied on a condition: it may be called */
    showing.policy = "{\"rules\":[{\"deny\":\"hub.send\",\"when\":{\"to\":\"x\"}}],"
                     "\"bound\":{\"hub.send\":{\"userId\":7}}}";
    show(&showing, text);
    CHECK_SAY(strstr(text, "hub.send(m: { to: string; })") ||
                  strstr(text, "hub.send(m: { to: string"),
              "%s", text);
    CHECK(!strstr(text, "userId") && !strstr(text, "secret") && !strstr(text, "7"));
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, show_many, showing.engine) == 0);
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    tn_engine_free(showing.engine);
}

/* What is asked of many rules costs what is asked of few. */
static void many_rules(void)
{
    enum { RULES = 10000 };
    Under under = {0};
    char *json = malloc(RULES * 60);
    char *at = stpcpy(json, "{\"rules\":[");

    for (int i = 0; i < RULES; i++)
        at += sprintf(at, "%s{\"deny\":\"p%d.f%s\"}", i ? "," : "", i, i % 2 ? "*" : "");
    strcpy(at, "]}");
    double start_ms = check_now_ms();
    make(&under, json);
    double made_ms = check_now_ms() - start_ms;
    run_under(&under, "for (let i = 0; i < 900; i++) hub.now(i)");
    run_under(&under, "for (let i = 0; i < 900; i++) hub.now(i)");
    double many_ms = tn_outcome_usage(under.try.outcome)->wall_ms;
    CHECK(try_ok(&under.try));
    make(&under, "{\"rules\":[{\"deny\":\"p1.f\"}]}");
    run_under(&under, "for (let i = 0; i < 900; i++) hub.now(i)");
    double few_ms = tn_outcome_usage(under.try.outcome)->wall_ms;
    CHECK_SAY(made_ms < 2000, "10,000 rules read in %.1f ms", made_ms);
    CHECK_SAY(many_ms < few_ms * 3 + 20, "900 calls: %.1f ms, with one rule %.1f ms", many_ms,
              few_ms);
    (void)fprintf(stderr,
                  "    10,000 rules read in %.1f ms; 900 calls under them %.2f ms, under "
                  "one %.2f ms\n",
                  made_ms, many_ms, few_ms);
    free(json);
    end(&under);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"without", without}, {"denials", denials}, {"no way past", no_way_past},
               {"defaults", defaults}, {"conditions", conditions}, {"limits", limits},
               {"read only", read_only}, {"bound", bound}, {"exported", exported},
               {"findings", findings}, {"faults", faults}, {"huge", huge}, {"unmatched", unmatched},
               {"shown", shown}, {"many rules", many_rules});
}
