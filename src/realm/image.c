#include "image.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "memory.h"
#include "watch.h"

void slot_instantiate(Slot *slot);

/* The bundled prelude, build/prelude.js, as tools/prelude/pack.py packs it: its length in four
 * bytes, the lowest first, then what zlib made of it. */
extern const uint8_t prelude_start[], prelude_end[];

/* ---- making one: everything below runs on the guest's stack ---- */

typedef struct Making {
    Slot *slot;
    const char *prelude;
    size_t prelude_length;
    uint64_t first_key, second_key;
    const ImageFunction *functions;
    size_t count;
    bool done;
    Image *image;
} Making;

/* Copy text (with its NUL) into the guest. Its address, or 0. */
static uint32_t put_text(Slot *slot, const char *text, size_t length)
{
    uint32_t address = slot->code->buffer(slot->instance, (uint32_t)length + 1);
    uint8_t *bytes = slot_bytes(slot, address, length + 1);

    if (!address || !bytes)
        return 0;
    memcpy(bytes, text, length);
    bytes[length] = 0;
    return address;
}

static bool add_function(Slot *slot, const ImageFunction *function)
{
    size_t length = strlen(function->name);
    uint32_t address = put_text(slot, function->name, length);

    if (!address)
        return false;
    if (function->starts_interface)
        return slot->code->interface(slot->instance, address) == 0;
    if (function->method)
        return slot->code->method(slot->instance, function->flags, address) == 0;
    return slot->code->function(slot->instance, function->flags, address, (uint32_t)length) == 0;
}

static void make(void *argument)
{
    Making *making = argument;
    Slot *slot = making->slot;
    const EngineCode *code = slot->code;
    uint32_t address;
    size_t early = 0;

    slot_instantiate(slot);
    if (code->boot(slot->instance, making->first_key, making->second_key) != 0)
        return;
    for (; early < making->count && making->functions[early].for_prelude; early++) {
        if (!add_function(slot, &making->functions[early]))
            return;
    }
    address = put_text(slot, making->prelude, making->prelude_length);
    if (!address || code->prelude(slot->instance, address, (uint32_t)making->prelude_length) != 0)
        return;
    for (size_t i = early; i < making->count; i++) {
        if (!add_function(slot, &making->functions[i]))
            return;
    }
    code->freeze(slot->instance);
    making->image->mailbox = code->mailbox(slot->instance);
    making->image->stop_flag = code->stopflag(slot->instance);
    making->done = true;
}

/* ---- freezing ---- */

/* Only pages that hold something: the linear stack and the headroom stay holes in the file. */
static bool write_pages(int file, const uint8_t *bytes, size_t size)
{
    static const uint8_t zeros[4096];

    if (ftruncate(file, (off_t)size) != 0)
        return false;
    for (size_t at = 0; at < size; at += sizeof zeros) {
        if (memcmp(bytes + at, zeros, sizeof zeros) != 0 &&
            pwrite(file, bytes + at, sizeof zeros, (off_t)at) != (ssize_t)sizeof zeros)
            return false;
    }
    return true;
}

static bool freeze(const tn_allocator *allocator, Image *image, Slot *slot)
{
    image->size = slot->memory->size;
    image->stack_pointer = *slot_stack_pointer(slot);
    image->stack_end = image->stack_pointer;
    /* what earlier frames left on the stack is nobody's */
    memset(slot->base, 0, image->stack_end);
    image->header = memory_new(allocator, ENGINE_HEADER_BYTES);
    if (!image->header)
        return false;
    memcpy(image->header, slot->instance, ENGINE_HEADER_BYTES);
    image->file = memfd_create("tenon-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (image->file < 0 || !write_pages(image->file, slot->base, image->size))
        return false;
    if (fcntl(image->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) !=
        0)
        return false;
    /* private, since a sealed file cannot be mapped shared everywhere: nobody writes to it */
    void *mapped = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, image->file, 0);
    if (mapped == MAP_FAILED)
        return false;
    image->bytes = mapped;
    return true;
}

static size_t prelude_size(void)
{
    const uint8_t *bytes = prelude_start;

    return (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 |
           (size_t)bytes[3] << 24;
}

/* NULL: no memory. */
static char *unpack_prelude(const tn_allocator *allocator)
{
    uLong packed = (uLong)((uintptr_t)prelude_end - (uintptr_t)prelude_start) - 4;
    uLongf length = prelude_size();
    char *text = memory_new(allocator, length);

    if (text && uncompress((Bytef *)text, &length, prelude_start + 4, packed) != Z_OK) {
        memory_free(allocator, text, prelude_size());
        return NULL;
    }
    return text;
}

/* How much of it a realm gets: up to where fetch begins, or, where functions are there for it, all.
 */
static size_t cut_prelude(char *prelude, bool whole)
{
    static const char mark[] = "/*fetch*/", end[] = "\n})";
    char *cut = whole ? NULL : memmem(prelude, prelude_size(), mark, sizeof mark - 1);

    if (!cut)
        return prelude_size();
    memcpy(cut, end, sizeof end - 1);
    return (size_t)(cut - prelude) + sizeof end - 1;
}

tn_status image_new(const tn_allocator *allocator, const EngineCode *code, int signal,
                    uint64_t first_key, uint64_t second_key, const ImageFunction *functions,
                    size_t count, Image **out_image)
{
    char *prelude = unpack_prelude(allocator);
    Image *image = prelude ? memory_new(allocator, sizeof *image) : NULL;
    Slot *slot = image ? slot_new(allocator, code, NULL) : NULL;
    Making making = {.slot = slot,
                     .prelude = prelude,
                     .first_key = first_key,
                     .second_key = second_key,
                     .functions = functions,
                     .count = count,
                     .image = image};
    Entry entry = {.slot = slot, .signal = signal};
    tn_status status = TN_ERR_NOMEM;

    if (slot) {
        making.prelude_length = cut_prelude(prelude, count > 0 && functions[0].for_prelude);
        image->code = code;
        image->file = -1;
        EnterResult result = watch_enter(&entry, make, &making);
        status = result == ENTER_NO_TIMER ? TN_ERR_UNAVAILABLE : TN_ERR_SYSTEM;
        if (result == ENTER_RETURNED && making.done)
            status = freeze(allocator, image, slot) ? TN_OK : TN_ERR_NOMEM;
    }
    slot_free(allocator, slot);
    memory_free(allocator, prelude, prelude_size());
    if (status != TN_OK) {
        image_free(allocator, image);
        return status;
    }
    *out_image = image;
    return TN_OK;
}

void image_free(const tn_allocator *allocator, Image *image)
{
    if (!image)
        return;
    if (image->bytes)
        munmap((void *)(uintptr_t)image->bytes, image->size);
    if (image->file >= 0)
        close(image->file);
    memory_free(allocator, image->header, ENGINE_HEADER_BYTES);
    memory_free(allocator, image, sizeof *image);
}

/* ---- programs ---- */

/* Does this card hold something else than it did in the image (or than zeros, beyond it)? */
static bool card_differs(const Slot *slot, size_t card)
{
    static const uint8_t zeros[ENGINE_CARD_SIZE];
    size_t at = card * ENGINE_CARD_SIZE;
    const uint8_t *before = at < slot->image->size ? slot->image->bytes + at : zeros;

    return memcmp(slot->base + at, before, ENGINE_CARD_SIZE) != 0;
}

static size_t list_cards(const Slot *slot, uint32_t *out_cards)
{
    size_t count = 0, end = slot->memory->size / ENGINE_CARD_SIZE;

    /* the first card of all is the stack's: there is always one before */
    for (size_t card = slot->image->stack_end / ENGINE_CARD_SIZE; card < end; card++) {
        /* marked, or spilled into by a store that began in the card before */
        if ((slot->cards[card] || slot->cards[card - 1]) && card_differs(slot, card)) {
            if (out_cards)
                out_cards[count] = (uint32_t)card;
            count++;
        }
    }
    return count;
}

tn_status cards_capture(const tn_allocator *allocator, const Slot *slot, ProgramCards *out_cards)
{
    ProgramCards cards = {.count = list_cards(slot, NULL), .memory_bytes = slot->memory->size};

    if (cards.count > 0) {
        cards.cards = memory_resize(allocator, NULL, 0, cards.count * sizeof *cards.cards);
        cards.bytes = memory_resize(allocator, NULL, 0, cards.count * ENGINE_CARD_SIZE);
        if (!cards.cards || !cards.bytes) {
            cards_release(allocator, &cards);
            return TN_ERR_NOMEM;
        }
        list_cards(slot, cards.cards);
        for (size_t i = 0; i < cards.count; i++)
            memcpy(cards.bytes + i * ENGINE_CARD_SIZE,
                   slot->base + (size_t)cards.cards[i] * ENGINE_CARD_SIZE, ENGINE_CARD_SIZE);
    }
    *out_cards = cards;
    return TN_OK;
}

bool cards_apply(Slot *slot, const ProgramCards *cards)
{
    if (cards->memory_bytes > slot->memory->size && !slot_resize(slot, cards->memory_bytes))
        return false;
    for (size_t i = 0; i < cards->count;) {
        size_t card = cards->cards[i], run = 1;
        while (i + run < cards->count && cards->cards[i + run] == card + run)
            run++;
        memcpy(slot->base + card * ENGINE_CARD_SIZE, cards->bytes + i * ENGINE_CARD_SIZE,
               run * ENGINE_CARD_SIZE);
        memset(slot->cards + card, 1, run);
        i += run;
    }
    return true;
}

void cards_release(const tn_allocator *allocator, ProgramCards *cards)
{
    memory_free(allocator, cards->cards, cards->count * sizeof *cards->cards);
    memory_free(allocator, cards->bytes, cards->count * ENGINE_CARD_SIZE);
    *cards = (ProgramCards){0};
}
