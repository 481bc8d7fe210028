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

// name, format, what it makes, sentence
#define EMBER_INSTRUCTIONS(X)                                                                                         \
  X(Return, None, Nothing, "Ends the function; its results are in the registers that the function names.")            \
  X(Const, ToWide, Borrowed, "a = tensor constant `wide`.")                                                           \
  X(Scalar, ToWide, Fresh, "a = scalar constant `wide`, 64 bits of a's kind.")                                        \
  X(Size, ToWide, Fresh, "a = value of dim expression `wide`.")                                                       \
  X(Apply, List, AsOp, "Runs call `wide` (an op and attributes) on listed registers; results of kind Ref have none.") \
  X(Fused, List, Fresh, "Evaluates expression `wide` over broadcast inputs.")                                         \
  X(FusedReduce, List, Fresh, "Reduces expression `wide` (with its reduction) to one output.")                        \
  X(Verb, Verb, Fresh, "a = verb `flags` of scalars b, c; a third operand stands in the next word's first register.") \
  X(Item, ToFrom, Fresh, "a = the one element of tensor b, as a scalar of a's kind.")                                 \
  X(ToTensor, ToFrom, Fresh, "a = scalar b as a 0-d tensor.")                                                         \
  X(Move, ToFrom, Fresh, "a = b: copies the elements of a tensor, a scalar, or the reference to a stack.")            \
  X(Load, ToFrom, Borrowed, "a = the tensor that Ref b holds; no copy.")                                              \
  X(RandomKey, To, Fresh, "a = the next key of the random stream.")                                                   \
  X(Jump, Wide, Nothing, "Continues at pc `wide`.")                                                                   \
  X(Branch, FromWide, Nothing, "Continues at pc `wide` if Bool a is false; flags is the branch's number modulo 256.") \
  X(Loop, Wide, Nothing, "A loop header: counts a trip of loop `wide`, may enter native code or be interrupted.")     \
  X(Call, List, Pinned, "Calls function `wide` of this module.")                                                      \
  X(StackNew, To, Pinned, "a = an empty stack.")                                                                      \
  X(Push, List, Pinned, "Its output is the first input, a stack, with the other inputs on top of it.")                \
  X(Pop, List, Borrowed,                                                                                              \
    "Outputs: the stack below the top, then the top's values; an empty one, then zeros, if it is empty.")             \
  X(NonEmpty, ToFrom, Fresh, "a = whether stack b has a top.")

enum class Instruction : uint8_t {
#define X(name, ...) name,
  EMBER_INSTRUCTIONS(X)
#undef X
};

#define X(...) +1
inline constexpr int kInstructions = 0 EMBER_INSTRUCTIONS(X);
#undef X

enum class Format : uint8_t {
  None,
  To,        // writes a
  ToFrom,    // writes a, reads b
  ToWide,    // writes a
  FromWide,  // reads a
  Wide,
  Verb,  // writes a, reads b, c and a third by the number of operands that the verb has
  List,
};

// Where its results lie.
enum class Makes : uint8_t {
  Nothing,
  Fresh,     // in memory of their own, wherever that is: a copy of one may be made in its place
  Pinned,    // in memory of their registers
  Borrowed,  // in another's memory
  AsOp,      // as the op says: Borrowed if that is a view, else Fresh
};

struct InstructionInfo {
  std::string_view name;
  Format format;
  Makes makes;
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
