#define _GNU_SOURCE

#include "CProcess.h"
#include "Guards.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { most_descriptors = 16 };

/// All that a child needs to become the program; it shares this process's memory until it has.
struct becoming {
    const char *path;
    char *const *arguments;
    const int *descriptors;
    int count;
    const struct confinement *confinement;
    int ruleset;
    struct sock_filter *steps;
    unsigned short step_count;
    pid_t parent;
    sigset_t none;
};

/// Runs in the child. Only calls of the kernel, and only returns when one fails.
static int become(const struct becoming *program) {
    for (int number = 1; number < NSIG; number++) {
        // Those of the C library itself, and those nobody can handle, are not to be had.
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(number, &standard, NULL);
    }
    setsid();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // The signal is sent for a parent that dies from now on; one that died before shows as a new parent.
    if (getppid() != program->parent) return ESRCH;
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    uint64_t bytes = program->confinement->address_space_bytes;
    struct rlimit memory = {bytes, bytes};
    if (bytes != 0 && setrlimit(RLIMIT_AS, &memory) != 0) return errno;
    rlim_t seconds = program->confinement->processor_seconds;
    struct rlimit processor;
    if (getrlimit(RLIMIT_CPU, &processor) != 0) return errno;
    if (seconds != 0 && seconds < processor.rlim_max) {
        // At the hard limit SIGKILL comes, which cannot be ignored.
        processor.rlim_cur = seconds;
        processor.rlim_max = seconds;
        if (setrlimit(RLIMIT_CPU, &processor) != 0) return errno;
    }
    if (program->ruleset >= 0) {
        int failure = enter_landlock(program->ruleset);
        if (failure != 0) return failure;
    }
    for (int i = 0; i < program->count; i++) {
        if (dup2(program->descriptors[i], i) < 0) return errno;
    }
    // Whatever else this program has open is closed on exec, by it or by this.
    close_range((unsigned)program->count, ~0U, CLOSE_RANGE_CLOEXEC);
    if (sigprocmask(SIG_SETMASK, &program->none, NULL) != 0) return errno;
    if (program->step_count > 0) {
        int failure = enter_filter(program->steps, program->step_count);
        if (failure != 0) return failure;
    }
    char *const environment[] = {NULL};
    execve(program->path, program->arguments, environment);
    return errno;
}

static int start(pid_t *pid, const struct becoming *program) {
    sigset_t all, before;
    sigfillset(&all);
    // No handler of this process runs in the child.
    pthread_sigmask(SIG_BLOCK, &all, &before);
    volatile int failure = 0;
    pid_t child = vfork();
    if (child == 0) {
        failure = become(program);
        _exit(127);
    }
    if (child < 0) failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child > 0 && failure != 0) child_wait(child);
    if (failure == 0) *pid = child;
    return failure;
}

int spawn_confined(
    pid_t *pid,
    const char *path,
    char *const arguments[],
    const int descriptors[],
    int count,
    const struct confinement *confinement
) {
    if (count > most_descriptors || !confinement->runs_program) return EINVAL;
    struct sock_filter steps[filter_room];
    int moved[most_descriptors];
    struct becoming program = {
        .path = path,
        .arguments = arguments,
        .descriptors = moved,
        .count = count,
        .confinement = confinement,
        .ruleset = -1,
        .steps = steps,
        .parent = getpid(),
    };
    sigemptyset(&program.none);
    int failure = 0;
    if (confinement->guards & guard_filter) failure = make_filter(confinement, steps, &program.step_count);
    if (failure == 0 && confinement->guards & guard_landlock) {
        int ruleset = landlock_rules(confinement);
        program.ruleset = ruleset < 0 ? -1 : fcntl(ruleset, F_DUPFD_CLOEXEC, most_descriptors);
        if (program.ruleset < 0) failure = errno;
        if (ruleset >= 0) close(ruleset);
    }
    // Moved above the places they go to, so that putting one into its place closes no other.
    int done = 0;
    for (; done < count && failure == 0; done++) {
        moved[done] = fcntl(descriptors[done], F_DUPFD_CLOEXEC, most_descriptors);
        if (moved[done] < 0) failure = errno;
    }
    if (failure == 0) failure = start(pid, &program);
    for (int i = 0; i < done; i++) {
        if (moved[i] >= 0) close(moved[i]);
    }
    if (program.ruleset >= 0) close(program.ruleset);
    return failure;
}
