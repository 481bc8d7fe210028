// The op of an error. Its text has holes by number of operand, so that the text alone says what is wrong where nobody
// knows the error: in a module file.
#include "ops/table/raised_error.h"

#include <charconv>

#include "ops/program/strided.h"
#include "ops/table/movement.h"
#include "ops/text/format.h"

namespace ember::ops {
namespace {

// The text with each hole replaced by operand(number, whether as repr).
template <class F>
std::string fill_holes(const std::string& text, F&& operand) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      out += text[i++];
      continue;
    }
    size_t number = 0;
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
    const std::string_view after = rest.substr(static_cast<size_t>(end - rest.data()));
    const bool repr = after.starts_with("!r}");
    if (rest[0] != '{' || error != std::errc() || !(repr || after.starts_with("}"))) {
      out += text[i];
      continue;
    }
    out += operand(number, repr);
    i += rest.size() - after.size() + (repr ? 2 : 0);
  }
  return out;
}

struct Raise {
  static constexpr const char* name = "raise_";
  static constexpr const char* primitive = "Raise";
  static constexpr const char* signature = "input: tensors, text: str, number: int = -1 -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::RaisesOnValue | Flag::Raises;
  static constexpr const char* doc =
      "Raises the error of this number, which whoever captured the graph knows. `text` is its type and what it says: "
      "{0} in it stands for the first operand as str gives it, {0!r} as repr does, and {{ for a brace.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) {
    fill_holes(c.attrs.text(1), [&](size_t number, bool) {
      if (number >= c.in.size())
        value_error(about(name) + "the text has a hole for operand " + std::to_string(number) + ", but there are " +
                    std::to_string(c.in.size()) + " operands.");
      return std::string();
    });
    return {};
  }
  [[noreturn]] static void kernel(const KernelCall& c) {
    std::vector<Tensor> operands;
    for (const View& v : c.in) {
      operands.push_back(Tensor::empty(v.layout->dtype, v.layout->shape));
      copy_view(v, {operands.back().data(), &operands.back().layout()});
    }
    const std::string text =
        fill_holes(c.attrs.text(1), [&](size_t number, bool repr) { return format(operands[number], repr); });
    throw RaisedError(text, c.attrs.integer(2), std::move(operands));
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(Raise);

}  // namespace
}  // namespace ember::ops
