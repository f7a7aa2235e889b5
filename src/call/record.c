/* What of a call goes into the journal. */
#include "tn_call.h"

/* Is it made in the moment in which it is asked? Then one record says both. */
static bool is_direct(const Calls *calls, const tn_call *call)
{
    return !calls->terms.policy &&
           (calls->open < calls->limits.calls_open || (call->entry->flags & TN_FUNCTION_SYNC) != 0);
}

bool call_open_entry(Calls *calls, tn_call *call, bool read_only)
{
    Journal *journal = calls->journal;

    if (journal_ask(journal, call->entry->name, call->line, read_only, calls_clock_ms(calls),
                    &call->journal_entry) != TN_OK)
        return false;
    if (call->parent)
        journal_original(journal, call->journal_entry, call->parent->journal_entry);
    call->direct = is_direct(calls, call);
    journal_arguments(journal, call->journal_entry, call->direct, call->object, call->arguments,
                      call->argument_count);
    return true;
}

bool call_make_entry(Calls *calls, tn_call *call, const char *ran)
{
    JournalMaking making = {.ran = ran,
                            .rule = call->asking_rule,
                            .argument = call->bound.length > 0 ? &call->arguments[0] : NULL,
                            .direct = call->direct};

    if (journal_made(calls->journal, call->journal_entry, calls_clock_ms(calls), &making))
        return true;
    call_write_error(call, "JOURNAL",
                     "the call was not made: that it would be could not be written to the journal",
                     0);
    return false;
}

void call_close_entry(Calls *calls, tn_call *call)
{
    CallReply reply = call_reply(call);
    size_t length = 0;
    const char *text;

    if (call->state != CALL_FAILED) {
        journal_answer(calls->journal, call->journal_entry, calls_clock_ms(calls), reply.bytes,
                       reply.length);
        return;
    }
    tn_value error = {reply.bytes, reply.bytes, reply.bytes + reply.length};
    text = tn_value_text(tn_value_member(error, "message"), &length);
    (call->denied ? journal_deny : journal_fail)(calls->journal, call->journal_entry,
                                                 calls_clock_ms(calls), text ? text : "", length,
                                                 reply.bytes, reply.length);
}
