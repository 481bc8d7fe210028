// What an op's simplification sees of a call in a graph, and what it may make of it: algebra that keeps every bit, NaN
// and the sign of zero included. The pass bytecode/passes/simplify.cpp implements it.
//
//   struct Mul { static void simplify(Simplify& s) { if (s.is_number(1, 1)) s.equals(0); } };   // x * 1 is x
#pragma once

#include <initializer_list>
#include <string_view>

#include "ops/tensor/attr.h"
#include "ops/tensor/type.h"

namespace ember::ops {

class Simplify {
 public:
  virtual const Attrs& attrs() const = 0;
  virtual const Type& in_type(size_t operand) const = 0;
  virtual const Type& out_type() const = 0;
  // Whether all elements of an operand are this number, a constant; zeros are told apart by their sign.
  virtual bool is_number(size_t operand, double number) const = 0;
  // The attributes of the call that makes an operand, if it is of the same op; else null.
  virtual const Attrs* same_op(size_t operand) const = 0;

  // The results; the first one counts. A result that is not of the operand's type stays.
  virtual void is(size_t operand) = 0;      // the result is the operand
  virtual void equals(size_t operand) = 0;  // the same, but what a function returns stays memory of its own
  virtual void undoes(size_t operand) = 0;  // the result equals the operand of the call of the same op
  virtual void become(std::string_view op, std::initializer_list<size_t> operands) = 0;
  // Of a call before this one, with the result's type: its number among the operands.
  virtual size_t before(std::string_view op, std::initializer_list<size_t> operands) = 0;
  // Reads the operand of the call of the same op instead of its result.
  virtual void read_through(size_t operand, Attrs attrs) = 0;

 protected:
  ~Simplify() = default;
};

}  // namespace ember::ops
