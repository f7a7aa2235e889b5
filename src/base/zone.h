/*
 * Time zones, from the system's own tables (TZif, RFC 9636) and with no state of the C library.
 */
#ifndef ZONE_H
#define ZONE_H

#include "tenon.h"

typedef struct Zone Zone;

/**
 * Load a zone by its IANA name; NULL is the host's own. "UTC" is built in.
 *
 * Ownership: `*out_zone` is ended with zone_free. A zone is read-only: any thread may use it.
 * Errors:    TN_ERR_ARGUMENT (not a zone's name), TN_ERR_NOT_FOUND, TN_ERR_NOMEM.
 */
tn_status zone_load(const tn_allocator *allocator, const char *name, Zone **out_zone);
void zone_free(Zone *zone);

/** Its IANA name. Borrowed. */
const char *zone_name(const Zone *zone);

/**
 * What to add to UTC to get local time, in milliseconds.
 *
 * `ms` is since 1970: UTC, or local wall time if `is_local`. A local time that does not exist
 * (clocks went forward) or exists twice (they went back) takes the offset from before the change,
 * as ECMA-262 has it.
 */
int32_t zone_offset_ms(const Zone *zone, double ms, bool is_local);

#endif
