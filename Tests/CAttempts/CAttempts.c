#define _GNU_SOURCE

#include "CAttempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

int attempt_open(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    close(file);
    return 1;
}

int attempt_create(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return 0;
    close(file);
    return 1;
}

int attempt_unlink(const char *path) { return unlink(path) == 0; }

static int reach(int kind, unsigned short port) {
    int end = socket(AF_INET, kind, 0);
    if (end < 0) return 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int reached = connect(end, (struct sockaddr *)&address, sizeof address) == 0;
    // The second datagram reports that nobody is there to take the first.
    for (int i = 0; i < 2 && reached; i++) reached = send(end, "x", 1, MSG_NOSIGNAL) == 1;
    close(end);
    return reached;
}

int attempt_connect_tcp(unsigned short port) { return reach(SOCK_STREAM, port); }

int attempt_send_udp(unsigned short port) { return reach(SOCK_DGRAM, port); }

int attempt_connect_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (end < 0) return 0;
    int reached = connect(end, (struct sockaddr *)&address, sizeof address) == 0;
    close(end);
    return reached;
}

/// A raw call, since the C library would run what was registered for a fork.
static int make_process(unsigned long flags) {
    long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    if (child < 0) return 0;
    waitpid((pid_t)child, NULL, 0);
    return 1;
}

int attempt_fork(void) { return make_process(0); }

int attempt_namespace(void) { return make_process(CLONE_NEWUSER); }

int attempt_execute(const char *path) {
    char *const arguments[] = {(char *)path, NULL};
    char *const environment[] = {NULL};
    execve(path, arguments, environment);
    return 0;
}

int attempt_trace(pid_t process) {
    if (ptrace(PTRACE_ATTACH, process, NULL, NULL) != 0) return 0;
    waitpid(process, NULL, 0);
    ptrace(PTRACE_DETACH, process, NULL, NULL);
    return 1;
}

int attempt_read_memory(pid_t process) {
    char byte;
    // No address is anybody's; whether the process may be looked at is decided before that.
    struct iovec here = {&byte, 1}, there = {(void *)0, 1};
    return process_vm_readv(process, &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}

int attempt_signal(pid_t process) { return kill(process, SIGCONT) == 0; }

int attempt_own(pid_t process) { return fcntl(STDERR_FILENO, F_SETOWN, process) == 0; }

int attempt_outlive(void) {
    if (prctl(PR_SET_PDEATHSIG, 0) != 0) return 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return 1;
}

int attempt_unlimited(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_CPU, &limit) == 0;
}

int run_without_landlock(char *const arguments[]) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444, 0, 1),  // landlock_create_ruleset
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return errno;
    execv(arguments[0], arguments);
    return errno;
}
