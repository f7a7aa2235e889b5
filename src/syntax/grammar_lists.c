#include "grammar.h"

#include <string.h>

#include "eraser.h"
#include "number.h"

/* ---- parameters and type lists ---- */

static void check_trailing_comma(Grammar *g, const NodeList *list, unsigned code)
{
    if (list->trailing)
        grammar_wrong(g, code, list->trailing, list->trailing + 1);
}

/* The rest comes last; what is required comes before what is optional. */
void check_parameters(Grammar *g, const NodeList *parameters)
{
    bool optional = false;

    if (!parameters)
        return;
    for (uint32_t i = 0; i < parameters->count; i++) {
        const Parameter *parameter = as_parameter(parameters->at[i]);
        const Node *name = parameter->name;
        if (parameter->rest) {
            if (i + 1 != parameters->count) {
                grammar_wrong(g, 1014, parameter->rest, parameter->rest + 3);
                return;
            }
            if (!(parameter->node.flags & NODE_FLAG_AMBIENT))
                check_trailing_comma(g, parameters, 1013);
            if (parameter->question)
                grammar_wrong(g, 1047, parameter->question, parameter->question + 1);
            else if (parameter->initializer)
                grammar_wrong_node(g, 1048, name);
        } else if (parameter->question) {
            optional = true;
            if (parameter->initializer)
                grammar_wrong_node(g, 1015, name);
        } else if (optional && !parameter->initializer && name) {
            grammar_wrong_node(g, 1016, name);
            return;
        }
    }
}

/* `<>`: if there are brackets, something stands in them. */
void check_type_list(Grammar *g, const NodeList *list, unsigned code_empty)
{
    if (list && list->count == 0)
        grammar_wrong(g, code_empty, list->start, list->end);
    else if (list && code_empty == 1099)
        check_trailing_comma(g, list, 1009);
}

/* ---- variables ---- */

void check_variables(Grammar *g, const Nest *nest)
{
    const VariableDeclarationList *variables = as_variable_declaration_list(nest->node);

    if (variables->list->trailing)
        check_trailing_comma(g, variables->list, 1009);
    else if (variables->list->count == 0)
        grammar_wrong(g, 1123, variables->list->start, variables->list->end);
}

static bool is_pattern(const Node *name)
{
    return name->kind == NODE_OBJECT_BINDING_PATTERN || name->kind == NODE_ARRAY_BINDING_PATTERN;
}

static void check_let_name(Grammar *g, const Node *name)
{
    if (name->kind == NODE_IDENTIFIER) {
        if (as_identifier(name)->name->word == TOKEN_LET)
            grammar_wrong_node(g, 2480, name);
        return;
    }
    const NodeList *list = as_list(name)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind == NODE_BINDING_ELEMENT)
            check_let_name(g, as_binding_element(list->at[i])->name);
    }
}

/* Constants and patterns need a value at once. */
static unsigned missing_value(const VariableDeclaration *variable, VariableKind kind)
{
    if (variable->initializer || (variable->node.flags & NODE_FLAG_AMBIENT))
        return 0;
    if (is_pattern(variable->name))
        return 1182;
    return kind >= VARIABLE_CONST ? 1155 : 0;
}

void check_variable(Grammar *g, const Nest *nest)
{
    static const Token words[] = {TOKEN_VAR, TOKEN_LET, TOKEN_CONST, TOKEN_USING, TOKEN_USING};
    const VariableDeclaration *variable = as_variable_declaration(nest->node);

    if (kind_around(nest) != NODE_VARIABLE_DECLARATION_LIST) /* of a catch clause */
        return;
    VariableKind kind = (VariableKind)as_variable_declaration_list(nest->outer->node)->variable;
    NodeKind statement = kind_around(nest->outer);
    unsigned code = 0;
    if (statement != NODE_FOR_IN_STATEMENT && statement != NODE_FOR_OF_STATEMENT) {
        code = missing_value(variable, kind);
        if (variable->node.flags & NODE_FLAG_AMBIENT)
            check_ambient_value(g, variable->initializer, kind >= VARIABLE_CONST, variable->type);
    }
    if (code != 0)
        grammar_wrong_token(g, code, variable->name->start, variable->name->end, words[kind]);
    else if (variable->exclamation && variable->initializer)
        grammar_wrong(g, 1263, variable->exclamation, variable->exclamation + 1);
    else if (variable->exclamation && !variable->type)
        grammar_wrong(g, 1264, variable->exclamation, variable->exclamation + 1);
    else if (kind != VARIABLE_VAR)
        check_let_name(g, variable->name);
}

/* for (x in y), for (x of y): one variable, without a value or a type */
void check_for_each(Grammar *g, const Nest *nest)
{
    const ForEach *each = as_for_each(nest->node);
    bool in = nest->node->kind == NODE_FOR_IN_STATEMENT;

    if (each->initializer && !in)
        check_each_target(g, nest->node);
    if (!each->initializer || each->initializer->kind != NODE_VARIABLE_DECLARATION_LIST)
        return;
    const NodeList *list = as_variable_declaration_list(each->initializer)->list;
    if (list->count == 0 || list->trailing)
        return;
    const VariableDeclaration *first = as_variable_declaration(list->at[0]);
    if (list->count > 1) {
        const Node *second = as_variable_declaration(list->at[1])->name;
        bool pattern = is_pattern(second);
        grammar_wrong(g, in ? 1091 : 1188, second->start,
                      pattern ? second->start + 1 : second->end);
    } else if (first->initializer) {
        grammar_wrong_node(g, in ? 1189 : 1190, first->name);
    } else if (first->type) {
        grammar_wrong_node(g, in ? 2404 : 2483, first->name);
    }
}

void check_catch(Grammar *g, const Nest *nest)
{
    const Node *node = as_catch_clause(nest->node)->variable;

    if (!node)
        return;
    const VariableDeclaration *variable = as_variable_declaration(node);
    const Node *type = variable->type;
    if (type) {
        Token token =
            type->kind == NODE_KEYWORD_TYPE ? (Token)as_keyword_type(type)->token : TOKEN_NONE;
        if (token != TOKEN_ANY && token != TOKEN_UNKNOWN && type->kind != NODE_TYPE_REFERENCE)
            grammar_wrong_node(g, 1196, type);
    } else if (variable->initializer) {
        grammar_wrong_node(g, 1197, variable->initializer);
    }
}

/* A rest, the last in a pattern, has no comma behind it. */
void check_binding_pattern(Grammar *g, const NodeList *list)
{
    const Node *last = list->count > 0 ? list->at[list->count - 1] : NULL;

    if (last && last->kind == NODE_BINDING_ELEMENT && as_binding_element(last)->rest)
        check_trailing_comma(g, list, 1013);
}

/* `name!: type` in a class: only of a property that has a type, no value, and is its object's. */
void check_property(Grammar *g, const Nest *nest)
{
    const Property *property = as_property(nest->node);
    uint32_t start = property->exclamation;
    uint32_t modifiers = modifiers_of(property->modifiers);

    if (nest->node->flags & NODE_FLAG_AMBIENT)
        check_ambient_value(g, property->initializer, modifiers & MODIFIER_READONLY,
                            property->type);
    else if (property->initializer && (modifiers & MODIFIER_ABSTRACT))
        grammar_wrong_node(g, 1267, property->name);
    if (start == 0)
        return;
    if (property->initializer)
        grammar_wrong(g, 1263, start, start + 1);
    else if (!property->type)
        grammar_wrong(g, 1264, start, start + 1);
    else if ((nest->node->flags & NODE_FLAG_AMBIENT) ||
             (modifiers & (MODIFIER_STATIC | MODIFIER_ABSTRACT)))
        grammar_wrong(g, 1255, start, start + 1);
}

/* ---- objects ---- */

/* Does the object stand where it takes a value apart, rather than makes one? */
static bool is_assigned_to(const Nest *nest)
{
    for (; nest->outer; nest = nest->outer) {
        const Node *node = nest->node;
        const Node *around = nest->outer->node;
        switch (around->kind) {
        case NODE_BINARY_EXPRESSION:
            return as_binary(around)->token == TOKEN_EQUALS && as_binary(around)->left == node;
        case NODE_FOR_IN_STATEMENT:
        case NODE_FOR_OF_STATEMENT:
            return as_for_each(around)->initializer == node;
        case NODE_PROPERTY_ASSIGNMENT:
            if (as_property_assignment(around)->initializer != node)
                return false;
            break;
        case NODE_PARENTHESIZED_EXPRESSION:
        case NODE_NON_NULL_EXPRESSION:
        case NODE_ARRAY_LITERAL:
        case NODE_OBJECT_LITERAL:
        case NODE_SPREAD_ELEMENT:
        case NODE_SPREAD_ASSIGNMENT:
            break;
        default:
            return false;
        }
    }
    return false;
}

/* A number as it is written when it is made a text: 0x10 and 16.0 are the same name. */
static const Name *number_name(Grammar *g, const Node *node)
{
    char text[NUMBER_TEXT_MAX];
    double value = literal_value(as_literal(node)->text);

    if (!g->names.places)
        names_init(&g->names, g->complaints.arena);
    return names_get(&g->names, text, number_text(value, text));
}

/* The name that a member is known by; NULL if it is computed. */
static const Name *member_name(Grammar *g, const Node *name)
{
    if (name->kind == NODE_COMPUTED_PROPERTY_NAME) {
        name = as_unary(name)->expression;
        if (name->kind == NODE_IDENTIFIER)
            return NULL;
    }
    switch (name->kind) {
    case NODE_IDENTIFIER:
        return as_identifier(name)->name;
    case NODE_NUMERIC_LITERAL:
        return number_name(g, name);
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
        return as_literal(name)->text;
    default:
        return NULL;
    }
}

enum { IS_GETTER = 1, IS_SETTER = 2, IS_PROPERTY = 4, IS_METHOD = 8 };

static unsigned member_kind(const Node *member)
{
    switch (member->kind) {
    case NODE_METHOD_DECLARATION:
        return IS_METHOD;
    case NODE_GET_ACCESSOR:
        return IS_GETTER;
    case NODE_SET_ACCESSOR:
        return IS_SETTER;
    default:
        return IS_PROPERTY;
    }
}

/* What is wrong with two members of the same name; 0 for a getter and a setter. */
static unsigned wrong_pair(unsigned before, unsigned now)
{
    if (before & now & IS_METHOD)
        return 2300;
    if (before & now & IS_PROPERTY)
        return 1117;
    if ((before | now) & (IS_PROPERTY | IS_METHOD))
        return 1119;
    return before & now ? 1118 : 0;
}

/* Names seen in one object, by an open table. */
typedef struct Seen {
    const Name *name;
    unsigned kinds;
} Seen;

static bool is_same(const Name *a, const Name *b)
{
    return a->hash == b->hash && a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void check_names(Grammar *g, const NodeList *members)
{
    uint32_t mask = 15;

    while (mask < members->count * 2)
        mask = mask * 2 + 1;
    Seen *seen = ARENA_ARRAY(g->complaints.arena, Seen, (size_t)mask + 1);
    for (uint32_t i = 0; seen && i < members->count; i++) {
        const Node *member = members->at[i];
        if (member->kind == NODE_SPREAD_ASSIGNMENT)
            continue;
        const Node *node = member_kind(member) == IS_PROPERTY ? as_property_assignment(member)->name
                                                              : as_function(member)->name;
        const Name *name = member_name(g, node);
        if (node->kind == NODE_BIGINT_LITERAL)
            grammar_wrong_node(g, 1539, node);
        if (!name)
            continue;
        uint32_t place = name->hash & mask;
        while (seen[place].name && !is_same(seen[place].name, name))
            place = (place + 1) & mask;
        unsigned kind = member_kind(member);
        unsigned code = seen[place].name ? wrong_pair(seen[place].kinds, kind) : 0;
        if (code != 0)
            grammar_wrong_node(g, code, node);
        if (code == 1118 || code == 1119)
            return;
        if (code == 0)
            seen[place] = (Seen){name, seen[place].kinds | kind};
    }
}

void check_object(Grammar *g, const Nest *nest)
{
    const NodeList *members = as_list(nest->node)->list;
    bool assigned = is_assigned_to(nest);

    for (uint32_t i = 0; i < members->count; i++) {
        const Node *member = members->at[i];
        if (member->kind == NODE_METHOD_DECLARATION) {
            const FunctionLike *method = as_function(member);
            if (method->question)
                grammar_wrong(g, 1162, method->question, method->question + 1);
            else if (method->exclamation)
                grammar_wrong(g, 1255, method->exclamation, method->exclamation + 1);
            continue;
        }
        if (member_kind(member) != IS_PROPERTY || member->kind == NODE_SPREAD_ASSIGNMENT)
            continue;
        const PropertyAssignment *property = as_property_assignment(member);
        if (!assigned && property->equals)
            grammar_wrong(g, 1312, property->equals, property->equals + 1);
        if (property->name->kind == NODE_PRIVATE_IDENTIFIER)
            grammar_wrong_node(g, 18016, property->name);
        if (property->question)
            grammar_wrong(g, 1162, property->question, property->question + 1);
        else if (property->exclamation)
            grammar_wrong(g, 1255, property->exclamation, property->exclamation + 1);
    }
    if (!assigned)
        check_names(g, members);
}

void check_accessor(Grammar *g, const Nest *nest)
{
    const FunctionLike *accessor = as_function(nest->node);
    bool getter = nest->node->kind == NODE_GET_ACCESSOR;
    NodeKind around = kind_around(nest);
    bool in_type = around == NODE_TYPE_LITERAL || around == NODE_INTERFACE_DECLARATION;
    const Node *name = accessor->name;
    uint32_t count = accessor->parameters->count;

    if (!accessor->body && !in_type && !(nest->node->flags & NODE_FLAG_AMBIENT) &&
        !(modifiers_of(accessor->modifiers) & (MODIFIER_ABSTRACT | MODIFIER_DECLARE))) {
        grammar_wrong_token(g, 1005, nest->node->end - 1, nest->node->end, TOKEN_OPEN_BRACE);
    } else if (accessor->type_parameters) {
        grammar_wrong_node(g, 1094, name);
    } else if (count != (getter ? 0 : 1)) {
        const Node *first = count > 0 ? as_parameter(accessor->parameters->at[0])->name : NULL;
        if (!first || first->kind != NODE_IDENTIFIER ||
            as_identifier(first)->name->word != TOKEN_THIS || count != (getter ? 1 : 2))
            grammar_wrong_node(g, getter ? 1054 : 1049, name);
    } else if (!getter) {
        const Parameter *parameter = as_parameter(accessor->parameters->at[0]);
        if (accessor->type)
            grammar_wrong_node(g, 1095, name);
        else if (parameter->rest)
            grammar_wrong(g, 1053, parameter->rest, parameter->rest + 3);
        else if (parameter->question)
            grammar_wrong(g, 1051, parameter->question, parameter->question + 1);
        else if (parameter->initializer)
            grammar_wrong_node(g, 1052, name);
    }
}

/* ---- switch, classes ---- */

void check_switch(Grammar *g, const Nest *nest)
{
    const NodeList *clauses = as_list(as_switch_statement(nest->node)->block)->list;
    bool seen = false;

    for (uint32_t i = 0; i < clauses->count; i++) {
        const Node *clause = clauses->at[i];
        if (clause->kind != NODE_DEFAULT_CLAUSE)
            continue;
        if (seen) {
            const NodeList *statements = as_case_clause(clause)->statements;
            uint32_t end = statements->count > 0 ? statements->at[0]->full_start : clause->end;
            grammar_wrong(g, 1113, clause->start, end);
            return;
        }
        seen = true;
    }
}

static void check_clause(Grammar *g, const HeritageClause *clause)
{
    if (clause->types->count == 0)
        grammar_wrong_token(g, 1097, clause->node.end, clause->node.end, (Token)clause->token);
    else
        check_trailing_comma(g, clause->types, 1009);
}

static uint32_t word_end(const HeritageClause *clause)
{
    return clause->node.start + (uint32_t)strlen(token_text((Token)clause->token));
}

/* One `extends`, then one `implements`; an interface only extends. */
void check_heritage(Grammar *g, const Nest *nest)
{
    const NodeList *heritage = as_class(nest->node)->heritage;
    bool is_interface = nest->node->kind == NODE_INTERFACE_DECLARATION;
    bool extends = false;
    bool implements = false;

    for (uint32_t i = 0; heritage && i < heritage->count; i++) {
        const HeritageClause *clause = as_heritage_clause(heritage->at[i]);
        unsigned code = 0;
        if (clause->token == TOKEN_EXTENDS) {
            code = extends ? 1172 : implements && !is_interface ? 1173 : 0;
            extends = true;
        } else {
            code = is_interface ? 1176 : implements ? 1175 : 0;
            implements = true;
        }
        if (code != 0) {
            grammar_wrong(g, code, clause->node.start, word_end(clause));
            return;
        }
        if (clause->token == TOKEN_EXTENDS && !is_interface && clause->types->count > 1) {
            const Node *second = clause->types->at[1];
            grammar_wrong_node(g, 1174, second);
            return;
        }
        check_clause(g, clause);
    }
}
