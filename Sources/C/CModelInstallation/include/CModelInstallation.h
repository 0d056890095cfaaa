#pragma once

/// renameat2(2) of a folder: to an unused name (`exchanges` 0), else it fails with EEXIST, or in exchange with an
/// existing one (`exchanges` 1). Returns 0, or -1 with errno.
int move_folder(const char *from, const char *to, int exchanges);
