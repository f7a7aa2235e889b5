/* The contract between the realm's two sides: the guest (this folder, compiled to wasm) and the
 * host (the folder above). Both include this file and nothing else of each other.
 *
 * The guest exports functions without underscores in their names, so that every version of wasm2c
 * spells them alike; it imports only the handful below, from module "tenon". Everything that does
 * not fit into a number goes through one struct in the guest's memory, the mailbox. The host never
 * trusts a number it finds there: addresses and lengths are checked against the memory's size
 * before use (realm.c, guest_bytes). */
#ifndef TENON_GUEST_ABI_H
#define TENON_GUEST_ABI_H

#include <stdint.h>

/* What `turn` and its kin answer. */
enum {
    GUEST_WAITING = 0,        /* nothing to run now; see next_timer_ms and open_calls */
    GUEST_OK = 1,             /* settled: out_* is the value */
    GUEST_THREW = 2,          /* settled: out_* describes what was thrown */
    GUEST_STOPPED = 3,        /* the stop flag ended it: out_* describes where it was */
    GUEST_RESULT_REFUSED = 4, /* settled, but the value cannot cross: out_* describes why */
    GUEST_RESULT_LARGE = 5,   /* settled, but the value is over its limit */
    GUEST_IDLE = 6,           /* settled before; nothing left to run */
    GUEST_FAILED = 7          /* the guest ran out of memory in its own work */
};

/* What `compile` answers. */
enum { GUEST_COMPILED = 0, GUEST_SYNTAX_ERROR = 1, GUEST_COMPILE_FAILED = 2 };

/* What the import `call` answers. */
enum { CALL_VALUE = 0, CALL_ERROR = 1, CALL_PENDING = 2, CALL_STOP = 3 };

/* Flags of a host function; the values of tn_function_flags. */
enum { GUEST_FUNCTION_SYNC = 1 };

/* What `compiled_flags` may hold. */
enum { PROGRAM_RETURNS = 1, PROGRAM_EXPORTS_DEFAULT = 2 };

/* What `hold` says of an export, and what `invoke` does. */
enum { HELD_FUNCTION = 1, HELD_CLASS = 2, HELD_OBJECT = 3 };
enum {
    INVOKE_EXPORT = 0, /* call the export of that name */
    INVOKE_HELD = 1,   /* call what is held */
    INVOKE_NEW = 2,    /* make an instance of it: `held` is its number then */
    INVOKE_METHOD = 3  /* call its method of that name */
};

/* All numbers little-endian; offsets are the same on both sides (checked by both compilers). */
typedef struct GuestMailbox {
    /* host -> guest, before `begin` and `invoke` */
    uint64_t memory_bytes;   /* the program's allowance, above what the image holds */
    uint64_t argument_bytes; /* of one host call */
    uint64_t reply_bytes;
    uint64_t result_bytes;
    uint64_t random_seed; /* of Math.random */
    uint32_t depth;
    uint32_t timers;
    /* host -> guest, during the import `call` */
    uint32_t reply_length; /* bytes to `take` */
    uint32_t call_id;      /* of a pending call */
    /* guest -> host */
    uint32_t out_address;
    uint32_t out_length;
    uint32_t open_calls;
    uint32_t memory_refused;
    uint32_t compiled_flags;
    uint32_t return_line;
    uint32_t return_column;
    uint32_t intervals_only; /* every waiting timer is an interval */
    uint32_t rejections;     /* promises rejected and not handled */
    uint32_t jobs_waiting;   /* promise reactions that could run at once */
    double next_timer_ms;    /* on the run's clock; negative: none */
    uint64_t used_bytes;     /* now, by the program */
    uint64_t peak_bytes;
    uint32_t held; /* the number under which something is kept for the host; 0: nothing is */
    uint32_t held_kind;
    /* host -> guest, before `begin`: the program is run for what it exports, its value is not
     * wanted and its default export not called */
    uint32_t for_exports;
    uint32_t unused;
} GuestMailbox;

_Static_assert(sizeof(GuestMailbox) == 136, "both sides lay out the mailbox alike");

#endif
