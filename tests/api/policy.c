/*
 * Policies: what a run may call and on what terms, seen from outside. Rules of every kind, and the
 * three ways round them that must not exist: past a denial, to the original of a replaced function,
 * to a parameter that the host has fixed.
 */
#include <pthread.h>
#include <unistd.h>

#include "try.h"

/* ---- a world of functions ---- */

/* Thread-safe: what was called, in order, with what. */
static struct {
    pthread_mutex_t lock;
    char text[8192];
} said = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void note(const char *format, const char *one, const char *other)
{
    pthread_mutex_lock(&said.lock);
    size_t at = strlen(said.text);
    if (at + 600 < sizeof said.text)
        (void)snprintf(said.text + at, 600, format, one, other);
    pthread_mutex_unlock(&said.lock);
}

static void forget(void)
{
    pthread_mutex_lock(&said.lock);
    said.text[0] = 0;
    pthread_mutex_unlock(&said.lock);
}

static bool has_said(const char *text)
{
    if (strcmp(said.text, text) == 0)
        return true;
    (void)fprintf(stderr, "    was called: %s\n    and not:    %s\n", said.text, text);
    return false;
}

static void note_call(const char *who, tn_call *call)
{
    char arguments[400] = "";
    size_t at = 0;

    for (size_t i = 0; i < tn_call_count(call); i++) {
        char *json = NULL;
        size_t length = 0;
        if (tn_value_json(tn_call_argument(call, i), &json, &length) == TN_OK)
            at +=
                (size_t)snprintf(arguments + at, sizeof arguments - at, "%s%s", i ? "," : "", json);
        tn_text_free(json);
        if (at >= sizeof arguments)
            break;
    }
    note("%s(%s);", who, arguments);
}

/* Gives its first argument, or its user's name without one. */
static void act(void *user, tn_call *call)
{
    note_call(user, call);
    if (tn_call_count(call) > 0)
        tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
    else
        tn_put_string(tn_call_result(call), user);
}

static void fails(void *user, tn_call *call)
{
    (void)user;
    tn_call_fail(call, "E_NO", "no such thing", true);
}

static void *finish_later(void *argument)
{
    tn_call *call = argument;

    usleep(2000);
    tn_put_string(tn_call_result(call), "later");
    tn_call_finish(call);
    return NULL;
}

static void later(void *user, tn_call *call)
{
    pthread_t thread;

    note_call(user, call);
    CHECK(tn_call_defer(call) == TN_OK);
    CHECK(pthread_create(&thread, NULL, finish_later, call) == 0);
    pthread_detach(thread);
}

static tn_call *kept_call;

static void never(void *user, tn_call *call)
{
    note_call(user, call);
    CHECK(tn_call_defer(call) == TN_OK);
    kept_call = call;
}

static char names[][16] = {"hub.list",  "hub.send", "hub.drop", "hub.now", "hub.later",
                           "hub.never", "mock.any", "mock.now", "a.b.deep"};

static void open_cursor(void *user, tn_call *call)
{
    tn_put_reference(tn_call_result(call), "Cursor", user, NULL);
}

static void setup(tn_engine *engine)
{
    static char next[] = "Cursor.next", drop[] = "Cursor.drop";
    const tn_method methods[] = {{"next", act, next, 0}, {"drop", act, drop, TN_FUNCTION_SYNC}};

    CHECK(tn_engine_add_function(engine, names[0], act, names[0], TN_FUNCTION_READ_ONLY) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[1], act, names[1], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[2], act, names[2], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[3], act, names[3], TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[4], later, names[4], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[5], never, names[5], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.fails", fails, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.open", open_cursor, names[0], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[6], act, names[6], 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[7], act, names[7], TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, names[8], act, names[8], 0) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Cursor", methods, 2) == TN_OK);
}

/* A policy and what is run under it. */
typedef struct Under {
    Try try;
    tn_policy *policy;
    void (*ask)(void *user, tn_question *question);
    void *ask_user;
} Under;

static bool make(Under *under, const char *json)
{
    char *fault = NULL;

    tn_policy_free(under->policy);
    under->policy = NULL;
    under->try.setup = setup;
    forget();
    if (CHECK(tn_policy_new(json, json ? strlen(json) : 0, &under->policy, &fault) == TN_OK))
        return true;
    (void)fprintf(stderr, "    %s\n", fault ? fault : "");
    tn_text_free(fault);
    return false;
}

static tn_run_options options_of(const Under *under)
{
    tn_run_options options = try_options(&under->try);

    options.policy = under->policy;
    options.ask = under->ask;
    options.ask_user = under->ask_user;
    return options;
}

static tn_outcome *run_under(Under *under, const char *text)
{
    Try *try = &under->try;
    tn_run_options options = options_of(under);

    if (try_program(try, text))
        CHECK(tn_run_program(try->program, &options, &try->outcome) == TN_OK);
    return try->outcome;
}

static bool gives(Under *under, const char *text, const char *json)
{
    run_under(under, text);
    if (strcmp(try_json(&under->try), json) == 0)
        return true;
    (void)fprintf(stderr, "    %s\n    gave %s%s %s, not %s\n", text, try_json(&under->try),
                  try_error(&under->try)->name, try_error(&under->try)->message, json);
    return false;
}

static bool is_denied(const Under *under, const char *words)
{
    const tn_error *error = try_error(&under->try);

    if (try_status(&under->try) == TN_OUTCOME_DENIED && strstr(error->message, words) &&
        strcmp(error->code, "denied") == 0 && !error->retryable)
        return true;
    (void)fprintf(stderr, "    %s: %s (%s), not denied %s\n",
                  tn_outcome_status_text(try_status(&under->try)), error->message, error->code,
                  words);
    return false;
}

static const tn_effect *effect_at(const Under *under, size_t index)
{
    static const tn_effect none = {.name = "", .error = ""};
    const tn_effect *effect =
        under->try.outcome ? tn_outcome_effect(under->try.outcome, index) : NULL;

    return effect ? effect : &none;
}

static void end(Under *under)
{
    try_end(&under->try);
    tn_policy_free(under->policy);
    under->policy = NULL;
}

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

/* ---- overrides from the policy ---- */

static void overrides(void)
{
    Under under = {0};

    make(&under, "{\"override\":{\"hub.send\":{\"function\":\"mock.any\"},"
                 "\"hub.drop\":{\"value\":{\"gone\":[1,null]}},\"hub.now\":{\"value\":null},"
                 "\"hub.list\":{\"deny\":\"not today\"},\"a.*\":{\"deny\":true},"
                 "\"Cursor.*\":{\"value\":9}}}");
    CHECK(gives(&under, "await hub.send(1)", "1") && has_said("mock.any(1);"));
    CHECK(strcmp(effect_at(&under, 0)->name, "hub.send") == 0);
    CHECK(effect_at(&under, 0)->ran && strcmp(effect_at(&under, 0)->ran, "mock.any") == 0);
    CHECK(gives(&under, "await hub.drop(1)", "{\"gone\":[1,null]}"));
    CHECK(effect_at(&under, 0)->ran && strcmp(effect_at(&under, 0)->ran, "a value") == 0);
    CHECK(gives(&under, "hub.now(1)", "null"));
    run_under(&under, "await hub.list()");
    CHECK(is_denied(&under, "(override \"hub.list\"): not today"));
    run_under(&under, "await a.b.deep()");
    CHECK(is_denied(&under, "(override \"a.*\")"));
    CHECK(gives(&under, "const c = await hub.open(); [await c.next(), c.drop()]", "[9,9]"));
    CHECK(has_said("mock.any(1);"));

    /* overrides do not chain, and the more specific one counts */
    make(&under, "{\"override\":{\"hub.*\":{\"value\":1},\"hub.send\":{\"function\":\"mock.any\"},"
                 "\"mock.any\":{\"function\":\"hub.send\"}}}");
    CHECK(gives(&under, "[await hub.send(2), await hub.drop(2), await mock.any(3)]", "[2,1,3]"));
    CHECK(has_said("mock.any(2);hub.send(3);"));

    /* a function that is not there; one that answers later in place of one that must not */
    tn_run *run = NULL;
    make(&under, "{\"override\":{\"hub.send\":{\"function\":\"mock.none\"}}}");
    try_program(&under.try, "1");
    tn_run_options options = options_of(&under);
    CHECK(tn_run_start(under.try.program, &options, &run) == TN_ERR_NOT_FOUND);
    make(&under, "{\"override\":{\"hub.now\":{\"function\":\"mock.any\"}}}");
    options = options_of(&under);
    CHECK(tn_run_start(under.try.program, &options, &run) == TN_ERR_ARGUMENT);
    make(&under, "{\"override\":{\"hub.n*\":{\"function\":\"mock.any\"}}}");
    run_under(&under, "hub.now()");
    CHECK(is_denied(&under, "cannot be replaced"));
    make(&under, "{\"override\":{\"hub.now\":{\"function\":\"mock.now\"}}}");
    CHECK(gives(&under, "hub.now()", "\"mock.now\""));
    end(&under);
}

/* ---- overrides from C ---- */

static void stand_in(void *user, tn_call *call)
{
    (void)user;
    note("%s %s;", "stand-in for", tn_call_name(call));
    tn_put_string(tn_call_result(call), "stand-in");
}

/* However a program reaches for the function, it gets what stands for it. */
static void original_out_of_reach(void)
{
    static const char *const ways[] = {
        "await hub.send(1)",
        "import {send} from 'hub'; await send(1)",
        "import {send as s} from 'hub'; await s.apply(undefined, [1])",
        "import hub2 from 'hub'; await hub2.send(1)",
        "import * as all from 'hub'; await all.send(1)",
        "import * as all from 'hub'; await all.default.send(1)",
        "const all = await import('hub'); await all.send(1)",
        "await globalThis.hub.send(1)",
        "await globalThis['hub']['send'](1)",
        "await hub.send.bind(hub)(1)",
        "await Reflect.apply(hub.send, undefined, [1])",
        "await Function.prototype.call.bind(hub.send)(hub, 1)",
        "await Object.getOwnPropertyDescriptor(hub, 'send').value.call(hub, 1)",
        "await new Proxy(hub, {get: (t, k) => t[k]}).send(1)",
        "await Object.create(hub).send(1)",
        "await Object.setPrototypeOf({}, hub).send(1)",
        "const {send} = hub; await send(1)",
        "await structuredClone([1]).map(hub.send)[0]",
        "try { Object.defineProperty(hub, 'send', {value: 1}) } catch {} await hub.send(1)",
        "try { hub.send = 1 } catch {} try { delete hub.send } catch {} await hub.send(1)",
        "try { delete globalThis.hub } catch {} await (await import('hub')).send(1)",
        "await (0, eval)('hub.send(1)')",
        "await new Function('return hub.send(1)')()",
        "await hub.send.constructor.prototype.call.call(hub.send, null, 1)",
        "await hub.send.__proto__.apply.call(hub.send, null, [1])",
    };
    Under under = {0};

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.send", stand_in, NULL) == TN_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        forget();
        run_under(&under, ways[i]);
        bool refused = try_status(&under.try) == TN_OUTCOME_FAILED ||
                       try_status(&under.try) == TN_OUTCOME_REFUSED;
        CHECK_SAY(strcmp(try_json(&under.try), "\"stand-in\"") == 0 || refused, "%s gave %s",
                  ways[i], try_json(&under.try));
        CHECK_SAY(!strstr(said.text, "hub.send("), "%s reached it", ways[i]);
    }
    /* methods: on the object, off its prototype, bound to another object */
    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "Cursor.*", stand_in, NULL) == TN_OK);
    const char *const methods[] = {
        "const c = await hub.open(); await c.next(1)",
        "const c = await hub.open(); await Object.getPrototypeOf(c).next.call(c, 1)",
        "const c = await hub.open(), d = await hub.open(); await c.next.call(d, 1)",
        "const c = await hub.open(); await c.next.bind(c)(1)",
        "const c = await hub.open(); c.drop(1)",
        "const c = await hub.open(); await c.constructor?.prototype?.next?.call(c, 1), c.drop(1)",
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        forget();
        run_under(&under, methods[i]);
        CHECK_SAY(strcmp(try_json(&under.try), "\"stand-in\"") == 0, "%s gave %s %s", methods[i],
                  try_json(&under.try), try_error(&under.try)->message);
        CHECK_SAY(!strstr(said.text, "Cursor.next(") && !strstr(said.text, "Cursor.drop("), "%s",
                  methods[i]);
    }
    run_under(&under, "const c = await hub.open(); c.drop.call({}, 1)");
    CHECK(try_status(&under.try) == TN_OUTCOME_FAILED);
    end(&under);
}

/* What the original answers, changed on the way. */
static void change(void *user, tn_call *call, const tn_answer *answer)
{
    (void)user;
    if (answer->failed) {
        size_t length = 0;
        const char *text = tn_value_text(tn_value_member(answer->value, "message"), &length);
        char message[100];
        (void)snprintf(message, sizeof message, "changed: %.*s", (int)length, text ? text : "");
        tn_call_fail(call, "CHANGED", message, false);
        return;
    }
    tn_writer *w = tn_call_result(call);
    tn_put_array_begin(w);
    tn_put_value(w, answer->value);
    tn_put_string(w, "changed");
    tn_put_array_end(w);
}

static void call_and_change(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, change, NULL) == TN_OK);
    /* it is not ours any more, whether it was answered at once or not */
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_ERR_STATE);
    CHECK(tn_call_defer(call) == TN_ERR_STATE);
}

static void pass_through(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_OK);
}

static void other_arguments(void *user, tn_call *call)
{
    tn_writer *writer;
    (void)user;

    CHECK(tn_writer_new(&writer) == TN_OK);
    tn_put_array_begin(writer);
    tn_put_string(writer, "other");
    tn_put_value(writer, tn_call_argument(call, 0));
    tn_put_array_end(writer);
    CHECK(tn_call_original(call, tn_call_argument(call, 0), NULL, NULL) == TN_ERR_ARGUMENT);
    CHECK(tn_call_original(call, tn_writer_value(writer), NULL, NULL) == TN_OK);
    tn_writer_free(writer);
}

static void call_original_of_nothing(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_ERR_STATE);
    tn_put_int(tn_call_result(call), 1);
}

/* Again until it has been called three times. */
static void again(void *user, tn_call *call, const tn_answer *answer)
{
    unsigned *count = user;

    CHECK(!answer->failed);
    if (++*count < 3) {
        tn_status status = tn_call_original(call, (tn_value){0}, again, user);
        CHECK(status == TN_OK || status == TN_ERR_LIMIT);
    }
}

static void three_times(void *user, tn_call *call)
{
    static unsigned count;
    (void)user;

    count = 0;
    CHECK(tn_call_original(call, (tn_value){0}, again, &count) == TN_OK);
}

static void *ask_original(void *argument)
{
    usleep(1000);
    CHECK(tn_call_original(argument, (tn_value){0}, change, NULL) == TN_OK);
    return NULL;
}

static void from_a_thread(void *user, tn_call *call)
{
    pthread_t thread;
    (void)user;

    CHECK(tn_call_defer(call) == TN_OK);
    CHECK(pthread_create(&thread, NULL, ask_original, call) == 0);
    pthread_detach(thread);
}

static void *finish_changed(void *argument)
{
    usleep(1000);
    tn_put_string(tn_call_result(argument), "finished elsewhere");
    tn_call_finish(argument);
    return NULL;
}

static void defer_in_answer(void *user, tn_call *call, const tn_answer *answer)
{
    pthread_t thread;
    (void)user, (void)answer;

    CHECK(tn_call_defer(call) == TN_OK);
    CHECK(pthread_create(&thread, NULL, finish_changed, call) == 0);
    pthread_detach(thread);
}

static void call_and_defer(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, defer_in_answer, NULL) == TN_OK);
}

static void originals(void)
{
    Under under = {0};

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.*", call_and_change, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "hub.list", pass_through, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "hub.open", pass_through, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "Cursor.*", pass_through, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "mock.any", other_arguments, NULL) == TN_OK);
    CHECK(gives(&under, "await hub.send(1)", "[1,\"changed\"]") && has_said("hub.send(1);"));
    CHECK(tn_outcome_effect_count(under.try.outcome) == 2);
    CHECK(effect_at(&under, 0)->ran && strcmp(effect_at(&under, 0)->ran, "a host function") == 0);
    CHECK(effect_at(&under, 1)->original && !effect_at(&under, 1)->ran && effect_at(&under, 1)->ok);
    CHECK(tn_outcome_usage(under.try.outcome)->calls == 2);
    CHECK(gives(&under, "hub.now(2)", "[2,\"changed\"]"));
    CHECK(gives(&under, "await hub.later(3)", "[\"later\",\"changed\"]"));
    CHECK(gives(&under, "await hub.list(4)", "4"));
    CHECK(gives(&under, "const c = await hub.open(); [await c.next(5), c.drop(6)]", "[5,6]"));
    CHECK(gives(&under, "try { await hub.fails() } catch (e) { [e.code, e.message] }",
                "[\"CHANGED\",\"changed: no such thing\"]"));
    CHECK(gives(&under, "await mock.any('x')", "\"other\""));
    CHECK(gives(&under,
                "(await Promise.all(Array.from({length: 60}, (_, i) => hub.later(i)))).length",
                "60"));

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.send", three_times, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "hub.later", from_a_thread, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "hub.drop", call_and_defer, NULL) == TN_OK);
    CHECK(tn_policy_override(under.policy, "hub.fails", pass_through, NULL) == TN_OK);
    CHECK(gives(&under, "await hub.send(1)", "1") &&
          has_said("hub.send(1);hub.send(1);hub.send(1);"));
    CHECK(gives(&under, "await hub.later(1)", "[\"later\",\"changed\"]"));
    CHECK(gives(&under, "await hub.drop(1)", "\"finished elsewhere\""));
    CHECK(gives(&under, "try { await hub.fails() } catch (e) { [e.code, e.message, e.retryable] }",
                "[\"E_NO\",\"no such thing\",true]"));
    /* in the place of another of the engine's, that one may call it as well */
    make(&under, "{\"override\":{\"hub.send\":{\"function\":\"mock.any\"}}}");
    CHECK(tn_policy_override(under.policy, "mock.any", call_original_of_nothing, NULL) == TN_OK);
    CHECK(gives(&under, "await hub.send(8)", "8"));
    end(&under);
}

/* The calls that stand-ins make count like any others. */
static void originals_in_limits(void)
{
    Under under = {.try = {.limits.calls = 3}};

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.send", three_times, NULL) == TN_OK);
    CHECK(gives(&under, "await hub.send(1)", "1"));
    CHECK(has_said("hub.send(1);hub.send(1);"));
    end(&under);
}

static tn_status told;

static void note_end(void *user, tn_call *call, const tn_answer *answer)
{
    (void)call;
    *(int *)user += 1;
    told = answer->failed ? TN_ERR_STATE : TN_OK;
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_ERR_STATE);
}

static int ends;

static void call_and_wait(void *user, tn_call *call)
{
    (void)user;
    CHECK(tn_call_original(call, (tn_value){0}, note_end, &ends) == TN_OK);
}

/* A run that ends while the original is at work: who stands for it is told, once. */
static void originals_cut_short(void)
{
    Under under = {.try = {.limits = {.wall_ms = 60, .linger_ms = 1}}};

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.never", call_and_wait, NULL) == TN_OK);
    ends = 0;
    run_under(&under, "await hub.never(1)");
    CHECK(try_is_limit(&under.try, "wall"));
    CHECK(ends == 1 && told == TN_ERR_STATE);
    CHECK(effect_at(&under, 0)->open && effect_at(&under, 1)->open);
    CHECK(kept_call && tn_call_cancelled(kept_call));
    if (kept_call) {
        /* its run is gone: it can still be answered, to nobody */
        tn_call_fail(kept_call, "LATE", "too late", false);
        tn_call_finish(kept_call);
    }
    kept_call = NULL;
    end(&under);

    under = (Under){0};
    make(&under, "{\"limits\":{\"hub.never\":{\"timeMs\":20}}}");
    CHECK(tn_policy_override(under.policy, "hub.never", call_and_wait, NULL) == TN_OK);
    ends = 0;
    CHECK(gives(&under, "try { await hub.never(1) } catch (e) { e.code }", "\"TIMEOUT\""));
    CHECK(ends == 1);
    if (CHECK(kept_call != NULL))
        tn_call_finish(kept_call);
    kept_call = NULL;
    end(&under);
}

/* ---- questions ---- */

static bool the_answer;
static char asked[2000];

static void note_question(const tn_question *question)
{
    size_t at = strlen(asked), length;
    char *json = NULL;

    if (tn_value_json(tn_question_argument(question, 0), &json, &length) != TN_OK)
        json = NULL;
    (void)snprintf(asked + at, sizeof asked - at, "%s:%u(%zu: %s) by %s;",
                   tn_question_name(question), tn_question_line(question),
                   tn_question_count(question), json ? json : "", tn_question_rule(question));
    tn_text_free(json);
    CHECK(strlen(tn_question_id(question)) == 32);
    CHECK(tn_value_type(tn_question_argument(question, 99)) == TN_TYPE_NONE);
}

static void answer_now(void *user, tn_question *question)
{
    (void)user;
    note_question(question);
    CHECK(tn_question_open(question));
    CHECK(tn_question_answer(question, "00000000000000000000000000000000", true) ==
          TN_ERR_ARGUMENT);
    CHECK(tn_question_answer(question, "", true) == TN_ERR_ARGUMENT);
    CHECK(tn_question_open(question));
    CHECK(tn_question_answer(question, tn_question_id(question), the_answer) == TN_OK);
    CHECK(!tn_question_open(question));
    CHECK(tn_question_answer(question, NULL, !the_answer) == TN_ERR_STATE);
    tn_question_free(question);
}

static void questions(void)
{
    Under under = {.ask = answer_now};

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"},{\"deny\":\"hub.drop\"},"
                 "{\"allow\":\"hub.list\"}],\"bound\":{\"hub.send\":{\"userId\":7}}}");
    the_answer = true;
    asked[0] = 0;
    CHECK(gives(&under, "\n(await hub.send({x: 1})).x + hub.now(2)", "3"));
    CHECK_SAY(strcmp(asked, "hub.send:2(1: {\"x\":1,\"userId\":7}) by hub.*;"
                            "hub.now:2(1: 2) by hub.*;") == 0,
              "%s", asked);
    the_answer = false;
    asked[0] = 0;
    run_under(&under, "await hub.send({x: 1})");
    CHECK(is_denied(&under, "was refused (rule \"hub.*\" asks about it, and the answer was no)"));
    CHECK(effect_at(&under, 0)->denied);
    run_under(&under, "hub.now(1)");
    CHECK(is_denied(&under, "was refused"));
    /* denied without a question; allow does not undo a question */
    asked[0] = 0;
    run_under(&under, "await hub.drop(1)");
    CHECK(is_denied(&under, "is denied") && asked[0] == 0);
    run_under(&under, "await hub.list(1)");
    CHECK(is_denied(&under, "was refused") && asked[0] != 0);
    /* nobody to ask */
    under.ask = NULL;
    CHECK(gives(&under, "try { await hub.list(1) } catch (e) { [e.code, e.retryable, e.message] }",
                "[\"denied\",false,\"hub.list is refused (rule \\\"hub.*\\\" asks about it): there "
                "is nobody here to ask, so that is final\"]"));
    end(&under);
}

static void let_go(void *user, tn_question *question)
{
    (void)user;
    tn_question_free(question);
}

static void keep(void *user, tn_question *question)
{
    tn_question **place = user;

    while (*place)
        place++;
    *place = question;
}

static void questions_let_go(void)
{
    Under under = {.ask = let_go};
    tn_question *kept[3] = {0};

    make(&under, "{\"default\":\"ask\"}");
    run_under(&under, "await hub.send(1)");
    CHECK(is_denied(&under, "(rule \"default\" asks about it, and the answer was no)"));
    /* one that must be answered at once, and is not */
    under.ask = keep;
    under.ask_user = kept;
    run_under(&under, "hub.now(1)");
    CHECK(is_denied(&under, "has to be answered at once"));
    CHECK(kept[0] && !tn_question_open(kept[0]));
    CHECK(kept[0] && tn_question_answer(kept[0], NULL, true) == TN_ERR_STATE);
    tn_question_free(kept[0]);
    CHECK(has_said(""));
    end(&under);
}

/* Answered from other threads, in any order. */
static void *answer_later(void *argument)
{
    tn_question *question = argument;
    int64_t number = 0;

    (void)tn_value_int(tn_question_argument(question, 0), &number);
    usleep((unsigned)(1000 + (number * 7919) % 5000));
    CHECK(tn_question_answer(question, tn_question_id(question), number % 3 != 0) == TN_OK);
    CHECK(tn_question_answer(question, NULL, true) == TN_ERR_STATE);
    tn_question_free(question);
    return NULL;
}

static void ask_a_thread(void *user, tn_question *question)
{
    pthread_t thread;
    (void)user;

    CHECK(pthread_create(&thread, NULL, answer_later, question) == 0);
    pthread_detach(thread);
}

static void questions_from_threads(void)
{
    Under under = {.ask = ask_a_thread};

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"}]}");
    for (int i = 0; i < 5; i++)
        CHECK(gives(&under,
                    "const all = await Promise.allSettled(Array.from({length: 40}, (_, i) => "
                    "i % 2 ? hub.send(i) : hub.later(i)));"
                    "all.map((r, i) => r.status === 'rejected' ? r.reason.code === 'denied' && "
                    "i % 3 === 0 : r.value === (i % 2 ? i : 'later') && i % 3 !== 0)"
                    ".every(x => x)",
                    "true"));
    CHECK(gives(&under, "for (let i = 1; i < 50; i += 3) await hub.send(i); 1", "1"));
    end(&under);
}

/* Nothing of a program's limits runs while a person thinks; the rest of the program does. */
static void *answer_slowly(void *argument)
{
    usleep(250 * 1000);
    CHECK(tn_question_answer(argument, NULL, true) == TN_OK);
    tn_question_free(argument);
    return NULL;
}

static void ask_slowly(void *user, tn_question *question)
{
    pthread_t thread;

    if (user) {
        (void)answer_slowly(question);
        return;
    }
    CHECK(pthread_create(&thread, NULL, answer_slowly, question) == 0);
    pthread_detach(thread);
}

static void people_take_time(void)
{
    Under under = {.try = {.limits.wall_ms = 100}, .ask = ask_slowly};

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"}]}");
    CHECK(gives(&under, "await hub.send(1)", "1"));
    CHECK(gives(&under,
                "let n = 0; const t = setInterval(() => n++, 10); await hub.send(1);"
                "clearInterval(t); n > 0",
                "true"));
    under.ask_user = &under;
    CHECK(gives(&under, "await hub.send(1)", "1"));
    CHECK(gives(&under, "hub.now(1) + hub.now(2)", "3"));
    /* and afterwards the clock goes on */
    run_under(&under, "await hub.send(1); for (;;);");
    CHECK(try_is_limit(&under.try, "wall"));
    run_under(&under, "await hub.send(1); await new Promise(r => setTimeout(r, 5000))");
    CHECK(try_is_limit(&under.try, "wall"));
    end(&under);
}

/* The run ends first: nobody's yes comes through any more. */
static void questions_expire(void)
{
    tn_question *kept[4] = {0};
    Under under = {.ask = keep, .ask_user = kept, .try = {.limits.linger_ms = 1}};
    tn_run_state state = TN_RUN_READY;
    tn_run *run = NULL;

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"}]}");
    try_program(&under.try, "hub.list(0); await hub.send({text: 'x'})");
    tn_run_options options = options_of(&under);
    CHECK(tn_run_start(under.try.program, &options, &run) == TN_OK);
    CHECK(tn_run_step(run, &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(kept[0] && kept[1] && tn_question_open(kept[1]));
    CHECK(strcmp(tn_question_id(kept[0]), tn_question_id(kept[1])) != 0);
    tn_run_cancel(run);
    CHECK(tn_run_step(run, &state) == TN_OK && state == TN_RUN_DONE);
    CHECK(tn_run_outcome(run, &under.try.outcome) == TN_OK);
    CHECK(try_status(&under.try) == TN_OUTCOME_CANCELLED);
    CHECK(tn_outcome_effect_count(under.try.outcome) == 2);
    CHECK(effect_at(&under, 1)->denied && !effect_at(&under, 1)->open);
    CHECK(strstr(effect_at(&under, 1)->error, "was not made"));
    for (int i = 0; i < 2; i++) {
        CHECK(!tn_question_open(kept[i]));
        CHECK(tn_question_answer(kept[i], NULL, true) == TN_ERR_STATE);
    }
    tn_run_free(run);
    try_end(&under.try);
    /* looked at long afterwards */
    CHECK(strcmp(tn_question_name(kept[1]), "hub.send") == 0);
    CHECK(tn_value_type(tn_value_member(tn_question_argument(kept[1], 0), "text")) == TN_TYPE_TEXT);
    tn_question_free(kept[0]);
    tn_question_free(kept[1]);
    CHECK(has_said(""));

    /* settled without it: it is not waited for longer than for anything else */
    memset(kept, 0, sizeof kept);
    run_under(&under, "hub.send(1); 5");
    CHECK(strcmp(try_json(&under.try), "5") == 0);
    CHECK(effect_at(&under, 0)->denied);
    CHECK(kept[0] && tn_question_answer(kept[0], NULL, true) == TN_ERR_STATE);
    tn_question_free(kept[0]);
    end(&under);
}

/* Two runs ask the same; the yes to one is none to the other. */
static void questions_are_bound(void)
{
    tn_question *kept[4] = {0};
    Under under = {.ask = keep, .ask_user = kept};
    tn_run_state state = TN_RUN_READY;
    tn_run *runs[2] = {0};

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"}]}");
    try_program(&under.try, "await hub.send(1)");
    tn_run_options options = options_of(&under);
    for (int i = 0; i < 2; i++) {
        CHECK(tn_run_start(under.try.program, &options, &runs[i]) == TN_OK);
        CHECK(tn_run_step(runs[i], &state) == TN_OK && state == TN_RUN_WAITING);
    }
    CHECK(kept[1] && tn_question_answer(kept[1], tn_question_id(kept[0]), true) == TN_ERR_ARGUMENT);
    CHECK(tn_question_answer(kept[0], tn_question_id(kept[0]), true) == TN_OK);
    CHECK(tn_question_answer(kept[0], tn_question_id(kept[0]), true) == TN_ERR_STATE);
    CHECK(tn_run_step(runs[0], &state) == TN_OK && state == TN_RUN_DONE);
    CHECK(tn_run_step(runs[1], &state) == TN_OK && state == TN_RUN_WAITING);
    CHECK(has_said("hub.send(1);"));
    tn_run_cancel(runs[1]);
    for (int i = 0; i < 2; i++) {
        tn_question_free(kept[i]);
        tn_run_free(runs[i]);
    }
    CHECK(has_said("hub.send(1);"));
    end(&under);
}

/* A yes, a no, letting go and the end of the run, all at the same moment. */
static void *answer_at_once(void *argument)
{
    tn_question *question = argument;
    int64_t number = 0;

    (void)tn_value_int(tn_question_argument(question, 0), &number);
    usleep((unsigned)(number * 37 % 400));
    if (number % 4 != 0) {
        tn_status status = tn_question_answer(question, NULL, number % 2 == 0);
        CHECK(status == TN_OK || status == TN_ERR_STATE);
    }
    tn_question_free(question);
    __atomic_fetch_sub(&ends, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void ask_at_once(void *user, tn_question *question)
{
    pthread_t thread;
    (void)user;

    __atomic_fetch_add(&ends, 1, __ATOMIC_RELAXED);
    CHECK(pthread_create(&thread, NULL, answer_at_once, question) == 0);
    pthread_detach(thread);
}

static void *cancel_soon(void *argument)
{
    usleep(300);
    tn_run_cancel(argument);
    return NULL;
}

static void cancelled_while_asked(void)
{
    Under under = {.ask = ask_at_once, .try = {.limits.linger_ms = 1}};
    int outcomes[8] = {0};

    make(&under, "{\"rules\":[{\"ask\":\"hub.*\"}]}");
    ends = 0;
    try_program(&under.try, "await Promise.allSettled([1, 2, 3, 4, 5, 6].map(i => "
                            "i % 2 ? hub.send(i) : hub.later(i))); 1");
    tn_run_options options = options_of(&under);
    for (int i = 0; i < 150; i++) {
        tn_run_state state = TN_RUN_READY;
        tn_run *run = NULL;
        pthread_t thread;
        CHECK(tn_run_start(under.try.program, &options, &run) == TN_OK);
        CHECK(pthread_create(&thread, NULL, cancel_soon, run) == 0);
        while (state != TN_RUN_DONE && CHECK(tn_run_step(run, &state) == TN_OK)) {
            if (state == TN_RUN_WAITING)
                CHECK(tn_run_wait(run, -1) == TN_OK);
        }
        pthread_join(thread, NULL);
        tn_outcome_free(under.try.outcome);
        CHECK(tn_run_outcome(run, &under.try.outcome) == TN_OK);
        outcomes[try_status(&under.try)]++;
        tn_run_free(run);
    }
    CHECK(outcomes[TN_OUTCOME_OK] + outcomes[TN_OUTCOME_CANCELLED] == 150);
    while (__atomic_load_n(&ends, __ATOMIC_ACQUIRE) > 0)
        usleep(1000);
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

/* Many runs at one time under one policy. */
static void *run_many(void *argument)
{
    Under *shared = argument;
    tn_run_options options = options_of(shared);

    for (int i = 0; i < 20; i++) {
        tn_outcome *outcome = NULL;
        CHECK(tn_run_program(shared->try.program, &options, &outcome) == TN_OK);
        CHECK(outcome && tn_outcome_status_of(outcome) == TN_OUTCOME_OK);
        tn_outcome_free(outcome);
    }
    return NULL;
}

static void shared(void)
{
    Under under = {.ask = ask_a_thread};
    pthread_t threads[4];

    make(&under, "{\"rules\":[{\"ask\":\"hub.later\"},{\"deny\":\"hub.drop\"}],"
                 "\"bound\":{\"hub.list\":{\"u\":1}},\"override\":{\"hub.send\":{\"value\":3}}}");
    CHECK(tn_policy_override(under.policy, "mock.any", call_and_change, NULL) == TN_OK);
    try_program(&under.try, "let n = 0; try { await hub.drop() } catch { n++ }"
                            "n += await hub.send(); n += (await hub.list({})).u;"
                            "n += (await hub.later(1)) === 'later' ? 1 : 0;"
                            "n += (await mock.any(5))[0]; if (n !== 11) throw n");
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, run_many, &under) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    end(&under);
}

int main(int argc, char **argv)
{
    return RUN(
        argc, argv, {"without", without}, {"denials", denials}, {"no way past", no_way_past},
        {"defaults", defaults}, {"conditions", conditions}, {"limits", limits},
        {"read only", read_only}, {"bound", bound}, {"overrides", overrides},
        {"original out of reach", original_out_of_reach}, {"originals", originals},
        {"originals in limits", originals_in_limits}, {"originals cut short", originals_cut_short},
        {"questions", questions}, {"questions let go", questions_let_go},
        {"questions from threads", questions_from_threads}, {"people take time", people_take_time},
        {"questions expire", questions_expire}, {"questions are bound", questions_are_bound},
        {"cancelled while asked", cancelled_while_asked}, {"exported", exported},
        {"findings", findings}, {"faults", faults}, {"huge", huge}, {"many rules", many_rules},
        {"shared", shared});
}
