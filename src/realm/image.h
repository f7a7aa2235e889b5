/* The image: a realm after its set-up, frozen; and a program: what compiling it changed.
 *
 * Both are bytes. The image lies in a memory file that slots map; a program is the list of cards
 * (128 bytes each) that differ after it was compiled in a fresh realm. Opening a realm for a
 * program is: take a slot, copy the program's cards in. */
#ifndef TENON_IMAGE_H
#define TENON_IMAGE_H

#include "slot.h"

struct Image {
    const EngineCode *code;
    int file;             /* memory file, sealed */
    const uint8_t *bytes; /* the same, mapped for reading */
    size_t size;
    uint32_t stack_pointer;
    uint32_t mailbox; /* where it lies in the guest */
    uint32_t stop_flag;
    uint32_t stack_end; /* the linear stack is [0, stack_end) */
    uint8_t *header;    /* the instance and its table, as bytes */
};

typedef struct ImageFunction {
    const char *name; /* "package.function", or "Interface.method" */
    uint32_t flags;
    bool starts_interface; /* the name is an interface's; its methods follow */
    bool method;
    bool for_prelude; /* it is there before the prelude is, which takes it: these come first */
} ImageFunction;

/**
 * Make an image: boot the engine, evaluate the prelude, add the host's functions, freeze. The
 * prelude has fetch where functions are there for it.
 *
 * Errors: TN_ERR_NOMEM; TN_ERR_SYSTEM if the prelude does not run (a broken build).
 */
tn_status image_new(const tn_allocator *allocator, const EngineCode *code, int signal,
                    uint64_t first_key, uint64_t second_key, const ImageFunction *functions,
                    size_t count, Image **out_image);
void image_free(const tn_allocator *allocator, Image *image);

typedef struct ProgramCards {
    size_t count;
    size_t memory_bytes; /* size of the memory after compiling */
    uint32_t *cards;     /* their numbers, ascending */
    uint8_t *bytes;      /* count * ENGINE_CARD_SIZE */
} ProgramCards;

/** What differs in `slot` from its image, except the stack, which nothing lives on. */
tn_status cards_capture(const tn_allocator *allocator, const Slot *slot, ProgramCards *out_cards);
/** Put a program into a fresh slot. False if the slot's memory cannot grow so far. */
bool cards_apply(Slot *slot, const ProgramCards *cards);
void cards_release(const tn_allocator *allocator, ProgramCards *cards);

#endif
