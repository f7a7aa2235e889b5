/*
 * What the parse files share.
 *
 * The parser stands on one token (`at`), reads what its contexts allow, and makes a node when all
 * that belongs to it has been read. Looking ahead is: take a mark, read on, go back to the mark.
 *
 * Every function that reads something always returns a node; if the thing is not there, it
 * complains and returns one without width. A parser that must stop (nested too deeply, out of
 * memory) stands on the end of the text from then on, so every loop comes to its end by itself.
 */
#ifndef PARSER_H
#define PARSER_H

#include "scanner.h"
#include "syntax.h"

/* Contexts that change how text is read. The low bits are the flags that nodes carry away. */
typedef enum Context {
    CONTEXT_AWAIT = NODE_FLAG_AWAIT,
    CONTEXT_YIELD = NODE_FLAG_YIELD,
    CONTEXT_AMBIENT = NODE_FLAG_AMBIENT,
    CONTEXT_DECORATOR = NODE_FLAG_DECORATED,
    CONTEXT_NO_IN = NODE_FLAG_NO_IN,
    CONTEXT_NO_CONDITIONAL = 1 << 16, /* `extends` belongs to somebody further out */
    CONTEXT_OF_NODES = NODE_FLAG_AWAIT | NODE_FLAG_YIELD | NODE_FLAG_AMBIENT | NODE_FLAG_DECORATED |
                       NODE_FLAG_NO_IN,
} Context;

/* The lists one can be in. In a text that is wrong, a list ends where an outer one goes on. */
typedef enum ListKind {
    LIST_FILE,
    LIST_BLOCK,
    LIST_CLAUSES,
    LIST_CLAUSE_STATEMENTS,
    LIST_TYPE_MEMBERS,
    LIST_CLASS_MEMBERS,
    LIST_ENUM_MEMBERS,
    LIST_HERITAGE_TYPES,
    LIST_VARIABLES,
    LIST_OBJECT_BINDING,
    LIST_ARRAY_BINDING,
    LIST_ARGUMENTS,
    LIST_OBJECT_MEMBERS,
    LIST_ARRAY_MEMBERS,
    LIST_PARAMETERS,
    LIST_COMMENT_PARAMETERS,
    LIST_TYPE_PARAMETERS,
    LIST_TYPE_ARGUMENTS,
    LIST_TUPLE,
    LIST_HERITAGE,
    LIST_SPECIFIERS,
    LIST_ATTRIBUTES,
    LIST_COUNT,
} ListKind;

/* Where a node begins: on the token the parser stands on. */
typedef struct Place {
    uint32_t full_start;
    uint32_t start;
} Place;

typedef struct Marker {
    uint32_t at;
    uint32_t full_start;
    uint32_t start;
    uint16_t token;
    uint16_t flags;
    uint32_t complaints;
    uint32_t context;
    bool fresh;
} Marker;

/* An answer that was found while looking ahead, kept by its place so that it is not sought again:
 * `node` is what was read there, `end` where the parser stood then. */
typedef struct Memo {
    uint32_t key; /* place, 0 for none */
    uint32_t kind;
    void *node;
    Marker end;
} Memo;

typedef struct Memos {
    Memo *places;
    uint32_t mask;
    uint32_t count;
    uint32_t high; /* no answer begins at or past this place */
} Memos;

typedef struct Parser {
    Scanner scan;
    Complaints complaints;
    Arena *arena;
    Names *names;
    const ParseOptions *options;

    uint8_t *room; /* where the next node goes */
    size_t room_left;
    Node **stack; /* children of the lists that are being read */
    uint32_t stack_count;
    uint32_t stack_capacity;

    uint32_t context;
    uint32_t lists; /* a bit for each ListKind one is inside of */
    uint32_t depth;
    uint32_t ahead;      /* how many times over one looks ahead */
    uint64_t ahead_left; /* what may still be read when looking ahead */
    uint32_t chained;    /* links of long chains, which nest without recursion */
    uint32_t functions;  /* bodies one is inside of */
    uint32_t notes;      /* FileNote bits */
    bool stopped;
    bool has_await;
    bool maybe_await;   /* `await` as a name outside functions: perhaps meant as the operator */
    uint32_t *awaiting; /* where the statements begin that have such */
    uint32_t awaiting_count;
    uint32_t awaiting_capacity;
    Node *import_meta;
    Memos memos;
    void *nothing[32]; /* what is handed out when memory has run out */
} Parser;

/* ---- tokens ---- */

static inline Token at(const Parser *p)
{
    return (Token)p->scan.token;
}

static inline bool at_any(const Parser *p, Token first, Token second)
{
    return p->scan.token == first || p->scan.token == second;
}

static inline bool after_line_break(const Parser *p)
{
    return p->scan.flags & SCAN_LINE_BREAK;
}

static inline bool in_context(const Parser *p, uint32_t context)
{
    return p->context & context;
}

static inline Place here(const Parser *p)
{
    return (Place){p->scan.full_start, p->scan.start};
}

static inline Place place_of(const Node *node)
{
    return (Place){node->full_start, node->start};
}

/* Any word, of the language or not, #private or not. */
static inline bool is_word(Token token)
{
    return token >= TOKEN_IDENTIFIER && token <= TOKEN_LAST_WORD;
}

static inline bool is_keyword(Token token)
{
    return token >= TOKEN_FIRST_WORD && token <= TOKEN_LAST_WORD;
}

static inline bool is_literal_name(Token token)
{
    return is_word(token) || token == TOKEN_STRING_LITERAL || token == TOKEN_NUMERIC ||
           token == TOKEN_BIGINT_LITERAL;
}

/* A word that may name a variable: anything that is not reserved. */
static inline bool is_binding_name(Token token)
{
    return token == TOKEN_IDENTIFIER || (token > TOKEN_LAST_RESERVED && token <= TOKEN_LAST_WORD);
}

bool word_is_name(const Parser *p, Token token);

/* ... and that is no operator in this context */
static inline bool is_name(const Parser *p, Token token)
{
    return token == TOKEN_IDENTIFIER || (token > TOKEN_LAST_RESERVED && word_is_name(p, token));
}

bool word_is_modifier(Token token);
static inline bool is_modifier(Token token)
{
    return is_keyword(token) && word_is_modifier(token);
}
bool is_class_modifier(Token token);
int binary_precedence(Token token); /* 0 for what is no binary operator */

/** Go to the next token. Words of the language may not be written with escapes; `next_name` is for
 * where the word is only a name. */
void next(Parser *p);
void next_name(Parser *p);

/** The token after this one, and whether a line ends before it. */
Token peek(Parser *p);
Token peek_line(Parser *p, bool *out_line_break);

/** Go past it if it is there. */
static inline bool take(Parser *p, Token token)
{
    if (at(p) != token)
        return false;
    next(p);
    return true;
}

/** The same; 0 or where it stands. */
static inline Mark take_mark(Parser *p, Token token)
{
    Mark mark = p->scan.start;
    return take(p, token) ? mark : 0;
}

SELDOM bool expected(Parser *p, Token token); /* complains; false */

/** Go past it, or complain. */
static inline bool expect(Parser *p, Token token)
{
    return take(p, token) || expected(p, token);
}

bool expect_or(Parser *p, Token token, unsigned code); /* with a code of its own */
Mark expect_mark(Parser *p, Token token);
bool can_end_statement(const Parser *p); /* a semicolon is there or may be left out */
bool take_semicolon(Parser *p);
void expect_semicolon(Parser *p);

/* ---- complaints ---- */

SELDOM void wrong(Parser *p, unsigned code); /* about the token one stands on */
SELDOM void wrong_at(Parser *p, unsigned code, uint32_t start, uint32_t end);
SELDOM void wrong_token(Parser *p, unsigned code, uint32_t start, uint32_t end, Token token);

/* ---- looking ahead ---- */

/** From the mark on one looks ahead, until going back to it or settling for what was read. What is
 * read when looking ahead is counted: a text cannot make it more than a multiple of its length. */
Marker look_ahead(Parser *p);
void go_back(Parser *p, Marker marker);
void settle(Parser *p);

void *memo_at(Parser *p, uint32_t kind, Place place);

/** What was read at this place before, while looking ahead; NULL if nothing. Goes past it. */
static inline void *memo_take(Parser *p, uint32_t kind, Place place)
{
    return place.start < p->memos.high ? memo_at(p, kind, place) : NULL;
}

void memo_put(Parser *p, uint32_t kind, Place place, void *node);

static inline void memo_keep(Parser *p, uint32_t kind, Place place, uint32_t complaints, void *node)
{
    enum { worth_bytes = 16 };

    if (p->ahead > 0 && p->complaints.count == complaints &&
        p->scan.full_start >= place.start + worth_bytes)
        memo_put(p, kind, place, node);
}

bool memo_is_refused(const Parser *p, uint32_t kind, uint32_t start);
void memo_refuse(Parser *p, uint32_t kind, uint32_t start);

enum { MEMO_ARROW = 1, MEMO_TYPE_ARGUMENTS = 2, MEMO_ASSIGNMENT = 3 /* and 4 */ };

/* ---- depth ---- */

SELDOM bool too_deep(Parser *p); /* stops; false */

/** Go a level down; false if that is too deep, and then the parser has stopped. */
static inline bool enter(Parser *p)
{
    return (++p->depth <= SYNTAX_DEPTH_MAX && !p->stopped) || too_deep(p);
}

static inline void leave(Parser *p)
{
    p->depth--;
}

SELDOM bool link_long_chain(Parser *p, uint32_t links);

/** One more link of a chain such as `a.b.c`; false if the chain is too long. */
static inline bool link_chain(Parser *p, uint32_t *links)
{
    enum { short_chain = 16 };

    return (++*links <= short_chain && !p->stopped) || link_long_chain(p, *links);
}

SELDOM void stop(Parser *p);

/* ---- nodes ---- */

#define X(kind, type, name) typedef type TypeOf_##kind;
NODE_KINDS(X)
#undef X

/* A node that begins at the place and ends before the token one stands on. */
#define NEW(p, kind, place)                                                                        \
    ((TypeOf_##kind *)(void *)node_new((p), NODE_##kind, sizeof(TypeOf_##kind), (place)))
Node *node_new(Parser *p, NodeKind kind, size_t bytes, Place place);

static inline bool is_missing(const Node *node)
{
    return node->flags & NODE_FLAG_MISSING;
}

Node *new_unary(Parser *p, NodeKind kind, Place place, Node *expression);
Node *new_list(Parser *p, NodeKind kind, Place place, NodeList *list);
Node *new_plain(Parser *p, NodeKind kind, Place place); /* only the head */
SELDOM Node *missing_name(Parser *p);                   /* without a complaint */

/* ---- lists ---- */

/* Children are pushed on a stack while a list is read. */
static inline uint32_t list_begin(const Parser *p)
{
    return p->stack_count;
}

SELDOM bool list_grow(Parser *p);
static inline void list_add(Parser *p, Node *node)
{
    if (p->stack_count < p->stack_capacity || list_grow(p))
        p->stack[p->stack_count++] = node;
}

NodeList *list_end(Parser *p, uint32_t begin, uint32_t start);

typedef Node *(*ReadElement)(Parser *p);

/** Elements one after the other: statements, members. */
NodeList *read_list(Parser *p, ListKind kind, ReadElement read);

typedef enum ListOption {
    LIST_PLAIN = 0,
    LIST_SEMICOLONS = 1, /* `;` is taken for a wrong `,` */
} ListOption;

/** Elements with commas between; NULL if `read` gave NULL. */
NodeList *read_separated(Parser *p, ListKind kind, ReadElement read, ListOption option);

/** The same in brackets, which the list's span takes in. */
NodeList *read_bracketed(Parser *p, ListKind kind, ReadElement read, Token open, Token close);

SELDOM NodeList *missing_list(Parser *p);
bool is_list_element(Parser *p, ListKind kind, bool recovering);
bool is_list_end(Parser *p, ListKind kind);

/* ---- names ---- */

Node *read_name(Parser *p, unsigned code); /* a name; complains with the code, 0: usual */
Node *read_binding_name(Parser *p, unsigned private_code);
Node *read_any_word(Parser *p, unsigned code); /* words of the language too */
Node *read_private_name(Parser *p);
Node *read_property_name(Parser *p);
Node *read_literal(Parser *p);
Node *read_template_piece(Parser *p, bool tagged);
Node *read_right_of_dot(Parser *p, bool any_word, bool private_allowed);
Node *read_entity_name(Parser *p, bool any_word, unsigned code);
SELDOM void wrong_missing_semicolon(Parser *p, const Node *before);

/* ---- types (parse_type.c, parse_type_member.c) ---- */

Node *read_type(Parser *p);
Node *read_type_annotation(Parser *p); /* `: type`, or NULL */
Node *read_return_type(Parser *p, Token sign, bool is_type);
Node *read_type_or_predicate(Parser *p);
Node *read_type_member(Parser *p);
Node *read_type_literal_or_mapped(Parser *p);
NodeList *read_type_members(Parser *p);
NodeList *read_type_parameters(Parser *p);
NodeList *read_type_arguments(Parser *p); /* NULL without `<` */
NodeList *read_type_arguments_of_reference(Parser *p);
Node *read_keyword_type(Parser *p); /* NULL if a `.` follows */
Node *read_import_type(Parser *p);
Node *read_template_type(Parser *p);
Node *read_tuple_type(Parser *p);
bool starts_type(Parser *p, bool in_parameter);
bool is_index_signature(Parser *p);
Node *read_index_signature(Parser *p, Place place, NodeList *modifiers);
void end_type_member(Parser *p);

/* ---- functions (parse_function.c) ---- */

typedef enum FunctionFlag {
    FUNCTION_GENERATOR = 1,
    FUNCTION_ASYNC = 2,
    FUNCTION_TYPE = 4,          /* a signature in a type: ends like a type member */
    FUNCTION_WITHOUT_BRACE = 8, /* the body's opening brace may be missing */
    FUNCTION_INDEX = 16,        /* no function: the brackets of an index signature */
} FunctionFlag;

NodeList *read_modifiers(Parser *p, bool decorators, bool constants, bool stop_at_static_block);
bool take_modifier(Parser *p, Token token); /* `get`, `set` as a modifier */
NodeList *read_parameters(Parser *p, uint32_t function);
NodeList *read_parameters_inside(Parser *p, uint32_t function, bool certain);
bool starts_parameter(Parser *p);
Node *read_binding(Parser *p, unsigned private_code); /* name or pattern */
Node *read_initializer(Parser *p);                    /* `= expression`, or NULL */
Node *read_function_block(Parser *p, uint32_t function, unsigned code);
Node *read_function_block_or_semicolon(Parser *p, uint32_t function, unsigned code);
FunctionLike *read_method(Parser *p, Place place, FunctionLike start, unsigned code);
Node *read_accessor(Parser *p, Place place, NodeList *modifiers, NodeKind kind, uint32_t function);
Node *read_arrow_function(Parser *p, bool return_type_allowed); /* NULL if it is none */
Node *finish_simple_arrow(Parser *p, Place place, NodeList *modifiers, Node *name,
                          bool return_type_allowed);

/* ---- expressions ---- */

Node *read_expression(Parser *p);
Node *read_expression_with_in(Parser *p); /* in brackets: `in` is an operator again */
Node *read_assignment(Parser *p, bool return_type_allowed);
Node *read_binary(Parser *p, int precedence);
Node *read_unary(Parser *p);
Node *read_left_side(Parser *p); /* member accesses and calls */
Node *read_member_rest(Parser *p, Place place, Node *expression, bool chain_allowed);
Node *read_call_rest(Parser *p, Place place, Node *expression);
Node *read_primary(Parser *p);
Node *read_template(Parser *p, bool tagged);
NodeList *read_arguments(Parser *p);
Node *read_function_expression(Parser *p);
bool starts_left_side(Parser *p);
bool starts_expression(Parser *p);
bool is_binary_operator(const Parser *p);

/* ---- classes (parse_class.c) ---- */

Node *read_class(Parser *p, Place place, NodeList *modifiers, NodeKind kind);
NodeList *read_heritage(Parser *p);
bool starts_class_member(Parser *p);

/* ---- statements ---- */

Node *read_statement(Parser *p);
bool starts_statement(Parser *p);
bool starts_declaration(Parser *p);
Node *read_block(Parser *p, bool without_brace, unsigned code);
Node *read_variable(Parser *p);
Node *read_variables(Parser *p, bool in_for);
bool is_using(Parser *p, bool in_for);
bool is_await_using(Parser *p);
bool is_let(Parser *p);
Node *read_declaration(Parser *p);
Node *read_import(Parser *p, Place place, NodeList *modifiers);
Node *read_export(Parser *p, Place place, NodeList *modifiers);
Node *read_import_attributes(Parser *p, Token word, bool past_word);

#endif
