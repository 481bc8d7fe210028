// peak: what this machine can do at best, as one line of JSON, for tools/bench to compare with: float32 operations a
// second by multiply-adds that touch registers only, and bytes read a second from 16 MiB that are read again and again;
// both by all threads at once, the best of several rounds.
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr long kRounds = 9, kSteps = 20'000'000;
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
  std::printf("{\"flops\": %.4g, \"bytes\": %.4g, \"threads\": %d}\n", threads * steps * (wide ? 32 : 16) / computing,
              4.0 * share * threads * kTimes / reading, threads);
  return 0;
}
