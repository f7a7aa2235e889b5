/*
 * What may be reached over HTTP, and with which credentials: said by a policy or by who adds a
 * service, held against each request by src/provide/http.
 */
#ifndef HTTP_GRANT_H
#define HTTP_GRANT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum HttpCredentialKind {
    HTTP_CREDENTIAL_HEADER, /* `name`: `prefix` and `value` */
    HTTP_CREDENTIAL_QUERY,  /* ?name=value, in place of one of that name */
    HTTP_CREDENTIAL_COOKIE,
    HTTP_CREDENTIAL_BASIC /* `name` is the user, `value` the password; without a name the value is
                             "user:password" */
} HttpCredentialKind;

typedef struct HttpCredential {
    HttpCredentialKind kind;
    const char *name;
    const char *prefix; /* of a header's value, "Bearer "; NULL: none */
    const char *value;  /* the secret; NULL: it was not to be had, and requests fail that need it */
    const char *reference; /* how messages name it, "env:TOKEN"; NULL: by its name */
} HttpCredential;

typedef struct HttpGrant {
    /* "https://api.example.com", "http://127.0.0.1:8080"; the host may be "*.example.com" (what is
     * below example.com, not itself) or "*" (any). */
    const char *origin;
    const char *const *methods; /* in capitals; method_count 0: all */
    size_t method_count;
    const char *path; /* "/v1/": what begins so; "/v1": itself, and what is below; NULL: all */
    /* Addresses of private networks, of this machine, ... may be reached too. Where the origin
     * itself is such an address ("http://127.0.0.1:8080", "http://localhost"), that one may be
     * anyway. */
    bool private_addresses;
    const HttpCredential *credentials;
    size_t credential_count;
} HttpGrant;

#endif
