/* Calls that somebody is asked about first: answered at once, by other threads, late, or never. */
#include "under.h"

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

/* Threads that are on their way. */
static int under_way;

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
    __atomic_fetch_sub(&under_way, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void ask_at_once(void *user, tn_question *question)
{
    pthread_t thread;
    (void)user;

    __atomic_fetch_add(&under_way, 1, __ATOMIC_RELAXED);
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
    under_way = 0;
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
    while (__atomic_load_n(&under_way, __ATOMIC_ACQUIRE) > 0)
        usleep(1000);
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
    return RUN(argc, argv, {"questions", questions}, {"questions let go", questions_let_go},
               {"questions from threads", questions_from_threads},
               {"people take time", people_take_time}, {"questions expire", questions_expire},
               {"questions are bound", questions_are_bound},
               {"cancelled while asked", cancelled_while_asked}, {"shared", shared});
}
