#include "eraser.h"

#include <string.h>

#include "base.h"
#include "number.h"

/* ---- blanks ----
 *
 * A blank has as many bytes and as many UTF-16 units as what it stands for, so neither offsets nor
 * columns move. JavaScript has spaces of one, two and three bytes; a character of four bytes has
 * two units and becomes two spaces of two bytes. */

static uint32_t blank_wide(char *text, uint32_t at)
{
    uint8_t lead = (uint8_t)text[at];

    if (lead >= 0xF0) {
        memcpy(text + at, "\xC2\xA0\xC2\xA0", 4);
        return at + 4;
    }
    if (lead >= 0xE0) {
        bool is_line_end =
            memcmp(text + at, "\xE2\x80\xA8", 3) == 0 || memcmp(text + at, "\xE2\x80\xA9", 3) == 0;
        if (!is_line_end)
            memcpy(text + at, "\xE3\x80\x80", 3);
        return at + 3;
    }
    memcpy(text + at, "\xC2\xA0", 2);
    return at + 2;
}

/* Eight bytes that are neither blanks of their own kind nor beyond ASCII. */
static bool is_plain(const char *text)
{
    const uint64_t high = 0x8080808080808080u;
    uint64_t bytes;

    memcpy(&bytes, text, 8);
    return ((bytes | ~((bytes & ~high) + 0x6060606060606060u)) & high) == 0;
}

void blank(Eraser *e, uint32_t start, uint32_t end)
{
    char *text = e->text;

    for (uint32_t at = start; at < end;) {
        if (end - at >= 8 && is_plain(text + at)) {
            memset(text + at, ' ', 8);
            at += 8;
            continue;
        }
        if ((uint8_t)text[at] >= 0xC0) {
            at = blank_wide(text, at);
            continue;
        }
        if (text[at] != '\n' && text[at] != '\r' && text[at] != '\t')
            text[at] = ' ';
        at++;
    }
}

void put(Eraser *e, uint32_t at, char c)
{
    e->text[at] = c;
}

void blank_mark(Eraser *e, Mark mark, uint32_t bytes)
{
    if (mark)
        blank(e, mark, mark + bytes);
}

void blank_list(Eraser *e, const NodeList *list)
{
    if (list)
        blank(e, list->start, list->end);
}

void blank_type(Eraser *e, uint32_t from, const Node *type)
{
    if (type)
        blank(e, skip_trivia(e, from), type->end);
}

void blank_modifiers(Eraser *e, const NodeList *modifiers, uint32_t bits)
{
    for (uint32_t i = 0; modifiers && i < modifiers->count; i++) {
        Node *one = modifiers->at[i];
        if (one->kind == NODE_DECORATOR)
            visit(e, one);
        else if (as_modifier(one)->bit & bits)
            blank(e, one->start, one->end);
    }
}

/* ---- looking at the text ---- */

bool has_newline(const Eraser *e, uint32_t start, uint32_t end)
{
    const char *text = e->source->text;

    for (uint32_t at = start; at < end; at++) {
        if (text[at] == '\n' || text[at] == '\r' ||
            (text[at] == '\xE2' && (memcmp(text + at, "\xE2\x80\xA8", 3) == 0 ||
                                    memcmp(text + at, "\xE2\x80\xA9", 3) == 0)))
            return true;
    }
    return false;
}

/* The end of a comment that begins at `at`, else `at`. */
static uint32_t skip_comment(const char *text, uint32_t at, uint32_t length)
{
    if (text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*'))
        return at;
    bool is_line = text[at + 1] == '/';
    for (at += 2; at < length; at++) {
        if (is_line && (text[at] == '\n' || text[at] == '\r'))
            return at;
        if (!is_line && text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    }
    return length;
}

/* Spaces outside ASCII: U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000,
 * U+FEFF. Other bytes of such leads do not occur between tokens of what parsed. */
static uint32_t wide_space(const char *text, uint32_t at)
{
    switch ((uint8_t)text[at]) {
    case 0xC2:
        return (uint8_t)text[at + 1] == 0xA0 ? 2 : 0;
    case 0xE1:
        return memcmp(text + at, "\xE1\x9A\x80", 3) == 0 ? 3 : 0;
    case 0xE2:
        return (uint8_t)text[at + 1] == 0x80 || (uint8_t)text[at + 1] == 0x81 ? 3 : 0;
    case 0xE3:
        return memcmp(text + at, "\xE3\x80\x80", 3) == 0 ? 3 : 0;
    case 0xEF:
        return memcmp(text + at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    default:
        return 0;
    }
}

uint32_t skip_trivia(const Eraser *e, uint32_t at)
{
    const char *text = e->source->text;

    while (at < e->length) {
        uint32_t next = at;
        if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))
            next = at + 1;
        else if (text[at] == '/')
            next = skip_comment(text, at, e->length);
        else
            next = at + wide_space(text, at);
        if (next == at)
            break;
        at = next;
    }
    return at;
}

void refuse(Eraser *e, const char *code, Span span, const char *message)
{
    findings_add(e->findings, code, TN_SEVERITY_ERROR, span, message);
}

/* ---- edits ---- */

void edit(Eraser *e, Edit wanted)
{
    if (!wanted.text || !*wanted.text)
        return;
    if (e->edit_count == e->edit_capacity) {
        uint32_t capacity = e->edit_capacity ? 2 * e->edit_capacity : 32;
        Edit *grown =
            arena_grow(e->arena, e->edits, e->edit_count * sizeof *grown, capacity * sizeof *grown);
        if (!grown)
            return;
        e->edits = grown;
        e->edit_capacity = capacity;
    }
    wanted.length = (uint32_t)strlen(wanted.text);
    e->edits[e->edit_count++] = wanted;
}

const char *text_of(Eraser *e, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    for (int pass = 0; pass < 2; pass++) {
        size_t used = 0;
        va_start(arguments, format);
        for (const char *c = format; *c; c++) {
            if (*c != '%') {
                if (text)
                    text[used] = *c;
                used++;
                continue;
            }
            c++; /* the s */
            const char *part = va_arg(arguments, const char *);
            size_t part_length = part ? strlen(part) : 0; /* none if the arena failed */
            if (text && part)
                memcpy(text + used, part, part_length);
            used += part_length;
        }
        va_end(arguments);
        if (!text)
            text = arena_push(e->arena, used + 1);
        if (!text)
            return NULL;
    }
    return text;
}

void edit_text(Eraser *e, uint32_t at, const char *text)
{
    edit(e, (Edit){.at = at, .text = text});
}

/* Merge runs that are in order until there is one; those of one place stay as they were made. */
static uint32_t run_end(const Edit *edits, uint32_t at, uint32_t count)
{
    for (at++; at < count && edits[at - 1].at <= edits[at].at; at++)
        ;
    return at;
}

static void merge(const Edit *from, uint32_t left, uint32_t middle, uint32_t end, Edit *to)
{
    uint32_t right = middle;

    for (uint32_t at = left; at < end; at++) {
        bool take_left = left < middle && (right == end || from[left].at <= from[right].at);
        to[at] = take_left ? from[left++] : from[right++];
    }
}

static bool sort_edits(Eraser *e)
{
    Edit *from = e->edits;
    Edit *to;

    if (e->edit_count == 0 || run_end(from, 0, e->edit_count) == e->edit_count)
        return true;
    to = ARENA_ARRAY(e->arena, Edit, e->edit_count);
    while (to && run_end(from, 0, e->edit_count) < e->edit_count) {
        for (uint32_t left = 0; left < e->edit_count;) {
            uint32_t middle = run_end(from, left, e->edit_count);
            uint32_t end = middle < e->edit_count ? run_end(from, middle, e->edit_count) : middle;
            merge(from, left, middle, end, to);
            left = end;
        }
        Edit *swap = from;
        from = to;
        to = swap;
    }
    e->edits = from;
    return to;
}

/* The name by which a namespace or enum is known inside: its own, unless that is taken there. */
static const Name *parameter_of(Eraser *e, Frame *frame)
{
    if (frame->parameter)
        return frame->parameter;
    frame->parameter = frame->name;
    for (unsigned i = 1; frame->taken; i++) {
        uint32_t known = e->file->names->count;
        char number[NUMBER_TEXT_MAX + 1] = {0};
        (void)number_text(i, number);
        const char *text = text_of(e, "%s_%s", frame->name->text, number);
        if (!text)
            break;
        frame->parameter = names_get(e->file->names, text, strlen(text));
        if (e->file->names->count != known)
            break;
    }
    return frame->parameter;
}

static size_t edited_length(Eraser *e)
{
    size_t length = e->length;

    for (uint32_t i = 0; i < e->edit_count; i++) {
        const Edit *one = &e->edits[i];
        length += one->length;
        if (!one->frame)
            continue;
        size_t name = parameter_of(e, one->frame)->length;
        for (uint32_t c = 0; c < one->length; c++)
            length += one->text[c] == *PARAMETER ? name : 0;
    }
    return length;
}

static char *write_edit(Eraser *e, const Edit *one, char *to)
{
    for (uint32_t i = 0; i < one->length; i++) {
        if (one->text[i] == *PARAMETER && one->frame) {
            const Name *name = parameter_of(e, one->frame);
            memcpy(to, name->text, name->length);
            to += name->length;
        } else {
            *to++ = one->text[i];
        }
    }
    return to;
}

/* Put the edits in. What an edit adds beyond the blanks it may cover shifts what follows. */
static void apply_edits(Eraser *e, Erased *out)
{
    char *text = arena_push(e->arena, edited_length(e) + 1);
    ErasedShift *shifts = ARENA_ARRAY(e->arena, ErasedShift, e->edit_count);
    uint32_t from = 0;
    char *to = text;

    if (!text || !shifts)
        return;
    for (uint32_t i = 0; i < e->edit_count; i++) {
        const Edit *one = &e->edits[i];
        if (one->at > from) {
            memcpy(to, e->text + from, one->at - from);
            to += one->at - from;
            from = one->at;
        }
        char *begin = to;
        to = write_edit(e, one, to);
        size_t length = (size_t)(to - begin);
        size_t spare = 0; /* blanks in front that the text goes over */
        while (spare < one->before && spare < length && begin - text > (ptrdiff_t)spare &&
               begin[-1 - (ptrdiff_t)spare] == ' ')
            spare++;
        memmove(begin - spare, begin, length);
        to -= spare;
        for (size_t n = spare; n < length && n - spare < one->after && e->text[from] == ' '; n++)
            from++;
        uint32_t end = (uint32_t)(to - text);
        shifts[i] = (ErasedShift){.begin = end - (uint32_t)length,
                                  .end = end,
                                  .place = one->at - (uint32_t)spare,
                                  .shift = end - from};
    }
    memcpy(to, e->text + from, e->length - from);
    *out = (Erased){.text = text,
                    .length = (size_t)(to - text) + e->length - from,
                    .shifts = shifts,
                    .shift_count = e->edit_count};
}

uint32_t erased_place(const Erased *erased, uint32_t offset)
{
    size_t low = 0;
    size_t high = erased->shift_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (erased->shifts[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return offset;
    const ErasedShift *shift = &erased->shifts[low - 1];
    return offset < shift->end ? shift->place : offset - shift->shift;
}

/* ---- the whole ---- */

tn_status erase_types(Arena *arena, const Source *source, SourceFile *file, Findings *findings,
                      Erased *out_erased)
{
    Eraser e = {.arena = arena, .source = source, .file = file, .findings = findings};

    e.length = (uint32_t)source->length;
    e.text = arena_text(arena, source->text, source->length);
    if (!e.text)
        return arena_status(arena);
    Erased erased = {.text = e.text, .length = e.length};
    if (file->is_declaration) {
        blank(&e, 0, e.length);
    } else {
        visit(&e, &file->node);
        if (e.edit_count > 0 && sort_edits(&e))
            apply_edits(&e, &erased);
    }
    erased.lowered = e.lowered;
    TRY(arena_status(arena));
    *out_erased = erased;
    return TN_OK;
}
