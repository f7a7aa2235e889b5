/* Shapes of types, asked of the compiler question by question. */
#ifndef TSC_SHAPE_H
#define TSC_SHAPE_H

#include "provider.h"
#include "rpc.h"

typedef struct ShapeSession {
    Rpc *rpc;
    Arena *arena;
    unsigned snapshot;
    const char *project;
    const char *program;
    bool is_ascii; /* units are bytes */
    const ProviderJob *job;
} ShapeSession;

/** The types at places of the text, as text. */
tn_status tsc_type_texts(ShapeSession *session, const uint32_t *places, size_t count,
                         const char **out_texts);

/** Answer the job's questions. */
tn_status tsc_shapes(ShapeSession *session, ProviderReply *reply);

#endif
