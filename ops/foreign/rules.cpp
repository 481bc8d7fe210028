#include <algorithm>

#include "ops/foreign/foreign.h"
#include "ops/table/builder.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

// Summed over the loops that an operand has not, and in its order of them; `value` has all, in the signature's order.
Value summed(Builder& b, const Value& value, const ForeignSignature& s, const ForeignValue& operand) {
  Ints absent, order;
  std::vector<size_t> left;
  for (size_t loop = 0; loop < s.loops.size(); ++loop)
    if (std::ranges::count(operand.loops, loop))
      left.push_back(loop);
    else
      absent.push_back(static_cast<int64_t>(loop));
  for (const size_t loop : operand.loops) order.push_back(std::ranges::find(left, loop) - left.begin());
  for (size_t d = 0; d < operand.sizes.size(); ++d) order.push_back(static_cast<int64_t>(left.size() + d));
  const Value sum = absent.empty() ? value : b.sum(value, absent, false);
  return std::ranges::is_sorted(order) ? sum : b.transpose(sum, order);
}

}  // namespace

ForeignSignature backward_of(const ForeignSignature& s) {
  ForeignSignature out{s.operands, {}, s.names, s.loops, s.aot};
  std::vector<size_t> all;
  for (size_t i = 0; i < s.loops.size(); ++i) all.push_back(i);
  for (const bool cotangent : {false, true})
    for (ForeignValue v : s.results) {
      if (cotangent && !is_float(v.dtype)) continue;
      v.loops = all;
      out.operands.push_back(v);
    }
  for (ForeignValue v : s.operands)
    if (is_float(v.dtype)) out.results.push_back({v.dtype, v.by_value, {}, v.sizes});
  if (out.results.size() > 1)
    for (ForeignValue& v : out.results) v.by_value = false;
  return out;
}

Values foreign_gradient(Grad& g) {
  const std::string symbol = g.attrs.text(2), backward = g.attrs.text(4);
  const ForeignSignature s = parse_foreign_signature(g.attrs.text(3));
  const bool complex = std::ranges::any_of(s.operands, [](const ForeignValue& v) { return is_complex(v.dtype); }) ||
                       std::ranges::any_of(s.results, [](const ForeignValue& v) { return is_complex(v.dtype); });
  if (backward.empty() || complex) {
    type_error(about(kForeignCall) + "the gradient of '" + symbol + "' of the library '" + g.attrs.text(1) +
               "' is not known: name a function that computes it, backward='...', or call it in the construct of a "
               "Cell, whose bprop returns the gradients, or use stop_gradient() of its results if none is to flow.");
  }
  Values operands;
  for (size_t i = 0; i < s.operands.size(); ++i) operands.push_back(g.in(i));
  for (size_t i = 0; i < s.results.size(); ++i) operands.push_back(g.out(i));
  for (size_t i = 0; i < s.results.size(); ++i)
    if (is_float(s.results[i].dtype)) operands.push_back(g.ct(i));
  const Attrs attrs = with(with(with(g.attrs, 2, backward), 3, to_string(backward_of(s))), 4, std::string());
  const Values gradients = g.b.apply(g.op, operands, attrs);
  Values out(s.operands.size());
  auto gradient = gradients.begin();
  for (size_t i = 0; i < s.operands.size(); ++i)
    if (is_float(s.operands[i].dtype)) out[i] = summed(g.b, *gradient++, s, s.operands[i]);
  return out;
}

Values foreign_batch(Batch& batch) {
  ForeignSignature s = parse_foreign_signature(batch.attrs.text(3));
  std::string loop = "batch";
  while (std::ranges::count(s.loops, loop) || std::ranges::count(s.names, loop)) loop += "_";
  s.loops.push_back(loop);
  Values operands;
  for (size_t i = 0; i < batch.operands(); ++i) {
    if (batch.batched(i)) s.operands[i].loops.insert(s.operands[i].loops.begin(), s.loops.size() - 1);
    operands.push_back(batch.in(i));
  }
  const std::string text = to_string(s);
  const ForeignSignature ordered = parse_foreign_signature(text);
  const auto axis = std::ranges::find(ordered.loops, loop) - ordered.loops.begin();
  Values out;
  for (const Value& v : batch.b.apply(batch.op, operands, with(batch.attrs, 3, text))) {
    Ints order = {axis};
    for (size_t d = 0; d < batch.b.dims(v).size(); ++d)
      if (static_cast<int64_t>(d) != axis) order.push_back(static_cast<int64_t>(d));
    out.push_back(axis == 0 ? v : batch.b.transpose(v, order));
  }
  return out;
}

}  // namespace ember::ops
