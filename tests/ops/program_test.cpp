// Programs give the bits of the element-by-element reference, whatever the layouts, sizes, threads and instruction set.
#include "ops/program/program.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "ops/base/isa.h"
#include "ops/base/parallel.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"

namespace ember::ops {
namespace {

enum class Form { Dense, Transposed, Broadcast, Reversed, Gapped, Scalar };

// A tensor of `shape` with random elements whose memory is laid out as `form` says.
Tensor make_tensor(DType dtype, const Shape& shape, Form form, std::mt19937& random) {
  Shape memory = shape;
  if (form == Form::Scalar) memory = Shape(shape.size(), 1);
  if (form == Form::Broadcast && !shape.empty()) memory[random() % shape.size()] = 1;
  if (form == Form::Transposed) std::reverse(memory.begin(), memory.end());
  if (form == Form::Gapped && !shape.empty()) memory.back() *= 3;
  Tensor base = Tensor::empty(dtype, memory);
  dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < base.numel(); ++i) {
      base.data_as<T>()[i] = static_cast<T>(static_cast<float>(static_cast<int>(random() % 2001) - 1000) * 0.01F);
    }
  });
  Shape strides = row_major_strides(memory);
  int64_t offset = 0;
  if (form == Form::Scalar || form == Form::Broadcast) return base;
  if (form == Form::Transposed) std::reverse(strides.begin(), strides.end());
  if (form == Form::Gapped && !shape.empty()) strides.back() = 3;
  if (form == Form::Reversed) {
    for (size_t d = 0; d < shape.size(); ++d) {
      offset += std::max<int64_t>(shape[d] - 1, 0) * strides[d] * static_cast<int64_t>(itemsize(dtype));
      strides[d] = -strides[d];
    }
  }
  return base.view(layout(dtype, shape, strides), offset);
}

View view(const Tensor& t) { return {t.data(), &t.layout()}; }

std::vector<std::byte> bytes_of(const Tensor& t) {
  const auto* data = static_cast<const std::byte*>(t.data());
  return {data, data + t.layout().bytes()};
}

// Runs `expr` both ways on operands of the given forms and compares the bytes of all outputs.
void compare(const Expr& expr, const Shape& shape, const std::vector<Form>& forms, std::mt19937& random) {
  std::vector<Tensor> operands, got, want;
  std::vector<View> in, out, reference;
  for (uint16_t i = 0; i < expr.inputs; ++i) {
    operands.push_back(make_tensor(expr.input_dtype(i), shape, forms[i % forms.size()], random));
  }
  for (const Tensor& t : operands) in.push_back(view(t));
  for (NodeId id : expr.outputs) {
    got.push_back(Tensor::empty(expr.nodes[id].dtype, shape));
    want.push_back(Tensor::empty(expr.nodes[id].dtype, shape));
  }
  for (const Tensor& t : got) out.push_back(view(t));
  for (const Tensor& t : want) reference.push_back(view(t));
  Program::of(expr)->run(in, out);
  run_expression_reference(expr, in, reference);
  for (size_t k = 0; k < got.size(); ++k) ASSERT_EQ(bytes_of(got[k]), bytes_of(want[k])) << to_string(shape);
}

// Floats of both sizes, ints, bools, constants, uniform parts, three outputs.
Expr mixed() {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), y = b.input(1, DType::Float32), n = b.input(2, DType::Int32);
  const Ex s = b.input(3, DType::Float64);
  const Ex scaled = x * convert(s * 2.0, DType::Float32) + unary(Verb::Tanh, y);
  const Ex wide = convert(scaled, DType::Float64) * s + convert(n, DType::Float64);
  const Ex chosen = select(lt(x, y), n * n, -n);
  return b.finish({scaled * scaled - y, wide, chosen});
}

Expr sum() {
  ExprBuilder b;
  return b.finish({b.input(0, DType::Float32) + b.input(1, DType::Float32)});
}

constexpr Form kForms[] = {Form::Dense, Form::Transposed, Form::Broadcast, Form::Reversed, Form::Gapped, Form::Scalar};

TEST(Program, EveryPairOfLayouts) {
  std::mt19937 random(3);
  const Expr add = sum();
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{7}, Shape{3, 5}, Shape{2, 1, 9}, Shape{4, 200}, Shape{3, 2, 150}}) {
    for (Form a : kForms) {
      for (Form b : kForms) compare(add, shape, {a, b}, random);
    }
  }
}

TEST(Program, MixedExpressionOverLayouts) {
  std::mt19937 random(4);
  const Expr expr = mixed();
  for (const Shape& shape : {Shape{}, Shape{33}, Shape{6, 70}, Shape{3, 300}, Shape{2, 3, 4, 5}, Shape{1100}}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<Form> forms;
      for (int i = 0; i < 4; ++i) forms.push_back(kForms[random() % std::size(kForms)]);
      compare(expr, shape, forms, random);
    }
  }
}

TEST(Program, EveryLengthOfTail) {
  std::mt19937 random(5);
  const Expr expr = mixed();
  for (int64_t n = 0; n <= 70; ++n) compare(expr, {n}, {Form::Dense, Form::Dense, Form::Dense, Form::Scalar}, random);
  for (int64_t n : {1023, 1024, 1025, 2049}) compare(expr, {n}, {Form::Dense}, random);
}

TEST(Program, ZeroSizedShapes) {
  std::mt19937 random(6);
  for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{0, 4, 2}}) compare(mixed(), shape, {Form::Dense}, random);
}

TEST(Program, ThreadsAndInstructionSets) {
  std::mt19937 random(7);
  const int before = threads();
  const Isa best = isa();
  const Expr expr = mixed();
  for (int count : {1, 2, 3}) {
    set_threads(count);
    for (Isa wanted : {Isa::Portable, Isa::Avx2, Isa::Avx512}) {
      if (!set_isa(wanted)) continue;
      compare(expr, {150, 333}, {Form::Dense, Form::Transposed, Form::Gapped, Form::Scalar}, random);
      compare(expr, {70001}, {Form::Dense, Form::Reversed, Form::Dense, Form::Scalar}, random);
    }
  }
  set_isa(best);
  set_threads(before);
}

TEST(Program, OutputsThatAreInputsOrConstants) {
  std::mt19937 random(8);
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), s = b.input(1, DType::Float32);
  const Expr expr = b.finish({x, x.constant(2.5), s * 2.0, s, x + s, x + s});
  for (int64_t n : {1, 5, 3000}) compare(expr, {n}, {Form::Dense, Form::Scalar}, random);
}

TEST(Program, OutputMayLieOnAnInput) {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), y = b.input(1, DType::Float32);
  const Expr expr = b.finish({x + y, x * y});
  Tensor p = Tensor::empty(DType::Float32, {3000}), q = Tensor::empty(DType::Float32, {3000});
  for (int i = 0; i < 3000; ++i) p.data_as<float>()[i] = static_cast<float>(i), q.data_as<float>()[i] = 2;
  const View views[] = {view(p), view(q)};
  Program::of(expr)->run(views, views);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(p.data_as<float>()[i], static_cast<float>(i + 2));
    ASSERT_EQ(q.data_as<float>()[i], static_cast<float>(i * 2));
  }
}

TEST(Program, StridedOutputs) {
  std::mt19937 random(9);
  const Expr add = sum();
  for (Form form : {Form::Transposed, Form::Reversed, Form::Gapped}) {
    for (const Shape& shape : {Shape{9, 31}, Shape{5, 400}, Shape{150, 130}}) {
      const Tensor a = make_tensor(DType::Float32, shape, Form::Dense, random);
      const Tensor c = make_tensor(DType::Float32, shape, Form::Transposed, random);
      const Tensor out = make_tensor(DType::Float32, shape, form, random);
      const Tensor want = Tensor::empty(DType::Float32, shape);
      const View in[] = {view(a), view(c)}, strided[] = {view(out)}, dense[] = {view(want)};
      Program::of(add)->run(in, strided);
      run_expression_reference(add, in, dense);
      ASSERT_EQ(bytes_of(to_contiguous(out)), bytes_of(want));
    }
  }
}

TEST(Program, ManyInputsAndNodes) {
  std::mt19937 random(10);
  ExprBuilder b;
  Ex total = b.input(0, DType::Float32);
  std::vector<Ex> inputs;
  for (uint16_t i = 1; i < 90; ++i) {
    inputs.push_back(b.input(i, DType::Float32) * static_cast<double>(i));
    total = total + inputs.back();
  }
  for (const Ex& k : inputs) total = total * 0.5 + k;
  const Expr expr = b.finish({total});
  compare(expr, {1500}, {Form::Dense, Form::Scalar, Form::Dense}, random);
  compare(expr, {30, 50}, {Form::Scalar, Form::Transposed, Form::Broadcast}, random);
}

TEST(Expr, BuilderSharesAndDropsNodes) {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), y = b.input(1, DType::Float32);
  const Ex product = x * y;
  EXPECT_EQ(product.id(), (x * y).id());
  EXPECT_NE(product.id(), (y * x).id());
  unary(Verb::Exp, product);
  const Expr expr = b.finish({product + 1.0});
  EXPECT_EQ(to_string(expr),
            "v0 = Input.Float32 #0\nv1 = Input.Float32 #1\nv2 = Mul.Float32 v0 v1\nv3 = Const.Float32 1\n"
            "v4 = Add.Float32 v2 v3\nreturn v4\n");
  EXPECT_TRUE(well_formed(expr, nullptr));
}

TEST(Expr, AppendConcatenates) {
  ExprBuilder first, second;
  const Expr add = sum();
  const Ex x = first.input(0, DType::Float32), y = first.input(1, DType::Float32), z = first.input(2, DType::Float32);
  const Expr chained = first.finish({first.append(add, {first.append(add, {x, y}), z})});
  const Ex p = second.input(0, DType::Float32), q = second.input(1, DType::Float32),
           r = second.input(2, DType::Float32);
  const Expr direct = second.finish({p + q + r});
  EXPECT_EQ(chained, direct);
  EXPECT_EQ(hash(chained), hash(direct));
  EXPECT_EQ(Program::of(chained), Program::of(direct));
}

TEST(Expr, MalformedOnesAreRefused) {
  const Expr good = mixed();
  std::string why;
  EXPECT_TRUE(well_formed(good, &why)) << why;
  EXPECT_TRUE(well_formed(expand(good), &why)) << why;
  auto refused = [&](auto change) {
    Expr bad = good;
    change(bad);
    EXPECT_FALSE(well_formed(bad, &why));
    EXPECT_THROW(Program::of(bad), std::logic_error);
  };
  const auto computed = [](Expr& e) -> ExprNode& {
    return *std::find_if(e.nodes.begin(), e.nodes.end(), [](const ExprNode& n) { return n.verb == Verb::Mul; });
  };
  refused([](Expr& e) { e.outputs.clear(); });
  refused([](Expr& e) { e.outputs[0] = static_cast<NodeId>(e.nodes.size()); });
  refused([&](Expr& e) { computed(e).args[0] = static_cast<NodeId>(e.nodes.size() - 1); });
  refused([&](Expr& e) { computed(e).args[2] = 1; });
  refused([&](Expr& e) { computed(e).dtype = DType::Bool; });
  refused([&](Expr& e) { computed(e).verb = Verb::And; });
  refused([&](Expr& e) { computed(e).bits = 1; });
  refused([&](Expr& e) { computed(e).verb = static_cast<Verb>(200); });
  refused([](Expr& e) { e.nodes[0].bits = 9; });
  refused([](Expr& e) { e.nodes[1].bits = 0; });
}

// Of rows that are short, long, odd, and as long as a strip or half of one; two periods of which one divides the other;
// and one value for each row beside them.
TEST(Program, RepeatsRowsThatComeAgain) {
  ExprBuilder b;
  const Ex x = b.input(0, DType::Float32), row = b.input(1, DType::Float32), other = b.input(2, DType::Float32);
  const gc::Ref<const Program> program = Program::of(b.finish({fma(x, row, other)}));
  std::mt19937 random(5);
  const int before = threads();
  for (int64_t n : {3, 64, 100, 127, 128, 200, 500, 512, 513, 1024}) {
    const Shape shape{60, 9, n};
    for (const Shape& second : {Shape{n}, Shape{9, n}, Shape{3, n}, Shape{9, 1}, Shape{60, 1, n}}) {
      Shape whole = shape;
      if (second.size() == 2 && second[0] == 3) whole = {60, 3, n};
      const Tensor operands[] = {make_tensor(DType::Float32, whole, Form::Dense, random),
                                 make_tensor(DType::Float32, {n}, Form::Dense, random),
                                 make_tensor(DType::Float32, second, Form::Dense, random)};
      const View in[] = {view(operands[0]), view(operands[1]), view(operands[2])};
      const Tensor want = Tensor::empty(DType::Float32, whole);
      const View reference = view(want);
      run_expression_reference(program->expr(), in, {&reference, 1});
      for (int count : {1, 2, 3, 7}) {
        set_threads(count);
        const Tensor got = Tensor::full(DType::Float32, whole, 7);
        const View out = view(got);
        program->run(in, {&out, 1});
        EXPECT_EQ(bytes_of(got), bytes_of(want)) << n << " " << to_string(second) << ", " << count << " threads";
      }
    }
  }
  set_threads(before);
}

}  // namespace
}  // namespace ember::ops
