// Where a reduction takes its elements from: a tensor, or an expression that is evaluated as it is reduced. Results
// (kept elements) and the elements of one result are numbered in logical order.
#pragma once

#include <functional>
#include <memory>

#include "ops/program/reduce.h"

namespace ember::ops {

// Of one thread. Elements are of the compute dtype.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  // Elements first, first + 1, ... of a result: in place, or gathered in `buffer`, which holds 1,024.
  virtual const void* chunk(int64_t result, int64_t first, int64_t count, std::byte* buffer) = 0;
  // Elements index, index + 1, ... of `width` results from `result` on, all of one row: `count` rows, one after
  // the other, as many as the job takes together, 1,024 elements at most.
  virtual const void* rows(int64_t result, int64_t index, int64_t count, int64_t width, std::byte* buffer) = 0;
  // Combines a chunk without storing its elements, if there is code for that.
  virtual bool combine(int64_t result, int64_t first, int64_t count, void* out) {
    (void)result, (void)first, (void)count, (void)out;
    return false;
  }
};

struct ReduceJob {
  ReduceKind kind;
  DType compute;
  int64_t results, n;       // kept elements, and elements of each
  int64_t row = 0;          // results in a row that are taken column by column; 0: result by result
  int64_t together = 1;     // whole rows that are taken at once, a power of two
  int64_t elements_a_task;  // worth a thread
  std::function<std::unique_ptr<ElementSource>()> source;
};

// How many rows make up `elements`, at most as many as there are lanes.
int64_t rows_together(int64_t elements, int64_t row);

// Into out, of dtype `result`.
void run_reduction(const ReduceJob& job, DType result, void* out);

}  // namespace ember::ops
