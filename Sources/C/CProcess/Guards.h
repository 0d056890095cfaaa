#pragma once

#include <linux/filter.h>
#include <sys/types.h>

struct confinement;

/// The most instructions of a system call filter.
enum { filter_room = 512 };

/// Makes a Landlock ruleset from `confinement`. Returns its descriptor, or -1 with errno.
int landlock_rules(const struct confinement *confinement);

/// Applies a ruleset to this thread, which cannot gain privileges. Returns 0 or an errno.
int enter_landlock(int ruleset);

/// Whether system call filters are available, and this architecture's calls are known.
int filter_supported(void);

/// Writes the filter of system calls. Returns 0 or an errno.
int make_filter(const struct confinement *confinement, struct sock_filter steps[filter_room], unsigned short *count);

/// Applies a filter to this thread, which cannot gain privileges. Returns 0 or an errno.
int enter_filter(struct sock_filter steps[], unsigned short count);

/// Applies the guards of `confinement` to this process, which has one thread. Returns 0 or an errno, EBUSY if there are
/// more threads.
int enter_guards(const struct confinement *confinement);
