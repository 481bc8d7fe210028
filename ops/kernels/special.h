// Special functions of two or three numbers, one element at a time: series and continued fractions, as long as they
// take.
#pragma once

namespace ember::ops::special {

// The sum of (q + k)^-s from k = 0: infinite at s = 1 and at integers q <= 0; NaN for s < 1, and for q < 0 unless s is
// an integer.
double zeta(double s, double q);
double zeta_slope(double s, double q);  // by s, for q > 0

// The n-th derivative of psi, n an integer from 2; NaN for other n.
double polygamma(double n, double x);

// The regularised incomplete gamma functions P and Q = 1 - P, for a, x >= 0.
double igamma(double a, double x);
double igammac(double a, double x);
double igamma_single(double a, double x);  // to what float32 sees
double igammac_single(double a, double x);
double igamma_slope(double a, double x);  // dP / da

// The regularised incomplete beta function I_x(a, b), for a, b > 0 and x within [0, 1].
double betainc(double a, double b, double x);

}  // namespace ember::ops::special
