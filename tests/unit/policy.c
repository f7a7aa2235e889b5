/* Rules alone: which clauses fit a name, what follows from them, and what is wrong with a document
 * that is no policy. */
#include "failing_allocator.h"

#include "json.h"
#include "memory.h"
#include "rules.h"
#include "writer.h"

/* ---- making ---- */

static tn_status read_with(const tn_allocator *allocator, const char *json, tn_policy **out_policy,
                           char *out_fault, size_t size)
{
    tn_policy *policy = rules_new(allocator);
    const char *fault = NULL;
    tn_writer *writer = NULL;
    tn_status status = policy ? TN_OK : TN_ERR_NOMEM;

    if (status == TN_OK)
        status = writer_new(memory_default(), SIZE_MAX, &writer);
    if (status == TN_OK)
        assert_int_equal(tn_put_json(writer, json, strlen(json)), TN_OK);
    if (status == TN_OK)
        status = rules_read(policy, tn_writer_value(writer), &fault);
    if (out_fault)
        (void)snprintf(out_fault, size, "%s", fault ? fault : "");
    tn_writer_free(writer);
    if (status != TN_OK) {
        rules_free(policy);
        policy = NULL;
    }
    *out_policy = policy;
    return status;
}

static tn_policy *policy_of(const char *json)
{
    char fault[400];
    tn_policy *policy;

    if (read_with(memory_default(), json, &policy, fault, sizeof fault) != TN_OK)
        fail_msg("%s: %s", json, fault);
    return policy;
}

/* Arguments as a JSON array. */
static tn_policy_effect effect_of(const tn_policy *policy, const char *name, const char *json)
{
    tn_value arguments[8];
    tn_cursor cursor = {0};
    size_t count = 0;
    tn_writer *writer;
    tn_policy_effect effect;

    assert_int_equal(writer_new(memory_default(), SIZE_MAX, &writer), TN_OK);
    assert_int_equal(tn_put_json(writer, json, strlen(json)), TN_OK);
    while (count < 8 && tn_value_next(tn_writer_value(writer), &cursor))
        arguments[count++] = cursor.value;
    effect = rules_decide(policy, name, arguments, count).effect;
    tn_writer_free(writer);
    return effect;
}

/* ---- patterns ---- */

static void fits(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool fits;
    } all[] = {
        {"*", "", true},        {"*", "a.b", true},       {"a.b", "a.b", true},
        {"a.b", "a.bc", false}, {"a.b", "a.", false},     {"a.*", "a.", true},
        {"a.*", "a.b.c", true}, {"*.b", "a.b", true},     {"*.b", "a.b.b", true},
        {"*.b", "a.bb", false}, {"a*c*e", "abcde", true}, {"a*c*e", "abcd", false},
        {"a**", "a", true},     {"**a", "bca", true},     {"*a*", "bcd", false},
        {"a*ab", "aaab", true}, {"a*ab", "aab", true},    {"a*ab", "ab", false},
        {"", "", true},         {"", "a", false},         {"a.L*", "a.list", false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool found =
            rules_fits(all[i].pattern, strlen(all[i].pattern), all[i].text, strlen(all[i].text));
        if (found != all[i].fits)
            fail_msg("%s and %s", all[i].pattern, all[i].text);
    }
}

static void patterns(void **state)
{
    static const char *const good[] = {"a.b",     "*",   "a.*", "*b", "A.b_$1",
                                       "a.b.c.d", "*.*", "a*",  "é.b"};
    static const char *const bad[] = {"",      "a",   "a.",   ".a",    "a b.c", "a.b\n",
                                      "a-b.c", "a/b", "a.b?", "[a].b", "."};
    (void)state;

    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_null(rules_pattern_fault(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(rules_pattern_fault(bad[i], strlen(bad[i])));
}

/* ---- precedence ---- */

static void precedence(void **state)
{
    static const char *const orders[] = {
        "{\"rules\":[{\"deny\":\"h.d*\"},{\"ask\":\"h.*\"},{\"allow\":\"*\"}]}",
        "{\"rules\":[{\"allow\":\"*\"},{\"ask\":\"h.*\"},{\"deny\":\"h.d*\"}]}",
        "{\"rules\":[{\"ask\":\"h.*\"},{\"deny\":\"h.d*\"},{\"allow\":[\"h.d\",\"*\"]}]}",
    };
    (void)state;

    for (size_t i = 0; i < 3; i++) {
        tn_policy *policy = policy_of(orders[i]);
        assert_int_equal(effect_of(policy, "h.d", "[]"), TN_POLICY_DENY);
        assert_int_equal(effect_of(policy, "h.drop", "[]"), TN_POLICY_DENY);
        assert_int_equal(effect_of(policy, "h.x", "[]"), TN_POLICY_ASK);
        assert_int_equal(effect_of(policy, "g.d", "[]"), TN_POLICY_ALLOW);
        rules_free(policy);
    }
}

static void defaults(void **state)
{
    tn_policy *policy = policy_of("{}");
    (void)state;

    assert_int_equal(effect_of(policy, "a.b", "[]"), TN_POLICY_ALLOW);
    rules_free(policy);
    policy = policy_of("{\"default\":\"ask\",\"rules\":[{\"allow\":\"a.b\"}]}");
    assert_int_equal(effect_of(policy, "a.b", "[]"), TN_POLICY_ALLOW);
    assert_int_equal(effect_of(policy, "a.c", "[]"), TN_POLICY_ASK);
    rules_free(policy);
    /* a rule whose conditions do not hold names nothing */
    policy = policy_of("{\"default\":\"deny\",\"rules\":[{\"allow\":\"a.b\",\"when\":{\"x\":1}}]}");
    assert_int_equal(effect_of(policy, "a.b", "[{\"x\":1}]"), TN_POLICY_ALLOW);
    assert_int_equal(effect_of(policy, "a.b", "[{\"x\":2}]"), TN_POLICY_DENY);
    rules_free(policy);
}

/* The most specific of clauses that can only hold one at a time. */
static void specific(void **state)
{
    tn_policy *policy =
        policy_of("{\"readOnly\":{\"*\":true,\"a.b\":true,\"a.*\":false,\"a.b*\":false,"
                  "\"*b\":true,\"a.*c\":true},"
                  "\"override\":{\"*\":{\"value\":1},\"a.b\":{\"value\":2}},"
                  "\"limits\":{\"*\":{\"calls\":9,\"timeMs\":50},\"a.*\":{\"calls\":20},"
                  "\"a.b\":{\"calls\":8}}}");
    uint32_t calls, time_ms;
    int64_t number = 0;
    (void)state;

    assert_true(rules_best(policy, "a.b", CLAUSE_READ_ONLY)->read_only);
    assert_false(rules_best(policy, "a.bc", CLAUSE_READ_ONLY)->read_only);
    assert_false(rules_best(policy, "a.x", CLAUSE_READ_ONLY)->read_only);
    assert_true(rules_best(policy, "a.xc", CLAUSE_READ_ONLY)->read_only);
    assert_true(rules_best(policy, "q.b", CLAUSE_READ_ONLY)->read_only);
    assert_true(tn_value_int(rules_best(policy, "a.b", CLAUSE_OVERRIDE)->value, &number));
    assert_int_equal(number, 2);
    assert_null(rules_best(policy, "a.b", CLAUSE_BOUND));
    rules_limits(policy, "a.b", &calls, &time_ms);
    assert_int_equal(calls, 8);
    assert_int_equal(time_ms, 50);
    rules_limits(policy, "a.c", &calls, &time_ms);
    assert_int_equal(calls, 9);
    rules_free(policy);
}

/* ---- conditions ---- */

static void conditions(void **state)
{
    static const struct {
        const char *when, *arguments;
        bool holds;
    } all[] = {
        {"{\"x\":1}", "[{\"x\":1}]", true},
        {"{\"x\":1}", "[{\"x\":1.5}]", false},
        {"{\"x\":1}", "[{\"x\":\"1\"}]", false},
        {"{\"x\":1}", "[{\"x\":true}]", false},
        {"{\"x\":1}", "[[1]]", false},
        {"{\"x\":1}", "[]", false},
        {"{\"x\":null}", "[{\"x\":null}]", true},
        {"{\"x\":null}", "[{}]", false},
        {"{\"x\":{\"$type\":\"undefined\"}}", "[{}]", true},
        {"{\"x\":{\"$type\":\"undefined\"}}", "[{\"x\":{\"$type\":\"undefined\"}}]", true},
        {"{\"x\":{\"$type\":\"undefined\"}}", "[{\"x\":null}]", false},
        {"{\"x\":{\"$type\":\"bigint\",\"value\":\"5\"}}",
         "[{\"x\":{\"$type\":\"bigint\",\"value\":\"5\"}}]", true},
        {"{\"x\":{\"$type\":\"bigint\",\"value\":\"5\"}}",
         "[{\"x\":{\"$type\":\"bigint\",\"value\":\"-5\"}}]", false},
        {"{\"x\":{\"$type\":\"bigint\",\"value\":\"5\"}}", "[{\"x\":5}]", false},
        {"{\"x\":{\"$type\":\"number\",\"value\":\"-0\"}}", "[{\"x\":0}]", true},
        {"{\"x\":{\"$type\":\"number\",\"value\":\"NaN\"}}",
         "[{\"x\":{\"$type\":\"number\",\"value\":\"NaN\"}}]", false},
        {"{\"x\":{\"equals\":{\"a\":[1,{\"b\":null}]}}}", "[{\"x\":{\"a\":[1,{\"b\":null}]}}]",
         true},
        {"{\"x\":{\"equals\":{\"a\":1,\"b\":2}}}", "[{\"x\":{\"b\":2,\"a\":1}}]", true},
        {"{\"x\":{\"equals\":{\"a\":1}}}", "[{\"x\":{\"a\":1,\"b\":2}}]", false},
        {"{\"x\":{\"equals\":[1,2]}}", "[{\"x\":[2,1]}]", false},
        {"{\"x\":{\"equals\":[1,2]}}", "[{\"x\":[1,2,3]}]", false},
        {"{\"x\":{\"oneOf\":[1,\"a\",null]}}", "[{\"x\":\"a\"}]", true},
        {"{\"x\":{\"oneOf\":[1,\"a\",null]}}", "[{\"x\":2}]", false},
        {"{\"x\":{\"oneOf\":[]}}", "[{\"x\":2}]", false},
        {"{\"x\":{\"prefix\":\"ab\"}}", "[{\"x\":\"abc\"}]", true},
        {"{\"x\":{\"prefix\":\"ab\"}}", "[{\"x\":\"a\"}]", false},
        {"{\"x\":{\"prefix\":\"\"}}", "[{\"x\":\"\"}]", true},
        {"{\"x\":{\"prefix\":\"\"}}", "[{}]", false},
        {"{\"x\":{\"pattern\":\"a*.md\"}}", "[{\"x\":\"a/b.md\"}]", true},
        {"{\"x\":{\"pattern\":\"a*.md\"}}", "[{\"x\":\"a/b.mdx\"}]", false},
        {"{\"x\":{\"pattern\":\"*\"}}", "[{\"x\":7}]", false},
        {"{\"a.b.c\":1}", "[{\"a\":{\"b\":{\"c\":1}}}]", true},
        {"{\"a.1\":7}", "[{\"a\":[6,7]}]", true},
        {"{\"a.1\":7}", "[{\"a\":{\"1\":7}}]", true},
        {"{\"0\":7}", "[7]", true},
        {"{\"0.x\":7}", "[{\"x\":7}]", true},
        {"{\"1.x\":7}", "[{\"x\":7}]", false},
        {"{\"1.x\":7}", "[0,{\"x\":7}]", true},
        {"{\"x\":1,\"y\":2}", "[{\"x\":1,\"y\":2}]", true},
        {"{\"x\":1,\"y\":2}", "[{\"x\":1,\"y\":3}]", false},
        {"{\"__proto__\":1}", "[{\"__proto__\":1}]", true},
    };
    (void)state;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char json[400];
        (void)snprintf(json, sizeof json, "{\"rules\":[{\"deny\":\"a.b\",\"when\":%s}]}",
                       all[i].when);
        tn_policy *policy = policy_of(json);
        bool held = effect_of(policy, "a.b", all[i].arguments) == TN_POLICY_DENY;
        if (held != all[i].holds)
            fail_msg("%s with %s", all[i].when, all[i].arguments);
        rules_free(policy);
    }
}

/* A guest that writes a member twice hides nothing by that. */
static void twice(void **state)
{
    static const uint8_t bytes[] = {0xa2, 0x61, 'x', 0x01, 0x61, 'x', 0x02};
    tn_value argument = {bytes, bytes, bytes + sizeof bytes};
    tn_policy *policy = policy_of("{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x\":7}}]}");
    Verdict verdict = rules_decide(policy, "a.b", &argument, 1);
    (void)state;

    assert_int_equal(verdict.effect, TN_POLICY_DENY);
    assert_string_equal(verdict.ambiguous, "x");
    rules_free(policy);
}

static void certain(void **state)
{
    tn_policy *policy =
        policy_of("{\"default\":\"deny\",\"rules\":[{\"deny\":\"a.*\",\"when\":{\"x\":1}},"
                  "{\"allow\":\"a.b\",\"when\":{\"x\":2}},{\"deny\":\"c.d\"},{\"allow\":\"c.d\"}],"
                  "\"override\":{\"e.*\":{\"deny\":\"gone\"},\"e.f\":{\"value\":1}}}");
    const Clause *clause;
    (void)state;

    assert_false(rules_denies_all(policy, "a.b", &clause));
    assert_true(rules_denies_all(policy, "a.c", &clause));
    assert_null(clause);
    assert_true(rules_denies_all(policy, "c.d", &clause));
    assert_string_equal(clause->pattern, "c.d");
    assert_true(rules_denies_all(policy, "e.g", &clause));
    assert_string_equal(clause->reason, "gone");
    rules_free(policy);
}

/* ---- faults ---- */

static void faults(void **state)
{
    static const struct {
        const char *json, *fault;
    } all[] = {
        {"7", "$: expected an object, got 7"},
        {"null", "$: expected an object, got null"},
        {"{\"rule\":[]}", "$: expected one of the members $schema, description, default, rules, "
                          "limits, readOnly, bound, override, fetch, got \"rule\""},
        {"{\"default\":1}", "$.default: expected \"allow\", \"ask\" or \"deny\", got 1"},
        {"{\"default\":\"Deny\"}",
         "$.default: expected \"allow\", \"ask\" or \"deny\", got \"Deny\""},
        {"{\"description\":1}", "$.description: expected text, got 1"},
        {"{\"rules\":{}}", "$.rules: expected an array of rules, got an empty object"},
        {"{\"rules\":[1]}", "$.rules[0]: expected an object, got 1"},
        {"{\"rules\":[{}]}", "$.rules[0]: expected a rule with allow, ask or deny, got an empty "
                             "object"},
        {"{\"rules\":[{\"deny\":\"*\",\"allow\":\"*\"}]}",
         "$.rules[0].allow: expected one of allow, ask and deny in a rule, got \"*\""},
        {"{\"rules\":[{\"deny\":[]}]}", "$.rules[0].deny: expected a pattern like \"github.*\", or "
                                        "an array of them, got an empty array"},
        {"{\"rules\":[{\"deny\":[\"a.b\",null]}]}", "$.rules[0].deny[1]: expected a pattern, got "
                                                    "null"},
        {"{\"rules\":[{\"deny\":\"a.b c\"}]}",
         "$.rules[0].deny: expected a name like \"github.listIssues\", with * for anything, got "
         "\"a.b c\""},
        {"{\"rules\":[{\"deny\":\"a.b\",\"if\":{}}]}",
         "$.rules[0]: expected one of the members "
         "allow, ask, deny, when, reason, got \"if\""},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{}}]}",
         "$.rules[0].when: expected at least one condition, got an empty object"},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":[1]}]}",
         "$.rules[0].when: expected an object of conditions, by paths into the arguments, got an "
         "array"},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x\":[1]}}]}",
         "$.rules[0].when.x: expected a value, or an object with one of the members equals, oneOf, "
         "prefix, pattern, got an array"},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x y\":{\"prefix\":5}}}]}",
         "$.rules[0].when[\"x y\"].prefix: expected text, got 5"},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x\":{\"is\":5}}}]}",
         "$.rules[0].when.x: expected a value, or an object with one of the members equals, oneOf, "
         "prefix, pattern, got \"is\""},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x\":{\"oneOf\":5}}}]}",
         "$.rules[0].when.x.oneOf: expected an array of values, got 5"},
        {"{\"rules\":[{\"deny\":\"a.b\",\"when\":{\"x..y\":1}}]}",
         "$.rules[0].when: expected paths like \"repo\", \"options.force\" or \"0.repo\" as its "
         "members, got \"x..y\""},
        {"{\"rules\":[{\"deny\":\"a.b\",\"reason\":1}]}",
         "$.rules[0].reason: expected text of at most 1000 bytes, got 1"},
        {"{\"limits\":{\"a.b\":{}}}", "$.limits[\"a.b\"]: expected calls or timeMs, got an empty "
                                      "object"},
        {"{\"limits\":{\"a.b\":{\"calls\":0}}}",
         "$.limits[\"a.b\"].calls: expected a whole number from 1 to 4294967295, got 0"},
        {"{\"limits\":{\"a.b\":{\"calls\":1.5}}}",
         "$.limits[\"a.b\"].calls: expected a whole number from 1 to 4294967295, got 1.5"},
        {"{\"limits\":{\"a.b\":{\"timeMs\":5000000000}}}",
         "$.limits[\"a.b\"].timeMs: expected a whole number from 1 to 4294967295, got 5000000000"},
        {"{\"readOnly\":{\"a.b\":\"yes\"}}", "$.readOnly[\"a.b\"]: expected true or false, got "
                                             "\"yes\""},
        {"{\"readOnly\":{\"a\":true}}",
         "$.readOnly: expected a function of a package, like \"github.listIssues\" (\"github.*\" "
         "for all of them, \"*\" for everything), got \"a\""},
        {"{\"bound\":{\"a.b\":{}}}", "$.bound[\"a.b\"]: expected an object of parameters and their "
                                     "values, got an empty object"},
        {"{\"override\":{\"a.b\":{}}}", "$.override[\"a.b\"]: expected one of function, value and "
                                        "deny, got an empty object"},
        {"{\"override\":{\"a.b\":{\"function\":\"c.*\"}}}",
         "$.override[\"a.b\"].function: expected the name of a function, like \"mock.send\", got "
         "\"c.*\""},
        {"{\"override\":{\"a.b\":{\"deny\":false}}}",
         "$.override[\"a.b\"].deny: expected true, or the reason as text, got false"},
        {"{\"override\":{\"a.b\":{\"value\":1,\"deny\":true}}}",
         "$.override[\"a.b\"]: expected one of function, value and deny, got an object"},
        {"{\"override\":{\"a.b\":7}}", "$.override[\"a.b\"]: expected an object, got 7"},
        {"{\"default\":\"\\u001b[31m\\u0000\"}", "$.default: expected \"allow\", \"ask\" or "
                                                 "\"deny\", got \"?[31m?\""},
    };
    (void)state;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        tn_policy *policy;
        char fault[500];
        assert_int_equal(read_with(memory_default(), all[i].json, &policy, fault, sizeof fault),
                         TN_ERR_ARGUMENT);
        assert_null(policy);
        assert_string_equal(fault, all[i].fault);
    }
}

/* The same member twice says two things. */
static void member_twice(void **state)
{
    static const uint8_t bytes[] = {0xa2, 0x67, 'd',  'e', 'f',  'a', 'u', 'l', 't', 0x64,
                                    'd',  'e',  'n',  'y', 0x67, 'd', 'e', 'f', 'a', 'u',
                                    'l',  't',  0x65, 'a', 'l',  'l', 'o', 'w'};
    tn_policy *policy = rules_new(memory_default());
    const char *fault = NULL;
    (void)state;

    assert_int_equal(rules_read(policy, tn_value_view(bytes, sizeof bytes), &fault),
                     TN_ERR_ARGUMENT);
    assert_string_equal(fault, "$.default: expected this member once, got \"allow\"");
    rules_free(policy);
}

/* ---- memory ---- */

static void refusals(void **state)
{
    static const char json[] =
        "{\"default\":\"deny\",\"rules\":[{\"allow\":[\"a.b\",\"c.*\",\"d.e\",\"f.*\",\"g.h\","
        "\"i.*\",\"j.k\",\"l.*\",\"m.n\",\"o.*\"],\"when\":{\"x.y\":1,\"z\":{\"prefix\":\"p\"}},"
        "\"reason\":\"r\"}],\"limits\":{\"*\":{\"calls\":1}},\"readOnly\":{\"a.*\":true},"
        "\"bound\":{\"a.b\":{\"u\":1}},\"override\":{\"q.r\":{\"function\":\"s.t\"}}}";
    (void)state;

    FOR_EACH_REFUSAL(failing)
    {
        tn_policy *policy;
        tn_status status = read_with(failing_allocator(&failing), json, &policy, NULL, 0);
        rules_free(policy);
        failing_settle(&failing, status);
    }
}

/* The n-th allocation refused while something is wrong with it: a fault, or no memory for one. */
static void refusals_of_faults(void **state)
{
    (void)state;

    FOR_EACH_REFUSAL(failing)
    {
        tn_policy *policy;
        tn_status status =
            read_with(failing_allocator(&failing),
                      "{\"rules\":[{\"deny\":\"a.b\"},{\"deny\":\"a\"}]}", &policy, NULL, 0);
        assert_true(status == TN_ERR_ARGUMENT || (status == TN_ERR_NOMEM && failing.refused));
        rules_free(policy);
        assert_int_equal(failing.bytes, 0);
    }
}

/* ---- against the plain way: every clause looked at ---- */

static void same_as_plain(void **state)
{
    static const char *const parts[] = {"a", "b", "ab", "*", ".", "c.", "*b"};
    unsigned seed = 1;
    (void)state;

    for (int round = 0; round < 300; round++) {
        tn_policy *policy = rules_new(memory_default());
        char patterns[12][40];
        size_t count = 0;
        for (int i = 0; i < 12; i++) {
            char text[40] = "";
            for (int k = 0; k < 4; k++) {
                seed = seed * 1103515245u + 12345u;
                strcat(text, parts[(seed >> 16) % 7]);
            }
            if (rules_pattern_fault(text, strlen(text)))
                continue;
            strcpy(patterns[count], text);
            Clause clause = {.kind = CLAUSE_DENY, .pattern = patterns[count]};
            assert_int_equal(rules_add(policy, &clause), TN_OK);
            count++;
        }
        for (int i = 0; i < 20; i++) {
            char name[40] = "";
            size_t found = 0, wanted = 0;
            for (int k = 0; k < 4; k++) {
                seed = seed * 1103515245u + 12345u;
                unsigned which = (seed >> 16) % 5;
                strcat(name, parts[which == 3 ? 5 : which]);
            }
            RuleWalk walk = rules_walk(policy, name);
            while (rules_next(policy, &walk))
                found++;
            for (size_t k = 0; k < count; k++)
                wanted += rules_fits(patterns[k], strlen(patterns[k]), name, strlen(name));
            assert_int_equal(found, wanted);
        }
        rules_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits),          cmocka_unit_test(patterns),
        cmocka_unit_test(precedence),    cmocka_unit_test(defaults),
        cmocka_unit_test(specific),      cmocka_unit_test(conditions),
        cmocka_unit_test(twice),         cmocka_unit_test(certain),
        cmocka_unit_test(faults),        cmocka_unit_test(member_twice),
        cmocka_unit_test(refusals),      cmocka_unit_test(refusals_of_faults),
        cmocka_unit_test(same_as_plain),
    };
    RUN_TESTS(tests);
}
