// Words: making them and taking them apart. decode() trusts nothing, since the verifier itself walks words with it.
#include "bytecode/code/code.h"

#include <algorithm>

#include "bytecode/graph/verify.h"

namespace ember::bytecode {
namespace {

constexpr InstructionInfo kInfo[] = {
#define X(name, format, makes, sentence) {#name, Format::format, Makes::makes, sentence},
    EMBER_INSTRUCTIONS(X)
#undef X
};

[[noreturn]] void fail(const CodeFunction& function, uint32_t pc, const std::string& what) {
  throw VerifyError("function " + function.name + ", pc " + std::to_string(pc) + ": " + what);
}

void read_list(const CodeFunction& function, Decoded& d) {
  const auto item = [&](size_t i) { return function.words[d.pc + 1 + i / 4].listed(static_cast<int>(i % 4)); };
  const size_t left = function.words.size() - d.pc - 1;
  if (left == 0) fail(function, d.pc, "the list runs past the end");
  const size_t inputs = item(0);
  const size_t items = 1 + inputs + d.word.a();
  const size_t words = (items + 3) / 4;
  if (words > left) fail(function, d.pc, "the list runs past the end");
  d.inputs.reserve(inputs);
  d.outputs.reserve(d.word.a());
  for (size_t i = 1; i <= inputs; ++i) d.inputs.push_back(item(i));
  for (size_t i = 1 + inputs; i < items; ++i) d.outputs.push_back(item(i));
  for (size_t i = items; i < words * 4; ++i)
    if (item(i) != kNoRegister) fail(function, d.pc, "the list is not padded");
  d.next = d.pc + 1 + static_cast<uint32_t>(words);
}

void read_verb(const CodeFunction& function, Decoded& d) {
  if (d.word.flags() >= ops::kVerbs) fail(function, d.pc, "no such verb");
  const int operands = ops::info(static_cast<ops::Verb>(d.word.flags())).operands;
  const Register fields[] = {d.word.b(), d.word.c()};
  d.outputs = {d.word.a()};
  d.inputs.assign(fields, fields + std::min(operands, 2));
  if (operands < 3) return;
  if (d.next >= function.words.size()) fail(function, d.pc, "the third operand is missing");
  d.inputs.push_back(function.words[d.next++].listed(0));
}

void read_fixed(Format format, Decoded& d) {
  if (format == Format::FromWide) d.inputs = {d.word.a()};
  if (format == Format::ToFrom) d.inputs = {d.word.b()};
  if (format == Format::To || format == Format::ToFrom || format == Format::ToWide) d.outputs = {d.word.a()};
}

}  // namespace

const InstructionInfo& info(Instruction instruction) { return kInfo[static_cast<size_t>(instruction)]; }

Word make_word(Instruction op, uint8_t flags, uint16_t a, uint16_t b, uint16_t c) {
  return {uint64_t{static_cast<uint8_t>(op)} | uint64_t{flags} << 8 | uint64_t{a} << 16 | uint64_t{b} << 32 |
          uint64_t{c} << 48};
}

Word make_wide(Instruction op, uint8_t flags, uint16_t a, uint32_t wide) {
  return make_word(op, flags, a, wide & 0xFFFF, wide >> 16);
}

Decoded decode(const CodeFunction& function, uint32_t pc) {
  if (pc >= function.words.size()) fail(function, pc, "past the end");
  Decoded d;
  d.word = function.words[pc];
  d.op = d.word.op();
  d.pc = pc;
  d.next = pc + 1;
  if (static_cast<int>(d.op) >= kInstructions) fail(function, pc, "no such instruction");
  const Format format = info(d.op).format;
  if (format == Format::List) {
    read_list(function, d);
  } else if (format == Format::Verb) {
    read_verb(function, d);
  } else {
    read_fixed(format, d);
  }
  return d;
}

Source Code::source(uint32_t function, uint32_t pc) const {
  const std::vector<SourceMark>& marks = functions[function].sources;
  const auto after = std::upper_bound(marks.begin(), marks.end(), pc,
                                      [](uint32_t at, const SourceMark& mark) { return at < mark.pc; });
  return after == marks.begin() ? Source{} : std::prev(after)->source;
}

}  // namespace ember::bytecode
