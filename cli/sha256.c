#include "sha256.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SHA256_BYTES = 32 };

typedef int Sha256(unsigned char *out, const unsigned char *in, unsigned long long length);

bool sha256_hex(const void *bytes, size_t length, char out[SHA256_HEX + 1])
{
    void *library = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "crypto_hash_sha256") : NULL;
    unsigned char hash[SHA256_BYTES];
    Sha256 *sha256;
    bool good;

    memcpy(&sha256, &found, sizeof found);
    good = found != NULL && sha256(hash, bytes, length) == 0;
    if (library)
        dlclose(library);
    for (size_t i = 0; good && i < SHA256_BYTES; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", hash[i]);
    return good;
}
