// Computes pure nodes whose operands are all constant, by the eager ops themselves, so folding can't change a bit.
// Results above a size cap stay computed at run time. An op that raises an error is left to raise it there.
#include "bytecode/passes/passes.h"
#include "bytecode/passes/rewrite.h"
#include "ops/eager/eager.h"
#include "ops/program/strided.h"
#include "ops/tensor/convert.h"

namespace ember::bytecode {

namespace {

constexpr size_t kMaxBytes = 64 << 10;

bool foldable_type(const Type& type) {
  if (is_scalar(type.kind)) return true;
  if (type.kind != ops::Kind::Tensor) return false;
  size_t bytes = ops::itemsize(type.dtype);
  for (ops::Dim d : type.dims) {
    if (d.symbolic()) return false;
    if (d.hint() == 0) return true;
    if (__builtin_mul_overflow(bytes, static_cast<size_t>(d.hint()), &bytes) || bytes > kMaxBytes) return false;
  }
  return true;
}

bool constant_attrs(const ops::Attrs& attrs) {
  return all_dims(attrs, [](ops::Dim d) { return !d.symbolic(); });
}

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph), constants_(graph.types.size()) {}

  void run() {
    for (Node& node : graph_.nodes) {
      if (foldable(node)) fold(node);
      if (std::holds_alternative<std::monostate>(node.payload)) continue;
      if (const auto* b = std::get_if<bool>(&node.payload)) constants_[node.output()] = *b;
      if (const auto* i = std::get_if<int64_t>(&node.payload)) constants_[node.output()] = *i;
      if (const auto* d = std::get_if<double>(&node.payload)) constants_[node.output()] = *d;
      if (const auto* t = std::get_if<ops::Tensor>(&node.payload)) constants_[node.output()] = *t;
    }
  }

 private:
  bool foldable(const Node& node) const {
    if (node.kind == NodeKind::Size) return !std::get<ops::Dim>(node.payload).symbolic();
    const bool conversion = node.kind == NodeKind::Item || node.kind == NodeKind::ToTensor;
    const bool pure = node.kind == NodeKind::Apply && node.op->flags.has(ops::Flag::Pure) && !node.op->has_effect();
    if (!(conversion || pure) || node.outputs != 1 || !foldable_type(graph_.type(node.output()))) return false;
    if (!constant_attrs(node.attrs)) return false;
    for (ValueId in : node.inputs)
      if (in != kNoId && ops::none(constants_[in])) return false;
    return true;
  }

  void fold(Node& node) const {
    ops::Value value;
    try {
      value = evaluate(node);
    } catch (const std::exception&) {
      return;
    }
    if (!identical(ops::type_of(value), graph_.type(node.output()))) return;
    Node folded;
    folded.source = node.source;
    folded.first_output = node.first_output;
    folded.kind = NodeKind::Scalar;
    if (const auto* b = std::get_if<bool>(&value)) folded.payload = *b;
    if (const auto* i = std::get_if<int64_t>(&value)) folded.payload = *i;
    if (const auto* d = std::get_if<double>(&value)) folded.payload = *d;
    if (const auto* t = std::get_if<ops::Tensor>(&value)) {
      folded.kind = NodeKind::Constant;
      folded.payload = *t;
    }
    node = std::move(folded);
  }

  ops::Value evaluate(const Node& node) const {
    if (node.kind == NodeKind::Size) return std::get<ops::Dim>(node.payload).hint();
    ops::Values in;
    for (ValueId id : node.inputs) in.push_back(id == kNoId ? ops::Value() : constants_[id]);
    if (node.kind == NodeKind::Item) return item(std::get<ops::Tensor>(in[0]));
    if (node.kind == NodeKind::ToTensor) return to_tensor(in[0], graph_.type(node.output()).dtype);
    return ops::run(*node.op, in, node.attrs).at(0);
  }

  static ops::Value item(const ops::Tensor& t) {
    return ops::dispatch(t.dtype(), [&]<class T>() -> ops::Value {
      const T element = *static_cast<const T*>(t.data());
      if constexpr (std::is_same_v<T, bool>)
        return element;
      else if constexpr (std::is_integral_v<T>)
        return static_cast<int64_t>(element);
      else
        return ops::convert_value<double>(element);
    });
  }

  static ops::Value to_tensor(const ops::Value& scalar, ops::DType dtype) {
    ops::Tensor from;
    if (const auto* b = std::get_if<bool>(&scalar)) from = ops::Tensor::scalar(*b);
    if (const auto* i = std::get_if<int64_t>(&scalar)) from = ops::Tensor::scalar(*i);
    if (const auto* d = std::get_if<double>(&scalar)) from = ops::Tensor::scalar(*d);
    ops::Tensor to = ops::Tensor::empty(dtype, {});
    copy_into(from, to);
    return to;
  }

  Graph& graph_;
  ops::Values constants_;  // by value; none where not constant
};

}  // namespace

void fold(Module& m) {
  for (Graph& graph : m.graphs) Folder(graph).run();
}

}  // namespace ember::bytecode
