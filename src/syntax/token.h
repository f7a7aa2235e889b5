/*
 * The words and signs of TypeScript. The order matters: reserved words, then words reserved only in
 * strict code, then words that are special in places; the sets below are ranges of it.
 */
#ifndef TOKEN_H
#define TOKEN_H

/* clang-format off */
#define TOKEN_SIGNS(X) \
    X(OPEN_BRACE, "{") X(CLOSE_BRACE, "}") X(OPEN_PAREN, "(") X(CLOSE_PAREN, ")") \
    X(OPEN_BRACKET, "[") X(CLOSE_BRACKET, "]") X(DOT, ".") X(DOT_DOT_DOT, "...") \
    X(SEMICOLON, ";") X(COMMA, ",") X(QUESTION_DOT, "?.") X(LESS, "<") X(LESS_SLASH, "</") \
    X(GREATER, ">") X(LESS_EQUALS, "<=") X(GREATER_EQUALS, ">=") X(EQUALS_EQUALS, "==") \
    X(EXCLAMATION_EQUALS, "!=") X(EQUALS_EQUALS_EQUALS, "===") \
    X(EXCLAMATION_EQUALS_EQUALS, "!==") X(ARROW, "=>") X(PLUS, "+") X(MINUS, "-") \
    X(ASTERISK, "*") X(ASTERISK_ASTERISK, "**") X(SLASH, "/") X(PERCENT, "%") \
    X(PLUS_PLUS, "++") X(MINUS_MINUS, "--") X(LESS_LESS, "<<") X(GREATER_GREATER, ">>") \
    X(GREATER_GREATER_GREATER, ">>>") X(AMPERSAND, "&") X(BAR, "|") X(CARET, "^") \
    X(EXCLAMATION, "!") X(TILDE, "~") X(AMPERSAND_AMPERSAND, "&&") X(BAR_BAR, "||") \
    X(QUESTION, "?") X(COLON, ":") X(AT, "@") X(QUESTION_QUESTION, "\?\?") X(BACKTICK, "`") \
    X(HASH, "#") \
    X(EQUALS, "=") X(PLUS_EQUALS, "+=") X(MINUS_EQUALS, "-=") X(ASTERISK_EQUALS, "*=") \
    X(ASTERISK_ASTERISK_EQUALS, "**=") X(SLASH_EQUALS, "/=") X(PERCENT_EQUALS, "%=") \
    X(LESS_LESS_EQUALS, "<<=") X(GREATER_GREATER_EQUALS, ">>=") \
    X(GREATER_GREATER_GREATER_EQUALS, ">>>=") X(AMPERSAND_EQUALS, "&=") X(BAR_EQUALS, "|=") \
    X(BAR_BAR_EQUALS, "||=") X(AMPERSAND_AMPERSAND_EQUALS, "&&=") \
    X(QUESTION_QUESTION_EQUALS, "\?\?=") X(CARET_EQUALS, "^=")

#define TOKEN_WORDS(X) \
    X(BREAK, "break") X(CASE, "case") X(CATCH, "catch") X(CLASS, "class") X(CONST, "const") \
    X(CONTINUE, "continue") X(DEBUGGER, "debugger") X(DEFAULT, "default") X(DELETE, "delete") \
    X(DO, "do") X(ELSE, "else") X(ENUM, "enum") X(EXPORT, "export") X(EXTENDS, "extends") \
    X(FALSE, "false") X(FINALLY, "finally") X(FOR, "for") X(FUNCTION, "function") X(IF, "if") \
    X(IMPORT, "import") X(IN, "in") X(INSTANCEOF, "instanceof") X(NEW, "new") X(NULL, "null") \
    X(RETURN, "return") X(SUPER, "super") X(SWITCH, "switch") X(THIS, "this") \
    X(THROW, "throw") X(TRUE, "true") X(TRY, "try") X(TYPEOF, "typeof") X(VAR, "var") \
    X(VOID, "void") X(WHILE, "while") X(WITH, "with") \
    X(IMPLEMENTS, "implements") X(INTERFACE, "interface") X(LET, "let") X(PACKAGE, "package") \
    X(PRIVATE, "private") X(PROTECTED, "protected") X(PUBLIC, "public") X(STATIC, "static") \
    X(YIELD, "yield") \
    X(ABSTRACT, "abstract") X(ACCESSOR, "accessor") X(AS, "as") X(ASSERTS, "asserts") \
    X(ASSERT, "assert") X(ANY, "any") X(ASYNC, "async") X(AWAIT, "await") \
    X(BOOLEAN, "boolean") X(CONSTRUCTOR, "constructor") X(DECLARE, "declare") \
    X(DEFER, "defer") X(GET, "get") X(IMMEDIATE, "immediate") X(INFER, "infer") \
    X(INTRINSIC, "intrinsic") X(IS, "is") X(KEYOF, "keyof") X(MODULE, "module") \
    X(NAMESPACE, "namespace") X(NEVER, "never") X(OUT, "out") X(READONLY, "readonly") \
    X(REQUIRE, "require") X(NUMBER, "number") X(OBJECT, "object") X(SATISFIES, "satisfies") \
    X(SET, "set") X(STRING, "string") X(SYMBOL, "symbol") X(TYPE, "type") \
    X(UNDEFINED, "undefined") X(UNIQUE, "unique") X(UNKNOWN, "unknown") X(USING, "using") \
    X(FROM, "from") X(GLOBAL, "global") X(BIGINT, "bigint") X(OVERRIDE, "override") X(OF, "of")

typedef enum Token {
    TOKEN_NONE, /* no token: what is optional and not there */
    TOKEN_END,
    TOKEN_UNKNOWN_CHARACTER,
    TOKEN_CONFLICT_MARKER,
    TOKEN_NUMERIC,
    TOKEN_BIGINT_LITERAL,
    TOKEN_STRING_LITERAL,
    TOKEN_REGULAR_EXPRESSION,
    TOKEN_TEMPLATE, /* `text` */
    TOKEN_TEMPLATE_HEAD, /* `text${ */
    TOKEN_TEMPLATE_MIDDLE, /* }text${ */
    TOKEN_TEMPLATE_TAIL, /* }text` */
#define X(name, text) TOKEN_##name,
    TOKEN_SIGNS(X)
#undef X
    TOKEN_IDENTIFIER,
    TOKEN_PRIVATE_IDENTIFIER, /* #name */
#define X(name, text) TOKEN_##name,
    TOKEN_WORDS(X)
#undef X
    TOKEN_COUNT,

    TOKEN_FIRST_RESERVED = TOKEN_BREAK,
    TOKEN_LAST_RESERVED = TOKEN_WITH,
    TOKEN_FIRST_STRICT_RESERVED = TOKEN_IMPLEMENTS,
    TOKEN_LAST_STRICT_RESERVED = TOKEN_YIELD,
    TOKEN_FIRST_WORD = TOKEN_BREAK,
    TOKEN_LAST_WORD = TOKEN_OF,
    TOKEN_FIRST_ASSIGNMENT = TOKEN_EQUALS,
    TOKEN_LAST_ASSIGNMENT = TOKEN_CARET_EQUALS,
} Token;
/* clang-format on */

/** How a sign or a word is written; "" for the other tokens. */
const char *token_text(Token token);

#endif
