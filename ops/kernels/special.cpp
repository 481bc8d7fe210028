// zeta by Euler and Maclaurin's formula; the incomplete gamma functions by the power series, or Legendre's continued
// fraction, or for large arguments close to each other Temme's uniform expansion (1979); beta by its continued fraction
// (DLMF 8.17.22). Continued fractions are evaluated as by Lentz. Derivatives by a are carried along in dual numbers.
#include "ops/kernels/special.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace ember::ops::special {
namespace {

constexpr double kEpsilon = 0x1p-53;  // what series are summed to
constexpr double kSingle = 0x1p-38;   // for float32; terms may fall by as little as a thousandth each
constexpr double kTiny = 1e-300;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kSteps = 20000;     // no series in its range takes more
constexpr double kUniform = 1e6;  // from there on Temme's expansion
constexpr double kStirlingFrom = 16;
constexpr double kShortPower = 8;
constexpr double kFar = 1e9;  // beyond it zeta(s, q) is what its integral and half a term give

bool is_integer(double x) { return std::floor(x) == x; }

double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

// B_2k / (2k)!
constexpr double kBernoulli[] = {1.0 / 12,
                                 -1.0 / 720,
                                 1.0 / 30240,
                                 -1.0 / 1209600,
                                 1.0 / 47900160,
                                 -691.0 / 1307674368000,
                                 1.0 / 74724249600,
                                 -3617.0 / 10670622842880000,
                                 43867.0 / 5109094217170944000};

double digamma(double x) {
  double sum = 0;
  for (; x < 12; x += 1) sum -= 1 / x;
  const double z = 1 / (x * x);
  const double tail = z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132)))));
  return sum + std::log(x) - 0.5 / x - tail;
}

// A number with its derivative by a.
struct Dual {
  double value, slope;
  Dual(double v, double s = 0) : value(v), slope(s) {}  // NOLINT
};
Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.value * b.slope + a.slope * b.value}; }
Dual operator/(Dual a, Dual b) {
  const double q = a.value / b.value;
  return {q, (a.slope - q * b.slope) / b.value};
}
Dual exp(Dual a) {
  const double e = std::exp(a.value);
  return {e, e * a.slope};
}
double value_of(double a) { return a; }
double value_of(Dual a) { return a.value; }
double size_of(double a) { return std::fabs(a); }
double size_of(Dual a) { return std::fabs(a.value) + std::fabs(a.slope); }

// x^-s; by squares where s is a small integer.
double inverse_power(double x, double s) {
  if (s > kShortPower || !is_integer(s)) return std::pow(x, -s);
  double power = 1, square = x;
  for (auto n = static_cast<unsigned>(s); n != 0; n /= 2, square *= square) power *= n % 2 ? square : 1;
  return std::isinf(power) ? std::pow(x, -s) : 1 / power;
}
Dual inverse_power(double x, Dual s) {
  const double p = std::pow(x, -s.value);
  return {p, -p * s.slope * std::log(x)};
}

template <class T>
T zeta_above(T s, double q) {
  if (q > kFar) return (T(1) / (s - T(1)) + T(0.5 / q)) * inverse_power(q, s - T(1));
  T sum = 0;
  double x = q;
  const double from = value_of(s) <= kShortPower ? 8 + value_of(s) : q + 10;
  for (; x < from; x += 1) {
    const T term = inverse_power(x, s);
    sum = sum + term;
    if (size_of(term) < kEpsilon * size_of(sum)) return sum;
  }
  const T last = inverse_power(x, s);
  sum = sum + last * T(x) / (s - T(1)) + T(0.5) * last;
  const T inverse_square = 1 / (x * x);
  T factor = last * s / T(x);
  for (int k = 0; k < 9; ++k) {
    const T term = factor * T(kBernoulli[k]);
    sum = sum + term;
    if (size_of(term) < kEpsilon * size_of(sum)) break;
    factor = factor * (s + T(2 * k + 1)) * (s + T(2 * k + 2)) * inverse_square;
  }
  return sum;
}

// x - log(1 + x), also exact near 0.
double log1p_rest(double x) {
  if (std::fabs(x) > 0.25) return x - std::log1p(x);
  double sum = 0, power = x * x;
  for (int k = 2; k < 40; ++k, power *= -x) sum += power / k;
  return sum;
}

double stirling(double a) {
  const double z = 1 / (a * a);
  return (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z * (1.0 / 1188))))) / a;
}

// log of x^a e^-x / Gamma(a + 1), and its derivative by a, log x - psi(a + 1)
double log_term(double a, double x) {
  if (a < kStirlingFrom) return a * std::log(x) - x - log_gamma(a + 1);
  return -a * log1p_rest((x - a) / a) - 0.5 * std::log(2 * std::numbers::pi * a) - stirling(a);
}
double term_of(double a, double x) { return std::exp(log_term(a, x)); }
Dual term_of(Dual a, double x) {
  return exp(Dual(log_term(a.value, x), a.slope * (std::log(x) - digamma(a.value + 1))));
}

// P = term * (1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...)
template <class T>
T lower_series(T a, double x, double epsilon = kEpsilon) {
  T sum = 1, part = 1;
  for (int k = 1; k < kSteps; ++k) {
    part = part * (T(x) / (a + T(k)));
    sum = sum + part;
    if (size_of(part) < epsilon * size_of(sum)) break;
  }
  return term_of(a, x) * sum;
}

// Q = term * a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...)))
template <class T>
T upper_fraction(T a, double x, double epsilon = kEpsilon) {
  T b = T(x + 1) - a;
  T c = 1 / kTiny, d = T(1) / b, value = d;
  for (int k = 1; k < kSteps; ++k) {
    const T by = T(k) * (a - T(k));
    b = b + T(2);
    d = by * d + b;
    c = b + by / c;
    if (std::fabs(value_of(d)) < kTiny) d = kTiny;
    if (std::fabs(value_of(c)) < kTiny) c = kTiny;
    d = T(1) / d;
    const T change = c * d;
    value = value * change;
    if (size_of(change - T(1)) < epsilon * 2) break;
  }
  return term_of(a, x) * a * value;
}

// Q for small x, where 1 - P would lose what is small: 1 - x^a / Gamma(a + 1), less the rest of the series.
double upper_small(double a, double x, double epsilon) {
  double part = 1, sum = 0;
  for (int k = 1; k < kSteps; ++k) {
    part *= -x / k;
    sum += part / (a + k);
    if (std::fabs(part) < epsilon * (a + k) * std::fabs(sum)) break;
  }
  const double log_power = a * std::log(x) - log_gamma(a + 1);
  return -std::expm1(log_power) - std::exp(log_power) * a * sum;
}

// P for large a: erfc(-eta sqrt(a / 2)) / 2 - e^(-a eta^2 / 2) / sqrt(2 pi a) (c0 + c1 / a), eta^2 / 2 = x / a - 1 -
// log(x / a); where it is neither 0 nor 1 eta is small.
double uniform(double a, double x, bool upper) {
  const double mu = (x - a) / a, half_square = log1p_rest(mu);
  const double eta = std::copysign(std::sqrt(2 * half_square), mu);
  const double c0 = -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 + eta * (1.0 / 864 + eta / 2835)));
  const double c1 = -1.0 / 540 - eta / 288;
  const double rest = std::exp(-a * half_square) / std::sqrt(2 * std::numbers::pi * a) * (c0 + c1 / a);
  const double argument = eta * std::sqrt(a / 2);
  return upper ? 0.5 * std::erfc(argument) + rest : 0.5 * std::erfc(-argument) - rest;
}

bool by_series(double a, double x) { return x < 1 || x < a; }

double incomplete_gamma(double a, double x, bool upper, double epsilon) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0) return kNaN;
  const double all = upper ? 0 : 1;
  if (a == 0) return x == 0 ? kNaN : all;
  if (x == 0) return 1 - all;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : 1 - all;
  if (std::isinf(x)) return all;
  if (a >= kUniform && std::fabs(x - a) < 0.25 * a) return uniform(a, x, upper);
  if (upper && x < 1.1 && x * 1.1 >= a) return upper_small(a, x, epsilon);
  const bool by_lower = by_series(a, x);
  const double value = by_lower ? lower_series(a, x, epsilon) : upper_fraction(a, x, epsilon);
  return by_lower == upper ? 1 - value : value;
}

double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  if (std::fabs(d) < kTiny) d = kTiny;
  d = 1 / d;
  double value = d;
  const auto step = [&](double by) {
    d = 1 + by * d;
    c = 1 + by / c;
    if (std::fabs(d) < kTiny) d = kTiny;
    if (std::fabs(c) < kTiny) c = kTiny;
    d = 1 / d;
    value *= c * d;
    return std::fabs(c * d - 1);
  };
  for (int k = 1; k < kSteps; ++k) {
    step(k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)));
    if (step(-(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))) < 2 * kEpsilon) break;
  }
  return value;
}

// log of x^a y^b / B(a, b), y = 1 - x. What is large is taken by Stirling's series, whose large parts cancel.
double log_beta_term(double a, double b, double x, double y) {
  if (a < b) return log_beta_term(b, a, y, x);
  if (a < kStirlingFrom) return a * std::log(x) + b * std::log(y) + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
  const double n = a + b, off = x * b - y * a;  // x - a / n, times n
  const double of_a = stirling(n) - stirling(a);
  if (b < kStirlingFrom) {
    const double near = off - a * log1p_rest(off / a);
    return near + b * (std::log(y * n) - 1) - 0.5 * std::log1p(b / a) + of_a - log_gamma(b);
  }
  return -a * log1p_rest(off / a) - b * log1p_rest(-off / b) + 0.5 * std::log(a * (b / n) / (2 * std::numbers::pi)) +
         of_a - stirling(b);
}

}  // namespace

double zeta(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || s < 1) return kNaN;
  if (s == 1) return kInfinity;
  if (q > 0) return q == kInfinity ? 0 : zeta_above(s, q);
  if (is_integer(q)) return kInfinity;
  if (!is_integer(s)) return kNaN;
  const double fraction = q - std::floor(q), sign = is_integer(s / 2) ? 1 : -1;
  return zeta_above(s, fraction) + sign * (zeta_above(s, 1 - fraction) - zeta_above(s, 1 - q));
}

double zeta_slope(double s, double q) {
  if (std::isnan(s) || std::isnan(q) || !(s > 1) || q <= 0) return kNaN;
  return q == kInfinity ? 0 : zeta_above(Dual(s, 1), q).slope;
}

double polygamma(double n, double x) {
  if (!(n >= 2) || !is_integer(n)) return kNaN;
  double factorial = n > kShortPower ? std::tgamma(n + 1) : 1;
  for (double k = 2; k <= n && n <= kShortPower; ++k) factorial *= k;
  const double magnitude = factorial * zeta(n + 1, x);
  return is_integer(n / 2) ? -magnitude : magnitude;
}

double igamma(double a, double x) { return incomplete_gamma(a, x, false, kEpsilon); }
double igammac(double a, double x) { return incomplete_gamma(a, x, true, kEpsilon); }
double igamma_single(double a, double x) { return incomplete_gamma(a, x, false, kSingle); }
double igammac_single(double a, double x) { return incomplete_gamma(a, x, true, kSingle); }

double igamma_slope(double a, double x) {
  if (std::isnan(a) || std::isnan(x) || !(a > 0) || x < 0) return kNaN;
  if (x == 0 || std::isinf(x) || std::isinf(a)) return 0;
  if (a >= kUniform && std::fabs(x - a) >= 0.25 * a) return 0;
  return by_series(a, x) ? lower_series(Dual(a, 1), x).slope : -upper_fraction(Dual(a, 1), x).slope;
}

double betainc(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1)) return kNaN;
  if (x == 0 || x == 1) return x;
  const double term = std::exp(log_beta_term(a, b, x, 1 - x));
  if (x < (a + 1) / (a + b + 2)) return term * beta_fraction(a, b, x) / a;
  return 1 - term * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace ember::ops::special
