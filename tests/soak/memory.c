/*
 * memory FOLDER...: after each program in the folders, and after generated ones, the slot is byte
 * for byte the image: its memory, its cards, what it grew by, its instance. So nothing of one run
 * can be seen by the next, whatever it was. A byte changed behind the cards' back is found, which
 * proves that the comparison can fail.
 */
#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

#include "../escape/case.h"
#include "memory.h"
#include "world.h"

static char **folders;
static int folder_count;

/* Slots are kept by processor: stay on one, and the slot given is the slot taken. */
static void stay_here(void)
{
    cpu_set_t here;
    int cpu = sched_getcpu();

    CPU_ZERO(&here);
    CPU_SET((size_t)(cpu < 0 ? 0 : cpu), &here);
    (void)sched_setaffinity(0, sizeof here, &here);
}

/* Run a text, and look at the slot that comes next: the one it ran in, if that was kept. */
static RealmState run_and_look(World *world, const char *text, size_t length, double wall_ms,
                               const char *name)
{
    RealmState state = REALM_REFUSED;
    ProgramCards cards;
    Realm realm;
    Slot *slot;
    Look look;

    if (world_compile(world, text, length, &cards)) {
        if (world_run(world, &cards, wall_ms, &realm))
            state = world_finish(&realm);
        cards_release(memory_default(), &cards);
    }
    slot = pool_take(&world->pool);
    if (!CHECK(slot != NULL))
        return state;
    look = world_look(slot);
    if (look.what)
        (void)fprintf(stderr, "    %s: the %s differs at %zx\n", name, look.what, look.where);
    CHECK(!look.what);
    if (look.what)
        slot_free(memory_default(), slot);
    else
        pool_give(&world->pool, slot);
    return state;
}

/* ---- the programs of files ---- */

static int is_case(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return length > 3 && strcmp(entry->d_name + length - 3, ".js") == 0;
}

static int run_folder(World *world, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_case, alphasort), run = 0;
    char path[4096];

    for (int i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        Case *one = case_read(path);
        if (one) {
            run_and_look(world, one->text, one->length, 40, entries[i]->d_name);
            run++;
        }
        case_free(one);
        free(entries[i]);
    }
    if (count >= 0)
        free((void *)entries);
    return run;
}

static void after_cases(bool guard)
{
    World world;
    int run = 0;

    if (!world_open(&world, guard))
        return;
    for (int i = 0; i < folder_count; i++)
        run += run_folder(&world, folders[i]);
    CHECK_SAY(run >= 70, "only %d cases were found", run);
    world_close(&world);
}

static void after_cases_guard(void)
{
    after_cases(true);
}

static void after_cases_checked(void)
{
    after_cases(false);
}

/* ---- generated programs ---- */

static uint64_t seed = 0x243f6a8885a308d3u;

static unsigned pick(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % below);
}

static const char *const pieces[] = {
    "kept.push(new Uint8Array(%u).fill(%u));",
    "kept.push('s%u'.repeat(%u %% 3000));",
    "globalThis['g%u'] = { n: %u };",
    "Array.prototype['p%u'] = %u; Object.prototype['q%u'] = 1;",
    "for (let i = 0; i < %u %% 2000; i++) kept.push({ i, f() { return %u; } });",
    "try { (function f(n) { n > %u || f(n + 1); })(%u %% 10); } catch {}",
    "kept.length = 0; kept.push(%u, %u);",
    "JSON.parse(JSON.stringify(kept.slice(0, %u %% 50))); Symbol.for('r%u');",
    "await null; queueMicrotask(() => kept.push(%u, %u));",
    "/(\\d+)-(\\d+)/.exec('%u-%u'); 'ab'.normalize('NFD');",
    "kept.push(new Map([[%u, %u]]), new Set([1]), new Date(%u), 3n ** 9n);",
    "setTimeout(() => kept.push(%u), %u %% 3); console.log(kept.length);",
    "try { null[%u]; } catch (e) { kept.push(e.stack, %u); }",
    "delete Array.prototype.map; JSON.x%u = %u; console.log = null;",
    "kept.push(new Function('return %u + %u'));",
    "function* g%u() { for (;;) yield %u; } kept.push(g%u().next());",
    "kept.push(host.now(%u, 'x'.repeat(%u %% 5000)));",
    "for (let i = 0, d = []; i < %u %% 3000; i++) { d = [d]; kept[%u %% 7] = d; }",
};

static size_t write_program(char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "const kept = [];\n");
    unsigned lines = 3 + pick(12);

    for (unsigned i = 0; i < lines && length + 200 < size; i++) {
        char line[200];
        unsigned n = pick(100000);
        (void)snprintf(line, sizeof line, pieces[pick(sizeof pieces / sizeof *pieces)], n,
                       pick(60000), n, n);
        length += (size_t)snprintf(text + length, size - length, "{ %s }\n", line);
    }
    length += (size_t)snprintf(text + length, size - length,
                               pick(4)   ? "kept.length"
                               : pick(2) ? "throw kept"
                                         : "for (;;);");
    return length;
}

static void after_generated(void)
{
    World world;
    char text[4096];
    int well = 0;

    if (!world_open(&world, true))
        return;
    for (int i = 0; i < (CHECK_ASAN ? 100 : 400) && check_wrong_ <= 3; i++) {
        size_t length = write_program(text, sizeof text);
        well += run_and_look(&world, text, length, 15, text) == REALM_OK;
    }
    CHECK_SAY(well > 20, "only %d of them ran to their end", well);
    world_close(&world);
}

/* ---- the comparison can fail ---- */

static void differences_are_seen(void)
{
    World world;
    Slot *slot;
    Look look;

    if (!world_open(&world, true) || !CHECK((slot = pool_take(&world.pool)) != NULL))
        return;
    CHECK(world_look(slot).what == NULL);
    slot->base[slot->image->size / 2] ^= 1;
    look = world_look(slot);
    CHECK(look.what && strcmp(look.what, "memory") == 0 && look.where == slot->image->size / 2);
    slot->base[slot->image->size / 2] ^= 1;
    slot->cards[77] = 1;
    CHECK(world_look(slot).what != NULL);
    slot->cards[77] = 0;
    slot->instance[slot->code->memory_offset + 8] ^= 1;
    CHECK(world_look(slot).what != NULL);
    slot->instance[slot->code->memory_offset + 8] ^= 1;
    /* a store that no card tells of stays; one that is told of does not */
    slot->base[1000] ^= 1;
    slot_reset(slot);
    CHECK(world_look(slot).what != NULL);
    slot_mark(slot, 1000, 1);
    slot_reset(slot);
    CHECK(world_look(slot).what == NULL);
    pool_give(&world.pool, slot);
    world_close(&world);
}

int main(int argc, char **argv)
{
    folders = argv + 1;
    folder_count = argc - 1;
    stay_here();
    return RUN(1, argv, {"differences are seen", differences_are_seen},
               {"after cases", after_cases_guard}, {"after cases, checked", after_cases_checked},
               {"after generated programs", after_generated});
}
