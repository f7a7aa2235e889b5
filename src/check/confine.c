#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- resources ---- */

static bool limit(__rlimit_resource_t resource, uint64_t most)
{
    struct rlimit both = {most, most};

    return setrlimit(resource, &both) == 0;
}

/* RLIMIT_DATA and not RLIMIT_AS: the runtime of the compiler reserves gigabytes of addresses that
 * it never uses, but what it makes writable is counted as data. */
static bool confine_resources(uint64_t memory_bytes)
{
    bool all = limit(RLIMIT_DATA, memory_bytes);

    all &= limit(RLIMIT_CORE, 0);
    all &= limit(RLIMIT_FSIZE, 0);
    all &= limit(RLIMIT_NOFILE, 32);
    all &= limit(RLIMIT_MSGQUEUE, 0);
    all &= limit(RLIMIT_MEMLOCK, 0);
    return all;
}

/* ---- powers ---- */

static bool confine_powers(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}, {0}};

    /* fails where there are none, which is as good */
    for (unsigned long power = 0; power < 64; power++)
        (void)prctl(PR_CAPBSET_DROP, power, 0, 0, 0);
    bool dropped = syscall(SYS_capset, &header, none) == 0;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && dropped;
}

/* ---- files ---- */

/* The kernel's interface, written out: the headers of the build machine may be older than its
 * kernel. */
enum {
    LANDLOCK_EXECUTE = 1 << 0,
    LANDLOCK_READ_FILE = 1 << 2,
    LANDLOCK_FILES_1 = (1 << 13) - 1, /* what the first version knows */
    LANDLOCK_REFER = 1 << 13,
    LANDLOCK_TRUNCATE = 1 << 14,
    LANDLOCK_IOCTL = 1 << 15,
    LANDLOCK_BENEATH = 1,
    SYS_LANDLOCK_CREATE = 444,
    SYS_LANDLOCK_ADD = 445,
    SYS_LANDLOCK_RESTRICT = 446,
};

struct landlock_ruleset {
    uint64_t files;
    uint64_t network;
};

struct landlock_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

static bool confine_files(int program)
{
    struct landlock_ruleset ruleset = {.files = LANDLOCK_FILES_1};
    struct landlock_beneath rule = {LANDLOCK_EXECUTE | LANDLOCK_READ_FILE, program};
    long version = syscall(SYS_LANDLOCK_CREATE, NULL, 0, 1);

    if (version < 1)
        return false;
    ruleset.files |= version >= 2 ? LANDLOCK_REFER : 0;
    ruleset.files |= version >= 3 ? LANDLOCK_TRUNCATE : 0;
    ruleset.network = version >= 4 ? 3 : 0; /* bind and connect of TCP */
    ruleset.files |= version >= 5 ? LANDLOCK_IOCTL : 0;
    size_t size = version >= 4 ? sizeof ruleset : sizeof ruleset.files;
    int set = (int)syscall(SYS_LANDLOCK_CREATE, &ruleset, size, 0);
    if (set < 0)
        return false;
    bool done = syscall(SYS_LANDLOCK_ADD, set, LANDLOCK_BENEATH, &rule, 0) == 0 &&
                syscall(SYS_LANDLOCK_RESTRICT, set, 0) == 0;
    close(set);
    return done;
}

/* ---- system calls ---- */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define GIVE(what)  BPF_STMT(BPF_RET | BPF_K, (what))
/* the next statement is passed over unless the value is `k` */
#define IF(k)         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, 1)
#define UNLESS_ANY(k) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (k), 1, 0)
#define REFUSED       GIVE(SECCOMP_RET_ERRNO | EPERM)
#define REFUSE(call)  IF(SYS_##call), REFUSED

/* A list of what is refused, not of what is allowed: the compiler is memory-safe and pinned, its
 * runtime is free to choose among the harmless calls. */
static const struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
    GIVE(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    /* the x32 calls have numbers of their own for the same things */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    GIVE(SECCOMP_RET_KILL_PROCESS),
    REFUSE(socket),
    REFUSE(socketpair),
    REFUSE(connect),
    REFUSE(bind),
    REFUSE(listen),
    REFUSE(fork),
    REFUSE(vfork),
    /* its arguments are in memory, out of a filter's sight: with "no such call" runtimes use clone
     */
    IF(SYS_clone3),
    GIVE(SECCOMP_RET_ERRNO | ENOSYS),
    REFUSE(ptrace),
    REFUSE(process_vm_readv),
    REFUSE(process_vm_writev),
    REFUSE(process_madvise),
    REFUSE(pidfd_open),
    REFUSE(pidfd_getfd),
    REFUSE(pidfd_send_signal),
    REFUSE(kill),
    REFUSE(tkill),
    REFUSE(unshare),
    REFUSE(setns),
    REFUSE(mount),
    REFUSE(umount2),
    REFUSE(pivot_root),
    REFUSE(chroot),
    REFUSE(bpf),
    REFUSE(perf_event_open),
    REFUSE(userfaultfd),
    REFUSE(io_uring_setup),
    REFUSE(keyctl),
    REFUSE(add_key),
    REFUSE(request_key),
    REFUSE(memfd_create),
    REFUSE(shmget),
    REFUSE(msgget),
    REFUSE(semget),
    REFUSE(mq_open),
    REFUSE(creat),
    REFUSE(truncate),
    REFUSE(unlink),
    REFUSE(unlinkat),
    REFUSE(rename),
    REFUSE(renameat),
    REFUSE(renameat2),
    REFUSE(mkdir),
    REFUSE(mkdirat),
    REFUSE(mknod),
    REFUSE(mknodat),
    REFUSE(link),
    REFUSE(linkat),
    REFUSE(symlink),
    REFUSE(symlinkat),
    REFUSE(chmod),
    REFUSE(fchmodat),
    REFUSE(chown),
    REFUSE(lchown),
    REFUSE(fchownat),
    REFUSE(openat2),
    REFUSE(name_to_handle_at),
    REFUSE(open_by_handle_at),
    REFUSE(execve),
    /* threads, yes; processes, no */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
    LOAD(args[0]),
    UNLESS_ANY(CLONE_THREAD),
    REFUSED,
    GIVE(SECCOMP_RET_ALLOW),
    /* opening is for reading */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 2),
    LOAD(args[1]),
    BPF_JUMP(BPF_JMP | BPF_JA, 2, 0, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
    LOAD(args[2]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1),
    REFUSED,
    GIVE(SECCOMP_RET_ALLOW),
};

static bool confine_calls(void)
{
    struct sock_fprog program = {sizeof filter / sizeof filter[0], (struct sock_filter *)filter};

    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

/* ---- all of it ---- */

/* What runs short of memory should lose this process and not its host. */
static void offer_to_be_killed(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (fd >= 0) {
        ssize_t written = write(fd, "1000", 4);
        (void)written;
        close(fd);
    }
}

unsigned confine(int program, uint64_t memory_bytes)
{
    unsigned walls = 0;

    offer_to_be_killed();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) == 0)
        walls |= CONFINE_NAMESPACES;
    if (confine_resources(memory_bytes))
        walls |= CONFINE_RLIMITS;
    if (confine_powers())
        walls |= CONFINE_POWERS;
    if (confine_files(program))
        walls |= CONFINE_LANDLOCK;
    if (confine_calls())
        walls |= CONFINE_SECCOMP;
    return walls;
}
