#include "split.h"

#include <string.h>

typedef enum Class { CLASS_NONE, CLASS_JOINT, CLASS_LOWER, CLASS_UPPER, CLASS_DIGIT } Class;

static Class class_of(char c)
{
    if (c >= '0' && c <= '9')
        return CLASS_DIGIT;
    if (c >= 'A' && c <= 'Z')
        return CLASS_UPPER;
    if ((c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80)
        return CLASS_LOWER;
    return c == '_' || c == '$' ? CLASS_JOINT : CLASS_NONE;
}

Split split_begin(const char *text, size_t length)
{
    return (Split){.at = text, .end = text + length, .whole_end = text};
}

/* Does a word end between two letters? "listIssues", "HTMLParser", "base64" */
static bool is_joint(const char *at, const char *end)
{
    Class before = class_of(at[-1]), here = class_of(*at);

    if (here <= CLASS_JOINT || (here == CLASS_DIGIT) != (before == CLASS_DIGIT))
        return true;
    if (here == CLASS_UPPER && before == CLASS_LOWER)
        return true;
    return here == CLASS_UPPER && before == CLASS_UPPER && at + 1 < end &&
           class_of(at[1]) == CLASS_LOWER;
}

static void copy_lower(char out[WORD_BYTES_MAX + 1], const char *from, const char *end)
{
    size_t length = 0;

    for (; from < end && length < WORD_BYTES_MAX; from++) {
        Class class = class_of(*from);
        if (class > CLASS_JOINT)
            out[length++] = (char)(class == CLASS_UPPER ? *from + 32 : *from);
    }
    out[length] = '\0';
}

bool split_next(Split *split)
{
    const char *at = split->at, *word;

    while (at < split->end && class_of(*at) <= CLASS_JOINT)
        at++;
    if (at == split->end)
        return false;
    word = at;
    split->first = at >= split->whole_end;
    if (split->first) {
        const char *whole = at;
        while (whole < split->end && class_of(*whole) != CLASS_NONE)
            whole++;
        split->whole_end = whole;
        copy_lower(split->whole, at, whole);
    }
    do
        at++;
    while (at < split->end && !is_joint(at, split->end));
    copy_lower(split->word, word, at);
    if (split->first && strcmp(split->word, split->whole) == 0)
        split->whole[0] = '\0';
    split->at = at;
    return true;
}

void split_words(Buf *out, const char *text, size_t length)
{
    Split split = split_begin(text, length);

    while (split_next(&split)) {
        if (split.first && split.whole[0] != '\0') {
            buf_append_string(out, split.whole);
            buf_append_byte(out, ' ');
        }
        buf_append_string(out, split.word);
        buf_append_byte(out, ' ');
    }
}
