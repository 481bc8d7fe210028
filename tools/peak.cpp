// peak: what this machine can do at best, as one line of JSON, for tools/bench to compare with: float32 operations a
// second by multiply-adds that touch registers only, the same of bfloat16 by the tiles of AMX where there are any, and
// bytes read a second from 16 MiB that are read again and again; all by all threads at once, the best of several
// rounds.
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr long kRounds = 9, kSteps = 20'000'000, kTileSteps = 2'000'000;
constexpr int kChains = 12;
constexpr long kFloats = 4L << 20;

thread_local volatile float sink = 0.999f;

__attribute__((target("avx2,fma"))) void chains_avx2(long steps) {
  const __m256 factor = _mm256_set1_ps(sink), term = _mm256_set1_ps(sink * 0.001f);
  __m256 chain[kChains];
  for (__m256& c : chain) c = term;
  for (long i = 0; i < steps / kChains; ++i)
#pragma GCC unroll 16
    for (__m256& c : chain) c = _mm256_fmadd_ps(c, factor, term);
  for (const __m256& c : chain) sink = sink + 1e-9f * _mm256_cvtss_f32(c);
}

__attribute__((target("avx512f"))) void chains_avx512(long steps) {
  const __m512 factor = _mm512_set1_ps(sink), term = _mm512_set1_ps(sink * 0.001f);
  __m512 chain[kChains];
  for (__m512& c : chain) c = term;
  for (long i = 0; i < steps / kChains; ++i)
#pragma GCC unroll 16
    for (__m512& c : chain) c = _mm512_fmadd_ps(c, factor, term);
  for (const __m512& c : chain) sink = sink + 1e-9f * _mm512_cvtss_f32(c);
}

// Whether there are tiles, and the system grants them.
bool tiles_granted() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kTiles = 1U << 22 | 1U << 24;  // BF16, TILE
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & kTiles) != kTiles) return false;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// Four tiles of sums, of operands whose bits vary as data do: how fast a core goes depends on them.
__attribute__((target("amx-tile,amx-bf16"))) void chains_tiles(long steps) {
  struct alignas(64) {
    uint8_t palette = 1, rest[15] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } configuration;
  alignas(64) uint16_t operands[2][512];
  uint32_t random = 1;
  for (auto& operand : operands)
    for (uint16_t& x : operand)
      x = static_cast<uint16_t>(0x3F00 | ((random = random * 1664525 + 1013904223) >> 16 & 0x80FF));
  alignas(64) float sums[256];
  _tile_loadconfig(&configuration);
  _tile_loadd(4, operands[0], 64);
  _tile_loadd(5, operands[1], 64);
  _tile_loadd(6, operands[0], 64);
  _tile_loadd(7, operands[1], 64);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (long i = 0; i < steps / 4; ++i) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, sums, 64);
  _tile_release();
  sink = sink + 1e-30f * sums[0];
}

__attribute__((target("avx2"))) void read_avx2(const float* from, long count) {
  __m256 sums[8] = {};
  for (long i = 0; i + 64 <= count; i += 64)
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sums[k] = _mm256_add_ps(sums[k], _mm256_loadu_ps(from + i + 8 * k));
  for (const __m256& s : sums) sink = sink + 1e-9f * _mm256_cvtss_f32(s);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The least seconds of a round in which every thread does `work(index)`.
template <typename Work>
double best_seconds(int threads, const Work& work) {
  double best = 1e9;
  for (long round = 0; round < kRounds; ++round) {
    const double start = now();
    std::vector<std::jthread> team;
    for (int t = 1; t < threads; ++t) team.emplace_back(work, t);
    work(0);
    team.clear();
    best = std::min(best, now() - start);
  }
  return best;
}

}  // namespace

int main() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::puts("{}");
    return 0;
  }
  const int threads = std::max(1U, std::thread::hardware_concurrency());
  const bool wide = __builtin_cpu_supports("avx512f");
  const double computing = best_seconds(threads, [&](int) { wide ? chains_avx512(kSteps) : chains_avx2(kSteps); });
  const std::vector<float> data(kFloats, 1.0f);
  const long share = kFloats / threads;
  constexpr int kTimes = 20;
  const double reading = best_seconds(threads, [&](int t) {
    for (int i = 0; i < kTimes; ++i) read_avx2(data.data() + t * share, share);
  });
  const double steps = static_cast<double>(kSteps / kChains * kChains);
  std::printf("{\"flops\": %.4g, ", threads * steps * (wide ? 32 : 16) / computing);
  if (tiles_granted()) {
    constexpr double kOperations = 2.0 * 16 * 16 * 32;
    const double multiplying = best_seconds(threads, [](int) { chains_tiles(kTileSteps); });
    std::printf("\"tile_flops\": %.4g, ", threads * kTileSteps * kOperations / multiplying);
  }
  std::printf("\"bytes\": %.4g, \"threads\": %d}\n", 4.0 * share * threads * kTimes / reading, threads);
  return 0;
}
