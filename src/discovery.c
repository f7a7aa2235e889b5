/* What an engine offers, asked for by search and by name. */
#include <string.h>

#include "base.h"
#include "bound.h"
#include "discover.h"
#include "fetch.h"
#include "memory.h"
#include "text.h"
#include "discovery.h"

enum { TOKEN_BYTES = 4, TOKENS_DEFAULT = 2000, ANSWER_BYTES_MOST = 1 << 20 };

/* ---- the inventory, and those of policies ---- */

static void view_free(const tn_engine *engine, View *view)
{
    if (!view)
        return;
    inventory_free(view->inventory);
    arena_release(&view->arena);
    memory_free(&engine->allocator, view, sizeof *view);
}

/* As programs under the policy see it: without what is denied, and what is bound. */
static tn_status fill_view(tn_engine *engine, const tn_policy *policy, View *view)
{
    size_t count = engine->declaration_count;
    Declaration *declarations = ARENA_ARRAY(&view->arena, Declaration, count + 1);
    DeclaredText *texts = ARENA_ARRAY(&view->arena, DeclaredText, count + 1);

    if (!declarations || !texts)
        return TN_ERR_NOMEM;
    if (count > 0)
        memcpy(declarations, engine->declarations, count * sizeof *declarations);
    TRY(bound_declarations(&view->arena, policy, declarations, count));
    /* what nobody declared is shown as that */
    count -= count > 0 && strcmp(declarations[count - 1].name, MISSING_DECLARATIONS) == 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(declarations[i].name, FETCH_DECLARATION) == 0)
            TRY(fetch_said(&view->arena, policy, &declarations[i]));
        texts[i] =
            (DeclaredText){declarations[i].name, declarations[i].text, declarations[i].length};
    }
    return inventory_new(&engine->allocator, &engine->registry, policy, texts, count,
                         &view->inventory);
}

static tn_status view_new(tn_engine *engine, const tn_policy *policy, uint64_t shown,
                          View **out_view)
{
    View *view = memory_new(&engine->allocator, sizeof *view);
    tn_status status;

    if (!view)
        return TN_ERR_NOMEM;
    arena_init(&view->arena, &engine->allocator, SIZE_MAX);
    view->shown = shown;
    status = fill_view(engine, shown ? policy : NULL, view);
    if (status == TN_OK)
        *out_view = view;
    else
        view_free(engine, view);
    return status;
}

static View *find_view(tn_engine *engine, uint64_t shown)
{
    for (size_t i = 0; i < VIEWS_KEPT; i++) {
        if (engine->views[i] && engine->views[i]->shown == shown)
            return engine->views[i];
    }
    return NULL;
}

/* In the place of the one that was asked for least lately; where all are in use it is not kept. */
static void keep_view(tn_engine *engine, View *view)
{
    View **oldest = NULL;

    for (size_t i = 0; i < VIEWS_KEPT; i++) {
        View **one = &engine->views[i];
        if (!*one ||
            ((*one)->readers == 0 && (!oldest || (*oldest && (*one)->asked < (*oldest)->asked))))
            oldest = one;
    }
    if (!oldest)
        return;
    view_free(engine, *oldest);
    *oldest = view;
    view->kept = true;
}

/* Made by whoever asks first; from then on they are only read. */
tn_status discovery_take(tn_engine *engine, const tn_policy *policy, View **out_view)
{
    uint64_t shown = policy ? rules_shown(policy) : 0;
    tn_status status = TN_OK;
    View *view;

    pthread_mutex_lock(&engine->lock);
    view = find_view(engine, shown);
    if (!engine->ready)
        status = TN_ERR_STATE;
    else if (!view)
        status = view_new(engine, policy, shown, &view);
    if (status == TN_OK) {
        if (!view->kept)
            keep_view(engine, view);
        view->readers++;
        view->asked = ++engine->views_asked;
        *out_view = view;
    }
    pthread_mutex_unlock(&engine->lock);
    return status;
}

void discovery_give_back(tn_engine *engine, View *view)
{
    pthread_mutex_lock(&engine->lock);
    view->readers--;
    if (!view->kept)
        view_free(engine, view);
    pthread_mutex_unlock(&engine->lock);
}

void discovery_free(tn_engine *engine)
{
    for (size_t i = 0; i < VIEWS_KEPT; i++)
        view_free(engine, engine->views[i]);
}

/* ---- the questions ---- */

typedef tn_status (*Question)(Inventory *inventory, const char *words, size_t budget, Buf *out);

static tn_status ask(tn_engine *engine, Question question, const char *words, unsigned tokens,
                     const tn_policy *policy, char **out_text, size_t *out_length)
{
    size_t budget = (size_t)(tokens ? tokens : TOKENS_DEFAULT) * TOKEN_BYTES;
    View *view;
    Buf buf;
    tn_status status = discovery_take(engine, policy, &view);

    if (status != TN_OK)
        return status;
    text_begin(&buf, &engine->allocator, ANSWER_BYTES_MOST);
    status = question(view->inventory, words ? words : "",
                      budget < ANSWER_BYTES_MOST ? budget : ANSWER_BYTES_MOST, &buf);
    discovery_give_back(engine, view);
    if (status != TN_OK) {
        buf_release(&buf);
        return status;
    }
    return text_finish(&buf, out_text, out_length);
}

tn_status tn_engine_search(tn_engine *engine, const char *query, unsigned tokens,
                           const tn_policy *policy, char **out_text, size_t *out_length)
{
    return ask(engine, inventory_search, query, tokens, policy, out_text, out_length);
}

tn_status tn_engine_describe(tn_engine *engine, const char *names, unsigned tokens,
                             const tn_policy *policy, char **out_text, size_t *out_length)
{
    return ask(engine, inventory_describe, names, tokens, policy, out_text, out_length);
}
