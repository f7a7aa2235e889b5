/* What has members, and the types of the language's own library. */
#include <string.h>

#include "make.h"

/* ---- members ---- */

static ShapeProperty *find(const Members *members, const char *name, size_t length)
{
    for (uint32_t i = 0; i < members->count; i++) {
        ShapeProperty *property = &members->properties[i];
        if (property->length == length && memcmp(property->name, name, length) == 0)
            return property;
    }
    return NULL;
}

void members_add(Maker *maker, Members *members, const ShapeProperty *property)
{
    if (members->unknown || find(members, property->name, property->length))
        return;
    if (!members->properties)
        members->properties = ARENA_ARRAY(maker->arena, ShapeProperty, 8);
    else if (members->count >= 8 && (members->count & (members->count - 1)) == 0)
        members->properties =
            arena_grow(maker->arena, members->properties, members->count * sizeof *property,
                       2 * members->count * sizeof *property);
    members->unknown =
        !members->properties || members->count == PROPERTIES_MAX || maker->shapes > SHAPES_MAX;
    if (!members->unknown)
        members->properties[members->count++] = *property;
}

static bool is_function(const Node *type)
{
    while (type && type->kind == NODE_PARENTHESIZED_TYPE)
        type = as_unary(type)->expression;
    return type && (type->kind == NODE_FUNCTION_TYPE || type->kind == NODE_CONSTRUCTOR_TYPE);
}

/* [key: string]: type; keys of other kinds do not concern what is named otherwise */
static void read_index(Maker *maker, Members *members, const FunctionLike *index, View view)
{
    const NodeList *parameters = index->parameters;
    const Node *key =
        parameters && parameters->count == 1 && parameters->at[0]->kind == NODE_PARAMETER
            ? as_parameter(parameters->at[0])->type
            : NULL;

    if (key && key->kind == NODE_KEYWORD_TYPE && as_keyword_type(key)->token == TOKEN_STRING)
        members->index = make_later(maker, (View){index->type, view.space, view.env});
}

static void read_member(Maker *maker, Members *members, const Node *node, View view)
{
    ShapeProperty property = {.shape = &shape_any, .optional = true};
    const Node *name_node = NULL, *type = NULL;
    const Name *name;

    switch (node->kind) {
    case NODE_PROPERTY_SIGNATURE:
        name_node = as_property(node)->name;
        type = as_property(node)->type;
        property.optional = as_property(node)->question || is_function(type);
        break;
    case NODE_GET_ACCESSOR:
        name_node = as_function(node)->name;
        type = as_function(node)->type;
        property.optional = false;
        break;
    case NODE_SET_ACCESSOR:
        return;
    case NODE_METHOD_SIGNATURE:
        name_node = as_function(node)->name;
        break;
    case NODE_INDEX_SIGNATURE:
        read_index(maker, members, as_function(node), view);
        return;
    default: /* it can be called: no value that crosses can */
        members->unknown = true;
        return;
    }
    name = name_text(name_node);
    if (!name)
        return;
    property.name = arena_text(maker->arena, name->text, name->length);
    property.length = name->length;
    if (type && !is_function(type))
        property.shape = make_later(maker, (View){type, view.space, view.env});
    members->unknown = members->unknown || !property.name;
    members_add(maker, members, &property);
}

void members_read(Maker *maker, Members *members, const NodeList *list, View view)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        read_member(maker, members, list->at[i], view);
}

const Shape *make_object(Maker *maker, const Members *members)
{
    ObjectShape *object = ARENA_NEW(maker->arena, ObjectShape);
    Shape *shape = object ? make_new(maker, SHAPE_OBJECT) : NULL;

    if (!shape || members->unknown)
        return &shape_any;
    *object = (ObjectShape){
        .count = members->count, .index = members->index, .properties = members->properties};
    shape->object = object;
    return shape;
}

static void take_members(Maker *maker, Members *members, const Shape *shape, unsigned depth)
{
    shape = shape_follow(shape);
    if (shape->kind == SHAPE_OBJECT) {
        for (uint32_t i = 0; i < shape->object->count; i++)
            members_add(maker, members, &shape->object->properties[i]);
        if (shape->object->index)
            members->index = shape->object->index;
    } else if (shape->kind == SHAPE_ALL && depth < 8) {
        for (uint32_t i = 0; i < shape->list->count; i++)
            take_members(maker, members, shape->list->items[i], depth + 1);
    } else {
        members->unknown = true;
    }
}

Members members_of(Maker *maker, const Shape *shape)
{
    Members members = {0};

    take_members(maker, &members, shape, 0);
    return members;
}

/* ---- names as types ---- */

/* A set of names: one literal, or several. False if it is anything else. */
static bool names_of(const Shape *shape, const Shape *const **out_items, uint32_t *out_count,
                     const Shape **single)
{
    shape = shape_follow(shape);
    *single = shape;
    *out_items = shape->kind == SHAPE_UNION ? shape->list->items : single;
    *out_count = shape->kind == SHAPE_UNION ? shape->list->count : 1;
    for (uint32_t i = 0; i < *out_count; i++) {
        if ((*out_items)[i]->kind != SHAPE_TEXT)
            return false;
    }
    return true;
}

const Shape *make_keys(Maker *maker, const Shape *shape)
{
    Members members = members_of(maker, shape);
    const Shape **items = ARENA_ARRAY(maker->scratch, const Shape *, members.count + 1);

    if (members.unknown || members.index || !items)
        return &shape_any;
    for (uint32_t i = 0; i < members.count; i++)
        items[i] = make_text(maker, members.properties[i].name, members.properties[i].length);
    return make_union(maker, items, members.count);
}

static const Shape *optional(Maker *maker, const Shape *shape)
{
    const Shape *const both[] = {shape, &shape_undefined};

    return make_union(maker, both, 2);
}

const Shape *make_indexed(Maker *maker, const Shape *object, const Shape *index)
{
    const Shape *const *names, *single, **found;
    Members members;
    uint32_t count;

    object = shape_follow(object);
    if (object->kind == SHAPE_ARRAY && shape_follow(index)->kind == SHAPE_KINDS)
        return object->target;
    if (object->kind == SHAPE_TUPLE && !object->tuple->rest)
        return make_union(maker, object->tuple->items, object->tuple->count);
    members = members_of(maker, object);
    if (members.unknown || !names_of(index, &names, &count, &single))
        return &shape_any;
    found = ARENA_ARRAY(maker->scratch, const Shape *, count + 1);
    for (uint32_t i = 0; found && i < count; i++) {
        const ShapeProperty *property = find(&members, names[i]->text, names[i]->length);
        found[i] = !property            ? (members.index ? members.index : &shape_any)
                   : property->optional ? optional(maker, property->shape)
                                        : property->shape;
    }
    return found ? make_union(maker, found, count) : &shape_any;
}

/* ---- mapped types ---- */

const Shape *make_mapped(Maker *maker, const MappedType *mapped, View view)
{
    const TypeParameter *parameter = as_type_parameter(mapped->parameter);
    const Node *constraint = parameter->constraint;
    bool of_keys = constraint && constraint->kind == NODE_TYPE_OPERATOR &&
                   as_type_operator(constraint)->token == TOKEN_KEYOF;
    Members members = {0}, source = {0};
    const Shape *keys = make_shape(maker, (View){constraint, view.space, view.env});
    const Shape *const *names, *single;
    uint32_t count;

    if (mapped->name_type || !names_of(keys, &names, &count, &single))
        return &shape_any;
    if (of_keys)
        source = members_of(maker, make_shape(maker, (View){as_type_operator(constraint)->type,
                                                            view.space, view.env}));
    for (uint32_t i = 0; i < count; i++) {
        const ShapeProperty *from = find(&source, names[i]->text, names[i]->length);
        ShapeProperty property = {.name = names[i]->text, .length = names[i]->length};
        Env *env = ARENA_NEW(maker->scratch, Env);
        if (!env)
            return &shape_any;
        *env = (Env){view.env, name_text(parameter->name), names[i]};
        property.optional = mapped->question_token == TOKEN_MINUS
                                ? false
                                : mapped->question_token || (from && from->optional);
        property.shape = make_later(maker, (View){mapped->type, view.space, env});
        members_add(maker, &members, &property);
    }
    return make_object(maker, &members);
}

/* ---- the library ---- */

static const Shape *make_pair(Maker *maker, ShapeKind kind, const Shape *key, const Shape *value)
{
    Shape *shape = make_new(maker, kind);

    if (!shape)
        return &shape_any;
    shape->pair[0] = key;
    shape->pair[1] = value;
    return shape;
}

static const Shape *make_record(Maker *maker, const Shape *key, const Shape *value)
{
    Members members = {0};
    const Shape *const *names, *single;
    uint32_t count = 0;

    key = shape_follow(key);
    if (key->kind == SHAPE_KINDS && key->kinds & kind_bit(TN_TYPE_TEXT))
        members.index = value;
    else if (!names_of(key, &names, &count, &single))
        return &shape_any;
    for (uint32_t i = 0; !members.index && i < count; i++) {
        ShapeProperty property = {
            .name = names[i]->text, .length = names[i]->length, .shape = value};
        members_add(maker, &members, &property);
    }
    return make_object(maker, &members);
}

/* Partial, Required: the same members, each optional or none. */
static const Shape *make_optional(Maker *maker, const Shape *shape, bool is_optional)
{
    Members members = members_of(maker, shape);

    for (uint32_t i = 0; i < members.count; i++) {
        /* what cannot cross is asked of nobody */
        if (is_optional || shape_follow(members.properties[i].shape)->kind != SHAPE_ANY ||
            members.properties[i].shape->pending)
            members.properties[i].optional = is_optional;
    }
    return make_object(maker, &members);
}

/* Pick (`kept`), Omit */
static const Shape *make_some(Maker *maker, const Shape *shape, const Shape *keys, bool kept)
{
    Members members = members_of(maker, shape), some = {0};
    const Shape *const *names, *single;
    uint32_t count;

    if (members.unknown || (members.index && !kept) || !names_of(keys, &names, &count, &single))
        return &shape_any;
    for (uint32_t i = 0; i < members.count; i++) {
        const ShapeProperty *property = &members.properties[i];
        bool named = false;
        for (uint32_t j = 0; j < count && !named; j++)
            named = names[j]->length == property->length &&
                    memcmp(names[j]->text, property->name, property->length) == 0;
        if (named == kept)
            members_add(maker, &some, property);
    }
    return make_object(maker, &some);
}

/* NonNullable, Exclude: of alternatives those that stay. */
static const Shape *make_without(Maker *maker, const Shape *shape, const Shape *gone)
{
    uint32_t nothing = kind_bit(TN_TYPE_NULL) | kind_bit(TN_TYPE_UNDEFINED), count = 0;
    const Shape *const *names, *single, **stay;

    shape = shape_follow(shape);
    if (!gone && shape->kind == SHAPE_KINDS)
        return make_kinds(maker, shape->kinds & ~nothing);
    if (shape->kind != SHAPE_UNION ||
        !(stay = ARENA_ARRAY(maker->scratch, const Shape *, shape->list->count)))
        return shape;
    for (uint32_t i = 0; i < shape->list->count; i++) {
        const Shape *item = shape->list->items[i];
        uint32_t named = 0;
        bool out = false;
        if (!gone && item->kind == SHAPE_KINDS)
            item = make_kinds(maker, item->kinds & ~nothing);
        if (gone && item->kind == SHAPE_TEXT && names_of(gone, &names, &named, &single)) {
            for (uint32_t j = 0; j < named; j++)
                out = out || (names[j]->length == item->length &&
                              memcmp(names[j]->text, item->text, item->length) == 0);
        }
        if (!out)
            stay[count++] = item;
    }
    return make_union(maker, stay, count);
}

static const Shape *make_view(Maker *maker, const Name *name)
{
    const TypedArray *array = typed_array_of_name(name->text, name->length);
    Shape *shape;

    if (!array)
        return NULL;
    if (array->tag == CBOR_TAG_ARRAY_BUFFER)
        return make_kinds(maker, kind_bit(TN_TYPE_BYTES));
    shape = make_new(maker, SHAPE_BYTES);
    if (!shape)
        return &shape_any;
    shape->tag = array->tag;
    return shape;
}

typedef enum Own {
    OWN_ANY,
    OWN_TEXT,
    OWN_DATE,
    OWN_REGEXP,
    OWN_ERROR,
    OWN_VIEW,
    OWN_ARRAY,
    OWN_MAP,
    OWN_SET,
    OWN_SAME,
    OWN_PARTIAL,
    OWN_REQUIRED,
    OWN_PICK,
    OWN_OMIT,
    OWN_RECORD,
    OWN_NON_NULL,
    OWN_EXCLUDE
} Own;

/* The names that somebody who says `declare` without them must not be surprised by. */
static const struct {
    const char *name;
    uint8_t own;
} library[] = {{"Date", OWN_DATE},
               {"RegExp", OWN_REGEXP},
               {"Error", OWN_ERROR},
               {"TypeError", OWN_ERROR},
               {"RangeError", OWN_ERROR},
               {"SyntaxError", OWN_ERROR},
               {"ArrayBufferLike", OWN_VIEW},
               {"ArrayBufferView", OWN_VIEW},
               {"BufferSource", OWN_VIEW},
               {"Array", OWN_ARRAY},
               {"ReadonlyArray", OWN_ARRAY},
               {"Map", OWN_MAP},
               {"ReadonlyMap", OWN_MAP},
               {"Set", OWN_SET},
               {"ReadonlySet", OWN_SET},
               {"Readonly", OWN_SAME},
               {"NoInfer", OWN_SAME},
               {"Extract", OWN_SAME},
               {"Partial", OWN_PARTIAL},
               {"Required", OWN_REQUIRED},
               {"Pick", OWN_PICK},
               {"Omit", OWN_OMIT},
               {"Record", OWN_RECORD},
               {"NonNullable", OWN_NON_NULL},
               {"Exclude", OWN_EXCLUDE},
               {"Uppercase", OWN_TEXT},
               {"Lowercase", OWN_TEXT},
               {"Capitalize", OWN_TEXT},
               {"Uncapitalize", OWN_TEXT},
               {"Promise", OWN_ANY},
               {"Function", OWN_ANY},
               {"Object", OWN_ANY},
               {"String", OWN_ANY},
               {"Number", OWN_ANY},
               {"Boolean", OWN_ANY},
               {"Iterable", OWN_ANY}};

static const Shape *make_own(Maker *maker, Own own, const Shape *one, const Shape *two)
{
    switch (own) {
    case OWN_TEXT:
        return make_kinds(maker, kind_bit(TN_TYPE_TEXT));
    case OWN_DATE:
        return make_kinds(maker, kind_bit(TN_TYPE_DATE));
    case OWN_REGEXP:
        return make_kinds(maker, kind_bit(TN_TYPE_REGEXP));
    case OWN_ERROR: /* an object with a name and a message is one, for TypeScript */
        return make_kinds(maker, kind_bit(TN_TYPE_ERROR) | kind_bit(TN_TYPE_OBJECT));
    case OWN_VIEW:
        return make_kinds(maker, kind_bit(TN_TYPE_BYTES));
    case OWN_ARRAY:
        return make_pair(maker, SHAPE_ARRAY, one, NULL);
    case OWN_MAP:
        return make_pair(maker, SHAPE_MAP, one, two);
    case OWN_SET:
        return make_pair(maker, SHAPE_SET, one, NULL);
    case OWN_SAME:
        return one;
    case OWN_PARTIAL:
    case OWN_REQUIRED:
        return make_optional(maker, one, own == OWN_PARTIAL);
    case OWN_PICK:
    case OWN_OMIT:
        return make_some(maker, one, two, own == OWN_PICK);
    case OWN_RECORD:
        return make_record(maker, one, two);
    case OWN_NON_NULL:
        return make_without(maker, one, NULL);
    case OWN_EXCLUDE:
        return make_without(maker, one, two);
    default:
        return &shape_any;
    }
}

const Shape *make_library(Maker *maker, const Name *name, const Shape **arguments, uint32_t count)
{
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        if (strcmp(library[i].name, name->text) == 0)
            return make_own(maker, (Own)library[i].own, count > 0 ? arguments[0] : &shape_any,
                            count > 1 ? arguments[1] : &shape_any);
    }
    return make_view(maker, name);
}
