#include "tree.h"

#include <string.h>

/* Where the children of a struct are, in the order of the text. */
typedef struct Field {
    uint8_t offset; /* 0 ends the fields */
    bool is_list;
} Field;

enum { fields_max = 6 };

/* clang-format off */
#define ONE(type, member) {offsetof(type, member), false}
#define LIST(type, member) {offsetof(type, member), true}

#define FIELDS_Node {{0}}
#define FIELDS_Identifier {{0}}
#define FIELDS_Literal {{0}}
#define FIELDS_Modifier {{0}}
#define FIELDS_KeywordType {{0}}
#define FIELDS_QualifiedName {ONE(QualifiedName, left), ONE(QualifiedName, right)}
#define FIELDS_Unary {ONE(Unary, expression)}
#define FIELDS_ListNode {LIST(ListNode, list)}
#define FIELDS_TypeParameter {LIST(TypeParameter, modifiers), ONE(TypeParameter, name), \
    ONE(TypeParameter, constraint), ONE(TypeParameter, default_type)}
#define FIELDS_Parameter {LIST(Parameter, modifiers), ONE(Parameter, name), \
    ONE(Parameter, type), ONE(Parameter, initializer)}
#define FIELDS_Property {LIST(Property, modifiers), ONE(Property, name), \
    ONE(Property, type), ONE(Property, initializer)}
#define FIELDS_FunctionLike {LIST(FunctionLike, modifiers), ONE(FunctionLike, name), \
    LIST(FunctionLike, type_parameters), LIST(FunctionLike, parameters), \
    ONE(FunctionLike, type), ONE(FunctionLike, body)}
#define FIELDS_TypePredicate {ONE(TypePredicate, name), ONE(TypePredicate, type)}
#define FIELDS_TypeReference {ONE(TypeReference, name), LIST(TypeReference, type_arguments)}
#define FIELDS_NamedTupleMember {ONE(NamedTupleMember, name), ONE(NamedTupleMember, type)}
#define FIELDS_ConditionalType {ONE(ConditionalType, check), ONE(ConditionalType, extends), \
    ONE(ConditionalType, when_true), ONE(ConditionalType, when_false)}
#define FIELDS_TypeOperator {ONE(TypeOperator, type)}
#define FIELDS_IndexedAccessType {ONE(IndexedAccessType, object), ONE(IndexedAccessType, index)}
#define FIELDS_MappedType {ONE(MappedType, parameter), ONE(MappedType, name_type), \
    ONE(MappedType, type), LIST(MappedType, members)}
#define FIELDS_ImportType {ONE(ImportType, argument), ONE(ImportType, attributes), \
    ONE(ImportType, qualifier), LIST(ImportType, type_arguments)}
#define FIELDS_BindingElement {ONE(BindingElement, property_name), ONE(BindingElement, name), \
    ONE(BindingElement, initializer)}
#define FIELDS_PropertyAccess {ONE(PropertyAccess, expression), ONE(PropertyAccess, name)}
#define FIELDS_ElementAccess {ONE(ElementAccess, expression), ONE(ElementAccess, argument)}
#define FIELDS_CallExpression {ONE(CallExpression, expression), \
    LIST(CallExpression, type_arguments), LIST(CallExpression, arguments)}
#define FIELDS_TaggedTemplate {ONE(TaggedTemplate, tag), LIST(TaggedTemplate, type_arguments), \
    ONE(TaggedTemplate, template)}
#define FIELDS_Assertion {ONE(Assertion, expression), ONE(Assertion, type)}
#define FIELDS_OperatorUnary {ONE(OperatorUnary, operand)}
#define FIELDS_Binary {ONE(Binary, left), ONE(Binary, right)}
#define FIELDS_Conditional {ONE(Conditional, condition), ONE(Conditional, when_true), \
    ONE(Conditional, when_false)}
#define FIELDS_Template {ONE(Template, head), LIST(Template, spans)}
#define FIELDS_TemplateSpan {ONE(TemplateSpan, expression), ONE(TemplateSpan, literal)}
#define FIELDS_MetaProperty {ONE(MetaProperty, name)}
#define FIELDS_VariableStatement {LIST(VariableStatement, modifiers), \
    ONE(VariableStatement, declarations)}
#define FIELDS_VariableDeclarationList {LIST(VariableDeclarationList, list)}
#define FIELDS_VariableDeclaration {ONE(VariableDeclaration, name), \
    ONE(VariableDeclaration, type), ONE(VariableDeclaration, initializer)}
#define FIELDS_Loop {ONE(Loop, expression), ONE(Loop, statement)}
#define FIELDS_ForStatement {ONE(ForStatement, initializer), ONE(ForStatement, condition), \
    ONE(ForStatement, increment), ONE(ForStatement, statement)}
#define FIELDS_ForEach {ONE(ForEach, initializer), ONE(ForEach, expression), \
    ONE(ForEach, statement)}
#define FIELDS_SwitchStatement {ONE(SwitchStatement, expression), ONE(SwitchStatement, block)}
#define FIELDS_CaseClause {ONE(CaseClause, expression), LIST(CaseClause, statements)}
#define FIELDS_LabeledStatement {ONE(LabeledStatement, label), ONE(LabeledStatement, statement)}
#define FIELDS_TryStatement {ONE(TryStatement, block), ONE(TryStatement, handler), \
    ONE(TryStatement, finalizer)}
#define FIELDS_CatchClause {ONE(CatchClause, variable), ONE(CatchClause, block)}
#define FIELDS_ClassLike {LIST(ClassLike, modifiers), ONE(ClassLike, name), \
    LIST(ClassLike, type_parameters), LIST(ClassLike, heritage), LIST(ClassLike, members)}
#define FIELDS_HeritageClause {LIST(HeritageClause, types)}
#define FIELDS_TypeAlias {LIST(TypeAlias, modifiers), ONE(TypeAlias, name), \
    LIST(TypeAlias, type_parameters), ONE(TypeAlias, type)}
#define FIELDS_EnumDeclaration {LIST(EnumDeclaration, modifiers), ONE(EnumDeclaration, name), \
    LIST(EnumDeclaration, members)}
#define FIELDS_EnumMember {ONE(EnumMember, name), ONE(EnumMember, initializer)}
#define FIELDS_ModuleDeclaration {LIST(ModuleDeclaration, modifiers), \
    ONE(ModuleDeclaration, name), ONE(ModuleDeclaration, body)}
#define FIELDS_MissingDeclaration {LIST(MissingDeclaration, modifiers)}
#define FIELDS_ImportEquals {LIST(ImportEquals, modifiers), ONE(ImportEquals, name), \
    ONE(ImportEquals, reference)}
#define FIELDS_ImportDeclaration {LIST(ImportDeclaration, modifiers), \
    ONE(ImportDeclaration, clause), ONE(ImportDeclaration, module), \
    ONE(ImportDeclaration, attributes)}
#define FIELDS_ImportClause {ONE(ImportClause, name), ONE(ImportClause, bindings)}
#define FIELDS_Specifier {ONE(Specifier, property_name), ONE(Specifier, name)}
#define FIELDS_ExportAssignment {LIST(ExportAssignment, modifiers), \
    ONE(ExportAssignment, expression)}
#define FIELDS_ExportDeclaration {LIST(ExportDeclaration, modifiers), \
    ONE(ExportDeclaration, clause), ONE(ExportDeclaration, module), \
    ONE(ExportDeclaration, attributes)}
#define FIELDS_ImportAttributes {LIST(ImportAttributes, list)}
#define FIELDS_ImportAttribute {ONE(ImportAttribute, name), ONE(ImportAttribute, value)}
#define FIELDS_PropertyAssignment {LIST(PropertyAssignment, modifiers), \
    ONE(PropertyAssignment, name), ONE(PropertyAssignment, initializer)}
#define FIELDS_SourceFile {LIST(SourceFile, statements)}

static const Field fields_of[NODE_KIND_COUNT][fields_max + 1] = {
#define X(kind, type, name) [NODE_##kind] = FIELDS_##type,
    NODE_KINDS(X)
#undef X
};

/* In the text the type of `<type>expression` and the statement of `do` come first. */
static const Field fields_of_type_assertion[] = {ONE(Assertion, type), ONE(Assertion, expression),
                                                 {0}};
static const Field fields_of_do[] = {ONE(Loop, statement), ONE(Loop, expression), {0}};

static const char *const kind_names[NODE_KIND_COUNT] = {
    [NODE_NONE] = "",
#define X(kind, type, name) [NODE_##kind] = name,
    NODE_KINDS(X)
#undef X
};

static const uint16_t kind_bytes[NODE_KIND_COUNT] = {
#define X(kind, type, name) [NODE_##kind] = sizeof(type),
    NODE_KINDS(X)
#undef X
};
/* clang-format on */

const char *node_kind_name(NodeKind kind)
{
    return kind_names[kind];
}

size_t node_kind_bytes(NodeKind kind)
{
    return kind_bytes[kind];
}

bool tree_each_child(const Node *node, NodeVisitor visit, void *context)
{
    const Field *field = fields_of[node->kind];

    if (node->kind == NODE_TYPE_ASSERTION)
        field = fields_of_type_assertion;
    else if (node->kind == NODE_DO_STATEMENT)
        field = fields_of_do;
    for (; field->offset != 0; field++) {
        void *child;
        memcpy(&child, (const char *)node + field->offset, sizeof(child));
        if (!child)
            continue;
        if (!field->is_list) {
            if (!visit(child, context))
                return false;
            continue;
        }
        const NodeList *list = child;
        for (uint32_t i = 0; i < list->count; i++) {
            if (!visit(list->at[i], context))
                return false;
        }
    }
    return true;
}

/* ---- walking all of it, with a stack of our own ---- */

typedef struct Step {
    Node *node;
    uint32_t height;
} Step;

typedef struct Walk {
    Arena *arena;
    Step *steps;
    uint32_t count;
    uint32_t capacity;
    Step now;
} Walk;

static bool push(Node *node, void *context)
{
    Walk *walk = context;

    if (walk->count == walk->capacity) {
        uint32_t capacity = walk->capacity * 2 + 256;
        Step *steps = arena_grow(walk->arena, walk->steps, walk->count * sizeof(Step),
                                 capacity * sizeof(Step));
        if (!steps)
            return false;
        walk->steps = steps;
        walk->capacity = capacity;
    }
    walk->steps[walk->count++] = (Step){node, walk->now.height + 1};
    return true;
}

uint32_t tree_height(const Node *root, Arena *arena)
{
    Walk walk = {.arena = arena, .now = {(Node *)(uintptr_t)root, 1}};
    uint32_t height = 1;

    for (;;) {
        if (!tree_each_child(walk.now.node, push, &walk))
            return 0;
        if (walk.now.height > height)
            height = walk.now.height;
        if (walk.count == 0)
            return height;
        walk.now = walk.steps[--walk.count];
    }
}

NodeList *node_modifiers(const Node *node)
{
    switch (node->kind) {
    case NODE_PARAMETER:
        return as_parameter(node)->modifiers;
    case NODE_PROPERTY_SIGNATURE:
    case NODE_PROPERTY_DECLARATION:
        return as_property(node)->modifiers;
    case NODE_METHOD_SIGNATURE:
    case NODE_METHOD_DECLARATION:
    case NODE_CLASS_STATIC_BLOCK:
    case NODE_CONSTRUCTOR:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
    case NODE_INDEX_SIGNATURE:
    case NODE_FUNCTION_DECLARATION:
        return as_function(node)->modifiers;
    case NODE_VARIABLE_STATEMENT:
        return as_variable_statement(node)->modifiers;
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
        return as_class(node)->modifiers;
    case NODE_TYPE_ALIAS_DECLARATION:
        return as_type_alias(node)->modifiers;
    case NODE_ENUM_DECLARATION:
        return as_enum_declaration(node)->modifiers;
    case NODE_MODULE_DECLARATION:
        return as_module_declaration(node)->modifiers;
    case NODE_PROPERTY_ASSIGNMENT:
    case NODE_SHORTHAND_PROPERTY_ASSIGNMENT:
        return as_property_assignment(node)->modifiers;
    default:
        return NULL;
    }
}
