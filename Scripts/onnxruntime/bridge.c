// Lets sherpa-onnx run on a newer ONNX Runtime than the one it was built with, and keeps its memory small.
//
// sherpa-onnx asks the loader for OrtGetApiBase of exactly its own version of ONNX Runtime. This library has that name
// and version and hands on the newer library's: ONNX Runtime promises that GetApi(n) of a later release gives the
// interface of release n. The newer one speaks Piper voices 10 to 15 % faster.
//
// Sessions are made without memory patterns. ONNX Runtime plans one for each shape of input it sees, and every sentence
// has another: with them a medium voice takes 480 MB for two sentences at once, without them 310 MB, in the same time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Places in `struct OrtApi` of onnxruntime_c_api.h, whose members never change their order.
enum {
    CREATE_ENV = 3,
    CREATE_ENV_WITH_CUSTOM_LOGGER = 4,
    CREATE_SESSION_OPTIONS = 10,
    DISABLE_MEM_PATTERN = 17,
    CREATE_CPU_MEMORY_INFO = 69,
    RELEASE_MEMORY_INFO = 94,
    ADD_SESSION_CONFIG_ENTRY = 130,
    CREATE_AND_REGISTER_ALLOCATOR = 144,
    RELEASE_ARENA_CFG = 157,
    CREATE_ARENA_CFG_V2 = 164,
    MOST_MEMBERS = 512
};

// Values of the header's enumerations.
enum { ARENA_ALLOCATOR = 1, MEM_TYPE_DEFAULT = 0, NEXT_POWER_OF_TWO = 0 };

// What two sentences of a medium voice need at once, and half as much again.
static const size_t first_stretch = 256u << 20;
// A free piece that is larger than what is asked for by more than this is divided.
static const size_t most_waste = 256;

typedef void *status; // NULL for success

struct api_base {
    const void *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

static struct api_base base;
static const struct api_base *newer;
static void *const *newer_api;
static void *api[MOST_MEMBERS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static status create_session_options(void **options) {
    status failed = ((status(*)(void **))newer_api[CREATE_SESSION_OPTIONS])(options);
    if (!failed) failed = ((status(*)(void *))newer_api[DISABLE_MEM_PATTERN])(*options);
    if (failed) return failed;
    status (*configure)(void *, const char *, const char *) =
        (status(*)(void *, const char *, const char *))newer_api[ADD_SESSION_CONFIG_ENTRY];
    return configure(*options, "session.use_env_allocators", "1");
}

// Gives an environment the allocator that its sessions are to use.
static status register_allocator(void *environment) {
    const char *const names[] = {"arena_extend_strategy", "max_dead_bytes_per_chunk", "initial_chunk_size_bytes"};
    const size_t values[] = {NEXT_POWER_OF_TWO, most_waste, first_stretch};
    void *arena, *memory;
    status failed = ((status(*)(const char *const *, const size_t *, size_t, void **))newer_api[CREATE_ARENA_CFG_V2])(
        names, values, sizeof values / sizeof *values, &arena);
    if (failed) return failed;
    failed = ((status(*)(int, int, void **))newer_api[CREATE_CPU_MEMORY_INFO])(ARENA_ALLOCATOR, MEM_TYPE_DEFAULT, &memory);
    if (!failed) {
        failed = ((status(*)(void *, const void *, const void *))newer_api[CREATE_AND_REGISTER_ALLOCATOR])(
            environment, memory, arena);
        ((void (*)(void *))newer_api[RELEASE_MEMORY_INFO])(memory);
    }
    ((void (*)(void *))newer_api[RELEASE_ARENA_CFG])(arena);
    return failed;
}

static status create_env(int level, const char *name, void **environment) {
    status failed = ((status(*)(int, const char *, void **))newer_api[CREATE_ENV])(level, name, environment);
    return failed ? failed : register_allocator(*environment);
}

static status create_env_with_custom_logger(void *log, void *context, int level, const char *name, void **environment) {
    status failed = ((status(*)(void *, void *, int, const char *, void **))newer_api[CREATE_ENV_WITH_CUSTOM_LOGGER])(
        log, context, level, name, environment);
    return failed ? failed : register_allocator(*environment);
}

struct stretch {
    uintptr_t start, end;
};

// Finds the end of the loaded segment in which a stretch starts, so that no more is copied than is there.
static int find_end(struct dl_phdr_info *object, size_t size, void *found) {
    (void)size;
    struct stretch *stretch = found;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t start = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        uintptr_t end = start + object->dlpi_phdr[i].p_memsz;
        if (object->dlpi_phdr[i].p_type != PT_LOAD || stretch->start < start || stretch->start >= end) continue;
        stretch->end = end;
        return 1;
    }
    return 0;
}

static const void *get_api(uint32_t version) {
    void *const *found = newer->get_api(version);
    if (!found) return NULL;
    pthread_mutex_lock(&lock);
    if (!newer_api) {
        struct stretch stretch = {(uintptr_t)found, (uintptr_t)found};
        dl_iterate_phdr(find_end, &stretch);
        size_t size = stretch.end - stretch.start;
        memcpy(api, found, size < sizeof api ? size : sizeof api);
        api[CREATE_SESSION_OPTIONS] = (void *)create_session_options;
        api[CREATE_ENV] = (void *)create_env;
        api[CREATE_ENV_WITH_CUSTOM_LOGGER] = (void *)create_env_with_custom_logger;
        newer_api = found;
    }
    pthread_mutex_unlock(&lock);
    return newer_api == found ? api : found;
}

static void find_newer(void) {
    Dl_info own;
    char path[4096];
    if (!dladdr((void *)find_newer, &own)) return;
    const char *slash = strrchr(own.dli_fname, '/');
    int folder = slash ? (int)(slash - own.dli_fname) : 0;
    int length = snprintf(path, sizeof path, "%.*s%s" ONNXRUNTIME, folder, own.dli_fname, slash ? "/" : "");
    if (length < 0 || (size_t)length >= sizeof path) return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct api_base *(*get)(void) = library ? (const struct api_base *(*)(void))dlsym(library, "OrtGetApiBase") : NULL;
    if (!get) {
        fprintf(stderr, "echotext: %s\n", dlerror());
        return;
    }
    newer = get();
    base = (struct api_base){get_api, newer->get_version};
}

const void *OrtGetApiBase(void) {
    pthread_once(&once, find_newer);
    return newer ? &base : NULL;
}
