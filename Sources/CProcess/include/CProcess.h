#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A child process and this side's ends of what joins it. Every descriptor is closed on exec; -1 stands for none.
struct child_process {
    pid_t pid;
    /// Names the process for child_kill even after its number has been given to another.
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

/// Starts a child in a session of its own, with every signal at its default and no descriptor but 0 to 2 (and 3 and 4).
///
/// `wants_notes` says whether the child gets a descriptor 3 to write to, whose other end is its descriptor 4. Returns 0 or an errno; on failure nothing is
/// left open.
int child_spawn(
    struct child_process *child,
    const char *path,
    char *const arguments[],
    char *const environment[],
    int wants_notes
);

/// A descriptor that names the process `pid`, or -1.
int child_descriptor(pid_t pid);

/// Sends SIGKILL to the process `pidfd` names; harmless when it has ended.
void child_kill(int pidfd);

/// Waits for a child to end and frees its entry. Returns its wait status, or -1.
int child_wait(pid_t pid);

/// Whether a wait status means a signal, and which; 0 when the child ended by itself.
int child_signal(int status);

/// The exit code in the wait status of a child that ended by itself.
int child_exit_code(int status);

/// write(2) that fails with EPIPE instead of raising SIGPIPE, whatever the process has arranged for that signal.
ssize_t child_write(int descriptor, const void *bytes, size_t count);

/// What the kernel itself has to shut a process in; bits.
enum kernel_guard {
    /// Landlock: files, and what else its version knows.
    guard_landlock = 1,
    /// A filter of system calls (seccomp).
    guard_filter = 2,
};

/// The guards that this kernel has, as bits.
int kernel_guards(void);

/// The version of the kernel's Landlock; 0 for none.
int landlock_version(void);

/// What a worker may use; 0 leaves a limit alone.
struct confinement {
    uint64_t address_space_bytes;
    uint64_t open_files;
    uint64_t processes;
    /// In all its life, in seconds over all threads; no part of the process can ask for more.
    uint64_t processor_seconds;
    /// The process that must still be the parent; 0 to accept any.
    pid_t parent;
    /// Which of the kernel's guards are entered, as bits.
    int guards;
    /// Absolute paths, each of a file or a folder with all that is in it; all that can be opened where Landlock is entered.
    const char *const *readable;
    size_t readable_count;
    /// Whether another program is to be run so, from `readable`, which writes to one file.
    int runs_program;
    /// That file's descriptor; -1 for none.
    int output;
};

/// Gives up what a worker does not need, for good. Call on the main thread before there is another.
///
/// No new privileges, death with the parent, no core file, no tracing by others, no file written, the limits asked for, and
/// the guards, with no capability left: no file but those named, no process started or reached, no socket. Returns 0, or the errno of the first step
/// that failed, with ESRCH when the parent has gone and EBUSY when there are threads already.
int confine_process(const struct confinement *confinement);

/// Starts another program shut in: no file but those `readable`, the descriptors it is given and the file `output`, no process,
/// no socket of its own, no environment, in a session of its own.
///
/// Of `confinement` the memory, the guards, `readable` (the program and its libraries among it) and `output` count;
/// `runs_program` has to be set. The program has `descriptors`, at most 16, the first as its descriptor 0, and so on. Returns 0,
/// with the process's number in `pid`, or an errno.
int spawn_confined(
    pid_t *pid,
    const char *path,
    char *const arguments[],
    const int descriptors[],
    int count,
    const struct confinement *confinement
);

/// The size in bytes that no file a process writes can exceed, whatever the process does; 0 in one that confine_process has
/// confined. `process` is one of the same user. Returns 0 or an errno.
int file_size_limit(pid_t process, uint64_t *bytes);

/// Keeps what the process knows from other programs of the same person and from the disk: no tracing, no reading of its
/// memory, no core file, no report of a crash. Call before there is anything to keep. Returns 0 or an errno.
int harden_process(void);

/// Lets the threads of the process share `count` heaps instead of reserving 64 MiB of addresses each (mallopt(3)): where
/// addresses run out, every allocation of a thread without a heap is tried anew at the kernel. Call before there is
/// another thread.
void share_heaps(int count);

/// Has every block of memory overwritten before it is given back, from now on and in all of the process: what was read or
/// written is not left lying about when nobody uses it any more. Call before there is another thread. Returns whether it does:
/// not where the C library is not glibc, or where another allocator stands before it.
int wipe_freed_memory(void);

/// Who is at the other end of a Unix socket, as the kernel knows it. Returns 0 or an errno.
int peer_credentials(int socket, uid_t *user, pid_t *process);

/// Renames within an open folder, to a name that nothing has (renameat2(2)). Returns 0 or an errno, EEXIST when something has it.
int rename_within(int folder, const char *name, const char *new_name);

/// Whether the wall clock agrees with a time server, by the kernel's word (adjtimex(2)).
int clock_is_synchronised(void);

/// Reads what the kernel says in a file of procfs in `folder`, cut after `size` - 1 bytes, as a string. Nothing is believed
/// that was mounted over the file or a folder between. Returns 0 or an errno, EXDEV for what is not the kernel's.
int read_kernel_file(const char *folder, const char *name, char *text, size_t size);

/// Whether somebody else than this process's user decides what is mounted where, as in most containers: by the owner of the user
/// namespace that the process's mount namespace belongs to (ioctl_ns(2)). 0 where that cannot be seen.
int mounts_are_others(void);

/// Lets the process use `seconds` of processor time beyond what it has used, within what its life has; SIGXCPU ends it after that.
int extend_processor_time(uint64_t seconds);

/// Calls `visit` with the path of every shared object in this process, as the loader found it, and `context`.
void visit_loaded_objects(void (*visit)(const char *path, void *context), void *context);
