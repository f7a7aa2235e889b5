/* Which functions fit these words? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alike.h"
#include "answer.h"
#include "near.h"
#include "plain.h"
#include "split.h"

enum { WORDS_MAX = 16, LAST_LINE_BYTES = 110, QUERY_SHOWN_BYTES = 80 };

/* ---- the form ---- */

static const void *package_of(const Item *item)
{
    return item->package;
}

static void put_package(Buf *out, const Item *item)
{
    const Package *package = item->package;

    if (package->imported) {
        buf_append_string(out, "// import { ... } from ");
        put_quoted(out, package->name, strlen(package->name));
    } else {
        buf_append_string(out, "// ");
        buf_append_string(out, package->name[0] ? package->name : "global");
    }
    buf_append_byte(out, '\n');
}

static void put_nothing(Buf *out, const Item *item)
{
    (void)out;
    (void)item;
}

static void put_item(Buf *out, const Item *item)
{
    buf_append_string(out, item->line);
    if (item->kind != ITEM_TYPE && item->summary[0]) {
        buf_append_string(out, " // ");
        buf_append_string(out, item->summary);
    }
    buf_append_byte(out, '\n');
}

static const Form form = {.group = package_of,
                          .open = put_package,
                          .close = put_nothing,
                          .put = put_item,
                          .remedy = "search with other words or raise tokens"};

/* ---- ranking ---- */

typedef struct Hit {
    const Item *item;
    double score;
    unsigned tier;  /* 2: it is named; 1: its package is */
    unsigned words; /* that it has */
} Hit;

typedef struct Ranking {
    const Inventory *inventory;
    Buf notes; /* what was looked for instead */
    size_t notes_most;
    Hit *hits;       /* of the items */
    double *weights; /* of this word */
    double factor;   /* for words that only mean the like */
    uint32_t found;
    unsigned words, words_best;
} Ranking;

static bool is_stop_word(const char *word)
{
    static const char stop_words[] =
        " a am an and any are as at be by can could do does for from has have how i if in into "
        "is it its me my need of on or our please should so some that the their them then there "
        "these this those to us want was we what when where which who will with would you your ";
    char padded[WORD_BYTES_MAX + 3] = " ";

    strcat(padded, word);
    return strstr(stop_words, strcat(padded, " ")) != NULL;
}

static void note_weight(void *context, uint32_t id, double weight)
{
    Ranking *ranking = context;

    if (id >= ranking->inventory->count)
        return;
    weight *= ranking->factor;
    if (ranking->weights[id] < weight)
        ranking->weights[id] = weight;
    ranking->found++;
}

/* A word weighs more the fewer have it; within those that do, what counts is where, and how short
 * the name is. */
static void add_weights(Ranking *ranking)
{
    double rarity = log(1.0 + (double)ranking->inventory->functions / ranking->found);

    for (uint32_t i = 0; i < ranking->inventory->count; i++) {
        if (ranking->weights[i] <= 0)
            continue;
        unsigned words = ranking->hits[i].item->name_words;
        ranking->hits[i].score += rarity * ranking->weights[i] * (1.0 + 0.5 / (words + 1));
        ranking->hits[i].words++;
        ranking->weights[i] = 0;
    }
}

/* The word that was meant, if one is near. */
static const char *meant_word(const Inventory *inventory, const char *word)
{
    unsigned most = near_most(strlen(word));
    const char *nearest = NULL;

    for (uint32_t i = 0; i < inventory->word_count && most > 0; i++) {
        unsigned far = near_distance(word, inventory->vocabulary[i], most);
        if (far > 0 && far <= most && !is_stop_word(inventory->vocabulary[i])) {
            nearest = inventory->vocabulary[i];
            most = far - 1;
        }
    }
    return nearest;
}

/* What is said in other words, for less. How rare a word is goes by itself, if anybody has it. */
static tn_status look_for_alike(Ranking *ranking, const char *word)
{
    const char *group = alike_group(word);
    uint32_t found = ranking->found;
    tn_status status = TN_OK;

    ranking->factor = 0.4;
    while (group && *++group && status == TN_OK) {
        char other[WORD_BYTES_MAX + 1] = "";
        size_t length = strcspn(group, " ");
        memcpy(other, group, length);
        if (strcmp(other, word) != 0)
            status = finder_word(ranking->inventory->finder, other, NULL, note_weight, ranking);
        group += length;
    }
    if (found > 0)
        ranking->found = found;
    return status;
}

static tn_status look_for(Ranking *ranking, const char *word, const char *whole)
{
    tn_status status;

    ranking->found = 0;
    ranking->factor = 1;
    status = finder_word(ranking->inventory->finder, word, whole, note_weight, ranking);
    if (status == TN_OK)
        status = look_for_alike(ranking, word);
    if (status == TN_OK && ranking->found > 0)
        add_weights(ranking);
    return status;
}

static tn_status rank_word(Ranking *ranking, const Split *split)
{
    const char *whole = split->whole[0] ? split->whole : NULL;
    tn_status status = look_for(ranking, split->word, whole);
    const char *meant;

    ranking->words++;
    if (status != TN_OK || ranking->found > 0)
        return status;
    meant = meant_word(ranking->inventory, split->word);
    if (!meant)
        return TN_OK;
    size_t before = ranking->notes.length;
    buf_append_string(&ranking->notes, "// no \"");
    plain_line(&ranking->notes, split->word, strlen(split->word), QUERY_SHOWN_BYTES);
    buf_append_string(&ranking->notes, "\" here: looked for \"");
    buf_append_string(&ranking->notes, meant);
    buf_append_string(&ranking->notes, "\"\n");
    if (ranking->notes.length > ranking->notes_most)
        buf_truncate(&ranking->notes, before);
    return look_for(ranking, meant, NULL);
}

static tn_status rank_words(Ranking *ranking, const char *query)
{
    Split split = split_begin(query, strlen(query)), again = split;
    unsigned count = 0;
    bool only_stop_words = true;
    tn_status status = TN_OK;

    while (only_stop_words && count++ < WORDS_MAX && split_next(&again))
        only_stop_words = is_stop_word(again.word);
    for (count = 0; count < WORDS_MAX && status == TN_OK && split_next(&split); count++) {
        if (only_stop_words || !is_stop_word(split.word))
            status = rank_word(ranking, &split);
    }
    return status;
}

static bool same_name(const char *a, const char *b, size_t length)
{
    return strlen(a) == length && strncasecmp(a, b, length) == 0;
}

/* Is the query the name of it, or of its package? */
static unsigned tier_of(const Item *item, const char *query, size_t length)
{
    if (same_name(item->name, query, length) || same_name(item_name_in(item), query, length))
        return 2;
    return length > 0 && same_name(item->package->name, query, length);
}

static int compare_hits(const void *a, const void *b)
{
    const Hit *left = a, *right = b;

    if (left->tier != right->tier)
        return left->tier > right->tier ? -1 : 1;
    if (left->score != right->score && left->tier != 1)
        return left->score > right->score ? -1 : 1;
    return left->item->index < right->item->index ? -1 : left->item->index > right->item->index;
}

/* Those that fit at all: of many words half of those that the best one has, and not much less
 * weight. */
static uint32_t keep_hits(Ranking *ranking)
{
    double best = 0, least = 0.1;
    uint32_t count = 0;

    for (uint32_t i = 0; i < ranking->inventory->count; i++) {
        Hit *hit = &ranking->hits[i];
        double share = ranking->words ? (double)hit->words / ranking->words : 0;
        hit->score *= share * share;
        best = hit->score > best ? hit->score : best;
        least = hit->tier == 2 ? 0.5 : least; /* it was named: little else is meant */
        ranking->words_best = hit->words > ranking->words_best ? hit->words : ranking->words_best;
    }
    for (uint32_t i = 0; i < ranking->inventory->count; i++) {
        const Hit hit = ranking->hits[i];
        bool fits =
            hit.words > 0 && hit.words * 2 >= ranking->words_best && hit.score >= best * least;
        if (hit.item->listed && (hit.tier > 0 || fits))
            ranking->hits[count++] = hit;
    }
    qsort(ranking->hits, count, sizeof *ranking->hits, compare_hits);
    return count;
}

/* The hits, best first, at the head of `hits`. */
static tn_status rank(Ranking *ranking, Arena *arena, const char *query, uint32_t *out_count)
{
    const Inventory *inventory = ranking->inventory;
    size_t length = strlen(query);
    tn_status status;

    ranking->hits = ARENA_ARRAY(arena, Hit, inventory->count + 1);
    ranking->weights = ARENA_ARRAY(arena, double, inventory->count + 1);
    if (!ranking->hits || !ranking->weights)
        return arena_status(arena);
    while (length > 0 && strchr(" .*\n\t", query[length - 1]))
        length--;
    for (uint32_t i = 0; i < inventory->count; i++) {
        const Item *item = inventory->items[i];
        ranking->hits[i].item = item;
        ranking->hits[i].tier = item->listed ? tier_of(item, query, length) : 0;
    }
    status = rank_words(ranking, query);
    if (status == TN_OK)
        status = buf_status(&ranking->notes);
    if (status == TN_OK)
        *out_count = keep_hits(ranking);
    return status;
}

/* ---- everything ---- */

static void put_head(Buf *out, const Package *package)
{
    if (package->imported) {
        buf_append_string(out, "import ");
        put_quoted(out, package->name, strlen(package->name));
    } else {
        buf_append_string(out, package->name[0] ? package->name : "global");
    }
    buf_append_string(out, " (");
    buf_append_uint(out, package->count);
    buf_append_byte(out, ')');
}

static const char *short_name(const Item *item)
{
    size_t length = strlen(item->package->name);

    if (length > 0 && strncmp(item->name, item->package->name, length) == 0)
        return item->name + length + (item->name[length] == '.');
    return item->name;
}

/* The names in one package, as many as there is room for. */
static void put_names(const Inventory *inventory, const Package *package, Buf *out, size_t room)
{
    size_t start = out->length;
    const char *before = "";

    put_head(out, package);
    for (uint32_t i = 0; i < inventory->count; i++) {
        const Item *item = inventory->items[i];
        if (item->package != package || !item->listed || strcmp(item->name, before) == 0)
            continue;
        const char *name = short_name(item);
        if (out->length - start + strlen(name) + 2 + 6 > room) {
            buf_append_string(out, *before ? ", ..." : "");
            break;
        }
        buf_append_string(out, *before ? ", " : ": ");
        buf_append_string(out, name);
        before = item->name;
    }
    buf_append_byte(out, '\n');
}

/* Signatures do not fit: names, each package with its share of the room. */
static void put_packages(const Inventory *inventory, Buf *out, size_t room)
{
    size_t end = out->length + room;
    uint32_t left = 0;

    for (const Package *package = inventory->packages; package; package = package->next)
        left += package->count > 0;
    for (const Package *package = inventory->packages; package; package = package->next) {
        size_t before = out->length;
        if (package->count == 0)
            continue;
        put_names(inventory, package, out, (end - before) / left--);
        if (out->length <= end)
            continue;
        buf_truncate(out, before);
        buf_append_string(out, out->length + 32 < end ? "... and more packages\n" : "");
        break;
    }
}

static tn_status list_all(const Inventory *inventory, size_t room, Buf *out)
{
    Answer answer;
    tn_status status = answer_begin(&answer, inventory, &form, room);

    for (const Package *package = inventory->packages; package && status == TN_OK;
         package = package->next) {
        for (uint32_t i = 0; package->count > 0 && i < inventory->count && !answer.full; i++) {
            if (inventory->items[i]->package == package && inventory->items[i]->listed)
                answer_choose(&answer, inventory->items[i]);
        }
    }
    for (uint32_t i = 0, count = answer.chosen_count; i < count && !answer.full; i++)
        answer_choose_needs(&answer, answer.chosen[i], SIZE_MAX);
    if (status == TN_OK)
        status = arena_status(&answer.arena);
    if (status == TN_OK && !answer.full) {
        answer_write(&answer, out);
    } else if (status == TN_OK) {
        put_packages(inventory, out, room);
        buf_append_string(out, "PARTIAL (");
        buf_append_uint(out, inventory->functions);
        buf_append_string(out, " more: search with words for signatures)\n");
    }
    answer_release(&answer);
    return status;
}

/* ---- the question ---- */

static void put_no_hits(const Inventory *inventory, const char *query, size_t room, Buf *out)
{
    size_t start = out->length;

    buf_append_string(out, "// nothing here fits \"");
    plain_line(out, query, strlen(query), QUERY_SHOWN_BYTES);
    buf_append_string(out, "\"; what there is:\n");
    put_packages(inventory, out, room - (out->length - start));
    buf_append_string(out, "COMPLETE\n");
}

static void put_nothing_at_all(Buf *out)
{
    buf_append_string(out, "// nothing can be called here: no function was added or declared\n"
                           "COMPLETE\n");
}

tn_status inventory_search(Inventory *inventory, const char *query, size_t budget, Buf *out)
{
    Ranking ranking = {.inventory = inventory};
    Split words = split_begin(query, strlen(query));
    size_t room = (budget < ANSWER_BYTES_MIN ? ANSWER_BYTES_MIN : budget) - LAST_LINE_BYTES;
    uint32_t count = 0;
    Answer answer;
    tn_status status;

    if (inventory->functions == 0) {
        put_nothing_at_all(out);
        return buf_status(out);
    }
    if (!split_next(&words))
        return list_all(inventory, room, out);
    status = answer_begin(&answer, inventory, &form, room);
    buf_init(&ranking.notes, &inventory->allocator, SIZE_MAX);
    ranking.notes_most = room / 3;
    if (status == TN_OK)
        status = rank(&ranking, &answer.arena, query, &count);
    if (status == TN_OK && count == 0)
        put_no_hits(inventory, query, room, out);
    answer.used = ranking.notes.length;
    for (uint32_t i = 0; i < count; i++) {
        answer_choose(&answer, ranking.hits[i].item);
        if (!answer.full)
            answer_choose_needs(&answer, ranking.hits[i].item, room / 3);
    }
    if (status == TN_OK)
        status = arena_status(&answer.arena);
    if (status == TN_OK && count > 0) {
        buf_append(out, ranking.notes.data, ranking.notes.length);
        answer_write(&answer, out);
    }
    buf_release(&ranking.notes);
    answer_release(&answer);
    return status == TN_OK ? buf_status(out) : status;
}
