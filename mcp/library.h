/* libmicrohttpd, opened with its first use: it brings GnuTLS, which takes milliseconds to start. */
#ifndef TENON_MCP_LIBRARY_H
#define TENON_MCP_LIBRARY_H

#include <microhttpd.h>

#define MHD_FUNCTIONS(X)                                                                           \
    X(MHD_start_daemon)                                                                            \
    X(MHD_stop_daemon)                                                                             \
    X(MHD_get_connection_info)                                                                     \
    X(MHD_lookup_connection_value)                                                                 \
    X(MHD_create_response_from_buffer)                                                             \
    X(MHD_create_response_from_callback)                                                           \
    X(MHD_add_response_header)                                                                     \
    X(MHD_queue_response)                                                                          \
    X(MHD_destroy_response)

typedef struct Mhd {
#define X(name) __typeof__(&name) name;
    MHD_FUNCTIONS(X)
#undef X
} Mhd;

/** False: it is not there, or not the one that is needed. */
bool library_open(Mhd *out_mhd);

#endif
