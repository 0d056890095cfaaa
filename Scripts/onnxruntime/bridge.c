// Lets sherpa-onnx run on a newer ONNX Runtime than the one it was built with.
//
// sherpa-onnx asks the loader for OrtGetApiBase of exactly its own version of ONNX Runtime. This library has that name
// and version and hands on the newer library's: ONNX Runtime promises that GetApi(n) of a later release gives the
// interface of release n. The newer one speaks Piper voices 10 to 15 % faster (Documentation/Benchmarks.md).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef const void *(*get_api_base)(void);

static get_api_base newer;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_newer(void) {
    Dl_info own;
    char path[4096];
    if (!dladdr((void *)find_newer, &own)) return;
    const char *slash = strrchr(own.dli_fname, '/');
    int folder = slash ? (int)(slash - own.dli_fname) : 0;
    int length = snprintf(path, sizeof path, "%.*s%s" ONNXRUNTIME, folder, own.dli_fname, slash ? "/" : "");
    if (length < 0 || (size_t)length >= sizeof path) return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) newer = (get_api_base)dlsym(library, "OrtGetApiBase");
    if (!newer) fprintf(stderr, "echotext: %s\n", dlerror());
}

const void *OrtGetApiBase(void) {
    pthread_once(&once, find_newer);
    return newer ? newer() : NULL;
}
