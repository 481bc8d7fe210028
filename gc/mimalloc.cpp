// Finds libmimalloc beside the module that contains this code (where a wheel puts it), else by its soname. The library
// is never closed: blocks and thread exits refer to it for ever.
#include "gc/mimalloc.h"

#include <dlfcn.h>
#include <mimalloc.h>

#include <cstdlib>
#include <string>

namespace ember::gc {
namespace {

struct System {
  decltype(&mi_malloc_aligned) allocate = nullptr;
  decltype(&mi_free) free = nullptr;
  decltype(&mi_collect) collect = nullptr;
};

#ifndef EMBERJIT_SANITIZED
constexpr const char* kSoname = EMBER_MIMALLOC_SONAME;

void* open_library() {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&system_allocate), &self) && self.dli_fname) {
    std::string path = self.dli_fname;
    size_t slash = path.rfind('/');
    path = (slash == std::string::npos ? "." : path.substr(0, slash)) + "/" + kSoname;
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return dlopen(kSoname, RTLD_NOW | RTLD_LOCAL);
}
#endif

System load() {
  System functions;
#ifndef EMBERJIT_SANITIZED
  if (void* library = open_library()) {
    functions.allocate = reinterpret_cast<decltype(functions.allocate)>(dlsym(library, "mi_malloc_aligned"));
    functions.free = reinterpret_cast<decltype(functions.free)>(dlsym(library, "mi_free"));
    functions.collect = reinterpret_cast<decltype(functions.collect)>(dlsym(library, "mi_collect"));
    if (!functions.allocate || !functions.free || !functions.collect) functions = {};
  }
#endif
  return functions;
}

const System& loaded() {
  static const System system = load();
  return system;
}

}  // namespace

void* system_allocate(size_t bytes, size_t alignment) {
  if (loaded().allocate) return loaded().allocate(bytes, alignment);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void system_free(void* block) {
  if (loaded().free) {
    loaded().free(block);
  } else {
    std::free(block);
  }
}

void system_collect() {
  if (loaded().collect) loaded().collect(true);
}

bool uses_mimalloc() { return loaded().allocate != nullptr; }

}  // namespace ember::gc
