// One module in every tier: the reference evaluator says what is right, then the interpreter and native code have to
// give the same bits for every instruction set, number of threads and layout of the arguments, with native code left at
// every exit it has. What is compared are the results, what Refs hold afterwards, and errors.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "bytecode/graph/graph.h"
#include "tests/bytecode/evaluate.h"
#include "vm/exec/function.h"

namespace ember::differential {

using bytecode::Data;
using bytecode::Datum;

// How many times the usual number of cases: EMBERJIT_CASES, 1 if it is not set.
size_t case_factor();

// Layouts that a tensor argument may have. Expanded repeats the elements of an axis.
enum class Strides { Contiguous, Transposed, Scattered, Offset, Expanded };
inline constexpr Strides kStrides[] = {Strides::Contiguous, Strides::Transposed, Strides::Scattered, Strides::Offset,
                                       Strides::Expanded};
std::string_view name(Strides strides);
ops::Tensor with_strides(const ops::Tensor& t, Strides strides);  // with the same elements, unless Expanded

// Elements of any dtype within [-high, high], now and then a special one.
ops::Tensor random_elements(ops::DType dtype, const ops::Shape& shape, double high, std::mt19937& random);

// What a call gave: results, or the kind and the text of an error, then what Refs hold.
struct Outcome {
  Data values;
  std::string error;
  bool refused = false;  // the code's guards do not admit the arguments
};

struct Setting {
  ops::Isa isa = ops::Isa::Portable;
  bool native = false;
  int threads = 1;
  uint32_t deopt_every = 0;
  int assumed = -1;  // native code assumes this side of every branch, and numbers that may be wrong; -1: nothing
};
std::string to_string(const Setting& setting);

class Subject {
 public:
  explicit Subject(bytecode::Module module);

  Outcome reference(const Data& arguments, ops::Isa isa = ops::Isa::Portable) const;
  bool varies_with_isa() const;  // whether one of its ops does: then each instruction set has a reference
  // `exits` gets the number of forced exits that were taken.
  Outcome run(const Data& arguments, const Setting& setting, uint64_t* exits = nullptr);
  Outcome run_in_shadow(const Data& arguments) const;
  std::string text() const;  // the graph as it came, and the code

 private:
  Data copies(const Data& arguments, bool contiguous) const;
  void append_refs(const Data& arguments, Outcome* outcome) const;
  void call(vm::Function& function, std::span<const vm::Argument> passed, Outcome* outcome) const;
  template <class F>
  Outcome caught(const Data& own, F&& run) const;
  void prepare(vm::FunctionBinding& function, int assumed);

  bytecode::Module module_;
  bytecode::CodeRef code_;
  gc::Ref<vm::Function> function_;
  int assumed_ = -1;  // by the native code that there is
};

struct Effort {
  std::vector<int> threads = {1};
  uint32_t most_exits = 0;  // forced exits are tried at every chance up to this many
  bool shadow = false;
};

// Runs the arguments in every setting and fails the test at the first difference. False if guards refused them.
bool expect_agreement(Subject& subject, const Data& arguments, const Effort& effort, const std::string& what);

bool same(const Datum& a, const Datum& b);  // bits, NaNs made canonical

}  // namespace ember::differential
