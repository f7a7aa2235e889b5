/* Statements. */
#include "parser.h"

/* ---- blocks ---- */

/* block = "{" statement* "}" */
Node *read_block(Parser *p, bool without_brace, unsigned code)
{
    Place place = here(p);
    bool opened = expect_or(p, TOKEN_OPEN_BRACE, code);

    if (!opened && !without_brace)
        return new_list(p, NODE_BLOCK, place, missing_list(p));
    uint16_t lines = after_line_break(p) ? NODE_FLAG_LINES : 0;
    NodeList *statements = read_list(p, LIST_BLOCK, read_statement);
    Mark close = expect_mark(p, TOKEN_CLOSE_BRACE);
    statements->start = place.start;
    statements->end = p->scan.full_start;
    Node *block = new_list(p, NODE_BLOCK, place, statements);
    as_list(block)->close = close;
    block->flags |= lines;
    if (at(p) == TOKEN_EQUALS) {
        wrong(p, 2809);
        next(p);
    }
    return block;
}

/* "(" expression ")", after the word of a statement */
static Node *condition(Parser *p)
{
    (void)expect(p, TOKEN_OPEN_PAREN);
    Node *expression = read_expression_with_in(p);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    return expression;
}

/* ---- branches and loops ---- */

static Conditional *if_then(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = condition(p);
    Node *then = read_statement(p);
    Conditional *node = NEW(p, IF_STATEMENT, place);
    node->condition = expression;
    node->when_true = then;
    return node;
}

/* if = "if" "(" expression ")" statement ("else" statement)?
 * A chain of `else if` is read in a loop: it may be long and nests only on paper. */
static Node *if_statement(Parser *p)
{
    Conditional *first = if_then(p);
    Conditional *last = first;
    uint32_t links = 0;

    while (at(p) == TOKEN_ELSE && link_chain(p, &links)) {
        last->colon = p->scan.start;
        next(p);
        if (at(p) != TOKEN_IF) {
            last->when_false = read_statement(p);
            break;
        }
        Conditional *inner = if_then(p);
        last->when_false = &inner->node;
        last = inner;
    }
    for (Conditional *node = first; node != last && !p->stopped;
         node = as_conditional(node->when_false))
        node->node.end = p->scan.full_start;
    last->node.end = p->scan.full_start;
    return &first->node;
}

/* do = "do" statement "while" "(" expression ")" ";"? */
static Node *do_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *statement = read_statement(p);
    (void)expect(p, TOKEN_WHILE);
    Node *expression = condition(p);
    (void)take(p, TOKEN_SEMICOLON);
    Loop *loop = NEW(p, DO_STATEMENT, place);
    loop->statement = statement;
    loop->expression = expression;
    return &loop->node;
}

/* ("while" | "with") "(" expression ")" statement */
static Node *while_or_with(Parser *p, NodeKind kind)
{
    Place place = here(p);

    next(p);
    Node *expression = condition(p);
    Node *statement = read_statement(p);
    Loop *loop = as_loop(node_new(p, kind, sizeof(Loop), place));
    loop->expression = expression;
    loop->statement = statement;
    return &loop->node;
}

static Node *for_initializer(Parser *p)
{
    switch (at(p)) {
    case TOKEN_SEMICOLON:
        return NULL;
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_CONST:
        return read_variables(p, true);
    case TOKEN_USING:
        if (is_using(p, true))
            return read_variables(p, true);
        break;
    case TOKEN_AWAIT:
        if (is_await_using(p))
            return read_variables(p, true);
        break;
    default:
        break;
    }
    uint32_t context = p->context;
    p->context |= CONTEXT_NO_IN;
    Node *expression = read_expression(p);
    p->context = context;
    return expression;
}

static Node *for_each(Parser *p, Place place, NodeKind kind, ForEach start)
{
    if (kind == NODE_FOR_OF_STATEMENT) {
        uint32_t context = p->context;
        p->context &= ~(uint32_t)CONTEXT_NO_IN;
        start.expression = read_assignment(p, true);
        p->context = context;
    } else {
        start.expression = read_expression_with_in(p);
    }
    (void)expect(p, TOKEN_CLOSE_PAREN);
    start.statement = read_statement(p);
    ForEach *node = as_for_each(node_new(p, kind, sizeof(ForEach), place));
    start.node = node->node;
    *node = start;
    return &node->node;
}

/* for = "for" "await"? "(" (initializer ("of" assignment | "in" expression)
 *     | initializer? ";" expression? ";" expression?) ")" statement */
static Node *for_statement(Parser *p)
{
    Place place = here(p);
    ForEach each = {0};

    next(p);
    each.await_word = take_mark(p, TOKEN_AWAIT);
    if (each.await_word && p->functions == 0)
        p->has_await = true;
    (void)expect(p, TOKEN_OPEN_PAREN);
    each.initializer = for_initializer(p);
    each.word = p->scan.start;
    if (each.await_word ? expect(p, TOKEN_OF) : take(p, TOKEN_OF))
        return for_each(p, place, NODE_FOR_OF_STATEMENT, each);
    if (take(p, TOKEN_IN))
        return for_each(p, place, NODE_FOR_IN_STATEMENT, each);

    (void)expect(p, TOKEN_SEMICOLON);
    Node *expression = NULL;
    if (!at_any(p, TOKEN_SEMICOLON, TOKEN_CLOSE_PAREN))
        expression = read_expression_with_in(p);
    (void)expect(p, TOKEN_SEMICOLON);
    Node *increment = at(p) == TOKEN_CLOSE_PAREN ? NULL : read_expression_with_in(p);
    (void)expect(p, TOKEN_CLOSE_PAREN);
    Node *statement = read_statement(p);
    ForStatement *node = NEW(p, FOR_STATEMENT, place);
    node->initializer = each.initializer;
    node->condition = expression;
    node->increment = increment;
    node->statement = statement;
    return &node->node;
}

/* ("break" | "continue") name? ";" */
static Node *jump(Parser *p, NodeKind kind)
{
    Place place = here(p);

    next(p);
    Node *label = can_end_statement(p) ? NULL : read_name(p, 0);
    expect_semicolon(p);
    return new_unary(p, kind, place, label);
}

/* return = "return" expression? ";" */
static Node *return_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = can_end_statement(p) ? NULL : read_expression_with_in(p);
    expect_semicolon(p);
    return new_unary(p, NODE_RETURN_STATEMENT, place, expression);
}

/* throw = "throw" expression ";", on one line */
static Node *throw_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = after_line_break(p) ? missing_name(p) : read_expression_with_in(p);
    if (!take_semicolon(p))
        wrong_missing_semicolon(p, expression);
    return new_unary(p, NODE_THROW_STATEMENT, place, expression);
}

/* case-clause = ("case" expression | "default") ":" statement* */
static Node *case_clause(Parser *p)
{
    Place place = here(p);
    bool is_case = at(p) == TOKEN_CASE;

    next(p);
    Node *expression = is_case ? read_expression_with_in(p) : NULL;
    (void)expect(p, TOKEN_COLON);
    NodeList *statements = read_list(p, LIST_CLAUSE_STATEMENTS, read_statement);
    CaseClause *clause = as_case_clause(
        node_new(p, is_case ? NODE_CASE_CLAUSE : NODE_DEFAULT_CLAUSE, sizeof(CaseClause), place));
    clause->expression = expression;
    clause->statements = statements;
    return &clause->node;
}

/* switch = "switch" "(" expression ")" "{" case-clause* "}" */
static Node *switch_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    Node *expression = condition(p);
    Place inner = here(p);
    (void)expect(p, TOKEN_OPEN_BRACE);
    NodeList *clauses = read_list(p, LIST_CLAUSES, case_clause);
    Mark close = expect_mark(p, TOKEN_CLOSE_BRACE);
    clauses->start = inner.start;
    clauses->end = p->scan.full_start < inner.start ? inner.start : p->scan.full_start;
    Node *block = new_list(p, NODE_CASE_BLOCK, inner, clauses);
    as_list(block)->close = close;
    SwitchStatement *node = NEW(p, SWITCH_STATEMENT, place);
    node->expression = expression;
    node->block = block;
    return &node->node;
}

static Node *catch_clause(Parser *p)
{
    Place place = here(p);
    Node *variable = NULL;

    next(p);
    if (take(p, TOKEN_OPEN_PAREN)) {
        variable = read_variable(p);
        (void)expect(p, TOKEN_CLOSE_PAREN);
    }
    Node *block = read_block(p, false, 0);
    CatchClause *clause = NEW(p, CATCH_CLAUSE, place);
    clause->variable = variable;
    clause->block = block;
    return &clause->node;
}

/* try = "try" block ("catch" ("(" variable ")")? block)? ("finally" block)?
 * `catch` and `finally` alone come here too, to be complained about. */
static Node *try_statement(Parser *p)
{
    Place place = here(p);
    Node *finalizer = NULL;

    (void)expect(p, TOKEN_TRY);
    Node *block = read_block(p, false, 0);
    Node *handler = at(p) == TOKEN_CATCH ? catch_clause(p) : NULL;
    if (!handler || at(p) == TOKEN_FINALLY) {
        (void)expect_or(p, TOKEN_FINALLY, 1472);
        finalizer = read_block(p, false, 0);
    }
    TryStatement *node = NEW(p, TRY_STATEMENT, place);
    node->block = block;
    node->handler = handler;
    node->finalizer = finalizer;
    return &node->node;
}

static Node *debugger_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    expect_semicolon(p);
    return new_plain(p, NODE_DEBUGGER_STATEMENT, place);
}

static Node *empty_statement(Parser *p)
{
    Place place = here(p);

    next(p);
    return new_plain(p, NODE_EMPTY_STATEMENT, place);
}

/* expression-statement = expression ";"    labeled-statement = name ":" statement */
static Node *expression_statement(Parser *p)
{
    Place place = here(p);
    Node *expression = read_expression_with_in(p);

    if (expression->kind == NODE_IDENTIFIER && take(p, TOKEN_COLON)) {
        Node *statement = read_statement(p);
        LabeledStatement *labeled = NEW(p, LABELED_STATEMENT, place);
        labeled->label = expression;
        labeled->statement = statement;
        return &labeled->node;
    }
    if (!take_semicolon(p))
        wrong_missing_semicolon(p, expression);
    return new_unary(p, NODE_EXPRESSION_STATEMENT, place, expression);
}

/* ---- what begins a statement ---- */

static bool is_word_on_line(Parser *p)
{
    bool line_break;
    return is_word(peek_line(p, &line_break)) && !line_break;
}

bool starts_statement(Parser *p)
{
    switch (at(p)) {
    case TOKEN_AT:
    case TOKEN_SEMICOLON:
    case TOKEN_OPEN_BRACE:
    case TOKEN_VAR:
    case TOKEN_LET:
    case TOKEN_USING:
    case TOKEN_FUNCTION:
    case TOKEN_CLASS:
    case TOKEN_ENUM:
    case TOKEN_IF:
    case TOKEN_DO:
    case TOKEN_WHILE:
    case TOKEN_FOR:
    case TOKEN_CONTINUE:
    case TOKEN_BREAK:
    case TOKEN_RETURN:
    case TOKEN_WITH:
    case TOKEN_SWITCH:
    case TOKEN_THROW:
    case TOKEN_TRY:
    case TOKEN_DEBUGGER:
    case TOKEN_CATCH:
    case TOKEN_FINALLY:
        return true;
    case TOKEN_IMPORT:
        return starts_declaration(p) || starts_left_side(p);
    case TOKEN_CONST:
    case TOKEN_EXPORT:
        return starts_declaration(p);
    case TOKEN_ASYNC:
    case TOKEN_DECLARE:
    case TOKEN_INTERFACE:
    case TOKEN_MODULE:
    case TOKEN_NAMESPACE:
    case TOKEN_TYPE:
    case TOKEN_GLOBAL:
    case TOKEN_DEFER:
        return true;
    case TOKEN_ACCESSOR:
    case TOKEN_PUBLIC:
    case TOKEN_PRIVATE:
    case TOKEN_PROTECTED:
    case TOKEN_STATIC:
    case TOKEN_READONLY:
        return starts_declaration(p) || !is_word_on_line(p);
    default:
        return starts_expression(p);
    }
}

/* ---- the choice ---- */

/* Statements that begin with a word of their own; NULL if this one does not. */
static Node *word_statement(Parser *p)
{
    switch (at(p)) {
    case TOKEN_SEMICOLON:
        return empty_statement(p);
    case TOKEN_OPEN_BRACE:
        return read_block(p, false, 0);
    case TOKEN_IF:
        return if_statement(p);
    case TOKEN_DO:
        return do_statement(p);
    case TOKEN_WHILE:
        return while_or_with(p, NODE_WHILE_STATEMENT);
    case TOKEN_WITH:
        return while_or_with(p, NODE_WITH_STATEMENT);
    case TOKEN_FOR:
        return for_statement(p);
    case TOKEN_CONTINUE:
        return jump(p, NODE_CONTINUE_STATEMENT);
    case TOKEN_BREAK:
        return jump(p, NODE_BREAK_STATEMENT);
    case TOKEN_RETURN:
        return return_statement(p);
    case TOKEN_SWITCH:
        return switch_statement(p);
    case TOKEN_THROW:
        return throw_statement(p);
    case TOKEN_TRY:
    case TOKEN_CATCH:
    case TOKEN_FINALLY:
        return try_statement(p);
    case TOKEN_DEBUGGER:
        return debugger_statement(p);
    default:
        return NULL;
    }
}

static bool is_declaration(Parser *p)
{
    switch (at(p)) {
    case TOKEN_VAR:
    case TOKEN_FUNCTION:
    case TOKEN_CLASS:
    case TOKEN_AT:
        return true;
    case TOKEN_LET:
        return is_let(p);
    case TOKEN_AWAIT:
        return is_await_using(p);
    case TOKEN_USING:
        return is_using(p, false);
    case TOKEN_ASYNC:
    case TOKEN_INTERFACE:
    case TOKEN_TYPE:
    case TOKEN_MODULE:
    case TOKEN_NAMESPACE:
    case TOKEN_DECLARE:
    case TOKEN_CONST:
    case TOKEN_ENUM:
    case TOKEN_EXPORT:
    case TOKEN_IMPORT:
    case TOKEN_PRIVATE:
    case TOKEN_PROTECTED:
    case TOKEN_PUBLIC:
    case TOKEN_ABSTRACT:
    case TOKEN_ACCESSOR:
    case TOKEN_STATIC:
    case TOKEN_READONLY:
    case TOKEN_GLOBAL:
        return starts_declaration(p);
    default:
        return false;
    }
}

Node *read_statement(Parser *p)
{
    Node *statement = NULL;

    if (enter(p)) {
        statement = word_statement(p);
        if (!statement)
            statement = is_declaration(p) ? read_declaration(p) : expression_statement(p);
    } else {
        statement = new_plain(p, NODE_EMPTY_STATEMENT, here(p));
    }
    leave(p);
    return statement;
}
