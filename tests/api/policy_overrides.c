/* Functions put in the place of others: by the policy and by the host; the way to the original,
 * which is the host's alone. */
#include "under.h"

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

/* Every function that can be reached from anywhere in the world of a program, however it is hidden:
 * through members of all kinds, getters, prototypes, what functions give, and modules. */
static const char crawl[] =
    "import * as all from 'hub'; import * as mock from 'mock';\n"
    "const seen = new Set(), functions = [], queue = [globalThis, all, mock, hub];\n"
    "const c = await hub.open(); queue.push(c, Object.getPrototypeOf(c));\n"
    "const p = hub.list(1); queue.push(p); await p;\n"
    "try { await hub.fails() } catch (e) { queue.push(e) }\n"
    "const add = x => { if ((typeof x === 'object' || typeof x === 'function') && x !== null) "
    "queue.push(x) };\n"
    "while (queue.length > 0) {\n"
    "  const one = queue.pop(); if (seen.has(one)) continue; seen.add(one);\n"
    "  if (typeof one === 'function') functions.push(one);\n"
    "  try { add(Object.getPrototypeOf(one)) } catch {}\n"
    "  let keys = []; try { keys = Reflect.ownKeys(one) } catch {}\n"
    "  for (const key of keys) {\n"
    "    let d; try { d = Reflect.getOwnPropertyDescriptor(one, key) } catch { continue }\n"
    "    add(d.value); add(d.get); add(d.set);\n"
    "    if (d.get) try { add(d.get.call(one)) } catch {}\n"
    "  }\n"
    "}\n"
    "const skip = /^(eval|Function|queueMicrotask|set(Timeout|Interval)|Atomics|wait|add)/;\n"
    "let called = 0;\n"
    "for (const f of functions) {\n"
    "  if (skip.test(f.name)) continue;\n"
    "  for (const given of [[], [1], ['hub.send'], [1, 2, 3]])\n"
    "    try { called++; const r = f.apply(hub, given); if (r instanceof Promise) r.catch(() => 0) "
    "}"
    " catch {}\n"
    "}\n"
    "[functions.length > 300, called > 1000]";

static void nothing_reaches_it(void)
{
    Under under = {.try = {.limits = {.calls = 100000, .timers = 100000}}};

    make(&under, NULL);
    CHECK(tn_policy_override(under.policy, "hub.send", stand_in, NULL) == TN_OK);
    CHECK(tn_policy_add(under.policy, TN_POLICY_DENY, "hub.drop") == TN_OK);
    static const char more[] = "{\"override\":{\"hub.later\":{\"value\":1}},"
                               "\"rules\":[{\"deny\":\"hub.never\"}]}";
    CHECK(tn_policy_read(under.policy, more, sizeof more - 1, NULL) == TN_OK);
    memset(called_ever, 0, sizeof called_ever);
    run_under(&under, crawl);
    CHECK_SAY(try_status(&under.try) == TN_OUTCOME_OK || try_status(&under.try) == TN_OUTCOME_LIMIT,
              "%s %s", tn_outcome_status_text(try_status(&under.try)),
              try_error(&under.try)->message);
    CHECK(try_status(&under.try) != TN_OUTCOME_OK ||
          strcmp(try_json(&under.try), "[true,true]") == 0);
    CHECK(strstr(said.text, "stand-in for hub.send;") != NULL && was_called("hub.list"));
    CHECK(!was_called("hub.send") && !was_called("hub.drop") && !was_called("hub.later") &&
          !was_called("hub.never"));
    end(&under);
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
        "await new (Object.getPrototypeOf(async () => {}).constructor)('return hub.send(1)')()",
        "await new (Object.getPrototypeOf(function* () {}).constructor)('yield hub.send(1)')()"
        ".next().value",
        "await new Proxy(hub.send, {apply: (f, self, given) => f(...given)})(1)",
        "await new Proxy(hub.send, {get: (f, k) => f[k].bind(f)}).call(null, 1)",
        "await Reflect.construct(hub.send, [1])",
        "await new hub.send(1)",
        "class A extends hub.send {} await new A(1)",
        "await ({get it() { return hub.send(1) }}).it",
        "await hub.send({toString: () => 'x', get a() { return hub.send(1) }})",
        "await hub.send({toJSON() { return hub.send(2) }})",
        "await JSON.parse('[1]', function (k, v) { return v === 1 ? hub.send(v) : v })[0]",
        "JSON.stringify({toJSON: () => hub.send(1)}); await hub.send(1)",
        "await `${{[Symbol.toPrimitive]: () => { hub.send(1); return 1 }}}` && await hub.send(1)",
        "class P extends Promise { static get [Symbol.species]() { return Promise } }"
        " await P.resolve(1).then(hub.send)",
        "const p = hub.send(1); p.constructor = {[Symbol.species]: function (f) { f(x => x, x => x)"
        " }}; p.then(x => x); await p",
        "Promise.prototype.then = function (f) { f(hub.send) }; (await hub.send(1))(1)",
        "const saved = hub.send; globalThis.hub = {send: saved}; await hub.send(1)",
        "const f = Function('return this')().hub.send; await f(1)",
        "await [1].map(hub.send, hub)[0]",
        "await Array.from([1], hub.send)[0]",
        "await Array.fromAsync([1], hub.send).then(a => a[0])",
        "[2, 1].sort((a, b) => { hub.send(a); return 0 }); await hub.send(1)",
        "await 'a'.replace('a', x => { hub.send(x); return x }) && await hub.send(1)",
        "export {send} from 'hub'; export * as all from 'hub'; await hub.send(1)",
        "try { await hub.fails() } catch (e) { await globalThis[e.package].send(1) }",
        "try { hub.send(1n ** 1n, () => 1) } catch (e) { await e.constructor('x'); } await "
        "hub.send(1)",
        "let got; Error.prepareStackTrace = (e, sites) => { got = sites; return '' };"
        " try { null.x } catch (e) { e.stack } await got?.[0]?.getThis?.()?.hub?.send?.(1); await "
        "hub.send(1)",
        "await hub.send.toString.call(hub.send) && await eval('(' + 'hub.send' + ')')(1)",
        "queueMicrotask(() => hub.send(1)); setTimeout(hub.send, 0, 1); await hub.send(1)",
        "const g = new WeakRef(hub.send).deref(); await g(1)",
        "const m = new Map([[hub.send, 1]]); await [...m.keys()][0](1)",
        "await Object.assign(Object.create(null), hub).send(1)",
        "await import('hub').then(m => Reflect.get(m, 'send')(1))",
        "await (await import('hub')).default.send(1)",
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

int main(int argc, char **argv)
{
    return RUN(
        argc, argv, {"overrides", overrides}, {"original out of reach", original_out_of_reach},
        {"nothing reaches it", nothing_reaches_it}, {"originals", originals},
        {"originals in limits", originals_in_limits}, {"originals cut short", originals_cut_short});
}
