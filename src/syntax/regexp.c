#include "regexp.h"

#include <string.h>

void regexp_wrong(Regexp *r, unsigned code, uint32_t start, uint32_t end)
{
    if (!r->stopped)
        scan_complain(&r->scan, code, start, end);
}

void regexp_lacks(Regexp *r, Token token)
{
    uint32_t at = r->scan.at;

    if (!r->stopped)
        complain(r->scan.complaints, (Complaint){.start = at,
                                                 .end = at,
                                                 .code = 1005,
                                                 .token = (uint16_t)token,
                                                 .text = "regular expression"});
}

void regexp_expect(Regexp *r, Token token)
{
    if (regexp_peek(r) == token_text(token)[0])
        r->scan.at++;
    else
        regexp_lacks(r, token);
}

/* ---- numbers and references ---- */

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Decimal digits: what they mean, and whether there are any. */
static bool read_number(Regexp *r, double *out_value)
{
    uint32_t start = r->scan.at;

    *out_value = 0;
    for (; is_digit(regexp_peek(r)); r->scan.at++)
        *out_value = *out_value * 10 + (regexp_peek(r) - '0');
    return r->scan.at > start;
}

static void atom_escape(Regexp *r)
{
    Scanner *s = &r->scan;
    int c = regexp_peek(r);
    double number;

    if (c == 'k') {
        s->at++;
        if (regexp_peek(r) == '<') {
            s->at++;
            regexp_group_name(r, true);
        } else if (r->unicode || r->named) {
            regexp_wrong(r, 1510, s->at - 2, s->at);
        }
    } else if (c == 'q' && r->sets) {
        s->at++;
        regexp_wrong(r, 1511, s->at - 2, s->at);
    } else if (c >= '1' && c <= '9') {
        uint32_t start = s->at;
        (void)read_number(r, &number);
        Mention *one = number > r->groups ? regexp_mention(r, start) : NULL;
        if (one)
            one->number = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    } else if (!regexp_class_escape(r)) {
        (void)regexp_escape(r, true);
    }
}

/* ---- groups and quantifiers ---- */

static uint32_t flag_of(uint32_t code)
{
    static const char flags[] = "imsuvdgy";
    const char *flag = code < 0x80 ? memchr(flags, (int)code, sizeof(flags) - 1) : NULL;

    return flag ? 1u << (flag - flags) : 0;
}

enum { FLAGS_OF_GROUPS = 7, FLAG_UNICODE = 8, FLAG_SETS = 16 };

/* Flags behind the expression, or in `(?ims-ims:`. Returns all there are. */
static uint32_t read_flags(Regexp *r, uint32_t flags, uint32_t allowed)
{
    Scanner *s = &r->scan;

    while (s->at < s->end) {
        uint32_t bytes;
        uint32_t code = code_at(s, s->at, &bytes);
        uint32_t flag = flag_of(code);
        unsigned wrong = 0;
        if (!continues_name(code))
            break;
        if (!flag)
            wrong = 1499;
        else if (flags & flag)
            wrong = 1500;
        else if (!(flag & allowed))
            wrong = 1509;
        else if (((flags | flag) & (FLAG_UNICODE | FLAG_SETS)) == (FLAG_UNICODE | FLAG_SETS))
            wrong = 1502;
        else
            flags |= flag;
        if (wrong)
            regexp_wrong(r, wrong, s->at, s->at + bytes);
        s->at += bytes;
    }
    return flags;
}

static void read_group_flags(Regexp *r)
{
    uint32_t start = r->scan.at;
    uint32_t flags = read_flags(r, 0, FLAGS_OF_GROUPS);

    if (regexp_peek(r) == '-') {
        r->scan.at++;
        (void)read_flags(r, flags, FLAGS_OF_GROUPS);
        if (r->scan.at == start + 1)
            regexp_wrong(r, 1504, start, r->scan.at);
    }
    regexp_expect(r, TOKEN_COLON);
}

/* `(` and what it may have behind it. Groups nest without recursion: as deep as there is text. */
static void open_group(Regexp *r)
{
    Scanner *s = &r->scan;
    bool repeatable = true;

    s->at++;
    int c = regexp_peek(r) == '?' ? s->text[++s->at] : 0;
    bool behind = c == '<' && s->at + 1 < s->end;
    if (behind && (s->text[s->at + 1] == '=' || s->text[s->at + 1] == '!')) {
        s->at += 2;
        repeatable = false;
    } else if (c == '=' || c == '!') {
        s->at++;
        repeatable = !r->unicode;
    } else if (c == '<') {
        s->at++;
        r->groups++;
        regexp_group_name(r, false);
    } else if (c != 0) {
        read_group_flags(r);
    } else {
        r->groups++;
    }
    void *array = r->levels;
    if (regexp_room(r, &array, &r->levels_capacity, r->depth, 1)) {
        r->levels = array;
        r->levels[r->depth++] = repeatable;
    }
}

/* `{n}`, `{n,}`, `{n,m}` up to the closing brace. False if it is none: just a brace. */
static bool read_braces(Regexp *r)
{
    Scanner *s = &r->scan;
    uint32_t brace = s->at++;
    double least, most;
    bool any = read_number(r, &least);

    if (!any && !r->unicode)
        return false;
    if (regexp_peek(r) == ',') {
        s->at++;
        bool limit = read_number(r, &most);
        bool closed = regexp_peek(r) == '}';
        if (!any && !limit && !closed) {
            regexp_wrong(r, 1508, brace, brace + 1);
            return false;
        }
        if (!any)
            regexp_wrong(r, 1505, brace + 1, brace + 1);
        else if (limit && least > most && (r->unicode || closed))
            regexp_wrong(r, 1506, brace + 1, s->at);
    } else if (!any) {
        regexp_wrong(r, 1508, brace, brace + 1);
        return false;
    }
    if (regexp_peek(r) == '}')
        return true;
    if (r->unicode) {
        regexp_expect(r, TOKEN_CLOSE_BRACE);
        s->at--;
    }
    return r->unicode;
}

/* A bracket that closes. Returns whether what it closed may be repeated. */
static bool close_bracket(Regexp *r, int c)
{
    uint32_t at = r->scan.at++;

    if (c == ')' && r->depth > 0) {
        regexp_forget_names(r);
        return r->levels[--r->depth];
    }
    if (c == ')' || r->unicode)
        regexp_wrong(r, 1508, at, at + 1);
    return true;
}

/* One atom, assertion or quantifier. Returns whether a quantifier may follow. */
static bool read_term(Regexp *r, int c, bool repeatable)
{
    Scanner *s = &r->scan;
    uint32_t start = s->at;

    switch (c) {
    case '\\':
        s->at++;
        c = regexp_peek(r);
        if (c == 'b' || c == 'B') {
            s->at++;
            return false;
        }
        atom_escape(r);
        return true;
    case '(':
        open_group(r);
        return false;
    case ')':
    case ']':
    case '}':
        return close_bracket(r, c);
    case '[':
        s->at++;
        regexp_class(r);
        regexp_expect(r, TOKEN_CLOSE_BRACKET);
        return true;
    case '|':
        regexp_forget_names(r);
        s->at++;
        return false;
    case '^':
    case '$':
        s->at++;
        return false;
    case '{':
        if (!read_braces(r))
            return true;
        break;
    case '*':
    case '+':
    case '?':
        break;
    default:
        (void)regexp_character(r);
        return true;
    }
    s->at++;
    if (regexp_peek(r) == '?')
        s->at++;
    if (!repeatable)
        regexp_wrong(r, 1507, start, s->at);
    return false;
}

static void read_body(Regexp *r)
{
    bool repeatable = false;

    for (;;) {
        int c = regexp_peek(r);
        if (c == REGEXP_END || c == '/')
            break;
        repeatable = read_term(r, c, repeatable);
    }
    if (r->depth > 0)
        regexp_expect(r, TOKEN_CLOSE_PAREN);
    r->depth = 0;
    regexp_forget_names(r);
}

/* A group with a name changes what \k means, wherever it stands. */
static bool has_named_group(const uint8_t *at, const uint8_t *end)
{
    bool in_class = false;

    for (; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '[')
            in_class = true;
        else if (*at == ']')
            in_class = false;
        else if (!in_class && at[0] == '(' && at[1] == '?' && at[2] == '<' && at[3] != '=' &&
                 at[3] != '!')
            return true;
    }
    return false;
}

void check_regexp(Grammar *g, const Node *node)
{
    const uint8_t *text = (const uint8_t *)g->source->text;
    uint32_t slash = node->end;

    if (!g->regexp)
        g->regexp = ARENA_NEW(g->complaints.arena, Regexp);
    Regexp *r = g->regexp;
    if (!r)
        return;
    do {
        slash--;
    } while (text[slash] != '/');
    r->arena = g->complaints.arena;
    r->scan =
        (Scanner){.text = text, .at = slash + 1, .end = node->end, .complaints = &g->complaints};
    r->mentions_count = r->live_count = r->groups = r->depth = r->nested = 0;
    r->half = r->stopped = r->unicode = r->sets = false;
    uint32_t flags = read_flags(r, 0, UINT32_MAX);
    r->unicode = flags & (FLAG_UNICODE | FLAG_SETS);
    r->sets = flags & FLAG_SETS;
    r->named = has_named_group(text + node->start + 1, text + slash);
    r->scan.at = node->start + 1;
    r->scan.end = slash;
    read_body(r);
    regexp_check_mentions(r);
}
