#include "CProcess.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int wipes = 0;

void wipe_freed_memory(void) { atomic_store(&wipes, 1); }

// A sanitizer brings an allocator of its own, which knows nothing of these.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)

// The C library's own, under the names that it keeps for programs that put theirs before them.
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);

/// Whether a block came from the kernel by itself and goes back there, which hands it on to nobody unwiped.
///
/// The word before a block is its size, whose lowest bits are flags; this one is IS_MMAPPED (malloc/malloc.c of glibc).
static int is_mapped(const void *block) { return (((const size_t *)block)[-1] & 2) != 0; }

static void give_back(void *block) {
    if (!is_mapped(block)) explicit_bzero(block, malloc_usable_size(block));
    __libc_free(block);
}

void free(void *block) {
    if (block == NULL || atomic_load_explicit(&wipes, memory_order_relaxed) == 0) {
        __libc_free(block);
    } else {
        give_back(block);
    }
}

void *realloc(void *block, size_t size) {
    int is_plain = block == NULL || size == 0 || atomic_load_explicit(&wipes, memory_order_relaxed) == 0;
    // What is mapped is moved by the kernel and leaves nothing where it was.
    if (is_plain || is_mapped(block)) return __libc_realloc(block, size);
    size_t room = malloc_usable_size(block);
    if (size <= room && size >= room / 2) return block;
    void *moved = __libc_malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < room ? size : room);
    give_back(block);
    return moved;
}

#endif
