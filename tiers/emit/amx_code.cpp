#include "tiers/emit/amx_code.h"

#include <array>
#include <cstddef>
#include <utility>

#include "tiers/assembler.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;
using ops::Bf16x3Rows;
using ops::TermProduct;
using Xbyak::Tmm;

constexpr int kRowBytes = 64, kTileBytes = 1024, kTiles = 8, kRows = 16, kConfigurationBytes = 64;
constexpr int kFirstA = 4, kFirstB = 6;  // tiles before: four of C

class Bf16x3Code {
 public:
  explicit Bf16x3Code(Assembler& a) : a_(a) {}

  // Each returns where it begins.
  size_t emit_begin() {
    const size_t at = start();
    a_.shl(rdi, 6);
    a_.lea(rax, a_.ptr[rip + configurations_]);
    a_.ldtilecfg(a_.ptr[rax + rdi - kConfigurationBytes]);
    a_.ret();
    return at;
  }
  size_t emit_end() {
    const size_t at = start();
    a_.tilerelease();
    a_.ret();
    return at;
  }
  // Bf16x3Kernel::Run: steps, a, b, c, ldc, row_tiles in registers, column_tiles and accumulate on the stack.
  size_t emit_run(std::span<const TermProduct> products, int terms) {
    const size_t at = start();
    a_.mov(r10, a_.ptr[rsp + 8]);
    a_.movzx(r11d, a_.byte[rsp + 16]);
    a_.shl(ldc_, 2);
    a_.mov(row_bytes_, kRowBytes);
    for_each_shape(r9, r10, [&](int rows, int columns) {
      if (rows == 2) {
        a_.mov(c_[1], ldc_);
        a_.shl(c_[1], 4);
        a_.add(c_[1], c_[0]);
      }
      emit_body(rows, columns, [&] {
        emit_step(products, rows, columns,
                  [&](int row, int term) { return a_.ptr[panel_a_ + row_bytes_ + (term * 2 + row) * kTileBytes]; });
        a_.add(panel_a_, terms * 2 * kTileBytes);
        a_.add(panel_b_, terms * 2 * kTileBytes);
      });
      a_.ret();
    });
    return at;
  }
  // Bf16x3Kernel::RunRows.
  size_t emit_run_rows(std::span<const TermProduct> products, int terms) {
    const size_t at = start();
    const std::pair<Xbyak::Reg64, size_t> fields[] = {
        {r9, offsetof(Bf16x3Rows, row_tiles)},   {r10, offsetof(Bf16x3Rows, column_tiles)},
        {r11, offsetof(Bf16x3Rows, accumulate)}, {at_, offsetof(Bf16x3Rows, at)},
        {tile_[0], offsetof(Bf16x3Rows, tiles)}, {tile_[1], offsetof(Bf16x3Rows, tiles) + 8},
        {row_, offsetof(Bf16x3Rows, row)},       {term_, offsetof(Bf16x3Rows, term)},
        {panel_b_, offsetof(Bf16x3Rows, b)},     {c_[0], offsetof(Bf16x3Rows, c)},
        {ldc_, offsetof(Bf16x3Rows, ldc)},       {steps_, offsetof(Bf16x3Rows, steps)}};
    for (const Xbyak::Reg64& r : kSaved) a_.push(r);
    a_.mov(rax, rdi);
    for (const auto& [reg, offset] : fields) a_.mov(reg, a_.ptr[rax + offset]);
    a_.shl(ldc_, 2);
    for_each_shape(r9, r10, [&](int rows, int columns) {
      if (rows == 2) a_.mov(c_[1], a_.ptr[rax + offsetof(Bf16x3Rows, c) + 8]);
      a_.mov(row_bytes_, kRowBytes);
      emit_body(rows, columns, [&] {
        a_.mov(step_, a_.ptr[at_]);
        a_.add(at_, 8);
        const auto in_place = [&](int row, int term) {
          a_.lea(place_, a_.ptr[tile_[row] + step_]);
          if (term > 0) a_.lea(place_, a_.ptr[place_ + term_ * term]);
          return a_.ptr[place_ + row_];
        };
        emit_step(products, rows, columns, in_place);
        a_.add(panel_b_, terms * 2 * kTileBytes);
      });
      for (size_t i = std::size(kSaved); i-- > 0;) a_.pop(kSaved[i]);
      a_.ret();
    });
    return at;
  }
  // What ldtilecfg reads, for each height of A's tiles and C's: the palette, then the tiles' bytes a row and their
  // rows.
  void emit_configurations() {
    a_.align(64);
    a_.L(configurations_);
    for (int height = 1; height <= kRows; ++height) {
      std::array<uint8_t, kConfigurationBytes> bytes{1};
      for (int t = 0; t < kTiles; ++t) {
        bytes[static_cast<size_t>(16 + 2 * t)] = kRowBytes;
        bytes[static_cast<size_t>(48 + t)] = static_cast<uint8_t>(t < kFirstB ? height : kRows);
      }
      a_.db(bytes.data(), bytes.size());
    }
  }

 private:
  size_t start() {
    a_.align(64);
    return a_.getSize();
  }

  static Tmm c(int row, int column) { return Tmm(row * 2 + column); }

  // A body for each number of tiles; the registers say which.
  template <class F>
  void for_each_shape(const Xbyak::Reg64& row_tiles, const Xbyak::Reg64& column_tiles, F body) {
    for (int rows : {2, 1}) {
      Xbyak::Label fewer_rows, one_column;
      if (rows == 2) {
        a_.cmp(row_tiles, rows);
        a_.jne(fewer_rows, Xbyak::CodeGenerator::T_NEAR);
      }
      a_.cmp(column_tiles, 2);
      a_.jne(one_column, Xbyak::CodeGenerator::T_NEAR);
      body(rows, 2);
      a_.L(one_column);
      body(rows, 1);
      a_.L(fewer_rows);
    }
  }

  template <class F>
  void emit_body(int rows, int columns, F step) {
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
    step();
    a_.dec(steps_);
    a_.jnz(loop, Xbyak::CodeGenerator::T_NEAR);
    each_c(rows, columns, [&](const Tmm& tile, const Xbyak::Address& at) { a_.tilestored(at, tile); });
  }

  // of_a: the address of a tile of A, by its row and term.
  template <class F>
  void emit_step(std::span<const TermProduct> products, int rows, int columns, F of_a) {
    TermProduct held{-1, -1};
    for (const TermProduct& p : products) {
      for (int j = 0; p.b != held.b && j < columns; ++j)
        a_.tileloadd(Tmm(kFirstB + j), a_.ptr[panel_b_ + row_bytes_ + (p.b * 2 + j) * kTileBytes]);
      for (int i = 0; p.a != held.a && i < rows; ++i) a_.tileloadd(Tmm(kFirstA + i), of_a(i, p.a));
      held = p;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) a_.tdpbf16ps(c(i, j), Tmm(kFirstA + i), Tmm(kFirstB + j));
    }
  }

  // Between C and its tiles.
  template <class F>
  void each_c(int rows, int columns, F transfer) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) transfer(c(i, j), a_.ptr[c_[i] + ldc_ + j * kRowBytes]);
  }

  Assembler& a_;
  Xbyak::Label configurations_;
  Xbyak::Reg64 steps_ = rdi, panel_a_ = rsi, panel_b_ = rdx, ldc_ = r8, row_bytes_ = rax;
  Xbyak::Reg64 c_[2] = {rcx, r9};
  // Of rows that are loaded unpacked.
  Xbyak::Reg64 at_ = rsi, tile_[2] = {rbx, rbp}, row_ = r12, term_ = r13, step_ = r14, place_ = r15;
  const Xbyak::Reg64 kSaved[6] = {rbx, rbp, r12, r13, r14, r15};
};

}  // namespace

gc::Ref<CodeBlock> compile_bf16x3_kernel(ops::Bf16x3Kernel* kernel) {
  Assembler a(ops::isa());
  Bf16x3Code code(a);
  const size_t begin = code.emit_begin(), end = code.emit_end();
  const size_t bf16 = code.emit_run(ops::kBf16Products, 1),
               bf16x3 = code.emit_run(ops::kBf16x3Products, ops::kMaxTerms);
  const size_t bf16_rows = code.emit_run_rows(ops::kBf16Products, 1);
  const size_t bf16x3_rows = code.emit_run_rows(ops::kBf16x3Products, ops::kMaxTerms);
  code.emit_configurations();
  gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish(), {"emberjit: matrix product in tiles"});
  if (!block) return nullptr;
  const uintptr_t base = reinterpret_cast<uintptr_t>(block->address());
  kernel->begin = reinterpret_cast<void (*)(int64_t)>(base + begin);
  kernel->end = reinterpret_cast<void (*)()>(base + end);
  kernel->bf16 = reinterpret_cast<ops::Bf16x3Kernel::Run>(base + bf16);
  kernel->bf16x3 = reinterpret_cast<ops::Bf16x3Kernel::Run>(base + bf16x3);
  kernel->bf16_rows = reinterpret_cast<ops::Bf16x3Kernel::RunRows>(base + bf16_rows);
  kernel->bf16x3_rows = reinterpret_cast<ops::Bf16x3Kernel::RunRows>(base + bf16x3_rows);
  return block;
}

}  // namespace ember::tiers
