// The handlers of steps, once: the enumeration, the interpreter's labels, what shadow mode and native code call follow
// from these lists, so a handler that lacks its code is an error of the compiler. To add one to slots of scalars, add
// its line here and its run_scalar in vm/exec/scalar_steps.h.
#pragma once

#include <cstdint>

namespace ember::vm {

// Where the interpreter goes on.
#define EMBER_CONTROL_HANDLERS(X) \
  X(Return)                       \
  X(Jump)                         \
  X(Branch)                       \
  X(Loop)

// From slots to a slot, and nothing else.
#define EMBER_SCALAR_HANDLERS(X) \
  X(Scalar)                      \
  X(Verb)                        \
  X(Verb3)                       \
  X(MoveScalar)                  \
  X(RandomKey)                   \
  X(StackNew)                    \
  X(NonEmpty)

// On prepared operands; may throw. Number: of the call's numbers.
#define EMBER_OPERAND_HANDLERS(X) \
  X(Kernel)                       \
  X(Program)                      \
  X(Reduce)                       \
  X(View)                         \
  X(ItemBool)                     \
  X(ItemInt)                      \
  X(ItemFloat)                    \
  X(ToTensor)                     \
  X(MoveTensor)                   \
  X(Call)                         \
  X(Number)                       \
  X(Push)                         \
  X(Pop)

#define EMBER_HANDLERS(X)   \
  EMBER_CONTROL_HANDLERS(X) \
  EMBER_SCALAR_HANDLERS(X)  \
  EMBER_OPERAND_HANDLERS(X)

enum class Handler : uint8_t {
#define X(name) name,
  EMBER_HANDLERS(X)
#undef X
};

constexpr bool has_operands(Handler handler) {
  switch (handler) {
#define X(name) case Handler::name:
    EMBER_OPERAND_HANDLERS(X)
#undef X
    return true;
    default:
      return false;
  }
}

// The dispatch loop's labels by handler, for preparing steps; the interpreter sets them at start.
extern const void* const* labels;

}  // namespace ember::vm
