/* libcurl, opened when something behind a URL is first spoken to: with it come forty libraries
 * that no other program of a host needs to load. */
#ifndef TENON_CURL_LAZY_H
#define TENON_CURL_LAZY_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define CURL_FUNCTIONS(X)                                                                          \
    X(curl_easy_cleanup)                                                                           \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_init)                                                                              \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_strerror)                                                                          \
    X(curl_free)                                                                                   \
    X(curl_global_init)                                                                            \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_assign)                                                                           \
    X(curl_multi_cleanup)                                                                          \
    X(curl_multi_info_read)                                                                        \
    X(curl_multi_init)                                                                             \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_setopt)                                                                           \
    X(curl_multi_socket_action)                                                                    \
    X(curl_slist_append)                                                                           \
    X(curl_slist_free_all)                                                                         \
    X(curl_url)                                                                                    \
    X(curl_url_cleanup)                                                                            \
    X(curl_url_get)                                                                                \
    X(curl_url_set)

typedef struct Curl {
#define X(name) __typeof__(&name) name;
    CURL_FUNCTIONS(X)
#undef X
} Curl;

/** The library's functions, opened and initialised once for the process; NULL if it is not there or
 * cannot be used. Threads: any. */
const Curl *curl_open(void);

/* Where it is opened already, its functions go by their own names. */
#ifndef CURL_LAZY_ITSELF
#define curl_easy_cleanup        curl_open()->curl_easy_cleanup
#define curl_easy_getinfo        curl_open()->curl_easy_getinfo
#define curl_easy_init           curl_open()->curl_easy_init
#define curl_easy_setopt         curl_open()->curl_easy_setopt
#define curl_easy_strerror       curl_open()->curl_easy_strerror
#define curl_free                curl_open()->curl_free
#define curl_global_init         curl_open()->curl_global_init
#define curl_multi_add_handle    curl_open()->curl_multi_add_handle
#define curl_multi_assign        curl_open()->curl_multi_assign
#define curl_multi_cleanup       curl_open()->curl_multi_cleanup
#define curl_multi_info_read     curl_open()->curl_multi_info_read
#define curl_multi_init          curl_open()->curl_multi_init
#define curl_multi_remove_handle curl_open()->curl_multi_remove_handle
#define curl_multi_setopt        curl_open()->curl_multi_setopt
#define curl_multi_socket_action curl_open()->curl_multi_socket_action
#define curl_slist_append        curl_open()->curl_slist_append
#define curl_slist_free_all      curl_open()->curl_slist_free_all
#define curl_url                 curl_open()->curl_url
#define curl_url_cleanup         curl_open()->curl_url_cleanup
#define curl_url_get             curl_open()->curl_url_get
#define curl_url_set             curl_open()->curl_url_set
#endif

#endif
