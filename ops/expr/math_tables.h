// Coefficients of ops/expr/math.h, ascending powers. All are minimax polynomials (Remez exchange in 60 digits, lowest
// coefficients rounded first and the rest fitted again), but the rational tanh, which is Cephes'. Names end in the size
// of the float that they serve; those of the 32 bit sets are float32 numbers.
#pragma once

namespace ember::ops::math {

inline constexpr double kLog2E = 0x1.71547652b82fep0;
inline constexpr double kLn2High32 = 0x1.62e43p-1;
inline constexpr double kLn2Low32 = -0x1.05c61p-29;
inline constexpr double kLn2High64 = 0x1.62e42fefa39efp-1;
inline constexpr double kLn2Low64 = 0x1.abc9e3b39803fp-56;
inline constexpr double kHalfPiHigh = 0x1.921fb54442d18p0;
inline constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;
inline constexpr double kHalfPiThird = -0x1.f1976b7ed8fbcp-110;
inline constexpr double kTwoOverPiHigh = 0x1.45f306dc9c883p-1;
inline constexpr double kTwoOverPiLow = -0x1.6b01ec5417056p-55;
inline constexpr double kQuarterPiHigh = 0x1.921fb54442d18p-1;
inline constexpr double kQuarterPiLow = 0x1.1a62633145c07p-55;
inline constexpr double kTwoThirdsHigh = 0x1.5555555555555p-1;
inline constexpr double kTwoThirdsLow = 0x1.5555555555555p-55;
inline constexpr double kSin64First = -0x1.5555555555548p-3;

// (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2
inline constexpr double kExp32[] = {0x1.fffffcp-2, 0x1.55548cp-3, 0x1.55585ap-5, 0x1.123d5cp-7, 0x1.6ab6c2p-10};
inline constexpr double kExp64[] = {
    0x1.000000000000ap-1,  0x1.55555555555p-3,    0x1.55555555505f4p-5, 0x1.1111111125a97p-7,  0x1.6c16c184bbcdap-10,
    0x1.a01a0138635ddp-13, 0x1.a01998764e18ep-16, 0x1.71deffe00a98p-19, 0x1.28aef3c79a9a9p-22, 0x1.adc424567f43ap-26};
// the same, to the relative error that expm1 needs
inline constexpr double kExpm132[] = {0x1p-1,        0x1.55552cp-3,  0x1.555502p-5,
                                      0x1.1155a8p-7, 0x1.6d2e4cp-10, 0x1.3b89eep-13};
inline constexpr double kExpm164[] = {0x1p-1,
                                      0x1.5555555555559p-3,
                                      0x1.5555555555558p-5,
                                      0x1.111111110f72cp-7,
                                      0x1.6c16c16c1789ep-10,
                                      0x1.a01a01af8b0cbp-13,
                                      0x1.a01a0196abcb6p-16,
                                      0x1.71ddf95f33db1p-19,
                                      0x1.27e50cb7e5ac4p-22,
                                      0x1.af5cd8b8e061p-26,
                                      0x1.1f1672d0e341fp-29};
// (log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f < sqrt(2)
inline constexpr double kLog32[] = {0x1.555548p-2,  -0x1.00003ap-2, 0x1.99a4b8p-3,  -0x1.5546a4p-3, 0x1.2326f2p-3,
                                    -0x1.fee6d2p-4, 0x1.ea6d74p-4,  -0x1.cfe52cp-4, 0x1.f89672p-5};
// (2 atanh(s) - 2 s) / s^3 by s^2, s = f / (2 + f)
inline constexpr double kLog64[] = {0x1.5555555555592p-1, 0x1.999999997ff0fp-2, 0x1.24924941e2e1bp-2,
                                    0x1.c71c5212236adp-3, 0x1.74663d91ce409p-3, 0x1.39a1d330fa34fp-3,
                                    0x1.2f04c583d4289p-3};
// (2 atanh(s) - 2 s - 2/3 s^3) / s^5 by s^2
inline constexpr double kAtanhTail[] = {0x1.9999999999996p-2, 0x1.2492492492f52p-2, 0x1.c71c71c59658dp-3,
                                        0x1.745d18297a5dcp-3, 0x1.3b1364bd94764p-3, 0x1.1120713767f0dp-3,
                                        0x1.de3d141e566e1p-4, 0x1.eac907fe8b9dfp-4};
// (atan(x) - x) / x^3 by x^2, |x| <= tan(pi / 8); those of float32 are computed in float64
inline constexpr double kAtan32[] = {-0x1.555554c5e352bp-2, 0x1.9999188823181p-3,  -0x1.247ed774fb56ap-3,
                                     0x1.c463b23c93d63p-4,  -0x1.5b2e71d7d1c38p-4, 0x1.849ab3835c0c0p-5};
inline constexpr double kAtan64[] = {-0x1.5555555555554p-2, 0x1.9999999999648p-3,  -0x1.2492492475550p-3,
                                     0x1.c71c71b73e7bep-4,  -0x1.745d14b8190dep-4, 0x1.3b136e0a676b0p-4,
                                     -0x1.110c70dd31571p-4, 0x1.e171dc01a0bcep-5,  -0x1.ab7ca5880f44ap-5,
                                     0x1.70ea02ea518cap-5,  -0x1.12309b674d625p-5, 0x1.f1cd971d03b3bp-7};
// (tanh(x) - x) / x^3 by x^2, |x| <= 0.625
inline constexpr double kTanh32[] = {-0x1.555554p-2, 0x1.11107ap-3,  -0x1.b9f188p-5,
                                     0x1.63a55p-6,   -0x1.0c5eccp-7, 0x1.1a27fep-9};
// sin(pi/2 t) / t and cos(pi/2 t) by t^2, |t| <= 1/2
inline constexpr double kSin32[] = {0x1.921fb5443ae19p0, -0x1.4abbce5633ec6p-1, 0x1.466bba7990d87p-4,
                                    -0x1.32ca7ccbed065p-8, 0x1.4bbfecb6c3d69p-13};
inline constexpr double kCos32[] = {0x1.ffffffffffda9p-1,  -0x1.3bd3cc9bd061bp0,  0x1.03c1f073ae62fp-2,
                                    -0x1.55d3b95a71ac8p-6, 0x1.e1e7522eca159p-11, -0x1.a0d567a944e7fp-16};
// (sin(x) - x) / x^3 without its first term, and (cos(x) - 1 + x^2 / 2) / x^4, by x^2, |x| <= pi / 4
inline constexpr double kSin64[] = {0x1.111111110f73p-7, -0x1.a01a019be9217p-13, 0x1.71de35552b532p-19,
                                    -0x1.ae5e4b83e6003p-26, 0x1.5d8b5595c719ap-33};
inline constexpr double kCos64[] = {0x1.555555555554bp-5,  -0x1.6c16c16c15005p-10, 0x1.a01a019c8c7d8p-16,
                                    -0x1.27e4f7ef0d8ap-22, 0x1.1ee9d9c6b60ep-29,   -0x1.8fa553a52ad9ep-37};
// erf(x) / x - 1 by x^2, |x| < 0.921875, and |x| < 1 in float64
inline constexpr double kErfNear32[] = {0x1.06eba8p-3, -0x1.81274p-2,   0x1.ce2d64p-4, -0x1.b80118p-6,
                                        0x1.5449dep-8, -0x1.a60668p-11, 0x1.4f547ep-14};
inline constexpr double kErfNear64[] = {0x1.06eba8214db69p-3,   -0x1.812746b037a25p-2,  0x1.ce2f21a0458d8p-4,
                                        -0x1.b82ce31355366p-6,  0x1.565bcd2c89106p-8,   -0x1.c02db93e6989p-11,
                                        0x1.f9a3bb233edefp-14,  -0x1.f4dd1e3773087p-17, 0x1.ba6bd224c067ep-20,
                                        -0x1.63ac0b7baa016p-23, 0x1.13c84286c315dp-26,  -0x1.c94200d0082dap-30,
                                        0x1.42620bc1fa355p-33};
// log(1 - erf(t)) for t within [0.921875, 4], and within [1, 6] in float64
inline constexpr double kErfFar32[] = {-0x1.a06696p-13, -0x1.20ae92p0,  -0x1.463f6p-1, -0x1.a9a1c8p-4,
                                       0x1.6c0712p-6,   -0x1.8e9aa6p-9, 0x1.9a762ap-13};
inline constexpr double kErfFar64[] = {
    -0x1.dda0e22e8aaf9p-26, -0x1.20dd70cc93e82p0,   -0x1.45f327219beddp-1,  -0x1.a4f302e7bf56cp-4,
    0x1.3964d6f8931c2p-6,   0x1.a84241aba02bcp-13,  -0x1.b714c707c045fp-10, 0x1.219800a18b0c1p-11,
    0x1.714f7ca3d6d19p-16,  -0x1.d0acd2113da17p-14, 0x1.0fa2de64d482bp-14,  -0x1.975e98ac761ffp-16,
    0x1.c74b9bcfc2adp-18,   -0x1.8a8a432a20c35p-20, 0x1.0a73ae6a9685bp-22,  -0x1.14913cf5cd614p-25,
    0x1.ab369a9319bffp-29,  -0x1.cefc3019269a4p-33, 0x1.3a2db8f641bdcp-37,  -0x1.91b9d4ea412dep-43};
// tanh(x) = x + x z P(z) / Q(z) for |x| <= 0.625, z = x^2
inline constexpr double kTanhOver64[] = {-1.61468768441708447952E3, -9.92877231001918586564E1,
                                         -9.64399179425052238628E-1};
inline constexpr double kTanhUnder64[] = {4.84406305325125486048E3, 2.23548839060100448583E3, 1.12811678491632931402E2,
                                          1.0};

}  // namespace ember::ops::math
