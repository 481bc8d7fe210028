// Single steps, as the interpreter and native code run them.
#pragma once

#include "vm/bind/binding.h"

namespace ember::vm {

template <Handler H>
void run_operands(const PreparedOperands& operands, Frame& frame) = delete;
#define X(name) \
  template <>   \
  [[gnu::noinline]] void run_operands<Handler::name>(const PreparedOperands&, Frame&);
EMBER_OPERAND_HANDLERS(X)
#undef X

void execute(const Step& step, Frame& frame);  // any step but those that say where to go on

// For native code: 0, or 1 with the exception kept in the frame.
uint32_t execute_for_native(const Step* step, Frame* frame) noexcept;

}  // namespace ember::vm
