#define _GNU_SOURCE

#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

enum { most_descriptors = 16 };

static int spawn_with(
    pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    for (int i = 0; i < count && failure == 0; i++) {
        failure = posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
    }
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, count);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    );
    char *const environment[] = {NULL};
    if (failure == 0) failure = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int spawn_program(pid_t *pid, const char *path, char *const arguments[], const int descriptors[], int count) {
    if (count > most_descriptors) return EINVAL;
    // Moved above the places they go to, so that putting one into its place closes no other.
    int moved[most_descriptors];
    int failure = 0;
    int done = 0;
    for (; done < count && failure == 0; done++) {
        moved[done] = fcntl(descriptors[done], F_DUPFD_CLOEXEC, most_descriptors);
        if (moved[done] < 0) failure = errno;
    }
    if (failure == 0) failure = spawn_with(pid, path, arguments, moved, count);
    for (int i = 0; i < done; i++) {
        if (moved[i] >= 0) close(moved[i]);
    }
    return failure;
}
