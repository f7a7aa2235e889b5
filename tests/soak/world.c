#include "world.h"

#include "guest/abi.h"
#include "memory.h"

/* Any call answers its number at once: the tests want to be in and out of the guest. */
static void answer_call(void *context, const CallRequest *request, CallReply *out_reply)
{
    static const uint8_t seven[] = {7};
    (void)context, (void)request;

    *out_reply = (CallReply){.answer = CALL_ANSWER_VALUE, .bytes = seven, .length = sizeof seven};
}

static double answer_clock(void *context, bool wall)
{
    uint64_t ms = watch_now_ns() / 1000000u;
    (void)context;

    return wall ? 1767225600000.0 : (double)ms;
}

static void answer_random(void *context, uint8_t *bytes, size_t length)
{
    (void)context;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(i * 7 + 1);
}

static const ImageFunction functions[] = {
    {.name = "tools.test.echo"},
    {.name = "tools.test.fail"},
    {.name = "tools.test.slow"},
    {.name = "tools.test.count"},
    {.name = "host.now", .flags = TN_FUNCTION_SYNC},
};

bool world_open(World *world, bool guard)
{
    const tn_allocator *allocator = memory_default();

    *world = (World){.code = guard ? &engine_guard : &engine_checked,
                     .guard = guard,
                     .signal = watch_default_signal()};
    if (!CHECK(watch_start(world->signal, guard) == TN_OK))
        return false;
    if (!CHECK(image_new(allocator, world->code, world->signal, 0x1234567890abcdef,
                         0xfedcba0987654321, functions, sizeof functions / sizeof *functions,
                         &world->image) == TN_OK))
        return false;
    pool_init(&world->pool, allocator, world->image, world->signal, 16);
    return true;
}

void world_close(World *world)
{
    pool_release(&world->pool);
    image_free(memory_default(), world->image);
    watch_stop(world->signal, world->guard);
}

static RealmLimits limits_for(double wall_ms)
{
    return (RealmLimits){
        .memory_bytes = (uint64_t)24 << 20,
        .argument_bytes = 1 << 20,
        .reply_bytes = 1 << 20,
        .result_bytes = 1 << 20,
        .depth = 1000,
        .timers = 1000,
        .wall_deadline_ns = watch_now_ns() + (uint64_t)(wall_ms * 1e6),
    };
}

bool world_compile(World *world, const char *text, size_t length, ProgramCards *out_cards)
{
    RealmLimits limits = limits_for(3000);
    uint32_t answer = GUEST_COMPILE_FAILED;
    Realm realm;
    bool done;

    if (!CHECK(realm_open(&world->pool, NULL, &limits, NULL, NULL, &realm) == TN_OK))
        return false;
    done = realm_compile(&realm, text, length, "program.js", &answer) == REALM_OK &&
           answer == GUEST_COMPILED &&
           cards_capture(memory_default(), realm.slot, out_cards) == TN_OK;
    realm_close(&realm);
    return done;
}

bool world_run(World *world, const ProgramCards *cards, double wall_ms, Realm *out_realm)
{
    RealmLimits limits = limits_for(wall_ms);
    RealmWorld outside = {.clock_ms = answer_clock, .random = answer_random};
    CallPort port = {NULL, answer_call};

    return CHECK(realm_open(&world->pool, cards, &limits, &outside, &port, out_realm) == TN_OK);
}

RealmState world_finish(Realm *realm)
{
    RealmState state = realm_begin(realm, 1, false, NULL, 0);

    for (int turns = 0; state == REALM_WAITING && turns < 3; turns++)
        state = realm_turn(realm);
    realm_close(realm);
    return state;
}

/* ---- comparing ---- */

static bool all_zero(const uint8_t *bytes, size_t length)
{
    return length == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0);
}

/* Where the first difference is; SIZE_MAX if there is none. */
static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t length)
{
    if (memcmp(a, b, length) == 0)
        return SIZE_MAX;
    for (size_t i = 0; i < length; i++) {
        if (a[i] != b[i])
            return i;
    }
    return SIZE_MAX;
}

/* The instance and its table, as bytes: those of the image, but for addresses, which are the slot's
 * own. A word that was an address in the slot the image was made in is skipped there. */
static size_t instance_difference(const Slot *slot)
{
    const Image *image = slot->image;

    for (size_t at = 0; at + 8 <= ENGINE_HEADER_BYTES - sizeof(Slot *); at += 8) {
        uint64_t is, was;
        memcpy(&is, slot->instance + at, 8);
        memcpy(&was, image->header + at, 8);
        bool is_address = is - (uint64_t)(uintptr_t)slot->map < slot->map_bytes ||
                          is == (uint64_t)(uintptr_t)&slot->host;
        if (is != was && !is_address)
            return at;
    }
    return SIZE_MAX;
}

Look world_look(const Slot *slot)
{
    const Image *image = slot->image;
    size_t cards = ((size_t)64 << 20) / ENGINE_CARD_SIZE, where;

    where = first_difference(slot->base, image->bytes, image->size);
    if (where != SIZE_MAX)
        return (Look){"memory", where};
    if (!all_zero(slot->cards, cards))
        return (Look){"cards", 0};
    if (!all_zero(slot->base + image->size, slot->committed - image->size))
        return (Look){"growth", 0};
    if (slot->memory->size != image->size || slot->memory->pages != image->size / ENGINE_PAGE_BYTES)
        return (Look){"size", slot->memory->size};
    if (*slot_stack_pointer(slot) != image->stack_pointer)
        return (Look){"stack pointer", *slot_stack_pointer(slot)};
    where = instance_difference(slot);
    return where != SIZE_MAX ? (Look){"instance", where} : (Look){NULL, 0};
}
