#include "regexp.h"

#include <string.h>

#include "messages.h"

enum { NESTED_MAX = 200 }; /* brackets in brackets, with the flag v */

/* ---- without the flag v: characters, and ranges of them ---- */

static bool ends(const Regexp *r)
{
    int c = regexp_peek(r);
    return c == ']' || c == REGEXP_END;
}

static int32_t read_atom(Regexp *r)
{
    if (regexp_peek(r) != '\\')
        return regexp_character(r);
    r->scan.at++;
    int c = regexp_peek(r);
    if (c == 'b' || c == '-') {
        r->scan.at++;
        return c == 'b' ? '\b' : c;
    }
    return regexp_class_escape(r) ? ATOM_CLASS : regexp_escape(r, false);
}

static void check_order(Regexp *r, int32_t low, int32_t high, uint32_t start)
{
    if (low >= 0 && high >= 0 && low > high)
        regexp_wrong(r, 1517, start, r->scan.at);
}

static void read_ranges(Regexp *r)
{
    while (!ends(r)) {
        uint32_t start = r->scan.at;
        int32_t low = read_atom(r);
        if (regexp_peek(r) != '-')
            continue;
        r->scan.at++;
        if (ends(r))
            return;
        if (low == ATOM_CLASS && r->unicode)
            regexp_wrong(r, 1516, start, r->scan.at - 1);
        uint32_t second = r->scan.at;
        int32_t high = read_atom(r);
        if (high == ATOM_CLASS && r->unicode)
            regexp_wrong(r, 1516, second, r->scan.at);
        else
            check_order(r, low, high, start);
    }
}

/* ---- with the flag v: sets, and what is done with them ---- */

static void read_set(Regexp *r);

static bool at_twice(const Regexp *r, int c)
{
    return regexp_peek(r) == c && r->scan.text[r->scan.at + 1] == c;
}

/* One character, as it may stand in a set. */
static int32_t read_set_character(Regexp *r)
{
    static const char escaped[] = "&-!#%,:;<=>@`~";
    static const char doubled[] = "&!#%*+,.:;<=>?@`~";
    Scanner *s = &r->scan;
    int c = regexp_peek(r);

    if (c == REGEXP_END)
        return ATOM_CLASS;
    if (c == '\\') {
        s->at++;
        c = regexp_peek(r);
        if (c != 'b' && !(c > 0 && memchr(escaped, c, sizeof(escaped) - 1)))
            return regexp_escape(r, false);
        s->at++;
        return c == 'b' ? '\b' : c;
    }
    if (memchr(doubled, c, sizeof(doubled) - 1) && at_twice(r, c)) {
        regexp_wrong(r, 1522, s->at, s->at + 2);
        s->at += 2;
        return ATOM_TEXT;
    }
    if (memchr("/()[]{}-|", c, 9)) {
        regexp_wrong(r, 1508, s->at, s->at + 1);
        s->at++;
        return c;
    }
    return regexp_character(r);
}

/* \q{abc|d}: behind the brace, up to the closing one. */
static void read_texts(Regexp *r)
{
    uint32_t count = 0;

    for (;;) {
        int c = regexp_peek(r);
        if (c == REGEXP_END)
            return;
        if (c != '}' && c != '|') {
            (void)read_set_character(r);
            count++;
            continue;
        }
        if (count != 1)
            r->may_be_text = true;
        if (c == '}')
            return;
        r->scan.at++;
        count = 0;
    }
}

static int32_t read_operand(Regexp *r)
{
    Scanner *s = &r->scan;
    int c = regexp_peek(r);

    r->may_be_text = false;
    if (c == '[') {
        s->at++;
        read_set(r);
        regexp_expect(r, TOKEN_CLOSE_BRACKET);
        return ATOM_CLASS;
    }
    if (c != '\\')
        return read_set_character(r);
    s->at++;
    if (regexp_class_escape(r))
        return ATOM_CLASS;
    if (regexp_peek(r) == 'q') {
        s->at++;
        if (regexp_peek(r) != '{') {
            regexp_wrong(r, 1521, s->at - 2, s->at);
            return 'q';
        }
        s->at++;
        read_texts(r);
        regexp_expect(r, TOKEN_CLOSE_BRACE);
        return ATOM_CLASS;
    }
    s->at--;
    return read_set_character(r);
}

/* A sign between operands, one after the first: `--` or `&&`, and always the same. */
static void read_operator(Regexp *r, Token token)
{
    Scanner *s = &r->scan;
    int c = regexp_peek(r);

    if (c != '-' && c != '&') {
        regexp_lacks(r, token);
        return;
    }
    s->at++;
    if (regexp_peek(r) != c) {
        regexp_wrong(r, c == '-' ? 1519 : 1508, s->at - 1, s->at);
        return;
    }
    s->at++;
    if (c != token_text(token)[0])
        regexp_wrong(r, 1519, s->at - 2, s->at);
    if (c == '&' && regexp_peek(r) == '&') {
        regexp_wrong(r, 1508, s->at, s->at + 1);
        s->at++;
    }
}

/* `a--b--c` or `a&&b&&c`, behind `a`. */
static void read_operation(Regexp *r, Token token)
{
    bool may_be_text = r->may_be_text;

    while (!ends(r)) {
        read_operator(r, token);
        if (ends(r)) {
            regexp_wrong(r, 1520, r->scan.at, r->scan.at);
            break;
        }
        (void)read_operand(r);
        may_be_text = may_be_text && r->may_be_text;
    }
    r->may_be_text = may_be_text;
}

/* What a set goes through. */
typedef struct Set {
    uint32_t start; /* of the operand */
    int32_t operand;
    bool complement;
    bool may_be_text;
} Set;

/* A negated class may not hold texts of several characters. */
static void check_complement(Regexp *r, const Set *set, uint32_t start)
{
    if (set->complement && r->may_be_text)
        regexp_wrong(r, 1518, start, r->scan.at);
}

/* Behind a single `-`: the end of a range. */
static void read_range_end(Regexp *r, Set *set)
{
    if (set->operand == ATOM_CLASS)
        regexp_wrong(r, 1516, set->start, r->scan.at - 1);
    uint32_t second = r->scan.at;
    int32_t high = read_operand(r);
    check_complement(r, set, second);
    set->may_be_text |= r->may_be_text;
    if (high == ATOM_CLASS)
        regexp_wrong(r, 1516, second, r->scan.at);
    else
        check_order(r, set->operand, high, set->start);
}

/* A sign that is an operator where none may be. True if another sign may follow at once. */
static bool read_wrong_operator(Regexp *r, Set *set, int c)
{
    Scanner *s = &r->scan;
    bool twice = at_twice(r, c);

    if (c == '-' && !twice)
        return false;
    set->start = s->at;
    s->at += twice ? 2 : 1;
    set->operand = twice ? ATOM_TEXT : c;
    regexp_wrong(r, twice ? 1519 : 1508, set->start, s->at);
    if (c == '&' && twice && regexp_peek(r) == '&') {
        regexp_wrong(r, 1508, s->at, s->at + 1);
        s->at++;
    }
    return true;
}

/* The rest of a union: operands and ranges side by side. */
static void read_union(Regexp *r, Set *set)
{
    Scanner *s = &r->scan;

    for (;;) {
        int c = regexp_peek(r);
        if (c == REGEXP_END)
            return;
        if ((c == '-' || c == '&') && read_wrong_operator(r, set, c))
            continue;
        if (c == '-') {
            s->at++;
            if (ends(r))
                return;
            read_range_end(r, set);
        }
        if (ends(r))
            return;
        set->start = s->at;
        if (at_twice(r, '-') || at_twice(r, '&')) {
            s->at += 2;
            set->operand = ATOM_TEXT;
            regexp_wrong(r, 1519, set->start, s->at);
        } else {
            set->operand = read_operand(r);
        }
    }
}

/* Behind the first operand, what kind of set is it? */
static void read_set_rest(Regexp *r, Set *set)
{
    int c = regexp_peek(r);

    if (at_twice(r, '-')) {
        check_complement(r, set, set->start);
        set->may_be_text = r->may_be_text;
        read_operation(r, TOKEN_MINUS_MINUS);
    } else if (at_twice(r, '&')) {
        read_operation(r, TOKEN_AMPERSAND_AMPERSAND);
        check_complement(r, set, set->start);
        set->may_be_text = r->may_be_text;
    } else {
        if (c == '&') {
            regexp_wrong(r, 1508, r->scan.at, r->scan.at + 1);
        } else if (c != '-') {
            check_complement(r, set, set->start);
            set->may_be_text = r->may_be_text;
        }
        read_union(r, set);
    }
}

static void read_set(Regexp *r)
{
    Set set = {.operand = ATOM_CLASS};

    if (++r->nested > NESTED_MAX) {
        regexp_wrong(r, COMPLAINT_TOO_DEEP, r->scan.at, r->scan.at);
        r->stopped = true;
        r->scan.at = r->scan.end;
    }
    if (regexp_peek(r) == '^') {
        r->scan.at++;
        set.complement = true;
    }
    if (!ends(r)) {
        set.start = r->scan.at;
        if (at_twice(r, '-') || at_twice(r, '&')) {
            regexp_wrong(r, 1520, set.start, set.start);
            r->may_be_text = false;
        } else {
            set.operand = read_operand(r);
        }
        read_set_rest(r, &set);
        r->may_be_text = !set.complement && set.may_be_text;
    }
    r->nested--;
}

void regexp_class(Regexp *r)
{
    if (r->sets) {
        read_set(r);
        return;
    }
    if (regexp_peek(r) == '^')
        r->scan.at++;
    read_ranges(r);
}
