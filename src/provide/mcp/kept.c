/* A catalogue from an earlier start, and whether it still holds when the server is called. */
#include <math.h>

#include "cbor.h"
#include "inside.h"

enum { STEPS_MOST = 100000 };

/* ---- as one value: [about, tools, revision, time to live or null, [note, ...]] ---- */

static void put_part(Buf *out, tn_value value)
{
    CborReader in = {value.start, value.end};

    if (cbor_skip(&in, CBOR_DEPTH_MAX))
        buf_append(out, value.start, (size_t)(in.at - value.start));
}

void mcp_catalogue_write(const McpCatalogue *catalogue, Buf *out)
{
    cbor_put_array(out, 5);
    put_part(out, catalogue->about);
    put_part(out, catalogue->tools);
    cbor_put_string(out, catalogue->revision, strlen(catalogue->revision));
    if (isnan(catalogue->ttl_ms))
        cbor_put_simple(out, 22);
    else
        cbor_put_number(out, catalogue->ttl_ms);
    cbor_put_array(out, catalogue->note_count);
    for (size_t i = 0; i < catalogue->note_count; i++)
        cbor_put_string(out, catalogue->notes[i], strlen(catalogue->notes[i]));
}

static const char *text_in(Catalogue *catalogue, tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text ? arena_text(&catalogue->arena, text, length) : "";
}

static tn_status take_notes(Catalogue *catalogue, tn_value notes)
{
    const char **list = ARENA_ARRAY(&catalogue->arena, const char *, tn_value_count(notes) + 1);
    tn_cursor cursor = {0};

    while (list && tn_value_next(notes, &cursor))
        list[catalogue->shown.note_count++] = text_in(catalogue, cursor.value);
    catalogue->shown.notes = list;
    return arena_status(&catalogue->arena);
}

/* Each tool must be one that the server could have listed. */
static bool are_tools(tn_value tools)
{
    tn_cursor cursor = {0};

    while (tn_value_next(tools, &cursor)) {
        if (tn_value_type(cursor.value) != TN_TYPE_OBJECT ||
            tn_value_type(tn_value_member(cursor.value, "name")) != TN_TYPE_TEXT)
            return false;
    }
    return tn_value_type(tools) == TN_TYPE_ARRAY;
}

tn_status mcp_catalogue_read(const tn_allocator *allocator, tn_value document,
                             const McpCatalogue **out_catalogue)
{
    Catalogue *catalogue;
    tn_status status;

    if (tn_value_count(document) != 5 || !are_tools(tn_value_item(document, 1)) ||
        tn_value_type(tn_value_item(document, 0)) != TN_TYPE_OBJECT)
        return TN_ERR_ARGUMENT;
    catalogue = catalogue_new(allocator);
    if (!catalogue)
        return TN_ERR_NOMEM;
    buf_append(&catalogue->bytes, document.start, (size_t)(document.end - document.start));
    if (catalogue->bytes.failed) {
        mcp_catalogue_free(&catalogue->shown);
        return TN_ERR_NOMEM;
    }
    document = tn_value_view(catalogue->bytes.data, catalogue->bytes.length);
    catalogue_show_about(catalogue, tn_value_item(document, 0));
    catalogue->shown.tools = tn_value_item(document, 1);
    catalogue->shown.revision = text_in(catalogue, tn_value_item(document, 2));
    catalogue->shown.ttl_ms = tn_value_number(tn_value_item(document, 3));
    status = take_notes(catalogue, tn_value_item(document, 4));
    if (status != TN_OK)
        mcp_catalogue_free(&catalogue->shown);
    else
        *out_catalogue = &catalogue->shown;
    return status;
}

/* ---- does it still hold? ---- */

static bool same_bytes(tn_value a, tn_value b)
{
    CborReader one = {a.start, a.end}, other = {b.start, b.end};

    if (!a.start || !b.start || !cbor_skip(&one, CBOR_DEPTH_MAX) ||
        !cbor_skip(&other, CBOR_DEPTH_MAX))
        return a.start == b.start;
    size_t length = (size_t)(one.at - a.start);
    return length == (size_t)(other.at - b.start) && memcmp(a.start, b.start, length) == 0;
}

static bool same(tn_value a, tn_value b, unsigned *steps);

static bool is_in(tn_value list, tn_value wanted, unsigned *steps)
{
    tn_cursor cursor = {0};

    while (tn_value_next(list, &cursor)) {
        if (same(cursor.value, wanted, steps))
            return true;
    }
    return false;
}

/* Some servers list members, and names in `required` and `enum`, in another order each time. */
static bool same(tn_value a, tn_value b, unsigned *steps)
{
    tn_type type = tn_value_type(a);
    tn_cursor cursor = {0}, other = {0};

    if (same_bytes(a, b))
        return true;
    if (*steps == 0 || type != tn_value_type(b) || tn_value_count(a) != tn_value_count(b))
        return false;
    --*steps;
    if (type != TN_TYPE_OBJECT && type != TN_TYPE_ARRAY)
        return false;
    while (tn_value_next(a, &cursor)) {
        size_t length;
        const char *name = tn_value_text(cursor.key, &length);
        bool found = false;
        if (type == TN_TYPE_ARRAY) {
            found =
                tn_value_next(b, &other) &&
                (same(cursor.value, other.value, steps) ||
                 (tn_value_type(cursor.value) == TN_TYPE_TEXT && is_in(b, cursor.value, steps)));
        } else {
            for (other = (tn_cursor){0}; name && !found && tn_value_next(b, &other);)
                found = same_bytes(cursor.key, other.key) && same(cursor.value, other.value, steps);
        }
        if (!found)
            return false;
    }
    return true;
}

/* In whatever order. */
bool catalogue_same(const Catalogue *a, const Catalogue *b)
{
    tn_value one = a->shown.tools, other = b->shown.tools;
    tn_cursor at = {0}, beside = {0};
    unsigned steps = STEPS_MOST;

    if (a == b || same_bytes(one, other))
        return true;
    if (a->shown.error || b->shown.error || tn_value_count(one) != tn_value_count(other))
        return false;
    while (tn_value_next(one, &at) && tn_value_next(other, &beside)) {
        if (!same(at.value, beside.value, &steps) && !is_in(other, at.value, &steps))
            return false;
    }
    return true;
}

static bool same_part(tn_value a, tn_value b, const char *name, unsigned *steps)
{
    return same(tn_value_member(a, name), tn_value_member(b, name), steps);
}

static bool same_hint(tn_value a, tn_value b, const char *name)
{
    return tn_value_bool(tn_value_member(tn_value_member(a, "annotations"), name)) ==
           tn_value_bool(tn_value_member(tn_value_member(b, "annotations"), name));
}

bool call_expected(Pending *pending)
{
    McpServer *server = pending->server;
    const Catalogue *expected, *now;
    unsigned steps = STEPS_MOST;

    pthread_mutex_lock(&server->client->lock);
    expected = server->as_expected ? NULL : server->expected;
    now = server->catalogue;
    pthread_mutex_unlock(&server->client->lock);
    if (!expected || !now || now->shown.error)
        return true;
    tn_value before = catalogue_tool(expected, pending_name(pending));
    tn_value tool = catalogue_tool(now, pending_name(pending));
    bool gone = tn_value_type(tool) == TN_TYPE_NONE;
    if (tn_value_type(before) == TN_TYPE_NONE ||
        (!gone && same_part(before, tool, "inputSchema", &steps) &&
         same_part(before, tool, "outputSchema", &steps) &&
         same_hint(before, tool, "readOnlyHint") && same_hint(before, tool, "destructiveHint")))
        return true;
    call_fail(pending, "changed", true,
              "%s %s since its list was kept (version %.40s then, %.40s now). The call was not "
              "made; the new list is kept: check the program against it and run it again",
              gone ? "has no tool" : "has changed its tool", pending_name(pending),
              expected->shown.server_version[0] ? expected->shown.server_version : "unknown",
              now->shown.server_version[0] ? now->shown.server_version : "unknown");
    return false;
}
