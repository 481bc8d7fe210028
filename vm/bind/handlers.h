// The handlers of the interpreter.
#pragma once

#include <cstdint>

namespace ember::vm {

// What a step does; the order is that of the dispatch table.
enum class Handler : uint8_t {
  Return,
  Scalar,
  Kernel,
  Program,
  Reduce,
  Verb,
  Verb3,
  ItemBool,
  ItemInt,
  ItemFloat,
  ToTensor,
  MoveTensor,
  MoveScalar,
  RandomKey,
  Jump,
  Branch,
  Loop,
  Call,
  StackNew,
  Push,
  Pop,
  NonEmpty,
};

// The dispatch loop's label of a handler, for preparing steps.
const void* label(Handler handler);

}  // namespace ember::vm
