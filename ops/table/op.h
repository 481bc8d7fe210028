// The op table. An op is one struct in one .cpp file of ops/, and everything else about it is derived: verifier rule,
// documentation, tests. What Python calls it is declared in python/emberjit/functions.
//
//   struct Exp {
//     static constexpr const char* name = "exp";                       // by which C++ and compositions know it
//     static constexpr const char* primitive = "Exp";                  // the name in graphs and files
//     static constexpr const char* signature = "input: tensor -> tensor";
//     static constexpr Flags flags = Flag::Pure | Flag::FloatResult;
//     static constexpr const char* doc = "...";
//     static constexpr const char* numpy = "np.exp(input)";            // the independent reference of the tests
//     static Ex apply(ExprBuilder&, std::span<const Ex> in, const Attrs&);
//     static Values grad(Grad& g);
//     static std::vector<Sample> samples();
//   };
//   EMBER_OP(Exp);
//
// Semantics are exactly one of
//   apply    elementwise: an expression of verbs; shapes broadcast; infer and batch follow by themselves
//   view     new layout and offset over the operand's storage (false if not possible: then the kernel copies). A view
//            of which each element is one of the operand's has `written` beside it: the operand with another view.
//   kernel   a function over contiguous or strided views
//   compose  other ops; expanded before fusion. With a kernel beside it, the kernel must give the same bits.
// A kernel may name in `images` ("input, out": as in `saves`) the operands and results (N, C, sizes) that it reads and
// writes best in NHWC (ops/kernels/images.h).
// A kernel or a view may name in `dynamic` ("begin, end") the attributes of ints that no layout depends on once the
// result's dims are known: one binding serves calls in which they differ.
// kernel and view ops need infer (dims and dtypes of the results). Every op needs grad or Flag::NoGradient, and batch
// unless it is elementwise or composed. A missing piece is a compile error (concept OpDef).
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/base/error.h"
#include "ops/expr/expr.h"
#include "ops/expr/reduce_kind.h"
#include "ops/table/call.h"
#include "ops/tensor/attr.h"
#include "ops/tensor/type.h"
#include "ops/tensor/value.h"
#include "ops/tensor/view.h"

namespace ember::ops {

enum class Flag : uint32_t {
  Pure = 1 << 0,               // no effect, same operands give the same result: may be folded, shared, dropped
  Commutative = 1 << 1,        // of the first two operands
  Memory = 1 << 2,             // writes its Ref operand; ordered by tokens
  Io = 1 << 3,                 // outside effect; ordered by tokens
  NoGradient = 1 << 4,         // results do not depend on operands differentiably
  FloatResult = 1 << 5,        // elementwise: integer and bool operands are computed in float32
  Compare = 1 << 6,            // elementwise: operands promote, the result is bool
  Logical = 1 << 7,            // elementwise: operands are taken as bools
  KeepFirst = 1 << 8,          // elementwise: only operands after the first promote (select, where)
  NoPromote = 1 << 9,          // elementwise: apply sees the operands' own dtypes, and its result's is the result's
  SameOrder = 1 << 10,         // the result is all elements of the operand in their order
  RaisesOnValue = 1 << 11,     // by elements; operand 1, if any, indexes operand 0 along any `axis` or `dim`
  SupportsEpilogue = 1 << 12,  // the kernel runs KernelCall::epilogue on regions of its first result that are final
  SameImageOrder = 1 << 13,    // the `images`, of one shape, may be NCHW or NHWC, but all the same
  Assigns = 1 << 14,           // the result is operand 1, written to the Ref operand 0
  Raises = 1 << 15,            // raises an error whenever it runs
  FloatStatus = 1 << 16,       // clears, reads or updates the float status, which takes no note of its results
  FlatIndices = 1 << 17,       // the result indexes the merged `axes`, attribute 2, of the `shape`, attribute 1
  VariesWithIsa = 1 << 18,     // the bits of the results depend on the instruction set
  Begins = 1 << 21,            // an outside effect that goes on meanwhile: comes as soon as its operands are there
  Updates = 1 << 20,           // the result is operand 0 but for a part, and may lie in its memory
  Moves = 1 << 19,             // elements of operand 0 are moved or converted, and may be of a dtype of storage
};

class Flags {
 public:
  constexpr Flags(Flag flag) : bits_(static_cast<uint32_t>(flag)) {}  // NOLINT
  constexpr Flags operator|(Flags other) const { return Flags(bits_ | other.bits_); }
  constexpr bool has(Flag flag) const { return bits_ & static_cast<uint32_t>(flag); }

 private:
  constexpr explicit Flags(uint32_t bits) : bits_(bits) {}
  uint32_t bits_;
};
constexpr Flags operator|(Flag a, Flag b) { return Flags(a) | Flags(b); }

// Kinds of parameters. The first group are operands (values of the graph), the second attributes.
//   tensor    a tensor (NumPy arrays and numbers are converted)
//   tensors   a tuple or list of tensors
//   number    a tensor or a Python number, which promotes weakly
//   ref       a Parameter, written in place
//   random    the next random key, an Int (seed << 32 | counter); Python does not see it
//   int float bool str dtype
//   ints      a tuple of ints, or one int
// A `?` after the kind allows None; `= default` makes it optional. "axis: ints? = None, keepdims: bool = False".
enum class ParamKind : uint8_t { Tensor, Tensors, Number, Ref, Random, Int, Float, Bool, Str, DType, Ints };
inline bool is_operand(ParamKind kind) { return kind <= ParamKind::Random; }

struct Param {
  std::string name;
  ParamKind kind;
  bool optional = false;  // None allowed
  bool has_default = false;
  Attr default_value;  // monostate for None
};

struct Signature {
  std::vector<Param> params;
  int results = 1;  // -1: as many as the rule says ("-> tensors")
};
Signature parse_signature(std::string_view text);  // throws std::logic_error

struct Op;
class Builder;
class Simplify;  // table/simplify.h

// A gradient rule asks for what it needs and returns one cotangent per operand (None where none flows). in() and out()
// may be asked only for what `saves` names ("input, out": parameter names, and out, out0, out1...); types of all are
// always at hand.
// Cotangents of complex numbers are those of their parts, dL/dre + i dL/dim, as PyTorch has them. So what an analytic
// function's derivative f' contributes is ct * conj(f'(z)), which is ct * f'(conj(z)) for functions that are real on
// the real axis: in() and out() of complex operands are conjugates, and such rules are those of real numbers. An op
// that writes a Ref takes its contents and makes them anew: ct() is the cotangent of the contents afterwards, the
// result for the Ref that of those before.
class Grad {
 public:
  Grad(Builder& b, const Op& op, std::span<const Value> in, std::span<const Value> out, std::span<const Value> ct,
       std::span<const Type> in_types, std::span<const Type> out_types, const Attrs& attrs, uint32_t needed)
      : b(b),
        op(op),
        attrs(attrs),
        in_(in),
        out_(out),
        ct_(ct),
        in_types_(in_types),
        out_types_(out_types),
        needed_(needed) {}
  Builder& b;
  const Op& op;
  const Attrs& attrs;
  size_t operands() const { return in_types_.size(); }
  const Value& in(size_t i) const;
  const Value& out(size_t i = 0) const;
  Value conj(const Value& v) const;     // itself if it is real
  const Value& ct(size_t i = 0) const;  // zeros where none flows
  bool flows(size_t i) const;           // whether there is a cotangent of result i
  const Type& in_type(size_t i) const { return in_types_[i]; }
  const Type& out_type(size_t i = 0) const { return out_types_[i]; }
  bool needs(size_t i) const { return needed_ >> (i < 31 ? i : 31) & 1; }
  // ct summed over broadcast axes and cast to operand i's type: the last step of an elementwise rule.
  Value unbroadcast(const Value& ct, size_t i) const;

 private:
  const Value& conjugate(const Value& v, const Type& type, size_t at) const;

  std::span<const Value> in_, out_, ct_;
  mutable Values zeros_, conjugates_;
  std::span<const Type> in_types_, out_types_;
  uint32_t needed_;
};

// A batching rule sees operands whose batch axis, where they have one, is axis 0, and returns results with theirs at
// axis 0.
class Batch {
 public:
  Batch(Builder& b, const Op& op, std::span<const Value> in, std::span<const bool> batched, Dim size,
        const Attrs& attrs)
      : b(b), op(op), size(size), attrs(attrs), in_(in), batched_(batched) {}
  Builder& b;
  const Op& op;
  const Dim size;
  const Attrs& attrs;
  size_t operands() const { return in_.size(); }
  const Value& in(size_t i) const { return in_[i]; }
  bool batched(size_t i) const { return batched_[i]; }
  Value in_batched(size_t i) const;  // broadcast along a new axis 0 if it has no batch axis

 private:
  std::span<const Value> in_;
  std::span<const bool> batched_;
};

// A test case: operands made from a seed, and attributes by name as in the signature.
struct SampleOperand {
  Shape shape;
  DType dtype = DType::Float32;
  double low = -2, high = 2;  // uniform; integers within [low, high]
  bool scalar = false;        // a Python number instead of a tensor
  double number = 0;
  bool absent = false;
};
struct Sample {
  // Of a `tensors` parameter: several in a row, counted in `lists`. Random keys are not among them; trailing operands
  // with defaults may be left out.
  std::vector<SampleOperand> operands;
  std::vector<std::pair<const char*, Attr>> attrs;
  std::vector<int> lists;
};

using ApplyFn = Ex (*)(ExprBuilder&, std::span<const Ex>, const Attrs&);
// Fills layout and byte offset of the result; false if only a copy can do it.
using ViewFn = bool (*)(const Layout& in, const Attrs&, LayoutRef* out, int64_t* offset_bytes);
// Of the operand and what its view is to be.
using WrittenFn = Value (*)(Builder&, const Value& in, const Value& view, const Attrs&);
using ComposeFn = Values (*)(Builder&, std::span<const Value>, const Attrs&);
using GradFn = Values (*)(Grad&);
using BatchFn = Values (*)(Batch&);
using SimplifyFn = void (*)(Simplify&);

struct Op {
  std::string_view name, primitive, doc, numpy, saves, images, dynamic;
  Signature signature;
  Flags flags = Flag::Pure;
  ApplyFn apply = nullptr;
  InferFn infer = nullptr;
  KernelFn kernel = nullptr;
  ViewFn view = nullptr;
  WrittenFn written = nullptr;
  ComposeFn compose = nullptr;
  GradFn grad = nullptr;
  BatchFn batch = nullptr;
  SimplifyFn simplify = nullptr;  // of ops that algebra knows
  std::vector<Sample> (*samples)() = nullptr;
  std::optional<ReduceKind> reduces;     // of reductions, whose elements may be fed strip by strip
  uint16_t number = 0;                   // in this process only
  uint32_t saved_in = 0, saved_out = 0;  // bit masks from `saves`, by operand position and result position
  uint32_t image_in = 0, image_out = 0;  // the same of `images`
  uint32_t dynamic_attrs = 0;            // bit mask from `dynamic`, by the parameter's position

  bool elementwise() const { return apply != nullptr; }
  bool composed() const { return compose && !kernel && !apply && !view; }  // of other ops, and nothing else
  bool has_effect() const { return flags.has(Flag::Memory) || flags.has(Flag::Io); }
};

// clang-format off
template <class T>
concept HasApply = requires { ApplyFn(&T::apply); };
template <class T>
concept HasKernel = requires { KernelFn(&T::kernel); };
template <class T>
concept HasView = requires { ViewFn(&T::view); };
template <class T>
concept HasWritten = requires { WrittenFn(&T::written); };
template <class T>
concept HasCompose = requires { ComposeFn(&T::compose); };
template <class T>
concept HasInfer = requires { InferFn(&T::infer); };
template <class T>
concept HasGrad = requires { GradFn(&T::grad); };
template <class T>
concept HasBatch = requires { BatchFn(&T::batch); };

template <class T>
concept HasSimplify = requires { SimplifyFn(&T::simplify); };

template <class T>
concept OpDef = requires {
  std::string_view(T::name);
  std::string_view(T::primitive);
  std::string_view(T::signature);
  std::string_view(T::doc);
  std::string_view(T::numpy);
  Flags(T::flags);
  { T::samples() } -> std::same_as<std::vector<Sample>>;
} && (HasApply<T> || HasKernel<T> || HasView<T> || HasCompose<T>) &&
    (HasApply<T> || HasCompose<T> || HasInfer<T>) && (HasGrad<T> || HasCompose<T> || Flags(T::flags).has(Flag::NoGradient)) &&
    (HasApply<T> || HasCompose<T> || HasBatch<T> || Flags(T::flags).has(Flag::Memory) || Flags(T::flags).has(Flag::Io));

void register_op(Op op);  // throws std::logic_error if one of its names is another op's
std::vector<std::string_view> split_names(std::string_view list);  // "a, b"
// clang-format on

template <OpDef T>
struct Registration {
  Registration() {
    Op op;
    op.name = T::name;
    op.primitive = T::primitive;
    op.doc = T::doc;
    op.numpy = T::numpy;
    op.signature = parse_signature(T::signature);
    op.flags = T::flags;
    op.samples = &T::samples;
    if constexpr (requires { T::saves; }) op.saves = T::saves;
    if constexpr (requires { T::images; }) op.images = T::images;
    if constexpr (requires { T::dynamic; }) op.dynamic = T::dynamic;
    if constexpr (requires { T::reduces; }) op.reduces = T::reduces;
    if constexpr (HasApply<T>) op.apply = &T::apply;
    if constexpr (HasKernel<T>) op.kernel = &T::kernel;
    if constexpr (HasView<T>) op.view = &T::view;
    if constexpr (HasWritten<T>) op.written = &T::written;
    if constexpr (HasCompose<T>) op.compose = &T::compose;
    if constexpr (HasInfer<T>) op.infer = &T::infer;
    if constexpr (HasGrad<T>) op.grad = &T::grad;
    if constexpr (HasBatch<T>) op.batch = &T::batch;
    if constexpr (HasSimplify<T>) op.simplify = &T::simplify;
    register_op(std::move(op));
  }
};
#define EMBER_OP(T) static const ::ember::ops::Registration<T> registration_of_##T

std::span<const Op> all_ops();             // sorted by name
const Op* find_op(std::string_view name);  // by function or primitive name, no alias; null if there is none
const Op& op(std::string_view name);       // throws std::logic_error

// Result types of a call; raises OpError with op and operands named. Works for every kind of op. An elementwise op of
// numbers alone gives a number. A result of kind Ref is the op's Ref operand itself.
Types infer(const Op& op, std::span<const Type> in, const Attrs& attrs);

// Attributes in signature order with defaults filled in, from (name, value) pairs.
Attrs make_attrs(const Op& op, const std::vector<std::pair<std::string_view, Attr>>& named);

// Canonical axes: negative ones counted from the end, range and repetition checked.
InlineVector<size_t, kMaxRank> axes(const Attrs& attrs, size_t index, size_t rank, std::string_view op_name);
size_t axis(int64_t value, size_t rank, std::string_view op_name);
void refuse_complex(const Type& type, std::string_view op_name);                   // a TypeError
void refuse_lost_part(const Type& value, DType target, std::string_view op_name);  // of complex values among real ones
Dims broadcast(const Dims& a, const Dims& b, std::string_view op_name);

}  // namespace ember::ops
