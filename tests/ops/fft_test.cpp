// The transforms against sums in long double for short lengths, and long ones against double precision, identities and
// their own inverse; on every instruction set, with the same bits for every number of threads.
#include "ops/kernels/fft.h"

#include <complex>
#include <numbers>

#include "tests/ops/kernel_test.h"

namespace ember::ops::testing {
namespace {

template <class T>
using Numbers = std::vector<std::complex<T>>;

template <class T>
Numbers<T> random_numbers(int64_t count, uint32_t seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Numbers<T> all(static_cast<size_t>(count));
  for (auto& x : all) x = {static_cast<T>(normal(engine)), static_cast<T>(normal(engine))};
  return all;
}

template <class T>
std::vector<T> random_reals(int64_t count, uint32_t seed) {
  std::vector<T> all;
  for (const auto& x : random_numbers<T>(count, seed)) all.push_back(x.real());
  return all;
}

// One line by its definition.
Numbers<long double> naive(const Numbers<long double>& x, bool inverse) {
  const size_t n = x.size();
  Numbers<long double> roots, out(n);
  for (size_t k = 0; k < n; ++k) {
    const long double angle =
        2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
    roots.emplace_back(std::cos(angle), inverse ? std::sin(angle) : -std::sin(angle));
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t j = 0; j < n; ++j) out[k] += x[j] * roots[j * k % n];
  }
  return out;
}

// The distance of two arrays relative to the size of the second, in units of epsilon log n.
template <class T, class A, class B>
double distance(const A* got, const B* want, int64_t count, int64_t n) {
  long double difference = 0, size = 0;
  for (int64_t i = 0; i < count; ++i) {
    difference += std::norm(std::complex<long double>(got[i]) - std::complex<long double>(want[i]));
    size += std::norm(std::complex<long double>(want[i]));
  }
  const double unit = std::numeric_limits<T>::epsilon() * (1 + std::log2(static_cast<double>(n)));
  return static_cast<double>(size == 0 ? difference : std::sqrt(difference / size)) / unit;
}
constexpr double kBound = 1;

template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& want) {
  ASSERT_EQ(got.size(), want.size());
  if constexpr (std::is_floating_point_v<T>) {
    expect_bits(got.data(), want.data(), static_cast<int64_t>(got.size()));
  } else {
    using Part = typename T::value_type;
    expect_bits(reinterpret_cast<const Part*>(got.data()), reinterpret_cast<const Part*>(want.data()),
                static_cast<int64_t>(2 * got.size()));
  }
}

// All numbers of threads give the bits that the first gives; check(result) is called once for each instruction set.
template <class Result, class Run, class Check>
void for_each_setting(Run run, Check check, std::initializer_list<int> counts = {1, 2, 3}) {
  Result first;
  for_each_isa_and_thread_count(
      [&] {
        const Result result = run();
        if (threads() == 1) {
          first = result;
          check(result);
        } else {
          expect_same(result, first);
        }
      },
      counts);
}

struct Sizes {
  int64_t outer, n, inner;
};

template <class T>
Numbers<long double> line(const std::vector<T>& all, int64_t item, int64_t length, int64_t inner, int64_t column) {
  Numbers<long double> x;
  for (int64_t i = 0; i < length; ++i) x.emplace_back(all[static_cast<size_t>((item * length + i) * inner + column)]);
  return x;
}

Numbers<long double> whole_of(const Numbers<long double>& half, int64_t n) {
  Numbers<long double> all(static_cast<size_t>(n));
  for (int64_t k = 0; k <= n / 2; ++k) {
    const bool real = k == 0 || 2 * k == n;
    const std::complex<long double> x = half[static_cast<size_t>(k)];
    all[static_cast<size_t>(k)] = real ? x.real() : x;
    if (!real) all[static_cast<size_t>(n - k)] = std::conj(x);
  }
  return all;
}

// Compares all lines with naive(expand(line)).
template <class T, class In, class Out, class Expand>
void check_lines(const std::vector<In>& in, const std::vector<Out>& out, Sizes sizes, bool inverse, T scale,
                 int64_t in_length, int64_t out_length, Expand expand) {
  for (int64_t item = 0; item < sizes.outer; ++item) {
    for (int64_t column = 0; column < sizes.inner; ++column) {
      Numbers<long double> want = naive(expand(line(in, item, in_length, sizes.inner, column)), inverse);
      for (auto& x : want) x *= static_cast<long double>(scale);
      const Numbers<long double> got = line(out, item, out_length, sizes.inner, column);
      ASSERT_LT(distance<T>(got.data(), want.data(), out_length, sizes.n), kBound)
          << "n " << sizes.n << ", item " << item << ", column " << column << (inverse ? ", inverse" : "");
    }
  }
}

template <class T>
void test_against_sums(Sizes sizes, bool inverse, T scale, std::initializer_list<int> counts = {1, 2}) {
  const auto [outer, n, inner] = sizes;
  const int64_t half = n / 2 + 1;
  const Numbers<T> x = random_numbers<T>(outer * n * inner, 1);
  const auto same = [](auto line) { return line; };
  for_each_setting<Numbers<T>>(
      [&] {
        Numbers<T> out(x.size());
        fft_complex<T>(x.data(), out.data(), outer, n, inner, inverse, scale);
        return out;
      },
      [&](const Numbers<T>& out) { check_lines<T>(x, out, sizes, inverse, scale, n, n, same); }, counts);
  const std::vector<T> reals = random_reals<T>(outer * n * inner, 2);
  for_each_setting<Numbers<T>>(
      [&] {
        Numbers<T> out(static_cast<size_t>(outer * half * inner));
        fft_real<T>(reals.data(), out.data(), outer, n, inner, inverse, scale);
        return out;
      },
      [&](const Numbers<T>& out) { check_lines<T>(reals, out, sizes, inverse, scale, n, half, same); }, counts);
  const Numbers<T> halves = random_numbers<T>(outer * half * inner, 3);
  for_each_setting<std::vector<T>>(
      [&] {
        std::vector<T> out(static_cast<size_t>(outer * n * inner));
        fft_half<T>(halves.data(), out.data(), outer, n, inner, inverse, scale);
        return out;
      },
      [&](const std::vector<T>& out) {
        check_lines<T>(halves, out, sizes, inverse, scale, half, n, [n = n](auto line) { return whole_of(line, n); });
      },
      counts);
}

TEST(Fft, EveryShortLength) {
  for (int64_t n = 1; n <= 64; ++n) {
    for (bool inverse : {false, true}) {
      test_against_sums<float>({1, n, 1}, inverse, 1);
      test_against_sums<double>({1, n, 1}, inverse, 0.25);
    }
  }
}

TEST(Fft, ManyShortRows) {
  for (int64_t n : {1, 2, 3, 4, 6, 7, 8, 12, 16, 26, 31, 32, 37}) {
    test_against_sums<float>({37, n, 1}, n % 2 == 0, 0.5f);
    test_against_sums<double>({19, n, 1}, n % 2 == 0, 3);
  }
}

TEST(Fft, Columns) {
  for (int64_t n : {1, 2, 5, 6, 8, 13, 16, 30, 37, 60, 74}) {
    for (int64_t inner : {2, 3, 4, 7, 8, 16, 21}) {
      test_against_sums<float>({2, n, inner}, n % 2 == 0, 0.5f);
      test_against_sums<double>({3, n, inner}, n % 2 == 1, 1);
    }
  }
}

TEST(Fft, LongerLengths) {
  for (int64_t n : {96,  97,  100, 121, 125, 127, 128, 169,  210,  243,  256, 286,
                    289, 343, 360, 500, 512, 529, 961, 1000, 1009, 1013, 1024}) {
    test_against_sums<float>({1, n, 1}, n % 3 == 0, 1);
    test_against_sums<double>({1, n, 1}, n % 3 == 1, 1);
  }
}

// Double against float, a row's inverse, and the sum of squares.
template <class T>
void test_long(int64_t n) {
  const Numbers<T> x = random_numbers<T>(n, 5);
  const Numbers<double> wide(x.begin(), x.end());
  Numbers<double> reference(x.size());
  fft_complex<double>(wide.data(), reference.data(), 1, n, 1, false, 1);
  const auto check = [&](const Numbers<T>& out) {
    EXPECT_LT(distance<T>(out.data(), reference.data(), n, n), kBound) << n;
    Numbers<T> back(x.size());
    fft_complex<T>(out.data(), back.data(), 1, n, 1, true, 1 / static_cast<T>(n));
    EXPECT_LT(distance<T>(back.data(), x.data(), n, n), kBound) << n;
    long double before = 0, after = 0;
    for (const auto& number : x) before += std::norm(std::complex<long double>(number));
    for (const auto& number : out) after += std::norm(std::complex<long double>(number));
    EXPECT_NEAR(static_cast<double>(after / before / static_cast<long double>(n)), 1,
                50 * std::numeric_limits<T>::epsilon());
  };
  for_each_setting<Numbers<T>>(
      [&] {
        Numbers<T> out(x.size());
        fft_complex<T>(x.data(), out.data(), 1, n, 1, false, 1);
        return out;
      },
      check);
}

template <class T>
void test_long_real(int64_t n) {
  const std::vector<T> x = random_reals<T>(n, 6);
  const Numbers<T> wide(x.begin(), x.end());
  Numbers<T> reference(x.size());
  const auto check = [&](const Numbers<T>& out) {
    fft_complex<T>(wide.data(), reference.data(), 1, n, 1, false, 1);
    EXPECT_LT(distance<T>(out.data(), reference.data(), n / 2 + 1, n), kBound) << n;
  };
  for_each_setting<Numbers<T>>(
      [&] {
        Numbers<T> out(static_cast<size_t>(n / 2 + 1));
        fft_real<T>(x.data(), out.data(), 1, n, 1, false, 1);
        return out;
      },
      check);
  fft_real<T>(x.data(), reference.data(), 1, n, 1, false, 1);
  const auto check_back = [&](const std::vector<T>& back) {
    EXPECT_LT(distance<T>(back.data(), x.data(), n, n), kBound) << n;
  };
  for_each_setting<std::vector<T>>(
      [&] {
        std::vector<T> back(x.size());
        fft_half<T>(reference.data(), back.data(), 1, n, 1, true, 1 / static_cast<T>(n));
        return back;
      },
      check_back);
}

constexpr int64_t kLongLengths[] = {2187,  4096,  4099,  8192,   10007,  14641,  16384,  19683,     32768,
                                    44100, 65536, 99991, 100000, 131072, 177147, 262144, 2 * 65537, 1 << 20};

TEST(Fft, LongLengths) {
  for (int64_t n : kLongLengths) {
    test_long<float>(n);
    test_long<double>(n);
  }
}

TEST(Fft, LongRealLengths) {
  for (int64_t n : kLongLengths) {
    test_long_real<float>(n);
    test_long_real<double>(n);
  }
}

// The transform of a single one is a root of unity in each place.
template <class T>
void test_impulse(int64_t n, int64_t at) {
  for_each_isa_and_thread_count(
      [&] {
        Numbers<T> x(static_cast<size_t>(n)), out(x.size());
        x[static_cast<size_t>(at)] = 1;
        fft_complex<T>(x.data(), out.data(), 1, n, 1, false, 1);
        double worst = 0;
        for (int64_t k = 0; k < n; ++k) {
          const long double angle =
              -2 * std::numbers::pi_v<long double> * static_cast<long double>(at * k % n) / static_cast<long double>(n);
          const std::complex<long double> root(std::cos(angle), std::sin(angle));
          worst = std::max(
              worst, static_cast<double>(std::abs(std::complex<long double>(out[static_cast<size_t>(k)]) - root)));
        }
        EXPECT_LT(worst, 8 * std::numeric_limits<T>::epsilon()) << n << " at " << at;
      },
      {1});
}

TEST(Fft, Impulses) {
  for (int64_t n : {1000, 4096, 44100, 65536, 262144}) {
    for (int64_t at : {int64_t{1}, n / 2 + 1, n - 1}) {
      test_impulse<float>(n, at);
      test_impulse<double>(n, at);
    }
  }
}

// A line has the same values in a batch, as a column, and alone.
template <class T>
void test_batches(int64_t n, int64_t lines) {
  const Numbers<T> rows = random_numbers<T>(n * lines, 7);
  Numbers<T> columns(rows.size());
  const auto at = [](int64_t i) { return static_cast<size_t>(i); };
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t c = 0; c < lines; ++c) columns[at(i * lines + c)] = rows[at(c * n + i)];
  }
  for_each_isa_and_thread_count([&] {
    Numbers<T> alone(rows.size()), batch(rows.size()), by_column(rows.size());
    for (int64_t c = 0; c < lines; ++c) fft_complex<T>(&rows[at(c * n)], &alone[at(c * n)], 1, n, 1, false, 1);
    fft_complex<T>(rows.data(), batch.data(), lines, n, 1, false, 1);
    fft_complex<T>(columns.data(), by_column.data(), 1, n, lines, false, 1);
    EXPECT_EQ(batch, alone) << n;
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t c = 0; c < lines; ++c) ASSERT_EQ(by_column[at(i * lines + c)], alone[at(c * n + i)]) << n;
    }
  });
}

TEST(Fft, LinesOfABatchAreThoseAlone) {
  for (int64_t n : {8, 15, 31, 32, 60, 96, 101, 128, 1000, 44100, 65536}) {
    test_batches<float>(n, 13);
    test_batches<double>(n, 9);
  }
}

}  // namespace
}  // namespace ember::ops::testing
