/* Bodies: of the media types that a document lists, the one that a program can make most of. */
#include "inside.h"

static bool begins(SchemaText text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && strncasecmp(text.text, word, length) == 0;
}

static bool ends(SchemaText text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length &&
           strncasecmp(text.text + text.length - length, word, length) == 0;
}

static bool is(SchemaText text, const char *word)
{
    return text.length == strlen(word) && begins(text, word);
}

OpenapiKind content_kind(const char *type, size_t length)
{
    static const char *const texts[] = {
        "application/xml",     "application/yaml",  "application/javascript", "application/x-yaml",
        "application/graphql", "application/jsonl", "application/x-ndjson",   "application/sql"};
    const char *end = memchr(type, ';', length);
    SchemaText text = {type, end ? (size_t)(end - type) : length};

    while (text.length > 0 && text.text[text.length - 1] == ' ')
        text.length--;
    if (is(text, "application/json") || is(text, "text/json") || ends(text, "+json") ||
        is(text, "*/*") || is(text, "application/*"))
        return OPENAPI_CONTENT_JSON;
    if (is(text, "application/x-www-form-urlencoded"))
        return OPENAPI_CONTENT_FORM;
    if (begins(text, "multipart/"))
        return OPENAPI_CONTENT_MULTIPART;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        if (is(text, texts[i]))
            return OPENAPI_CONTENT_TEXT;
    }
    return begins(text, "text/") || ends(text, "+xml") || ends(text, "+yaml")
               ? OPENAPI_CONTENT_TEXT
               : OPENAPI_CONTENT_BYTES;
}

/* A media type goes into a header as it is. */
static bool is_sendable(const DatumMember *media)
{
    for (uint32_t i = 0; i < media->length; i++) {
        if (media->name[i] < 0x20 || media->name[i] > 0x7e)
            return false;
    }
    return media->length > 2 && media->length < 200;
}

/* The first of the kinds in their order; application/json itself before its relatives. */
static const DatumMember *choose(Node content)
{
    const DatumMember *best = NULL;
    int rank = 100;

    for (uint32_t i = 0; node_is(content, DATUM_OBJECT) && i < content.at->count; i++) {
        const DatumMember *media = &content.at->members[i];
        int own = 2 * (int)content_kind(media->name, media->length);
        own -= is((SchemaText){media->name, media->length}, "application/json");
        if (is_sendable(media) && own < rank) {
            rank = own;
            best = media;
        }
    }
    return best;
}

/* ---- what is sent ---- */

static void read_encodings(Reading *reading, Node media, OpenapiBody *body)
{
    Node list = node_member(reading, media, "encoding");
    uint32_t count = node_is(list, DATUM_OBJECT) ? list.at->count : 0;
    OpenapiEncoding *encodings = ARENA_ARRAY(reading->arena, OpenapiEncoding, count + 1);

    for (uint32_t i = 0; encodings && i < count; i++) {
        const DatumMember *member = &list.at->members[i];
        Node node = {(Datum *)(uintptr_t)&member->value, list.file};
        const char *type = node_string(reading, node, "contentType");
        int style = style_named(node_text(node, "style"));
        Node explode = node_get(node, "explode");
        OpenapiEncoding *at = &encodings[body->encoding_count++];
        at->member = arena_text(reading->arena, member->name, member->length);
        at->type = type && !strpbrk(type, ",\r\n") ? type : NULL;
        at->styled = style >= OPENAPI_FORM || explode.at;
        at->style = style >= OPENAPI_FORM ? (uint8_t)style : OPENAPI_FORM;
        at->explode = node_is(explode, DATUM_BOOL)
                          ? explode.at->truth
                          : at->style == OPENAPI_FORM || at->style == OPENAPI_DEEP;
        at->reserved = node_is_true(node, "allowReserved");
    }
    body->encodings = encodings;
}

bool body_read(Reading *reading, Node node, OpenapiOperation *operation, ApiOperation *inner,
               const char **out_why)
{
    Node given = node_get(node, "requestBody"), body = node_follow(reading, given, out_why);
    OpenapiBody *out = &operation->body;

    if (!given.at)
        return true;
    if (!node_is(body, DATUM_OBJECT)) {
        *out_why = arena_printf(reading->scratch, "its body is not there: %s",
                                body.at ? "it is no object" : *out_why);
        return false;
    }
    Node content = node_member(reading, body, "content");
    const DatumMember *media = choose(content);
    if (!media) {
        if (node_is_true(body, "required"))
            *out_why = "the body that it needs has no media type that can be sent";
        return !node_is_true(body, "required");
    }
    bool any = memchr(media->name, '*', media->length) != NULL;
    Node inside = {(Datum *)(uintptr_t)&media->value, content.file};
    out->kind = (uint8_t)content_kind(media->name, media->length);
    out->type = any ? "application/json" : arena_text(reading->arena, media->name, media->length);
    out->required = node_is_true(body, "required");
    inner->body.node = node_get(inside, "schema");
    inner->body.description = node_text(body, "description");
    if (out->kind == OPENAPI_CONTENT_BYTES)
        inner->body.bytes = BYTES_OR_TEXT;
    else if (out->kind == OPENAPI_CONTENT_TEXT)
        inner->body.bytes = TEXT_ONLY;
    else if (out->kind != OPENAPI_CONTENT_JSON)
        read_encodings(reading, inside, out);
    return true;
}

/* ---- what comes back ---- */

/* "200", or all of a hundred: "2XX". */
static bool is_good(const DatumMember *answer)
{
    const char *name = answer->name;

    return answer->length == 3 && name[0] == '2' &&
           ((name[1] >= '0' && name[1] <= '9' && name[2] >= '0' && name[2] <= '9') ||
            ((name[1] | 32) == 'x' && (name[2] | 32) == 'x'));
}

/* Media types that are wanted, each once. */
static void add_accept(Buf *accept, const DatumMember *media)
{
    if (accept->length > 0 && memmem(accept->data, accept->length, media->name, media->length))
        return;
    if (accept->length > 0)
        buf_append_string(accept, ", ");
    buf_append(accept, media->name, media->length);
}

static void take_answer(Reading *reading, Node answer, OpenapiOperation *operation,
                        ApiOperation *inner, Buf *accept)
{
    Node content = node_member(reading, answer, "content");
    const DatumMember *media = choose(content);

    if (!media) {
        operation->answers_nothing = true;
        return;
    }
    Node inside = {(Datum *)(uintptr_t)&media->value, content.file};
    OpenapiKind kind = content_kind(media->name, media->length);
    ApiSchema schema = {.node = node_get(inside, "schema")};
    add_accept(accept, media);
    if (kind == OPENAPI_CONTENT_TEXT || kind == OPENAPI_CONTENT_FORM)
        schema.bytes = TEXT_ONLY;
    else if (kind != OPENAPI_CONTENT_JSON)
        schema.bytes = BYTES_ONLY;
    if (schema.node.at || schema.bytes)
        inner->outputs[operation->outputs++] = schema;
    else
        operation->output_unknown = true;
}

void answers_read(Reading *reading, Node node, OpenapiOperation *operation, ApiOperation *inner)
{
    Node answers = node_member(reading, node, "responses");
    uint32_t count = node_is(answers, DATUM_OBJECT) ? answers.at->count : 0;
    const char *why;
    Buf accept;

    inner->outputs = ARENA_ARRAY(reading->scratch, ApiSchema, (size_t)count + 1);
    if (!inner->outputs)
        return;
    buf_init(&accept, reading->scratch->allocator, 4096);
    bool some = false;
    for (uint32_t round = 0; round < 2 && !some; round++) { /* `default` if there is no other */
        for (uint32_t i = 0; i < count; i++) {
            const DatumMember *member = &answers.at->members[i];
            bool wanted = round == 0
                              ? is_good(member)
                              : member->length == 7 && memcmp(member->name, "default", 7) == 0;
            if (!wanted)
                continue;
            Node answer = node_follow(
                reading, (Node){(Datum *)(uintptr_t)&member->value, answers.file}, &why);
            some = true;
            if (node_is(answer, DATUM_OBJECT))
                take_answer(reading, answer, operation, inner, &accept);
            else
                operation->output_unknown = true;
        }
    }
    operation->output_unknown = operation->output_unknown || !some;
    if (accept.length > 0)
        operation->accept = arena_text(reading->arena, (const char *)accept.data, accept.length);
    buf_release(&accept);
}
