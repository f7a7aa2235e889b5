#!/usr/bin/env python3
"""Make our copy of quickjs-ng: every change to the engine is in this one file.

usage: patch_engine.py ENGINE_SOURCE_DIR OUTPUT_DIR

Each patch names an anchor in the engine's own text. If an anchor is gone, or
stands there more often than it should, the build fails here and says which
one: a new engine version is then looked at by a person, never guessed at.

What is changed, and why:
  hash      names are hashed with a key drawn at process start (hash flooding)
  stop      a stop request is sticky: caught or swallowed, it comes back at once
  stack     the stack check also asks for the room left on the native stack
  memory    the refusal of memory is remembered; the error for it gets a reserve
  zone      local time comes from the host's zone, not from the C library
  program   top-level `return` and the value of the last expression, in a module
  stack2    stacks go on across `await`, to the callers that wait
  reentry   an async generator that is asked again while it settles a request
  names     module names are exact; names of bound functions stay cheap
  dropped   where a function waited that nothing can continue
  dispatch  the interpreter's loop as a plain switch, which is what wasm has; no tracing
  errors    a string too long is a RangeError; `stack` begins with name and message
  size      what programs spend no time in is compiled for size
  reading   what the compiler does for each token, name, number and array
  places    errors name the line a call begins on, not that of its last argument
"""
import pathlib
import re
import sys

SOURCES = ["quickjs.c", "libregexp.c", "libunicode.c", "dtoa.c"]


def fail(text):
    sys.exit(f"patch_engine: {text}\n  The engine's sources changed: look at the change, then mend "
             "the anchor in src/realm/guest/patch_engine.py.")


class File:
    def __init__(self, path):
        self.name = path.name
        self.text = path.read_text()

    def replace(self, why, old, new, count=1):
        found = self.text.count(old)
        if found != count:
            fail(f"{self.name}: patch '{why}' expects {count} of this anchor and found {found}:\n    "
                 + old.strip().splitlines()[0])
        self.text = self.text.replace(old, new)

    def within(self, why, head, old, new, count=1):
        """Replace inside one function only."""
        start = self.text.find(head)
        end = self.text.find("\n}\n", start)
        body = self.text[start:end]
        if start < 0 or body.count(old) != count:
            fail(f"{self.name}: patch '{why}' expects {count} of this anchor in {head.split('(')[0]}:"
                 f"\n    {old.strip().splitlines()[0]}")
        self.text = self.text[:start] + body.replace(old, new) + self.text[end:]

    def function(self, why, head, body):
        """Replace a whole function: from its head to the brace in column 0."""
        start = self.text.find(head)
        if start < 0 or self.text.find(head, start + 1) >= 0:
            fail(f"{self.name}: patch '{why}' expects one function: {head.splitlines()[0]}")
        end = self.text.find("\n}\n", start)
        self.text = self.text[:start] + body + self.text[end + 3:]


def patch_hash(q):
    q.function("hash", "static inline uint32_t hash_string8(const uint8_t *str, size_t len, uint32_t h)\n{", """\
/* A keyed hash, one step a code unit, so that it does not matter how a string
   is stored or split. The key is drawn at process start: who does not know it
   cannot make names collide. */
static uint64_t tn_hash_key[2] = { 0x9e3779b97f4a7c15u, 0xd1342543de82ef95u };

static inline uint64_t tn_hash_unit(uint64_t h, uint32_t unit)
{
    h = (h ^ unit) * tn_hash_key[1];
    return h ^ (h >> 29);
}

static inline uint64_t tn_hash_start(uint32_t h)
{
    return tn_hash_key[0] ^ h;
}

static inline uint32_t tn_hash_end(uint64_t h, size_t len)
{
    h = tn_hash_unit(h, (uint32_t)len | 0x80000000u);
    return (uint32_t)(h >> 32);
}

static inline uint32_t tn_hash_word(uint64_t word)
{
    return tn_hash_end(tn_hash_unit(tn_hash_start((uint32_t)word), (uint32_t)(word >> 32)), 8);
}

static inline uint64_t tn_hash_units8(const uint8_t *str, size_t len, uint64_t h)
{
    for (size_t i = 0; i < len; i++)
        h = tn_hash_unit(h, str[i]);
    return h;
}

static inline uint64_t tn_hash_units16(const uint16_t *str, size_t len, uint64_t h)
{
    for (size_t i = 0; i < len; i++)
        h = tn_hash_unit(h, str[i]);
    return h;
}

static inline uint32_t hash_string8(const uint8_t *str, size_t len, uint32_t h)
{
    return tn_hash_end(tn_hash_units8(str, len, tn_hash_start(h)), len);
}
""")
    q.function("hash", "static inline uint32_t hash_string16(const uint16_t *str,\n", """\
static inline uint32_t hash_string16(const uint16_t *str, size_t len, uint32_t h)
{
    return tn_hash_end(tn_hash_units16(str, len, tn_hash_start(h)), len);
}
""")
    q.function("hash", "static uint32_t hash_string_rope(JSValueConst val, uint32_t h)\n{", """\
static uint64_t tn_hash_units_rope(JSValueConst val, uint64_t h)
{
    if (JS_VALUE_GET_TAG(val) == JS_TAG_STRING) {
        JSString *str = JS_VALUE_GET_STRING(val);
        return str->is_wide_char ? tn_hash_units16(str16(str), str->len, h)
                                 : tn_hash_units8(str8(str), str->len, h);
    } else {
        JSStringRope *r = JS_VALUE_GET_STRING_ROPE(val);
        return tn_hash_units_rope(r->right, tn_hash_units_rope(r->left, h));
    }
}

static uint32_t hash_string_rope(JSValueConst val, uint32_t h)
{
    size_t len = JS_VALUE_GET_TAG(val) == JS_TAG_STRING ? JS_VALUE_GET_STRING(val)->len
                                                        : JS_VALUE_GET_STRING_ROPE(val)->len;
    return tn_hash_end(tn_hash_units_rope(val, tn_hash_start(h)), len);
}
""")
    q.replace("hash", "    return hash_uintptr(atom) >> shift;",
              "    return ((uintptr_t)atom ^ (uintptr_t)tn_hash_key[0]) * (uintptr_t)TN_ATOM_FACTOR >> shift;")
    # The upper bits are those of the golden ratio, which spreads neighbours; the rest is the key.
    q.replace("hash", "static uintptr_t hash_atom(JSAtom atom, uintptr_t mask)\n{", """\
#define TN_ATOM_FACTOR ((uint32_t)(tn_hash_key[1] >> 16 & 0x00ffffff) | 0x9e000001u)

static uintptr_t hash_atom(JSAtom atom, uintptr_t mask)
{""")
    q.replace("hash", "        h = (uintptr_t)JS_VALUE_GET_PTR(key) * 3163;",
              "        h = tn_hash_word((uintptr_t)JS_VALUE_GET_PTR(key));")
    q.replace("hash", "        h = (u.u32[0] ^ u.u32[1]) * 3163;", "        h = tn_hash_word(u.u64);")


def patch_stop(q):
    q.function("stop", "static void JS_ThrowInterrupted(JSContext *ctx)\n{", """\
/* Set by the host: end this run. It is asked at every poll from then on, so an
   error that is caught or lost on its way is thrown again a few steps later. */
volatile uint32_t tn_stop_requested;
/* JS_UNDEFINED as a static initializer, for both ways the engine lays out a value. */
#if defined(JS_NAN_BOXING) && JS_NAN_BOXING
#define TN_UNDEFINED JS_UNDEFINED
#else
#define TN_UNDEFINED { .tag = JS_TAG_UNDEFINED }
#endif
/* The first error a stop raised: where the program was. */
static JSValue tn_stop_error = TN_UNDEFINED;

static void JS_ThrowInterrupted(JSContext *ctx)
{
    JS_ThrowInternalError(ctx, "interrupted");
    JS_SetUncatchableError(ctx, ctx->rt->current_exception);
    if (JS_IsUndefined(tn_stop_error))
        tn_stop_error = js_dup(ctx->rt->current_exception);
}
""")
    q.function("stop", "static no_inline __exception int __js_poll_interrupts(JSContext *ctx)\n{", """\
static no_inline __exception int __js_poll_interrupts(JSContext *ctx)
{
    if (tn_stop_requested) {
        ctx->interrupt_counter = 0;
        JS_ThrowInterrupted(ctx);
        return -1;
    }
    ctx->interrupt_counter = JS_INTERRUPT_COUNTER_INIT;
    return 0;
}
""")
    q.function("stop", "int lre_check_timeout(void *opaque)\n{", """\
int lre_check_timeout(void *opaque)
{
    return tn_stop_requested != 0;
}
""")


def patch_stack(q):
    q.function("stack", "static inline uintptr_t js_get_stack_pointer(void)\n{", """\
#ifdef __wasm__
__asm__(".globaltype __stack_pointer, i32");

/* The address of a local would need a frame in memory. */
static inline uintptr_t js_get_stack_pointer(void)
{
    uintptr_t sp;
    __asm__ volatile("global.get __stack_pointer\\n\\tlocal.set %0" : "=r"(sp));
    return sp;
}
#else
static inline uintptr_t js_get_stack_pointer(void)
{
    return (uintptr_t)__builtin_frame_address(0);
}
#endif
""")
    q.function("stack", "static inline bool js_check_stack_overflow(JSRuntime *rt, size_t alloca_size)\n{", """\
/* The engine counts its own stack; natives that recurse use far more of the
   machine's. Both are asked, so that either gives a RangeError and never a
   fault. */
#ifdef __wasm__
__attribute__((import_module("tenon"), import_name("headroom")))
#endif
uint32_t host_headroom(void);
/* What must be left of the native stack for code that does not ask again. */
#define TN_NATIVE_RESERVE (512 * 1024)

static inline bool js_check_stack_overflow(JSRuntime *rt, size_t alloca_size)
{
    uintptr_t sp;
    sp = js_get_stack_pointer() - alloca_size;
    return unlikely(sp < rt->stack_limit) || unlikely(host_headroom() < TN_NATIVE_RESERVE);
}
""")


def patch_memory(q):
    for old in ["    if (unlikely(s->malloc_size + (count * size) > s->malloc_limit - 1))\n        return NULL;",
                "    if (unlikely(s->malloc_size + size > s->malloc_limit - 1))\n        return NULL;",
                "    if (s->malloc_size + size - old_size > s->malloc_limit - 1)\n        return NULL;"]:
        q.replace("memory", old, old.replace("        return NULL;", "        return tn_refuse_memory();"))
    q.replace("memory", "void *js_calloc_rt(JSRuntime *rt, size_t count, size_t size)\n{", """\
/* Set when an allocation was refused: what is thrown then may be a bare null. */
uint32_t tn_memory_refused;

static void *tn_refuse_memory(void)
{
    tn_memory_refused = 1;
    return NULL;
}

/* Room above the limit for the error that says the limit was reached. */
#define TN_MEMORY_RESERVE (64 * 1024)

void *js_calloc_rt(JSRuntime *rt, size_t count, size_t size)
{""")
    q.function("memory", "JSValue JS_ThrowOutOfMemory(JSContext *ctx)\n{", """\
JSValue JS_ThrowOutOfMemory(JSContext *ctx)
{
    JSRuntime *rt = ctx->rt;
    tn_memory_refused = 1;
    if (!rt->in_out_of_memory) {
        size_t limit = rt->malloc_state.malloc_limit;
        rt->in_out_of_memory = true;
        if (limit != 0 && limit <= SIZE_MAX - TN_MEMORY_RESERVE)
            rt->malloc_state.malloc_limit = limit + TN_MEMORY_RESERVE;
        JS_ThrowInternalError(ctx, "out of memory");
        rt->malloc_state.malloc_limit = limit;
        rt->in_out_of_memory = false;
    }
    return JS_EXCEPTION;
}
""")


def patch_zone(q):
    q.function("zone", "static int getTimezoneOffset(int64_t time) {", """\
/* Minutes west of Greenwich, as the host's zone has it. With `is_local`, `time`
   counts local time (ECMA-262, LocalTime and UTC). */
int guest_zone_offset(double time_ms, int is_local);
/* The run's clock: whole milliseconds since 1970. */
double guest_wall_ms(void);

static int getTimezoneOffset(int64_t time)
{
    return guest_zone_offset((double)time, 0);
}
""")
    q.replace("zone", "    return js__gettimeofday_us() / 1000;", "    return (int64_t)guest_wall_ms();")
    q.replace("zone", "            tz = -getTimezoneOffset(d);", "            tz = -guest_zone_offset(d, 0);")
    q.replace("zone", "        tv += getTimezoneOffset(ti) * 60000;",
              "        tv += guest_zone_offset((double)ti, 1) * 60000;")


def patch_program(q):
    q.replace("program", "static __exception int js_parse_program(JSParseState *s)\n{", """\
/* What the next module compiled is: a program (it may `return`, and its last
   expression is its value), or a single expression. Set by the guest around
   one call of the compiler. */
enum { TN_COMPILE_MODULE, TN_COMPILE_PROGRAM, TN_COMPILE_EXPRESSION };
static int tn_compile_mode;
/* What was seen at the top level of the program: for the findings. */
static bool tn_saw_return, tn_saw_default;
static int tn_return_line, tn_return_column;

static bool tn_is_program(JSParseState *s)
{
    return tn_compile_mode != TN_COMPILE_MODULE && s->is_module && !s->cur_func->parent;
}

static __exception int js_parse_program(JSParseState *s)
{""")
    q.replace("program", """\
    if (!s->is_module) {
        /* hidden variable for the return value */""", """\
    if (!s->is_module || tn_is_program(s)) {
        /* hidden variable for the return value */""")
    q.replace("program", """\
    while (s->token.val != TOK_EOF) {
        if (js_parse_source_element(s))
            return -1;
        /* Check""", """\
    if (tn_is_program(s) && tn_compile_mode == TN_COMPILE_EXPRESSION) {
        if (js_parse_expr(s))
            return -1;
        while (s->token.val == ';') {
            if (next_token(s))
                return -1;
        }
        if (s->token.val != TOK_EOF)
            return js_parse_error(s, "expression expected to end here");
        emit_return(s, true);
        return 0;
    }
    while (s->token.val != TOK_EOF) {
        if (js_parse_source_element(s))
            return -1;
        /* Check""")
    q.within("program", "static __exception int js_parse_program(JSParseState *s)\n{", """\
        } else {
            emit_return(s, false);
        }
""", """\
        } else if (tn_is_program(s)) {
            emit_op(s, OP_get_loc);
            emit_u16(s, fd->eval_ret_idx);
            emit_return(s, true);
        } else {
            emit_return(s, false);
        }
""", count=2)
    q.replace("program", """\
        if (s->cur_func->is_eval) {
            js_parse_error(s, "return not in a function");
            goto fail;
        }""", """\
        if (tn_is_program(s)) {
            tn_saw_return = true;
            tn_return_line = s->token.line_num;
            tn_return_column = s->token.col_num;
        } else if (s->cur_func->is_eval) {
            js_parse_error(s, "return not in a function");
            goto fail;
        }""")
    q.replace("program", "    case TOK_DEFAULT:\n", """\
    case TOK_DEFAULT:
        if (tn_is_program(s))
            tn_saw_default = true;
""")
    # The parser is used before js_parse_program in the file: declare what the statement needs.
    q.replace("program", "static void emit_return(JSParseState *s, bool hasval);\n", """\
static void emit_return(JSParseState *s, bool hasval);
static bool tn_is_program(JSParseState *s);
static bool tn_saw_return, tn_saw_default;
static int tn_return_line, tn_return_column;
""")
    # The promise of the program's own body.
    q.replace("program", "static int js_execute_async_module(JSContext *ctx, JSModuleDef *m)\n{", """\
/* The program being run, and the promise of its body: its value. */
static JSModuleDef *tn_main_module;
static JSValue tn_main_promise = TN_UNDEFINED;

static int js_execute_async_module(JSContext *ctx, JSModuleDef *m)
{""")
    q.replace("program", """\
    if (JS_IsException(promise))
        return -1;
    m_obj = JS_NewModuleValue(ctx, m);
""", """\
    if (JS_IsException(promise))
        return -1;
    if (m == tn_main_module)
        tn_main_promise = js_dup(promise);
    m_obj = JS_NewModuleValue(ctx, m);
""")
    q.replace("program", """\
        if (JS_IsException(promise))
            goto fail;
        state = JS_PromiseState(ctx, promise);
        if (state == JS_PROMISE_FULFILLED) {
""", """\
        if (JS_IsException(promise))
            goto fail;
        state = JS_PromiseState(ctx, promise);
        if (m == tn_main_module) {
            tn_main_promise = js_dup(promise);
            /* a program may return a promise without having an await */
            if (state == JS_PROMISE_PENDING)
                state = JS_PROMISE_FULFILLED;
        }
        if (state == JS_PROMISE_FULFILLED) {
""")


def patch_backtrace(q):
    q.replace("stack2", "static void build_backtrace(JSContext *ctx, JSValueConst error_val,\n", """\
static int tn_async_callers(JSContext *ctx, JSStackFrame *sf, DynBuf *dbuf, int left);

static void build_backtrace(JSContext *ctx, JSValueConst error_val,
""")
    q.replace("stack2", "    JSStackFrame *sf, *sf_start;\n    JSValue stack, prepare, saved_exception, error_obj;\n",
              "    JSStackFrame *sf, *sf_start, *tn_last = NULL;\n"
              "    JSValue stack, prepare, saved_exception, error_obj;\n")
    q.replace("stack2", """\
        p = JS_VALUE_GET_OBJ(sf->cur_func);
        b = NULL;
        backtrace_barrier = false;

        if (js_class_has_bytecode(p->class_id)) {
            b = p->u.func.function_bytecode;
            backtrace_barrier = b->backtrace_barrier;
        }

        if (has_prepare) {""", """\
        p = JS_VALUE_GET_OBJ(sf->cur_func);
        b = NULL;
        backtrace_barrier = false;
        tn_last = sf;

        if (js_class_has_bytecode(p->class_id)) {
            b = p->u.func.function_bytecode;
            backtrace_barrier = b->backtrace_barrier;
        }
        /* frames of our own prelude are not the program's business */
        if (b && b->filename == JS_ATOM_empty_string && !has_prepare)
            continue;

        if (has_prepare) {""")
    q.replace("stack2", """\
        /* stop backtrace if JS_EVAL_FLAG_BACKTRACE_BARRIER was used */
        if (backtrace_barrier)
            break;
    }
 done:""", """\
        /* stop backtrace if JS_EVAL_FLAG_BACKTRACE_BARRIER was used */
        if (backtrace_barrier)
            break;
    }
    if (tn_last && !has_prepare && i < stack_trace_limit)
        tn_async_callers(ctx, tn_last, &dbuf, stack_trace_limit - (int)i);
 done:""")


def patch_generators(q):
    # Settling a request runs the program (a `then` getter), which may ask the same generator
    # again: the outer loop then takes the new request, nobody resumes it twice.
    q.replace("reentry", """\
    struct list_head queue; /* list of JSAsyncGeneratorRequest.link */
} JSAsyncGeneratorData;""", """\
    struct list_head queue; /* list of JSAsyncGeneratorRequest.link */
    bool tn_resuming;
} JSAsyncGeneratorData;""")
    head = "static void js_async_generator_resume_next(JSContext *ctx,\n"
    q.within("reentry", head, """\
    JSValue func_ret, value;

    for(;;) {""", """\
    JSValue func_ret, value;

    if (s->tn_resuming)
        return;
    s->tn_resuming = true;
    for(;;) {""")
    q.within("reentry", head, """\
                js_async_generator_reject(ctx, s, next->result);
            }
            goto done;""", """\
                js_async_generator_reject(ctx, s, next->result);
            }
            break;""")
    q.within("reentry", head, " done: ;", " done:\n    s->tn_resuming = false;")


def patch_names(q):
    # A module's name is the whole string: no end at a NUL.
    q.within("names", "static JSModuleDef *js_host_resolve_imported_module_atom(JSContext *ctx,\n", """\
    cname = JS_AtomToCString(ctx, module_name1);
    if (!cname) {
""", """\
    size_t length;
    cname = JS_AtomToCStringLen(ctx, &length, module_name1);
    if (cname && strlen(cname) != length) {
        JS_ThrowReferenceError(ctx, "there is no package of that name to import");
        JS_FreeCString(ctx, cname);
        cname = NULL;
    }
    if (!cname) {
""")
    q.within("names", "static JSValue js_dynamic_import_job(JSContext *ctx,\n", """\
    filename = JS_ToCString(ctx, specifier);
    if (!filename)
        goto exception;
""", """\
    size_t length;
    filename = JS_ToCStringLen(ctx, &length, specifier);
    if (filename && strlen(filename) != length) {
        JS_ThrowReferenceError(ctx, "there is no package of that name to import");
        JS_FreeCString(ctx, filename);
        filename = NULL;
    }
    if (!filename)
        goto exception;
""")
    # Names of functions bound a hundred thousand times: a rope, not ever longer copies.
    q.replace("names", '    name1 = JS_ConcatString3(ctx, "bound ", name1, "");',
              '    name1 = JS_ConcatString(ctx, js_new_string8_len(ctx, "bound ", 6), name1);')


def patch_places(q):
    # A call is where its argument list begins, however many lines that takes.
    head = "static __exception int js_parse_postfix_expr(JSParseState *s, int parse_flags)\n{"
    q.within("places", head, "    int optional_chaining_label;\n",
             "    int optional_chaining_label;\n    int tn_line = 0, tn_column = 0;\n")
    q.within("places", head, """\
        parse_func_call:
            if (next_token(s))
                return -1;
""", """\
        parse_func_call:
            tn_line = s->token.line_num;
            tn_column = s->token.col_num;
            if (next_token(s))
                return -1;
            if (s->token.line_num == tn_line)
                tn_column = s->token.col_num;
""")
    q.within("places", head, "                goto emit_func_call;\n",
             "                tn_line = 0;\n                goto emit_func_call;\n")
    q.within("places", head, """\
            emit_func_call:
""", """\
            emit_func_call:
                if (tn_line)
                    emit_source_loc_at(s, tn_line, tn_column);
""")


def patch_pattern_places(q):
    # Taking a value apart, or walking it, may throw: at its own place, not the last call's.
    q.replace("places", """\
        /* throw an exception if the value cannot be converted to an object */
        emit_op(s, OP_to_object);
        if (has_ellipsis) {""", """\
        /* throw an exception if the value cannot be converted to an object */
        emit_source_loc(s);
        emit_op(s, OP_to_object);
        if (has_ellipsis) {""")
    q.replace("places", """\
        block_env.has_iterator = true;
        emit_op(s, OP_for_of_start);
""", """\
        block_env.has_iterator = true;
        emit_source_loc_at(s, source_line_num, source_col_num);
        emit_op(s, OP_for_of_start);
""")
    q.replace("places", """\
        break_entry.drop_count += 2;
        if (is_async)
            emit_op(s, OP_for_await_of_start);
""", """\
        break_entry.drop_count += 2;
        emit_source_loc(s);
        if (is_async)
            emit_op(s, OP_for_await_of_start);
""")


def patch_dispatch(q):
    # Assertions stay, but not the tracing they bring along, which every instruction would ask for.
    q.replace("dispatch", "#define ENABLE_DUMPS", "#undef ENABLE_DUMPS")
    # A computed goto becomes a switch over a table of switch cases in wasm: one load too many.
    q.replace("dispatch", "#define DIRECT_DISPATCH  1", "#define DIRECT_DISPATCH  0")


def patch_errors(q):
    # As other engines have it: programs catch a RangeError, and print error.stack alone.
    q.replace("errors", """        JS_ThrowInternalError(ctx, "string too long");
""", """        JS_ThrowRangeError(ctx, "Invalid string length");
""")
    q.within("errors", "static JSValue js_error_get_stack(JSContext *ctx, JSValueConst this_val)\n{",
             "    return js_dup(p->u.object_data);", """\
    if (JS_VALUE_GET_TAG(p->u.object_data) != JS_TAG_STRING)
        return js_dup(p->u.object_data);
    /* this may run the program's code, so the frames are looked at after it */
    JSValue head = js_error_toString(ctx, this_val, 0, NULL);
    if (JS_IsException(head) || JS_VALUE_GET_TAG(p->u.object_data) != JS_TAG_STRING)
        return head;
    JSString *frames = JS_VALUE_GET_STRING(p->u.object_data);
    int length = frames->len;
    if (length > 0 && string_get(frames, length - 1) == '\\n')
        length--;
    if (length == 0)
        return head;
    JSValue text = js_sub_string(ctx, frames, 0, length);
    if (JS_IsException(text)) {
        JS_FreeValue(ctx, head);
        return text;
    }
    return JS_ConcatString(ctx, JS_ConcatString3(ctx, "", head, "\\n"), text);""")


# The head of a function that is no inline one, up to its brace in column 0.
FUNCTION = re.compile(r"^(?!.*\binline\b)[A-Za-z_][\w \t*]*?[ *](\w+)\((?:[^;{}()]|\([^;{}()]*\))*\)\n\{",
                      re.M)


SMALL = """\
#ifdef __clang__
#define TN_SMALL __attribute__((minsize))
#else
#define TN_SMALL
#endif
"""


def shrink(file, hot):
    """What is inlined into functions that no program is the faster for makes a fifth of the engine:
    all that are not in the list `hot` (tools/engine-profile) are compiled for size."""
    found = {match.group(1) for match in FUNCTION.finditer(file.text)}
    if file.name == "quickjs.c" and len(found) < 1500:
        fail(f"{file.name}: patch 'size' knows only {len(found)} functions in it")
    file.text = SMALL + FUNCTION.sub(lambda match: match.group(0) if match.group(1) in hot else
                                     "TN_SMALL " + match.group(0), file.text)


def patch_reading(q, cutils):
    # A small array is not made anew for each of its first members.
    q.replace("reading", "    new_size = max_int(req_size, *psize * 3 / 2);\n    assert(",
              "    new_size = max_int(max_int(req_size, *psize * 3 / 2), 4);\n    assert(")
    cutils.replace("reading", "            new_allocated_size = size;\n",
                   "            new_allocated_size = size;\n"
                   "        if (new_allocated_size < TN_DBUF_LEAST)\n"
                   "            new_allocated_size = TN_DBUF_LEAST;\n")
    cutils.replace("reading", "static inline int dbuf_claim(DynBuf *s, size_t len)\n{", """\
/* With its header, a block of 128 bytes. */
#define TN_DBUF_LEAST 120

static inline int dbuf_claim(DynBuf *s, size_t len)
{""")
    # A name is mostly plain letters in the text itself.
    q.within("reading", "static JSAtom parse_ident(JSParseState *s, const uint8_t **pp,\n",
             "    p = *pp;\n", """\
    p = *pp;
    if (c < 0x80 && !is_private && !*pident_has_escape) {
        const uint8_t *end = p;
        while (*end < 0x80 && lre_js_is_ident_next(*end))
            end++;
        if (*end < 0x80 && *end != '\\\\') {
            *pp = end;
            return JS_NewAtomLen(s->ctx, (const char *)p - 1, end - p + 1);
        }
    }
""")
    head = "static __exception int next_token(JSParseState *s)\n{"
    q.within("reading", head, "    free_token(s, &s->token);\n", """\
    if (s->token.val < 0)
        free_token(s, &s->token);
""")
    # Blanks are not tokens that almost begin.
    q.within("reading", head, " redo:\n", """\
    while (*p == ' ')
        s->mark = ++p;
 redo:
""")
    q.within("reading", head, """\
        s->got_lf = true;
        s->line_num++;
        goto redo;
""", """\
        s->got_lf = true;
        s->line_num++;
        while (*p == ' ')
            s->mark = ++p;
        goto redo;
""")
    # A short whole number needs no conversion that is exact for all.
    q.within("reading", head, """\
            const uint8_t *p1;
            int flags;
""", """\
            const uint8_t *p1 = p;
            int flags, whole = 0;
            while (is_digit(*p1) && p1 - p < 9)
                whole = whole * 10 + (*p1++ - '0');
            if (*p1 != '.' && *p1 < 0x80 && !lre_js_is_ident_next(*p1) &&
                (*p != '0' || p1 == p + 1)) {
                p = p1;
                s->token.val = TOK_NUMBER;
                s->token.u.num.val = js_int32(whole);
                break;
            }
""")


def patch_dropped(q):
    # An async function that waits and is let go will never go on: remember where it waited.
    q.replace("dropped", """\
static void js_async_function_free0(JSRuntime *rt, JSAsyncFunctionData *s)
{
""", """\
static void tn_note_dropped(JSAsyncFunctionData *s);

static void js_async_function_free0(JSRuntime *rt, JSAsyncFunctionData *s)
{
    if (s->is_active && rt->gc_phase == JS_GC_PHASE_NONE)
        tn_note_dropped(s);
""")


def main():
    source, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    hot = set((pathlib.Path(__file__).parent.parent / "engine" / "hot").read_text().split())
    out.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir():
        if path.suffix in (".h", ".c") and path.name not in SOURCES:
            if path.suffix == ".h":
                (out / path.name).write_text(path.read_text())
    for name in SOURCES[1:]:
        file = File(source / name)
        shrink(file, hot)
        (out / name).write_text(file.text)
    q, cutils = File(source / "quickjs.c"), File(source / "cutils.h")
    for patch in (patch_hash, patch_stop, patch_stack, patch_memory, patch_zone, patch_program,
                  patch_backtrace, patch_generators, patch_names, patch_dropped,
                  patch_places, patch_pattern_places, patch_dispatch, patch_errors):
        patch(q)
    patch_reading(q, cutils)
    shrink(q, hot)
    (out / "cutils.h").write_text(cutils.text)
    q.text += "\n/* Our accessors, which must see the engine from inside. */\n"
    for inside in ("inside_run.c", "inside_values.c"):
        q.text += f'#include "{inside}"\n'
    q.text += """\
#ifdef __clang__
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#endif
#include "inside_inspect.c"
#ifdef __clang__
#pragma clang attribute pop
#endif
"""
    (out / "quickjs.c").write_text(q.text)


if __name__ == "__main__":
    main()
