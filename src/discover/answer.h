/* An answer: items chosen one after the other while there is room, then written in groups. */
#ifndef ANSWER_H
#define ANSWER_H

#include "inventory.h"

/* How an answer is written. */
typedef struct Form {
    const void *(*group)(const Item *item);    /* what is written together */
    void (*open)(Buf *out, const Item *item);  /* before the first of a group */
    void (*close)(Buf *out, const Item *item); /* after the last */
    void (*put)(Buf *out, const Item *item);
    void (*put_short)(Buf *out, const Item *item); /* for one that does not fit; NULL: left out */
    const char *remedy;                            /* what to do about what is left out */
} Form;

/* What was chosen of it: counted from 1 among all that was. */
typedef struct Group {
    const void *key;
    uint32_t first, last;
} Group;

typedef struct Answer {
    const Inventory *inventory;
    const Form *form;
    Arena arena;
    Buf scratch;
    size_t room, used;
    uint8_t *states; /* of the items */
    const Item **chosen;
    uint32_t chosen_count;
    const Item **queue; /* for answer_choose_needs */
    uint32_t *next;     /* of the chosen: the next one of its group, counted from 1 */
    Group *groups;
    uint32_t group_count;
    uint32_t left; /* asked for, and left out */
    bool full;
} Answer;

/** Begin one that has `room` bytes, the last line not counted. */
tn_status answer_begin(Answer *answer, const Inventory *inventory, const Form *form, size_t room);
void answer_release(Answer *answer);

/** Choose an item if there is room; after the first that did not fit none is. */
void answer_choose(Answer *answer, const Item *item);

/** Choose the types that an item needs, and what these need, the nearest first. All of them take
 * `most` bytes at the most. What does not fit is counted. */
void answer_choose_needs(Answer *answer, const Item *item, size_t most);

/** Write what was chosen, and the last line. */
void answer_write(Answer *answer, Buf *out);

#endif
