#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A child process and this side's ends of its pipes. Every descriptor is closed on exec; -1 means none.
struct child_process {
    pid_t pid;
    /// Identifies the process for child_kill even after its number was reused.
    int pidfd;
    /// Writes to the child's standard input.
    int input;
    /// Reads the child's standard output.
    int output;
    /// Reads the child's standard error.
    int errors;
    /// Reads the child's descriptor 3.
    int notes;
};

/// Starts a child in a new session, with default signal handlers and no descriptors but 0 to 2 (and 3 and 4).
///
/// `wants_notes` determines whether the child gets a descriptor 3 to write to, whose other end is its descriptor 4.
/// Returns 0 or an errno; on failure nothing is left open.
int child_spawn(
    struct child_process *child,
    const char *path,
    char *const arguments[],
    char *const environment[],
    int wants_notes
);

/// Starts the program at `path` with no environment and no signal blocked or ignored, in a new session.
///
/// The program inherits only the open files `descriptors`, at most 16, the first as descriptor 0, and so on.
///
/// - Returns: 0, with the process id in `pid`; otherwise an errno.
int spawn_program(pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count);

/// Returns a descriptor of the process `pid`, or -1.
int child_descriptor(pid_t pid);

/// Sends SIGKILL to the process of `pidfd`; harmless when it has ended.
void child_kill(int pidfd);

/// Waits for a child to end and reaps it. Returns its wait status, or -1.
int child_wait(pid_t pid);

/// The signal in a wait status; 0 when the child exited by itself.
int child_signal(int status);

/// The exit code in the wait status of a child that exited by itself.
int child_exit_code(int status);

/// write(2) that fails with EPIPE instead of raising SIGPIPE, however the process handles that signal.
ssize_t child_write(int descriptor, const void *bytes, size_t count);

/// The kernel's means to confine a process, as bits.
enum kernel_guard {
    /// Landlock: files, and whatever else its version supports.
    guard_landlock = 1,
    /// A filter of system calls (seccomp).
    guard_filter = 2,
};

/// The guards that this kernel has, as bits.
int kernel_guards(void);

/// The version of the kernel's Landlock; 0 for none.
int landlock_version(void);

/// The limits of a worker; 0 does not change a limit.
struct confinement {
    uint64_t address_space_bytes;
    uint64_t open_files;
    uint64_t processes;
    /// For its whole life, in seconds over all threads; no part of the process can raise it.
    uint64_t processor_seconds;
    /// The process that must still be the parent; 0 to accept any.
    pid_t parent;
    /// The kernel's guards to apply, as bits.
    int guards;
    /// Absolute paths of files and of folders with their content; with Landlock nothing else can be opened.
    const char *const *readable;
    size_t readable_count;
    /// Whether another program, in `readable`, is run in this confinement and writes to one file.
    int runs_program;
    /// The descriptor of that file; -1 for none.
    int output;
};

/// Permanently gives up everything a worker does not need. Call it on the main thread before there is another.
///
/// No new privileges, death with the parent, no core file, no tracing by others, no file written, the requested limits,
/// and the guards, with no capability left: no access to other files or processes, no new process, no socket. Returns
/// 0, or the errno of the first step that failed, with ESRCH when the parent has exited and EBUSY when there are other
/// threads.
int confine_process(const struct confinement *confinement);

/// Starts another program in confinement: no files but `readable`, the passed descriptors and the file `output`, no new
/// process or socket, no environment, in a new session.
///
/// It is killed when the thread that started it ends, and so with this process.
///
/// The memory, the processor time, the guards, `readable` (including the program and its libraries) and `output` of `confinement` apply;
/// `runs_program` has to be set. The program gets `descriptors`, at most 16, the first as descriptor 0, and so on.
/// Returns 0, with the process id in `pid`, or an errno.
int spawn_confined(
    pid_t *pid,
    const char *path,
    char *const arguments[],
    const int descriptors[],
    int count,
    const struct confinement *confinement
);

/// The hard limit of the size of files that a process writes, in bytes; 0 in one that confine_process has confined.
/// `process` is one of the same user. Returns 0 or an errno.
int file_size_limit(pid_t process, uint64_t *bytes);

/// Protects the process's memory from other programs of the same user and from the disk: no tracing, no reading of its
/// memory, no core file, no report of a crash. Call it before there is anything to protect. Returns 0 or an errno.
int harden_process(void);

/// Lets the threads of the process share `count` heaps instead of reserving 64 MiB of addresses each (mallopt(3)): once
/// addresses run out, every allocation of a thread without a heap makes a new system call. Call it before there is
/// another thread.
void share_heaps(int count);

/// Makes the whole process overwrite every block of memory before it is freed, from now on, so that no data remains in
/// unused memory. Call it before there is another thread. Returns whether this works: it does not without glibc, or
/// with another allocator.
int wipe_freed_memory(void);

/// Finds the process at the other end of a Unix socket, as the kernel reports it. Returns 0 or an errno.
int peer_credentials(int socket, uid_t *user, pid_t *process);

/// Renames within an open folder to an unused name (renameat2(2)). Returns 0 or an errno, EEXIST if the name is in use.
int rename_within(int folder, const char *name, const char *new_name);

/// Whether the wall clock is synchronized with a time server, as the kernel reports it (adjtimex(2)).
int clock_is_synchronised(void);

/// Reads a file of procfs in `folder` as a string, truncated to `size` - 1 bytes. Mounts over the file or a folder in
/// its path are rejected. Returns 0 or an errno, EXDEV for a file that is not the kernel's.
int read_kernel_file(const char *folder, const char *name, char *text, size_t size);

/// Whether somebody other than this process's user controls the mounts, as in most containers: determined by the owner
/// of the user namespace that the process's mount namespace belongs to (ioctl_ns(2)). 0 if that is unknown.
int mounts_are_others(void);

/// Allows the process `seconds` of processor time beyond what it has used, within its life limit; SIGXCPU ends it after
/// that.
int extend_processor_time(uint64_t seconds);

/// Calls `visit` with the path of every shared object in this process, as the loader found it, and with `context`.
void visit_loaded_objects(void (*visit)(const char *path, void *context), void *context);
