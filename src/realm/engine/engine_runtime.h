/* What code written by wasm2c needs of a runtime: ours.
 *
 * wasm2c's generated C asks for these names (they are its interface, and differ a little between
 * its versions); the definitions are our own, and live in ../slot.c and ../switch.c. Nothing
 * process-wide is behind them but the table of function types, which is only ever added to. */
#ifndef TENON_ENGINE_RUNTIME_H
#define TENON_ENGINE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define WASM_RT_H_          1
#define UNLIKELY(x)         __builtin_expect(!!(x), 0)
#define LIKELY(x)           __builtin_expect(!!(x), 1)
#define wasm_rt_memcpy      __builtin_memcpy
#define wasm_rt_unreachable __builtin_unreachable
#define WASM_RT_NO_RETURN   __attribute__((noreturn))
#define WABT_BIG_ENDIAN     0

/* The guard variant relies on unmapped pages, the checked one compares. Both spellings. */
#ifdef ENGINE_CHECKED
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0
#define WASM_RT_MEMCHECK_GUARD_PAGES    0
#else
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 1
#define WASM_RT_MEMCHECK_GUARD_PAGES    1
#endif
#define WASM_RT_USE_STACK_DEPTH_COUNT 0
#define WASM_RT_STACK_DEPTH_COUNT     0
#define WASM_RT_USE_SEGUE             0
#define WASM_RT_ALLOW_SEGUE           0
#define WASM_RT_SANITY_CHECKS         0

typedef enum {
    WASM_RT_TRAP_NONE,
    WASM_RT_TRAP_OOB,
    WASM_RT_TRAP_INT_OVERFLOW,
    WASM_RT_TRAP_DIV_BY_ZERO,
    WASM_RT_TRAP_INVALID_CONVERSION,
    WASM_RT_TRAP_UNREACHABLE,
    WASM_RT_TRAP_CALL_INDIRECT,
    WASM_RT_TRAP_UNCAUGHT_EXCEPTION,
    WASM_RT_TRAP_EXHAUSTION
} wasm_rt_trap_t;

typedef enum {
    WASM_RT_I32,
    WASM_RT_I64,
    WASM_RT_F32,
    WASM_RT_F64,
    WASM_RT_V128,
    WASM_RT_FUNCREF,
    WASM_RT_EXTERNREF
} wasm_rt_type_t;

typedef void (*wasm_rt_function_ptr_t)(void);

#ifdef ENGINE_OLD_WASM2C
/* A function type is a small number, handed out by wasm_rt_register_func_type. */
typedef struct wasm_rt_funcref_t {
    uint32_t func_type;
    wasm_rt_function_ptr_t func;
    void *module_instance;
} wasm_rt_funcref_t;
#else
/* A function type is the address of its 32-byte digest. */
typedef const char *wasm_rt_func_type_t;
typedef void (*wasm_rt_tailcallee_t)(void **instance_ptr, void *tail_call_stack, void *next);
typedef struct wasm_rt_tailcall_t {
    wasm_rt_tailcallee_t fn;
} wasm_rt_tailcallee_holder_t;
typedef struct wasm_rt_funcref_t {
    wasm_rt_func_type_t func_type;
    wasm_rt_function_ptr_t func;
    wasm_rt_tailcallee_holder_t func_tailcallee;
    void *module_instance;
} wasm_rt_funcref_t;
#endif

static const wasm_rt_funcref_t wasm_rt_funcref_null_value;

typedef void *wasm_rt_externref_t;
static const wasm_rt_externref_t wasm_rt_externref_null_value = NULL;

typedef EngineMemory wasm_rt_memory_t;

typedef struct wasm_rt_funcref_table_t {
    wasm_rt_funcref_t *data;
    uint32_t max_size;
    uint32_t size;
} wasm_rt_funcref_table_t;

typedef struct wasm_rt_externref_table_t {
    wasm_rt_externref_t *data;
    uint32_t max_size;
    uint32_t size;
} wasm_rt_externref_table_t;

WASM_RT_NO_RETURN void engine_trap(int code);
#define wasm_rt_trap(code)       engine_trap(code)
#define wasm_rt_is_initialized() true

/* Memory: the slot has mapped it already; this only fills in the struct. */
void engine_allocate_memory(EngineMemory *memory, uint64_t initial_pages, uint64_t maximum_pages);
#define wasm_rt_allocate_memory(memory, initial, maximum, ...)                                     \
    engine_allocate_memory(memory, initial, maximum)
uint32_t engine_grow_memory(EngineMemory *memory, uint32_t pages);
#define wasm_rt_grow_memory(memory, pages) engine_grow_memory(memory, (uint32_t)(pages))
#define wasm_rt_free_memory(memory)        ((void)(memory))

/* The table lies in the slot's header, behind the instance. */
static inline void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size,
                                                  uint32_t maximum)
{
    table->data = engine_table_space(size * sizeof *table->data);
    table->size = size;
    table->max_size = maximum;
}
#define wasm_rt_free_funcref_table(table) ((void)(table))

uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...);

/* ---- the imports ---- */

uint32_t engine_import_call(struct EngineHost *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                            uint32_t);
void engine_import_take(struct EngineHost *, uint32_t);
void engine_import_print(struct EngineHost *, uint32_t, uint32_t, uint32_t);
double engine_import_clock(struct EngineHost *, uint32_t);
double engine_import_zone(struct EngineHost *, double, uint32_t);
void engine_import_random(struct EngineHost *, uint32_t, uint32_t);
void engine_import_fatal(struct EngineHost *, uint32_t);

static inline uint32_t engine_import_headroom(struct EngineHost *host)
{
    uintptr_t sp, limit = *(const uintptr_t *)(const void *)host;

    __asm__("movq %%rsp, %0" : "=r"(sp));
    return sp > limit ? (uint32_t)(sp - limit) : 0;
}

#endif
