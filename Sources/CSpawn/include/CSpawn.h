#pragma once

#include <sys/types.h>

/// Starts the program at `path` with no environment, no signal blocked or ignored, in a session of its own.
///
/// Of the files that are open here it has only `descriptors`, at most 16, the first as its descriptor 0, and so on.
///
/// - Returns: 0, with the process's number in `pid`; otherwise an errno.
int spawn_program(pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count);
