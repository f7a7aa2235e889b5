/* A run read back from a journal, shown: what the forms of it share. */
#ifndef TRACE_H
#define TRACE_H

#include "display.h"
#include "recall.h"

/** "ok", "failed", ... of a call; "unfinished" of a run without a status. */
const char *trace_state(PastState state);
const char *trace_status(const PastRun *run);
/** When a call was over, of one that never was: when the run was. */
double trace_end(const PastRun *run, const PastCall *call);
/** How long the run took, or is known to have. */
double trace_wall(const PastRun *run);
/** The next of the values that stand one behind the other; TN_TYPE_NONE: no more. */
tn_value trace_next(const PastValue *values, size_t *at);
/** The value itself, if it was kept. */
tn_value trace_value(const PastValue *value);

/** Members of one call's object, and of a run's. */
tn_status trace_put_call(Buf *out, const PastRun *run, size_t index);
void trace_put_head(Buf *out, const PastRun *run);

tn_status trace_put_json(Buf *out, const PastRun *run);
tn_status trace_put_chrome(Buf *out, Arena *arena, const PastRun *run);
tn_status trace_put_text(Buf *out, Arena *arena, const PastRun *run, bool color, unsigned columns);
void trace_put_list(Buf *out, const PastRun *runs, size_t count, bool color);
/** "12.3 ms" */
void trace_put_time(Buf *out, double ms);

#endif
