/* The end of the C library inside the guest: every call by which it would reach an operating system
 * stops here. The module imports nothing of WASI at all; the build checks that. */
#include <errno.h>
#include <wasi/api.h>

#include "guest.h"

__wasi_errno_t __wasi_clock_time_get(__wasi_clockid_t id, __wasi_timestamp_t precision,
                                     __wasi_timestamp_t *out_time)
{
    (void)precision;
    /* whole milliseconds: multiplied as integers, since the product is past what a double counts */
    double ms = host_clock(id == __WASI_CLOCKID_REALTIME ? 1 : 0);
    *out_time = ms > 0 ? (__wasi_timestamp_t)ms * 1000000u : 0;
    return 0;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *vectors, size_t count,
                               __wasi_size_t *out_written)
{
    size_t total = 0;

    (void)fd;
    for (size_t i = 0; i < count; i++)
        total += vectors[i].buf_len;
    *out_written = total;
    return 0;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
    (void)fd;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_fdstat_get(__wasi_fd_t fd, __wasi_fdstat_t *out_stat)
{
    (void)fd, (void)out_stat;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *out_size)
{
    (void)fd, (void)offset, (void)whence, (void)out_size;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_renumber(__wasi_fd_t fd, __wasi_fd_t to)
{
    (void)fd, (void)to;
    return __WASI_ERRNO_BADF;
}

/* The C library's own start-up would bring in its view of an environment: ours is this. */
void __wasm_call_ctors(void);
__attribute__((export_name("_initialize"))) void _initialize(void);
void _initialize(void)
{
    __wasm_call_ctors();
}

_Noreturn void __wasi_proc_exit(__wasi_exitcode_t code)
{
    host_fatal(code);
}

_Noreturn void abort(void)
{
    host_fatal(134);
}
