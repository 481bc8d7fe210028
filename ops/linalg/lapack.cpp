#include "ops/linalg/lapack.h"

#include <dlfcn.h>

#include "gc/fork.h"

namespace ember::ops {
namespace {

struct Library {
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Libraries};
  std::string path;
  void* handle = nullptr;
};

Library& library() {
  static Library& one = *new Library;
  return one;
}

void* symbol(const std::string& name) {
  void* found = dlsym(library().handle, ("scipy_" + name).c_str());
  if (!found) found = dlsym(library().handle, name.c_str());
  if (!found) value_error("'" + library().path + "' is no library of LAPACK: it has no '" + name + "'.");
  return found;
}

// With library().mutex.
void load() {
  Library& of = library();
  if (of.handle) return;
  if (of.path.empty()) throw LapackMissing();
  of.handle = dlopen(of.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!of.handle) {
    const char* why = dlerror();
    value_error("the library of LAPACK cannot be loaded: " + std::string(why ? why : of.path.c_str()) + ".");
  }
  reinterpret_cast<void (*)(int)>(symbol("openblas_set_num_threads"))(1);
}

template <class T>
constexpr char kLetter = 0;
template <>
constexpr char kLetter<float> = 's';
template <>
constexpr char kLetter<double> = 'd';
template <>
constexpr char kLetter<std::complex<float>> = 'c';
template <>
constexpr char kLetter<std::complex<double>> = 'z';

template <class T>
Lapack<T> drivers() {
  std::lock_guard lock(library().mutex);
  load();
  Lapack<T> out;
  const auto find = [](auto* to, const char* real, const char* complex) {
    const char* name = is_complex_type<T> ? complex : real;
    *to = reinterpret_cast<std::decay_t<decltype(*to)>>(symbol(std::string("LAPACKE_") + kLetter<T> + name));
  };
  find(&out.getrf, "getrf", "getrf");
  find(&out.geqrf, "geqrf", "geqrf");
  find(&out.orgqr, "orgqr", "ungqr");
  find(&out.gesdd, "gesdd", "gesdd");
  find(&out.syevd, "syevd", "heevd");
  find(&out.geev, "geev", "geev");
  return out;
}

}  // namespace

LapackMissing::LapackMissing()
    : OpError(Kind::Value, "linear algebra needs LAPACK, which is not installed: pip install scipy-openblas32") {}

void set_lapack(const std::string& path) {
  std::lock_guard lock(library().mutex);
  if (!library().handle) library().path = path;
}

bool has_lapack() {
  std::lock_guard lock(library().mutex);
  return !library().path.empty();
}

template <class T>
const Lapack<T>& lapack() {
  static const Lapack<T>& all = *new Lapack<T>(drivers<T>());
  return all;
}
template const Lapack<float>& lapack();
template const Lapack<double>& lapack();
template const Lapack<std::complex<float>>& lapack();
template const Lapack<std::complex<double>>& lapack();

}  // namespace ember::ops
