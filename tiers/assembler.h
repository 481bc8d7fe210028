// The assembler that all emitters share: xbyak plus a pool of constants behind the code (so that blocks are position
// independent), vector registers by number and width, and calls into C++ by absolute address.
#pragma once

#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ops/base/isa.h"

namespace ember::tiers {

class Assembler : public Xbyak::CodeGenerator {
 public:
  explicit Assembler(ops::Isa isa) : Xbyak::CodeGenerator(4096, Xbyak::AutoGrow), isa_(isa) {}

  ops::Isa isa() const { return isa_; }
  bool avx512() const { return isa_ == ops::Isa::Avx512; }
  size_t vector_bytes() const { return avx512() ? 64 : 32; }
  int vector_registers() const { return avx512() ? 32 : 16; }

  // Vector register `index` as one of `bytes` bytes (at least 16).
  static Xbyak::Xmm vec(int index, size_t bytes) {
    if (bytes > 32) return Xbyak::Zmm(index);
    if (bytes > 16) return Xbyak::Ymm(index);
    return Xbyak::Xmm(index);
  }

  // The address of a constant in the pool.
  Xbyak::RegRip constant(uint64_t bits, size_t bytes) {
    std::unique_ptr<Xbyak::Label>& label = pool_[{bits, bytes}];
    if (!label) label = std::make_unique<Xbyak::Label>();
    return Xbyak::util::rip + *label;
  }

  // A constant as a vector instruction's last operand: spread by the instruction on AVX-512, stored spread on AVX2.
  Xbyak::Address spread(uint64_t bits, size_t bytes) {
    if (avx512()) return Xbyak::util::ptr_b[constant(bits, bytes)];
    std::unique_ptr<Xbyak::Label>& label = spread_[{bits, bytes}];
    if (!label) label = std::make_unique<Xbyak::Label>();
    return ptr[Xbyak::util::rip + *label];
  }

  void call_absolute(const void* target) {
    mov(rax, reinterpret_cast<uint64_t>(target));
    call(rax);
  }

  // Emits the pool and resolves labels; the code is complete.
  std::span<const uint8_t> finish() {
    align(spread_.empty() ? 8 : 32);
    for (const auto& [key, label] : spread_) {
      L(*label);
      for (size_t at = 0; at < 32; at += key.second)
        key.second == 8 ? dq(key.first) : dd(static_cast<uint32_t>(key.first));
    }
    for (const auto& [key, label] : pool_) {
      if (key.second == 8) {
        L(*label);
        dq(key.first);
      }
    }
    for (const auto& [key, label] : pool_) {
      if (key.second == 4) {
        L(*label);
        dd(static_cast<uint32_t>(key.first));
      }
    }
    ready();
    return {getCode(), getSize()};
  }

 private:
  using Pool = std::map<std::pair<uint64_t, size_t>, std::unique_ptr<Xbyak::Label>>;  // by bits and width
  ops::Isa isa_;
  Pool pool_, spread_;
};

}  // namespace ember::tiers
