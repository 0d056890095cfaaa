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
enum { CREATE_SESSION_OPTIONS = 10, DISABLE_MEM_PATTERN = 17, MOST_MEMBERS = 512 };

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
    return failed ? failed : ((status(*)(void *))newer_api[DISABLE_MEM_PATTERN])(*options);
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
