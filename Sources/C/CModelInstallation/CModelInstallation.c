#define _GNU_SOURCE

#include "CModelInstallation.h"

#include <fcntl.h>
#include <stdio.h>

int move_folder(const char *from, const char *to, int exchanges) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, exchanges ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}
