/* Compiled at the end of the engine's own file: what running a program needs to see of it. */
#include "guest.h"

void inside_hash_key(uint64_t first, uint64_t second)
{
    tn_hash_key[0] = first;
    tn_hash_key[1] = second | 1;
}

JSValue inside_compile(JSContext *context, const char *text, size_t length, const char *name,
                       int mode, uint32_t *out_flags, uint32_t *out_line, uint32_t *out_column)
{
    JSValue module;

    tn_saw_return = tn_saw_default = false;
    tn_return_line = tn_return_column = 0;
    tn_compile_mode = mode;
    module = JS_Eval(context, text, length, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    tn_compile_mode = TN_COMPILE_MODULE;
    *out_flags =
        (tn_saw_return ? PROGRAM_RETURNS : 0) | (tn_saw_default ? PROGRAM_EXPORTS_DEFAULT : 0);
    *out_line = (uint32_t)tn_return_line;
    *out_column = (uint32_t)tn_return_column;
    if (JS_IsException(module))
        return module;
    /* Link now: an import that does not exist is found before anything runs. */
    JSModuleDef *m = JS_VALUE_GET_PTR(module);
    if (js_create_module_function(context, m) < 0 || js_link_module(context, m) < 0) {
        JS_FreeValue(context, module);
        return JS_EXCEPTION;
    }
    return module;
}

int inside_begin(JSContext *context, JSValue module)
{
    tn_main_module = JS_VALUE_GET_PTR(module);
    JSValue evaluation = JS_EvalFunction(context, js_dup(module));
    if (JS_IsException(evaluation))
        return -1;
    report_handled(evaluation);
    JS_FreeValue(context, evaluation);
    /* no promise: something failed before the program's own body began */
    return JS_IsUndefined(tn_main_promise) ? -1 : 0;
}

JSValue inside_promise(void)
{
    return tn_main_promise;
}

void inside_set_promise(JSContext *context, JSValue promise)
{
    JS_FreeValue(context, tn_main_promise);
    tn_main_promise = promise;
}

JSValue inside_export(JSContext *context, const char *name, size_t length)
{
    JSValue value = JS_UNINITIALIZED;

    if (!tn_main_module)
        return value;
    JSAtom atom = JS_NewAtomLen(context, name, length);
    JSExportEntry *entry = find_export_entry(context, tn_main_module, atom);
    if (entry && entry->export_type == JS_EXPORT_TYPE_LOCAL && entry->u.local.var_ref)
        value = js_dup(*entry->u.local.var_ref->pvalue);
    JS_FreeAtom(context, atom);
    return value;
}

void inside_handled(JSContext *context, JSValueConst promise)
{
    js_promise_set_handled(context, promise);
}

void inside_seed(JSContext *context, uint64_t seed)
{
    context->random_state = seed ? seed : 1;
}

JSValue inside_stop_error(void)
{
    return tn_stop_error;
}

JSValueConst inside_to_string_tag(JSContext *context)
{
    return JS_MKPTR(JS_TAG_SYMBOL, context->rt->atom_array[JS_ATOM_Symbol_toStringTag]);
}

void inside_interrupt(JSContext *context)
{
    JS_ThrowInterrupted(context);
}

size_t inside_used(JSRuntime *runtime)
{
    return runtime->malloc_state.malloc_size;
}

void inside_limit(JSRuntime *runtime, size_t bytes)
{
    runtime->malloc_state.malloc_limit = bytes;
}

/* ---- room for a small program ---- */

/* The engine's blocks of one size lie in arenas; what the set-up freed in them is scattered, and a
 * program that takes it up touches a card for each. New ones are filled from their beginning, and
 * are found first. One block of each is kept, so that it is not given back when it is empty. */
static void make_arenas(JSRuntime *runtime)
{
    for (int index = 0; index < JS_ARENA_BLOCK_SIZE_COUNT; index++) {
        for (int i = arena_block_sizes[index] <= 128 ? 3 : 1; i > 0; i--) {
            JSArena *arena = arena_new(runtime, index);
            if (!arena)
                return;
            JSMallocBlockHeader *first = arena_get_block(arena, 0, arena_block_sizes[index]);
            arena->first_free_block = first->u.free_next;
            first->u.block_idx = 0;
            arena->n_used_blocks = 1;
        }
    }
}

/* Names, without their table growing: it would be copied in each run that begins. */
static void make_atoms(JSContext *context)
{
    enum { ATOMS = 512 };
    JSAtom atoms[ATOMS];
    JSRuntime *runtime = context->rt;
    char name[32];

    for (int i = 0; i < ATOMS; i++) {
        snprintf(name, sizeof name, "  room for a name %d", i);
        atoms[i] = JS_NewAtom(context, name);
    }
    for (int i = ATOMS; i > 0; i--)
        JS_FreeAtom(context, atoms[i - 1]);
    if (runtime->atom_count + ATOMS >= runtime->atom_count_resize)
        JS_ResizeAtomHash(runtime, runtime->atom_hash_size * 2);
}

void inside_make_room(JSContext *context)
{
    enum { SHAPES = 256 };
    JSRuntime *runtime = context->rt;

    make_atoms(context);
    if (2 * (runtime->shape_hash_count + SHAPES) > runtime->shape_hash_size)
        resize_shape_hash(runtime, runtime->shape_hash_bits + 1);
    make_arenas(runtime);
}

/* ---- where the program is ---- */

static JSFunctionBytecode *frame_bytecode(JSStackFrame *sf)
{
    if (JS_VALUE_GET_TAG(sf->cur_func) != JS_TAG_OBJECT)
        return NULL;
    JSObject *p = JS_VALUE_GET_OBJ(sf->cur_func);
    if (!js_class_has_bytecode(p->class_id))
        return NULL;
    JSFunctionBytecode *b = p->u.func.function_bytecode;
    /* the prelude's own functions have no file name */
    return b->filename == JS_ATOM_empty_string ? NULL : b;
}

static bool frame_position(JSContext *context, JSStackFrame *sf, uint32_t *out_line,
                           uint32_t *out_column)
{
    JSFunctionBytecode *b = frame_bytecode(sf);
    int column, line;

    if (!b || !sf->cur_pc)
        return false;
    line = find_line_num(context, b, (uint32_t)(sf->cur_pc - b->byte_code_buf - 1), &column);
    if (line < 1)
        return false;
    *out_line = (uint32_t)line;
    *out_column = column > 0 ? (uint32_t)column : 1;
    return true;
}

bool inside_position(JSContext *context, uint32_t *out_line, uint32_t *out_column)
{
    for (JSStackFrame *sf = context->rt->current_stack_frame; sf; sf = sf->prev_frame) {
        if (frame_position(context, sf, out_line, out_column))
            return true;
    }
    return false;
}

/* Where the last function waited that was let go while waiting. */
static uint32_t dropped_line, dropped_column;

static void tn_note_dropped(JSAsyncFunctionData *s)
{
    JSFunctionBytecode *b = frame_bytecode(&s->func_state.frame);

    /* the first: those that wait for it are let go after it */
    if (b && s->func_state.frame.cur_sp && !dropped_line)
        frame_position(b->realm, &s->func_state.frame, &dropped_line, &dropped_column);
}

void inside_forget_stop(void)
{
    tn_stop_requested = 0;
    tn_stop_error = JS_UNDEFINED;
}

void inside_forget_dropped(void)
{
    dropped_line = 0;
}

/* The function that was started last among those that wait: mostly the innermost one. */
bool inside_waiting(JSContext *context, uint32_t *out_line, uint32_t *out_column)
{
    bool found = false;
    struct list_head *el;

    list_for_each(el, &context->rt->gc_obj_list)
    {
        JSGCObjectHeader *header = list_entry(el, JSGCObjectHeader, link);
        if (JS_GC_TYPE(header) != JS_GC_OBJ_TYPE_ASYNC_FUNCTION)
            continue;
        JSAsyncFunctionData *s = (JSAsyncFunctionData *)header;
        if (s->is_active && s->func_state.frame.cur_sp &&
            frame_position(context, &s->func_state.frame, out_line, out_column))
            found = true;
    }
    if (!found && dropped_line) {
        *out_line = dropped_line;
        *out_column = dropped_column;
        found = true;
    }
    return found;
}

/* ---- stacks across await ---- */

/* The promise that a resolving function (of a promise or of an async function) settles. */
static JSObject *resolved_promise(JSValueConst resolve)
{
    if (JS_VALUE_GET_TAG(resolve) != JS_TAG_OBJECT)
        return NULL;
    JSObject *p = JS_VALUE_GET_OBJ(resolve);
    if (p->class_id != JS_CLASS_PROMISE_RESOLVE_FUNCTION || !p->u.promise_function_data)
        return NULL;
    JSValue promise = p->u.promise_function_data->promise;
    if (JS_VALUE_GET_TAG(promise) != JS_TAG_OBJECT ||
        JS_VALUE_GET_OBJ(promise)->class_id != JS_CLASS_PROMISE)
        return NULL;
    return JS_VALUE_GET_OBJ(promise);
}

static void print_async_frame(JSContext *context, JSStackFrame *sf, DynBuf *dbuf)
{
    uint32_t line, column;
    JSFunctionBytecode *b = frame_bytecode(sf);

    if (!b || !frame_position(context, sf, &line, &column))
        return;
    const char *name = get_func_name(context, sf->cur_func);
    const char *file = b->filename ? JS_AtomToCString(context, b->filename) : NULL;
    dbuf_printf(dbuf, "    at async %s (%s:%u:%u)\n", name && name[0] ? name : "<anonymous>",
                file ? file : "<null>", line, column);
    JS_FreeCString(context, name);
    JS_FreeCString(context, file);
}

/* Follow who awaits the function of frame `sf`, from promise to reaction, and print each. The
 * walk is bounded: a chain of promises may be a million long. */
static int print_waiting(JSContext *context, JSValueConst resolve, DynBuf *dbuf, int left);

static int tn_async_callers(JSContext *context, JSStackFrame *sf, DynBuf *dbuf, int left)
{
    JSFunctionBytecode *b = frame_bytecode(sf);
    JSGCObjectHeader *header;

    /* frames of natives do not fill that field */
    if (!b || b->func_kind != JS_FUNC_ASYNC)
        return 0;
    header = sf->cur_gc_obj;
    if (!header || JS_GC_TYPE(header) != JS_GC_OBJ_TYPE_ASYNC_FUNCTION)
        return 0;
    return print_waiting(context, ((JSAsyncFunctionData *)header)->resolving_funcs[0], dbuf, left);
}

/* Print who waits for the promise that `resolve` settles. */
static int print_waiting(JSContext *context, JSValueConst resolve, DynBuf *dbuf, int left)
{
    int printed = 0;
    JSObject *promise = resolved_promise(resolve);

    for (int steps = 0; promise && steps < 100 && printed < left; steps++) {
        JSPromiseData *data = promise->u.promise_data;
        if (!data || list_empty(&data->promise_reactions[0]))
            break;
        JSPromiseReactionData *reaction =
            list_entry(data->promise_reactions[0].next, JSPromiseReactionData, link);
        JSObject *handler = JS_VALUE_GET_TAG(reaction->handler) == JS_TAG_OBJECT
                                ? JS_VALUE_GET_OBJ(reaction->handler)
                                : NULL;
        if (handler && handler->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE) {
            JSAsyncFunctionData *waiting = handler->u.async_function_data;
            if (!waiting || !waiting->is_active)
                break;
            print_async_frame(context, &waiting->func_state.frame, dbuf);
            printed++;
            promise = resolved_promise(waiting->resolving_funcs[0]);
        } else {
            promise = resolved_promise(reaction->resolving_funcs[0]);
        }
    }
    return printed;
}

void inside_set_stack(JSContext *context, JSValueConst error, JSValueConst resolve)
{
    DynBuf dbuf;
    JSObject *p = JS_VALUE_GET_OBJ(error);

    js_dbuf_init(context, &dbuf);
    if (p->class_id == JS_CLASS_ERROR && print_waiting(context, resolve, &dbuf, 10) > 0 &&
        !dbuf_error(&dbuf)) {
        JSValue stack = JS_NewStringLen(context, (char *)dbuf.buf, dbuf.size);
        if (!JS_IsException(stack)) {
            JS_FreeValue(context, p->u.object_data);
            p->u.object_data = stack;
        }
    }
    dbuf_free(&dbuf);
}

/* ---- a program that is one function ---- */

const char *inside_skip_filler(const char *p, const char *end, const char *filler)
{
    while (p < end) {
        if ((unsigned char)*p <= ' ' || strchr(filler, *p)) {
            p++;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (end - p > 1 && !(p[0] == '*' && p[1] == '/'))
                p++;
            p = end - p > 1 ? p + 2 : end;
        } else {
            break;
        }
    }
    return p;
}

bool inside_is_whole(JSContext *context, JSValueConst function, const char *text, size_t length)
{
    (void)context;
    JSObject *p = JS_VALUE_GET_OBJ(function);
    if (JS_VALUE_GET_TAG(function) != JS_TAG_OBJECT || !js_class_has_bytecode(p->class_id))
        return false;
    JSFunctionBytecode *b = p->u.func.function_bytecode;
    if (!b->source || b->source_len <= 0)
        return false;
    const char *end = text + length;
    /* the function's own source may begin with a parenthesis, or stand in some */
    for (int inside = 0; inside < 2; inside++) {
        const char *start = inside_skip_filler(text, end, inside ? "(" : "");
        if ((size_t)(end - start) >= (size_t)b->source_len &&
            memcmp(start, b->source, (size_t)b->source_len) == 0)
            return inside_skip_filler(start + b->source_len, end, ");") == end;
    }
    return false;
}

static JSFunctionBytecode *bytecode_of(JSValueConst function)
{
    JSObject *p = JS_VALUE_GET_OBJ(function);

    if (JS_VALUE_GET_TAG(function) != JS_TAG_OBJECT || !js_class_has_bytecode(p->class_id))
        return NULL;
    return p->u.func.function_bytecode;
}

/* A constructor that has no prototype of a function's is a class. */
bool inside_is_class(JSValueConst function)
{
    JSFunctionBytecode *b = bytecode_of(function);

    return b && !b->has_prototype && JS_VALUE_GET_OBJ(function)->is_constructor;
}

bool inside_takes_nothing(JSValueConst function)
{
    JSFunctionBytecode *b = bytecode_of(function);

    return b && b->arg_count == 0 &&
           (b->func_kind == JS_FUNC_NORMAL || b->func_kind == JS_FUNC_ASYNC) &&
           !inside_is_class(function);
}
