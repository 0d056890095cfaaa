#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions that a program under libFuzzer defines: llvm.org/docs/LibFuzzer.html. Without libFuzzer the program tries the files that its arguments
// name, in their order, and reports each one that has been tried.

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
