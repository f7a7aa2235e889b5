/* Host functions as a program sees them: packages, interfaces, and the way out of the realm.
 *
 * A package is a frozen object under a global name and, by the same name, a module. Each function
 * carries its number only; what the number means is the host's business. A call's arguments are
 * written without running any of the program's code, then the host is asked once; it answers at
 * once, or later by `deliver`. */
#include <stdlib.h>
#include <string.h>

#include "cbor.h"
#include "guest.h"

typedef struct Package {
    struct Package *next;
    JSValue object;
    size_t length;
    char name[];
} Package;

typedef struct Pending {
    struct Pending *next;
    uint32_t id;
    JSValue functions[2];
} Pending;

typedef struct Reference {
    uint32_t interface, id, generation;
} Reference;

typedef struct Interface {
    char *name;
    JSValue prototype;
} Interface;

typedef struct Function {
    uint32_t flags;
    uint32_t package_length; /* of name; 0 for a method */
    bool method;
    char *name;
} Function;

static Package *packages;
static Pending *pending;
static uint32_t pending_count;
static Interface *interfaces;
static uint32_t interface_count;
static Function *functions;
static uint32_t function_count;
static JSClassID reference_class;

/* ---- references ---- */

static void reference_finalize(JSRuntime *runtime, JSValueConst value)
{
    js_free_rt(runtime, JS_GetOpaque(value, reference_class));
}

static bool reference_of(void *unused, JSContext *context, JSValueConst object,
                         const char **out_name, uint32_t *out_id, uint32_t *out_generation)
{
    (void)unused, (void)context;
    const Reference *reference = JS_GetOpaque(object, reference_class);
    if (!reference)
        return false;
    *out_name = interfaces[reference->interface].name;
    *out_id = reference->id;
    *out_generation = reference->generation;
    return true;
}

static JSValue reference_new(void *unused, JSContext *context, const char *name, size_t name_length,
                             uint32_t id, uint32_t generation)
{
    (void)unused;
    for (uint32_t i = 0; i < interface_count; i++) {
        if (strlen(interfaces[i].name) != name_length ||
            memcmp(interfaces[i].name, name, name_length) != 0)
            continue;
        Reference *reference = js_malloc_rt(guest.runtime, sizeof *reference);
        if (!reference)
            return JS_ThrowOutOfMemory(context);
        *reference = (Reference){i, id, generation};
        JSValue object = JS_NewObjectProtoClass(context, interfaces[i].prototype, reference_class);
        if (JS_IsException(object))
            js_free_rt(guest.runtime, reference);
        else
            JS_SetOpaque(object, reference);
        return object;
    }
    return JS_ThrowTypeError(context, "unknown host interface");
}

const ValueHooks value_hooks = {NULL, reference_of, reference_new};

/* ---- one call ---- */

/* Say why an argument cannot be handed over. It is written once more for that: only a failure pays
 * for the words. */
static void refuse_argument(JSContext *context, const Function *function, int index,
                            JSValueConst value, const ValueLimits *limits, Buf *out)
{
    char root[128], message[512];

    snprintf(root, sizeof root, "argument %d of %s", index + 1, function->name);
    switch (value_write(context, value, root, limits, &value_hooks, out, message, sizeof message)) {
    case VALUE_NOMEM:
        JS_ThrowOutOfMemory(context);
        break;
    case VALUE_TOO_LARGE:
        JS_ThrowRangeError(context,
                           "%s: more than %llu bytes, the limit for the arguments of one call",
                           root, (unsigned long long)mailbox.argument_bytes);
        break;
    default:
        JS_ThrowTypeError(context, "%s", message);
    }
}

/* Arguments as the host wants them: a 4-byte length and that many bytes, each. */
static bool write_arguments(JSContext *context, const Function *function, int count,
                            JSValueConst *values, Buf *out)
{
    char message[512];

    for (int i = 0; i < count; i++) {
        uint8_t *length = buf_extend(out, 4);
        size_t at = out->length;
        ValueLimits limits = limits_of(mailbox.argument_bytes);
        limits.bytes = at < limits.bytes ? limits.bytes - at : 0;
        ValueStatus status = length ? value_write(context, values[i], "", &limits, &value_hooks,
                                                  out, message, sizeof message)
                                    : VALUE_NOMEM;
        if (status == VALUE_NOMEM || out->failed) {
            JS_ThrowOutOfMemory(context);
            return false;
        }
        if (status != VALUE_OK) {
            out->length = at;
            refuse_argument(context, function, i, values[i], &limits, out);
            return false;
        }
        uint32_t written = (uint32_t)(out->length - at);
        memcpy(out->data + at - 4, &written, 4);
    }
    return true;
}

static void set_member(JSContext *context, JSValueConst object, const char *name, JSValue value)
{
    JS_DefinePropertyValueStr(context, object, name, value,
                              JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE | JS_PROP_ENUMERABLE);
}

/* The Error for a failed call: made of the host's {message, code?, retryable?, name?}. */
static JSValue error_of(JSContext *context, JSValueConst reply, uint32_t function_id)
{
    static const char *const members[] = {"code", "retryable"};
    const Function *function = function_id < function_count ? &functions[function_id] : NULL;
    JSValue error = JS_NewError(context);

    if (JS_IsException(error))
        return error;
    JS_DefinePropertyValueStr(context, error, "message",
                              JS_GetPropertyStr(context, reply, "message"),
                              JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        JSValue value = JS_GetPropertyStr(context, reply, members[i]);
        if (!JS_IsUndefined(value))
            set_member(context, error, members[i], value);
    }
    if (function && function->package_length)
        set_member(context, error, "package",
                   JS_NewStringLen(context, function->name, function->package_length));
    if (function)
        set_member(context, error, "function",
                   JS_NewString(context,
                                function->name +
                                    (function->package_length ? function->package_length + 1 : 0)));
    return error;
}

JSValue calls_read(JSContext *context, const char *what, const uint8_t *bytes, uint32_t length,
                   uint64_t most)
{
    JSValue value = JS_UNDEFINED;
    ValueLimits limits = limits_of(most);
    ValueStatus status = value_read(context, bytes, length, &limits, &value_hooks, &value);

    if (status == VALUE_OK)
        return value;
    if (status == VALUE_NOMEM)
        return JS_HasException(context) ? JS_EXCEPTION : JS_ThrowOutOfMemory(context);
    return JS_ThrowRangeError(context, "%s cannot be carried: %s", what,
                              status == VALUE_TOO_LARGE  ? "more bytes than the limit"
                              : status == VALUE_TOO_DEEP ? "nested too deeply"
                                                         : "malformed");
}

static JSValue read_reply(JSContext *context, const uint8_t *bytes, uint32_t length)
{
    return calls_read(context, "the result of a host call", bytes, length, mailbox.reply_bytes);
}

/* Fetch the reply that waits on the host's side. */
static JSValue take_reply(JSContext *context)
{
    uint32_t length = mailbox.reply_length;
    uint8_t *bytes = js_malloc_rt(guest.runtime, length ? length : 1);

    if (!bytes)
        return JS_ThrowOutOfMemory(context);
    host_take((uint32_t)(uintptr_t)bytes);
    JSValue value = read_reply(context, bytes, length);
    js_free_rt(guest.runtime, bytes);
    return value;
}

static JSValue settled(JSContext *context, int which, JSValue value)
{
    JSValue resolve[2] = {JS_UNDEFINED, JS_UNDEFINED};
    JSValue promise = JS_NewPromiseCapability(context, resolve);

    if (!JS_IsException(promise))
        JS_FreeValue(context, JS_Call(context, resolve[which], JS_UNDEFINED, 1, &value));
    JS_FreeValue(context, resolve[0]);
    JS_FreeValue(context, resolve[1]);
    JS_FreeValue(context, value);
    return promise;
}

static JSValue wait_for(JSContext *context, uint32_t id)
{
    Pending *entry = js_malloc_rt(guest.runtime, sizeof *entry);
    JSValue promise;

    if (!entry)
        return JS_ThrowOutOfMemory(context);
    promise = JS_NewPromiseCapability(context, entry->functions);
    if (JS_IsException(promise)) {
        js_free_rt(guest.runtime, entry);
        return promise;
    }
    entry->id = id;
    entry->next = pending;
    pending = entry;
    pending_count++;
    return promise;
}

static JSValue stop_here(JSContext *context)
{
    /* The budget is used up: the flag is set, the next poll would end the program anyway. */
    inside_interrupt(context);
    return JS_EXCEPTION;
}

static JSValue call_out(JSContext *context, uint32_t id, const Reference *subject, int count,
                        JSValueConst *values)
{
    Function *function = &functions[id];
    bool is_async = !(function->flags & GUEST_FUNCTION_SYNC);
    uint32_t line = 0, column, answer;
    JSValue value;
    Buf bytes;

    buf_init(&bytes, &guest.allocator, SIZE_MAX);
    inside_position(context, &line, &column);
    if (!write_arguments(context, function, count, values, &bytes)) {
        buf_release(&bytes);
        return is_async && !tn_stop_requested ? settled(context, 1, JS_GetException(context))
                                              : JS_EXCEPTION;
    }
    answer = host_call(id, subject ? subject->id : 0, subject ? subject->generation : 0,
                       (uint32_t)(uintptr_t)bytes.data, (uint32_t)bytes.length, line);
    buf_release(&bytes);
    if (answer == CALL_STOP)
        return stop_here(context);
    if (answer == CALL_PENDING)
        return wait_for(context, mailbox.call_id);
    value = take_reply(context);
    if (JS_IsException(value))
        return is_async ? settled(context, 1, JS_GetException(context)) : value;
    if (answer == CALL_ERROR) {
        JSValue error = error_of(context, value, id);
        JS_FreeValue(context, value);
        return is_async ? settled(context, 1, error) : JS_Throw(context, error);
    }
    return is_async ? settled(context, 0, value) : value;
}

static JSValue function_called(JSContext *context, JSValueConst self, int count,
                               JSValueConst *values, int id, JSValueConst *data)
{
    const Reference *subject = NULL;
    (void)data;

    if (functions[id].method) {
        subject = JS_GetOpaque(self, reference_class);
        if (!subject)
            return JS_ThrowTypeError(context,
                                     "%s was called on something that is not a host "
                                     "object",
                                     functions[id].name);
    }
    return call_out(context, (uint32_t)id, subject, count, values);
}

/* ---- building packages, before the image is frozen ---- */

static Package *package_named(const char *name, size_t length)
{
    for (Package *package = packages; package; package = package->next) {
        if (package->length == length && memcmp(package->name, name, length) == 0)
            return package;
    }
    return NULL;
}

/* The package of that name, made if need be inside the one its name begins with. */
static Package *package_make(JSContext *context, const char *name, size_t length)
{
    Package *package = package_named(name, length), *outer = NULL;
    const char *last = name;

    if (package)
        return package;
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '.') {
            outer = package_make(context, name, i);
            last = name + i + 1;
        }
    }
    package = js_malloc_rt(guest.runtime, sizeof *package + length + 1);
    if (!package)
        return NULL;
    memcpy(package->name, name, length);
    package->name[length] = 0;
    package->length = length;
    package->object = JS_NewObject(context);
    package->next = packages;
    packages = package;
    JSValue holder = outer ? JS_DupValue(context, outer->object) : JS_GetGlobalObject(context);
    JSAtom atom = JS_NewAtomLen(context, last, (size_t)(name + length - last));
    JS_DefinePropertyValue(context, holder, atom, JS_DupValue(context, package->object),
                           JS_PROP_CONFIGURABLE | (outer ? JS_PROP_ENUMERABLE : 0));
    JS_FreeAtom(context, atom);
    JS_FreeValue(context, holder);
    return package;
}

static JSValue function_make(JSContext *context, const char *full, const char *name, uint32_t flags,
                             uint32_t package_length)
{
    uint32_t id = function_count;
    Function *grown = js_realloc_rt(guest.runtime, functions, (id + 1) * sizeof *functions);

    if (!grown)
        return JS_EXCEPTION;
    functions = grown;
    functions[id] = (Function){.flags = flags,
                               .package_length = package_length,
                               .method = package_length == 0,
                               .name = strdup(full)};
    function_count++;
    return JS_NewCFunctionData2(context, function_called, name, 0, (int)id, 0, NULL);
}

/* Add host function number `function_count`: "package.name". */
EXPORT(function) uint32_t guest_function(uint32_t flags, uint32_t address, uint32_t length)
{
    char *full = (char *)(uintptr_t)address;
    JSContext *context = guest.context;
    size_t dot = length;

    while (dot > 0 && full[dot - 1] != '.')
        dot--;
    if (dot < 2)
        return 1;
    Package *package = package_make(context, full, dot - 1);
    JSValue function = function_make(context, full, full + dot, flags, (uint32_t)dot - 1);
    if (!package || JS_IsException(function))
        return 1;
    int done = JS_DefinePropertyValueStr(context, package->object, full + dot, function,
                                         JS_PROP_CONFIGURABLE | JS_PROP_ENUMERABLE);
    free(full);
    return done < 0;
}

/* Add an interface; the methods that follow are its own. */
EXPORT(interface) uint32_t guest_interface(uint32_t address)
{
    Interface *grown =
        js_realloc_rt(guest.runtime, interfaces, (interface_count + 1) * sizeof *interfaces);

    if (!grown)
        return 1;
    interfaces = grown;
    interfaces[interface_count].name = (char *)(uintptr_t)address;
    interfaces[interface_count].prototype = JS_NewObject(guest.context);
    JSAtom tag = JS_ValueToAtom(guest.context, inside_to_string_tag(guest.context));
    JS_DefinePropertyValue(guest.context, interfaces[interface_count].prototype, tag,
                           JS_NewString(guest.context, (char *)(uintptr_t)address), 0);
    JS_FreeAtom(guest.context, tag);
    interface_count++;
    return 0;
}

/* Add a method, "Interface.name", to the interface added last. */
EXPORT(method) uint32_t guest_method(uint32_t flags, uint32_t address)
{
    char *full = (char *)(uintptr_t)address, *dot = strrchr(full, '.');
    JSValue function = function_make(guest.context, full, dot + 1, flags, 0);

    if (JS_IsException(function))
        return 1;
    JS_DefinePropertyValueStr(guest.context, interfaces[interface_count - 1].prototype, dot + 1,
                              function, 0);
    free(full);
    return 0;
}

void calls_freeze(void)
{
    for (Package *package = packages; package; package = package->next)
        JS_FreezeObject(guest.context, package->object);
    for (uint32_t i = 0; i < interface_count; i++)
        JS_FreezeObject(guest.context, interfaces[i].prototype);
}

/* ---- packages as modules ---- */

static int module_fill(JSContext *context, JSModuleDef *module)
{
    JSAtom atom = JS_GetModuleName(context, module);
    const char *name = JS_AtomToCString(context, atom);
    Package *package = name ? package_named(name, strlen(name)) : NULL;
    JSPropertyEnum *members = NULL;
    uint32_t count = 0;

    JS_FreeAtom(context, atom);
    JS_FreeCString(context, name);
    if (!package ||
        JS_GetOwnPropertyNames(context, &members, &count, package->object, JS_GPN_STRING_MASK) < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const char *member = JS_AtomToCString(context, members[i].atom);
        if (member)
            JS_SetModuleExport(context, module, member,
                               JS_GetProperty(context, package->object, members[i].atom));
        JS_FreeCString(context, member);
    }
    JS_FreePropertyEnum(context, members, count);
    return JS_SetModuleExport(context, module, "default", JS_DupValue(context, package->object));
}

/* Names of the packages, for the error that says a module is not one of them. */
static void list_packages(char *out, size_t size)
{
    size_t at = 0;

    out[0] = 0;
    for (Package *package = packages; package && at + package->length + 3 < size;
         package = package->next)
        at += (size_t)snprintf(out + at, size - at, "%s\"%s\"", at ? ", " : "", package->name);
}

/* Module names are not paths: nothing is taken off or resolved. */
char *calls_name(JSContext *context, const char *base, const char *name, void *opaque)
{
    (void)base, (void)opaque;
    return js_strdup(context, name);
}

/* The module loader: an exact list, no paths, no normalising. */
JSModuleDef *calls_module(JSContext *context, const char *name, void *opaque)
{
    JSPropertyEnum *members = NULL;
    uint32_t count = 0;
    Package *package = package_named(name, strlen(name));
    (void)opaque;

    if (!package) {
        char list[512];
        list_packages(list, sizeof list);
        JS_ThrowReferenceError(context, "there is no package \"%.100s\" to import; %s%s", name,
                               list[0] ? "there are: " : "this run has no packages", list);
        return NULL;
    }
    JSModuleDef *module = JS_NewCModule(context, name, module_fill);
    if (!module ||
        JS_GetOwnPropertyNames(context, &members, &count, package->object, JS_GPN_STRING_MASK) < 0)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        const char *member = JS_AtomToCString(context, members[i].atom);
        if (member)
            JS_AddModuleExport(context, module, member);
        JS_FreeCString(context, member);
    }
    JS_FreePropertyEnum(context, members, count);
    JS_AddModuleExport(context, module, "default");
    return module;
}

/* ---- answers that come later ---- */

EXPORT(deliver)
uint32_t guest_deliver(uint32_t id, uint32_t function_id, uint32_t failed, uint32_t address,
                       uint32_t length)
{
    JSContext *context = guest.context;
    uint8_t *bytes = (uint8_t *)(uintptr_t)address;

    for (Pending **link = &pending; *link; link = &(*link)->next) {
        Pending *entry = *link;
        if (entry->id != id)
            continue;
        *link = entry->next;
        pending_count--;
        JSValue value = read_reply(context, bytes, length);
        if (JS_IsException(value)) {
            failed = 1;
            value = JS_GetException(context);
        } else if (failed) {
            JSValue error = error_of(context, value, function_id);
            JS_FreeValue(context, value);
            value = error;
            inside_set_stack(context, error, entry->functions[0]);
        }
        JS_FreeValue(context,
                     JS_Call(context, entry->functions[failed ? 1 : 0], JS_UNDEFINED, 1, &value));
        JS_FreeValue(context, value);
        JS_FreeValue(context, entry->functions[0]);
        JS_FreeValue(context, entry->functions[1]);
        js_free_rt(guest.runtime, entry);
        break;
    }
    free(bytes);
    return 0;
}

uint32_t calls_open(void)
{
    return pending_count;
}

bool calls_start(void)
{
    static const JSClassDef class = {"HostReference", .finalizer = reference_finalize};

    JS_NewClassID(guest.runtime, &reference_class);
    return JS_NewClass(guest.runtime, reference_class, &class) == 0;
}
