// The assignment of rows to columns that costs least: shortest augmenting paths with potentials, as Crouse 2016, "On
// implementing 2D rectangular assignment algorithms".
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ops/linalg/matrices.h"

namespace ember::ops {
namespace {

// Of n rows and m >= n columns; cost(i, j) is finite, or infinity where i cannot have j.
template <class Cost>
class Assignment {
 public:
  Assignment(int64_t n, int64_t m, Cost cost)
      : n_(n),
        m_(m),
        cost_(cost),
        of_rows_(n),
        of_columns_(m),
        distance_(m),
        before_(m),
        row_of_(m, -1),
        column_of_(n, -1) {}

  // The column of each row; false if there is no assignment.
  bool run(int64_t* columns) {
    for (int64_t row = 0; row < n_; ++row)
      if (!add(row)) return false;
    std::copy(column_of_.begin(), column_of_.end(), columns);
    return true;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  bool add(int64_t first) {
    left_.resize(static_cast<size_t>(m_));
    std::iota(left_.rbegin(), left_.rend(), int64_t{0});
    std::fill(distance_.begin(), distance_.end(), kInfinity);
    reached_.clear();
    double length = 0;
    for (int64_t row = first;;) {
      const int64_t column = nearest(row, &length);
      if (column < 0) return false;
      reached_.push_back(column);
      if (row_of_[column] < 0) break;
      row = row_of_[column];
    }
    of_rows_[first] += length;
    for (int64_t column : reached_) {
      const double slack = length - distance_[column];
      if (row_of_[column] >= 0) of_rows_[row_of_[column]] += slack;
      of_columns_[column] -= slack;
    }
    for (int64_t column = reached_.back(), row = -1; row != first;) {
      row = before_[column];
      row_of_[column] = row;
      std::swap(column_of_[row], column);
    }
    return true;
  }

  // The column that is nearest by paths over this row and those before it, and how far; -1 if none can be reached. Of
  // equals one without a row.
  int64_t nearest(int64_t row, double* length) {
    size_t at = 0;
    double least = kInfinity;
    for (size_t k = 0; k < left_.size(); ++k) {
      const int64_t column = left_[k];
      const double through = *length + cost_(row, column) - of_rows_[row] - of_columns_[column];
      if (through < distance_[column]) {
        distance_[column] = through;
        before_[column] = row;
      }
      if (distance_[column] < least || (distance_[column] == least && row_of_[column] < 0)) {
        least = distance_[column];
        at = k;
      }
    }
    if (least == kInfinity) return -1;
    *length = least;
    const int64_t column = left_[at];
    left_[at] = left_.back();
    left_.pop_back();
    return column;
  }

  const int64_t n_, m_;
  const Cost cost_;
  std::vector<double> of_rows_, of_columns_, distance_;
  std::vector<int64_t> before_, row_of_, column_of_, left_, reached_;
};

struct LinearSumAssignment {
  static constexpr const char* name = "linear_sum_assignment";
  static constexpr const char* primitive = "LinearSumAssignment";
  static constexpr const char* signature = "cost_matrix: tensor, maximize: bool = False -> tensor, tensor";
  static constexpr Flags flags = Flag::Pure | Flag::NoGradient;
  static constexpr const char* doc =
      "Of matrices (..., n, m) the rows, in order, and columns (int64, (..., min(n, m)) each) of elements, one at most "
      "in each row and column, whose sum is least, or largest (`maximize`). -1 throughout where there are none, or the "
      "sum is not a number.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    const Type& cost = c.in[0];
    refuse_complex(cost, name);
    if (cost.dims.size() < 2)
      value_error(about(name) + "the input must have at least two axes, but got " + to_string(cost) + ".");
    const Dim rows = cost.dims[cost.dims.size() - 2], columns = cost.dims.back();
    const Type indices = Type::tensor(DType::Int64, with_sizes(batch_of(cost.dims), {rows < columns ? rows : columns}));
    return {indices, indices};
  }
  static void kernel(const KernelCall& c) {
    Tensor copy;
    const View cost = row_major(c.in[0], DType::Float64, &copy);
    const Matrices of(*cost.layout);
    const int64_t least = std::min(of.rows, of.columns);
    for_each_matrix(of, [&](int64_t i) {
      auto* rows = c.out[0].as<int64_t>() + i * least;
      auto* columns = c.out[1].as<int64_t>() + i * least;
      assign(cost.as<const double>() + i * of.size(), of, c.attrs.flag(1) ? -1.0 : 1.0, rows, columns);
    });
  }
  static void assign(const double* cost, const Matrices& of, double sign, int64_t* rows, int64_t* columns) {
    const int64_t n = of.rows, m = of.columns, least = std::min(n, m);
    const bool valid = std::none_of(cost, cost + of.size(),
                                    [&](double x) { return std::isnan(x) || (std::isinf(x) && x * sign < 0); });
    const auto across = [=](int64_t i, int64_t j) { return sign * cost[i * m + j]; };
    const auto down = [=](int64_t i, int64_t j) { return sign * cost[j * m + i]; };
    if (!valid || !(n <= m ? Assignment(n, m, across).run(columns) : Assignment(m, n, down).run(columns))) {
      std::fill_n(rows, least, int64_t{-1});
      std::fill_n(columns, least, int64_t{-1});
      return;
    }
    std::iota(rows, rows + least, int64_t{0});
    if (n <= m) return;
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (int64_t j = 0; j < m; ++j) pairs.emplace_back(columns[j], j);
    std::sort(pairs.begin(), pairs.end());
    for (int64_t j = 0; j < m; ++j) std::tie(rows[j], columns[j]) = pairs[static_cast<size_t>(j)];
  }
  static Values batch(Batch& v) { return v.b.apply(v.op, {{v.in(0)}}, v.attrs); }
  static std::vector<Sample> samples() {
    return {{{{{4, 4}}}, {}, {}},
            {{{{2, 3, 5}}}, {{"maximize", true}}, {}},
            {{{{4, 2}, DType::Float64}}, {}, {}},
            {{{{0, 3}}}, {}, {}}};
  }
};
EMBER_OP(LinearSumAssignment);

}  // namespace
}  // namespace ember::ops
