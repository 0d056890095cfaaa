#pragma once

/// Creates an unnamed file in memory, closed in programs that this one starts.
///
/// - Returns: Its descriptor, or -1 with `errno` set.
/// - SeeAlso: memfd_create(2).
int memory_file(void);
