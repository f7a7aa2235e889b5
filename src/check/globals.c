#include "globals.h"

#include <string.h>

#include "base.h"

extern const char realm_declarations[], realm_declarations_end[];

typedef struct Text {
    const char *at;
    const char *end;
} Text;

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static void skip_blanks(Text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
}

static Text next_word(Text *text)
{
    skip_blanks(text);
    Text word = {text->at, text->at};
    while (text->at < text->end && is_name_part(*text->at))
        text->at++;
    word.end = text->at;
    return word;
}

static bool is(Text word, const char *string)
{
    size_t length = strlen(string);

    return (size_t)(word.end - word.at) == length && memcmp(word.at, string, length) == 0;
}

/* declaration = "declare" ("abstract"? ("const" | "let" | "var" | "function" | "class" | "enum" |
 * "namespace")) name
 * Interfaces and types are none: they join ours. */
static bool declared_name(Text line, Text *out_name)
{
    static const char *const kinds[] = {"const", "let",  "var",       "function",
                                        "class", "enum", "namespace", "module"};
    Text word = next_word(&line);

    if (!is(word, "declare"))
        return false;
    word = next_word(&line);
    if (is(word, "abstract"))
        word = next_word(&line);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (is(word, kinds[i])) {
            *out_name = next_word(&line);
            return out_name->end > out_name->at;
        }
    }
    return false;
}

static bool next_line(Text *text, Text *out_line)
{
    if (text->at >= text->end)
        return false;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *out_line = (Text){text->at, newline ? newline : text->end};
    text->at = newline ? newline + 1 : text->end;
    return true;
}

bool globals_declares(const Declaration *declaration, const char *name, size_t length)
{
    Text text = {declaration->text, declaration->text + declaration->length}, line, found;

    while (next_line(&text, &line)) {
        if (declared_name(line, &found) && (size_t)(found.end - found.at) == length &&
            memcmp(found.at, name, length) == 0)
            return true;
    }
    return false;
}

static bool is_taken(Text block, const Declaration *declarations, size_t count)
{
    Text name;

    if (!declared_name(block, &name))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (globals_declares(&declarations[i], name.at, (size_t)(name.end - name.at)))
            return true;
    }
    return false;
}

/* Blocks are separated by empty lines. */
static bool next_block(Text *text, Text *out_block)
{
    if (text->at >= text->end)
        return false;
    const char *gap = memmem(text->at, (size_t)(text->end - text->at), "\n\n", 2);
    *out_block = (Text){text->at, gap ? gap + 2 : text->end};
    text->at = out_block->end;
    return true;
}

Declaration globals_for(Arena *arena, const Declaration *declarations, size_t count)
{
    Declaration whole = {"realm.d.ts", realm_declarations,
                         (uintptr_t)realm_declarations_end - (uintptr_t)realm_declarations};
    Text text = {realm_declarations, realm_declarations_end}, block;
    bool any = false;

    while (!any && next_block(&text, &block))
        any = is_taken(block, declarations, count);
    if (!any)
        return whole;
    char *kept = arena_push(arena, whole.length + 1);
    size_t length = 0;
    text.at = realm_declarations;
    while (kept && next_block(&text, &block)) {
        if (is_taken(block, declarations, count))
            continue;
        memcpy(kept + length, block.at, (size_t)(block.end - block.at));
        length += (size_t)(block.end - block.at);
    }
    whole.text = kept;
    whole.length = length;
    return whole;
}
