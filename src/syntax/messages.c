#include "messages.h"

#include <string.h>

#include "utf8.h"

/* By code: %e the token that was expected, %t the text that goes with the complaint, %f what stands
 * there. */
/* clang-format off */
#define MESSAGES(X) \
    X(1, "The program is nested too deeply to be read.") \
    X(1002, "This string has no closing quote on its line.") \
    X(1003, "A name was expected here, found %f.") \
    X(1005, "Expected `%e`, found %f.") \
    X(1009, "A `,` may not stand after the last one here.") \
    X(1010, "This comment is never closed with `*/`.") \
    X(1011, "Nothing stands between the brackets of this element access.") \
    X(1012, "%f cannot stand here.") \
    X(1013, "A `,` may not follow the rest parameter.") \
    X(1014, "A rest parameter must be the last parameter.") \
    X(1015, "A parameter with a default value takes no `?`.") \
    X(1016, "The required parameter %f may not follow an optional one.") \
    X(1024, "`readonly` may only stand at a property or an index signature.") \
    X(1028, "This already has `public`, `protected` or `private`.") \
    X(1029, "The modifiers are in the wrong order: %f comes too late.") \
    X(1030, "The modifier %f is here twice.") \
    X(1031, "%f may not stand at this member of a class.") \
    X(1034, "`super` needs arguments or a member behind it, found %f.") \
    X(1036, "A statement may not stand where everything is only declared; move it out.") \
    X(1039, "What is only declared has no value; leave out the `= ...`.") \
    X(1040, "%f may not stand where everything is only declared.") \
    X(1042, "%f may not stand here.") \
    X(1044, "%f may only stand at members of classes.") \
    X(1047, "A rest parameter cannot be optional.") \
    X(1048, "A rest parameter takes no default value.") \
    X(1049, "A setter takes exactly one parameter.") \
    X(1051, "A setter's parameter cannot be optional.") \
    X(1052, "A setter's parameter takes no default value.") \
    X(1053, "A setter's parameter cannot be a rest parameter.") \
    X(1054, "A getter takes no parameters.") \
    X(1068, "A member of the class was expected, found %f.") \
    X(1070, "%f may not stand at a member of a type.") \
    X(1071, "%f may not stand at an index signature.") \
    X(1084, "This `///` reference has none of the attributes it can have.") \
    X(1089, "%f may not stand at a constructor.") \
    X(1090, "%f may not stand at a parameter.") \
    X(1091, "`for (... in ...)` declares a single variable.") \
    X(1094, "An accessor takes no type parameters.") \
    X(1095, "A setter has no return type.") \
    X(1097, "Something must follow `%e`.") \
    X(1098, "There must be a type parameter between `<` and `>`.") \
    X(1099, "There must be a type argument between `<` and `>`.") \
    X(1103, "`for await` may only stand in async functions and at the top of modules.") \
    X(1104, "`continue` may only stand inside a loop.") \
    X(1105, "`break` may only stand inside a loop or `switch`.") \
    X(1107, "This would jump out of the function it stands in; use `return`.") \
    X(1108, "`return` may only stand inside a function.") \
    X(1109, "An expression was expected, found %f.") \
    X(1110, "A type was expected, found %f.") \
    X(1113, "This `switch` has a second `default`.") \
    X(1114, "The label %f is already that of a statement around this one.") \
    X(1115, "`continue` may only name the label of a loop around it.") \
    X(1116, "`break` may only name the label of a statement around it.") \
    X(1117, "This object has the property %f twice.") \
    X(1118, "This object has the same accessor %f twice.") \
    X(1119, "%f is both a property and an accessor of this object.") \
    X(1121, "Numbers with a leading zero are not octal here; write `0o...`.") \
    X(1123, "This declares no variable.") \
    X(1124, "A digit was expected, found %f.") \
    X(1125, "A hexadecimal digit was expected.") \
    X(1126, "The text ends in the middle of this.") \
    X(1127, "The character %f means nothing here.") \
    X(1128, "A statement or declaration was expected, found %f.") \
    X(1129, "A statement was expected, found %f.") \
    X(1130, "`case` or `default` was expected, found %f.") \
    X(1131, "A property or signature was expected, found %f.") \
    X(1132, "A member of the enum was expected, found %f.") \
    X(1134, "The name of a variable was expected, found %f.") \
    X(1135, "An argument was expected, found %f.") \
    X(1136, "A property was expected, found %f.") \
    X(1137, "An element or `,` was expected, found %f.") \
    X(1138, "A parameter was expected, found %f.") \
    X(1139, "A type parameter was expected, found %f.") \
    X(1140, "A type argument was expected, found %f.") \
    X(1142, "The line may not end before this.") \
    X(1144, "Expected `{` or `;`, found %f.") \
    X(1146, "A declaration was expected, found %f.") \
    X(1155, "A `%e` variable must be given a value where it is declared.") \
    X(1160, "This template string has no closing backtick.") \
    X(1161, "This regular expression has no closing `/` on its line.") \
    X(1162, "A property of an object cannot be optional.") \
    X(1163, "`yield` may only stand inside a generator, `function*`.") \
    X(1172, "There is already an `extends` before this.") \
    X(1173, "`extends` must come before `implements`.") \
    X(1174, "A class can only extend one class.") \
    X(1175, "There is already an `implements` before this.") \
    X(1176, "An interface cannot implement; use `extends`.") \
    X(1177, "A binary digit was expected.") \
    X(1178, "An octal digit was expected.") \
    X(1179, "Expected `{`, found %f.") \
    X(1180, "A property to take apart was expected, found %f.") \
    X(1181, "An element to take apart was expected, found %f.") \
    X(1182, "A pattern must be given a value where it is declared.") \
    X(1183, "What is only declared has no body; end it with `;`, or leave out `declare`.") \
    X(1184, "The modifier %f may not stand here.") \
    X(1185, "This line is a conflict marker left by version control.") \
    X(1186, "A rest element takes no default value.") \
    X(1188, "`for (... of ...)` declares a single variable.") \
    X(1189, "The variable of `for (... in ...)` cannot be given a value.") \
    X(1190, "The variable of `for (... of ...)` cannot be given a value.") \
    X(1196, "The type of a `catch` variable can only be `any` or `unknown`.") \
    X(1197, "A `catch` variable cannot be given a value.") \
    X(1198, "A code point in `\\u{...}` is at most 10FFFF.") \
    X(1199, "This `\\u{` escape has no closing `}`.") \
    X(1200, "The line may not end before `=>`.") \
    X(1206, "A decorator may not stand here; only at classes and their members.") \
    X(1209, "`new` cannot create what `?.` gives; call it without `new` or leave `?.` out.") \
    X(1228, "`x is T` may only be the return type of a function.") \
    X(1231, "`export =` may only stand at the top of a module or namespace.") \
    X(1232, "An import may only stand at the top of a module or namespace.") \
    X(1233, "An export may only stand at the top of a module or namespace.") \
    X(1234, "A module with a quoted name may only stand at the top of a text.") \
    X(1235, "A namespace may only stand at the top of a module or namespace.") \
    X(1242, "`abstract` may only stand at a class, a method or a property.") \
    X(1243, "%f does not go with the modifiers before it.") \
    X(1244, "An abstract method may only stand in an abstract class.") \
    X(1245, "The method %f is abstract and has no body here; classes that extend " \
            "this one give it.") \
    X(1249, "A decorator stands at the method with the body, not at an overload.") \
    X(1253, "An abstract property may only stand in an abstract class.") \
    X(1254, "The value of a declared constant can only be a string, a number or a " \
            "member of an enum.") \
    X(1255, "A `!` may not stand here.") \
    X(1258, "`export default` may only stand at the top of a module.") \
    X(1260, "A word of the language may not be written with escapes.") \
    X(1263, "A variable with a value takes no `!`.") \
    X(1264, "A variable with `!` needs a type.") \
    X(1267, "The property %f is abstract and takes no value here; classes that " \
            "extend this one give it.") \
    X(1275, "`accessor` may only stand at a property.") \
    X(1308, "`await` may only stand in async functions and at the top of modules.") \
    X(1312, "In an object a property is given its value with `:`, not `=`.") \
    X(1318, "The accessor %f is abstract and has no body here; classes that extend " \
            "this one give it.") \
    X(1351, "%f may not follow a number at once.") \
    X(1352, "A bigint cannot have an exponent.") \
    X(1353, "A bigint must be a whole number.") \
    X(1357, "After the name of an enum member `,`, `=` or `}` was expected, found %f.") \
    X(1359, "A name was expected, but %f is a word of the language.") \
    X(1375, "`await` at the top needs a module, and this has no import or export.") \
    X(1385, "A function type in a union needs parentheses.") \
    X(1386, "A constructor type in a union needs parentheses.") \
    X(1387, "A function type in an intersection needs parentheses.") \
    X(1388, "A constructor type in an intersection needs parentheses.") \
    X(1389, "%f is a word of the language and cannot name a variable.") \
    X(1390, "%f is a word of the language and cannot name a parameter.") \
    X(1431, "`for await` at the top needs a module, and this has no import or export.") \
    X(1433, "A `this` parameter takes no modifiers or decorators.") \
    X(1434, "The word %f does not fit here.") \
    X(1435, "The word %f does not fit here. Did you mean `%t`?") \
    X(1436, "Decorators stand before the name and all modifiers of a property.") \
    X(1437, "This namespace has no name.") \
    X(1438, "This interface has no name.") \
    X(1439, "This type alias has no name.") \
    X(1440, "A variable cannot be declared here.") \
    X(1441, "A type annotation cannot call a function.") \
    X(1442, "Expected `=` before the property's value, found %f.") \
    X(1443, "The name of a module is written in ' or \" quotes.") \
    X(1472, "`catch` or `finally` was expected after the `try` block, found %f.") \
    X(1477, "A member cannot be taken from a function with only type arguments; call it first.") \
    X(1478, "A name or a string was expected, found %f.") \
    X(1487, "Octal escapes are not allowed; write `\\x...`.") \
    X(1488, "The escape %f is not allowed.") \
    X(1489, "A decimal number may not begin with a zero.") \
    X(1490, "This is no text: it holds bytes that are not UTF-8.") \
    X(1499, "%f is no flag of regular expressions.") \
    X(1500, "The flag %f is here twice.") \
    X(1502, "The flags `u` and `v` exclude each other; keep one.") \
    X(1504, "A `-` here needs flags before or behind it, as in `(?i-s:...)`.") \
    X(1505, "This quantifier lacks its first number: write `{0,...}`, or `\\{` for a brace.") \
    X(1506, "The numbers of this quantifier are in the wrong order: the smaller comes first.") \
    X(1507, "Nothing stands before %f that it could repeat; write a backslash before it to " \
            "match it.") \
    X(1508, "%f may not stand here by itself; write a backslash before it to match it.") \
    X(1509, "The flag %f cannot be set for a part; only `i`, `m` and `s` can.") \
    X(1510, "`\\k` must name a group: `\\k<name>`.") \
    X(1511, "`\\q{...}` may only stand inside `[...]`.") \
    X(1512, "`\\c` must be followed by a letter from A to Z.") \
    X(1513, "Nothing stands behind this backslash.") \
    X(1514, "The name of a group was expected, found %f.") \
    X(1515, "There is already a group %f; two may share a name only in different alternatives.") \
    X(1516, "A range goes from one character to another; %f is more than one. Write `\\-` " \
            "for a `-`.") \
    X(1517, "The range %f is in the wrong order: the smaller character comes first.") \
    X(1518, "%f can match more than one character, which a negated class cannot.") \
    X(1519, "Different operators do not mix in one class; put a part in brackets of its own.") \
    X(1520, "An operand of the class was expected, found %f.") \
    X(1521, "`\\q` must be followed by texts in braces: `\\q{abc|d}`.") \
    X(1522, "With the flag `v` the sign %f means something or is kept free; write " \
            "backslashes before it to match it.") \
    X(1523, "The name of a Unicode property was expected before `=`.") \
    X(1524, "Unicode has no property %f that takes a value; `Script` and `General_Category` do.") \
    X(1525, "The value of a Unicode property was expected, found %f.") \
    X(1526, "%f is no value of this Unicode property.") \
    X(1527, "A Unicode property was expected between the braces.") \
    X(1528, "The property %f matches several characters and needs the flag `v`.") \
    X(1529, "Unicode has no property %f, and no category of that name.") \
    X(1530, "%f needs the flag `u` or `v`.") \
    X(1531, "%f must be followed by a Unicode property in braces: `\\p{L}`.") \
    X(1532, "This regular expression has no group named %f.") \
    X(1533, "This regular expression has fewer groups than %f.") \
    X(1534, "%f refers to a group, and this regular expression has none.") \
    X(1535, "With the flag `u` or `v` a backslash before this character means nothing: %f; " \
            "leave it out.") \
    X(1536, "%f is no character of a class; write `\\x...` with two hexadecimal digits.") \
    X(1537, "%f is no character of a class; write the digit without the backslash.") \
    X(1538, "%f needs the flag `u` or `v`.") \
    X(1539, "A bigint cannot name a property; write a string or a number.") \
    X(2300, "This object has the method %f twice.") \
    X(2357, "%f cannot be counted up or down; only a variable or a property can.") \
    X(2364, "%f cannot be assigned to; only a variable or a property can.") \
    X(2404, "The variable of `for (... in ...)` takes no type.") \
    X(2427, "An interface cannot be named %f.") \
    X(2457, "A type alias cannot be named %f.") \
    X(2462, "A rest element must be the last one.") \
    X(2480, "A `let` or `const` variable cannot be named `let`.") \
    X(2483, "The variable of `for (... of ...)` takes no type.") \
    X(2487, "The variable of `for (... of ...)` must be a variable or a property, found %f.") \
    X(2523, "`yield` may not stand in a parameter's default value.") \
    X(2524, "`await` may not stand in a parameter's default value.") \
    X(2701, "What is left of the object must go to a variable or a property, found %f.") \
    X(2754, "`super` takes no type arguments.") \
    X(2777, "An optional access (`?.`) cannot be counted up or down.") \
    X(2778, "What is left of the object cannot go to an optional access (`?.`).") \
    X(2779, "An optional access (`?.`) cannot be assigned to; test for the object first.") \
    X(2781, "The variable of `for (... of ...)` cannot be an optional access (`?.`).") \
    X(2809, "A block ends before this `=`; an assignment that takes an object apart needs " \
            "parentheses around all of it.") \
    X(2819, "A namespace cannot be named %f.") \
    X(5076, "`??` mixes with `||` and `&&` only in parentheses.") \
    X(6188, "A `_` may not stand here in a number.") \
    X(6189, "Two `_` may not stand side by side in a number.") \
    X(17006, "A unary `%e` before `**` needs parentheses to say what it belongs to.") \
    X(17007, "A type assertion before `**` needs parentheses.") \
    X(18009, "A parameter cannot have a #private name.") \
    X(18016, "A #private name stands for itself only inside its class.") \
    X(18026, "A `#!` line may only be the first line of a program; remove it or put it there.") \
    X(18029, "A variable cannot have a #private name.") \
    X(18030, "An optional chain cannot take a #private member.") \
    X(18037, "`await` may not stand in a class's static block.") \
    X(18041, "`return` may not stand in a class's static block.")
/* clang-format on */

/* Without pointers: all the words, one after the other, in the order of their codes. */
static const struct {
#define X(code, words) char of_##code[sizeof(words)];
    MESSAGES(X)
#undef X
} messages = {
#define X(code, words) words,
    MESSAGES(X)
#undef X
};
static const uint16_t codes[] = {
#define X(code, words) code,
    MESSAGES(X)
#undef X
};

static const char *words_of(unsigned code)
{
    const char *words = (const char *)&messages;

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (codes[i] == code)
            return words;
        words += strlen(words) + 1;
    }
    return "This does not fit here.";
}

typedef struct Out {
    char *at;
    char *end;
} Out;

static void put(Out *out, const char *text, size_t length)
{
    size_t room = (size_t)(out->end - out->at);

    if (length > room)
        length = utf8_floor(text, length, room);
    memcpy(out->at, text, length);
    out->at += length;
}

static void put_string(Out *out, const char *string)
{
    put(out, string, strlen(string));
}

/* The first line of what stands there, at most 32 bytes of it. */
static void put_found(Out *out, const Complaint *one, const Source *source)
{
    const char *text = source->text + one->start;
    size_t length = one->end - one->start;
    size_t most = 32;

    if (one->start >= source->length) {
        put_string(out, "the end of the text");
        return;
    }
    if (length == 0) /* between tokens: what follows */
        length = source->length - one->start;
    size_t blank = 0;
    while (one->end == one->start && blank < length && (uint8_t)text[blank] <= ' ')
        blank++;
    text += blank;
    length -= blank;
    if (one->end == one->start) {
        most = 1;
        while (most < 32 && most < length && (uint8_t)text[most] > ' ')
            most++;
    }
    if (length == 0) {
        put_string(out, "the end of the text");
        return;
    }
    const char *line = memchr(text, '\n', length < most ? length : most);
    size_t shown = line ? (size_t)(line - text) : length < most ? length : most;
    shown = utf8_floor(text, length, shown);
    put_string(out, "`");
    put(out, text, shown);
    put_string(out, shown < length && one->end > one->start ? "...`" : "`");
}

void message_write(const Complaint *one, const Source *source, char out_message[MESSAGE_BYTES_MAX])
{
    Out out = {out_message, out_message + MESSAGE_BYTES_MAX - 1};
    const char *words = words_of(one->code);

    if (one->code == 1005 && one->text)
        words = "This regular expression lacks a `%e`; write a backslash before a sign that means "
                "itself.";
    for (const char *w = words; *w; w++) {
        if (*w != '%') {
            put(&out, w, 1);
            continue;
        }
        w++;
        if (*w == 'e')
            put_string(&out, token_text((Token)one->token));
        else if (*w == 't')
            put_string(&out, one->text ? one->text : "");
        else
            put_found(&out, one, source);
    }
    *out.at = '\0';
}

/* ---- JSX ---- */

static bool is_tag_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' ||
           c == '_' || c == '-' || c == '$';
}

/* What stands before an expression, rather than behind one: then `<` is no comparison. */
static bool begins_expression(const char *text, const char *at)
{
    while (at > text && (uint8_t)at[-1] <= ' ')
        at--;
    if (at == text || memchr("(=,?:[{&|>;}", at[-1], 12))
        return true;
    return (at - text >= 6 && memcmp(at - 6, "return", 6) == 0) ||
           (at - text >= 7 && memcmp(at - 7, "default", 7) == 0);
}

/* Does `<name` begin an element: one that is closed, by `/>` or by `</name`? */
static bool begins_element(const char *at, const char *end, size_t *out_length)
{
    const char *name = at + 1;
    const char *stop = name;

    while (is_tag_byte(*stop))
        stop++;
    size_t length = (size_t)(stop - name);
    *out_length = length;
    if (length == 0 && *stop != '>')
        return false;
    const char *next = memchr(stop, '<', (size_t)(end - stop));
    const char *close = memmem(stop, (size_t)((next ? next : end) - stop), "/>", 2);
    if (close && length > 0)
        return true;
    for (; next; next = memchr(next + 1, '<', (size_t)(end - next - 1))) {
        if (next[1] == '/' && (size_t)(end - next) > length + 2 &&
            memcmp(next + 2, name, length) == 0 && !is_tag_byte(next[2 + length]))
            return true;
    }
    return false;
}

bool message_of_jsx(const Complaint *one, const Source *source, char out_message[MESSAGE_BYTES_MAX])
{
    enum { candidates = 8, reach = 512 };
    Out out = {out_message, out_message + MESSAGE_BYTES_MAX - 1};
    const char *text = source->text;
    const char *at = text + (one->start < source->length ? one->start : source->length);
    const char *first = at - text > reach ? at - reach : text;
    size_t length = 0;
    int tried = 0;

    for (; at >= first; at--) {
        if (*at != '<' || !begins_expression(text, at))
            continue;
        if (begins_element(at, text + source->length, &length))
            break;
        if (++tried == candidates)
            return false;
    }
    if (at < first)
        return false;
    put_string(&out, "This is JSX, which programs here cannot use: make what `<");
    put(&out, at + 1, length);
    put_string(&out, ">` stands for with calls, strings or objects.");
    *out.at = '\0';
    return true;
}
