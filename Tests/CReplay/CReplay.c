#include "CReplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

static int try_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    unsigned char *bytes = NULL;
    size_t count = 0, room = 0, read = 0;
    do {
        count += read;
        if (count == room) {
            room = room == 0 ? 65536 : room * 2;
            unsigned char *more = realloc(bytes, room);
            if (more == NULL) abort();
            bytes = more;
        }
        read = fread(bytes + count, 1, room - count, file);
    } while (read > 0);
    int is_whole = !ferror(file);
    fclose(file);
    if (is_whole) LLVMFuzzerTestOneInput(bytes, count);
    free(bytes);
    return is_whole;
}

/// The program's `main`, since SwiftPM links a Swift program so that the function with its target's name is; where libFuzzer is
/// linked it leaves that out, and libFuzzer's own is.
int Fuzzing_main(int count, char **arguments) {
    LLVMFuzzerInitialize(&count, &arguments);
    for (int i = 1; i < count; i++) {
        if (!try_file(arguments[i])) {
            fprintf(stderr, "%s cannot be read\n", arguments[i]);
            return EX_NOINPUT;
        }
        puts(arguments[i]);
    }
    return EX_OK;
}
