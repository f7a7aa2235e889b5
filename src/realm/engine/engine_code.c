/* One variant's functions as a table. Compiled together with what wasm2c wrote, once for each
 * variant: VARIANT is its name, VARIANT_HEADER the adapted header. */
#include VARIANT_HEADER
#include "engine.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define NAME(x)     JOIN(VARIANT, x)
#define INSTANCE    NAME(_instance)

/* A table of typed functions whose first parameter we call void *: the same on this machine. */
#define ENTRY(name) .name = (__typeof__(((EngineCode *)0)->name))(void (*)(void))NAME(_##name)

const EngineCode JOIN(engine_, VARIANT) = {
    .instance_bytes = sizeof(INSTANCE),
    .memory_offset = offsetof(INSTANCE, w2c_memory),
    .stack_pointer_offset = offsetof(INSTANCE, engine_stack_pointer),
    .table_offset = offsetof(INSTANCE, w2c_T0),
    .table_entry_bytes = sizeof(wasm_rt_funcref_t),
    .table_instance_offset = offsetof(wasm_rt_funcref_t, module_instance),
#ifdef ENGINE_OLD_WASM2C
    ENTRY(init_module),
#endif
    ENTRY(instantiate),
    ENTRY(boot),
    ENTRY(prelude),
    ENTRY(function),
    ENTRY(interface),
    ENTRY(method),
    ENTRY(freeze),
    ENTRY(mailbox),
    ENTRY(stopflag),
    ENTRY(buffer),
    ENTRY(compile),
    ENTRY(begin),
    ENTRY(invoke),
    ENTRY(exports),
    ENTRY(hold),
    ENTRY(drop),
    ENTRY(turn),
    ENTRY(deliver),
    ENTRY(waiting),
    ENTRY(rejections),
};
