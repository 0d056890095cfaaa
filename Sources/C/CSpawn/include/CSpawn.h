#pragma once

#include <sys/types.h>

/// Starts the program at `path` with no environment and no signal blocked or ignored, in a new session.
///
/// Of the open files it inherits only `descriptors`, at most 16, the first as descriptor 0, and so on.
///
/// - Returns: 0, with the process id in `pid`; otherwise an errno.
int spawn_program(pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count);
