#include "realm.h"

#include <string.h>

#include "guest/abi.h"

/* ---- reading what the guest left ---- */

static GuestMailbox *mailbox_of(const Realm *realm)
{
    /* the address is the image's own, taken when it was made */
    return (GuestMailbox *)(void *)(realm->slot->base + realm->slot->image->mailbox);
}

const struct GuestMailbox *realm_mailbox(const Realm *realm)
{
    return mailbox_of(realm);
}

const uint8_t *realm_out(const Realm *realm, size_t *out_length)
{
    const GuestMailbox *mailbox = mailbox_of(realm);
    uint32_t length = mailbox->out_length;
    const uint8_t *bytes = slot_bytes(realm->slot, mailbox->out_address, length);

    *out_length = bytes ? length : 0;
    return bytes;
}

/* ---- one stay ---- */

typedef struct Stay {
    Realm *realm;
    enum {
        COMPILE,
        BEGIN,
        TURN,
        DELIVER,
        INVOKE,
        EXPORTS,
        HOLD,
        DROP,
        WAITING_AT,
        REJECTIONS
    } what;
    const void *bytes, *name;
    size_t length, name_length;
    uint32_t call_id, function, failed;
    uint32_t how, held; /* of INVOKE, DROP */
    uint32_t answer;
    uint64_t wide_answer;
} Stay;

/* Copy bytes into the guest, NUL behind them: its address, or 0. */
static uint32_t put(Slot *slot, const void *bytes, size_t length)
{
    uint32_t address;
    uint8_t *place;

    if (length >= UINT32_MAX)
        return 0;
    address = slot->code->buffer(slot->instance, (uint32_t)length + 1);
    place = slot_bytes(slot, address, length + 1);
    if (!address || !place)
        return 0;
    slot_mark(slot, address, length + 1);
    if (length > 0)
        memcpy(place, bytes, length);
    place[length] = 0;
    return address;
}

static uint32_t compile_in(Stay *stay, Slot *slot)
{
    uint32_t text = put(slot, stay->bytes, stay->length);
    uint32_t name = put(slot, stay->name, stay->name_length);

    if (!text || !name)
        return GUEST_COMPILE_FAILED;
    return slot->code->compile(slot->instance, text, (uint32_t)stay->length, name);
}

static uint32_t invoke_in(Stay *stay, Slot *slot)
{
    uint32_t name = put(slot, stay->name, stay->name_length);
    uint32_t arguments = put(slot, stay->bytes, stay->length);

    if (!name || !arguments)
        return GUEST_FAILED;
    return slot->code->invoke(slot->instance, stay->how, stay->held, name,
                              (uint32_t)stay->name_length, arguments, (uint32_t)stay->length);
}

/* On the guest's stack. */
static void stay_inside(void *argument)
{
    Stay *stay = argument;
    Slot *slot = stay->realm->slot;
    const EngineCode *code = slot->code;
    uint32_t address = 0;

    switch (stay->what) {
    case COMPILE:
        stay->answer = compile_in(stay, slot);
        break;
    case BEGIN:
        if (stay->length > 0)
            address = put(slot, stay->bytes, stay->length);
        stay->answer = stay->length > 0 && !address
                           ? (uint32_t)GUEST_FAILED
                           : code->begin(slot->instance, address, (uint32_t)stay->length);
        break;
    case TURN:
        stay->answer = code->turn(slot->instance);
        break;
    case DELIVER:
        address = put(slot, stay->bytes, stay->length);
        stay->answer = address ? code->deliver(slot->instance, stay->call_id, stay->function,
                                               stay->failed, address, (uint32_t)stay->length)
                               : (uint32_t)GUEST_FAILED;
        break;
    case INVOKE:
        stay->answer = invoke_in(stay, slot);
        break;
    case EXPORTS:
    case HOLD:
        address = put(slot, stay->name, stay->name_length);
        if (address)
            stay->answer = (stay->what == HOLD ? code->hold : code->exports)(
                slot->instance, address, (uint32_t)stay->name_length);
        break;
    case DROP:
        code->drop(slot->instance, stay->held);
        break;
    case WAITING_AT:
        stay->wide_answer = code->waiting(slot->instance);
        break;
    case REJECTIONS:
        stay->answer = code->rejections(slot->instance);
        break;
    }
}

static EnterResult stay(Realm *realm, Stay *stay)
{
    Slot *slot = realm->slot;
    Entry entry = {
        .slot = slot,
        .wall_deadline_ns = realm->limits.wall_deadline_ns,
        .cancel = realm->entry.cancel,
        .stop_flag = (volatile uint32_t *)(void *)(slot->base + slot->image->stop_flag),
        .signal = realm->pool->signal,
        .grace_ms = realm->pool->grace_ms,
    };
    EnterResult result;

    if (realm->limits.cpu_ns)
        entry.cpu_left_ns = realm->limits.cpu_ns > realm->cpu_used_ns
                                ? realm->limits.cpu_ns - realm->cpu_used_ns
                                : 1;
    if (realm->dead)
        return ENTER_TRAPPED;
    /* used up before: a stay shorter than a tick would never be asked */
    if (realm->limits.cpu_ns && realm->cpu_used_ns >= realm->limits.cpu_ns)
        watch_ask(&entry, STOP_CPU);
    stay->realm = realm;
    slot->host.realm = realm;
    result = watch_enter(&entry, stay_inside, stay);
    realm->cpu_used_ns += entry.cpu_used_ns;
    if (entry.stop != STOP_NONE && realm->stop == STOP_NONE)
        realm->stop = entry.stop;
    if (result == ENTER_ABANDONED || result == ENTER_TRAPPED)
        realm->dead = true;
    if (result == ENTER_TRAPPED)
        realm->trap = entry.trap;
    /* asked to stop and then trapped on the way: it was the stop */
    if (result == ENTER_TRAPPED && entry.stop != STOP_NONE)
        result = ENTER_ABANDONED;
    return result;
}

static RealmState state_of(EnterResult result, uint32_t answer)
{
    static const RealmState states[] = {
        [GUEST_WAITING] = REALM_WAITING,
        [GUEST_OK] = REALM_OK,
        [GUEST_THREW] = REALM_THREW,
        [GUEST_STOPPED] = REALM_STOPPED,
        [GUEST_RESULT_REFUSED] = REALM_REFUSED,
        [GUEST_RESULT_LARGE] = REALM_LARGE,
        [GUEST_IDLE] = REALM_IDLE,
        [GUEST_FAILED] = REALM_FAILED,
    };

    if (result == ENTER_NO_TIMER)
        return REALM_NO_TIMER;
    if (result == ENTER_ABANDONED)
        return REALM_STOPPED;
    if (result == ENTER_TRAPPED || answer >= sizeof states / sizeof *states)
        return REALM_CRASHED;
    return states[answer];
}

static RealmState stay_state(Realm *realm, Stay *what)
{
    EnterResult result = stay(realm, what);

    return state_of(result, what->answer);
}

/* ---- the conversation ---- */

/* The engine's own limit comes first; this one holds even if the engine is broken. */
static void set_maximum(Slot *slot, const RealmLimits *limits, size_t program_bytes)
{
    uint64_t slack = (uint64_t)2 << 20;
    uint64_t most = program_bytes + limits->memory_bytes + limits->memory_bytes / 4 + slack;

    most = (most + ENGINE_PAGE_BYTES - 1) & ~(uint64_t)(ENGINE_PAGE_BYTES - 1);
    slot->maximum =
        most < ((uint64_t)4 << 30) ? (size_t)most : ((size_t)4 << 30) - ENGINE_PAGE_BYTES;
}

void realm_adopt(RealmPool *pool, Slot *slot, const RealmLimits *limits, const RealmWorld *world,
                 const CallPort *port, Realm *out_realm)
{
    GuestMailbox *mailbox;

    set_maximum(slot, limits, slot->memory->size);
    *out_realm = (Realm){.pool = pool, .slot = slot, .limits = *limits};
    if (world)
        out_realm->world = *world;
    if (port)
        out_realm->port = *port;
    mailbox = mailbox_of(out_realm);
    mailbox->memory_bytes = limits->memory_bytes;
    mailbox->argument_bytes = limits->argument_bytes;
    mailbox->reply_bytes = limits->reply_bytes;
    mailbox->result_bytes = limits->result_bytes;
    mailbox->depth = limits->depth;
    mailbox->timers = limits->timers;
    slot_mark(slot, slot->image->mailbox, sizeof *mailbox);
}

tn_status realm_open(RealmPool *pool, const ProgramCards *program, const RealmLimits *limits,
                     const RealmWorld *world, const CallPort *port, Realm *out_realm)
{
    Slot *slot = pool_take(pool);

    if (!slot)
        return TN_ERR_NOMEM;
    set_maximum(slot, limits, program ? program->memory_bytes : slot->image->size);
    if (program && !cards_apply(slot, program)) {
        pool_give(pool, slot);
        return TN_ERR_NOMEM;
    }
    realm_adopt(pool, slot, limits, world, port, out_realm);
    return TN_OK;
}

Slot *realm_take_slot(Realm *realm)
{
    Slot *slot = realm->slot;

    slot->host.realm = NULL;
    realm->slot = NULL;
    return slot;
}

void realm_close(Realm *realm)
{
    if (realm->slot && realm->dead)
        pool_drop(realm->pool, realm->slot);
    else if (realm->slot)
        pool_give(realm->pool, realm->slot);
    realm->slot = NULL;
}

RealmState realm_compile(Realm *realm, const char *text, size_t length, const char *name,
                         uint32_t *out_answer)
{
    Stay what = {.what = COMPILE,
                 .bytes = text,
                 .length = length,
                 .name = name,
                 .name_length = strlen(name)};
    EnterResult result = stay(realm, &what);

    *out_answer = what.answer;
    if (result != ENTER_RETURNED)
        return state_of(result, GUEST_WAITING);
    return realm->stop != STOP_NONE && what.answer != GUEST_COMPILED ? REALM_STOPPED : REALM_OK;
}

RealmState realm_begin(Realm *realm, uint64_t seed, bool for_exports, const uint8_t *inputs,
                       size_t length)
{
    Stay what = {.what = BEGIN, .bytes = inputs, .length = length};

    mailbox_of(realm)->random_seed = seed;
    mailbox_of(realm)->for_exports = for_exports;
    return stay_state(realm, &what);
}

RealmState realm_turn(Realm *realm)
{
    Stay what = {.what = TURN};

    return stay_state(realm, &what);
}

RealmState realm_deliver(Realm *realm, uint32_t call_id, uint32_t function, bool failed,
                         const uint8_t *bytes, size_t length)
{
    Stay what = {.what = DELIVER,
                 .bytes = bytes,
                 .length = length,
                 .call_id = call_id,
                 .function = function,
                 .failed = failed};

    return stay_state(realm, &what);
}

RealmState realm_invoke(Realm *realm, RealmInvoke how, uint32_t held, const char *name,
                        const uint8_t *arguments, size_t length)
{
    Stay what = {.what = INVOKE,
                 .how = how,
                 .held = held,
                 .bytes = arguments,
                 .length = length,
                 .name = name,
                 .name_length = strlen(name)};

    return stay_state(realm, &what);
}

void realm_renew(Realm *realm, uint64_t wall_deadline_ns)
{
    uint32_t flag = realm->slot->image->stop_flag;

    realm->stop = STOP_NONE;
    realm->cpu_used_ns = 0;
    realm->limits.wall_deadline_ns = wall_deadline_ns;
    memset(realm->slot->base + flag, 0, sizeof(uint32_t));
    slot_mark(realm->slot, flag, sizeof(uint32_t));
}

bool realm_exports(Realm *realm, const char *name)
{
    Stay what = {.what = EXPORTS, .name = name, .name_length = strlen(name)};

    EnterResult result = stay(realm, &what);

    return result == ENTER_RETURNED && what.answer == 1;
}

uint32_t realm_hold(Realm *realm, const char *name, uint32_t *out_kind)
{
    Stay what = {.what = HOLD, .name = name, .name_length = strlen(name)};

    if (stay(realm, &what) != ENTER_RETURNED)
        return 0;
    *out_kind = mailbox_of(realm)->held_kind;
    return what.answer;
}

void realm_drop(Realm *realm, uint32_t held)
{
    Stay what = {.what = DROP, .held = held};

    (void)stay(realm, &what);
}

bool realm_waiting(Realm *realm, unsigned *out_line, unsigned *out_column)
{
    Stay what = {.what = WAITING_AT};

    if (stay(realm, &what) != ENTER_RETURNED || what.wide_answer == 0)
        return false;
    *out_line = (unsigned)(what.wide_answer >> 32);
    *out_column = (unsigned)(what.wide_answer & UINT32_MAX);
    return true;
}

bool realm_rejections(Realm *realm)
{
    Stay what = {.what = REJECTIONS};

    EnterResult result = stay(realm, &what);

    return result == ENTER_RETURNED && what.answer == GUEST_OK;
}

/* ---- imports: the guest asks ---- */

uint32_t engine_import_call(struct EngineHost *host, uint32_t function, uint32_t object,
                            uint32_t generation, uint32_t address, uint32_t length, uint32_t line);
void engine_import_take(struct EngineHost *host, uint32_t address);
void engine_import_print(struct EngineHost *host, uint32_t level, uint32_t address,
                         uint32_t length);
double engine_import_clock(struct EngineHost *host, uint32_t which);
double engine_import_zone(struct EngineHost *host, double time_ms, uint32_t is_local);
void engine_import_random(struct EngineHost *host, uint32_t address, uint32_t length);
void engine_import_fatal(struct EngineHost *host, uint32_t code);

/* A number of the guest's that cannot be true: the engine is broken or taken over. */
static void *checked(struct EngineHost *host, uint32_t address, size_t length)
{
    void *bytes = slot_bytes(host->slot, address, length);

    if (!bytes)
        watch_trap(host->entry, 200);
    return bytes;
}

typedef struct HostCall {
    Realm *realm;
    CallRequest request;
} HostCall;

static void call_on_host(void *argument)
{
    HostCall *call = argument;
    Realm *realm = call->realm;
    Entry *entry = realm->slot->host.entry;

    realm->port.call(realm->port.context, &call->request, &realm->reply);
    /* cancelled meanwhile: the program is not to see what came of it */
    if (entry->cancel && *entry->cancel) {
        watch_ask(entry, STOP_CANCEL);
        realm->reply = (CallReply){.answer = CALL_ANSWER_STOP};
    }
}

uint32_t engine_import_call(struct EngineHost *host, uint32_t function, uint32_t object,
                            uint32_t generation, uint32_t address, uint32_t length, uint32_t line)
{
    Realm *realm = host->realm;
    HostCall call = {realm,
                     {.function = function,
                      .object = object,
                      .generation = generation,
                      .line = line,
                      .length = length,
                      .wall_deadline_ns = &host->entry->wall_deadline_ns}};
    static const uint32_t answers[] = {CALL_VALUE, CALL_ERROR, CALL_PENDING, CALL_STOP};

    call.request.arguments = checked(host, address, length);
    if (!realm || !realm->port.call) {
        watch_trap(host->entry, 201);
        return CALL_STOP;
    }
    watch_host_call(host->entry, call_on_host, &call);
    if (realm->reply.answer == CALL_ANSWER_STOP)
        watch_ask(host->entry, STOP_CALLS);
    GuestMailbox *mailbox = mailbox_of(realm);
    mailbox->reply_length = (uint32_t)realm->reply.length;
    mailbox->call_id = realm->reply.call_id;
    slot_mark(host->slot, host->slot->image->mailbox, sizeof *mailbox);
    return answers[realm->reply.answer];
}

void engine_import_take(struct EngineHost *host, uint32_t address)
{
    Realm *realm = host->realm;
    size_t length = realm->reply.length;

    uint8_t *place = checked(host, address, length);
    watch_pause(host->entry);
    if (length > 0) {
        memcpy(place, realm->reply.bytes, length);
        slot_mark(host->slot, address, length);
    }
    watch_resume(host->entry);
}

void engine_import_print(struct EngineHost *host, uint32_t level, uint32_t address, uint32_t length)
{
    const char *text = checked(host, address, length);
    const RealmWorld *world = host->realm ? &host->realm->world : NULL;

    watch_pause(host->entry);
    if (world && world->print)
        world->print(world->context, level, text, length);
    watch_resume(host->entry);
}

double engine_import_clock(struct EngineHost *host, uint32_t which)
{
    const RealmWorld *world = host->realm ? &host->realm->world : NULL;
    double ms = 0;

    watch_pause(host->entry);
    if (world && world->clock_ms)
        ms = world->clock_ms(world->context, which == 1);
    watch_resume(host->entry);
    return ms;
}

double engine_import_zone(struct EngineHost *host, double time_ms, uint32_t is_local)
{
    const RealmWorld *world = host->realm ? &host->realm->world : NULL;
    double ms = 0;

    watch_pause(host->entry);
    if (world && world->zone_ms)
        ms = world->zone_ms(world->context, time_ms, is_local != 0);
    watch_resume(host->entry);
    return ms;
}

void engine_import_random(struct EngineHost *host, uint32_t address, uint32_t length)
{
    uint8_t *bytes = checked(host, address, length);
    const RealmWorld *world = host->realm ? &host->realm->world : NULL;

    watch_pause(host->entry);
    if (world && world->random)
        world->random(world->context, bytes, length);
    slot_mark(host->slot, address, length);
    watch_resume(host->entry);
}

void engine_import_fatal(struct EngineHost *host, uint32_t code)
{
    watch_trap(host->entry, 1000 + (int)(code & 0xffff));
}
