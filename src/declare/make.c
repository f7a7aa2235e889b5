#include "make.h"

#include <string.h>

#include "number.h"

const Shape shape_any = {0};
const Shape shape_undefined = {.kind = SHAPE_KINDS, .kinds = 1u << TN_TYPE_UNDEFINED};

Shape *make_new(Maker *maker, ShapeKind kind)
{
    Shape *shape = maker->shapes++ < SHAPES_MAX ? ARENA_NEW(maker->arena, Shape) : NULL;

    if (shape)
        shape->kind = (uint8_t)kind;
    return shape;
}

const Shape *make_kinds(Maker *maker, uint32_t kinds)
{
    Shape *shape = make_new(maker, SHAPE_KINDS);

    if (!shape)
        return &shape_any;
    shape->kinds = kinds;
    return shape;
}

const Shape *make_text(Maker *maker, const char *text, size_t length)
{
    Shape *shape = make_new(maker, SHAPE_TEXT);

    if (!shape)
        return &shape_any;
    shape->text = arena_text(maker->arena, text, length);
    shape->length = (uint32_t)length;
    return shape->text ? shape : &shape_any;
}

const Shape *make_later(Maker *maker, View view)
{
    Shape *shape = make_new(maker, SHAPE_ANY);
    Later *later = shape ? ARENA_NEW(maker->scratch, Later) : NULL;

    if (!later)
        return &shape_any;
    shape->pending = true;
    *later = (Later){.shape = shape, .view = view, .level = maker->level};
    if (maker->later)
        maker->last_later->next = later;
    else
        maker->later = later;
    maker->last_later = later;
    return shape;
}

/* Give a cell its shape. Who points at the cell sees it. */
static void settle(Shape *cell, const Shape *shape)
{
    if (shape == cell || shape->pending)
        *cell = (Shape){.kind = shape == cell ? SHAPE_ANY : SHAPE_LINK, .target = shape};
    else
        *cell = *shape;
}

void make_rest(Maker *maker)
{
    while (maker->later) {
        Later *one = maker->later;
        maker->later = one->next;
        maker->level = one->level;
        settle(one->shape, make_shape(maker, one->view));
    }
    maker->level = 0;
}

/* ---- several types ---- */

static bool is_any(const Shape *shape)
{
    return shape->kind == SHAPE_ANY && !shape->pending;
}

/* Of what kinds only, one entry; unions in it are taken apart. */
static void gather(const Shape *const *items, uint32_t count, ShapeList *list, uint32_t *kinds,
                   bool *any)
{
    for (uint32_t i = 0; i < count; i++) {
        const Shape *item = items[i];
        if (is_any(item))
            *any = true;
        else if (item->kind == SHAPE_KINDS)
            *kinds |= item->kinds;
        else if (item->kind == SHAPE_UNION && list->count + item->list->count <= SHAPES_MAX)
            gather(item->list->items, item->list->count, list, kinds, any);
        else if (list->items)
            list->items[list->count++] = item;
        else
            list->count++;
    }
}

const Shape *make_union(Maker *maker, const Shape *const *items, uint32_t count)
{
    ShapeList measured = {0}, *list = ARENA_NEW(maker->arena, ShapeList);
    uint32_t kinds = 0;
    bool any = false;
    Shape *shape;

    gather(items, count, &measured, &kinds, &any);
    if (any || !list)
        return &shape_any;
    list->items = ARENA_ARRAY(maker->arena, const Shape *, measured.count + 1);
    maker->shapes += measured.count;
    if (!list->items || maker->shapes > SHAPES_MAX)
        return &shape_any;
    if (kinds)
        list->items[list->count++] = make_kinds(maker, kinds);
    gather(items, count, list, &kinds, &any);
    if (list->count == 1)
        return list->items[0];
    shape = make_new(maker, SHAPE_UNION);
    if (!shape)
        return &shape_any;
    shape->list = list;
    return shape;
}

/* Does it fit values that are no objects? `string & { brand: 1 }` is then a string. */
static bool is_primitive(const Shape *shape, unsigned depth)
{
    shape = shape_follow(shape);
    switch (shape->kind) {
    case SHAPE_KINDS:
        return (shape->kinds & ((1u << TN_TYPE_BYTES) - 1)) != 0;
    case SHAPE_TEXT:
    case SHAPE_NUMBER:
    case SHAPE_BOOL:
        return true;
    case SHAPE_UNION:
    case SHAPE_ALL:
        for (uint32_t i = 0; i < shape->list->count && depth < 8; i++) {
            if (is_primitive(shape->list->items[i], depth + 1))
                return true;
        }
        return false;
    default:
        return false;
    }
}

static const Shape *make_intersection(Maker *maker, const Shape *const *items, uint32_t count)
{
    ShapeList *list = ARENA_NEW(maker->arena, ShapeList);
    bool primitive = false;
    Shape *shape;

    if (!list || !(list->items = ARENA_ARRAY(maker->arena, const Shape *, count + 1)))
        return &shape_any;
    for (uint32_t i = 0; i < count; i++)
        primitive = primitive || is_primitive(items[i], 0);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_any(items[i]) && (!primitive || is_primitive(items[i], 0)))
            list->items[list->count++] = items[i];
    }
    if (list->count == 1)
        return list->items[0];
    shape = list->count > 0 ? make_new(maker, SHAPE_ALL) : NULL;
    if (!shape)
        return &shape_any;
    shape->list = list;
    return shape;
}

static const Shape *make_several(Maker *maker, const NodeList *list, View view, bool all)
{
    const Shape **items = ARENA_ARRAY(maker->scratch, const Shape *, list->count + 1);

    if (!items)
        return &shape_any;
    for (uint32_t i = 0; i < list->count; i++)
        items[i] = make_shape(maker, (View){list->at[i], view.space, view.env});
    return all ? make_intersection(maker, items, list->count)
               : make_union(maker, items, list->count);
}

/* ---- tuples ---- */

static const Shape *element_of(const Shape *shape)
{
    shape = shape_follow(shape);
    return shape->kind == SHAPE_ARRAY ? shape->target : &shape_any;
}

/* [a, b?, ...c[]]; with a rest that is not the last anything goes after it. */
static const Shape *make_tuple(Maker *maker, const NodeList *list, View view)
{
    TupleShape *tuple = ARENA_NEW(maker->arena, TupleShape);
    Shape *shape = make_new(maker, SHAPE_TUPLE);

    if (!tuple || !shape ||
        !(tuple->items = ARENA_ARRAY(maker->arena, const Shape *, list->count + 1)))
        return &shape_any;
    for (uint32_t i = 0; i < list->count; i++) {
        const Node *item = list->at[i], *type = item;
        bool rest = item->kind == NODE_REST_TYPE, optional = item->kind == NODE_OPTIONAL_TYPE;
        if (rest || optional)
            type = as_unary(item)->expression;
        if (item->kind == NODE_NAMED_TUPLE_MEMBER) {
            type = as_named_tuple_member(item)->type;
            rest = as_named_tuple_member(item)->rest;
            optional = as_named_tuple_member(item)->question;
        }
        const Shape *of = make_shape(maker, (View){type, view.space, view.env});
        if (rest) {
            tuple->rest = i + 1 == list->count ? element_of(of) : &shape_any;
            break;
        }
        tuple->items[tuple->count++] = of;
        if (!optional)
            tuple->required = tuple->count;
    }
    shape->tuple = tuple;
    return shape;
}

/* ---- literals and keywords ---- */

static const Shape *make_number(Maker *maker, const Name *text, bool minus)
{
    Shape *shape;

    /* as JSON has it: others fit any number */
    for (uint32_t i = 0; i < text->length; i++) {
        char c = text->text[i];
        if (!((c >= '0' && c <= '9') || (c == '.' && i > 0 && i + 1 < text->length)))
            return make_kinds(maker, kind_bit(TN_TYPE_NUMBER));
    }
    shape = make_new(maker, SHAPE_NUMBER);
    if (!shape)
        return &shape_any;
    shape->number = number_parse(text->text, text->length) * (minus ? -1 : 1);
    return shape;
}

static const Shape *make_literal(Maker *maker, const Node *literal)
{
    const Node *operand;
    Shape *shape;

    switch (literal->kind) {
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
        return as_literal(literal)->text ? make_text(maker, as_literal(literal)->text->text,
                                                     as_literal(literal)->text->length)
                                         : &shape_any;
    case NODE_NUMERIC_LITERAL:
        return as_literal(literal)->text ? make_number(maker, as_literal(literal)->text, false)
                                         : &shape_any;
    case NODE_PREFIX_UNARY:
        operand = as_operator_unary(literal)->operand;
        if (operand && operand->kind == NODE_NUMERIC_LITERAL && as_literal(operand)->text)
            return make_number(maker, as_literal(operand)->text, true);
        return make_kinds(maker, kind_bit(TN_TYPE_NUMBER) | kind_bit(TN_TYPE_BIGINT));
    case NODE_BIGINT_LITERAL:
        return make_kinds(maker, kind_bit(TN_TYPE_BIGINT));
    case NODE_NULL:
        return make_kinds(maker, kind_bit(TN_TYPE_NULL));
    case NODE_TRUE:
    case NODE_FALSE:
        shape = make_new(maker, SHAPE_BOOL);
        if (!shape)
            return &shape_any;
        shape->truth = literal->kind == NODE_TRUE;
        return shape;
    default:
        return &shape_any;
    }
}

static const Shape *make_keyword(Maker *maker, uint32_t token)
{
    static const struct {
        uint16_t token;
        uint32_t kinds;
    } words[] = {{TOKEN_STRING, 1u << TN_TYPE_TEXT},    {TOKEN_NUMBER, 1u << TN_TYPE_NUMBER},
                 {TOKEN_BOOLEAN, 1u << TN_TYPE_BOOL},   {TOKEN_BIGINT, 1u << TN_TYPE_BIGINT},
                 {TOKEN_NULL, 1u << TN_TYPE_NULL},      {TOKEN_UNDEFINED, 1u << TN_TYPE_UNDEFINED},
                 {TOKEN_VOID, 1u << TN_TYPE_UNDEFINED}, {TOKEN_NEVER, 0},
                 {TOKEN_OBJECT, ~0u << TN_TYPE_BYTES}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].token == token)
            return make_kinds(maker, words[i].kinds);
    }
    return &shape_any;
}

/* A string enum is one of its members; one with numbers in it is any number, since flags are put
 * together and computed ones are not known. */
static const Shape *make_enum(Maker *maker, const NodeList *members)
{
    const Shape **items = ARENA_ARRAY(maker->scratch, const Shape *, members->count + 1);

    for (uint32_t i = 0; items && i < members->count; i++) {
        const EnumMember *member = as_enum_member(members->at[i]);
        items[i] = member->initializer && member->initializer->kind == NODE_STRING_LITERAL
                       ? make_literal(maker, member->initializer)
                       : make_kinds(maker, kind_bit(TN_TYPE_NUMBER));
    }
    return items ? make_union(maker, items, members->count) : &shape_any;
}

/* ---- names ---- */

const Env *make_env(Maker *maker, const NodeList *parameters, const Space *space, const Env *outer,
                    const Shape *const *arguments, uint32_t count)
{
    for (uint32_t i = 0; parameters && i < parameters->count; i++) {
        const TypeParameter *parameter = as_type_parameter(parameters->at[i]);
        const Node *instead =
            arguments || !parameter->constraint ? parameter->default_type : parameter->constraint;
        Env *env = ARENA_NEW(maker->scratch, Env);
        if (!env)
            return outer;
        env->name = name_text(parameter->name);
        env->shape = i < count ? arguments[i]
                     : instead ? make_shape(maker, (View){instead, space, outer})
                               : &shape_any;
        env->next = outer;
        outer = env;
    }
    return outer;
}

const Shape **make_arguments(Maker *maker, const NodeList *list, View view, uint32_t *out_count)
{
    uint32_t count = list ? list->count : 0;
    const Shape **shapes = ARENA_ARRAY(maker->scratch, const Shape *, count + 1);

    for (uint32_t i = 0; shapes && i < count; i++)
        shapes[i] = make_shape(maker, (View){list->at[i], view.space, view.env});
    *out_count = shapes ? count : 0;
    return shapes;
}

static void read_heritage(Maker *maker, Members *members, const ClassLike *interface, View view)
{
    for (uint32_t i = 0; interface->heritage && i < interface->heritage->count; i++) {
        const NodeList *types = as_heritage_clause(interface->heritage->at[i])->types;
        for (uint32_t j = 0; types && j < types->count; j++) {
            Members base =
                members_of(maker, make_shape(maker, (View){types->at[j], view.space, view.env}));
            members->unknown = members->unknown || base.unknown;
            for (uint32_t k = 0; k < base.count; k++)
                members_add(maker, members, &base.properties[k]);
            if (!members->index)
                members->index = base.index;
        }
    }
}

/* All interfaces of the name together. Own members go before those of what they extend. */
static const Shape *make_interface(Maker *maker, const Declared *first, const Shape **arguments,
                                   uint32_t count)
{
    Members members = {0};

    for (int pass = 0; pass < 2; pass++) {
        for (const Declared *one = first; one; one = one->next) {
            const ClassLike *interface = as_class(one->node);
            if (one->node->kind != NODE_INTERFACE_DECLARATION)
                continue;
            View view = {
                one->node, one->space,
                make_env(maker, interface->type_parameters, one->space, NULL, arguments, count)};
            if (pass == 0)
                members_read(maker, &members, interface->members, view);
            else
                read_heritage(maker, &members, interface, view);
        }
    }
    return members.unknown ? &shape_any : make_object(maker, &members);
}

static const Shape *make_declared(Maker *maker, const Declared *declared, const Shape **arguments,
                                  uint32_t count)
{
    const TypeAlias *alias = as_type_alias(declared->node);

    switch (declared->node->kind) {
    case NODE_INTERFACE_DECLARATION:
        return make_interface(maker, declared, arguments, count);
    case NODE_ENUM_DECLARATION:
        return make_enum(maker, as_enum_declaration(declared->node)->members);
    default:
        return make_shape(maker, (View){alias->type, declared->space,
                                        make_env(maker, alias->type_parameters, declared->space,
                                                 NULL, arguments, count)});
    }
}

/* Once for the same arguments: so that a type may name itself. */
static const Shape *instantiate(Maker *maker, Declared *declared, const Shape **arguments,
                                uint32_t count)
{
    Instance *one = declared->instances;
    size_t bytes = count * sizeof(const Shape *);
    const Shape *shape;

    while (one && (one->count != count || memcmp(one->arguments, arguments, bytes) != 0))
        one = one->next;
    if (one)
        return one->shape;
    if (declared->instance_count++ >= INSTANCES_MAX || (count > 0 && maker->level == LEVELS_MAX))
        return &shape_any;
    one = arena_push(maker->scratch, sizeof *one + bytes);
    if (!one || !(one->shape = make_new(maker, SHAPE_ANY)))
        return &shape_any;
    one->shape->pending = true;
    one->count = count;
    memcpy(one->arguments, arguments, bytes);
    one->next = declared->instances;
    declared->instances = one;
    maker->level += count > 0;
    shape = make_declared(maker, declared, arguments, count);
    maker->level -= count > 0;
    settle(one->shape, shape);
    return one->shape;
}

/* The declaration of a type among those of a name; a class is none of ours. */
static Declared *type_in(const Named *named)
{
    Declared *one = named ? named->first : NULL;

    while (one && one->node->kind != NODE_INTERFACE_DECLARATION &&
           one->node->kind != NODE_TYPE_ALIAS_DECLARATION &&
           one->node->kind != NODE_ENUM_DECLARATION)
        one = one->node->kind == NODE_CLASS_DECLARATION ? NULL : one->next;
    return one;
}

static const Shape *make_host_object(Maker *maker, const Name *name)
{
    const char *interface = registry_interface(maker->registry, name->text);
    Shape *shape = interface ? make_new(maker, SHAPE_REFERENCE) : NULL;

    if (!shape)
        return interface ? &shape_any : NULL;
    shape->text = interface;
    shape->length = name->length;
    return shape;
}

static const Shape *make_named(Maker *maker, const Named *named, const Name *name,
                               const Shape **arguments, uint32_t count)
{
    const Shape *shape = make_host_object(maker, name);
    const Shape *library = shape ? NULL : make_library(maker, name, arguments, count);
    Declared *declared = type_in(named);

    if (shape)
        return shape;
    /* what is added to a type of the library is not looked at */
    if (library && (!named || named->space == &maker->names.global))
        return named ? &shape_any : library;
    return declared ? instantiate(maker, declared, arguments, count) : &shape_any;
}

static const Shape *make_reference(Maker *maker, const Node *path, const NodeList *list, View view)
{
    uint32_t count;
    const Shape **arguments;
    const Named *named;
    const Name *name = name_text(path);

    for (const Env *env = view.env; name && env; env = env->next) {
        if (env->name == name)
            return env->shape;
    }
    arguments = make_arguments(maker, list, view, &count);
    named = names_path(&maker->names, view.space, path);
    if (path && path->kind == NODE_QUALIFIED_NAME) {
        name = name_text(as_qualified_name(path)->right);
        /* a member of an enum */
        if (!named)
            named = names_path(&maker->names, view.space, as_qualified_name(path)->left);
    } else if (path && path->kind == NODE_PROPERTY_ACCESS) {
        name = name_text(as_property_access(path)->name);
    }
    return name && arguments ? make_named(maker, named, name, arguments, count) : &shape_any;
}

/* import("github").Issue */
static const Shape *make_import(Maker *maker, const ImportType *import, View view)
{
    const Node *argument = import->argument;
    const Name *module = argument && argument->kind == NODE_LITERAL_TYPE
                             ? name_text(as_unary(argument)->expression)
                             : NULL;
    const Space *space = module ? names_module(&maker->names, module->text, module->length) : NULL;
    const Name *name = name_text(import->qualifier);
    const Named *named =
        space && name ? names_in(&maker->names, space, name->text, name->length) : NULL;
    uint32_t count;
    const Shape **arguments = make_arguments(maker, import->type_arguments, view, &count);

    return named && arguments && !import->is_typeof
               ? make_named(maker, named, name, arguments, count)
               : &shape_any;
}

/* ---- any type ---- */

static const Shape *make_array(Maker *maker, const Shape *element)
{
    Shape *shape = make_new(maker, SHAPE_ARRAY);

    if (!shape)
        return &shape_any;
    shape->target = element;
    return shape;
}

static const Shape *make_braces(Maker *maker, View view)
{
    Members members = {0};

    members_read(maker, &members, as_list(view.type)->list, view);
    return members.unknown ? &shape_any : make_object(maker, &members);
}

static const Shape *make_operator(Maker *maker, const TypeOperator *operator, View view)
{
    const Shape *shape = make_shape(maker, (View){operator->type, view.space, view.env});

    return operator->token == TOKEN_KEYOF    ? make_keys(maker, shape) :
           operator->token == TOKEN_READONLY ? shape
                                             : & shape_any;
}

static const Shape *make_of_kind(Maker *maker, View view)
{
    const Node *type = view.type;
    View inside = {NULL, view.space, view.env};

    switch (type->kind) {
    case NODE_KEYWORD_TYPE:
        return make_keyword(maker, as_keyword_type(type)->token);
    case NODE_LITERAL_TYPE:
        return as_unary(type)->expression ? make_literal(maker, as_unary(type)->expression)
                                          : &shape_any;
    case NODE_TEMPLATE_LITERAL_TYPE:
        return make_kinds(maker, kind_bit(TN_TYPE_TEXT));
    case NODE_PARENTHESIZED_TYPE:
        inside.type = as_unary(type)->expression;
        return make_shape(maker, inside);
    case NODE_ARRAY_TYPE:
        inside.type = as_unary(type)->expression;
        return make_array(maker, make_shape(maker, inside));
    case NODE_TUPLE_TYPE:
        return make_tuple(maker, as_list(type)->list, view);
    case NODE_UNION_TYPE:
    case NODE_INTERSECTION_TYPE:
        return make_several(maker, as_list(type)->list, view, type->kind == NODE_INTERSECTION_TYPE);
    case NODE_TYPE_LITERAL:
        return make_braces(maker, view);
    case NODE_MAPPED_TYPE:
        return make_mapped(maker, as_mapped_type(type), view);
    case NODE_TYPE_OPERATOR:
        return make_operator(maker, as_type_operator(type), view);
    case NODE_INDEXED_ACCESS_TYPE:
        inside.type = as_indexed_access_type(type)->index;
        return make_indexed(
            maker,
            make_shape(maker, (View){as_indexed_access_type(type)->object, view.space, view.env}),
            make_shape(maker, inside));
    case NODE_TYPE_REFERENCE:
    case NODE_EXPRESSION_WITH_TYPE_ARGUMENTS:
        return make_reference(maker, as_type_reference(type)->name,
                              as_type_reference(type)->type_arguments, view);
    case NODE_IMPORT_TYPE:
        return make_import(maker, as_import_type(type), view);
    default:
        return &shape_any;
    }
}

const Shape *make_shape(Maker *maker, View view)
{
    const Shape *shape = &shape_any;

    if (!view.type || maker->nesting == NESTING_MAX || maker->shapes > SHAPES_MAX)
        return shape;
    maker->nesting++;
    shape = make_of_kind(maker, view);
    maker->nesting--;
    return shape;
}
