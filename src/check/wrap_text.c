#include "wrap_parts.h"

#include <string.h>

/* What is done to the program's text, in the order of places. */
typedef struct Edit {
    uint32_t start;
    uint32_t end;
    const char *text; /* put in its place; NULL: blanks */
    Span anchor;
    unsigned about;
} Edit;

/* ---- edits ---- */

static void edit(Wrapper *wrapper, Edit edit)
{
    buf_append(&wrapper->edits, &edit, sizeof edit);
}

void wrap_blank(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    edit(wrapper, (Edit){.start = start, .end = end});
}

void wrap_replace(Wrapper *wrapper, uint32_t start, uint32_t end, const char *text, Span anchor,
                  unsigned about)
{
    edit(wrapper, (Edit){start, end, text, anchor, about});
}

/* ---- writing ---- */

static void begin_piece(Wrapped *out, WrapPiece piece)
{
    piece.at = (uint32_t)out->text.length;
    buf_append(&out->pieces, &piece, sizeof piece);
}

void wrap_put_copied(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    if (start >= end)
        return;
    begin_piece(wrapper->out, (WrapPiece){.copied = true, .source = start});
    buf_append(&wrapper->out->text, wrapper->request->source->text + start, end - start);
}

void wrap_put_text(Wrapper *wrapper, const char *text, Span anchor, unsigned about)
{
    begin_piece(wrapper->out, (WrapPiece){.anchor = anchor, .about = about});
    buf_append_string(&wrapper->out->text, text);
}

/* The text of a contract once more, by itself: where it is wrong, this is what is told of it. */
void wrap_put_contract(Wrapper *wrapper, const char *text, size_t index)
{
    unsigned about = WRAP_ABOUT_TEXT | (unsigned)index;

    begin_piece(wrapper->out, (WrapPiece){.text = true, .about = about});
    buf_append_string(&wrapper->out->text, text);
    wrap_put_text(wrapper, "\n;", (Span){0, 0}, about);
}

/* Blanks for every byte but the ends of lines. */
static void put_blanks(Wrapper *wrapper, uint32_t start, uint32_t end)
{
    const char *text = wrapper->request->source->text;

    if (start >= end)
        return;
    begin_piece(wrapper->out, (WrapPiece){.copied = true, .source = start, .blank = true});
    for (uint32_t at = start; at < end; at++)
        buf_append_byte(&wrapper->out->text,
                        text[at] == '\n' || text[at] == '\r' ? (uint8_t)text[at] : ' ');
}

/* By place; nearly in order already. */
static void sort_edits(Edit *edits, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        Edit moved = edits[i];
        size_t to = i;
        for (; to > 0 && edits[to - 1].start > moved.start; to--)
            edits[to] = edits[to - 1];
        edits[to] = moved;
    }
}

/* The program with its edits. */
void wrap_put_program(Wrapper *wrapper)
{
    Edit *edits = (Edit *)(void *)wrapper->edits.data;
    size_t count = wrapper->edits.length / sizeof *edits;
    uint32_t at = 0;

    sort_edits(edits, count);

    for (size_t i = 0; i < count; i++) {
        wrap_put_copied(wrapper, at, edits[i].start);
        if (edits[i].text)
            wrap_put_text(wrapper, edits[i].text, edits[i].anchor, edits[i].about);
        else
            put_blanks(wrapper, edits[i].start, edits[i].end);
        at = edits[i].end;
    }
    wrap_put_copied(wrapper, at, (uint32_t)wrapper->request->source->length);
}

/* ---- the way back ---- */

/* The piece that a byte belongs to: the last that begins at or before it. */
static const WrapPiece *piece_at(const Wrapped *wrapped, uint32_t at)
{
    const WrapPiece *pieces = (const WrapPiece *)(void *)wrapped->pieces.data;
    size_t low = 0, high = wrapped->pieces.length / sizeof *pieces;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pieces[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return high > 0 ? &pieces[low] : NULL;
}

Span wrap_place(const Wrapped *wrapped, Span span, unsigned *out_about)
{
    const WrapPiece *first = piece_at(wrapped, span.start);
    const WrapPiece *final = piece_at(wrapped, span.end > span.start ? span.end - 1 : span.end);

    *out_about = 0;
    if (!first || !final)
        return span;
    *out_about = first->copied ? 0 : first->about;
    if (first->text) {
        uint32_t most = (first + 1)->at; /* something always follows */
        return (Span){span.start - first->at, (span.end < most ? span.end : most) - first->at};
    }
    if (!first->copied)
        return first->anchor;
    uint32_t start = first->source + (span.start - first->at);
    uint32_t end = final->copied ? final->source + (span.end - final->at) : final->anchor.end;
    return (Span){start, end > start ? end : start};
}

bool wrap_locate(const Wrapped *wrapped, uint32_t source, uint32_t *out_at)
{
    const WrapPiece *pieces = (const WrapPiece *)(void *)wrapped->pieces.data;
    size_t count = wrapped->pieces.length / sizeof *pieces;

    for (size_t i = 0; i < count; i++) {
        uint32_t end = i + 1 < count ? pieces[i + 1].at : (uint32_t)wrapped->text.length;
        if (!pieces[i].copied || pieces[i].blank || source < pieces[i].source ||
            source - pieces[i].source >= end - pieces[i].at)
            continue;
        *out_at = pieces[i].at + (source - pieces[i].source);
        return true;
    }
    return false;
}
