#pragma once

/// renameat2(2) of a folder: to a place where nothing is (`exchanges` 0), else fails with EEXIST, or in exchange for what is there
/// (`exchanges` 1). Returns 0, or -1 with errno.
int move_folder(const char *from, const char *to, int exchanges);
