#pragma once

#include <linux/filter.h>
#include <sys/types.h>

struct confinement;

/// Most steps of a filter of system calls.
enum { filter_room = 512 };

/// Makes a Landlock ruleset of what `confinement` says. Returns its descriptor, or -1 with errno.
int landlock_rules(const struct confinement *confinement);

/// Binds this thread, which can gain no privileges, by a ruleset. Returns 0 or an errno.
int enter_landlock(int ruleset);

/// Whether filters of system calls are to be had here, and this architecture's calls are known.
int filter_supported(void);

/// Writes the filter of system calls. Returns 0 or an errno.
int make_filter(const struct confinement *confinement, struct sock_filter steps[filter_room], unsigned short *count);

/// Binds this thread, which can gain no privileges, by a filter. Returns 0 or an errno.
int enter_filter(struct sock_filter steps[], unsigned short count);

/// Binds this process, which has one thread, by the guards that `confinement` asks for. Returns 0 or an errno, EBUSY where
/// there are more threads.
int enter_guards(const struct confinement *confinement);
