/* From what happened to what is said: findings of a program, outcome of a run. Used by pipeline.c.
 */
#ifndef TENON_REPORT_H
#define TENON_REPORT_H

#include "whole.h"
#include "guest/abi.h"

/** The program is compiled: findings that do not refuse it. */
void report_compiled(tn_program *program, const GuestMailbox *mailbox);
/** It is not: why. */
void report_not_compiled(tn_program *program, Realm *realm, RealmState state);
/** Is it plainly another language? Then that is a finding, behind what was found. */
bool report_foreign(tn_program *program);
void report_too_long(tn_program *program, size_t length);
/** All that was found, as the public reads it: program->told. TN_ERR_NOMEM. */
tn_status report_findings(tn_program *program);

/** The program's value was settled: keep it in the run's outcome. TN_ERR_NOMEM; TN_ERR_ARGUMENT for
 * bytes that are no value. */
tn_status report_value(tn_run *run);
/** The run is over in `state`: complete its outcome. TN_ERR_NOMEM. */
tn_status report_outcome(tn_run *run, RealmState state);

#endif
