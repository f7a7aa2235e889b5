#include "zone.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "memory.h"
#include "posix_tz.h"

/* Zones have some hundreds of changes; what is larger than this is not one. */
enum { file_bytes_most = 1024 * 1024, name_bytes_most = 64 };

static const char zone_folder[] = "/usr/share/zoneinfo/";

struct Zone {
    tn_allocator allocator;
    size_t bytes; /* of this block, the arrays included */
    char name[name_bytes_most + 1];
    bool has_rule;
    TzRule rule;     /* after the last change */
    int32_t initial; /* before the first */
    size_t count;
    int64_t *at;     /* when the offset changes, UTC seconds, rising */
    int32_t *offset; /* to what */
};

/* ---- reading TZif ---- */

typedef struct Header {
    uint32_t isut_count, isstd_count, leap_count, time_count, type_count, char_count;
} Header;

enum { header_bytes = 44 };

static int64_t big_endian(const uint8_t *at, size_t bytes)
{
    uint64_t value = bytes < 8 && (at[0] & 0x80) ? UINT64_MAX : 0;

    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return (int64_t)value;
}

static bool read_header(const uint8_t *at, const uint8_t *end, Header *out)
{
    uint32_t counts[6];

    if (end - at < header_bytes || memcmp(at, "TZif", 4) != 0)
        return false;
    for (size_t i = 0; i < 6; i++)
        counts[i] = (uint32_t)big_endian(at + 20 + 4 * i, 4);
    *out = (Header){counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
    return true;
}

static uint64_t body_bytes(const Header *header, size_t time_bytes)
{
    return (uint64_t)header->time_count * (time_bytes + 1) + (uint64_t)header->type_count * 6 +
           header->char_count + (uint64_t)header->leap_count * (time_bytes + 4) +
           header->isstd_count + header->isut_count;
}

static Zone *new_zone(const tn_allocator *allocator, size_t count)
{
    size_t bytes = sizeof(Zone) + count * (sizeof(int64_t) + sizeof(int32_t));
    Zone *zone = memory_new(allocator, bytes);

    if (!zone)
        return NULL;
    zone->allocator = *allocator;
    zone->bytes = bytes;
    zone->count = count;
    zone->at = (int64_t *)(zone + 1);
    zone->offset = (int32_t *)(zone->at + count);
    return zone;
}

/* The body: times, the type of each, the types (offset, is-daylight, name), and more we skip. */
static bool read_body(Zone *zone, const uint8_t *body, const Header *header, size_t time_bytes)
{
    const uint8_t *types = body + (size_t)header->time_count * time_bytes;
    const uint8_t *infos = types + header->time_count;
    const int64_t most = (int64_t)1 << 60;

    zone->initial = (int32_t)big_endian(infos, 4);
    for (size_t i = 0; i < zone->count; i++) {
        if (types[i] >= header->type_count)
            return false;
        zone->at[i] = big_endian(body + i * time_bytes, time_bytes);
        zone->offset[i] = (int32_t)big_endian(infos + 6 * types[i], 4);
        bool rises = i == 0 ? zone->at[i] > -most : zone->at[i] > zone->at[i - 1];
        if (!rises || zone->at[i] >= most || zone->offset[i] < -93600 || zone->offset[i] > 93600)
            return false;
    }
    return zone->initial >= -93600 && zone->initial <= 93600;
}

/* footer = "\n" rule? "\n" */
static bool read_footer(Zone *zone, const uint8_t *at, const uint8_t *end)
{
    if (at == end || *at != '\n')
        return false;
    const uint8_t *stop = memchr(at + 1, '\n', (size_t)(end - at - 1));
    if (!stop)
        return false;
    if (stop == at + 1)
        return true;
    zone->has_rule = tz_rule_parse((const char *)at + 1, (size_t)(stop - at - 1), &zone->rule);
    return zone->has_rule;
}

/* Version 1 has times of four bytes and no footer; from version 2 on that part is a dummy, and the
 * real one with eight bytes follows it. */
static tn_status parse(const tn_allocator *allocator, const uint8_t *file, size_t length,
                       Zone **out_zone)
{
    const uint8_t *at = file, *end = file + length;
    size_t time_bytes = 4;
    Header header;

    if (!read_header(at, end, &header))
        return TN_ERR_NOT_FOUND;
    if (file[4] >= '2') {
        uint64_t first = header_bytes + body_bytes(&header, 4);
        if (first > length || !read_header(at + first, end, &header))
            return TN_ERR_NOT_FOUND;
        at += first;
        time_bytes = 8;
    }
    at += header_bytes;
    /* Leap seconds in the table put every time off; so the "right" zones are not for us. */
    if (body_bytes(&header, time_bytes) > (uint64_t)(end - at) || header.type_count == 0 ||
        header.leap_count != 0)
        return TN_ERR_NOT_FOUND;

    Zone *zone = new_zone(allocator, header.time_count);
    if (!zone)
        return TN_ERR_NOMEM;
    if (!read_body(zone, at, &header, time_bytes) ||
        (time_bytes == 8 && !read_footer(zone, at + body_bytes(&header, 8), end))) {
        zone_free(zone);
        return TN_ERR_NOT_FOUND;
    }
    *out_zone = zone;
    return TN_OK;
}

/* ---- finding the file ---- */

/* Letters, digits, "_", "-", "+" in parts between slashes; so no way out of the folder. */
static bool is_name(const char *name)
{
    size_t length = strlen(name);

    if (length == 0 || length > name_bytes_most || name[0] == '/' || name[length - 1] == '/')
        return false;
    for (const char *at = name; *at; at++) {
        bool letter = (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z');
        bool digit = *at >= '0' && *at <= '9';
        if (!letter && !digit && *at != '_' && *at != '-' && *at != '+' && *at != '/')
            return false;
        if (*at == '/' && at[1] == '/')
            return false;
    }
    return true;
}

static tn_status read_file(const char *path, Buf *buf)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;

    if (fd < 0)
        return TN_ERR_NOT_FOUND;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > file_bytes_most) {
        (void)close(fd);
        return TN_ERR_NOT_FOUND;
    }
    ssize_t got = 1;
    while (got > 0 && buf_reserve(buf, 4096)) {
        got = read(fd, buf->data + buf->length, 4096);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            buf->length += (size_t)got;
    }
    (void)close(fd);
    if (got < 0)
        return TN_ERR_NOT_FOUND;
    return buf_status(buf) == TN_ERR_NOMEM ? TN_ERR_NOMEM : TN_OK;
}

/* The host's zone is where /etc/localtime points; a copy there has no name, but works. */
static void host_name(char name[name_bytes_most + 1])
{
    char target[256];
    ssize_t length = readlink("/etc/localtime", target, sizeof target - 1);

    name[0] = '\0';
    if (length <= 0)
        return;
    target[length] = '\0';
    const char *found = strstr(target, "zoneinfo/");
    if (found && is_name(found + strlen("zoneinfo/")))
        (void)snprintf(name, name_bytes_most + 1, "%s", found + strlen("zoneinfo/"));
}

static tn_status load_path(const tn_allocator *allocator, const char *path, const char *name,
                           Zone **out_zone)
{
    Buf file;
    Zone *zone;

    buf_init(&file, allocator, file_bytes_most + 8192);
    tn_status status = read_file(path, &file);
    if (status == TN_OK)
        status = parse(allocator, file.data, file.length, &zone);
    buf_release(&file);
    if (status == TN_OK) {
        (void)snprintf(zone->name, sizeof zone->name, "%s", name);
        *out_zone = zone;
    }
    return status;
}

static tn_status new_utc(const tn_allocator *allocator, Zone **out_zone)
{
    Zone *zone = new_zone(allocator, 0);

    if (!zone)
        return TN_ERR_NOMEM;
    memcpy(zone->name, "UTC", sizeof "UTC");
    *out_zone = zone;
    return TN_OK;
}

static bool means_utc(const char *name)
{
    return strcmp(name, "UTC") == 0 || strcmp(name, "Etc/UTC") == 0;
}

tn_status zone_load(const tn_allocator *allocator, const char *name, Zone **out_zone)
{
    char path[sizeof zone_folder + name_bytes_most];
    char own[name_bytes_most + 1];

    if (!name) {
        host_name(own);
        if (means_utc(own))
            return new_utc(allocator, out_zone);
        tn_status status = load_path(allocator, "/etc/localtime", own[0] ? own : "UTC", out_zone);
        return status == TN_ERR_NOT_FOUND ? new_utc(allocator, out_zone) : status;
    }
    if (!is_name(name))
        return TN_ERR_ARGUMENT;
    if (strcmp(name, "UTC") == 0)
        return new_utc(allocator, out_zone);
    (void)snprintf(path, sizeof path, "%s%s", zone_folder, name);
    return load_path(allocator, path, name, out_zone);
}

void zone_free(Zone *zone)
{
    if (!zone)
        return;
    tn_allocator allocator = zone->allocator;
    memory_free(&allocator, zone, zone->bytes);
}

const char *zone_name(const Zone *zone)
{
    return zone->name;
}

/* ---- asking it ---- */

/* The stretch of unchanging offset that holds an instant. */
static TzSpan span_at(const Zone *zone, int64_t utc)
{
    size_t low = 0, high = zone->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (zone->at[middle] <= utc)
            low = middle + 1;
        else
            high = middle;
    }
    /* `low` changes have happened. */
    if (low == zone->count && zone->has_rule)
        return tz_rule_span(&zone->rule, utc);
    return (TzSpan){low < zone->count ? zone->at[low] : INT64_MAX,
                    low == 0 ? zone->initial : zone->offset[low - 1]};
}

/* Stretches follow each other without holes in UTC; by the local clock they overlap (a time that
 * exists twice) or leave a gap (one that does not). Walking from safely before, the first stretch
 * that is not over by the local clock holds the time, unless the next one has not begun either:
 * then it is in the gap, and the stretch before it counts. In both cases it is the same answer. */
static int32_t offset_of_local(const Zone *zone, int64_t local)
{
    TzSpan span = span_at(zone, local - 93600);

    while (span.end != INT64_MAX && local >= span.end + span.offset) {
        TzSpan next = span_at(zone, span.end);
        if (local < span.end + next.offset)
            break;
        span = next;
    }
    return span.offset;
}

int32_t zone_offset_ms(const Zone *zone, double ms, bool is_local)
{
    /* The range of ECMA-262's dates; what is outside has no time at all. */
    const double most = 8.64e15 + 1e8;

    if (!(ms >= -most && ms <= most))
        return 0;
    int64_t whole = (int64_t)ms;
    if ((double)whole > ms)
        whole--;
    int64_t seconds = whole / 1000 - (whole % 1000 < 0);
    return 1000 * (is_local ? offset_of_local(zone, seconds) : span_at(zone, seconds).offset);
}
