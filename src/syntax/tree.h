/*
 * The tree: every kind of node and what hangs below it.
 *
 * A node begins with a Node, which says its kind and where it stands; the kind says which struct it
 * is. Kinds are named as TypeScript's own tree names them, and mean the same. To look inside, test
 * the kind and use as_NAME():
 *
 *     if (node->kind == NODE_CALL_EXPRESSION)
 *         visit(as_call_expression(node)->expression);
 *
 * Places are byte offsets. `start` is the first byte of the first token, `full_start` the end of
 * the token before (so the blanks and comments in front belong to the node), `end` past the last
 * byte. Signs that no node stands for, such as the `?` of an optional parameter, are a Mark: the
 * offset of the sign, 0 for none (none of them can stand at the beginning of a text).
 *
 * What may be absent is NULL. What must be there and is not, is a node with NODE_FLAG_MISSING.
 */
#ifndef TREE_H
#define TREE_H

#include "intern.h"
#include "token.h"
#include "tree_kinds.h"

typedef uint32_t Mark;

typedef enum NodeKind {
    NODE_NONE,
#define X(kind, type, name) NODE_##kind,
    NODE_KINDS(X)
#undef X
        NODE_KIND_COUNT,
} NodeKind;

typedef enum NodeFlag {
    NODE_FLAG_MISSING = 1 << 0,      /* should be there and is not; no width */
    NODE_FLAG_ERROR = 1 << 1,        /* a finding was made while this node was read */
    NODE_FLAG_AWAIT = 1 << 2,        /* stands where `await` is an operator */
    NODE_FLAG_YIELD = 1 << 3,        /* stands where `yield` is an operator */
    NODE_FLAG_AMBIENT = 1 << 4,      /* stands inside `declare` or in a declaration file */
    NODE_FLAG_CHAIN = 1 << 5,        /* access or call: part of an optional chain (`a?.b.c`) */
    NODE_FLAG_ESCAPED = 1 << 6,      /* name or literal: written with escapes */
    NODE_FLAG_UNTERMINATED = 1 << 7, /* literal: its end is the end of the line or text */
    NODE_FLAG_INVALID = 1 << 8,      /* literal: holds an escape that means nothing */
    NODE_FLAG_LINES = 1 << 9,        /* list in braces or brackets: more than one line */
    NODE_FLAG_LEGACY = 1 << 10,      /* number: written 017 or 09 */
    NODE_FLAG_DECORATED = 1 << 11,   /* stands inside a decorator */
    NODE_FLAG_NO_IN = 1 << 12,       /* stands where `in` ends the expression */
} NodeFlag;

typedef struct Node {
    uint16_t kind;
    uint16_t flags;
    uint32_t full_start;
    uint32_t start;
    uint32_t end;
} Node;

/* Children of one place. With brackets (of type arguments, parameters, ...) the span takes them in;
 * without, it is from the first child to the last. Never holds a NULL. */
typedef struct NodeList {
    uint32_t start;
    uint32_t end;
    uint32_t count;
    uint32_t modifiers; /* of a list of modifiers: a bit each, below */
    Mark trailing;      /* the comma after the last child */
    Node *at[];
} NodeList;

typedef enum ModifierBit {
    MODIFIER_EXPORT = 1 << 0,
    MODIFIER_DEFAULT = 1 << 1,
    MODIFIER_DECLARE = 1 << 2,
    MODIFIER_CONST = 1 << 3,
    MODIFIER_ABSTRACT = 1 << 4,
    MODIFIER_ASYNC = 1 << 5,
    MODIFIER_PUBLIC = 1 << 6,
    MODIFIER_PRIVATE = 1 << 7,
    MODIFIER_PROTECTED = 1 << 8,
    MODIFIER_STATIC = 1 << 9,
    MODIFIER_READONLY = 1 << 10,
    MODIFIER_OVERRIDE = 1 << 11,
    MODIFIER_ACCESSOR = 1 << 12,
    MODIFIER_IN = 1 << 13,
    MODIFIER_OUT = 1 << 14,
    MODIFIER_DECORATOR = 1 << 15, /* there are decorators among them */
    MODIFIER_PARAMETER_PROPERTY = MODIFIER_PUBLIC | MODIFIER_PRIVATE | MODIFIER_PROTECTED |
                                  MODIFIER_READONLY | MODIFIER_OVERRIDE,
} ModifierBit;

/* ---- names and literals ---- */

typedef struct Identifier {
    Node node;
    Name *name; /* of #private ones with the `#` */
} Identifier;

typedef struct QualifiedName { /* left.right */
    Node node;
    Node *left; /* Identifier, QualifiedName; in `typeof import("a").b` never: see ImportType */
    Node *right;
} QualifiedName;

typedef struct Literal {
    Node node;
    Name *text; /* string, template piece: cooked, NULL if an escape in it means nothing.
                   number, bigint: as written, without `_`. regular expression: as written */
} Literal;

/* ---- signatures and members ---- */

/* Whatever has one child that needs no more words. */
typedef struct Unary {
    Node node;
    Node *expression; /* expression, type, name or label; NULL where it may be absent */
    Mark mark;        /* yield: its `*`. comment type: its sign. optional type: its `?`.
                         non-null: its `!` */
} Unary;

/* Whatever is one list in brackets. */
typedef struct ListNode {
    Node node;
    NodeList *list;
    Mark close; /* the closing bracket, 0 if it is missing */
} ListNode;

typedef struct TypeParameter { /* modifiers name extends constraint = default */
    Node node;
    NodeList *modifiers; /* const, in, out */
    Node *name;
    Node *constraint; /* in a mapped type `[name in constraint]` */
    Node *default_type;
} TypeParameter;

typedef struct Parameter { /* modifiers ...name?: type = initializer */
    Node node;
    NodeList *modifiers; /* decorators too; with public, readonly, ...: a parameter property */
    Node *name;          /* Identifier (maybe `this`), or a binding pattern */
    Node *type;
    Node *initializer;
    Mark rest;
    Mark question;
} Parameter;

typedef struct Modifier {
    Node node;
    uint32_t token;
    uint32_t bit;
} Modifier;

typedef struct Property { /* modifiers name?: type = initializer; */
    Node node;
    NodeList *modifiers;
    Node *name;
    Node *type;
    Node *initializer;
    Mark question;
    Mark exclamation;
} Property;

/* Everything with parameters, and a class's static block. */
typedef struct FunctionLike {
    Node node;
    NodeList *modifiers;
    Node *name; /* NULL for constructors, call signatures, arrows, types, nameless functions */
    NodeList *type_parameters;
    NodeList *parameters; /* in parentheses, but not of `x => x`; index signature: in brackets */
    Node *type;           /* what it returns; may be a TypePredicate */
    Node *body;           /* Block; of an arrow any expression; NULL: only a signature */
    Mark asterisk;
    Mark question;    /* of an optional method */
    Mark exclamation; /* only in wrong programs */
    Mark arrow;
} FunctionLike;

/* ---- types ---- */

typedef struct KeywordType {
    Node node;
    uint32_t token; /* any, unknown, string, void, undefined, ... */
} KeywordType;

typedef struct TypePredicate { /* asserts name is type */
    Node node;
    Node *name; /* Identifier or ThisType */
    Node *type; /* NULL: `asserts name` */
    Mark asserts;
} TypePredicate;

/* TypeReference, TypeQuery (`typeof name`), ExpressionWithTypeArguments */
typedef struct TypeReference {
    Node node;
    Node *name; /* Identifier, QualifiedName, in a query also ImportType; an expression */
    NodeList *type_arguments;
} TypeReference;

typedef struct NamedTupleMember { /* ...name?: type */
    Node node;
    Node *name;
    Node *type;
    Mark rest;
    Mark question;
} NamedTupleMember;

typedef struct ConditionalType { /* check extends extends ? when_true : when_false */
    Node node;
    Node *check;
    Node *extends;
    Node *when_true;
    Node *when_false;
} ConditionalType;

typedef struct TypeOperator { /* keyof, unique, readonly */
    Node node;
    Node *type;
    uint32_t token;
} TypeOperator;

typedef struct IndexedAccessType { /* object[index] */
    Node node;
    Node *object;
    Node *index;
} IndexedAccessType;

typedef struct MappedType { /* { readonly [parameter in ... as name_type]?: type } */
    Node node;
    Node *parameter; /* TypeParameter */
    Node *name_type;
    Node *type;
    NodeList *members;       /* only in wrong programs */
    uint32_t readonly_token; /* TOKEN_READONLY, or its sign TOKEN_PLUS, TOKEN_MINUS; or none */
    uint32_t question_token; /* TOKEN_QUESTION, TOKEN_PLUS, TOKEN_MINUS; or none */
} MappedType;

typedef struct ImportType { /* typeof import(argument, attributes).qualifier<type_arguments> */
    Node node;
    Node *argument; /* LiteralType, in right programs of a string */
    Node *attributes;
    Node *qualifier;
    NodeList *type_arguments;
    Mark is_typeof;
} ImportType;

/* ---- binding patterns ---- */

typedef struct BindingElement { /* ...property_name: name = initializer */
    Node node;
    Node *property_name;
    Node *name; /* Identifier or a binding pattern */
    Node *initializer;
    Mark rest;
} BindingElement;

/* ---- expressions ---- */

typedef struct PropertyAccess { /* expression?.name */
    Node node;
    Node *expression;
    Node *name; /* Identifier or PrivateIdentifier */
    Mark question_dot;
} PropertyAccess;

typedef struct ElementAccess { /* expression?.[argument] */
    Node node;
    Node *expression;
    Node *argument;
    Mark question_dot;
} ElementAccess;

typedef struct CallExpression { /* expression?.<type_arguments>(arguments) */
    Node node;
    Node *expression;
    NodeList *type_arguments;
    NodeList *arguments; /* with the parentheses; of `new C` NULL */
    Mark question_dot;
} CallExpression;

typedef struct TaggedTemplate {
    Node node;
    Node *tag;
    NodeList *type_arguments;
    Node *template;
    Mark question_dot; /* only in wrong programs */
} TaggedTemplate;

/* `expression as type`, `expression satisfies type`, `<type>expression`: in the walk the children
 * come as they stand in the text. */
typedef struct Assertion {
    Node node;
    Node *expression;
    Node *type;
    Mark word; /* `as`, `satisfies`; 0 for `<` */
} Assertion;

typedef struct OperatorUnary {
    Node node;
    Node *operand;
    uint32_t token;
} OperatorUnary;

typedef struct Binary {
    Node node;
    Node *left;
    Node *right;
    uint32_t token; /* comma, `in`, `instanceof` and assignments too */
    Mark sign;
} Binary;

/* `condition ? when_true : when_false`, `if (condition) when_true else when_false` */
typedef struct Conditional {
    Node node;
    Node *condition;
    Node *when_true;
    Node *when_false; /* NULL for an `if` without `else` */
    Mark question;    /* 0 in an `if` */
    Mark colon;       /* `:`, or `else` */
} Conditional;

typedef struct Template { /* head span span ... */
    Node node;
    Node *head;
    NodeList *spans;
} Template;

typedef struct TemplateSpan {
    Node node;
    Node *expression; /* or type */
    Node *literal;    /* TemplateMiddle or TemplateTail */
} TemplateSpan;

typedef struct MetaProperty { /* new.target, import.meta, import.defer */
    Node node;
    Node *name;
    uint32_t token; /* TOKEN_NEW, TOKEN_IMPORT */
} MetaProperty;

/* ---- statements ---- */

typedef struct VariableStatement {
    Node node;
    NodeList *modifiers;
    Node *declarations; /* VariableDeclarationList */
} VariableStatement;

typedef enum VariableKind {
    VARIABLE_VAR,
    VARIABLE_LET,
    VARIABLE_CONST,
    VARIABLE_USING,
    VARIABLE_AWAIT_USING,
} VariableKind;

typedef struct VariableDeclarationList {
    Node node;
    NodeList *list;
    uint32_t variable; /* a VariableKind */
} VariableDeclarationList;

typedef struct VariableDeclaration { /* name!: type = initializer */
    Node node;
    Node *name; /* Identifier or a binding pattern */
    Node *type;
    Node *initializer;
    Mark exclamation;
} VariableDeclaration;

/* do, while, with */
typedef struct Loop {
    Node node;
    Node *expression;
    Node *statement;
} Loop;

typedef struct ForStatement {
    Node node;
    Node *initializer; /* VariableDeclarationList or an expression */
    Node *condition;
    Node *increment;
    Node *statement;
} ForStatement;

typedef struct ForEach { /* for await (initializer in|of expression) statement */
    Node node;
    Node *initializer;
    Node *expression;
    Node *statement;
    Mark await_word;
    Mark word; /* `in` or `of` */
} ForEach;

typedef struct SwitchStatement {
    Node node;
    Node *expression;
    Node *block; /* CaseBlock */
} SwitchStatement;

typedef struct CaseClause {
    Node node;
    Node *expression; /* NULL for `default` */
    NodeList *statements;
} CaseClause;

typedef struct LabeledStatement {
    Node node;
    Node *label;
    Node *statement;
} LabeledStatement;

typedef struct TryStatement {
    Node node;
    Node *block;
    Node *handler; /* CatchClause */
    Node *finalizer;
} TryStatement;

typedef struct CatchClause {
    Node node;
    Node *variable; /* VariableDeclaration */
    Node *block;
} CatchClause;

/* ---- declarations ---- */

/* classes and interfaces */
typedef struct ClassLike {
    Node node;
    NodeList *modifiers;
    Node *name;
    NodeList *type_parameters;
    NodeList *heritage; /* of HeritageClause */
    NodeList *members;  /* with the braces */
} ClassLike;

typedef struct HeritageClause {
    Node node;
    NodeList *types; /* of ExpressionWithTypeArguments */
    uint32_t token;  /* TOKEN_EXTENDS, TOKEN_IMPLEMENTS */
} HeritageClause;

typedef struct TypeAlias {
    Node node;
    NodeList *modifiers;
    Node *name;
    NodeList *type_parameters;
    Node *type;
} TypeAlias;

typedef struct EnumDeclaration {
    Node node;
    NodeList *modifiers;
    Node *name;
    NodeList *members; /* with the braces */
} EnumDeclaration;

typedef struct EnumMember {
    Node node;
    Node *name;
    Node *initializer;
} EnumMember;

typedef struct ModuleDeclaration { /* namespace A.B {}, module "a" {}, global {} */
    Node node;
    NodeList *modifiers;
    Node *name; /* Identifier, StringLiteral */
    Node *body; /* ModuleBlock; of A.B the ModuleDeclaration B; NULL: `declare module "a";` */
    uint32_t
        token; /* TOKEN_NAMESPACE, TOKEN_MODULE, TOKEN_GLOBAL; of the inner B of A.B that of A */
} ModuleDeclaration;

typedef struct MissingDeclaration { /* modifiers without what they belong to */
    Node node;
    NodeList *modifiers;
} MissingDeclaration;

/* ---- imports and exports ---- */

typedef struct ImportEquals { /* import type name = reference */
    Node node;
    NodeList *modifiers;
    Node *name;
    Node *reference; /* Identifier, QualifiedName or ExternalModuleReference */
    Mark type_only;
} ImportEquals;

typedef struct ImportDeclaration {
    Node node;
    NodeList *modifiers;
    Node *clause; /* NULL: import "a" */
    Node *module;
    Node *attributes;
} ImportDeclaration;

typedef struct ImportClause { /* type name, bindings */
    Node node;
    Node *name;
    Node *bindings; /* NamespaceImport or NamedImports */
    uint32_t phase; /* TOKEN_TYPE, TOKEN_DEFER or none */
    Mark word;      /* where `type` or `defer` stands */
} ImportClause;

typedef struct Specifier { /* type property_name as name */
    Node node;
    Node *property_name; /* NULL without `as`; Identifier or StringLiteral */
    Node *name;
    Mark type_only;
} Specifier;

/* `export = expression`, `export default expression`, `export as namespace expression` */
typedef struct ExportAssignment {
    Node node;
    NodeList *modifiers;
    Node *expression;
    Mark equals; /* 0 for `export default` */
} ExportAssignment;

typedef struct ExportDeclaration { /* export type clause from module */
    Node node;
    NodeList *modifiers;
    Node *clause; /* NamedExports, NamespaceExport; NULL: export * */
    Node *module;
    Node *attributes;
    Mark type_only;
} ExportDeclaration;

typedef struct ImportAttributes { /* with { list } */
    Node node;
    NodeList *list;
    uint32_t token; /* TOKEN_WITH, TOKEN_ASSERT */
} ImportAttributes;

typedef struct ImportAttribute {
    Node node;
    Node *name; /* Identifier or StringLiteral */
    Node *value;
} ImportAttribute;

/* ---- members of object literals ---- */

/* `name: initializer`; shorthand `name`, in patterns `name = initializer` */
typedef struct PropertyAssignment {
    Node node;
    NodeList *modifiers; /* only in wrong programs */
    Node *name;
    Node *initializer;
    Mark equals;
    Mark question;    /* only in wrong programs */
    Mark exclamation; /* only in wrong programs */
} PropertyAssignment;

/* What is somewhere in a text. Said too often rather than too seldom. */
typedef enum FileNote {
    FILE_HAS_VAR = 1 << 0,       /* variables that belong to a whole function */
    FILE_HAS_CONTAINER = 1 << 1, /* namespaces, enums, aliases by `import =` */
} FileNote;

typedef struct SourceFile {
    Node node;
    uint32_t notes; /* FileNote bits */
    NodeList *statements;
    Node *module_mark; /* the first import, export or import.meta that makes it a module; or NULL */
    bool is_declaration;
    bool has_await; /* `await` at its top level */
    Names *names;   /* the table of all its names */
} SourceFile;

/* as_identifier(node), as_call_expression(node), ... one for each struct above. */
#define TREE_CAST(function, type)                                                                  \
    static inline type *function(const Node *node)                                                 \
    {                                                                                              \
        return (type *)(uintptr_t)node;                                                            \
    }
TREE_CAST(as_identifier, Identifier)
TREE_CAST(as_qualified_name, QualifiedName)
TREE_CAST(as_literal, Literal)
TREE_CAST(as_unary, Unary)
TREE_CAST(as_list, ListNode)
TREE_CAST(as_type_parameter, TypeParameter)
TREE_CAST(as_parameter, Parameter)
TREE_CAST(as_modifier, Modifier)
TREE_CAST(as_property, Property)
TREE_CAST(as_function, FunctionLike)
TREE_CAST(as_keyword_type, KeywordType)
TREE_CAST(as_type_predicate, TypePredicate)
TREE_CAST(as_type_reference, TypeReference)
TREE_CAST(as_named_tuple_member, NamedTupleMember)
TREE_CAST(as_conditional_type, ConditionalType)
TREE_CAST(as_type_operator, TypeOperator)
TREE_CAST(as_indexed_access_type, IndexedAccessType)
TREE_CAST(as_mapped_type, MappedType)
TREE_CAST(as_import_type, ImportType)
TREE_CAST(as_binding_element, BindingElement)
TREE_CAST(as_property_access, PropertyAccess)
TREE_CAST(as_element_access, ElementAccess)
TREE_CAST(as_call_expression, CallExpression)
TREE_CAST(as_tagged_template, TaggedTemplate)
TREE_CAST(as_assertion, Assertion)
TREE_CAST(as_operator_unary, OperatorUnary)
TREE_CAST(as_binary, Binary)
TREE_CAST(as_conditional, Conditional)
TREE_CAST(as_template, Template)
TREE_CAST(as_template_span, TemplateSpan)
TREE_CAST(as_meta_property, MetaProperty)
TREE_CAST(as_variable_statement, VariableStatement)
TREE_CAST(as_variable_declaration_list, VariableDeclarationList)
TREE_CAST(as_variable_declaration, VariableDeclaration)
TREE_CAST(as_loop, Loop)
TREE_CAST(as_for_statement, ForStatement)
TREE_CAST(as_for_each, ForEach)
TREE_CAST(as_switch_statement, SwitchStatement)
TREE_CAST(as_case_clause, CaseClause)
TREE_CAST(as_labeled_statement, LabeledStatement)
TREE_CAST(as_try_statement, TryStatement)
TREE_CAST(as_catch_clause, CatchClause)
TREE_CAST(as_class, ClassLike)
TREE_CAST(as_heritage_clause, HeritageClause)
TREE_CAST(as_type_alias, TypeAlias)
TREE_CAST(as_enum_declaration, EnumDeclaration)
TREE_CAST(as_enum_member, EnumMember)
TREE_CAST(as_module_declaration, ModuleDeclaration)
TREE_CAST(as_missing_declaration, MissingDeclaration)
TREE_CAST(as_import_equals, ImportEquals)
TREE_CAST(as_import_declaration, ImportDeclaration)
TREE_CAST(as_import_clause, ImportClause)
TREE_CAST(as_specifier, Specifier)
TREE_CAST(as_export_assignment, ExportAssignment)
TREE_CAST(as_export_declaration, ExportDeclaration)
TREE_CAST(as_import_attributes, ImportAttributes)
TREE_CAST(as_import_attribute, ImportAttribute)
TREE_CAST(as_property_assignment, PropertyAssignment)
TREE_CAST(as_source_file, SourceFile)
#undef TREE_CAST

/** "Identifier", "CallExpression", ... as TypeScript's tree has it. */
const char *node_kind_name(NodeKind kind);

/** Bytes of a node of this kind. */
size_t node_kind_bytes(NodeKind kind);

/** Return false to stop the walk. */
typedef bool (*NodeVisitor)(Node *node, void *context);

/** The children of a node, in the order in which they stand in the text; modifiers and decorators
 * among them. Returns false if the visitor did. */
bool tree_each_child(const Node *node, NodeVisitor visit, void *context);

/** How many nodes stand below each other at the most. Not recursive; 0 if the arena failed. */
uint32_t tree_height(const Node *root, Arena *arena);

/** The modifiers and decorators of whatever may have them; NULL for others, or without any. */
NodeList *node_modifiers(const Node *node);

/** The modifier bits of a list that may be NULL. */
static inline uint32_t modifiers_of(const NodeList *modifiers)
{
    return modifiers ? modifiers->modifiers : 0;
}

#endif
