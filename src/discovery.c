/* What an engine offers, asked for by search and by name. */
#include <string.h>

#include "discover.h"
#include "memory.h"
#include "text.h"
#include "whole.h"

enum { TOKEN_BYTES = 4, TOKENS_DEFAULT = 2000, ANSWER_BYTES_MOST = 1 << 20 };

static tn_status make_inventory(tn_engine *engine)
{
    size_t count = engine->declaration_count;
    DeclaredText *texts = memory_new(&engine->allocator, (count + 1) * sizeof *texts);
    tn_status status;

    if (!texts)
        return TN_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        const Declaration *given = &engine->declarations[i];
        texts[i] = (DeclaredText){given->name, given->text, given->length};
    }
    status = inventory_new(&engine->allocator, &engine->registry, texts, count, &engine->inventory);
    memory_free(&engine->allocator, texts, (count + 1) * sizeof *texts);
    return status;
}

/* Made by whoever asks first; from then on it is only read. */
static tn_status take_inventory(tn_engine *engine, Inventory **out_inventory)
{
    tn_status status = TN_OK;

    pthread_mutex_lock(&engine->lock);
    if (!engine->image)
        status = TN_ERR_STATE;
    else if (!engine->inventory)
        status = make_inventory(engine);
    *out_inventory = engine->inventory;
    pthread_mutex_unlock(&engine->lock);
    return status;
}

typedef tn_status (*Question)(Inventory *inventory, const char *words, size_t budget, Buf *out);

static tn_status ask(tn_engine *engine, Question question, const char *words, unsigned tokens,
                     char **out_text, size_t *out_length)
{
    size_t budget = (size_t)(tokens ? tokens : TOKENS_DEFAULT) * TOKEN_BYTES;
    Inventory *inventory;
    Buf buf;
    tn_status status = take_inventory(engine, &inventory);

    if (status != TN_OK)
        return status;
    text_begin(&buf, &engine->allocator, ANSWER_BYTES_MOST);
    status = question(inventory, words ? words : "",
                      budget < ANSWER_BYTES_MOST ? budget : ANSWER_BYTES_MOST, &buf);
    if (status != TN_OK) {
        buf_release(&buf);
        return status;
    }
    return text_finish(&buf, out_text, out_length);
}

tn_status tn_engine_search(tn_engine *engine, const char *query, unsigned tokens, char **out_text,
                           size_t *out_length)
{
    return ask(engine, inventory_search, query, tokens, out_text, out_length);
}

tn_status tn_engine_describe(tn_engine *engine, const char *names, unsigned tokens, char **out_text,
                             size_t *out_length)
{
    return ask(engine, inventory_describe, names, tokens, out_text, out_length);
}
