#include "messages.h"

#include <string.h>

#include "utf8.h"

/* %e the token that was expected, %t the text that goes with the complaint, %f what stands there.
 */
static const struct {
    uint16_t code;
    const char *words;
} table[] = {
    {COMPLAINT_TOO_DEEP, "The program is nested too deeply to be read."},
    {1002, "This string has no closing quote on its line."},
    {1003, "A name was expected here, found %f."},
    {1005, "Expected `%e`, found %f."},
    {1009, "A `,` may not stand after the last one here."},
    {1010, "This comment is never closed with `*/`."},
    {1011, "Nothing stands between the brackets of this element access."},
    {1012, "%f cannot stand here."},
    {1013, "A `,` may not follow the rest parameter."},
    {1014, "A rest parameter must be the last parameter."},
    {1015, "A parameter with a default value takes no `?`."},
    {1016, "The required parameter %f may not follow an optional one."},
    {1024, "`readonly` may only stand at a property or an index signature."},
    {1028, "This already has `public`, `protected` or `private`."},
    {1029, "The modifiers are in the wrong order: %f comes too late."},
    {1030, "The modifier %f is here twice."},
    {1031, "%f may not stand at this member of a class."},
    {1034, "`super` needs arguments or a member behind it, found %f."},
    {1040, "%f may not stand where everything is only declared."},
    {1042, "%f may not stand here."},
    {1044, "%f may only stand at members of classes."},
    {1047, "A rest parameter cannot be optional."},
    {1048, "A rest parameter takes no default value."},
    {1049, "A setter takes exactly one parameter."},
    {1051, "A setter's parameter cannot be optional."},
    {1052, "A setter's parameter takes no default value."},
    {1053, "A setter's parameter cannot be a rest parameter."},
    {1054, "A getter takes no parameters."},
    {1068, "A member of the class was expected, found %f."},
    {1070, "%f may not stand at a member of a type."},
    {1071, "%f may not stand at an index signature."},
    {1084, "This `///` reference has none of the attributes it can have."},
    {1089, "%f may not stand at a constructor."},
    {1090, "%f may not stand at a parameter."},
    {1091, "`for (... in ...)` declares a single variable."},
    {1094, "An accessor takes no type parameters."},
    {1095, "A setter has no return type."},
    {1097, "Something must follow `%e`."},
    {1098, "There must be a type parameter between `<` and `>`."},
    {1099, "There must be a type argument between `<` and `>`."},
    {1103, "`for await` may only stand in async functions and at the top of modules."},
    {1104, "`continue` may only stand inside a loop."},
    {1105, "`break` may only stand inside a loop or `switch`."},
    {1107, "This would jump out of the function it stands in; use `return`."},
    {1108, "`return` may only stand inside a function."},
    {1109, "An expression was expected, found %f."},
    {1110, "A type was expected, found %f."},
    {1113, "This `switch` has a second `default`."},
    {1114, "The label %f is already that of a statement around this one."},
    {1115, "`continue` may only name the label of a loop around it."},
    {1116, "`break` may only name the label of a statement around it."},
    {1117, "This object has the property %f twice."},
    {1118, "This object has the same accessor %f twice."},
    {1119, "%f is both a property and an accessor of this object."},
    {1121, "Numbers with a leading zero are not octal here; write `0o...`."},
    {1123, "This declares no variable."},
    {1124, "A digit was expected, found %f."},
    {1125, "A hexadecimal digit was expected."},
    {1126, "The text ends in the middle of this."},
    {1127, "The character %f means nothing here."},
    {1128, "A statement or declaration was expected, found %f."},
    {1129, "A statement was expected, found %f."},
    {1130, "`case` or `default` was expected, found %f."},
    {1131, "A property or signature was expected, found %f."},
    {1132, "A member of the enum was expected, found %f."},
    {1134, "The name of a variable was expected, found %f."},
    {1135, "An argument was expected, found %f."},
    {1136, "A property was expected, found %f."},
    {1137, "An element or `,` was expected, found %f."},
    {1138, "A parameter was expected, found %f."},
    {1139, "A type parameter was expected, found %f."},
    {1140, "A type argument was expected, found %f."},
    {1142, "The line may not end before this."},
    {1144, "Expected `{` or `;`, found %f."},
    {1146, "A declaration was expected, found %f."},
    {1155, "A `%e` variable must be given a value where it is declared."},
    {1160, "This template string has no closing backtick."},
    {1161, "This regular expression has no closing `/` on its line."},
    {1162, "A property of an object cannot be optional."},
    {1163, "`yield` may only stand inside a generator, `function*`."},
    {1172, "There is already an `extends` before this."},
    {1173, "`extends` must come before `implements`."},
    {1174, "A class can only extend one class."},
    {1175, "There is already an `implements` before this."},
    {1176, "An interface cannot implement; use `extends`."},
    {1177, "A binary digit was expected."},
    {1178, "An octal digit was expected."},
    {1179, "Expected `{`, found %f."},
    {1180, "A property to take apart was expected, found %f."},
    {1181, "An element to take apart was expected, found %f."},
    {1182, "A pattern must be given a value where it is declared."},
    {1184, "The modifier %f may not stand here."},
    {1185, "This line is a conflict marker left by version control."},
    {1188, "`for (... of ...)` declares a single variable."},
    {1189, "The variable of `for (... in ...)` cannot be given a value."},
    {1190, "The variable of `for (... of ...)` cannot be given a value."},
    {1196, "The type of a `catch` variable can only be `any` or `unknown`."},
    {1197, "A `catch` variable cannot be given a value."},
    {1198, "A code point in `\\u{...}` is at most 10FFFF."},
    {1199, "This `\\u{` escape has no closing `}`."},
    {1200, "The line may not end before `=>`."},
    {1209, "`new` cannot create what `?.` gives; call it without `new` or leave `?.` out."},
    {1228, "`x is T` may only be the return type of a function."},
    {1231, "`export =` may only stand at the top of a module or namespace."},
    {1232, "An import may only stand at the top of a module or namespace."},
    {1233, "An export may only stand at the top of a module or namespace."},
    {1234, "A module with a quoted name may only stand at the top of a text."},
    {1235, "A namespace may only stand at the top of a module or namespace."},
    {1242, "`abstract` may only stand at a class, a method or a property."},
    {1243, "%f does not go with the modifiers before it."},
    {1244, "An abstract method may only stand in an abstract class."},
    {1253, "An abstract property may only stand in an abstract class."},
    {1255, "A `!` may not stand here."},
    {1258, "`export default` may only stand at the top of a module."},
    {1260, "A word of the language may not be written with escapes."},
    {1263, "A variable with a value takes no `!`."},
    {1264, "A variable with `!` needs a type."},
    {1275, "`accessor` may only stand at a property."},
    {1308, "`await` may only stand in async functions and at the top of modules."},
    {1312, "In an object a property is given its value with `:`, not `=`."},
    {1351, "%f may not follow a number at once."},
    {1352, "A bigint cannot have an exponent."},
    {1353, "A bigint must be a whole number."},
    {1357, "After the name of an enum member `,`, `=` or `}` was expected, found %f."},
    {1359, "A name was expected, but %f is a word of the language."},
    {1375, "`await` at the top needs a module, and this has no import or export."},
    {1385, "A function type in a union needs parentheses."},
    {1386, "A constructor type in a union needs parentheses."},
    {1387, "A function type in an intersection needs parentheses."},
    {1388, "A constructor type in an intersection needs parentheses."},
    {1389, "%f is a word of the language and cannot name a variable."},
    {1390, "%f is a word of the language and cannot name a parameter."},
    {1431, "`for await` at the top needs a module, and this has no import or export."},
    {1433, "A `this` parameter takes no modifiers or decorators."},
    {1434, "The word %f does not fit here."},
    {1435, "The word %f does not fit here. Did you mean `%t`?"},
    {1436, "Decorators stand before the name and all modifiers of a property."},
    {1437, "This namespace has no name."},
    {1438, "This interface has no name."},
    {1439, "This type alias has no name."},
    {1440, "A variable cannot be declared here."},
    {1441, "A type annotation cannot call a function."},
    {1442, "Expected `=` before the property's value, found %f."},
    {1443, "The name of a module is written in ' or \" quotes."},
    {1472, "`catch` or `finally` was expected after the `try` block, found %f."},
    {1477, "A member cannot be taken from a function with only type arguments; call it first."},
    {1478, "A name or a string was expected, found %f."},
    {1487, "Octal escapes are not allowed; write `\\x...`."},
    {1488, "The escape %f is not allowed."},
    {1489, "A decimal number may not begin with a zero."},
    {1490, "This is no text: it holds bytes that are not UTF-8."},
    {1499, "%f is no flag of regular expressions."},
    {1500, "The flag %f is here twice."},
    {1502, "The flags `u` and `v` exclude each other; keep one."},
    {1504, "A `-` here needs flags before or behind it, as in `(?i-s:...)`."},
    {1505, "This quantifier lacks its first number: write `{0,...}`, or `\\{` for a brace."},
    {1506, "The numbers of this quantifier are in the wrong order: the smaller comes first."},
    {1507,
     "Nothing stands before %f that it could repeat; write a backslash before it to match it."},
    {1508, "%f may not stand here by itself; write a backslash before it to match it."},
    {1509, "The flag %f cannot be set for a part; only `i`, `m` and `s` can."},
    {1510, "`\\k` must name a group: `\\k<name>`."},
    {1511, "`\\q{...}` may only stand inside `[...]`."},
    {1512, "`\\c` must be followed by a letter from A to Z."},
    {1513, "Nothing stands behind this backslash."},
    {1514, "The name of a group was expected, found %f."},
    {1515, "There is already a group %f; two may share a name only in different alternatives."},
    {1516,
     "A range goes from one character to another; %f is more than one. Write `\\-` for a `-`."},
    {1517, "The range %f is in the wrong order: the smaller character comes first."},
    {1518, "%f can match more than one character, which a negated class cannot."},
    {1519, "Different operators do not mix in one class; put a part in brackets of its own."},
    {1520, "An operand of the class was expected, found %f."},
    {1521, "`\\q` must be followed by texts in braces: `\\q{abc|d}`."},
    {1522,
     "With the flag `v` the sign %f means something or is kept free; write backslashes before "
     "it to match it."},
    {1523, "The name of a Unicode property was expected before `=`."},
    {1524, "Unicode has no property %f that takes a value; `Script` and `General_Category` do."},
    {1525, "The value of a Unicode property was expected, found %f."},
    {1526, "%f is no value of this Unicode property."},
    {1527, "A Unicode property was expected between the braces."},
    {1528, "The property %f matches several characters and needs the flag `v`."},
    {1529, "Unicode has no property %f, and no category of that name."},
    {1530, "%f needs the flag `u` or `v`."},
    {1531, "%f must be followed by a Unicode property in braces: `\\p{L}`."},
    {1532, "This regular expression has no group named %f."},
    {1533, "This regular expression has fewer groups than %f."},
    {1534, "%f refers to a group, and this regular expression has none."},
    {1535,
     "With the flag `u` or `v` a backslash before this character means nothing: %f; leave it out."},
    {1536, "%f is no character of a class; write `\\x...` with two hexadecimal digits."},
    {1537, "%f is no character of a class; write the digit without the backslash."},
    {1538, "%f needs the flag `u` or `v`."},
    {2300, "This object has the method %f twice."},
    {2404, "The variable of `for (... in ...)` takes no type."},
    {2427, "An interface cannot be named %f."},
    {2457, "A type alias cannot be named %f."},
    {2480, "A `let` or `const` variable cannot be named `let`."},
    {2483, "The variable of `for (... of ...)` takes no type."},
    {2523, "`yield` may not stand in a parameter's default value."},
    {2524, "`await` may not stand in a parameter's default value."},
    {2754, "`super` takes no type arguments."},
    {2809,
     "A block ends before this `=`; an assignment that takes an object apart needs parentheses "
     "around all of it."},
    {2819, "A namespace cannot be named %f."},
    {5076, "`??` mixes with `||` and `&&` only in parentheses."},
    {6188, "A `_` may not stand here in a number."},
    {6189, "Two `_` may not stand side by side in a number."},
    {17006, "A unary `%e` before `**` needs parentheses to say what it belongs to."},
    {17007, "A type assertion before `**` needs parentheses."},
    {18009, "A parameter cannot have a #private name."},
    {18016, "A #private name stands for itself only inside its class."},
    {18026, "`#!` may only be the very beginning of a file."},
    {18029, "A variable cannot have a #private name."},
    {18030, "An optional chain cannot take a #private member."},
    {18037, "`await` may not stand in a class's static block."},
    {18041, "`return` may not stand in a class's static block."},
};

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
    const char *words = "This does not fit here.";
    bool in_regexp = one->code == 1005 && one->text;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].code == one->code)
            words = table[i].words;
    }
    if (in_regexp)
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
