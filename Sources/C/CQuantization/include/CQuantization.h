#pragma once

#include <stddef.h>
#include <stdint.h>

/// Quantizes a matrix of 32-bit floats to 8 bits: each number is about its code, times its row's scale, times its column's size.
///
/// Numbers that are infinite or none get codes too, but no particular ones.
///
/// - Parameters:
///   - numbers: `rows` times `columns` floats, row by row; they need not be aligned.
///   - sizes: Room for the greatest absolute number of each column.
///   - scales: Room for a scale of each row.
///   - codes: Room for `columns` times `rows` codes, from -127 to 127, column by column.
void quantize_matrix(const void *numbers, size_t rows, size_t columns, float *sizes, float *scales, int8_t *codes);
