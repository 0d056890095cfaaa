#include "CQuantization.h"

#include <math.h>
#include <string.h>

/// Rows and columns that are turned at a time, so that they stay in the processor's cache.
enum { tile_side = 64 };

static const float largest_code = 127;

/// The size of numbers that are all 0.
static const float least_size = 1e-12f;

static float number_at(const unsigned char *numbers, size_t place) {
    float number;
    memcpy(&number, numbers + place * sizeof number, sizeof number);
    return number;
}

/// The nearest whole number, the even one of two, within the codes.
///
/// The lowest bit of a float between 2 to the power of 23 and of 24 counts ones, so a sum of this size is rounded, and its lowest bits
/// are the code. That is several times faster than a call that rounds.
static int8_t code_of(float number) {
    // A comparison with what is no number is false.
    float limited = number < largest_code ? number : largest_code;
    limited = limited > -largest_code ? limited : -largest_code;
    const float sum = limited + 12582912.0f;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const uint8_t lowest = (uint8_t)bits;
    int8_t code;
    memcpy(&code, &lowest, sizeof code);
    return code;
}

static void measure_columns(const unsigned char *restrict numbers, size_t rows, size_t columns, float *restrict sizes) {
    for (size_t column = 0; column < columns; column += 1) {
        sizes[column] = least_size;
    }
    for (size_t row = 0; row < rows; row += 1) {
        for (size_t column = 0; column < columns; column += 1) {
            const float size = fabsf(number_at(numbers, row * columns + column));
            sizes[column] = size > sizes[column] ? size : sizes[column];
        }
    }
}

static float scale_of_row(const unsigned char *restrict row, size_t columns, const float *restrict sizes) {
    float greatest = least_size;
    for (size_t column = 0; column < columns; column += 1) {
        const float size = fabsf(number_at(row, column) / sizes[column]);
        greatest = size > greatest ? size : greatest;
    }
    return greatest / largest_code;
}

void quantize_matrix(const void *numbers, size_t rows, size_t columns, float *sizes, float *scales, int8_t *codes) {
    const unsigned char *bytes = numbers;
    int8_t tile[tile_side][tile_side];
    measure_columns(bytes, rows, columns, sizes);
    for (size_t top = 0; top < rows; top += tile_side) {
        const size_t height = rows - top < tile_side ? rows - top : tile_side;
        for (size_t row = top; row < top + height; row += 1) {
            scales[row] = scale_of_row(bytes + row * columns * sizeof(float), columns, sizes);
        }
        for (size_t left = 0; left < columns; left += tile_side) {
            const size_t width = columns - left < tile_side ? columns - left : tile_side;
            for (size_t y = 0; y < height; y += 1) {
                const float scale = scales[top + y];
                for (size_t x = 0; x < width; x += 1) {
                    const float number = number_at(bytes, (top + y) * columns + left + x);
                    tile[y][x] = code_of(number / sizes[left + x] / scale);
                }
            }
            for (size_t x = 0; x < width; x += 1) {
                for (size_t y = 0; y < height; y += 1) {
                    codes[(left + x) * rows + top + y] = tile[y][x];
                }
            }
        }
    }
}
