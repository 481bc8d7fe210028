#include "tiers/emit/gemm_code.h"

#include "tiers/assembler.h"

namespace ember::tiers {
namespace {

using namespace Xbyak::util;
using Xbyak::Xmm;

constexpr int kUnroll = 4;
constexpr int kPanels = 2;    // vectors of B
constexpr int kFirstSum = 4;  // registers before: two of B, two of A

// GemmKernel::run: k, a, b, c, ldc, rows in registers, cols and accumulate on the stack.
class GemmCode {
 public:
  explicit GemmCode(Assembler& a) : a_(a), width_(static_cast<int>(a.vector_bytes() / 4)), rows_(a.avx512() ? 14 : 6) {}

  int rows() const { return rows_; }
  int columns() const { return kPanels * width_; }

  void emit() {
    a_.mov(cols_, a_.ptr[rsp + 8]);
    a_.movzx(accumulate_.cvt32(), a_.byte[rsp + 16]);
    a_.shl(ldc_, 2);
    if (a_.avx512()) {
      a_.mov(rax, -1);
      a_.bzhi(rax, rax, cols_);
      a_.kmovw(k1, eax);
      a_.shr(rax, 16);
      a_.kmovw(k2, eax);
    }
    std::vector<Xbyak::Label> bodies(static_cast<size_t>(rows_));
    for (int rows = rows_ - 1; rows > 0; --rows) {
      a_.cmp(wanted_rows_, rows);
      a_.je(bodies[static_cast<size_t>(rows)], Xbyak::CodeGenerator::T_NEAR);
    }
    emit_body(rows_);
    for (int rows = 1; rows < rows_; ++rows) {
      a_.L(bodies[static_cast<size_t>(rows)]);
      emit_body(rows);
    }
  }

 private:
  Xmm vector(int index) const { return Assembler::vec(index, a_.vector_bytes()); }
  Xmm sum(int row, int panel) const { return vector(kFirstSum + row * kPanels + panel); }

  void emit_body(int rows) {
    Xbyak::Label zero, start;
    a_.test(accumulate_, accumulate_);
    a_.jz(zero, Xbyak::CodeGenerator::T_NEAR);
    transfer(rows, true);
    a_.jmp(start, Xbyak::CodeGenerator::T_NEAR);
    a_.L(zero);
    for (int i = 0; i < rows; ++i)
      for (int p = 0; p < kPanels; ++p) a_.vxorps(sum(i, p), sum(i, p), sum(i, p));
    a_.L(start);
    loop(rows, kUnroll);
    loop(rows, 1);
    transfer(rows, false);
    a_.vzeroupper();
    a_.ret();
  }

  void loop(int rows, int steps) {
    Xbyak::Label again, done;
    a_.sub(k_, steps);
    a_.js(done, Xbyak::CodeGenerator::T_NEAR);
    a_.align(32);
    a_.L(again);
    for (int s = 0; s < steps; ++s) step(rows, s);
    a_.add(panel_a_, steps * rows_ * 4);
    a_.add(panel_b_, steps * columns() * 4);
    a_.sub(k_, steps);
    a_.jns(again, Xbyak::CodeGenerator::T_NEAR);
    a_.L(done);
    a_.add(k_, steps);
  }

  void step(int rows, int s) {
    for (int p = 0; p < kPanels; ++p) a_.vmovups(vector(p), a_.ptr[panel_b_ + (s * columns() + p * width_) * 4]);
    for (int i = 0; i < rows; ++i) {
      Xmm x = vector(kPanels + i % 2);
      a_.vbroadcastss(x, a_.ptr[panel_a_ + (s * rows_ + i) * 4]);
      for (int p = 0; p < kPanels; ++p) a_.vfmadd231ps(sum(i, p), x, vector(p));
    }
  }

  // Between C and the sums.
  void transfer(int rows, bool load) {
    if (a_.avx512()) {
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
    a_.mov(rax, c_);
    for (int i = 0; i < rows; ++i) {
      for (int p = 0; p < kPanels; ++p) transfer_vector(sum(i, p), p, load, masked);
      if (i + 1 < rows) a_.add(rax, ldc_);
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
  Xbyak::Reg64 k_ = rdi, panel_a_ = rsi, panel_b_ = rdx, c_ = rcx, ldc_ = r8, wanted_rows_ = r9, cols_ = r10,
               accumulate_ = r11;
};

}  // namespace

gc::Ref<CodeBlock> compile_gemm_kernel(ops::GemmKernel* kernel) {
  if (ops::isa() == ops::Isa::Portable) return nullptr;
  Assembler a(ops::isa());
  GemmCode code(a);
  code.emit();
  gc::Ref<CodeBlock> block = CodeCache::instance().add(a.finish());
  if (!block) return nullptr;
  auto run = reinterpret_cast<decltype(ops::GemmKernel::run)>(reinterpret_cast<uintptr_t>(block->address()));
  *kernel = {code.rows(), code.columns(), run};
  return block;
}

}  // namespace ember::tiers
