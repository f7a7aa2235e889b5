/*
 * What the erase files share.
 *
 * Read erase.c first: it holds the copy of the text, how it is blanked, and how edits are put in.
 * Blanking needs no order, so the walk may look at what it likes first. Then:
 *
 *   erase_walk        the table of what each kind of node asks for; expressions
 *   erase_function    functions, and statements that open a scope
 *   erase_statement   lists of statements, what vanishes from them, variables
 *   erase_class       members, parameter properties
 *   erase_scope       which declaration does a name mean?
 *   erase_exports     the members of namespaces and enums
 *   erase_module      imports and exports
 *   erase_namespace   namespaces
 *   erase_enum        enums; erase_constant: their values
 *
 * Most programs ask nobody what a name means. Names are looked up only if they are watched: those
 * of imports, of what namespaces export, of members of enums and the like. A name that is not
 * watched costs one test.
 */
#ifndef ERASER_H
#define ERASER_H

#include "erase.h"

/* Text put in at `at`, over up to `before` blanks in front of it and `after` behind it. In it, the
 * character PARAMETER stands for the name by which `frame` is known inside. */
#define PARAMETER "\1"
typedef struct Frame Frame;
typedef struct Edit {
    uint32_t at;
    uint32_t before;
    uint32_t after;
    uint32_t length;
    const char *text;
    Frame *frame;
} Edit;

typedef enum SymbolFlag {
    SYMBOL_VALUE = 1 << 0,
    SYMBOL_TYPE = 1 << 1,
    SYMBOL_IMPORT = 1 << 2,   /* from another module */
    SYMBOL_ALIAS = 1 << 3,    /* import a = b.c */
    SYMBOL_VARIABLE = 1 << 4, /* exported by a namespace: known by the namespace's name only */
    SYMBOL_MEMBER = 1 << 5,   /* of an enum */
    SYMBOL_CONST = 1 << 6,    /* the declaration is a `const` whose value may be known */
    SYMBOL_USED = 1 << 7,
    SYMBOL_DECLARED = 1 << 8, /* a `var` or `let` of it was written, or needs none */
    SYMBOL_SETTLED = 1 << 9,  /* alias: what it stands for was marked as used; enum member: known */
    SYMBOL_BUSY = 1 << 10,    /* enum member, const: being computed */
    SYMBOL_LOCAL = 1 << 11,   /* a value declared here; an import beside it is of a type */
} SymbolFlag;

typedef enum ConstantKind { CONSTANT_NONE, CONSTANT_NUMBER, CONSTANT_STRING } ConstantKind;

typedef struct Constant {
    ConstantKind kind;
    bool is_text; /* a string in any case, known or not */
    double number;
    const char *text;
    size_t length;
} Constant;

typedef struct Symbol {
    Name *name;
    struct Symbol *outer;  /* what the name meant outside */
    struct Symbol *next;   /* of the same scope */
    struct Symbol *shared; /* namespace, enum: of whom the exports are; itself unless exported */
    Node *declaration;     /* of an import, an alias, a const, a member */
    Node *before;          /* alias: the statement before it */
    uint32_t flags;
    uint32_t depth;
    Constant value; /* enum member, once it is settled */
} Symbol;

typedef struct Scope {
    struct Scope *outer;
    Symbol *symbols;
} Scope;

/* A namespace or an enum whose body is being walked. */
struct Frame {
    Frame *outer;
    Symbol *symbol;
    Name *name;
    Name *parameter; /* the name inside; chosen when it is first written */
    uint32_t depth;
    uint16_t kind; /* NODE_MODULE_DECLARATION, NODE_ENUM_DECLARATION */
    bool taken;    /* something inside has the same name */
};

typedef struct Eraser {
    Arena *arena;
    const Source *source;
    SourceFile *file;
    Findings *findings;
    char *text; /* the copy */
    uint32_t length;
    uint32_t lowered;

    Edit *edits;
    uint32_t edit_count;
    uint32_t edit_capacity;

    Scope *scope;
    Frame *frame;
    uint32_t depth;
    uint32_t watched;
    uint32_t constant_depth; /* of values computed for others */
    const Node *before;      /* the statement before the one that is visited */
    bool in_block;           /* a `let` is needed where a file's top has `var` */
    struct SymbolTable *table;
    struct Elision *elisions; /* imports, the last one first */
} Eraser;

/* ---- erase.c: text ---- */

void blank(Eraser *e, uint32_t start, uint32_t end);
void put(Eraser *e, uint32_t at, char c);
void edit(Eraser *e, Edit wanted);
void edit_text(Eraser *e, uint32_t at, const char *text);
/** Text with each %s filled in; there is nothing else. NULL once the arena failed. */
const char *text_of(Eraser *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void refuse(Eraser *e, const char *code, Span span, const char *message);
bool has_newline(const Eraser *e, uint32_t start, uint32_t end);
/** The first byte of the next token at or after `at`. */
uint32_t skip_trivia(const Eraser *e, uint32_t at);
/** Blank a mark's sign, if there is one. */
void blank_mark(Eraser *e, Mark mark, uint32_t bytes);
void blank_list(Eraser *e, const NodeList *list);
/** From the first sign after `from` (a colon) to the end of the node. */
void blank_type(Eraser *e, uint32_t from, const Node *type);
/** Blank the modifiers of these bits; visit the decorators. Where the first that stays begins. */
void blank_modifiers(Eraser *e, const NodeList *modifiers, uint32_t bits);

/* ---- erase_walk.c ---- */

void visit(Eraser *e, Node *node);
void visit_each(Eraser *e, const NodeList *list);
void visit_children(Eraser *e, Node *node);
/** A name that may be computed; otherwise nothing. */
void visit_member_name(Eraser *e, Node *name);
/** What a declaration binds: initializers and computed names in it. */
void visit_binding(Eraser *e, Node *name);

/* ---- erase_function.c ---- */

/** Parameters, types and body of anything with parameters. */
void visit_function(Eraser *e, FunctionLike *function);
Node *visit_function_node(Eraser *e, Node *node);
void visit_body(Eraser *e, Node *body);
Node *visit_for(Eraser *e, Node *node);
Node *visit_for_each(Eraser *e, Node *node);
Node *visit_loop(Eraser *e, Node *node);
Node *visit_if(Eraser *e, Node *node);
Node *visit_labeled(Eraser *e, Node *node);
Node *visit_catch(Eraser *e, Node *node);
Node *visit_declaration(Eraser *e, Node *node);
Node *visit_case_block(Eraser *e, Node *node);

/* ---- erase_statement.c ---- */

void visit_statements(Eraser *e, const NodeList *list);
Node *visit_variable_statement(Eraser *e, Node *node);
Node *visit_block(Eraser *e, Node *node);
Node *visit_embedded(Eraser *e, Node *statement);
/** Blank a statement or member; keep apart what stands before and after it. */
void remove_statement(Eraser *e, const Node *statement, const Node *before);
bool vanishes(const Node *statement);
/** Is this one of the statements that can declare names, vanish, or belong to a module? */
static inline bool may_declare(const Node *statement)
{
    return statement->kind >= NODE_FUNCTION_DECLARATION ||
           statement->kind == NODE_VARIABLE_STATEMENT;
}
/** Could a statement go on with what is put behind it? NULL: there is none. */
bool stays_open(const Eraser *e, const Node *statement);

/* ---- erase_class.c ---- */

Node *visit_class(Eraser *e, Node *node);

/* ---- erase_scope.c ---- */

void watch(Eraser *e, Name *name);
void scope_enter(Eraser *e, Scope *scope);
/** Settle its aliases: after this nothing in it may be used any more. */
void scope_settle(Eraser *e, const Scope *scope);
void scope_leave(Eraser *e, Scope *scope);
/** Where the symbol with this owner and name is or is to be put; NULL once the arena failed. */
Symbol **symbol_slot(Eraser *e, const void *owner, const Name *name);
Symbol *symbol_new(Eraser *e, Name *name, uint32_t flags, Node *declaration);
void scope_statement(Eraser *e, Node *statement);
/** erase_exports.c. The declarations that stand in a list of statements, and what the namespaces
 * and enums among them export. */
void scope_statements(Eraser *e, const NodeList *statements);
/** The `var`s of a function, namespace or file. */
void scope_hoist(Eraser *e, const NodeList *statements);
void scope_binding(Eraser *e, Node *name, uint32_t flags, Node *declaration);
Symbol *scope_bind(Eraser *e, Name *name, uint32_t flags, Node *declaration);
/** What a name means here: a value, or whatever it is. NULL if that is not known. Of what is found
 * in a namespace or enum around, `*out_frame` says in which. */
Symbol *scope_value(Eraser *e, const Name *name, Frame **out_frame);
Symbol *scope_any(Eraser *e, const Name *name);
/** A class or function was met: a namespace of its name further down needs no `var`. */
void scope_declared(Eraser *e, const Node *name);
/** The member of a namespace or enum; NULL if there is none. */
Symbol *symbol_export(Eraser *e, const Symbol *owner, const Name *name);
void frame_enter(Eraser *e, Frame *frame, Symbol *symbol, const Node *name, uint16_t kind);
/** An identifier as an expression: note its use, put a namespace's name before it. */
void visit_reference(Eraser *e, Node *node);
/** The same for the short form of a property, in a literal or an assignment pattern. */
void visit_shorthand(Eraser *e, Node *node);

/* ---- erase_module.c ---- */

void module_watch(Eraser *e, const NodeList *statements);
Node *visit_import(Eraser *e, Node *node, const Node *before);
Node *visit_export(Eraser *e, Node *node, const Node *before);
Node *visit_export_assignment(Eraser *e, Node *node, const Node *before);
Node *visit_import_equals(Eraser *e, Node *node, const Node *before);
/** Blank the imports nobody uses, once everything has been visited. */
void settle_imports(Eraser *e);
/** What a used alias stands for is used too. */
void settle_alias(Eraser *e, Symbol *alias);
/** Write an alias, or blank it. */
void finish_alias(Eraser *e, const Symbol *alias);
/** The first name of `a.b.c`. */
Name *entity_head(Node *entity);

/* ---- erase_namespace.c, erase_enum.c, erase_constant.c ---- */

bool namespace_has_values(const ModuleDeclaration *module);
Node *visit_namespace(Eraser *e, Node *node);
void visit_exported_variables(Eraser *e, VariableStatement *statement, const Node *before);
/** Does this stand in a namespace, and is it exported from there? */
bool is_exported_member(const Eraser *e, const NodeList *modifiers);
/** What a namespace or enum begins with: `var N; (function (N) {`, over `[start, end)`. */
void open_container(Eraser *e, Frame *frame, Symbol *symbol, const NodeList *modifiers,
                    uint32_t start, uint32_t end);
/** And ends with, from the brace on: `})(N || (N = {}));`. */
void close_container(Eraser *e, const Name *name, bool exported, uint32_t end, const char *brace);
Node *visit_enum(Eraser *e, Node *node);
/** The value of the member at `index`, where the one before it has the value `before`. */
Constant enum_value(Eraser *e, const EnumDeclaration *declared, const Symbol *owner, uint32_t index,
                    Constant before);
/** How the compiler writes it. */
double literal_value(const Name *text); /* of a number, as written */
const char *constant_text(Eraser *e, const Constant *value);
const char *quoted_text(Eraser *e, const char *text, size_t length);

#endif
