#include "slot.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <pthread.h>

#include "image.h"
#include "memory.h"
#include "watch.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ  22
#define MADV_POPULATE_WRITE 23
#endif

/* The guard variant can form any 32-bit address plus a 32-bit offset; the checked one never goes
 * past the size, so it reserves only what a realm can grow to. */
static size_t address_space(const EngineCode *code)
{
    return code == &engine_guard ? (size_t)8 << 30 : (size_t)4 << 30;
}

static bool map_stack(Slot *slot)
{
    size_t bytes = SLOT_STACK_GUARD + SLOT_STACK_BYTES;

    slot->stack_map =
        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slot->stack_map == MAP_FAILED) {
        slot->stack_map = NULL;
        return false;
    }
    slot->stack_top = slot->stack_map + bytes;
    slot->host.stack_limit = (uintptr_t)slot->stack_map + SLOT_STACK_GUARD;
    return mprotect(slot->stack_map + SLOT_STACK_GUARD, SLOT_STACK_BYTES, PROT_READ | PROT_WRITE) ==
           0;
}

static bool map_memory(Slot *slot)
{
    slot->map_bytes = ENGINE_CARD_BYTES + ENGINE_HEADER_BYTES + address_space(slot->code);
    slot->map =
        mmap(NULL, slot->map_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slot->map == MAP_FAILED) {
        slot->map = NULL;
        return false;
    }
    slot->cards = slot->map;
    slot->instance = slot->map + ENGINE_CARD_BYTES;
    slot->base = slot->instance + ENGINE_HEADER_BYTES;
    slot->memory = (EngineMemory *)(void *)(slot->instance + slot->code->memory_offset);
    return mprotect(slot->map, ENGINE_CARD_BYTES + ENGINE_HEADER_BYTES, PROT_READ | PROT_WRITE) ==
           0;
}

/* The memory struct and the table's entries hold addresses: they are this slot's own. */
static void adopt_header(Slot *slot, const Image *image)
{
    const EngineCode *code = slot->code;
    uint8_t *table = slot->instance + code->instance_bytes;
    size_t room = ENGINE_HEADER_BYTES - code->instance_bytes;

    size_t used = ENGINE_HEADER_BYTES - sizeof(Slot *);

    memcpy(slot->instance, image->header, used);
    *(struct EngineHost **)(void *)slot->instance = &slot->host;
    *(uint8_t **)(void *)(slot->instance + code->table_offset) = table;
    for (size_t at = 0; at + code->table_entry_bytes <= room - sizeof(Slot *);
         at += code->table_entry_bytes) {
        void **owner = (void **)(void *)(table + at + code->table_instance_offset);
        if (*owner)
            *owner = slot->instance;
    }
    slot->memory->data = slot->base;
}

static bool map_image(Slot *slot, const Image *image)
{
    if (mmap(slot->base, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, image->file,
             0) == MAP_FAILED)
        return false;
    /* the stack below is zeros that are mostly never touched */
    (void)madvise(slot->base + image->stack_end, image->size - image->stack_end,
                  MADV_POPULATE_READ);
    slot->committed = image->size;
    adopt_header(slot, image);
    return true;
}

Slot *slot_new(const tn_allocator *allocator, const EngineCode *code, const Image *image)
{
    Slot *slot = memory_new(allocator, sizeof *slot);

    if (!slot)
        return NULL;
    slot->code = code;
    slot->image = image;
    slot->host.slot = slot;
    slot->maximum = (size_t)1 << 30;
    if (!map_memory(slot) || !map_stack(slot) || (image && !map_image(slot, image))) {
        slot_free(allocator, slot);
        return NULL;
    }
    *(Slot **)(void *)(slot->base - sizeof(Slot *)) = slot;
    return slot;
}

void slot_free(const tn_allocator *allocator, Slot *slot)
{
    if (!slot)
        return;
    if (slot->map)
        munmap(slot->map, slot->map_bytes);
    if (slot->stack_map)
        munmap(slot->stack_map, SLOT_STACK_GUARD + SLOT_STACK_BYTES);
    memory_free(allocator, slot, sizeof *slot);
}

/* ---- growing ---- */

/* Pages are populated when they are mapped: on a virtual machine the first touch of one costs
 * twenty times more than having it populated. */
static bool commit(Slot *slot, size_t bytes)
{
    enum { STEP = 256 * 1024 };
    size_t wanted = (bytes + STEP - 1) & ~(size_t)(STEP - 1);
    size_t more;

    if (bytes <= slot->committed)
        return true;
    if (wanted > slot->maximum && slot->maximum >= bytes)
        wanted = slot->maximum & ~(size_t)4095;
    more = wanted - slot->committed;
    if (mprotect(slot->base + slot->committed, more, PROT_READ | PROT_WRITE) != 0)
        return false;
    (void)madvise(slot->base + slot->committed, more, MADV_POPULATE_WRITE);
    slot->committed = wanted;
    return true;
}

bool slot_resize(Slot *slot, size_t bytes)
{
    if (bytes > slot->maximum || !commit(slot, bytes))
        return false;
    slot->memory->size = bytes;
    slot->memory->pages = (uint32_t)(bytes / ENGINE_PAGE_BYTES);
    return true;
}

static Slot *slot_of(const EngineMemory *memory)
{
    return *(Slot **)(void *)(memory->data - sizeof(Slot *));
}

/* memory.grow: called by guest code. A hard stop must not come in the middle. */
uint32_t engine_grow_memory(EngineMemory *memory, uint32_t pages);
uint32_t engine_grow_memory(EngineMemory *memory, uint32_t pages)
{
    Slot *slot = slot_of(memory);
    uint32_t old = memory->pages;
    uint64_t bytes = ((uint64_t)old + pages) * ENGINE_PAGE_BYTES;
    bool done;

    watch_pause(slot->host.entry);
    done = bytes <= UINT32_MAX && slot_resize(slot, (size_t)bytes);
    watch_resume(slot->host.entry);
    return done ? old : UINT32_MAX;
}

/* ---- what instantiating asks for ---- */

/* The slot that is being instantiated on this thread: wasm2c's interface has no place for it. */
static __thread Slot *instantiating;

void slot_instantiate(Slot *slot);
void slot_instantiate(Slot *slot)
{
    instantiating = slot;
    if (slot->code->init_module)
        slot->code->init_module();
    slot->code->instantiate(slot->instance, &slot->host);
    instantiating = NULL;
}

void *engine_table_space(size_t bytes)
{
    Slot *slot = instantiating;

    if (slot->code->instance_bytes + bytes > ENGINE_HEADER_BYTES - sizeof(Slot *))
        __builtin_trap();
    return slot->instance + slot->code->instance_bytes;
}

void engine_allocate_memory(EngineMemory *memory, uint64_t initial_pages, uint64_t maximum_pages);
void engine_allocate_memory(EngineMemory *memory, uint64_t initial_pages, uint64_t maximum_pages)
{
    Slot *slot = instantiating;

    memory->data = slot->base;
    memory->max_pages = (uint32_t)(maximum_pages < 65535 ? maximum_pages : 65535);
    if (!slot_resize(slot, (size_t)initial_pages * ENGINE_PAGE_BYTES))
        memory->size = 0; /* the first access traps */
}

/* Older wasm2c: equal signatures get equal numbers. The table is only ever added to, by the same
 * few signatures in the same order, so it is process-wide without being state. */
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...);
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
    enum { TYPES = 512, LONGEST = 30 };
    static struct {
        uint8_t length;
        uint8_t kinds[LONGEST + 2];
    } types[TYPES];
    static uint32_t count;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint8_t kinds[LONGEST + 2] = {(uint8_t)params, (uint8_t)results};
    uint32_t number = 0, length = params + results + 2;
    va_list list;

    if (length > sizeof kinds)
        __builtin_trap();
    va_start(list, results);
    for (uint32_t i = 2; i < length; i++)
        kinds[i] = (uint8_t)va_arg(list, int);
    va_end(list);
    pthread_mutex_lock(&lock);
    while (number < count &&
           (types[number].length != length || memcmp(types[number].kinds, kinds, length) != 0))
        number++;
    if (number == count) {
        if (count == TYPES)
            __builtin_trap();
        types[count].length = (uint8_t)length;
        memcpy(types[count++].kinds, kinds, length);
    }
    pthread_mutex_unlock(&lock);
    return number + 1;
}

/* ---- reset ---- */

/* A store of eight bytes marks the card it begins in, and may reach into the next. */
enum { SPILL_BYTES = 7 };

/* A stretch of cards this long is dropped rather than copied: the kernel shows the image again. */
enum { DROPPED_CARDS = 256 * 1024 / ENGINE_CARD_SIZE };

enum { FEW_CARDS = 8 };

static void restore(Slot *slot, size_t from, size_t to)
{
    const Image *image = slot->image;
    size_t start = from * ENGINE_CARD_SIZE, end = to * ENGINE_CARD_SIZE + SPILL_BYTES;

    if (end > image->size)
        end = image->size;
    if (to - from >= DROPPED_CARDS) {
        size_t first = (start + 4095) & ~(size_t)4095, last = end & ~(size_t)4095;
        if (madvise(slot->base + first, last - first, MADV_DONTNEED) == 0) {
            memcpy(slot->base + start, image->bytes + start, first - start);
            memcpy(slot->base + last, image->bytes + last, end - last);
            return;
        }
    }
    memcpy(slot->base + start, image->bytes + start, end - start);
}

/* A few cards, none of them the image's last: with lengths that are known, nothing is called. */
static void restore_few(Slot *slot, size_t from, size_t to)
{
    const uint8_t *image = slot->image->bytes;
    size_t at = from * ENGINE_CARD_SIZE;

    for (; from < to; from++, at += ENGINE_CARD_SIZE) {
        memcpy(slot->base + at, image + at, ENGINE_CARD_SIZE);
        slot->cards[from] = 0;
    }
    memcpy(slot->base + at, image + at, SPILL_BYTES);
}

/* Most cards are clean: memchr skips them fastest. Marked stretches are short. */
static size_t next_marked(const uint8_t *cards, size_t at, size_t end)
{
    const uint8_t *found = at < end ? memchr(cards + at, 1, end - at) : NULL;

    return found ? (size_t)(found - cards) : end;
}

static size_t next_clean(const uint8_t *cards, size_t at, size_t end)
{
    while (at < end && cards[at])
        at++;
    return at;
}

static void reset_image_part(Slot *slot)
{
    size_t end = slot->image->size / ENGINE_CARD_SIZE;

    for (size_t from = next_marked(slot->cards, 0, end); from < end;) {
        size_t to = next_clean(slot->cards, from, end);
        if (to - from <= FEW_CARDS && to < end) {
            restore_few(slot, from, to);
        } else {
            restore(slot, from, to);
            memset(slot->cards + from, 0, to - from);
        }
        from = next_marked(slot->cards, to, end);
    }
}

/* Beyond the image: a little is cleared and kept, the rest is given back. */
static void reset_growth(Slot *slot)
{
    size_t image = slot->image->size, kept = image + SLOT_GROWTH_KEPT;
    size_t first = image / ENGINE_CARD_SIZE;
    size_t end = (slot->committed < kept ? slot->committed : kept) / ENGINE_CARD_SIZE;

    if (slot->committed > kept) {
        size_t more = slot->committed - kept;
        size_t cards = kept / ENGINE_CARD_SIZE;
        (void)madvise(slot->base + kept, more, MADV_DONTNEED);
        (void)mprotect(slot->base + kept, more, PROT_NONE);
        memset(slot->cards + cards, 0, more / ENGINE_CARD_SIZE);
        slot->committed = kept;
    }
    /* what the last card of the image spilled */
    if (slot->committed > image)
        memset(slot->base + image, 0, SPILL_BYTES);
    for (size_t from = next_marked(slot->cards, first, end); from < end;) {
        size_t to = next_clean(slot->cards, from, end);
        size_t bytes = (to - from) * ENGINE_CARD_SIZE + (to < end ? SPILL_BYTES : 0);
        memset(slot->base + from * ENGINE_CARD_SIZE, 0, bytes);
        memset(slot->cards + from, 0, to - from);
        from = next_marked(slot->cards, to, end);
    }
}

/* A page of the native stack that a shallow run never reaches: was it written? */
static void reset_stack(Slot *slot)
{
    uint64_t *page = (uint64_t *)(void *)(slot->stack_top - SLOT_STACK_KEPT);
    bool touched = false;

    for (size_t i = 0; i < 4096 / sizeof *page; i++)
        touched |= page[i] != 0;
    if (touched)
        (void)madvise(slot->stack_map + SLOT_STACK_GUARD, SLOT_STACK_BYTES - SLOT_STACK_KEPT + 4096,
                      MADV_DONTNEED);
}

void slot_reset(Slot *slot)
{
    reset_image_part(slot);
    reset_growth(slot);
    reset_stack(slot);
    slot->memory->size = slot->image->size;
    slot->memory->pages = (uint32_t)(slot->image->size / ENGINE_PAGE_BYTES);
    *slot_stack_pointer(slot) = slot->image->stack_pointer;
    slot->host.realm = NULL;
    slot->host.entry = NULL;
    slot->used = false;
}

/* ---- looking in ---- */

uint8_t *slot_bytes(const Slot *slot, uint32_t address, size_t length)
{
    uint64_t size = slot->memory->size;

    if (length > size || address > size - length)
        return NULL;
    return slot->base + address;
}

void slot_mark(const Slot *slot, uint32_t address, size_t length)
{
    if (length > 0) {
        size_t first = address >> ENGINE_CARD_SHIFT,
               last = (address + length - 1) >> ENGINE_CARD_SHIFT;
        memset(slot->cards + first, 1, last - first + 1);
    }
}

bool slot_owns(const Slot *slot, uintptr_t address)
{
    uintptr_t base = (uintptr_t)slot->base, stack = (uintptr_t)slot->stack_map;

    return (address >= base && address < (uintptr_t)slot->map + slot->map_bytes) ||
           (address >= stack && address < stack + SLOT_STACK_GUARD);
}

uint32_t *slot_stack_pointer(const Slot *slot)
{
    return (uint32_t *)(void *)(slot->instance + slot->code->stack_pointer_offset);
}
