#include "tiers/emit/gemm_code.h"

#include <cstddef>

#include "tiers/assembler.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;
using Xbyak::Xmm;

constexpr int kUnroll = 4;
constexpr int kPanels = 2;    // vectors of B
constexpr int kFirstSum = 4;  // registers before: two of B, two of A
constexpr int kGroup = 3;     // rows that one register addresses
constexpr int kScratchGroups = 1;
constexpr int kLine = 64;  // bytes of cache

// GemmKernel::run. The tile stays in rdi. Rows of A are addressed from every third one.
class GemmCode {
 public:
  explicit GemmCode(Assembler& a) : a_(a), width_(static_cast<int>(a.vector_bytes() / 4)), rows_(a.avx512() ? 14 : 6) {}

  int rows() const { return rows_; }
  int columns() const { return kPanels * width_; }

  void emit() {
    std::vector<Xbyak::Label> bodies(static_cast<size_t>(rows_));
    a_.mov(rax, field(offsetof(Tile, rows)));
    for (int rows = rows_ - 1; rows > 0; --rows) {
      a_.cmp(rax, rows);
      a_.je(bodies[static_cast<size_t>(rows)], Xbyak::CodeGenerator::T_NEAR);
    }
    emit_body(rows_);
    for (int rows = 1; rows < rows_; ++rows) {
      a_.L(bodies[static_cast<size_t>(rows)]);
      emit_body(rows);
    }
  }

 private:
  using Tile = ops::Tile<float>;

  Xmm vector(int index) const { return Assembler::vec(index, a_.vector_bytes()); }
  Xmm sum(int row, int panel) const { return vector(kFirstSum + row * kPanels + panel); }
  Xbyak::Address field(size_t offset) const { return a_.ptr[tile_ + offset]; }
  static int groups(int rows) { return (rows + kGroup - 1) / kGroup; }

  void emit_body(int rows) {
    Xbyak::Label zero, start;
    a_.push(next_);
    a_.push(next_row_);
    for (int g = kScratchGroups; g < groups(rows); ++g) a_.push(rows_of_a_[g]);
    a_.cmp(a_.byte[tile_ + offsetof(Tile, accumulate)], 0);
    a_.je(zero, Xbyak::CodeGenerator::T_NEAR);
    transfer(rows, true);
    a_.jmp(start, Xbyak::CodeGenerator::T_NEAR);
    a_.L(zero);
    for (int i = 0; i < rows; ++i)
      for (int p = 0; p < kPanels; ++p) a_.vxorps(sum(i, p), sum(i, p), sum(i, p));
    a_.L(start);
    items(rows);
    transfer(rows, false);
    a_.vzeroupper();
    for (int g = groups(rows) - 1; g >= kScratchGroups; --g) a_.pop(rows_of_a_[g]);
    a_.pop(next_row_);
    a_.pop(next_);
    a_.ret();
  }

  void items(int rows) {
    Xbyak::Label again, done;
    scaled(row_a_, offsetof(Tile, a_row));
    scaled(step_a_, offsetof(Tile, a_step));
    scaled(step_b_, offsetof(Tile, b_step));
    a_.mov(next_, field(offsetof(Tile, next)));
    scaled(next_row_, offsetof(Tile, c_row));
    a_.mov(items_, field(offsetof(Tile, items)));
    a_.mov(left_, field(offsetof(Tile, batch)));
    a_.test(left_, left_);
    a_.jle(done, Xbyak::CodeGenerator::T_NEAR);
    a_.L(again);
    scaled(rows_of_a_[0], offsetof(ops::TileItem, a), items_);
    a_.add(rows_of_a_[0], field(offsetof(Tile, a)));
    for (int g = 1; g < groups(rows); ++g) {
      a_.lea(rows_of_a_[g], a_.ptr[rows_of_a_[g - 1] + row_a_ * 2]);
      a_.add(rows_of_a_[g], row_a_);
    }
    scaled(b_, offsetof(ops::TileItem, b), items_);
    a_.add(b_, field(offsetof(Tile, b)));
    a_.mov(depth_, field(offsetof(Tile, depth)));
    prefetching_loop(rows);
    loop(rows, kUnroll);
    loop(rows, 1);
    a_.add(items_, sizeof(ops::TileItem));
    a_.dec(left_);
    a_.jnz(again, Xbyak::CodeGenerator::T_NEAR);
    a_.L(done);
  }

  // As many steps as bring a row of the next tile's C each, if there are as many.
  void prefetching_loop(int rows) {
    Xbyak::Label again, none;
    a_.test(next_, next_);
    a_.jz(none, Xbyak::CodeGenerator::T_NEAR);
    a_.cmp(depth_, rows * kUnroll);
    a_.jl(none, Xbyak::CodeGenerator::T_NEAR);
    a_.push(left_);
    a_.mov(left_, rows);
    a_.align(32);
    a_.L(again);
    for (int line = 0; line < columns() * 4; line += kLine) a_.prefetchw(a_.ptr[next_ + line]);
    a_.add(next_, next_row_);
    for (int s = 0; s < kUnroll; ++s) step(rows);
    a_.dec(left_);
    a_.jnz(again, Xbyak::CodeGenerator::T_NEAR);
    a_.pop(left_);
    a_.xor_(next_.cvt32(), next_.cvt32());
    a_.sub(depth_, rows * kUnroll);
    a_.L(none);
  }

  // A stride or an offset, in bytes.
  void scaled(const Xbyak::Reg64& to, size_t offset, const Xbyak::Reg64& from = rdi) {
    a_.mov(to, a_.ptr[from + offset]);
    a_.shl(to, 2);
  }

  void loop(int rows, int steps) {
    Xbyak::Label again, done;
    a_.sub(depth_, steps);
    a_.js(done, Xbyak::CodeGenerator::T_NEAR);
    a_.align(32);
    a_.L(again);
    for (int s = 0; s < steps; ++s) step(rows);
    a_.sub(depth_, steps);
    a_.jns(again, Xbyak::CodeGenerator::T_NEAR);
    a_.L(done);
    a_.add(depth_, steps);
  }

  Xbyak::RegExp element_of_a(int row) const {
    const Xbyak::RegExp first(rows_of_a_[row / kGroup]);
    return row % kGroup == 0 ? first : first + row_a_ * (row % kGroup);
  }

  void step(int rows) {
    for (int p = 0; p < kPanels; ++p) a_.vmovups(vector(p), a_.ptr[b_ + p * width_ * 4]);
    a_.add(b_, step_b_);
    for (int i = 0; i < rows; ++i) {
      Xmm x = vector(kPanels + i % 2);
      a_.vbroadcastss(x, a_.ptr[element_of_a(i)]);
      for (int p = 0; p < kPanels; ++p) a_.vfmadd231ps(sum(i, p), x, vector(p));
      if (i % kGroup == kGroup - 1 || i == rows - 1) a_.add(rows_of_a_[i / kGroup], step_a_);
    }
  }

  // Between C and the sums.
  void transfer(int rows, bool load) {
    a_.mov(cols_, field(offsetof(Tile, columns)));
    scaled(row_c_, offsetof(Tile, c_row));
    if (a_.avx512()) {
      a_.mov(rax, -1);
      a_.bzhi(rax, rax, cols_);
      a_.kmovw(k1, eax);
      a_.shr(rax, 16);
      a_.kmovw(k2, eax);
      transfer_rows(rows, load, true);
      return;
    }
    Xbyak::Label whole, done;
    a_.cmp(cols_, columns());
    a_.je(whole, Xbyak::CodeGenerator::T_NEAR);
    make_masks();
    transfer_rows(rows, load, true);
    a_.jmp(done, Xbyak::CodeGenerator::T_NEAR);
    a_.L(whole);
    transfer_rows(rows, load, false);
    a_.L(done);
  }

  void transfer_rows(int rows, bool load, bool masked) {
    a_.mov(rax, field(offsetof(Tile, c)));
    for (int i = 0; i < rows; ++i) {
      for (int p = 0; p < kPanels; ++p) transfer_vector(sum(i, p), p, load, masked);
      if (i + 1 < rows) a_.add(rax, row_c_);
    }
  }

  void transfer_vector(const Xmm& x, int panel, bool load, bool masked) {
    Xbyak::Address at = a_.ptr[rax + panel * width_ * 4];
    if (a_.avx512()) {
      Xbyak::Opmask k = panel == 0 ? k1 : k2;
      load ? a_.vmovups(x | k | T_z, at) : a_.vmovups(at | k, x);
    } else if (masked) {
      Xmm mask = vector(kPanels + panel);
      load ? a_.vmaskmovps(x, mask, at) : a_.vmaskmovps(at, mask, x);
    } else {
      load ? a_.vmovups(x, at) : a_.vmovups(at, x);
    }
  }

  // AVX2: lanes below cols, in the registers of A.
  void make_masks() {
    a_.vmovd(xmm0, cols_.cvt32());
    a_.vpbroadcastd(ymm0, xmm0);
    for (int p = 0; p < kPanels; ++p) {
      Xmm mask = vector(kPanels + p);
      a_.vpmovzxbd(mask, a_.ptr[a_.constant(p == 0 ? 0x0706050403020100 : 0x0F0E0D0C0B0A0908, 8)]);
      a_.vpcmpgtd(mask, ymm0, mask);
    }
  }

  Assembler& a_;
  int width_, rows_;
  Xbyak::Reg64 tile_ = rdi, b_ = rdx, depth_ = rcx, row_a_ = r8, step_a_ = r9, step_b_ = r10, items_ = r11, left_ = rax;
  Xbyak::Reg64 rows_of_a_[5] = {rsi, rbx, rbp, r12, r13}, next_ = r14, next_row_ = r15;
  Xbyak::Reg64 cols_ = rcx, row_c_ = rdx;  // outside the loops
};

}  // namespace

gc::Ref<CodeBlock> compile_gemm_kernel(ops::GemmKernel* kernel) {
  if (ops::isa() == ops::Isa::Portable) return nullptr;
  Assembler a(ops::isa());
  GemmCode code(a);
  code.emit();
  gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish(), {"emberjit: matrix product"});
  if (!block) return nullptr;
  auto run = reinterpret_cast<decltype(ops::GemmKernel::run)>(reinterpret_cast<uintptr_t>(block->address()));
  *kernel = {code.rows(), code.columns(), run};
  return block;
}

}  // namespace ember::tiers
