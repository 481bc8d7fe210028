// Steps from slots to a slot, one function each: the interpreter, native code without an emitter for them, and shadow
// mode run these.
#pragma once

#include "ops/eager/eager.h"
#include "vm/bind/prepared.h"
#include "vm/bind/scalar_verbs.h"

namespace ember::vm {

template <Handler H>
void run_scalar(const Step& step, uint64_t* slots) = delete;

template <>
inline void run_scalar<Handler::Scalar>(const Step& s, uint64_t* slots) {
  slots[s.a] = s.bits;
}

template <>
inline void run_scalar<Handler::Verb>(const Step& s, uint64_t* slots) {
  slots[s.a] = reinterpret_cast<ScalarVerb>(s.function)(slots[s.b], slots[s.c], 0);
}

template <>
inline void run_scalar<Handler::Verb3>(const Step& s, uint64_t* slots) {
  slots[s.a] = reinterpret_cast<ScalarVerb>(s.function)(slots[s.b], slots[s.c], slots[s.d]);
}

template <>
inline void run_scalar<Handler::MoveScalar>(const Step& s, uint64_t* slots) {
  slots[s.a] = slots[s.b];
}

template <>
inline void run_scalar<Handler::RandomKey>(const Step& s, uint64_t* slots) {
  slots[s.a] = static_cast<uint64_t>(ops::next_random_key());
}

template <>
inline void run_scalar<Handler::StackNew>(const Step& s, uint64_t* slots) {
  slots[s.a] = 0;
}

template <>
inline void run_scalar<Handler::NonEmpty>(const Step& s, uint64_t* slots) {
  slots[s.a] = slots[s.b] != 0;
}

}  // namespace ember::vm
