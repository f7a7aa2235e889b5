/* Which addresses are somebody's own: this machine, private networks, what is not of the public
 * internet (RFC 6890 and its registries), in every spelling that carries an IPv4 address in an IPv6
 * one. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "http_inside.h"

static const char mapped[12] = "\0\0\0\0\0\0\0\0\0\0\xff\xff";
static const char translated[12] = "\0\x64\xff\x9b";

typedef struct Range {
    uint32_t address;
    unsigned bits;
} Range;

static bool is_public_v4(uint32_t address)
{
    static const Range ranges[] = {
        {0x00000000, 8},  /* this network */
        {0x0a000000, 8},  /* private */
        {0x64400000, 10}, /* shared by a carrier's customers */
        {0x7f000000, 8},  /* loopback */
        {0xa9fe0000, 16}, /* link-local, metadata of clouds */
        {0xac100000, 12}, /* private */
        {0xc0000000, 24}, /* protocol assignments */
        {0xc0000200, 24}, /* documentation */
        {0xc0586300, 24}, /* relays to 6to4 */
        {0xc0a80000, 16}, /* private */
        {0xc6120000, 15}, /* benchmarks */
        {0xc6336400, 24}, /* documentation */
        {0xcb007100, 24}, /* documentation */
        {0xe0000000, 3},  /* multicast, reserved, broadcast */
    };

    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (address >> (32 - ranges[i].bits) == ranges[i].address >> (32 - ranges[i].bits))
            return false;
    }
    return true;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool begins(const uint8_t *bytes, const char *prefix, size_t length)
{
    return memcmp(bytes, prefix, length) == 0;
}

/* An IPv4 address in it, mapped (::ffff:0:0/96), translated (64:ff9b::/96), 6to4 (2002::/16) or
 * ISATAP. */
static bool carries_v4(const uint8_t *bytes, uint32_t *out_address)
{
    if (begins(bytes, mapped, 12) || begins(bytes, translated, 12) ||
        ((bytes[8] & 0xfd) == 0 && begins(bytes + 9, "\0\x5e\xfe", 3)))
        *out_address = word_at(bytes + 12);
    else if (begins(bytes, "\x20\x02", 2))
        *out_address = word_at(bytes + 2);
    else
        return false;
    return true;
}

/* Only what is given out to the world (2000::/3), less the special parts of it. */
static bool is_public_v6(const uint8_t *bytes)
{
    uint32_t carried;

    if (carries_v4(bytes, &carried) && !is_public_v4(carried))
        return false;
    if (begins(bytes, mapped, 12) || begins(bytes, translated, 12))
        return true;
    if (bytes[0] >> 5 != 1)
        return false;
    if (begins(bytes, "\x20\x01", 2) && (bytes[2] >> 1 == 0 || begins(bytes + 2, "\x0d\xb8", 2)))
        return false; /* protocol assignments, Teredo among them; documentation */
    return !(begins(bytes, "\x3f\xff", 2) && bytes[2] >> 4 == 0); /* documentation */
}

static const uint8_t *bytes_of(const struct sockaddr *address)
{
    return address->sa_family == AF_INET6
               ? ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr
               : (const uint8_t *)&((const struct sockaddr_in *)(const void *)address)->sin_addr;
}

bool address_is_public(const struct sockaddr *address)
{
    const uint8_t *bytes = bytes_of(address);

    if (address->sa_family == AF_INET)
        return is_public_v4(word_at(bytes));
    return address->sa_family == AF_INET6 && is_public_v6(bytes);
}

/* The last four bytes, where the rest says that it is an IPv4 address. */
static const uint8_t *as_v4(const uint8_t *bytes, bool is_v6)
{
    if (!is_v6)
        return bytes;
    return begins(bytes, mapped, 12) ? bytes + 12 : NULL;
}

/* Where clouds tell a machine its credentials: by no name, and not as one of many. */
static bool is_metadata(const uint8_t *bytes, bool is_v6)
{
    uint32_t v4 = 0;

    if (!is_v6 || carries_v4(bytes, &v4)) {
        v4 = is_v6 ? v4 : word_at(bytes);
        return v4 == 0xa9fea9fe || v4 == 0x646464c8 || v4 == 0xc00000c0;
    }
    return begins(bytes, "\xfd\x00\x0e\xc2\0\0\0\0\0\0\0\0\0\0\x02\x54", 16) ||
           begins(bytes, "\xfd\x20\x00\xce\0\0\0\0\0\0\0\0\0\0\x02\x54", 16);
}

/* The very address that the grant names, or one of this machine's for "localhost". */
static bool is_named(const HttpGrant *grant, const uint8_t *bytes, bool is_v6)
{
    Origin origin;
    char host[INET6_ADDRSTRLEN];
    uint8_t named[16];
    const uint8_t *v4 = as_v4(bytes, is_v6);

    if (origin_read(grant->origin, strlen(grant->origin), &origin) || origin.below ||
        origin.length >= sizeof host)
        return false;
    memcpy(host, origin.host, origin.length);
    host[origin.length] = 0;
    if (strcasecmp(host, "localhost") == 0)
        return v4 ? v4[0] == 127 : begins(bytes, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
    if (inet_pton(AF_INET, host, named) == 1)
        return v4 && memcmp(v4, named, 4) == 0;
    return is_v6 && inet_pton(AF_INET6, host, named) == 1 && memcmp(bytes, named, 16) == 0;
}

bool address_allowed(const HttpGrant *grant, const struct sockaddr *address)
{
    bool is_v6 = address->sa_family == AF_INET6;
    const uint8_t *bytes = bytes_of(address);

    if (!is_v6 && address->sa_family != AF_INET)
        return false;
    return address_is_public(address) || is_named(grant, bytes, is_v6) ||
           (grant->private_addresses && !is_metadata(bytes, is_v6));
}

bool address_text_allowed(const HttpGrant *grant, const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    char plain[64];

    (void)snprintf(plain, sizeof plain, "%.*s", (int)strcspn(text, "%"), text);
    if (inet_pton(AF_INET, plain, &v4.sin_addr) == 1)
        return address_allowed(grant, (const struct sockaddr *)(const void *)&v4);
    return inet_pton(AF_INET6, plain, &v6.sin6_addr) == 1 &&
           address_allowed(grant, (const struct sockaddr *)(const void *)&v6);
}
