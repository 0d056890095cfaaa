#define _GNU_SOURCE

#include "CProcess.h"
#include "Guards.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/magic.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Descriptors of the child that the spawn itself moves things to; pipes must be above them.
enum { first_free_descriptor = 5 };

enum { most_descriptors = 16 };

/// Room in the pipe that carries sound, in bytes: the child seldom has to wait for the reader. The default is 64 KiB.
enum { sound_pipe_size = 1 << 20 };

static void close_all(int count, int descriptors[]) {
    for (int i = 0; i < count; i++) {
        if (descriptors[i] >= 0) close(descriptors[i]);
        descriptors[i] = -1;
    }
}

/// A pipe above the descriptors a child's standard ones are moved to.
static int make_pipe(int ends[2]) {
    int raw[2];
    if (pipe2(raw, O_CLOEXEC) != 0) return errno;
    int failure = 0;
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, first_free_descriptor);
        if (ends[i] < 0) failure = errno;
    }
    close_all(2, raw);
    if (failure != 0) close_all(2, ends);
    return failure;
}

static int spawn_with(
    pid_t *pid,
    const char *path,
    char *const arguments[],
    char *const environment[],
    const int descriptors[],
    int count
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }

    for (int i = 0; i < count && failure == 0; i++) {
        failure = posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
    }
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, count);

    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    );
    if (failure == 0) failure = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int child_spawn(
    struct child_process *child,
    const char *path,
    char *const arguments[],
    char *const environment[],
    int wants_notes
) {
    int pipes[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    int failure = 0;
    int count = wants_notes ? 4 : 3;
    for (int i = 0; i < count && failure == 0; i++) failure = make_pipe(pipes[i]);

    pid_t pid = -1;
    if (failure == 0) {
        // With both ends of its notes a child can write them down whoever has gone: bubblewrap, failing at that, would leave its own
        // child behind, which waits for it forever.
        int standard[5] = {pipes[0][0], pipes[1][1], pipes[2][1], pipes[3][1], pipes[3][0]};
        failure = spawn_with(&pid, path, arguments, environment, standard, wants_notes ? 5 : 3);
    }
    int pidfd = -1;
    if (failure == 0) {
        pidfd = child_descriptor(pid);
        if (pidfd < 0) {
            failure = errno;
            kill(pid, SIGKILL);
            child_wait(pid);
        }
    }
    if (failure != 0) {
        for (int i = 0; i < 4; i++) close_all(2, pipes[i]);
        return failure;
    }

    // Refused to a person who has many such pipes; the default does as well, only slower.
    fcntl(pipes[1][0], F_SETPIPE_SZ, sound_pipe_size);
    close(pipes[0][0]);
    for (int i = 1; i < count; i++) close(pipes[i][1]);
    *child = (struct child_process){
        .pid = pid,
        .pidfd = pidfd,
        .input = pipes[0][1],
        .output = pipes[1][0],
        .errors = pipes[2][0],
        .notes = pipes[3][0],
    };
    return 0;
}

int spawn_program(pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count) {
    if (count > most_descriptors) return EINVAL;
    // Moved above the places they go to, so that putting one into its place closes no other.
    int moved[most_descriptors];
    int failure = 0;
    int done = 0;
    for (; done < count && failure == 0; done++) {
        moved[done] = fcntl(descriptors[done], F_DUPFD_CLOEXEC, most_descriptors);
        if (moved[done] < 0) failure = errno;
    }
    char *const environment[] = {NULL};
    if (failure == 0) failure = spawn_with(pid, path, arguments, environment, moved, count);
    for (int i = 0; i < done; i++) {
        if (moved[i] >= 0) close(moved[i]);
    }
    return failure;
}

int child_descriptor(pid_t pid) { return pidfd_open(pid, 0); }

void child_kill(int pidfd) { pidfd_send_signal(pidfd, SIGKILL, NULL, 0); }

int child_wait(pid_t pid) {
    int status = 0;
    pid_t ended;
    do ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == pid ? status : -1;
}

int child_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

int child_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

ssize_t child_write(int descriptor, const void *bytes, size_t count) {
    sigset_t broken_pipe, before, pending;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);

    ssize_t written;
    do written = write(descriptor, bytes, count);
    while (written < 0 && errno == EINTR);
    int failure = errno;

    // A pipe that breaks in the middle of a write raises the signal too, and the write returns what went through.
    sigpending(&pending);
    if (!was_pending && sigismember(&pending, SIGPIPE)) {
        const struct timespec at_once = {0, 0};
        while (sigtimedwait(&broken_pipe, NULL, &at_once) < 0 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = failure;
    return written;
}

static int set_limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max < value) value = limit.rlim_max;
    limit.rlim_cur = value;
    limit.rlim_max = value;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int confine_process(const struct confinement *confinement) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // The signal is sent for a parent that dies from now on; one that died before shows as a new parent.
    if (confinement->parent != 0 && getppid() != confinement->parent) return ESRCH;
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return errno;

    int failure = set_limit(RLIMIT_CORE, 0);
    if (failure == 0) failure = set_limit(RLIMIT_FSIZE, 0);
    if (failure == 0 && confinement->address_space_bytes != 0) {
        failure = set_limit(RLIMIT_AS, confinement->address_space_bytes);
    }
    if (failure == 0 && confinement->open_files != 0) failure = set_limit(RLIMIT_NOFILE, confinement->open_files);
    if (failure == 0 && confinement->processes != 0) failure = set_limit(RLIMIT_NPROC, confinement->processes);
    // At the soft limit SIGXCPU comes, which can be ignored; at the hard one SIGKILL.
    if (failure == 0 && confinement->processor_seconds != 0) {
        failure = set_limit(RLIMIT_CPU, confinement->processor_seconds);
    }
    return failure != 0 ? failure : enter_guards(confinement);
}

int harden_process(void) {
    // Swift's runtime answers these with a report that shows memory.
    const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        if (signal(crashes[i], SIG_DFL) == SIG_ERR) return errno;
    }
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return errno;
    return set_limit(RLIMIT_CORE, 0);
}

void share_heaps(int count) {
    mallopt(M_ARENA_MAX, count);
}

int peer_credentials(int socket, uid_t *user, pid_t *process) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return errno;
    *user = peer.uid;
    *process = peer.pid;
    return 0;
}

int rename_within(int folder, const char *name, const char *new_name) {
    return renameat2(folder, name, folder, new_name, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int clock_is_synchronised(void) {
    struct timex asked = {.modes = 0};
    int state = adjtimex(&asked);
    return state >= 0 && state != TIME_ERROR;
}

int read_kernel_file(const char *folder, const char *name, char *text, size_t size) {
    int base = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (base < 0) return errno;
    struct statfs files;
    int failure = fstatfs(base, &files) != 0 ? errno : files.f_type != PROC_SUPER_MAGIC ? EXDEV : 0;
    int file = -1;
    if (failure == 0) {
        struct open_how how = {.flags = O_RDONLY | O_CLOEXEC, .resolve = RESOLVE_NO_XDEV};
        file = (int)syscall(SYS_openat2, base, name, &how, sizeof how);
        if (file < 0) failure = errno;
    }
    close(base);
    if (failure != 0) return failure;
    ssize_t count;
    do count = read(file, text, size - 1);
    while (count < 0 && errno == EINTR);
    failure = count < 0 ? errno : 0;
    text[count < 0 ? 0 : count] = 0;
    close(file);
    return failure;
}

int mounts_are_others(void) {
    int base = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (base < 0) return 0;
    struct statfs files;
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_XDEV};
    int folder = fstatfs(base, &files) == 0 && files.f_type == PROC_SUPER_MAGIC
        ? (int)syscall(SYS_openat2, base, "self/ns", &how, sizeof how) : -1;
    close(base);
    // Nothing can be mounted over a link of the kernel's, only over the folders above.
    int mounts = folder < 0 ? -1 : openat(folder, "mnt", O_RDONLY | O_CLOEXEC);
    int owner = mounts < 0 ? -1 : ioctl(mounts, NS_GET_USERNS);
    // A process that may not be looked at is above this process's own, and may be this person's as well.
    int are_others = 0;
    uid_t user;
    if (owner >= 0) are_others = ioctl(owner, NS_GET_OWNER_UID, &user) == 0 && user != geteuid();
    if (folder >= 0) close(folder);
    if (mounts >= 0) close(mounts);
    if (owner >= 0) close(owner);
    return are_others;
}

int extend_processor_time(uint64_t seconds) {
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) != 0) return errno;
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0) return errno;
    rlim_t taken = (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec;
    if (used.ru_utime.tv_usec + used.ru_stime.tv_usec >= 1000000) taken += 1;
    // A second more, since the time taken is rounded down.
    rlim_t wanted = taken + 1 + seconds;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    return setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno;
}

struct visit {
    void (*visit)(const char *path, void *context);
    void *context;
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct visit *visit = context;
    if (info->dlpi_name != NULL && info->dlpi_name[0] == '/') visit->visit(info->dlpi_name, visit->context);
    return 0;
}

void visit_loaded_objects(void (*visit)(const char *path, void *context), void *context) {
    struct visit wrapped = {visit, context};
    dl_iterate_phdr(visit_object, &wrapped);
}
