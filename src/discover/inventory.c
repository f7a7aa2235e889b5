/* The inventory, made in passes: names, then members of values, then needs, then words. */
#include "inventory.h"

#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "memory.h"
#include "plain.h"
#include "split.h"

enum { INVENTORY_BYTES_MAX = 256 << 20 };

/* ---- names ---- */

static uint32_t hash_of(const void *scope, const char *name, size_t length)
{
    uint64_t hash = (uintptr_t)scope * 0x9E3779B97F4A7C15u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001B3u;
    return (uint32_t)(hash ^ hash >> 32);
}

static Binding *place_of(const Builder *builder, const void *scope, const char *name, size_t length)
{
    uint32_t mask = builder->binding_capacity - 1;
    uint32_t at = hash_of(scope, name, length) & mask;

    for (;; at = (at + 1) & mask) {
        Binding *binding = &builder->bindings[at];
        if (!binding->name || (binding->scope == scope && binding->length == length &&
                               memcmp(binding->name, name, length) == 0))
            return binding;
    }
}

Binding *builder_binding(const Builder *builder, const Scope *scope, const char *name,
                         size_t length)
{
    Binding *binding =
        builder->binding_capacity > 0 ? place_of(builder, scope, name, length) : NULL;

    return binding && binding->name ? binding : NULL;
}

/* Bindings move: nobody keeps one while names are added. */
static bool make_room(Builder *builder)
{
    Builder before = *builder;
    uint32_t capacity = before.binding_capacity ? before.binding_capacity * 2 : 256;

    if (builder->binding_count * 2 < before.binding_capacity)
        return true;
    builder->bindings = ARENA_ARRAY(&builder->arena, Binding, capacity);
    if (!builder->bindings) {
        *builder = before;
        builder->arena.failed = true;
        return false;
    }
    builder->binding_capacity = capacity;
    for (uint32_t i = 0; i < before.binding_capacity; i++) {
        const Binding *old = &before.bindings[i];
        if (old->name)
            *place_of(builder, old->scope, old->name, old->length) = *old;
    }
    return true;
}

Binding *builder_bind(Builder *builder, const Scope *scope, const char *name, size_t length)
{
    Binding *binding;

    if (!make_room(builder))
        return NULL;
    binding = place_of(builder, scope, name, length);
    if (!binding->name) {
        builder->binding_count++;
        *binding = (Binding){.scope = scope, .name = name, .length = (uint32_t)length};
    }
    return binding;
}

const char *builder_text_in(Builder *builder, Arena *arena)
{
    Buf *buf = &builder->buf;
    const char *text =
        arena_text(arena, buf->length > 0 ? (const char *)buf->data : "", buf->length);

    buf_truncate(buf, 0);
    return text ? text : "";
}

const char *builder_text(Builder *builder)
{
    return builder_text_in(builder, &builder->inventory->arena);
}

/* ---- scopes, packages, items ---- */

Scope *builder_scope(Builder *builder, ScopeKind kind, Scope *parent, const char *name,
                     size_t length)
{
    Scope *scope = ARENA_NEW(&builder->inventory->arena, Scope);

    if (!scope)
        return NULL;
    *scope = (Scope){.kind = kind,
                     .parent = parent,
                     .module = kind == SCOPE_MODULE ? scope
                               : parent             ? parent->module
                                                    : NULL,
                     .path = parent ? parent->path : ""};
    plain_line(&builder->buf, name, length, 200);
    scope->name = builder_text(builder);
    if (kind == SCOPE_MODULE)
        scope->path = "";
    if (kind > SCOPE_FILE && kind != SCOPE_MODULE) {
        put_member(&builder->buf, scope->path, name, length);
        scope->path = builder_text(builder);
    }
    return scope;
}

Package *builder_package(Builder *builder, const char *name, bool imported)
{
    Inventory *inventory = builder->inventory;
    const void *key = imported ? (const void *)&inventory->packages : &inventory->last_package;
    Binding *binding = builder_bind(builder, key, name, strlen(name));
    Package *package;

    if (!binding || binding->package)
        return binding ? binding->package : NULL;
    package = ARENA_NEW(&inventory->arena, Package);
    if (!package)
        return NULL;
    *package = (Package){.name = name, .imported = imported};
    binding->package = package;
    if (inventory->last_package)
        inventory->last_package->next = package;
    else
        inventory->packages = package;
    inventory->last_package = package;
    return package;
}

Package *builder_package_of(Builder *builder, Scope *scope)
{
    if (!scope->package)
        scope->package = builder_package(builder, scope->module ? scope->module->name : scope->path,
                                         scope->module != NULL);
    return scope->package;
}

static bool grow_items(Builder *builder)
{
    Inventory *inventory = builder->inventory;
    uint32_t before = inventory->capacity, capacity = before ? before * 2 : 256;

    if (inventory->count < before)
        return true;
    Item **items = arena_grow(&inventory->arena, inventory->items, before * sizeof(Item *),
                              capacity * sizeof(Item *));
    Draft *drafts = arena_grow(&builder->arena, builder->drafts, before * sizeof(Draft),
                               capacity * sizeof(Draft));
    if (!items || !drafts)
        return false;
    inventory->items = items;
    builder->drafts = drafts;
    inventory->capacity = capacity;
    return true;
}

Item *builder_item(Builder *builder, ItemKind kind, Scope *scope, Draft draft)
{
    Inventory *inventory = builder->inventory;
    Item *item;

    if (inventory->count == ITEMS_MAX || !grow_items(builder))
        return NULL;
    item = ARENA_NEW(&inventory->arena, Item);
    if (!item)
        return NULL;
    *item = (Item){.kind = kind,
                   .index = inventory->count,
                   .name = "",
                   .line = "",
                   .summary = "",
                   .scope = scope,
                   .shown = item,
                   .file = draft.file ? draft.file->file : NULL};
    builder->drafts[inventory->count] = draft;
    inventory->items[inventory->count++] = item;
    return item;
}

/* ---- files ---- */

static bool mark_ends(Node *node, void *context)
{
    uint8_t *ends = context;
    const NodeList *members = NULL;

    if (node->kind == NODE_TYPE_LITERAL)
        members = as_list(node)->list;
    else if (node->kind == NODE_INTERFACE_DECLARATION || node->kind == NODE_CLASS_DECLARATION)
        members = as_class(node)->members;
    for (uint32_t i = 0; members && i < members->count; i++)
        ends[members->at[i]->end / 8] |= (uint8_t)(1 << members->at[i]->end % 8);
    return tree_each_child(node, mark_ends, context);
}

/* A byte order mark is no part of the text; fences are: they stand in comments. */
static void read_file(Builder *builder, const DeclaredText *given, BuildFile *out_file)
{
    Arena *arena = &builder->inventory->arena;
    ParseOptions options = {.declaration_file = true};
    DeclaredFile *file = ARENA_NEW(arena, DeclaredFile);
    uint8_t *ends;
    Source source = {.name = given->name, .language = "", .is_utf8 = true};
    Findings findings;

    *out_file = (BuildFile){.file = file};
    if (!file || given->length > UINT32_MAX / 4)
        return;
    *file = (DeclaredFile){.text = given->text, .length = given->length};
    if (file->length >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0) {
        file->text += 3;
        file->length -= 3;
    }
    ends = arena_push(arena, file->length / 8 + 1);
    source.text = file->text;
    source.length = file->length;
    findings_init(&findings, &builder->arena);
    if (!ends ||
        parse_module(&builder->arena, &source, &options, &findings, &out_file->tree) != TN_OK)
        return;
    file->ends = ends;
    (void)tree_each_child(&out_file->tree->node, mark_ends, ends);
    collect_file(builder, out_file);
}

/* ---- what is registered ---- */

static void add_registered(Builder *builder, const RegistryEntry *entry)
{
    const char *dot = strrchr(entry->name, '.');
    bool sync = entry->flags & TN_FUNCTION_SYNC;
    Item *item;
    Package *package;

    buf_append(&builder->buf, entry->name, (size_t)(dot - entry->name));
    package = builder_package(builder, builder_text(builder), false);
    item = package ? builder_item(builder, ITEM_FUNCTION, builder->global, (Draft){0}) : NULL;
    if (!item)
        return;
    buf_append_string(&builder->buf, entry->name);
    item->name = builder_text(builder);
    buf_append_string(&builder->buf, entry->name);
    buf_append_string(&builder->buf,
                      sync ? "(...args: any[]): any" : "(...args: any[]): Promise<any>");
    item->line = builder_text(builder);
    item->listed = true;
    item->package = package;
}

/* Does any item have that name? Sorted names make that quick. */
static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_all_registered(Builder *builder, const Registry *registry)
{
    uint32_t count = builder->inventory->count;
    const char **names = ARENA_ARRAY(&builder->arena, const char *, count + 1);

    if (!names)
        return;
    for (uint32_t i = 0; i < count; i++)
        names[i] = builder->inventory->items[i]->name;
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < registry->count; i++) {
        const RegistryEntry *entry = &registry->entries[i];
        if (entry->kind == ENTRY_FUNCTION && !(entry->flags & TN_FUNCTION_UNLISTED) &&
            !bsearch(&entry->name, names, count, sizeof *names, compare_names))
            add_registered(builder, entry);
    }
}

/* ---- both as a global and to be imported ---- */

/* A function that is declared in both ways is listed once: as the global. */
static void hide_twins(Builder *builder)
{
    Inventory *inventory = builder->inventory;
    const char **names = ARENA_ARRAY(&builder->arena, const char *, inventory->count + 1);
    size_t count = 0;

    if (!names)
        return;
    for (uint32_t i = 0; i < inventory->count; i++) {
        const Item *item = inventory->items[i];
        if (item->listed && !item->package->imported)
            names[count++] = item->name;
    }
    qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 0; i < inventory->count; i++) {
        Item *item = inventory->items[i];
        if (item->listed && item->package->imported &&
            bsearch(&item->name, names, count, sizeof *names, compare_names))
            item->listed = false;
    }
}

/* ---- what the policy denies ---- */

/* Rules know the global by its methods. */
static const char *ruled_name(const char *name)
{
    return strcmp(name, "fetch") == 0 ? "fetch.get" : name;
}

static void hide_denied(Inventory *inventory, const tn_policy *policy)
{
    const Clause *clause;

    for (uint32_t i = 0; policy && i < inventory->count; i++) {
        Item *item = inventory->items[i];
        if (item->kind == ITEM_TYPE || !rules_denies_all(policy, ruled_name(item->name), &clause))
            continue;
        item->hidden = true;
        item->listed = false;
    }
}

size_t inventory_count(const Inventory *inventory)
{
    return inventory->count;
}

const char *inventory_name(const Inventory *inventory, size_t index)
{
    const Item *item = inventory->items[index];

    return item->kind == ITEM_TYPE ? "" : item->name;
}

/* ---- words ---- */

/* Names of parameters and properties, and of the types. */
static bool put_inner_names(Node *node, void *context)
{
    Buf *buf = context;
    const Name *name = NULL;

    if (node->kind == NODE_PARAMETER)
        name = name_of(as_parameter(node)->name);
    else if (node->kind == NODE_PROPERTY_SIGNATURE)
        name = name_of(as_property(node)->name);
    else if (node->kind == NODE_METHOD_SIGNATURE)
        name = name_of(as_function(node)->name);
    else if (node->kind == NODE_TYPE_REFERENCE)
        name = name_of(as_type_reference(node)->name);
    if (name)
        split_words(buf, name->text, name->length);
    return tree_each_child(node, put_inner_names, context);
}

/* Each word once, for what is misspelt. */
static void learn_words(Builder *builder, const char *words)
{
    Inventory *inventory = builder->inventory;
    const Scope *key = (const Scope *)(const void *)&inventory->vocabulary;

    while (*words) {
        size_t length = strcspn(words, " ");
        bool useful = length > 2 && inventory->word_count < VOCABULARY_MAX;
        if (useful && !builder_binding(builder, key, words, length)) {
            char *word = arena_text(&inventory->arena, words, length);
            if (!word || !builder_bind(builder, key, word, length))
                return;
            inventory->vocabulary[inventory->word_count++] = word;
        }
        words += length + (words[length] == ' ');
    }
}

static const char *words_of(Builder *builder, const char *text)
{
    split_words(&builder->buf, text, strlen(text));
    const char *words = builder_text_in(builder, &builder->scratch);
    learn_words(builder, words);
    return words;
}

static void put_parameters(Builder *builder, const Item *item)
{
    const Node *node = builder->drafts[item->index].node;

    if (node)
        (void)tree_each_child(node, put_inner_names, &builder->buf);
    for (uint32_t i = 0; i < item->need_count && builder->buf.length < 8 * COMMENT_BYTES_MAX; i++)
        (void)tree_each_child(builder->drafts[item->needs[i]->index].node, put_inner_names,
                              &builder->buf);
}

const char *item_name_in(const Item *item)
{
    const char *package = item->package->name, *name = item->name, *dot;
    size_t length = strlen(package);

    if (length > 0 && strncmp(name, package, length) == 0 && strchr(".[", name[length]))
        name += length + (name[length] == '.');
    dot = strchr(name, '[') ? NULL : strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

static uint8_t count_words(const char *words)
{
    unsigned count = 0;

    for (; *words; words++)
        count += *words == ' ';
    return (uint8_t)(count < 100 ? count : 100);
}

static tn_status index_item(Builder *builder, Item *item)
{
    FinderEntry entry = {.id = item->index};
    tn_status status;

    arena_init(&builder->scratch, &builder->inventory->allocator, INVENTORY_BYTES_MAX);
    entry.name = words_of(builder, item_name_in(item));
    item->name_words = count_words(entry.name);
    entry.package = words_of(builder, item->package->name);
    if (item->file)
        doc_words(&builder->buf, item->file->text, item->comment);
    entry.description = words_of(builder, builder_text_in(builder, &builder->scratch));
    put_parameters(builder, item);
    entry.parameters = builder_text_in(builder, &builder->scratch);
    status = arena_status(&builder->scratch);
    if (status == TN_OK)
        status = finder_add(builder->inventory->finder, &entry);
    arena_release(&builder->scratch);
    return status;
}

static tn_status index_all(Builder *builder)
{
    Inventory *inventory = builder->inventory;
    tn_status status = finder_new(&inventory->allocator, &inventory->finder);

    inventory->vocabulary = ARENA_ARRAY(&builder->arena, const char *, VOCABULARY_MAX);
    if (!inventory->vocabulary)
        return TN_ERR_NOMEM;
    for (uint32_t i = 0; i < inventory->count && status == TN_OK; i++) {
        Item *item = inventory->items[i];
        if (!item->listed)
            continue;
        item->package->count++;
        inventory->functions++;
        status = index_item(builder, item);
    }
    /* as many as there are, where they stay */
    inventory->vocabulary =
        arena_grow(&inventory->arena, inventory->vocabulary, inventory->word_count * sizeof(char *),
                   (inventory->word_count + 1) * sizeof(char *));
    if (status == TN_OK)
        status = arena_status(&inventory->arena);
    if (status == TN_OK)
        status = arena_status(&builder->arena);
    if (status == TN_OK)
        status = buf_status(&builder->buf);
    return status == TN_OK ? finder_seal(inventory->finder) : status;
}

/* ---- all of it ---- */

static tn_status build(Builder *builder, const Registry *registry, const tn_policy *policy,
                       const DeclaredText *texts, size_t count)
{
    Inventory *inventory = builder->inventory;
    BuildFile *files = ARENA_ARRAY(&builder->arena, BuildFile, count + 1);
    tn_status status;

    builder->global = builder_scope(builder, SCOPE_GLOBAL, NULL, "", 0);
    for (size_t i = 0; files && builder->global && i < count; i++)
        read_file(builder, &texts[i], &files[i]);
    for (uint32_t i = 0, named = inventory->count; i < named; i++) {
        if (inventory->items[i]->kind == ITEM_VALUE)
            collect_members(builder, inventory->items[i]);
    }
    if (builder->global)
        add_all_registered(builder, registry);
    for (uint32_t i = 0; i < inventory->count; i++)
        need_collect(builder, inventory->items[i]);
    status = arena_status(&builder->arena);
    if (status == TN_OK)
        status = arena_status(&inventory->arena);
    if (status == TN_OK)
        status = buf_status(&builder->buf);
    if (status != TN_OK)
        return status;
    hide_twins(builder);
    hide_denied(inventory, policy);
    return index_all(builder);
}

tn_status inventory_new(const tn_allocator *allocator, const Registry *registry,
                        const tn_policy *policy, const DeclaredText *texts, size_t count,
                        Inventory **out_inventory)
{
    Inventory *inventory = memory_new(allocator, sizeof *inventory);
    Builder builder = {.inventory = inventory};
    tn_status status;

    if (!inventory)
        return TN_ERR_NOMEM;
    inventory->allocator = *allocator;
    arena_init(&inventory->arena, &inventory->allocator, INVENTORY_BYTES_MAX);
    arena_init(&builder.arena, &inventory->allocator, 4 * (size_t)INVENTORY_BYTES_MAX);
    buf_init(&builder.buf, &inventory->allocator, INVENTORY_BYTES_MAX);
    status = build(&builder, registry, policy, texts, count);
    arena_release(&builder.arena);
    buf_release(&builder.buf);
    if (status != TN_OK) {
        inventory_free(inventory);
        return status;
    }
    *out_inventory = inventory;
    return TN_OK;
}

void inventory_free(Inventory *inventory)
{
    tn_allocator allocator;

    if (!inventory)
        return;
    finder_free(inventory->finder);
    arena_release(&inventory->arena);
    allocator = inventory->allocator;
    memory_free(&allocator, inventory, sizeof *inventory);
}
