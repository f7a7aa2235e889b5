/* The token at hand, looking ahead, nodes. */
#include "parser.h"

#include <string.h>

#include "messages.h"

/* ---- kinds of tokens ---- */

bool word_is_name(const Parser *p, Token token)
{
    if (token == TOKEN_YIELD && in_context(p, CONTEXT_YIELD))
        return false;
    if (token == TOKEN_AWAIT && in_context(p, CONTEXT_AWAIT))
        return false;
    return is_binding_name(token);
}

bool word_is_modifier(Token token)
{
    switch (token) {
    case TOKEN_ABSTRACT:
    case TOKEN_ASYNC:
    case TOKEN_CONST:
    case TOKEN_DECLARE:
    case TOKEN_DEFAULT:
    case TOKEN_EXPORT:
    case TOKEN_IN:
    case TOKEN_OUT:
        return true;
    default:
        return is_class_modifier(token);
    }
}

bool is_class_modifier(Token token)
{
    switch (token) {
    case TOKEN_ACCESSOR:
    case TOKEN_PUBLIC:
    case TOKEN_PRIVATE:
    case TOKEN_PROTECTED:
    case TOKEN_READONLY:
    case TOKEN_STATIC:
    case TOKEN_OVERRIDE:
        return true;
    default:
        return false;
    }
}

int binary_precedence(Token token)
{
    static const uint8_t precedences[TOKEN_COUNT] = {
        [TOKEN_QUESTION_QUESTION] = 1,
        [TOKEN_BAR_BAR] = 1,
        [TOKEN_AMPERSAND_AMPERSAND] = 2,
        [TOKEN_BAR] = 3,
        [TOKEN_CARET] = 4,
        [TOKEN_AMPERSAND] = 5,
        [TOKEN_EQUALS_EQUALS] = 6,
        [TOKEN_EXCLAMATION_EQUALS] = 6,
        [TOKEN_EQUALS_EQUALS_EQUALS] = 6,
        [TOKEN_EXCLAMATION_EQUALS_EQUALS] = 6,
        [TOKEN_LESS] = 7,
        [TOKEN_GREATER] = 7,
        [TOKEN_LESS_EQUALS] = 7,
        [TOKEN_GREATER_EQUALS] = 7,
        [TOKEN_INSTANCEOF] = 7,
        [TOKEN_IN] = 7,
        [TOKEN_AS] = 7,
        [TOKEN_SATISFIES] = 7,
        [TOKEN_LESS_LESS] = 8,
        [TOKEN_GREATER_GREATER] = 8,
        [TOKEN_GREATER_GREATER_GREATER] = 8,
        [TOKEN_PLUS] = 9,
        [TOKEN_MINUS] = 9,
        [TOKEN_ASTERISK] = 10,
        [TOKEN_SLASH] = 10,
        [TOKEN_PERCENT] = 10,
        [TOKEN_ASTERISK_ASTERISK] = 11,
    };
    return precedences[token];
}

/* ---- tokens ---- */

/* What costs more than a test is apart, so that most steps are no more than that. A parser that has
 * stopped may go on asking: at the end of the text there is nothing but the end. */
static void count_ahead(Parser *p)
{
    if (p->ahead_left-- == 0)
        stop(p);
}

static void wrong_if_escaped(Parser *p)
{
    if (is_keyword(at(p)))
        wrong(p, 1260);
}

void next_name(Parser *p)
{
    if (p->ahead > 0)
        count_ahead(p);
    scanner_next(&p->scan);
}

void next(Parser *p)
{
    if (p->scan.flags & SCAN_ESCAPED)
        wrong_if_escaped(p);
    next_name(p);
}

Token peek_line(Parser *p, bool *out_line_break)
{
    Scanner scan = p->scan;
    uint32_t complaints = p->complaints.count;
    bool fresh = p->complaints.fresh;

    Token token = p->stopped ? TOKEN_END : scanner_next(&scan);
    p->complaints.count = complaints;
    p->complaints.fresh = fresh;
    *out_line_break = scan.flags & SCAN_LINE_BREAK;
    return token;
}

Token peek(Parser *p)
{
    bool line_break;
    return peek_line(p, &line_break);
}

bool expected(Parser *p, Token token)
{
    wrong_token(p, 1005, p->scan.start, p->scan.at, token);
    return false;
}

bool expect_or(Parser *p, Token token, unsigned code)
{
    if (code == 0)
        return expect(p, token);
    if (take(p, token))
        return true;
    wrong(p, code);
    return false;
}

Mark expect_mark(Parser *p, Token token)
{
    Mark mark = p->scan.start;
    return expect(p, token) ? mark : 0;
}

bool can_end_statement(const Parser *p)
{
    return at(p) == TOKEN_SEMICOLON || at(p) == TOKEN_CLOSE_BRACE || at(p) == TOKEN_END ||
           after_line_break(p);
}

bool take_semicolon(Parser *p)
{
    if (!can_end_statement(p))
        return false;
    (void)take(p, TOKEN_SEMICOLON);
    return true;
}

void expect_semicolon(Parser *p)
{
    if (!take_semicolon(p))
        (void)expect(p, TOKEN_SEMICOLON);
}

/* ---- complaints ---- */

void wrong_token(Parser *p, unsigned code, uint32_t start, uint32_t end, Token token)
{
    if (p->stopped)
        return;
    complain(
        &p->complaints,
        (Complaint){.start = start, .end = end, .code = (uint16_t)code, .token = (uint16_t)token});
}

void wrong_at(Parser *p, unsigned code, uint32_t start, uint32_t end)
{
    wrong_token(p, code, start, end, TOKEN_NONE);
}

void wrong(Parser *p, unsigned code)
{
    wrong_at(p, code, p->scan.start, p->scan.at);
}

/* ---- looking ahead ---- */

static Marker marker_here(const Parser *p)
{
    return (Marker){.at = p->scan.at,
                    .full_start = p->scan.full_start,
                    .start = p->scan.start,
                    .token = p->scan.token,
                    .flags = p->scan.flags,
                    .complaints = p->complaints.count,
                    .context = p->context,
                    .fresh = p->complaints.fresh};
}

static void stand_at(Parser *p, Marker marker)
{
    p->scan.at = marker.at;
    p->scan.full_start = marker.full_start;
    p->scan.start = marker.start;
    p->scan.token = marker.token;
    p->scan.flags = marker.flags;
}

Marker look_ahead(Parser *p)
{
    p->ahead++;
    return marker_here(p);
}

void settle(Parser *p)
{
    p->ahead--;
}

void go_back(Parser *p, Marker marker)
{
    p->ahead--;
    p->context = marker.context;
    if (p->stopped)
        return;
    stand_at(p, marker);
    p->complaints.count = marker.complaints;
    p->complaints.fresh = marker.fresh;
}

static Memo *memo_place(const Parser *p, uint32_t kind, uint32_t start)
{
    uint32_t hash = (start * 2654435761u) ^ (kind * 40503u);
    uint32_t place = (hash ^ hash >> 15) & p->memos.mask;
    Memo *memo = &p->memos.places[place];

    while (memo->key != 0 && (memo->key != start + 1 || memo->kind != kind)) {
        place = (place + 1) & p->memos.mask;
        memo = &p->memos.places[place];
    }
    return memo;
}

static bool memo_room(Parser *p)
{
    Memos old = p->memos;
    uint32_t places = old.places ? (old.mask + 1) * 2 : 64;

    if (old.places && old.count <= old.mask / 2)
        return true;
    Memo *fresh = ARENA_ARRAY(p->arena, Memo, places);
    if (!fresh)
        return false;
    p->memos.places = fresh;
    p->memos.mask = places - 1;
    for (uint32_t i = 0; old.places && i <= old.mask; i++) {
        if (old.places[i].key != 0)
            *memo_place(p, old.places[i].kind, old.places[i].key - 1) = old.places[i];
    }
    return true;
}

static void put(Parser *p, Memo memo)
{
    if (p->stopped || !memo_room(p))
        return;
    Memo *place = memo_place(p, memo.kind, memo.key - 1);
    p->memos.count += place->key == 0;
    *place = memo;
    if (memo.key > p->memos.high)
        p->memos.high = memo.key;
}

/* What is read depends on the contexts too. */
static uint32_t memo_kind(const Parser *p, uint32_t kind)
{
    return kind | p->context << 3;
}

void *memo_at(Parser *p, uint32_t kind, Place place)
{
    if (p->stopped)
        return NULL;
    Memo *memo = memo_place(p, memo_kind(p, kind), place.start);
    if (!memo->node)
        return NULL;
    stand_at(p, memo->end);
    return memo->node;
}

void memo_put(Parser *p, uint32_t kind, Place place, void *node)
{
    put(p, (Memo){.key = place.start + 1,
                  .kind = memo_kind(p, kind),
                  .node = node,
                  .end = marker_here(p)});
}

bool memo_is_refused(const Parser *p, uint32_t kind, uint32_t start)
{
    return start < p->memos.high && memo_place(p, kind, start)->key != 0;
}

void memo_refuse(Parser *p, uint32_t kind, uint32_t start)
{
    put(p, (Memo){.key = start + 1, .kind = kind});
}

/* ---- depth ---- */

void stop(Parser *p)
{
    if (p->stopped)
        return;
    if (arena_status(p->arena) == TN_OK)
        complain(
            &p->complaints,
            (Complaint){.start = p->scan.start, .end = p->scan.at, .code = COMPLAINT_TOO_DEEP});
    p->stopped = true;
    p->scan.at = p->scan.start = p->scan.full_start = p->scan.end;
    p->scan.token = TOKEN_END;
    p->scan.flags = 0;
}

bool too_deep(Parser *p)
{
    stop(p);
    return false;
}

bool link_long_chain(Parser *p, uint32_t links)
{
    p->chained++;
    if (links <= SYNTAX_HEIGHT_MAX && !p->stopped)
        return true;
    stop(p);
    return false;
}

/* ---- nodes ---- */

/* Nodes are cut from pieces of the arena; asking it for each would cost more than the node. When
 * memory has run out, it is the same small room again and again: nobody will see the tree. */
static bool new_piece(Parser *p, size_t bytes)
{
    enum { piece_bytes = 4 * 1024 };
    size_t piece = bytes > piece_bytes / 4 ? bytes : piece_bytes;
    uint8_t *room = arena_push(p->arena, piece);

    if (!room) {
        stop(p);
        room = memset(p->nothing, 0, sizeof(p->nothing));
        piece = sizeof(p->nothing);
    }
    p->room = room;
    p->room_left = piece;
    return bytes <= piece;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

static void *cut(Parser *p, size_t bytes)
{
    void *room = p->room;

    p->room += bytes;
    p->room_left -= bytes;
    return room;
}

static Node *node_in_new_piece(Parser *p, NodeKind kind, size_t bytes, Place place)
{
    (void)new_piece(p, bytes);
    return node_new(p, kind, bytes, place);
}

Node *node_new(Parser *p, NodeKind kind, size_t bytes, Place place)
{
    bytes = rounded(bytes);
    if (bytes > p->room_left)
        return node_in_new_piece(p, kind, bytes, place);
    Node *node = cut(p, bytes);
    uint32_t end = p->scan.full_start;
    node->kind = (uint16_t)kind;
    node->flags = (uint16_t)(p->context & CONTEXT_OF_NODES);
    node->full_start = place.full_start;
    node->start = place.start < end ? place.start : end; /* not past the end if nothing was read */
    node->end = end;
    if (p->complaints.fresh) {
        p->complaints.fresh = false;
        node->flags |= NODE_FLAG_ERROR;
    }
    return node;
}

Node *new_plain(Parser *p, NodeKind kind, Place place)
{
    return node_new(p, kind, sizeof(Node), place);
}

Node *new_unary(Parser *p, NodeKind kind, Place place, Node *expression)
{
    Unary *unary = as_unary(node_new(p, kind, sizeof(Unary), place));
    unary->expression = expression;
    return &unary->node;
}

Node *new_list(Parser *p, NodeKind kind, Place place, NodeList *list)
{
    ListNode *node = as_list(node_new(p, kind, sizeof(ListNode), place));
    node->list = list;
    return &node->node;
}

Node *missing_name(Parser *p)
{
    Identifier *name = NEW(p, IDENTIFIER, here(p));
    name->name = names_get(p->names, "", 0);
    name->node.end = name->node.start = p->scan.full_start;
    name->node.flags |= NODE_FLAG_MISSING;
    return &name->node;
}

/* ---- lists ---- */

bool list_grow(Parser *p)
{
    uint32_t capacity = p->stack_capacity * 2 + 64;
    Node **stack =
        arena_grow(p->arena, p->stack, p->stack_count * sizeof(Node *), capacity * sizeof(Node *));

    if (!stack) {
        stop(p);
        return false;
    }
    p->stack = stack;
    p->stack_capacity = capacity;
    return true;
}

NodeList *list_end(Parser *p, uint32_t begin, uint32_t start)
{
    uint32_t count = p->stack_count - begin;
    size_t bytes = rounded(sizeof(NodeList) + count * sizeof(Node *));

    p->stack_count = begin;
    if (bytes > p->room_left && !new_piece(p, bytes))
        return missing_list(p);
    NodeList *list = cut(p, bytes);
    for (uint32_t i = 0; i < count; i++)
        list->at[i] = p->stack[begin + i];
    list->count = count;
    list->start = count > 0 ? start : p->scan.full_start;
    list->end = p->scan.full_start;
    return list;
}

/* A list that is not there at all has no width; `()` has. */
NodeList *missing_list(Parser *p)
{
    size_t bytes = rounded(sizeof(NodeList));

    if (bytes > p->room_left)
        (void)new_piece(p, bytes);
    NodeList *list = cut(p, bytes);
    list->start = list->end = p->scan.full_start;
    return list;
}
