#define _GNU_SOURCE

#include "CProcess.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// A sanitizer brings an allocator of its own, which knows nothing of these.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)

extern void *__libc_malloc(size_t size);

/// The functions that would be called if these were not defined: glibc's own, or those of an allocator that was loaded before it (LD_PRELOAD).
static void (*_Atomic next_free)(void *);
static void *(*_Atomic next_realloc)(void *, size_t);
static atomic_int wipes = 0;
/// The mark of glibc in a free block of a thread's cache, to notice when it is freed again; 0 where it does not.
static size_t freed_mark = 0;

/// Set while the next ones are looked for, which begins before there is a second thread.
static _Thread_local int is_looking = 0;

/// The object that `address` belongs to; NULL for none.
static const struct link_map *object_of(const void *address) {
    Dl_info info;
    struct link_map *object = NULL;
    return address != NULL && dladdr1(address, &info, (void **)&object, RTLD_DL_LINKMAP) != 0 ? object : NULL;
}

static int is_searched_before(const struct link_map *one, const struct link_map *other) {
    while (one != NULL && one != other) one = one->l_next;
    return one != NULL;
}

/// The meaning that `name` would have for this program if it were not defined here.
///
/// The loader takes it from the first library that has it without a version, or with the one it has borne in glibc from the
/// beginning on this kind of processor, be that kept for older programs only, as in libc_malloc_debug.so.0. One search finds the
/// former, one the latter (check_match in elf/dl-lookup.c of glibc).
static void *next(const char *name) {
    void *usual = dlsym(RTLD_NEXT, name);
    void *versioned = NULL;
#if defined(__x86_64__)
    versioned = dlvsym(RTLD_NEXT, name, "GLIBC_2.2.5");
#elif defined(__aarch64__)
    versioned = dlvsym(RTLD_NEXT, name, "GLIBC_2.17");
#endif
    if (versioned == NULL || versioned == usual) return usual;
    return usual == NULL || is_searched_before(object_of(versioned), object_of(usual)) ? versioned : usual;
}

static void look_for_next(void) {
    is_looking = 1;
    atomic_store(&next_realloc, (void *(*)(void *, size_t))next("realloc"));
    atomic_store(&next_free, (void (*)(void *))next("free"));
    is_looking = 0;
}

/// Whether every block is glibc's own: one that only some of these calls know as theirs has neither its form nor its size.
static int is_all_of_glibc(void) {
    static const char *const names[] = {
        "malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign", "malloc_usable_size",
    };
    const struct link_map *glibc = object_of((const void *)__libc_malloc);
    if (glibc == NULL) return 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (object_of(next(names[i])) != glibc) return 0;
    }
    return 1;
}

/// The word before a block is its size, whose lowest bits are flags; this one is IS_MMAPPED (malloc/malloc.c of glibc): the
/// block came from the kernel by itself and goes back there, which hands it on to nobody unwiped.
static int is_mapped(const void *block) { return (((const size_t *)block)[-1] & 2) != 0; }

static void give_back(void *block) {
    // A block that is free already keeps its mark, so that glibc ends the program as it does otherwise.
    int is_free = freed_mark != 0 && ((const size_t *)block)[1] == freed_mark;
    if (!is_mapped(block) && !is_free) explicit_bzero(block, malloc_usable_size(block));
    atomic_load(&next_free)(block);
}

int wipe_freed_memory(void) {
    if (atomic_load(&next_free) == NULL) look_for_next();
    if (!is_all_of_glibc()) return 0;
    // The names are unknown to the compiler, because the block is looked at when it is free.
    size_t *probe = __libc_malloc(64);
    if (probe == NULL) return 0;
    explicit_bzero(probe, 64);
    atomic_load(&next_free)(probe);
    freed_mark = ((volatile size_t *)probe)[1];
    atomic_store(&wipes, 1);
    return 1;
}

void free(void *block) {
    if (block == NULL) return;
    if (atomic_load_explicit(&wipes, memory_order_relaxed) != 0) return give_back(block);
    if (atomic_load_explicit(&next_free, memory_order_acquire) == NULL) {
        // The search itself gives back little, which stays.
        if (is_looking) return;
        look_for_next();
    }
    atomic_load(&next_free)(block);
}

void *realloc(void *block, size_t size) {
    if (atomic_load_explicit(&next_realloc, memory_order_acquire) == NULL) {
        if (is_looking) return NULL;
        look_for_next();
    }
    int is_plain = block == NULL || atomic_load_explicit(&wipes, memory_order_relaxed) == 0;
    // A mapped block is moved by the kernel and leaves nothing where it was.
    if (is_plain || is_mapped(block)) return atomic_load(&next_realloc)(block, size);
    if (size == 0) {
        give_back(block);
        return NULL;
    }
    size_t room = malloc_usable_size(block);
    if (size <= room && size >= room / 2) return block;
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < room ? size : room);
    give_back(block);
    return moved;
}

#else

int wipe_freed_memory(void) { return 0; }

#endif
