#include "ops/linalg/lapack.h"

#include <dlfcn.h>

#include <limits>
#include <new>

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
  void* function = dlsym(library().handle, ("scipy_" + name).c_str());
  if (!function) function = dlsym(library().handle, name.c_str());
  if (!function) value_error("'" + library().path + "' is no library of LAPACK: it has no '" + name + "'.");
  return function;
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

double panel_work(int64_t n) {
  constexpr double kPanel = 64;  // columns, and more than LAPACK takes together
  return kPanel * static_cast<double>(n);
}

// Where one side is much the longer, a QR factorisation comes first, so that the other side counts; but the C interface
// makes room for real parts as if it did not.
double gesdd_work(int64_t m, int64_t n, bool vectors, bool complex) {
  const auto least = static_cast<double>(std::min(m, n)), most = static_cast<double>(std::max(m, n));
  const double of_vectors = std::max(5 * least + 7, complex ? 2 * (most + least) + 1 : 0);
  return 3 * panel_work(std::min(m, n)) + (vectors ? least * of_vectors : 0);
}

double syevd_work(int64_t n, bool vectors) {
  const auto size = static_cast<double>(n);
  return panel_work(n) + (vectors ? 2 * size * size : 0);
}

void require_countable(int64_t m, int64_t n, double work) {
  constexpr double kMost = std::numeric_limits<int>::max();
  if (static_cast<double>(std::max(m, n)) <= kMost && work <= kMost) return;
  value_error(
      "matrices of " + std::to_string(m) + " x " + std::to_string(n) +
      " are larger than LAPACK can count, which has 32 bits for sizes and for its own memory: use smaller ones.");
}

int checked_lapack(int result, int64_t m, int64_t n) {
  constexpr int kNoMemory = -1010, kNoMemoryToTurn = -1011;
  if (result >= 0) return result;
  if (result == kNoMemory || result == kNoMemoryToTurn) throw std::bad_alloc();
  value_error("LAPACK refuses matrices of " + std::to_string(m) + " x " + std::to_string(n) + ": argument " +
              std::to_string(-result) + " of its driver.");
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
