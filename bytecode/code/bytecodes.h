// The instructions of the VM. A word is 8 bytes, little-endian: op:8 flags:8 a:16 b:16 c:16. `wide` is b | c << 16. An
// instruction with a list is followed by words of four 16-bit items each: the number of inputs, the input registers,
// the `a` output registers, padded with kNoRegister, which also stands for an absent optional operand. decode() of
// code.h reads them. Fields that an instruction does not use are zero. Tensor ops all go through Apply, so a new op
// adds no instruction. Order matters to files of the same version only: append, or raise kFileVersion.
#pragma once

#include <cstdint>
#include <string_view>

#include "ops/expr/verbs.h"

namespace ember::bytecode {

// name, format, sentence
#define EMBER_INSTRUCTIONS(X)                                                                                        \
  X(Return, None, "Ends the function; its results are in the registers that the function names.")                    \
  X(Const, Wide, "a = tensor constant `wide`.")                                                                      \
  X(Scalar, Wide, "a = scalar constant `wide`, 64 bits of a's kind.")                                                \
  X(Size, Wide, "a = value of dim expression `wide`.")                                                               \
  X(Apply, List, "Runs call `wide` (an op and attributes) on listed registers; results of kind Ref have none.")      \
  X(Fused, List, "Evaluates expression `wide` over broadcast inputs.")                                               \
  X(FusedReduce, List, "Reduces expression `wide` (with its reduction) to one output.")                              \
  X(Verb, Verb, "a = verb `flags` of scalars b, c; a third operand stands in the next word's first register.")       \
  X(Item, Two, "a = the one element of tensor b, as a scalar of a's kind.")                                          \
  X(ToTensor, Two, "a = scalar b as a 0-d tensor.")                                                                  \
  X(Move, Two, "a = b: copies the elements of a tensor, a scalar, or the reference to a stack.")                     \
  X(Load, Two, "a = the tensor that Ref b holds; no copy.")                                                          \
  X(RandomKey, One, "a = the next key of the random stream.")                                                        \
  X(Jump, Wide, "Continues at pc `wide`.")                                                                           \
  X(Branch, Wide, "Continues at pc `wide` if Bool a is false; flags is the branch's number modulo 256.")             \
  X(Loop, Wide, "A loop header: counts a trip of loop `wide`, may enter native code or be interrupted.")             \
  X(Call, List, "Calls function `wide` of this module.")                                                             \
  X(StackNew, One, "a = an empty stack.")                                                                            \
  X(Push, List, "Its output is the first input, a stack, with the other inputs on top of it.")                       \
  X(Pop, List, "Outputs: the stack below the top, then the top's values; an empty one, then zeros, if it is empty.") \
  X(NonEmpty, Two, "a = whether stack b has a top.")

enum class Instruction : uint8_t {
#define X(name, ...) name,
  EMBER_INSTRUCTIONS(X)
#undef X
};

#define X(...) +1
inline constexpr int kInstructions = 0 EMBER_INSTRUCTIONS(X);
#undef X

enum class Format : uint8_t { None, One, Two, Wide, Verb, List };

struct InstructionInfo {
  std::string_view name;
  Format format;
  std::string_view sentence;
};
const InstructionInfo& info(Instruction instruction);

using Register = uint16_t;
inline constexpr Register kNoRegister = 0xFFFF;

struct Word {
  uint64_t bits = 0;
  Instruction op() const { return static_cast<Instruction>(bits & 0xFF); }
  uint8_t flags() const { return bits >> 8 & 0xFF; }
  uint16_t a() const { return bits >> 16 & 0xFFFF; }
  uint16_t b() const { return bits >> 32 & 0xFFFF; }
  uint16_t c() const { return bits >> 48 & 0xFFFF; }
  uint32_t wide() const { return static_cast<uint32_t>(bits >> 32); }
  Register listed(int i) const { return bits >> (16 * i) & 0xFFFF; }
};
Word make_word(Instruction op, uint8_t flags, uint16_t a, uint16_t b, uint16_t c);
Word make_wide(Instruction op, uint8_t flags, uint16_t a, uint32_t wide);

}  // namespace ember::bytecode
