// The definition of a reduction, read literally: 16 lanes a chunk, halves, then a tree of chunks.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "ops/program/reduce.h"

namespace ember::ops::testing {

template <class A>
A combine(ReduceKind kind, A a, A b) {
  switch (kind) {
    case ReduceKind::Sum:
      if constexpr (std::is_same_v<A, bool>) return a || b;
      return static_cast<A>(a + b);
    case ReduceKind::Prod:
      if constexpr (std::is_same_v<A, bool>) return a && b;
      if constexpr (std::is_integral_v<A>) return static_cast<A>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
      return static_cast<A>(a * b);
    case ReduceKind::Max:
      if (a != a || b != b) return a != a ? a : b;
      if (a == b) return std::signbit(static_cast<double>(a)) ? b : a;
      return a > b ? a : b;
    case ReduceKind::Min:
      if (a != a || b != b) return a != a ? a : b;
      if (a == b) return std::signbit(static_cast<double>(a)) ? a : b;
      return a < b ? a : b;
    case ReduceKind::All:
      return a && b;
    case ReduceKind::Any:
      return a || b;
  }
  return a;
}

template <class A>
A identity(ReduceKind kind) {
  using Limits = std::numeric_limits<A>;
  switch (kind) {
    case ReduceKind::Prod:
    case ReduceKind::All:
      return A(1);
    case ReduceKind::Max:
      return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case ReduceKind::Min:
      return Limits::has_infinity ? Limits::infinity() : Limits::max();
    default:
      return A(0);
  }
}

template <class A>
A expected(ReduceKind kind, const std::vector<A>& x) {
  std::vector<A> results;
  for (size_t start = 0; start == 0 || start < x.size(); start += 1024) {
    A lanes[16];
    for (A& lane : lanes) lane = identity<A>(kind);
    for (size_t i = start; i < std::min(start + 1024, x.size()); ++i) {
      lanes[(i - start) % 16] = combine<A>(kind, lanes[(i - start) % 16], x[i]);
    }
    for (int half : {8, 4, 2, 1}) {
      for (int i = 0; i < half; ++i) lanes[i] = combine<A>(kind, lanes[i], lanes[i + half]);
    }
    results.push_back(lanes[0]);
  }
  while (results.size() > 1) {
    std::vector<A> next;
    for (size_t i = 0; i < results.size(); i += 2) {
      next.push_back(i + 1 < results.size() ? combine<A>(kind, results[i], results[i + 1]) : results[i]);
    }
    results = next;
  }
  return results[0];
}

}  // namespace ember::ops::testing
