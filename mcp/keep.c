/* Values that were too long to be shown: resources with an address, read in pieces. */
#include "inside.h"

#include <limits.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool keep_value(Door *door, unsigned number, const char *json, size_t length)
{
    Kept *place = &door->kept[number % KEPT_MAX];
    char *copy = malloc(length + 1);

    if (!copy)
        return false;
    memcpy(copy, json, length);
    copy[length] = '\0';
    pthread_mutex_lock(&door->lock);
    free(place->json);
    place->number = number;
    place->json = copy;
    place->length = length;
    pthread_mutex_unlock(&door->lock);
    return true;
}

void keep_release(Door *door)
{
    for (size_t i = 0; i < KEPT_MAX; i++)
        free(door->kept[i].json);
}

void resources_list(const Request *request)
{
    Door *door = request->door;
    const DoorConfig *config = door->options.config;
    tn_writer *writer = result_begin(request);
    char text[96];

    if (writer) {
        tn_put_key(writer, "resources");
        tn_put_array_begin(writer);
        for (size_t i = 0; config && i < config->count; i++) {
            if (config->items[i].kind == ITEM_RESOURCE)
                put_item(writer, &config->items[i]);
        }
        pthread_mutex_lock(&door->lock);
        for (size_t i = 0; i < KEPT_MAX; i++) {
            const Kept *kept = &door->kept[i];
            if (kept->number == 0)
                continue;
            tn_put_object_begin(writer);
            (void)snprintf(text, sizeof text, "tenon://run/%u/value", kept->number);
            put_text(writer, "uri", text);
            (void)snprintf(text, sizeof text, "value of run %u", kept->number);
            put_text(writer, "name", text);
            put_text(writer, "mimeType", "application/json");
            tn_put_key(writer, "size");
            tn_put_int(writer, (int64_t)kept->length);
            tn_put_object_end(writer);
        }
        pthread_mutex_unlock(&door->lock);
        tn_put_array_end(writer);
        put_lifetime(request, writer, 0);
    }
    result_end(request, writer);
}

/* "tenon://run/7/value?from=20000&bytes=20000"; without a query it is all of it: half of a JSON
 * text that does not say so is of no use. */
typedef struct Address {
    unsigned number;
    unsigned long from, bytes;
} Address;

static bool read_address(const char *uri, size_t length, Address *out)
{
    char text[200], *query;
    int end = 0;

    if (!uri || length >= sizeof text)
        return false;
    memcpy(text, uri, length);
    text[length] = '\0';
    *out = (Address){.bytes = ULONG_MAX};
    if (sscanf(text, "tenon://run/%9u/value%n", &out->number, &end) < 1 || end == 0)
        return false;
    query = text + end;
    if (*query == '\0')
        return true;
    if (*query != '?')
        return false;
    for (char *rest = query + 1, *part; (part = strsep(&rest, "&"));) {
        if (sscanf(part, "from=%18lu", &out->from) != 1 &&
            sscanf(part, "bytes=%18lu", &out->bytes) != 1)
            return false;
    }
    return true;
}

static bool inside_character(const char *text, size_t at)
{
    return ((unsigned char)text[at] & 0xC0) == 0x80;
}

void resources_read(Request *request)
{
    Door *door = request->door;
    size_t length, from = 0, to = 0;
    const char *uri = member_text(request->params, "uri", &length);
    Address address;
    char *piece = NULL;

    if (resource_item(request, uri, length))
        return;
    if (read_address(uri, length, &address)) {
        pthread_mutex_lock(&door->lock);
        const Kept *kept = &door->kept[address.number % KEPT_MAX];
        if (address.number != 0 && kept->number == address.number) {
            from = address.from < kept->length ? address.from : kept->length;
            to = address.bytes < kept->length - from ? from + address.bytes : kept->length;
            while (from < to && inside_character(kept->json, from))
                from++;
            while (to < kept->length && to > from && inside_character(kept->json, to))
                to--;
            piece = malloc(to - from + 1);
            if (piece)
                memcpy(piece, kept->json + from, to - from);
        }
        pthread_mutex_unlock(&door->lock);
    }
    if (!piece) {
        answer_error_about(request, WRONG_PARAMS,
                           "there is no such resource: values are kept of the last runs only",
                           "uri", uri ? uri : "", length);
        return;
    }
    tn_writer *writer = result_begin(request);
    if (writer) {
        tn_put_key(writer, "contents");
        tn_put_array_begin(writer);
        tn_put_object_begin(writer);
        put_text_of(writer, "uri", uri, length);
        put_text(writer, "mimeType", "application/json");
        put_text_of(writer, "text", piece, to - from);
        tn_put_object_end(writer);
        tn_put_array_end(writer);
        put_lifetime(request, writer, 60000);
    }
    result_end(request, writer);
    free(piece);
}
