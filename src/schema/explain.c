/* What is said of a value that does not fit: short, and enough to mend a call. */
#include <string.h>

#include "check.h"
#include "say.h"
#include "utf8.h"

enum { TEXT_SHOWN = 60, PATH_SHOWN = 400, ALTERNATIVES_SHOWN = 5 };

/* A failure, and how deep in the value it is. */
typedef struct Noted {
    SchemaFailure failure;
    unsigned depth;
} Noted;

/* ---- words ---- */

/* The Buf's text into the arena; what did not fit is left out at a character's edge. */
static const char *finish(Check *check, Buf *buf)
{
    size_t length = utf8_floor(buf->data, buf->length, buf->length);
    const char *text = arena_text(check->arena, (const char *)buf->data, length);

    buf_release(buf);
    return text ? text : "";
}

const char *explain_text(Check *check, const char *text, size_t length)
{
    Buf buf;

    buf_init(&buf, check->arena->allocator, SIZE_MAX);
    say_text(&buf, text, length, TEXT_SHOWN);
    return finish(check, &buf);
}

const char *explain_json(Check *check, const Datum *value)
{
    Buf buf;

    buf_init(&buf, check->arena->allocator, SIZE_MAX);
    say_json(&buf, value);
    return finish(check, &buf);
}

const char *explain_value(Check *check, const Datum *value)
{
    static const char *const kinds[] = {
        [DATUM_NUMBER] = "the number ", [DATUM_TEXT] = "the string "};
    Buf buf;

    if (value->kind == DATUM_ARRAY)
        return value->count == 0 ? "an empty array"
                                 : arena_printf(check->arena, "an array of %u", value->count);
    if (value->kind == DATUM_OBJECT && value->count == 0)
        return "an empty object";
    buf_init(&buf, check->arena->allocator, SIZE_MAX);
    if (value->kind == DATUM_OBJECT) {
        buf_append_string(&buf, "an object with ");
        for (uint32_t i = 0; i < value->count; i++) {
            buf_append_string(&buf, i > 0 ? ", " : "");
            if (i == 8) {
                buf_append_string(&buf, "...");
                break;
            }
            say_text(&buf, value->members[i].name, value->members[i].length, 30);
        }
    } else {
        if (value->kind < COUNT_OF(kinds) && kinds[value->kind])
            buf_append_string(&buf, kinds[value->kind]);
        say_json(&buf, value);
    }
    return finish(check, &buf);
}

const char *explain_types(Check *check, unsigned types)
{
    static const struct {
        uint8_t bits;
        const char *name;
    } names[] = {{TYPE_NUMBER, "number"},   {TYPE_INTEGER, "integer"}, {TYPE_STRING, "string"},
                 {TYPE_BOOLEAN, "boolean"}, {TYPE_ARRAY, "array"},     {TYPE_OBJECT, "object"},
                 {TYPE_NULL, "null"}};
    Buf buf;

    buf_init(&buf, check->arena->allocator, SIZE_MAX);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if ((types & names[i].bits) != names[i].bits)
            continue;
        buf_append_string(&buf, buf.length > 0 ? " or " : "");
        buf_append_string(&buf, names[i].name);
        types &= ~(unsigned)names[i].bits;
    }
    return finish(check, &buf);
}

/* ---- failures ---- */

static bool plain_name(const DatumMember *member)
{
    for (uint32_t i = 0; i < member->length; i++) {
        char c = member->name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
              (i > 0 && c >= '0' && c <= '9')))
            return false;
    }
    return member->length > 0;
}

static const char *path_of(Check *check, const Where *where, unsigned depth)
{
    const Where **steps = ARENA_ARRAY(check->arena, const Where *, depth);
    Buf buf;

    if (depth > 0 && !steps)
        return "$";
    for (unsigned i = depth; i > 0; i--, where = where->up)
        steps[i - 1] = where;
    buf_init(&buf, check->arena->allocator, SIZE_MAX);
    buf_append_byte(&buf, '$');
    for (unsigned i = 0; i < depth; i++) {
        const DatumMember *member = steps[i]->member;
        if (buf.length > PATH_SHOWN) {
            buf_append_string(&buf, "...");
            break;
        }
        if (!member) {
            buf_append_byte(&buf, '[');
            buf_append_uint(&buf, steps[i]->index);
            buf_append_byte(&buf, ']');
        } else if (plain_name(member)) {
            buf_append_byte(&buf, '.');
            buf_append(&buf, member->name, member->length);
        } else {
            buf_append_byte(&buf, '[');
            say_text(&buf, member->name, member->length, TEXT_SHOWN);
            buf_append_byte(&buf, ']');
        }
    }
    return finish(check, &buf);
}

bool check_fail_as(Check *check, const Where *where, const char *keyword, const char *expected,
                   const char *got)
{
    unsigned depth = 0;

    if (!check->explaining || check->failure_count >= check->options.failures)
        return false;
    Noted *noted = ARENA_NEW(check->arena, Noted);
    if (!noted)
        return false;
    for (const Where *at = where; at->up; at = at->up)
        depth++;
    noted->failure = (SchemaFailure){.path = path_of(check, where, depth),
                                     .expected = expected ? expected : "another value",
                                     .got = got ? got : "this one",
                                     .keyword = keyword,
                                     .next = check->failures};
    noted->depth = depth;
    check->failures = &noted->failure;
    check->failure_count++;
    return false;
}

bool check_fail(Check *check, const Where *where, const char *keyword, const char *expected,
                const Datum *got)
{
    return check->explaining && check->failure_count < check->options.failures &&
           check_fail_as(check, where, keyword, expected, explain_value(check, got));
}

/* How near an alternative comes: its failures are few, none of them says that another alternative
 * was meant, and they are deep in the value. */
static int nearness(const SchemaFailure *failures, unsigned depth)
{
    int points = 0;

    if (!failures)
        return -10000;
    for (; failures; failures = failures->next) {
        unsigned at = ((const Noted *)(const void *)failures)->depth;
        points -= 10;
        if (strcmp(failures->keyword, "const") == 0 || strcmp(failures->keyword, "enum") == 0)
            points -= 100;
        if (at == depth && strcmp(failures->keyword, "type") == 0)
            points -= 1000;
        points += at < 9 ? (int)at : 9;
    }
    return points;
}

/* The first thing that an alternative fails at. */
typedef struct Alternative {
    SchemaFailure *failures;
    int points;
} Alternative;

/* Does it fail where the best one does, by what a value is and not by what it has? Then each of
 * them is a way to mend it. */
static bool is_as_near(const Alternative *one, const Alternative *best)
{
    const char *keyword = one->failures ? one->failures->keyword : "";
    const char *known = best->failures->keyword;

    if (one == best)
        return true;
    if (!one->failures || strcmp(one->failures->path, best->failures->path) != 0)
        return false;
    if (one->points == best->points)
        return true;
    for (int i = 0; i < 2; i++, keyword = known) {
        if (strcmp(keyword, "type") != 0 && strcmp(keyword, "enum") != 0 &&
            strcmp(keyword, "const") != 0)
            return false;
    }
    return true;
}

/* "number or one of [1, 2]": what the alternatives that come as near as the best one expect. */
static const char *all_expected(Check *check, const Alternative *all, uint32_t count,
                                const Alternative *best)
{
    uint32_t shown = 0;
    Buf buf;

    buf_init(&buf, check->arena->allocator, 500);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_as_near(&all[i], best))
            continue;
        const char *expected = all[i].failures->expected;
        if ((buf.length == 0 || !memmem(buf.data, buf.length, expected, strlen(expected))) &&
            shown++ < ALTERNATIVES_SHOWN) {
            buf_append_string(&buf, buf.length > 0 ? " or " : "");
            buf_append_string(&buf, expected);
        }
    }
    return shown > 1 ? finish(check, &buf) : (buf_release(&buf), NULL);
}

bool explain_alternatives(Check *check, const SchemaList *list, const Datum *value,
                          const Where *where, const char *keyword)
{
    SchemaFailure *before = check->failures, *last;
    uint32_t count = check->failure_count, most = check->options.failures;
    Alternative *all = ARENA_ARRAY(check->arena, Alternative, (size_t)list->count + 1);
    const Alternative *best = all;
    unsigned depth = 0;

    if (count >= most || !all)
        return false;
    for (const Where *at = where; at->up; at = at->up)
        depth++;
    for (uint32_t i = 0; i < list->count && !check->stopped; i++) {
        check->failures = NULL;
        check->failure_count = 0;
        check->options.failures = 4;
        (void)check_schema(check, list->items[i], value, where, NULL);
        all[i] = (Alternative){check->failures, nearness(check->failures, depth)};
        if (all[i].points > best->points)
            best = &all[i];
    }
    check->options.failures = most;
    check->failures = before;
    check->failure_count = count;
    if (!best->failures)
        return check_fail(check, where, keyword, "a value of one of the kinds", value);
    const char *any = all_expected(check, all, list->count, best);
    if (any) {
        best->failures->expected = any;
        best->failures->next = NULL;
    }
    for (last = best->failures; last->next && ++check->failure_count < most;)
        last = last->next;
    check->failure_count++;
    last->next = before;
    check->failures = best->failures;
    return false;
}
