/* The compiled engine, as the host sees it: a table of functions, and the layout of a slot.
 *
 *    slot ->  [ cards        ENGINE_CARD_BYTES   one byte for each 128 bytes of memory ]
 *             [ header       64 KiB              the instance, then its function table ]
 *    base ->  [ memory       4 GiB of addresses  what the guest can name               ]
 *             [ guard        4 GiB               address + offset never leaves this    ]
 *
 * Everything is at a fixed distance from the instance, which every guest function is passed: one
 * register serves for the memory's base, its cards and its size. */
#ifndef TENON_ENGINE_H
#define TENON_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#define ENGINE_CARD_SHIFT 7
#define ENGINE_CARD_SIZE  (1u << ENGINE_CARD_SHIFT)
/* For every address + offset that the guard variant can form: 8 GiB. */
#define ENGINE_CARD_BYTES   ((size_t)1 << (33 - ENGINE_CARD_SHIFT))
#define ENGINE_HEADER_BYTES ((size_t)65536)
#define ENGINE_PAGE_BYTES   ((size_t)65536)
/* What one function of the guest may need of the native stack (checked variant). */
#define ENGINE_FRAME_RESERVE 65536u

struct EngineHost; /* begins with a uintptr_t: the lowest address of the native stack to use */

typedef struct EngineMemory {
    uint8_t *data;
    uint32_t pages, max_pages;
    uint64_t size;
} EngineMemory;

typedef struct EngineCode {
    size_t instance_bytes, memory_offset, stack_pointer_offset, table_offset;
    size_t table_entry_bytes, table_instance_offset;
    void (*init_module)(void);
    void (*instantiate)(void *instance, struct EngineHost *host);
    uint32_t (*boot)(void *instance, uint64_t, uint64_t);
    uint32_t (*prelude)(void *instance, uint32_t, uint32_t);
    uint32_t (*function)(void *instance, uint32_t, uint32_t, uint32_t);
    uint32_t (*interface)(void *instance, uint32_t);
    uint32_t (*method)(void *instance, uint32_t, uint32_t);
    void (*freeze)(void *instance);
    uint32_t (*mailbox)(void *instance);
    uint32_t (*stopflag)(void *instance);
    uint32_t (*buffer)(void *instance, uint32_t);
    uint32_t (*compile)(void *instance, uint32_t, uint32_t, uint32_t);
    uint32_t (*begin)(void *instance, uint32_t, uint32_t);
    uint32_t (*invoke)(void *instance, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
    uint32_t (*exports)(void *instance, uint32_t, uint32_t);
    uint32_t (*hold)(void *instance, uint32_t, uint32_t);
    void (*drop)(void *instance, uint32_t);
    uint32_t (*turn)(void *instance);
    uint32_t (*deliver)(void *instance, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t);
    uint64_t (*waiting)(void *instance);
    uint32_t (*rejections)(void *instance);
} EngineCode;

/* Two compilations of one engine: guard pages, or a comparison before each access. */
extern const EngineCode engine_guard, engine_checked;

/* For the code above, while it instantiates: where the table goes. Set by the slot. */
void *engine_table_space(size_t bytes);

#endif
