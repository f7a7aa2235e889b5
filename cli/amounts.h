/* Durations, sizes, counts and moments as people write them. */
#ifndef TENON_CLI_AMOUNTS_H
#define TENON_CLI_AMOUNTS_H

#include <stdint.h>

/*
 * Each returns NULL and stores the amount, or returns a sentence that says how to write it:
 * constant text; the output is then untouched.
 */
const char *amount_duration(const char *text, uint32_t *out_ms);
const char *amount_size(const char *text, uint64_t *out_bytes);
const char *amount_size32(const char *text, uint32_t *out_bytes);
const char *amount_count(const char *text, uint32_t *out_count);
const char *amount_seed(const char *text, uint64_t *out_seed);
const char *amount_moment(const char *text, double *out_unix_ms);

#endif
