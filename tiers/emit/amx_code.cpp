#include "tiers/emit/amx_code.h"

#include <array>

#include "tiers/assembler.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;
using ops::PartProduct;
using Xbyak::Tmm;

constexpr int kRowBytes = 64, kTileBytes = 1024, kTiles = 8, kRows = 16;
constexpr int kFirstA = 4, kFirstB = 6;  // tiles before: four of C

class SplitCode {
 public:
  explicit SplitCode(Assembler& a) : a_(a) {}

  // Each answers where it begins.
  size_t emit_begin() {
    const size_t at = start();
    a_.ldtilecfg(a_.ptr[rip + configuration_]);
    a_.ret();
    return at;
  }
  size_t emit_end() {
    const size_t at = start();
    a_.tilerelease();
    a_.ret();
    return at;
  }
  // SplitKernel::Run: steps, a, b, c, ldc, row_tiles in registers, column_tiles and accumulate on the stack.
  size_t emit_run(std::span<const PartProduct> products, int parts) {
    const size_t at = start();
    a_.mov(r10, a_.ptr[rsp + 8]);
    a_.movzx(r11d, a_.byte[rsp + 16]);
    a_.shl(ldc_, 2);
    a_.mov(row_bytes_, kRowBytes);
    Xbyak::Label bodies[2][2];
    for (int rows : {1, 2}) {
      for (int columns : {1, 2}) {
        if (rows == 2 && columns == 2) continue;
        Xbyak::Label other;
        a_.cmp(row_tiles_, rows);
        a_.jne(other);
        a_.cmp(r10, columns);
        a_.je(bodies[rows - 1][columns - 1], Xbyak::CodeGenerator::T_NEAR);
        a_.L(other);
      }
    }
    for (int rows : {2, 1}) {
      for (int columns : {2, 1}) {
        a_.L(bodies[rows - 1][columns - 1]);
        emit_body(products, parts, rows, columns);
      }
    }
    return at;
  }
  // What ldtilecfg reads: the palette, then the tiles' bytes a row and their rows.
  void emit_configuration() {
    std::array<uint8_t, 64> bytes{1};
    for (int t = 0; t < kTiles; ++t) {
      bytes[static_cast<size_t>(16 + 2 * t)] = kRowBytes;
      bytes[static_cast<size_t>(48 + t)] = kRows;
    }
    a_.align(64);
    a_.L(configuration_);
    a_.db(bytes.data(), bytes.size());
  }

 private:
  size_t start() {
    a_.align(64);
    return a_.getSize();
  }

  static Tmm c(int row, int column) { return Tmm(row * 2 + column); }

  void emit_body(std::span<const PartProduct> products, int parts, int rows, int columns) {
    Xbyak::Label zero, loop;
    a_.test(r11d, r11d);
    a_.jz(zero, Xbyak::CodeGenerator::T_NEAR);
    each_c(rows, columns, [&](const Tmm& tile, const Xbyak::Address& at) { a_.tileloadd(tile, at); });
    a_.jmp(loop, Xbyak::CodeGenerator::T_NEAR);
    a_.L(zero);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) a_.tilezero(c(i, j));
    a_.align(32);
    a_.L(loop);
    emit_step(products, rows, columns);
    a_.add(panel_a_, parts * 2 * kTileBytes);
    a_.add(panel_b_, parts * 2 * kTileBytes);
    a_.dec(steps_);
    a_.jnz(loop, Xbyak::CodeGenerator::T_NEAR);
    each_c(rows, columns, [&](const Tmm& tile, const Xbyak::Address& at) { a_.tilestored(at, tile); });
    a_.ret();
  }

  void emit_step(std::span<const PartProduct> products, int rows, int columns) {
    PartProduct held{-1, -1};
    for (const PartProduct& p : products) {
      for (int j = 0; p.b != held.b && j < columns; ++j)
        a_.tileloadd(Tmm(kFirstB + j), a_.ptr[panel_b_ + row_bytes_ + (p.b * 2 + j) * kTileBytes]);
      for (int i = 0; p.a != held.a && i < rows; ++i)
        a_.tileloadd(Tmm(kFirstA + i), a_.ptr[panel_a_ + row_bytes_ + (p.a * 2 + i) * kTileBytes]);
      held = p;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) a_.tdpbf16ps(c(i, j), Tmm(kFirstA + i), Tmm(kFirstB + j));
    }
  }

  // Between C and its tiles.
  template <class F>
  void each_c(int rows, int columns, F transfer) {
    for (int i = 0; i < rows; ++i) {
      if (i == 1) {
        a_.mov(r10, ldc_);
        a_.shl(r10, 4);
        a_.add(r10, c_);
      }
      for (int j = 0; j < columns; ++j) transfer(c(i, j), a_.ptr[(i == 0 ? c_ : r10) + ldc_ + j * kRowBytes]);
    }
  }

  Assembler& a_;
  Xbyak::Label configuration_;
  Xbyak::Reg64 steps_ = rdi, panel_a_ = rsi, panel_b_ = rdx, c_ = rcx, ldc_ = r8, row_tiles_ = r9, row_bytes_ = rax;
};

}  // namespace

gc::Ref<CodeBlock> compile_split_kernel(ops::SplitKernel* kernel) {
  Assembler a(ops::isa());
  SplitCode code(a);
  const size_t begin = code.emit_begin(), end = code.emit_end();
  const size_t whole = code.emit_run(ops::kOfOnePart, 1), split = code.emit_run(ops::kOfThreeParts, ops::kMostParts);
  code.emit_configuration();
  gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish());
  if (!block) return nullptr;
  const uintptr_t base = reinterpret_cast<uintptr_t>(block->address());
  kernel->begin = reinterpret_cast<void (*)()>(base + begin);
  kernel->end = reinterpret_cast<void (*)()>(base + end);
  kernel->whole = reinterpret_cast<ops::SplitKernel::Run>(base + whole);
  kernel->split = reinterpret_cast<ops::SplitKernel::Run>(base + split);
  return block;
}

}  // namespace ember::tiers
