#define _GNU_SOURCE

#include "Guards.h"
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: - Landlock

// Names for which the system's own header may be too old: rights by the version of the kernel's interface that brought them.
// See linux/landlock.h, and Documentation/userspace-api/landlock.rst in the kernel's sources.
enum {
    rights_of_version_1 = (1 << 13) - 1,
    right_to_refer = 1 << 13,     // version 2
    right_to_truncate = 1 << 14,  // version 3
    right_to_control = 1 << 15,   // version 5
    network_rights = 3,           // version 4: to bind and to connect by TCP
    scopes = 3,                   // version 6: abstract sockets and signals of processes outside
};

/// The kernel's struct landlock_ruleset_attr, whole; an older kernel takes a beginning of it.
struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

int landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

/// Opens one path to the confined process. A path that does not exist needs no opening.
static int open_to_reading(int ruleset, const char *path, uint64_t extra) {
    int target = open(path, O_PATH | O_CLOEXEC);
    if (target < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0 : errno;
    struct stat status;
    int failure = fstat(target, &status) == 0 ? 0 : errno;
    struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | extra, .parent_fd = target};
    if (S_ISDIR(status.st_mode)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    if (failure == 0 && syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) failure = errno;
    close(target);
    return failure;
}

int landlock_rules(const struct confinement *confinement) {
    int version = landlock_version();
    if (version < 1) {
        errno = ENOSYS;
        return -1;
    }
    struct ruleset all = {
        .files = rights_of_version_1 | (version >= 2 ? right_to_refer : 0) | (version >= 3 ? right_to_truncate : 0)
            | (version >= 5 ? right_to_control : 0),
        .network = version >= 4 ? network_rights : 0,
        .scopes = version >= 6 ? scopes : 0,
    };
    size_t size = version >= 6 ? sizeof all : version >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (ruleset < 0) return -1;

    int failure = 0;
    uint64_t extra = confinement->runs_program ? LANDLOCK_ACCESS_FS_EXECUTE : 0;
    for (size_t i = 0; i < confinement->readable_count && failure == 0; i++) {
        failure = open_to_reading(ruleset, confinement->readable[i], extra);
    }
    if (failure == 0 && confinement->runs_program && confinement->output >= 0) {
        struct landlock_path_beneath_attr rule = {
            .allowed_access = (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | right_to_truncate) & all.files,
            .parent_fd = confinement->output,
        };
        // An unnamed file is outside all that Landlock forbids, and takes no rule (EBADFD).
        if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0 && errno != EBADFD) {
            failure = errno;
        }
    }
    if (failure == 0) return ruleset;
    close(ruleset);
    errno = failure;
    return -1;
}

int enter_landlock(int ruleset) {
    return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ? 0 : errno;
}

// MARK: - The filter of system calls

#if defined(__x86_64__)
#define FILTER_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FILTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef FILTER_ARCHITECTURE

// Deny by default: a kernel gains calls, and a list of what is forbidden would age. What is not listed does not exist
// (ENOSYS), for which the C library has another way wherever it has one; so a newer C library than this list still runs.
static const int allowed_calls[] = {
    __NR_futex, __NR_read, __NR_write, __NR_mmap, __NR_munmap, __NR_madvise, __NR_mprotect, __NR_close, __NR_lseek,
    __NR_pread64, __NR_fstat, __NR_clock_gettime, __NR_clock_nanosleep, __NR_nanosleep, __NR_sched_yield, __NR_brk, __NR_mremap,
    __NR_readv, __NR_writev, __NR_preadv, __NR_preadv2, __NR_msync, __NR_mincore, __NR_mlock, __NR_munlock, __NR_fadvise64,
    __NR_newfstatat, __NR_statx, __NR_statfs, __NR_fstatfs, __NR_faccessat, __NR_readlinkat, __NR_getdents64, __NR_getcwd,
    __NR_dup, __NR_dup3, __NR_pipe2, __NR_umask,
    __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_eventfd2, __NR_timerfd_create,
    __NR_timerfd_settime, __NR_timerfd_gettime, __NR_signalfd4,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_rt_sigsuspend, __NR_rt_sigpending, __NR_rt_sigtimedwait,
    __NR_sigaltstack, __NR_restart_syscall,
    __NR_set_robust_list, __NR_set_tid_address, __NR_gettid, __NR_getpid, __NR_getppid, __NR_getpgid, __NR_getsid, __NR_getuid,
    __NR_geteuid, __NR_getgid, __NR_getegid, __NR_getgroups, __NR_getresuid, __NR_getresgid, __NR_sched_getaffinity,
    __NR_sched_getparam, __NR_sched_getscheduler, __NR_sched_get_priority_max, __NR_sched_get_priority_min, __NR_getpriority,
    __NR_getcpu, __NR_getrusage, __NR_times, __NR_clock_getres, __NR_gettimeofday, __NR_uname, __NR_sysinfo, __NR_getrandom,
    __NR_getrlimit, __NR_membarrier, __NR_exit, __NR_exit_group,
#ifdef __NR_rseq
    __NR_rseq,
#endif
#ifdef __NR_faccessat2
    __NR_faccessat2,
#endif
#ifdef __NR_close_range
    __NR_close_range,
#endif
#ifdef __NR_epoll_pwait2
    __NR_epoll_pwait2,
#endif
#ifdef __NR_futex_waitv
    __NR_futex_waitv,
#endif
    454, 455, 456,  // futex_wake, futex_wait, futex_requeue, the same on every architecture
#ifdef __x86_64__
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_poll, __NR_select, __NR_epoll_wait, __NR_pipe, __NR_dup2,
    __NR_pause, __NR_time, __NR_getpgrp, __NR_arch_prctl,
#endif
};

/// The further calls that a confined program needs: it has a file of its own to write.
static const int program_calls[] = {
    __NR_execve, __NR_pwrite64, __NR_pwritev, __NR_ftruncate, __NR_fsync, __NR_fdatasync, __NR_recvfrom, __NR_sendto,
    __NR_recvmsg, __NR_sendmsg, __NR_shutdown, __NR_getsockopt, __NR_getpeername, __NR_getsockname, __NR_sched_setaffinity,
#ifdef __x86_64__
    __NR_open,
#endif
};

enum { refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS };

/// A filter as it grows.
struct growing {
    struct sock_filter *steps;
    size_t count;
};

static void add(struct growing *filter, struct sock_filter step) {
    if (filter->count < filter_room) filter->steps[filter->count] = step;
    filter->count++;
}

static void answer(struct growing *filter, uint32_t result) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

static void load(struct growing *filter, size_t offset) {
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/// Continues with the next step when the loaded value is `value`, otherwise after `skipped` more.
static void only_if(struct growing *filter, uint32_t value, uint8_t skipped) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void allow(struct growing *filter, int call) {
    only_if(filter, (uint32_t)call, 1);
    answer(filter, SECCOMP_RET_ALLOW);
}

/// The lower half of a call's argument; the kernel looks at no more of those that are asked for here.
static size_t argument(int index) {
    return offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)index;
}

/// Allows `call` where its argument `index` is one of `values`, and refuses it otherwise.
static void allow_where(struct growing *filter, int call, int index, const uint32_t values[], size_t count) {
    only_if(filter, (uint32_t)call, (uint8_t)(2 * count + 2));
    load(filter, argument(index));
    for (size_t i = 0; i < count; i++) {
        only_if(filter, values[i], 1);
        answer(filter, SECCOMP_RET_ALLOW);
    }
    answer(filter, refused);
}

/// Allows `call` where of its argument `index` the bits `mask` are `value`, and refuses it otherwise.
static void allow_bits(struct growing *filter, int call, int index, uint32_t mask, uint32_t value) {
    only_if(filter, (uint32_t)call, 5);
    load(filter, argument(index));
    add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
    only_if(filter, value, 1);
    answer(filter, SECCOMP_RET_ALLOW);
    answer(filter, refused);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define ALLOW_WHERE(filter, call, index, ...) \
    do { \
        const uint32_t values[] = {__VA_ARGS__}; \
        allow_where(filter, call, index, values, COUNT(values)); \
    } while (0)

int filter_supported(void) {
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int make_filter(const struct confinement *confinement, struct sock_filter steps[filter_room], unsigned short *count) {
    struct growing filter = {.steps = steps, .count = 0};
    load(&filter, offsetof(struct seccomp_data, arch));
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCHITECTURE, 1, 0));
    answer(&filter, SECCOMP_RET_KILL_PROCESS);
    // The calls of x32 have numbers of their own, none of which is below.
    load(&filter, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < COUNT(allowed_calls); i++) allow(&filter, allowed_calls[i]);

    // Threads, and no process; what clone3 is to make cannot be seen, and the C library does without it.
    const uint32_t spaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    allow_bits(&filter, __NR_clone, 0, CLONE_THREAD | spaces, CLONE_THREAD);
    // No descriptor may be set to send signals to a process (F_SETOWN).
    ALLOW_WHERE(&filter, __NR_fcntl, 1, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL);
    ALLOW_WHERE(&filter, __NR_ioctl, 1, TCGETS, FIONREAD, FIONBIO, FIOCLEX);
    // PR_SET_VMA names memory. The death with the parent, which is one of these too, stays.
    ALLOW_WHERE(&filter, __NR_prctl, 0, PR_SET_NAME, PR_GET_NAME, 0x53564d41);
    ALLOW_WHERE(&filter, __NR_prlimit64, 0, 0);
    // The calling thread alone: setpriority(PRIO_PROCESS, 0).
    only_if(&filter, __NR_setpriority, 7);
    load(&filter, argument(0));
    only_if(&filter, PRIO_PROCESS, 4);
    load(&filter, argument(1));
    only_if(&filter, 0, 1);
    answer(&filter, SECCOMP_RET_ALLOW);
    answer(&filter, refused);
    answer(&filter, refused);

    if (confinement->runs_program) {
        for (size_t i = 0; i < COUNT(program_calls); i++) allow(&filter, program_calls[i]);
        allow(&filter, __NR_openat);
    } else {
        uint32_t own = (uint32_t)getpid();
        ALLOW_WHERE(&filter, __NR_kill, 0, own);
        ALLOW_WHERE(&filter, __NR_tgkill, 0, own);
        // To read; __O_TMPFILE is a bit that comes with O_DIRECTORY, which alone is allowed.
        allow_bits(&filter, __NR_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), O_RDONLY);
    }
    answer(&filter, unknown);
    if (filter.count > filter_room) return ENOMEM;
    *count = (unsigned short)filter.count;
    return 0;
}

#else

int filter_supported(void) { return 0; }

int make_filter(const struct confinement *confinement, struct sock_filter steps[filter_room], unsigned short *count) {
    (void)confinement;
    (void)steps;
    *count = 0;
    return ENOTSUP;
}

#endif

int enter_filter(struct sock_filter steps[], unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = steps};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
}

// MARK: - Both

int kernel_guards(void) {
    return (landlock_version() > 0 ? guard_landlock : 0) | (filter_supported() ? guard_filter : 0);
}

int enter_guards(const struct confinement *confinement) {
    if (confinement->guards == 0) return 0;
    // Both bind the calling thread and those it starts. A folder of /proc has a link for each folder in it.
    struct stat threads;
    if (stat("/proc/self/task", &threads) != 0) return errno;
    if (threads.st_nlink != 3) return EBUSY;
    // An administrator's could look into other processes in spite of Landlock.
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    if (syscall(SYS_capset, &header, none) != 0) return errno;
    if (confinement->guards & guard_landlock) {
        int ruleset = landlock_rules(confinement);
        if (ruleset < 0) return errno;
        int failure = enter_landlock(ruleset);
        close(ruleset);
        if (failure != 0) return failure;
    }
    if (confinement->guards & guard_filter) {
        struct sock_filter steps[filter_room];
        unsigned short count;
        int failure = make_filter(confinement, steps, &count);
        if (failure == 0) failure = enter_filter(steps, count);
        if (failure != 0) return failure;
    }
    return 0;
}

int file_size_limit(pid_t process, uint64_t *bytes) {
    struct rlimit limit;
    if (prlimit(process, RLIMIT_FSIZE, NULL, &limit) != 0) return errno;
    *bytes = limit.rlim_max;
    return 0;
}
