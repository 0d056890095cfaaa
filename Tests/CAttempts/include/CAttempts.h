#pragma once

#include <sys/types.h>

// The attempts of a process that a stranger's file has taken over. Each returns whether it succeeded.

int attempt_open(const char *path);
int attempt_create(const char *path);
int attempt_unlink(const char *path);
int attempt_connect_tcp(unsigned short port);
int attempt_send_udp(unsigned short port);
int attempt_connect_unix(const char *path);
int attempt_fork(void);
/// Makes a process with a user namespace of its own.
int attempt_namespace(void);
/// Where it succeeds, the calling process becomes the program.
int attempt_execute(const char *path);
int attempt_trace(pid_t process);
int attempt_read_memory(pid_t process);
int attempt_signal(pid_t process);
/// Has signals sent to another process by a descriptor.
int attempt_own(pid_t process);
/// Stays when the parent goes.
int attempt_outlive(void);
/// Asks for more processor time than is left.
int attempt_unlimited(void);

/// Becomes the program `arguments` name, in which the kernel knows no Landlock. Returns an errno.
int run_without_landlock(char *const arguments[]);
