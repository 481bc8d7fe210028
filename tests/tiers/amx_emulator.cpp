// The instructions and their conditions are those of Intel's manual (volume 2, exception classes AMX-E1 to E4).
#include "tests/tiers/amx_emulator.h"

#include <immintrin.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ember::amx {
namespace {

constexpr int kTiles = 8, kRows = 16, kRowBytes = 64;
constexpr unsigned kTileControl = 0x9FC0;  // MXCSR: to nearest, DAZ and FTZ, nothing raised

struct Tiles {
  bool configured = false;
  int rows[kTiles] = {}, row_bytes[kTiles] = {};
  alignas(64) uint8_t data[kTiles][kRows][kRowBytes] = {};
};
thread_local Tiles tiles;
std::atomic<int64_t> product_count{0}, configured_count{0};
struct sigaction previous;

[[noreturn]] void refuse(const char* why) {
  constexpr char kHead[] = "AMX emulator: ";
  (void)!write(STDERR_FILENO, kHead, sizeof kHead - 1);
  (void)!write(STDERR_FILENO, why, std::strlen(why));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::abort();
}
void demand(bool allowed, const char* why) {
  if (!allowed) refuse(why);
}

// A VEX instruction of three bytes of prefix, with what its operands name.
class Instruction {
 public:
  Instruction(const uint8_t* at, const greg_t* registers) : registers_(registers) {
    if (at[0] != 0xC4) return;
    extend_reg_ = ~at[1] >> 7 & 1;
    extend_index_ = ~at[1] >> 6 & 1;
    extend_base_ = ~at[1] >> 5 & 1;
    map_ = at[1] & 31;
    wide_ = at[2] >> 7;
    vvvv_ = ~at[2] >> 3 & 15;
    long_ = at[2] >> 2 & 1;
    prefix_ = at[2] & 3;
    opcode_ = at[3];
    mod_ = at[4] >> 6;
    reg_ = at[4] >> 3 & 7;
    rm_ = at[4] & 7;
    next_ = at + 5;
    if (mod_ != 3) decode_memory();
  }

  // Of map 0F38, 128 bits, W0.
  bool has(int opcode) const { return map_ == 2 && !wide_ && !long_ && opcode_ == opcode; }
  bool is(int prefix, int opcode) const { return has(opcode) && prefix_ == prefix; }
  bool memory() const { return mod_ != 3; }
  bool sib() const { return has_sib_; }
  int reg() const { return extend_reg_ * 8 + reg_; }
  int rm() const { return extend_base_ * 8 + rm_; }
  int vvvv() const { return vvvv_; }
  const uint8_t* next() const { return next_; }

  // Of the operand in memory; that which tiles read begins without the index, which is the distance of rows.
  uint8_t* start() const { return reinterpret_cast<uint8_t*>(base_ + displacement_); }
  uint8_t* address() const { return start() + stride_; }
  int64_t stride() const { return stride_; }

 private:
  int64_t value(int number) const {
    static constexpr int kOrder[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                     REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    return registers_[kOrder[number]];
  }
  void decode_memory() {
    int base = rm_;
    has_sib_ = rm_ == 4;
    if (has_sib_) {
      const int index = extend_index_ * 8 + (*next_ >> 3 & 7), scale = *next_ >> 6;
      base = *next_++ & 7;
      if (index != 4) stride_ = value(index) * (1 << scale);
    }
    const bool no_base = mod_ == 0 && base == 5;
    if (mod_ == 1) displacement_ = static_cast<int8_t>(*next_++);
    if (mod_ == 2 || no_base) {
      int32_t wide;
      std::memcpy(&wide, next_, sizeof wide);
      displacement_ = wide;
      next_ += sizeof wide;
    }
    if (!no_base) {
      base_ = value(extend_base_ * 8 + base);
    } else if (!has_sib_) {
      base_ = reinterpret_cast<int64_t>(next_);  // of the next instruction: none of tiles has an immediate
    }
  }

  const greg_t* registers_;
  const uint8_t* next_ = nullptr;
  int extend_reg_ = 0, extend_index_ = 0, extend_base_ = 0, map_ = 0, vvvv_ = 0, prefix_ = 0, opcode_ = 0, mod_ = 0,
      reg_ = 0, rm_ = 0;
  bool wide_ = false, long_ = false, has_sib_ = false;
  int64_t base_ = 0, displacement_ = 0, stride_ = 0;
};

void release() {
  if (tiles.configured) --configured_count;
  tiles = {};
}

void configure(const uint8_t* from) {
  release();
  const int palette = from[0];
  demand(palette <= 1, "palette beyond 1 (#GP)");
  if (palette == 0) return;
  demand(from[1] == 0, "start_row is set, and no instruction was interrupted");
  for (int i = 2; i < 16; ++i) demand(from[i] == 0, "reserved bytes of the configuration are set (#GP)");
  for (int i = 16 + 2 * kTiles; i < 48; ++i) demand(from[i] == 0, "bytes a row of a tile that does not exist (#GP)");
  for (int i = 48 + kTiles; i < 64; ++i) demand(from[i] == 0, "rows of a tile that does not exist (#GP)");
  for (int t = 0; t < kTiles; ++t) {
    const int row_bytes = from[16 + 2 * t] | from[17 + 2 * t] << 8, rows = from[48 + t];
    demand(row_bytes <= kRowBytes, "more than 64 bytes a row (#GP)");
    demand(rows <= kRows, "more than 16 rows (#GP)");
    demand((rows == 0) == (row_bytes == 0), "rows without bytes, or bytes without rows (#GP)");
    tiles.rows[t] = rows;
    tiles.row_bytes[t] = row_bytes;
  }
  tiles.configured = true;
  ++configured_count;
}

int usable(int tile) {
  demand(tiles.configured, "a tile without a configuration (#UD)");
  demand(tile < kTiles, "a tile beyond tmm7 (#UD)");
  demand(tiles.rows[tile] != 0, "a tile that the configuration leaves out (#UD)");
  return tile;
}

void clear(int t) { std::memset(tiles.data[t], 0, sizeof tiles.data[t]); }

void load(int t, const uint8_t* from, int64_t stride) {
  clear(t);
  for (int r = 0; r < tiles.rows[t]; ++r)
    std::memcpy(tiles.data[t][r], from + r * stride, static_cast<size_t>(tiles.row_bytes[t]));
}

void store(int t, uint8_t* to, int64_t stride) {
  for (int r = 0; r < tiles.rows[t]; ++r)
    std::memcpy(to + r * stride, tiles.data[t][r], static_cast<size_t>(tiles.row_bytes[t]));
}

class TileControl {
 public:
  TileControl() : before_(_mm_getcsr()) { _mm_setcsr(kTileControl); }
  ~TileControl() { _mm_setcsr(before_); }
  TileControl(const TileControl&) = delete;
  TileControl& operator=(const TileControl&) = delete;

 private:
  unsigned before_;
};

// One row of C; whole rows of tiles are read, of which what the configuration leaves out is zeros and kept so.
__attribute__((target("avx2,fma"), noinline)) void multiply_row(const uint32_t* a, int pairs,
                                                                const uint8_t (*b)[kRowBytes], float* c) {
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xFFFF0000));
  for (int v = 0; v < 2; ++v) {
    __m256 even = _mm256_setzero_ps(), odd = _mm256_setzero_ps();
    for (int k = 0; k < pairs; ++k) {
      const __m256i x = _mm256_set1_epi32(static_cast<int>(a[k]));
      const __m256i y = _mm256_load_si256(reinterpret_cast<const __m256i*>(b[k]) + v);
      even = _mm256_fmadd_ps(_mm256_castsi256_ps(_mm256_slli_epi32(x, 16)),
                             _mm256_castsi256_ps(_mm256_slli_epi32(y, 16)), even);
      odd = _mm256_fmadd_ps(_mm256_castsi256_ps(_mm256_and_si256(x, upper)),
                            _mm256_castsi256_ps(_mm256_and_si256(y, upper)), odd);
    }
    _mm256_store_ps(c + 8 * v, _mm256_add_ps(_mm256_load_ps(c + 8 * v), _mm256_add_ps(even, odd)));
  }
}

void demand_product(int c, int a, int b) {
  demand(c != a && c != b && a != b, "a tile twice in one product (#UD)");
  demand(tiles.row_bytes[a] % 4 == 0 && tiles.row_bytes[b] % 4 == 0, "rows that are no groups of four bytes (#UD)");
  demand(tiles.rows[c] == tiles.rows[a], "rows of C are not those of A (#UD)");
  demand(tiles.row_bytes[c] == tiles.row_bytes[b], "columns of C are not those of B (#UD)");
  demand(tiles.row_bytes[a] / 4 == tiles.rows[b], "columns of A are not the rows of B (#UD)");
}

void multiply(int c, int a, int b) {
  demand_product(c, a, b);
  const TileControl control;
  for (int r = 0; r < tiles.rows[c]; ++r) {
    multiply_row(reinterpret_cast<const uint32_t*>(tiles.data[a][r]), tiles.rows[b], tiles.data[b],
                 reinterpret_cast<float*>(tiles.data[c][r]));
  }
  ++product_count;
}

void multiply_bytes(int c, int a, int b, bool a_signed, bool b_signed) {
  demand_product(c, a, b);
  const auto number = [](uint8_t byte, bool is_signed) { return is_signed ? static_cast<int8_t>(byte) : byte; };
  for (int r = 0; r < tiles.rows[c]; ++r) {
    uint32_t sums[kRowBytes / 4];
    std::memcpy(sums, tiles.data[c][r], sizeof sums);
    for (int s = 0; s < tiles.row_bytes[a]; ++s) {
      for (int j = 0; j < tiles.row_bytes[c] / 4; ++j) {
        sums[j] += static_cast<uint32_t>(number(tiles.data[a][r][s], a_signed) *
                                         number(tiles.data[b][s / 4][4 * j + s % 4], b_signed));
      }
    }
    std::memcpy(tiles.data[c][r], sums, sizeof sums);
  }
}

constexpr int kNoPrefix = 0, k66 = 1, kF3 = 2, kF2 = 3;

// False if this is no instruction of tiles.
bool execute(const Instruction& i) {
  if (i.is(kNoPrefix, 0x49) && i.memory()) {
    demand(i.reg() % 8 == 0, "ldtilecfg with another extension (#UD)");
    configure(i.address());
  } else if (i.is(kNoPrefix, 0x49)) {
    demand(i.reg() == 0 && i.rm() == 0, "tilerelease with operands (#UD)");
    release();
  } else if (i.is(kF2, 0x49) && !i.memory()) {
    demand(i.rm() == 0, "tilezero of two tiles (#UD)");
    clear(usable(i.reg()));
  } else if ((i.is(kF2, 0x4B) || i.is(k66, 0x4B)) && i.memory()) {
    demand(i.sib(), "tileloadd without an index byte (#UD)");
    load(usable(i.reg()), i.start(), i.stride());
  } else if (i.is(kF3, 0x4B) && i.memory()) {
    demand(i.sib(), "tilestored without an index byte (#UD)");
    store(usable(i.reg()), i.start(), i.stride());
  } else if (i.is(kF3, 0x5C) && !i.memory()) {
    multiply(usable(i.reg()), usable(i.rm()), usable(i.vvvv()));
  } else if (i.has(0x5E) && !i.memory()) {
    const bool a_signed = i.is(kF2, 0x5E) || i.is(kF3, 0x5E), b_signed = i.is(kF2, 0x5E) || i.is(k66, 0x5E);
    multiply_bytes(usable(i.reg()), usable(i.rm()), usable(i.vvvv()), a_signed, b_signed);
  } else {
    return false;
  }
  return true;
}

void on_illegal(int, siginfo_t*, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const Instruction instruction(reinterpret_cast<const uint8_t*>(registers[REG_RIP]), registers);
  if (execute(instruction)) {
    registers[REG_RIP] = reinterpret_cast<greg_t>(instruction.next());
  } else {
    sigaction(SIGILL, &previous, nullptr);  // comes again, for whoever had it
  }
}

}  // namespace

AmxEmulator::AmxEmulator() {
  struct sigaction action {};
  action.sa_sigaction = on_illegal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, &previous);
}
AmxEmulator::~AmxEmulator() { sigaction(SIGILL, &previous, nullptr); }

int64_t AmxEmulator::products() { return product_count; }
int64_t AmxEmulator::configured() { return configured_count; }

// Volatile: nothing may leave the reach of TileControl.
__attribute__((target("fma"))) float tile_fma(float a, float b, float c) {
  const TileControl control;
  volatile float x = a, y = b, z = c;
  volatile float out = _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(x), _mm_set_ss(y), _mm_set_ss(z)));
  return out;
}
float tile_add(float a, float b) {
  const TileControl control;
  volatile float x = a, y = b;
  volatile float out = x + y;
  return out;
}

}  // namespace ember::amx
