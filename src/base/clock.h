/* The clocks, in milliseconds with fractions. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/** Never goes back; begins anywhere. */
double clock_monotonic_ms(void);
uint64_t clock_monotonic_ns(void);

/** Since 1970 UTC. */
double clock_wall_ms(void);

/** Processor time of the calling thread. */
double clock_thread_cpu_ms(void);

#endif
