#include "digest.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

typedef int (*Sha256)(unsigned char *out, const unsigned char *in, unsigned long long length);

/* The one thing that outlives every journal; written once. */
static struct {
    pthread_once_t once;
    Sha256 sha256;
} process = {.once = PTHREAD_ONCE_INIT};

static void find_once(void)
{
    void *library = dlopen("libsodium.so.23", RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, "crypto_hash_sha256") : NULL;

    memcpy(&process.sha256, &function, sizeof function);
}

bool digest_hex(const void *bytes, size_t length, char out_hex[DIGEST_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[32];

    out_hex[0] = '\0';
    pthread_once(&process.once, find_once);
    if (!process.sha256 || process.sha256(hash, bytes, length) != 0)
        return false;
    for (size_t i = 0; i < sizeof hash; i++) {
        out_hex[2 * i] = digits[hash[i] >> 4];
        out_hex[2 * i + 1] = digits[hash[i] & 15];
    }
    out_hex[2 * sizeof hash] = '\0';
    return true;
}
