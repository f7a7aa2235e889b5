/* base/zone: known instants of zones with something special about each. */
#include "failing_allocator.h"

#include "memory.h"
#include "posix_tz.h"
#include "zone.h"

static int offset(const char *name, double ms, bool is_local)
{
    Zone *zone = NULL;
    tn_status status = zone_load(memory_default(), name, &zone);
    if (status == TN_ERR_NOT_FOUND)
        skip();
    assert_int_equal(status, TN_OK);
    assert_string_equal(zone_name(zone), name);
    int32_t found = zone_offset_ms(zone, ms, is_local);
    zone_free(zone);
    return found / 60000;
}

static void knows_daylight_time(void **state)
{
    (void)state;
    /* Berlin went forward on 2024-03-31 at 01:00 UTC and back on 2024-10-27 at 01:00 UTC. */
    assert_int_equal(offset("Europe/Berlin", 1711846799999., false), 60);
    assert_int_equal(offset("Europe/Berlin", 1711846800000., false), 120);
    assert_int_equal(offset("Europe/Berlin", 1729990800000., false), 60);
    /* 2500-07-01, far past every table. */
    assert_int_equal(offset("Europe/Berlin", 16740950400000., false), 120);
    assert_int_equal(offset("Australia/Lord_Howe", 1704067200000., false), 660);
    assert_int_equal(offset("Asia/Kathmandu", 0, false), 330);
    assert_int_equal(offset("Asia/Kathmandu", 1.7e12, false), 345);
    assert_int_equal(offset("Europe/Dublin", 1720000000000., false), 60);
    assert_int_equal(offset("UTC", 1720000000000., true), 0);
}

static void skipped_and_repeated_local_times(void **state)
{
    (void)state;
    /* New York 2024-03-10 02:30 does not exist; 2024-11-03 01:30 exists twice. */
    assert_int_equal(offset("America/New_York", 1710037800000., true), -300);
    assert_int_equal(offset("America/New_York", 1710041400000., true), -240);
    assert_int_equal(offset("America/New_York", 1730597400000., true), -240);
    assert_int_equal(offset("America/New_York", 1730601000000., true), -300);
    /* Apia left out the whole of 2011-12-30. */
    assert_int_equal(offset("Pacific/Apia", 1325246400000., true), -600);
    assert_int_equal(offset("Pacific/Apia", 1325332800000., true), 840);
}

static void refuses_other_names(void **state)
{
    (void)state;
    Zone *zone = NULL;
    const char *const bad[] = {
        "",
        "/etc/passwd",
        "../x",
        "a/../b",
        "Europe//Berlin",
        "Europe/",
        "Europe/.",
        "a b",
        "a\n",
        "x234567890123456789012345678901234567890123456789012345678901234567"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(zone_load(memory_default(), bad[i], &zone), TN_ERR_ARGUMENT);
    assert_int_equal(zone_load(memory_default(), "Mars/Olympus", &zone), TN_ERR_NOT_FOUND);
    assert_int_equal(zone_load(memory_default(), "Europe", &zone), TN_ERR_NOT_FOUND);
    assert_int_equal(zone_load(memory_default(), "right/Europe/Berlin", &zone), TN_ERR_NOT_FOUND);
    assert_null(zone);
    assert_int_equal(zone_load(memory_default(), NULL, &zone), TN_OK);
    assert_true(zone_offset_ms(zone, 0, false) < 100000000);
    zone_free(zone);
    zone_free(NULL);
}

static void refusal_of_memory(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Zone *zone = NULL;
        tn_status status = zone_load(failing_allocator(&failing), "Europe/Paris", &zone);
        if (status == TN_ERR_NOT_FOUND)
            skip();
        assert_true((zone != NULL) == (status == TN_OK));
        zone_free(zone);
        failing_settle(&failing, status);
    }
}

static void parses_rules(void **state)
{
    (void)state;
    TzRule rule;
    const char *const bad[] = {"",
                               "A0",
                               "<+>0",
                               "EST",
                               "EST5EDT",
                               "EST5x",
                               "EST168",
                               "EST5EDT,M13.1.0,M1.1.0",
                               "EST5EDT,J0,1",
                               "EST5EDT,J1,366",
                               "EST5EDT,M3.2.0",
                               "EST5EDT,1,2x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(tz_rule_parse(bad[i], strlen(bad[i]), &rule));
    const char all_year[] = "XXX3EDT4,0/0,J365/23";
    assert_true(tz_rule_parse(all_year, sizeof all_year - 1, &rule));
    for (int64_t t = 0; t < 800; t++)
        assert_int_equal(tz_rule_span(&rule, 1700000000 + t * 86400).offset, -4 * 3600);
    const char gone_west[] = "<-02>2<-01>,M3.5.0/-1,M10.5.0/0";
    assert_true(tz_rule_parse(gone_west, sizeof gone_west - 1, &rule));
    assert_int_equal(tz_rule_span(&rule, 1720000000).offset, -3600);
    assert_int_equal(tz_rule_span(&rule, 1704067200).offset, -7200);
}

/* For base_zone_differential.py: lines of "zone ms is_local" in, offsets in milliseconds out. */
static int answer_lines(void)
{
    char name[80], loaded[80] = "";
    long long ms;
    int is_local;
    Zone *zone = NULL;

    while (scanf("%79s %lld %d", name, &ms, &is_local) == 3) {
        if (strcmp(name, loaded) != 0) {
            zone_free(zone);
            zone = NULL;
            if (zone_load(memory_default(), name, &zone) != TN_OK)
                return 1;
            (void)snprintf(loaded, sizeof loaded, "%s", name);
        }
        printf("%d\n", zone_offset_ms(zone, (double)ms, is_local != 0));
    }
    zone_free(zone);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--lines") == 0)
        return answer_lines();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_daylight_time), cmocka_unit_test(skipped_and_repeated_local_times),
        cmocka_unit_test(refuses_other_names), cmocka_unit_test(refusal_of_memory),
        cmocka_unit_test(parses_rules),
    };
    RUN_TESTS(tests);
}
