// A frame: the registers of one running function and its arena, in one block. Interpreter and native code share this
// layout, so entering native code in the middle of a loop, and leaving it again, is just going on at a pc.
// A slot is 8 bytes: the address of a tensor's first element, a scalar (Bool in the low byte, Int, Float), or a
// stack's top entry. Slots of
// arena tensors and constants are set once, when the frame is made; those of parameters, results and what aliases them
// at each call. Frames are kept for reuse by the function they belong to.
#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "gc/storage.h"
#include "ops/tensor/stack.h"
#include "vm/state/native.h"

namespace ember::vm {

class FunctionBinding;

inline constexpr uint32_t kFirstPoll = 16;  // loop trips before the first look for an interrupt

struct Frame {
  uint64_t* slots = nullptr;
  uint32_t trips_left = kFirstPoll;  // counted down at loop headers, by native code too; 0: poll
  uint32_t poll_trips = kFirstPoll;  // what it started from
  uint64_t polled_at = 0;            // ticks
  uint32_t forced_left = 0;          // deopt stress points until an exit is forced; native code counts it down
  uint32_t pc = 0;
  FunctionBinding* function = nullptr;
  gc::Ref<Native> native;  // the code that it last ran, which is the function's present one or goes at the next look
  gc::Ref<gc::Storage> memory;
  const int64_t* numbers = nullptr;           // of this call by expression, where attributes are dynamic
  std::vector<gc::Ref<gc::Storage>> results;  // blocks made for this call
  std::exception_ptr error;                   // raised in native code's callee, for resume() to go on with
  std::vector<const gc::Storage*> storages;   // of parameters, by their number; null if not known
  std::vector<ops::Stack> stacks;             // keeps alive what stack registers point to

  template <class T>
  T* pointer(uint16_t reg) const {
    return reinterpret_cast<T*>(slots[reg]);
  }
};

}  // namespace ember::vm
