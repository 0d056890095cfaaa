// sherpa-onnx's own header, unpacked by set-up next to its library.
#if !__has_include("../../../../.deps/sherpa-onnx/include/sherpa-onnx/c-api/c-api.h")
#error "sherpa-onnx is not unpacked yet: run 'make deps'"
#endif
#include "../../../../.deps/sherpa-onnx/include/sherpa-onnx/c-api/c-api.h"
