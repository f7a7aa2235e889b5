/* A run as a Chrome trace event file (the JSON object form: complete events, times in
 * microseconds). Calls that overlap stand on lines of their own; an original stands below the call
 * it belongs to, on that one's line. */
#include "trace.h"

#include <math.h>
#include <string.h>

#include "base.h"
#include "json.h"
#include "members.h"

static void put_event(Buf *out, const char *name, const char *phase, uint32_t line)
{
    buf_append_byte(out, '{');
    member_string(out, "name", name);
    member_string(out, "ph", phase);
    member_number(out, "pid", 1);
    member_number(out, "tid", line);
}

static void put_name_of_line(Buf *out, const char *what, uint32_t line, const char *name,
                             uint32_t number)
{
    put_event(out, what, "M", line);
    buf_append_string(out, "\"args\":{\"name\":\"");
    json_put_escaped(out, name, strlen(name));
    if (number > 0)
        buf_append_uint(out, number);
    buf_append_string(out, "\"}},");
}

static void put_span(Buf *out, double begin_ms, double end_ms)
{
    double begin_us = round(begin_ms * 1000), end_us = round(end_ms * 1000);

    member_number(out, "ts", begin_us);
    member_number(out, "dur", end_us > begin_us ? end_us - begin_us : 0);
}

/* The first line on which nothing is going on when the call begins. */
static uint32_t line_for(double *busy_until, uint32_t *count, double begin_ms)
{
    uint32_t line = 0;

    while (line < *count && busy_until[line] > begin_ms)
        line++;
    *count += line == *count;
    return line;
}

/* Lines for all calls, from 0; how many there are. */
static uint32_t lay_out(Arena *arena, const PastRun *run, uint32_t **out_lines)
{
    size_t places = (size_t)run->call_count + 1;
    double *busy_until = ARENA_ARRAY(arena, double, places);
    uint32_t *lines = ARENA_ARRAY(arena, uint32_t, places), count = 0;

    *out_lines = lines;
    for (uint32_t i = 0; busy_until && lines && i < run->call_count; i++) {
        const PastCall *call = &run->calls[i];
        if (call->of > 0 && call->of <= i) {
            lines[i] = lines[call->of - 1];
            continue;
        }
        lines[i] = line_for(busy_until, &count, call->asked_ms);
        busy_until[lines[i]] = trace_end(run, call);
    }
    return count;
}

tn_status trace_put_chrome(Buf *out, Arena *arena, const PastRun *run)
{
    uint32_t *lines, count = lay_out(arena, run, &lines);

    if (!lines)
        return arena_status(arena);
    buf_append_string(out, "{\"displayTimeUnit\":\"ms\",\"otherData\":{");
    trace_put_head(out, run);
    members_end(out, '}');
    buf_append_string(out, ",\"traceEvents\":[");
    put_name_of_line(out, "process_name", 0, run->name, 0);
    put_name_of_line(out, "thread_name", 0, "the run", 0);
    for (uint32_t i = 0; i < count; i++)
        put_name_of_line(out, "thread_name", i + 1, "calls ", i + 1);
    put_event(out, run->name, "X", 0);
    put_span(out, 0, trace_wall(run));
    buf_append_string(out, "\"args\":{");
    trace_put_head(out, run);
    members_end(out, '}');
    buf_append_byte(out, '}');
    for (uint32_t i = 0; i < run->call_count; i++) {
        const PastCall *call = &run->calls[i];
        buf_append_byte(out, ',');
        put_event(out, call->name, "X", lines[i] + 1);
        member_string(out, "cat", trace_state(call->state));
        put_span(out, call->asked_ms, trace_end(run, call));
        member_name(out, "args");
        TRY(trace_put_call(out, run, i));
        buf_append_byte(out, '}');
    }
    buf_append_string(out, "]}");
    return buf_status(out);
}
