// Work that cannot ask whether it is to stop, such as a library's call, on a thread of its own. Whoever waits for it
// asks instead; where that is to stop, the work goes on by itself until it ends. So it owns all that it touches. What
// goes on when the process ends is held still, before destructors take from it what it uses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>

#include "ops/base/scratch.h"

namespace ember::ops {

// Runs it, and returns what it returns. Gives way (interrupt.h), and throws Interrupted then.
int run_apart(std::function<int()> work);

// Elements that a call reads and writes, or none.
template <class T>
struct Elements {
  T* data;
  int64_t count;
  void copy_to(T* other) const { std::copy_n(data, count, other); }
  void copy_from(const T* other) const { std::copy_n(other, count, data); }
};
template <class T>
Elements(T*, int64_t) -> Elements<T>;

// f(data...), apart if it takes long, on copies that are copied back.
template <class F, class... T>
int call_library(bool takes_long, F f, Elements<T>... of) {
  if (!takes_long) return f(of.data...);
  const auto own = std::make_shared<std::tuple<Scratch<T>...>>(Scratch<T>(of.count)...);
  std::apply([&](const auto&... mine) { (of.copy_to(mine), ...); }, *own);
  const int result = run_apart(
      [own, f] { return std::apply([&](const auto&... mine) { return f(static_cast<T*>(mine)...); }, *own); });
  std::apply([&](const auto&... mine) { (of.copy_from(mine), ...); }, *own);
  return result;
}

}  // namespace ember::ops
