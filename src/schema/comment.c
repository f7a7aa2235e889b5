/* Words from outside, inside comments of ours. */
#include <string.h>

#include "say.h"
#include "schema.h"
#include "utf8.h"

static void new_line(Buf *buf, unsigned indent)
{
    buf_append_byte(buf, '\n');
    for (unsigned i = 0; i < indent; i++)
        buf_append_byte(buf, ' ');
    buf_append_string(buf, " * ");
}

/* One character of text. What would end the comment, begin a tag in a line, or cannot be seen does
 * not come through as it is. */
static void put_one(Buf *buf, const char *text, size_t count, uint32_t code, bool at_start)
{
    bool after_star = buf->length > 0 && buf->data[buf->length - 1] == '*';

    if (say_is_hidden(code))
        return;
    if ((code == '/' && after_star) || (code == '@' && at_start))
        buf_append_byte(buf, '\\');
    if (code == 0x201C || code == 0x201D) /* our quotes: nobody closes them but us */
        buf_append_byte(buf, '"');
    else
        buf_append(buf, text, count);
}

static void put_clean(Buf *buf, unsigned indent, const char *text, size_t length)
{
    bool space = false, line = false, at_start = false;
    uint32_t code;

    for (size_t i = 0, count; i < length; i += count) {
        count = wtf8_decode(text + i, length - i, &code);
        if (count == 0) {
            count = 1;
            code = 0xFFFD;
        }
        if (code == '\n' || code == '\r' || code == 0x2028 || code == 0x2029 || code == 0x85) {
            line = true;
        } else if (code == ' ' || code == '\t' || code == 0xA0 || code == 0xB || code == 0xC) {
            space = true;
        } else {
            if (line)
                new_line(buf, indent);
            else if (space)
                buf_append_byte(buf, ' ');
            at_start = at_start || line;
            put_one(buf, text + i, count, code, at_start);
            at_start = at_start && (code == '*' || code == '/' || say_is_hidden(code));
            space = line = false;
        }
    }
}

void schema_comment(Buf *buf, unsigned indent, SchemaText description, uint32_t limit_bytes,
                    SchemaText facts)
{
    size_t kept = description.length;

    if (description.length == 0 && facts.length == 0)
        return;
    for (unsigned i = 0; i < indent; i++)
        buf_append_byte(buf, ' ');
    buf_append_string(buf, "/** ");
    if (kept > limit_bytes)
        kept = utf8_floor(description.text, description.length, limit_bytes);
    if (description.length > 0) {
        buf_append_string(buf, "\xE2\x80\x9C");
        put_clean(buf, indent, description.text, kept);
        buf_append_string(buf, "\xE2\x80\x9D");
        if (kept < description.length) {
            buf_append_string(buf, " (");
            buf_append_uint(buf, utf8_points(description.text + kept, description.length - kept));
            buf_append_string(buf, " more characters left out)");
        }
        buf_append_string(buf, facts.length > 0 ? " " : "");
    }
    put_clean(buf, indent, facts.text, facts.length);
    buf_append_string(buf, " */\n");
}
