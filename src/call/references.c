/* Host objects that a program holds by reference: put into results, found again by methods. */
#include "tn_call.h"

#include <string.h>

#include "memory.h"

/* With the lock. */
static void *object_of(const Calls *calls, const tn_call *call)
{
    const HostObject *object;

    if (call->object == 0 || call->object > calls->object_count ||
        call->generation != calls->generation)
        return NULL;
    object = &calls->objects[call->object - 1];
    size_t length = strlen(object->interface);
    return strncmp(call->entry->name, object->interface, length) == 0 &&
                   call->entry->name[length] == '.'
               ? object->object
               : NULL;
}

void *tn_call_object(const tn_call *call)
{
    void *object = NULL;

    pthread_mutex_lock(&call->wake->lock);
    if (call->calls && call->entry->kind == ENTRY_METHOD)
        object = object_of(call->calls, call);
    pthread_mutex_unlock(&call->wake->lock);
    return object;
}

void calls_release_objects(Calls *calls)
{
    for (size_t i = 0; i < calls->object_count; i++) {
        if (calls->objects[i].release)
            calls->objects[i].release(calls->objects[i].object);
    }
    memory_free(&calls->allocator, calls->objects, calls->object_capacity * sizeof *calls->objects);
    calls->objects = NULL;
    calls->object_count = calls->object_capacity = 0;
}

/* The writer of a result knows its call. */
static tn_call *call_of_writer(const tn_writer *writer)
{
    return writer->allocator.resize == call_resize ? writer->allocator.context : NULL;
}

static bool add_object(Calls *calls, const HostObject *object, size_t *out_id)
{
    if (calls->object_count == calls->object_capacity) {
        size_t capacity = calls->object_capacity ? calls->object_capacity * 2 : 8;
        HostObject *grown =
            memory_resize(&calls->allocator, calls->objects, calls->object_capacity * sizeof *grown,
                          capacity * sizeof *grown);
        if (!grown)
            return false;
        calls->objects = grown;
        calls->object_capacity = capacity;
    }
    calls->objects[calls->object_count++] = *object;
    *out_id = calls->object_count;
    return true;
}

void tn_put_reference(tn_writer *writer, const char *interface_name, void *object,
                      void (*release)(void *object))
{
    tn_call *call = call_of_writer(writer);
    HostObject entry = {object, release, interface_name};
    bool added = false;
    size_t id = 0;
    uint32_t generation = 0;

    if (!call) {
        writer_fail(writer, TN_ERR_STATE); /* only a call's result can hold a reference */
    } else {
        pthread_mutex_lock(&call->wake->lock);
        entry.interface =
            call->calls ? registry_interface(call->calls->registry, interface_name) : NULL;
        if (entry.interface)
            added = add_object(call->calls, &entry, &id);
        if (added)
            generation = call->calls->generation;
        pthread_mutex_unlock(&call->wake->lock);
        if (!added)
            writer_fail(writer, call->cancelled ? TN_ERR_STATE : TN_ERR_NOMEM);
    }
    if (!added) {
        if (release)
            release(object);
        return;
    }
    if (!writer_admit(writer))
        return;
    cbor_put_tag(&writer->buf, CBOR_TAG_REFERENCE);
    cbor_put_array(&writer->buf, 3);
    cbor_put_string(&writer->buf, interface_name, strlen(interface_name));
    cbor_put_uint(&writer->buf, id);
    cbor_put_uint(&writer->buf, generation);
}
