/* From the text a model wrote to the JavaScript that runs. */
#ifndef TENON_FRONT_H
#define TENON_FRONT_H

#include "whole.h"

/** Once for an engine, before its first program: what its functions look like to programs. */
tn_status front_open(tn_engine *engine);

/** Are there declarations of a package of that name? */
bool front_declares(const tn_engine *engine, const char *package, size_t length);

/**
 * Read a program, look it over, check it and take its types out: program->javascript, or findings
 * that say why not.
 *
 * A program in JavaScript is taken as it is. Uses the stack of its thread deeply: run it on a large
 * one. Errors: TN_ERR_NOMEM, TN_ERR_LIMIT, TN_ERR_ARGUMENT (a type that the options name is none).
 */
tn_status front_read(tn_program *program, const tn_program_options *options);

/** What is wrong with a text as a whole; then what a parser says of it is noise, and its findings
 * are replaced. False: nothing. */
bool front_tell_of_text(tn_program *program, const Source *source);

/** Nothing that was found keeps the program from running. */
bool front_can_run(const tn_program *program);

/** Is it a program of TypeScript? By its name. */
bool front_is_typescript(const char *name);

#endif
