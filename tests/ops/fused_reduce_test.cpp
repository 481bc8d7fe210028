// Reductions of expressions against the whole expression first, then its reduction: equal bits for every layout,
// instruction set and thread count.
#include <map>

#include "ops/program/program.h"
#include "tests/ops/kernel_test.h"

namespace ember::ops {
namespace {

using testing::Order;
using testing::view;

struct Case {
  Shape shape;
  Axes axes;
  std::vector<Shape> operands;
};
const Case kCases[] = {{{5, 1030}, {1}, {{5, 1030}, {5, 1}}},
                       {{5, 1030}, {1}, {{5, 1030}, {1030}}},
                       {{5, 1030}, {0}, {{5, 1030}, {5, 1}}},
                       {{2100, 9}, {0}, {{2100, 9}, {9}}},
                       {{2100, 300}, {0}, {{2100, 300}, {}}},
                       {{4, 3, 50}, {0, 2}, {{4, 3, 50}, {3, 1}}},
                       {{4, 30, 50}, {1}, {{4, 1, 50}, {30, 1}}},
                       {{7, 40, 1}, {1}, {{7, 40, 1}, {40, 1}}},
                       {{70000}, {0}, {{70000}, {}}},
                       {{3, 33}, {0, 1}, {{3, 33}, {33}}},
                       {{3, 0}, {1}, {{3, 0}, {1}}},
                       {{0, 3}, {1}, {{0, 3}, {1}}},
                       {{}, {}, {{}, {}}},
                       {{64, 31}, {1}, {{64, 31}, {64, 1}}},
                       {{3, 64, 9, 5}, {0, 2, 3}, {{3, 64, 9, 5}, {64, 1, 1}}},
                       {{5, 20, 16, 17}, {0, 2, 3}, {{5, 20, 16, 17}, {5, 20, 16, 17}}},
                       {{2, 300, 33, 18}, {0, 2, 3}, {{2, 300, 33, 18}, {300, 1, 1}}},
                       {{3, 24, 7, 6}, {2, 3}, {{3, 24, 7, 6}, {3, 24, 1, 1}}},
                       {{3, 24, 7, 6}, {0, 2, 3}, {{3, 24, 7, 6}, {3, 1, 7, 6}}},
                       {{2, 700, 3, 5}, {0, 2, 3}, {{2, 700, 3, 5}, {}}}};

// exp(-x) * y + y, of two operands.
const Expr& expression_of(DType dtype) {
  static std::map<DType, Expr> expressions;
  Expr& expr = expressions[dtype];
  if (expr.nodes.empty()) {
    ExprBuilder b;
    const Ex x = b.input(0, dtype), y = b.input(1, dtype);
    expr = b.finish({(is_float(dtype) ? unary(Verb::Exp, -x) : -x) * y + y});
  }
  return expr;
}

template <class T>
void check(const Case& c, Order order, ReduceKind kind) {
  const gc::Ref<const Program> program = Program::of(expression_of(dtype_of<T>));
  std::vector<Tensor> operands;
  std::vector<View> in;
  for (const Shape& shape : c.operands) {
    operands.push_back(testing::random_tensor<T>(shape, operands.size() + 1, order));
  }
  for (const Tensor& t : operands) in.push_back(view(t));
  const Tensor whole = Tensor::empty(dtype_of<T>, c.shape);
  const View whole_view = view(whole);
  program->run(in, {&whole_view, 1});
  Shape kept;
  for (size_t d = 0; d < c.shape.size(); ++d) {
    if (std::find(c.axes.begin(), c.axes.end(), d) == c.axes.end()) kept.push_back(c.shape[d]);
  }
  const Tensor want = Tensor::full(dtype_of<T>, kept, 0);
  reduce(kind, whole_view, c.axes, dtype_of<T>, want.data());
  testing::for_each_isa_and_thread_count([&] {
    const Tensor got = Tensor::full(dtype_of<T>, kept, 7);
    program->reduce(in, c.shape, kind, c.axes, view(got));
    for (int64_t i = 0; i < want.numel(); ++i) {
      ASSERT_EQ(testing::bits_of(got.data_as<T>()[i]), testing::bits_of(want.data_as<T>()[i]))
          << "result " << i << ", order " << static_cast<int>(order) << ", case " << &c - kCases;
    }
  });
}

TEST(FusedReduce, GivesTheBitsOfTheReducedWhole) {
  for (const Case& c : kCases) {
    for (Order order : testing::kOrders) {
      check<float>(c, order, ReduceKind::Sum);
      check<float>(c, order, ReduceKind::Max);
      check<double>(c, order, ReduceKind::Sum);
      check<int32_t>(c, order, ReduceKind::Min);
    }
  }
}

}  // namespace
}  // namespace ember::ops
