#pragma once

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see.
static inline int zlib_begin_gzip(z_stream *stream, int level) {
    const int largest_window_with_gzip_header = 15 + 16, usual_memory = 8;
    return deflateInit2(stream, level, Z_DEFLATED, largest_window_with_gzip_header, usual_memory, Z_DEFAULT_STRATEGY);
}
