/* The guest: what runs inside the contained memory.
 *
 * This is our side of the engine: quickjs-ng (patched by patch_engine.py) is a library here, and
 * these files make it a realm that a host can drive: boot.c sets it up, program.c compiles and
 * runs, calls.c reaches host functions, timers.c and report.c keep what is open, value_*.c carry
 * values, inside_*.c are compiled within the engine's own translation unit to see its structs.
 * Read boot.c, then program.c.
 *
 * The invariant: the guest trusts the host's numbers, the host trusts none of the guest's. Nothing
 * here is a boundary: a program that takes over this code owns its linear memory and no more. */
#ifndef TENON_GUEST_H
#define TENON_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi.h"
#include "quickjs.h"
#include "tenon.h"
#include "buf.h"
#include "value.h"

#ifdef __wasm__
#define IMPORT(name) __attribute__((import_module("tenon"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))
#else
#define IMPORT(name)
#define EXPORT(name)
#endif

/* ---- imports: all that the guest can ask of the world ---- */

/* Call host function `function` on `object` (0: none). Arguments: for each a 4-byte length and
 * that many bytes of CBOR. */
IMPORT(call)
uint32_t host_call(uint32_t function, uint32_t object, uint32_t generation, uint32_t address,
                   uint32_t length, uint32_t line);
/* Copy the reply of the last `call` here. */
IMPORT(take) void host_take(uint32_t address);
IMPORT(print) void host_print(uint32_t level, uint32_t address, uint32_t length);
/* 0: milliseconds since the run began, whole; 1: milliseconds since 1970. */
IMPORT(clock) double host_clock(uint32_t which);
/* Milliseconds to add to UTC to get local time. */
IMPORT(zone) double host_zone(double time_ms, uint32_t is_local);
IMPORT(random) void host_random(uint32_t address, uint32_t length);
/* Bytes left of the native stack under the guest. */
IMPORT(headroom) uint32_t host_headroom(void);
/* End this realm as crashed: the C library's exit and abort come here. */
IMPORT(fatal) _Noreturn void host_fatal(uint32_t code);

/* ---- shared inside the guest ---- */

typedef struct Guest {
    JSRuntime *runtime;
    JSContext *context;
    tn_allocator allocator; /* the engine's memory, charged to the program */
    size_t base_bytes;      /* what the engine itself had allocated when the image was frozen */
    size_t peak_bytes;      /* of what the engine counts, above the base */
    bool settled;           /* the program's value was handed over */
    Buf out;
    char *text; /* the program's text */
    size_t text_length;
} Guest;

extern Guest guest;
extern GuestMailbox mailbox;

bool memory_start(void);
void memory_freeze(void);
void memory_limit(uint64_t bytes);
size_t memory_used(void);
size_t memory_peak(void);

ValueLimits limits_of(uint64_t bytes);
extern const ValueHooks value_hooks;

/* calls.c */
bool calls_start(void);
void calls_freeze(void);
char *calls_name(JSContext *context, const char *base, const char *name, void *opaque);
JSModuleDef *calls_module(JSContext *context, const char *name, void *opaque);
uint32_t calls_open(void);
/* A value that came from the host; an exception that says what cannot be carried and why. */
JSValue calls_read(JSContext *context, const char *what, const uint8_t *bytes, uint32_t length,
                   uint64_t most);

/* timers.c */
bool timers_start(void);
bool timers_run(void);
double timers_next(bool *out_intervals_only);

/* report.c: what else the host can be told */
bool report_start(void);
uint32_t report_count(void);
/* Write a list of the rejections nobody handled to `out`. */
void report_rejections(Buf *out);
/* This promise is not the program's business. */
void report_handled(JSValueConst promise);

/* ---- inside_run.c: compiled within the engine ---- */

enum { COMPILE_PROGRAM = 1, COMPILE_EXPRESSION = 2 };

void inside_hash_key(uint64_t first, uint64_t second);
JSValue inside_compile(JSContext *context, const char *text, size_t length, const char *name,
                       int mode, uint32_t *out_flags, uint32_t *out_line, uint32_t *out_column);
/* Evaluate a compiled program; inside_promise() is then the promise of its value. */
int inside_begin(JSContext *context, JSValue module);
JSValue inside_promise(void);
void inside_set_promise(JSContext *context, JSValue promise);
/* An exported binding of the program; JS_UNINITIALIZED if there is none. */
JSValue inside_export(JSContext *context, const char *name, size_t length);
void inside_handled(JSContext *context, JSValueConst promise);
void inside_seed(JSContext *context, uint64_t seed);
JSValue inside_stop_error(void);
/* Throw the error that no program can catch, and remember where it was. */
void inside_interrupt(JSContext *context);
/* Line and column of the innermost frame of the program; false if there is none. */
bool inside_position(JSContext *context, uint32_t *out_line, uint32_t *out_column);
/* The line at which the program waits, for "nothing can settle this". */
bool inside_waiting(JSContext *context, uint32_t *out_line, uint32_t *out_column);
/* Is `function` a function whose whole source is `text`, but for blanks, comments, parentheses
 * and semicolons around it? */
bool inside_is_whole(JSContext *context, JSValueConst function, const char *text, size_t length);
/* Is it a function, and no class, that declares no parameters? */
bool inside_takes_nothing(JSValueConst function);
/* Is this function a class of the program's? */
bool inside_is_class(JSValueConst function);
/* The value of Symbol.toStringTag, borrowed. */
JSValueConst inside_to_string_tag(JSContext *context);
/* An earlier stop is over: the realm is called again. */
void inside_forget_stop(void);
/* Begin to remember anew where functions waited that were let go. */
void inside_forget_dropped(void);
/* Give an error that was made outside the stack of those who wait for it. */
void inside_set_stack(JSContext *context, JSValueConst error, JSValueConst resolve);
/* Past blanks, comments and the characters of `filler`. */
const char *inside_skip_filler(const char *p, const char *end, const char *filler);
/* Before the image is frozen: what a small program takes is there already, and close together. */
void inside_make_room(JSContext *context);
size_t inside_used(JSRuntime *runtime);
void inside_limit(JSRuntime *runtime, size_t bytes);

extern volatile uint32_t tn_stop_requested;
extern uint32_t tn_memory_refused;

#endif
