// Written by tools/special_tables.py: polynomials of the special functions (ops/expr/special.cpp), by ascending
// powers of t = (x - middle) / half the width of the interval that is given, or of x where that is said.
#pragma once

namespace ember::ops::special {

inline constexpr double kPsiRootHigh = 0x1.762d86356be3fp+0;
inline constexpr double kPsiRootLow = 0x1.b86a722197829p-54;

// (1 + 2 x) e^(x^2) erfc(x) by (x - 4) / (x + 4), within [-1, 0.75]
inline constexpr double kErfcx[] = {
    0x1.40228e025e390p+0,  -0x1.f374989594016p-4,  -0x1.108fb31faf78bp-6,  0x1.75bbcefbdf5e7p-4,
    -0x1.ab644dc290e83p-4, 0x1.4b1d6298a44b2p-4,   -0x1.88a6d5f514365p-5,  0x1.6a9310b927b72p-6,
    -0x1.f65accc0783cbp-8, 0x1.c46211f69fb32p-10,  -0x1.5efb916b8c45ep-14, -0x1.adc39b663e538p-14,
    0x1.1e70251a191cap-15, 0x1.67bae070c68d4p-21,  -0x1.a37650a568485p-19, 0x1.e574b18a3c91ep-22,
    0x1.fcbf1ed213c46p-23, -0x1.29032d22e2ce8p-24, -0x1.39886fdb1fb09p-26, 0x1.02e0d8b8adc60p-27,
    0x1.9ae94180a3c50p-30, -0x1.2073a0e660c9dp-31, -0x1.a848025f48f4dp-34};

// erfinv(x) / x by w = -log(1 - x^2), within [0, 5]
inline constexpr double kErfinvMiddle[] = {
    0x1.805c5cfcedef5p+0,   0x1.3bb315fc7682cp-1,   -0x1.abc1e0b47d817p-6,  -0x1.40b177277d098p-6,
    0x1.175c3f22678e9p-7,   -0x1.ff993aa2d9092p-12, -0x1.b553ca61edb4cp-11, 0x1.32625704929c7p-12,
    0x1.577844647363ep-16,  -0x1.5b8eb36289378p-15, 0x1.22573a22e50d0p-17,  0x1.7ebe4b1ab8d1bp-19,
    -0x1.f1ba33ff56758p-20, 0x1.23ab5ff72c5d1p-23,  0x1.adbe0fb7109aep-23,  -0x1.306cd0cfb1c03p-24,
    -0x1.fc55190c8dcd2p-28, 0x1.7ad4419921a18p-27,  -0x1.958600ab5a6e5p-30, -0x1.0a74dc676aa38p-30,
    0x1.fba409bfee634p-33,  0x1.49114e28b4700p-35};

// the same by sqrt(w), within [2.2, 4]
inline constexpr double kErfinvFar[] = {
    0x1.777422abdd244p+1,   0x1.ce58b41c4cd0ep-1,   0x1.8c033c223c6bfp-8,   -0x1.1028c8f81572fp-8,
    0x1.626ce8519a3f7p-9,   -0x1.a3fcbece72259p-10, 0x1.6ecbbd8e35803p-11,  -0x1.34852e2598797p-13,
    -0x1.b7f32c34d4d0ep-15, 0x1.ea420907cf804p-15,  -0x1.58e16eace108ep-16, -0x1.04b92da367615p-21,
    0x1.ff4fc2494b62ap-19,  -0x1.bd83c1f77142fp-20, 0x1.1630d98f38057p-23,  0x1.af48c9e0608f2p-23,
    -0x1.d333427c83f72p-24, 0x1.410a1465dcb06p-26,  0x1.187e9f9932faep-27,  -0x1.caba7f607dcadp-28,
    0x1.a46db3055acffp-30,  0x1.a392387163c3bp-32,  -0x1.2af335673989bp-32, 0x1.43ff6c70a4f77p-35};

// the same by sqrt(w), within [4, 6.2]
inline constexpr double kErfinvTail[] = {
    0x1.3cdc1ddba66bdp+2,  0x1.1c7db66841f09p+0,   -0x1.f89d774c6328ap-13, -0x1.044ec96cd65e0p-12,
    0x1.9a3613988f634p-14, -0x1.cfbb6ff9359d7p-16, 0x1.ce7700f5e722ap-18,  -0x1.b2bd09d260f7bp-20,
    0x1.9c4e461237bc6p-22, -0x1.cc0dadeb6a897p-24, 0x1.70a7bde61078fp-25,  -0x1.8ffbaa6afaeb1p-26,
    0x1.cdb6b2555c017p-27, -0x1.e405bac3373d2p-28, 0x1.a9278c3003744p-29,  -0x1.3be5bb971a55ap-30,
    0x1.92997e647eaa1p-32, -0x1.c60067e5e2bb1p-36, -0x1.20dd032065a9cp-34, 0x1.bd3108cd58625p-36};

// log Gamma(2 + d) / d, within [-0.5, 0.5]
inline constexpr double kLogGamma[] = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-3,  -0x1.13e001a55760ap-6,  0x1.51322ac7d848ap-9,
    -0x1.e404fc218dbaep-12, 0x1.7add6eadb5317p-14, -0x1.38ac5c2d48207p-16, 0x1.0b36af8779ca0p-18,
    -0x1.d3fd4b679c1c4p-21, 0x1.a127afee53e7dp-23, -0x1.78de9ab752b81p-25, 0x1.580e0afa55850p-27,
    -0x1.3cb3be36ad88bp-29, 0x1.258f3057730fap-31, -0x1.1276ebd557fb0p-33, 0x1.012012be3900ap-35,
    -0x1.ce17528bcf460p-38, 0x1.b40adb09a1e12p-40, -0x1.2009c1a550d0dp-41, 0x1.11fa5e7c86f7bp-43};

// x (log Gamma(x) - Stirling's formula) by 1 / x^2, within [0, 0.015625]
inline constexpr double kStirling[] = {0x1.553ea0d6c39e1p-4,   -0x1.6a7a422698ee5p-16, 0x1.98f1bdd46f471p-25,
                                       -0x1.2ade4e3b16546p-32, 0x1.94e3a1312e5a9p-39,  -0x1.b0b802f7f0caap-45,
                                       0x1.4c1bf3d34ca59p-50,  -0x1.55b3a71b66a2ep-55};

// psi(x) / (x - root), within [1, 2]
inline constexpr double kPsi[] = {
    0x1.e6f0cbb873616p-1,  -0x1.b1cb63005ee96p-3,  0x1.eca189b8e6f7bp-5,  -0x1.2feeeb98a7e14p-6,
    0x1.8512e59037f3fp-8,  -0x1.fb4420299c39ep-10, 0x1.4de9aa17fed5cp-11, -0x1.b9f8b14eb372ep-13,
    0x1.256471573c163p-14, -0x1.8635595c28480p-16, 0x1.03c0b29031197p-17, -0x1.5a07ffdcf1525p-19,
    0x1.cd1f2dbc0dbedp-21, -0x1.335166d938f39p-22, 0x1.99e14548a2d9bp-24, -0x1.1138fd323dc0cp-25,
    0x1.69be71d89ad40p-27, -0x1.e24e3f4fdc1dcp-29, 0x1.56ae8897d5d3dp-30, -0x1.c8e71b670fd14p-32,
    0x1.80c273fb322c5p-34, -0x1.0081238b97022p-35, 0x1.0080971c5617fp-35, -0x1.5600aebc07538p-37};

// x^2 (log x - 1 / 2x - psi(x)) by 1 / x^2, within [0, 0.015625]
inline constexpr double kPsiTail[] = {0x1.5511518e7ecafp-4,   -0x1.0f0f38be08821p-14, 0x1.fbad925f01fa1p-23,
                                      -0x1.0258bd0ea522dp-29, 0x1.bf0c6c8dba345p-36,  -0x1.21bb062cb0305p-41,
                                      0x1.04b457763d72bp-46,  -0x1.329c9079bcef2p-51};

// x^3 (psi'(x) - 1 / x - 1 / 2x^2) by 1 / x^2, within [0, 0.015625]
inline constexpr double kTrigammaTail[] = {0x1.54cd8dc04f48dp-3,   -0x1.0e1161f4d91d4p-12, 0x1.79bb239065f17p-20,
                                           -0x1.fdb547dfa8f1dp-27, 0x1.11bf0bf8bf07fp-32,  -0x1.a66a793550ea4p-38,
                                           0x1.b7e2479364daap-43,  -0x1.24d1c876e87ffp-47};

// (J0(x) - 1) / x^2, within [0, 64]
inline constexpr double kJ0Near[] = {
    -0x1.e88903a07b1d8p-6,  0x1.e26cbac8cdde6p-5,  -0x1.443768020fe59p-4,  0x1.b98fe78aeb544p-5,
    -0x1.5f795610f00fap-6,  0x1.6e99f01e53054p-8,  -0x1.0e76f23395c05p-10, 0x1.29ba9e59a26eep-13,
    -0x1.fc759cea41c75p-17, 0x1.5af149b70004bp-20, -0x1.834b9838da5c7p-24, 0x1.68671ee58b43ep-28,
    -0x1.1bf7c0c8ffc72p-32, 0x1.7fe2e88dde5b1p-37, -0x1.c232f5787128ep-42, 0x1.ce70327da3373p-47,
    -0x1.a38ef2f4cabb2p-52, 0x1.52b4ee0547f10p-57, -0x1.e9cc6abdbdbacp-63, 0x1.3f0b23548d7aep-68,
    -0x1.78f0b871bd200p-74, 0x1.948fecb37ae60p-80};

// Y(x) less its singular part, of order 1 over x, by x^2, within [0, 64]
inline constexpr double kY0Near[] = {
    -0x1.876cb72f1c7ebp-2,  -0x1.a828bfbfdc936p-1, 0x1.a5a81d661f788p+0,   0x1.272bb3b608b42p-3,
    -0x1.13da2b14a486ep+0,  0x1.5827981135a27p-1,  -0x1.c06cc647f6aa5p-3,  0x1.7bd6bf2ce921bp-5,
    -0x1.cc706012361fcp-8,  0x1.a6a8c6c983768p-11, -0x1.31537c5ccd741p-14, 0x1.651b8eda1dfecp-18,
    -0x1.5995ab1ed85dap-22, 0x1.1998aaae8e87cp-26, -0x1.88011a9b847aap-31, 0x1.d7cb2d9110fc7p-36,
    -0x1.effd8830ef052p-41, 0x1.cb86044af50bfp-46, -0x1.7a1c6a5b7ebc9p-51, 0x1.163631c4c0577p-56,
    -0x1.70fa466482ea0p-62, 0x1.b9be799c7d7e5p-68};

// by (8 / x)^2, within [0, 1]
inline constexpr double kHankelP0[] = {0x1.ffb8dd328503dp-1,   -0x1.193600c1deb24p-11, 0x1.9be00160e823fp-18,
                                       -0x1.b8d2d6f7a2846p-23, 0x1.b7ef11d50d123p-27,  -0x1.4d2f3066d9562p-30,
                                       0x1.54df0ce0b3c60p-33,  -0x1.b5cc0a14f8f46p-36, 0x1.4ff43f3a3b25ap-38,
                                       -0x1.29370e92590fbp-40, 0x1.27eb5ec560053p-42,  -0x1.4ec56f0f7c419p-44,
                                       0x1.9542d15c8023cp-46,  -0x1.69ea19bd0e0e3p-48, 0x1.bb7a2aca593bbp-50,
                                       -0x1.047589f7053ddp-49, 0x1.a7b9694769842p-51};

// Q x / 8 by (8 / x)^2, within [0, 1]
inline constexpr double kHankelQ0[] = {-0x1.fdb5c0b2f3d5bp-7,  0x1.1e9a6138fee31p-14,  -0x1.8c843528481acp-20,
                                       0x1.3135a89eebfdap-24,  -0x1.858d1bcf49674p-28, 0x1.61a55a4aaf387p-31,
                                       -0x1.a082b466b6417p-34, 0x1.2ba66646ad2b4p-36,  -0x1.f959b428143a8p-39,
                                       0x1.e40448b526ea4p-41,  -0x1.02195f96eb8c4p-42, 0x1.396711df98b30p-44,
                                       -0x1.918aa79791369p-46, 0x1.53b0007c589dap-48,  -0x1.a54b1f431f225p-50,
                                       0x1.341aa1f924f65p-49,  -0x1.04119eee234ffp-50};

// e^-x I(x), of order 1 over x, within [0, 8]
inline constexpr double kI0Near[] = {
    0x1.a7f09f8eedf5ap-3,  -0x1.cedda0048620cp-4,  0x1.8322d1d8a3bcdp-4,  -0x1.6cb8d0c915893p-4,
    0x1.65c235bfea525p-4,  -0x1.5c028fe6476f7p-4,  0x1.44b6196a81ccap-4,  -0x1.1cd73a8e6f3d9p-4,
    0x1.d11e10f4dfa6fp-5,  -0x1.602411e26e1e2p-5,  0x1.ee6f5662ec724p-6,  -0x1.427b0996a6054p-6,
    0x1.87e866aff9c28p-7,  -0x1.bd258e7552c48p-8,  0x1.da1ab0ffbed10p-9,  -0x1.daf9b709c141bp-10,
    0x1.c0f3e4bcd5e4fp-11, -0x1.917ff39119b7bp-12, 0x1.549d75133a92bp-13, -0x1.12c7a39f1c1bdp-14,
    0x1.a681cc3a72d71p-16, -0x1.363e2e9d2e6fap-17, 0x1.b42fc795f8947p-19, -0x1.25ba2e79d467bp-20,
    0x1.7a192da16a51bp-22, -0x1.d6c2d69ec9ad7p-24, 0x1.23c85af95d499p-25, -0x1.4efc8b715c1ebp-27,
    0x1.2cc0a9fd2c65bp-29, -0x1.4d509b6a71026p-31, 0x1.4e94f6b75fda6p-32, -0x1.488a1f64814c0p-34};

// sqrt(x) e^-x I(x) by 8 / x, within [0, 1]
inline constexpr double kI0Far[] = {
    0x1.9bd428ad249a5p-2,   0x1.b87969bb93bcbp-9,  0x1.1daa72b5ccfadp-13,  0x1.75e5ee702e57ap-17,
    0x1.8e513c6a21829p-20,  0x1.3f49ac32e14bfp-22, 0x1.7d0cd4fd1f2b8p-24,  0x1.51ccdc47b6c77p-25,
    0x1.7288379f891f7p-26,  0x1.03bcdeab408e2p-27, -0x1.d72c8d3f0b6bcp-28, -0x1.cd5da3da6b614p-27,
    -0x1.58ce729fc478ap-28, 0x1.05248ba2f26a0p-27, 0x1.c034e59a2db9bp-28,  -0x1.ece52144ada18p-29,
    -0x1.3756a636aa04fp-28, 0x1.ba2352eb42f20p-30, 0x1.295fc465ff477p-29,  -0x1.5be16a36a0da0p-31,
    -0x1.650b3e7f898b0p-31, 0x1.852f5d42d1ca3p-33, 0x1.90df137cc1a36p-34,  -0x1.ada2c97f3fdddp-36};

// I(x), of order 1 over x, by x^2, within [0, 1]
inline constexpr double kI0Even[] = {0x1.2103955e779d2p+0,  0x1.10563a512a7f7p-3,  0x1.0ad5b0d4d1db8p-8,
                                     0x1.d5832972e14eep-15, 0x1.d29bad776a2dep-22, 0x1.2964cafc3a73ap-29,
                                     0x1.07913a1c8e763p-37, 0x1.577cf3fcbd6b1p-46, 0x1.56e48dba7a232p-55};

// K(x) less its singular part by x^2, within [0, 1]
inline constexpr double kK0Near[] = {-0x1.0a986e5395bcap-1, 0x1.edaf6c5cb9749p-5,  0x1.f3c50206287e4p-9,
                                     0x1.28b31515d74aep-14, 0x1.608b05596dfd9p-21, 0x1.fc6abc44c1a1ap-29,
                                     0x1.ee4660d13c1ecp-37, 0x1.5a826191ab3adp-45, 0x1.6f44fba0a5e61p-54};

// sqrt(x) e^x K(x) by 1 / x, within [0, 1]
inline constexpr double kK0Far[] = {
    0x1.30ae2423de262p+0,  -0x1.ac450893fa54cp-5,  0x1.085a24b1d97cbp-7,   -0x1.f446a7e2655b6p-10,
    0x1.2a7215a28889dp-11, -0x1.9db9cc3ed5b53p-13, 0x1.3f1d216d7f06cp-14,  -0x1.0ae1b64bab204p-15,
    0x1.dbdb7cfc659a9p-17, -0x1.bee7e18ab3abbp-18, 0x1.b643a09a4b649p-19,  -0x1.be0361af2a394p-20,
    0x1.d76d4c00df377p-21, -0x1.fe745c80038b7p-22, 0x1.f7ec476aa404ap-23,  -0x1.130894a497e02p-23,
    0x1.93368cffb735bp-23, -0x1.0f8d0b3060bd6p-23, -0x1.14ad506a3c4dbp-22, 0x1.a4f8c435580bfp-23,
    0x1.4533da76ba468p-21, -0x1.e2b41bad05f10p-22, -0x1.e31876805ea1cp-21, 0x1.67b55cffd1e61p-21,
    0x1.0d287d4b0e449p-20, -0x1.903aff73fc2c4p-21, -0x1.a581808c799ddp-21, 0x1.3944a55fc297cp-21,
    0x1.bf2361ce6e940p-22, -0x1.4bf41364570d1p-22, -0x1.1f532d60519f6p-23, 0x1.aa2705a31d0fap-24,
    0x1.59a79258bc0e1p-26, -0x1.ff77b291a7adcp-27};

// J1(x) / x, within [0, 64]
inline constexpr double kJ1Near[] = {
    -0x1.dc5071f1209f4p-5, 0x1.4c042a76a3d9ap-4,   0x1.364e5cb5ceb27p-3,  -0x1.09d33c82734c7p-2,
    0x1.44c7908bb221ep-3,  -0x1.c07a4d5a245fdp-5,  0x1.982f5536aa884p-7,  -0x1.09f3448afe527p-9,
    0x1.059d3114e6ffcp-12, -0x1.936bb4404ef6ap-16, 0x1.f58f14a672474p-20, -0x1.00fdba22bc759p-23,
    0x1.b9f413776b592p-28, -0x1.439726c5d76dbp-32, 0x1.98837ca63b1b9p-37, -0x1.c153bae632ea4p-42,
    0x1.b288e03f6d9ddp-47, -0x1.746f73308213ep-52, 0x1.1ce5e57b09409p-57, -0x1.8773de176f693p-63,
    0x1.e680ceaba529dp-69, -0x1.11e746ee80a1fp-74};

// Y(x) less its singular part, of order 1 over x, by x^2, within [0, 64]
inline constexpr double kY1Near[] = {
    0x1.21d516f81acf6p-4,   -0x1.f26fddceafd0ep-3, 0x1.7edab31507d03p-6,   0x1.e16d7a1d07b70p-3,
    -0x1.923952d7c42a6p-3,  0x1.41bb6917b15dbp-4,  -0x1.4198f92a31f2bp-6,  0x1.c097bb98fdbc5p-9,
    -0x1.d1604f9ccacf4p-12, 0x1.76c164b855154p-15, -0x1.e35169de5c743p-19, 0x1.ff34fc7731957p-23,
    -0x1.c3f1d8ed88daap-27, 0x1.532f684844f15p-31, -0x1.b5d40e8fdaeeep-36, 0x1.eb63f13e7b58fp-41,
    -0x1.e411ff05f50b9p-46, 0x1.a601ac601ea4cp-51, -0x1.47f0b383a927ap-56, 0x1.c93dcf0456582p-62,
    -0x1.200f54418db3ap-67, 0x1.488babe0cc997p-73};

// by (8 / x)^2, within [0, 1]
inline constexpr double kHankelP1[] = {0x1.003b716033732p+0,   0x1.d73b8ea3c1238p-11,  -0x1.0b1541bfc38b8p-17,
                                       0x1.07762641dd462p-22,  -0x1.f96170eb105dcp-27, 0x1.75eaf634be6f0p-30,
                                       -0x1.78ba263317e77p-33, 0x1.dea34d76e5748p-36,  -0x1.6c57ffed6724ep-38,
                                       0x1.4054ae55a302ep-40,  -0x1.3d5916359e25ap-42, 0x1.655ef6af8df4dp-44,
                                       -0x1.af1550a2ce418p-46, 0x1.81a25fde03778p-48,  -0x1.d7e736208fd1dp-50,
                                       0x1.125263266053fp-49,  -0x1.bd6fe4fb1ba12p-51};

// Q x / 8 by (8 / x)^2, within [0, 1]
inline constexpr double kHankelQ1[] = {0x1.7f323705062fbp-5,   -0x1.938da0a0a6987p-14, 0x1.e8e009ca8e3bbp-20,
                                       -0x1.64231279797ffp-24, 0x1.b9302aab3c597p-28,  -0x1.8922dc2c5d2bap-31,
                                       0x1.c92daed1f73cfp-34,  -0x1.45e3c75494ae2p-36, 0x1.10e20dd7cde29p-38,
                                       -0x1.03ef97a13df2fp-40, 0x1.13fd1cba4b5bfp-42,  -0x1.4daeed69db9abp-44,
                                       0x1.aa21f269a17dep-46,  -0x1.69a148a1eb30ap-48, 0x1.c032856bf2889p-50,
                                       -0x1.43fb24ad224abp-49, 0x1.10fea9704b4bfp-50};

// e^-x I(x), of order 1 over x, within [0, 8]
inline constexpr double kI1Near[] = {
    0x1.6e14eb8e5d319p-5,  -0x1.f4bb071a7752bp-5,  0x1.16c390ddb08edp-4,  -0x1.1881379ffb5c2p-4,
    0x1.0530f817ff9e1p-4,  -0x1.c4daa51341c3bp-5,  0x1.6df95e8be14bep-5,  -0x1.13d5f358a5495p-5,
    0x1.84125b0cff371p-6,  -0x1.fe3d9c0190509p-7,  0x1.3a0c1a03dcddfp-7,  -0x1.6ab6a3890a802p-8,
    0x1.89f8a642f4444p-9,  -0x1.93682669e48d9p-10, 0x1.8656c6be39e57p-11, -0x1.65bf68665607bp-12,
    0x1.3742cd4d7bcaap-13, -0x1.01a419b25a55dp-14, 0x1.96975305999c2p-16, -0x1.326bebe2f6505p-17,
    0x1.b9e739571152fp-19, -0x1.3168363eb6772p-20, 0x1.955c19e30b5bcp-22, -0x1.02829f340b5f1p-23,
    0x1.3c6b80c5c46cep-25, -0x1.76d304a34972dp-27, 0x1.b78fb468d5a2ap-29, -0x1.e31ddb713baabp-31,
    0x1.b033676fd4db7p-33, -0x1.c88b08c03638cp-35, 0x1.9d8a807401a72p-36, -0x1.87ef6eb7c8297p-38};

// sqrt(x) e^-x I(x) by 8 / x, within [0, 1]
inline constexpr double kI1Far[] = {
    0x1.8ebe783a84030p-2,   -0x1.3f796198ee63dp-7,  -0x1.cbc54df1d28edp-13, -0x1.f89c2304c35d3p-17,
    -0x1.ec8e127b73a3fp-20, -0x1.761383996dea0p-22, -0x1.ad8afba84040bp-24, -0x1.727891f52aef6p-25,
    -0x1.91e870dc073a7p-26, -0x1.21ba2485afab4p-27, 0x1.d68fdf13b4f0fp-28,  0x1.e2d0791db759ap-27,
    0x1.7ee7fbfb39f90p-28,  -0x1.0821c71098c2bp-27, -0x1.dd37812c1dd72p-28, 0x1.e14768d6db225p-29,
    0x1.475d4e2f2acfep-28,  -0x1.a250a944e85b4p-30, -0x1.36f288e187d2ep-29, 0x1.42be4263f9ec5p-31,
    0x1.7455f3bd09231p-31,  -0x1.6612a100e112cp-33, -0x1.a1752f6235857p-34, 0x1.8a72ab2fc6959p-36};

// I(x), of order 1 over x, by x^2, within [0, 1]
inline constexpr double kI1Even[] = {0x1.10563a512a7f7p-1,  0x1.0ad5b0d4d1db8p-5,  0x1.60225f1628fafp-11,
                                     0x1.d29bad776a2dep-18, 0x1.73bdfdbb9066dp-25, 0x1.8b59d72ac3737p-33,
                                     0x1.2c8cd053969d5p-41, 0x1.56e4a60cec41ep-50, 0x1.305effd6d6c8bp-59};

// K(x) less its singular part by x^2, within [0, 1]
inline constexpr double kK1Near[] = {0x1.144f4c5602eb9p-6,   -0x1.702c0c2f4f17bp-6,  -0x1.82d04d2ed20b2p-11,
                                     -0x1.4386563e9cb88p-17, -0x1.2b3cd7589a890p-24, -0x1.62466b8478dfep-32,
                                     -0x1.247af5f3677cfp-40, -0x1.64922cab28df9p-49, -0x1.4e6e1584f9639p-58};

// sqrt(x) e^x K(x) by 1 / x, within [0, 1]
inline constexpr double kK1Far[] = {
    0x1.7628990a85c65p+0,   0x1.80fb15bf9d160p-3,  -0x1.03bbb0fa2f6a1p-6,  0x1.97e59d891b3b5p-9,
    -0x1.bab479ad284ccp-11, 0x1.21729cba54cb9p-12, -0x1.acf5abc4afec0p-14, 0x1.5c523cca5c260p-15,
    -0x1.2f8c302d97c2ap-16, 0x1.17f1e531d06c1p-17, -0x1.0e7977fdd787dp-18, 0x1.0fd7082ccc523p-19,
    -0x1.1c1cd92e4b414p-20, 0x1.30c35d8e9d973p-21, -0x1.2d9231bb8e0cbp-22, 0x1.47b8ab1a64feep-23,
    -0x1.c4a4bb7d773b1p-23, 0x1.2e93d902fe1e9p-23, 0x1.2973147298427p-22,  -0x1.c4f7d4d57d21fp-23,
    -0x1.60cdde01abfbep-21, 0x1.057d72059632fp-21, 0x1.05bdc7f1c6314p-20,  -0x1.855d718e96a97p-21,
    -0x1.23cd3a68adb3fp-20, 0x1.b16922ebf2c39p-21, 0x1.c902bc4441c22p-21,  -0x1.5346810683f9bp-21,
    -0x1.e4f6f244dcc6ep-22, 0x1.67a01359387ffp-22, 0x1.37bb92559e50cp-23,  -0x1.cdd266931f0adp-24,
    -0x1.7748e901b29b3p-26, 0x1.15534b4b4523bp-26};

// e^x by x, within [-0.346574, 0.346574]
inline constexpr double kExpSingle[] = {0x1.0000000000000p+0, 0x1.000000a1fd6a7p+0, 0x1.00000028794dfp-1,
                                        0x1.5554043e289bcp-3, 0x1.5554ace120b86p-5, 0x1.126fa6fd6e815p-7,
                                        0x1.6d7531eae5468p-10};

// 2^x by x, within [-0.5, 0.5]
inline constexpr double kExp2Single[] = {0x1.0000000000000p+0, 0x1.62e430d034702p-1, 0x1.ebfbe045f4d3cp-3,
                                         0x1.c6aecc669b6ddp-5, 0x1.3b2a1b7152befp-7, 0x1.5f48c04f62e50p-10,
                                         0x1.443fffc90db59p-13};

// (e^x - 1 - x) / x^2 by x, within [-0.346574, 0.346574]
inline constexpr double kExpm1Single[] = {0x1.0000000b8f62bp-1, 0x1.5555555a78232p-3,  0x1.5554e9114ecf9p-5,
                                          0x1.1110e0f726534p-7, 0x1.6d431504c53d3p-10, 0x1.a124e3f154d32p-13};

// log(1 + x) / x by x, within [-0.292893, 0.414214]
inline constexpr double kLogSingle[] = {0x1.0000000294d3fp+0,  -0x1.ffffff9b54336p-2, 0x1.555540bfde981p-2,
                                        -0x1.000029dbd8b37p-2, 0x1.99a6e4e0efb7fp-3,  -0x1.5554c03ac1ed9p-3,
                                        0x1.23115669be2f7p-3,  -0x1.fcc1c03210548p-4, 0x1.e94d9cb15bff0p-4,
                                        -0x1.dbfb5485ff03dp-4, 0x1.0d33d860b6dfcp-4};

// log(1 + x) / x to the base 2 by x, within [-0.292893, 0.414214]
inline constexpr double kLog2Single[] = {0x1.71547656718f6p+0,  -0x1.7154760a19c37p-1, 0x1.ec708011658a9p-2,
                                         -0x1.7154b2b66b068p-2, 0x1.27805c014f843p-2,  -0x1.ec6fc6a720248p-3,
                                         0x1.a3ec05c6d0a22p-3,  -0x1.6efd906076542p-3, 0x1.60f5273d78770p-3,
                                         -0x1.575927a6433c6p-3, 0x1.84608c53495c0p-4};

// log(1 + x) / x to the base 10 by x, within [-0.292893, 0.414214]
inline constexpr double kLog10Single[] = {0x1.bcb7b156ea4aap-2,  -0x1.bcb7b0fafd372p-3, 0x1.287a6455f4b0ep-3,
                                          -0x1.bcb7fa09c34e8p-4, 0x1.63d1b38204653p-4,  -0x1.2879f4b469be9p-4,
                                          0x1.f9a2ece0e12b7p-5,  -0x1.b9e68c1e7fa54p-5, 0x1.a900da956ab1ep-5,
                                          -0x1.9d6eb879ed911p-5, 0x1.d3a715cef1865p-6};

// (asin(x) - x) / x^3 by x^2, within [0, 0.25]
inline constexpr double kAsinSingle[] = {0x1.555554e435732p-3, 0x1.333430fcff28ep-4, 0x1.6d5bb95f8e653p-5,
                                         0x1.fd8da2554dd34p-6, 0x1.18f91e79712c6p-6, 0x1.13fed3dd245c1p-5};

// kErfcx for x within [1/2, 12] by (x - 4) / (x + 4), within [-0.78, 0.5]
inline constexpr double kErfcxSingle[] = {0x1.3ba5916fe4ed2p+0,  -0x1.1df1acab709a6p-3,  0x1.f7f56b910a2e7p-7,
                                          0x1.16ecb791d00fcp-4,  -0x1.9dd98b5d2f009p-4,  0x1.7ff2a67ad6245p-4,
                                          -0x1.0fbf755ef7ef7p-4, 0x1.30247b1629cd2p-5,   -0x1.0899679187c94p-6,
                                          0x1.54dcb243da21bp-8,  -0x1.92346ce8378ccp-11, -0x1.e5b211d73efb0p-12};

// erfinv(x) / x by w = -log(1 - x^2), within [0, 5]
inline constexpr double kErfinvSingle[] = {0x1.c5bf891fdde9fp-1,  0x1.db29f71873b1fp-3,   0x1.7a754eed81674p-7,
                                           -0x1.3233ffd4a5df5p-9, -0x1.087cfe6048d6dp-13, 0x1.75df8937c643ap-15,
                                           0x1.bf17e87f90989p-19, -0x1.976067aa59a22p-20, 0x1.15b9f39b582afp-24,
                                           0x1.641ad7aa462e6p-26, -0x1.96fd94ffd9daap-29, 0x1.0f810cd459d8fp-33};

// erf(x) / x by x^2, within [0, 0.25]
inline constexpr double kErfSingle[] = {0x1.20dd74fdbf59bp+0, -0x1.812732a02c36fp-2, 0x1.ce250ffea58dcp-4,
                                        -0x1.b66610c0c49cdp-6, 0x1.3545114b17941p-8};

// sin(pi x) / x by x^2, within [0, 0.25]
inline constexpr double kSineOfPiSingle[] = {0x1.921fb54425516p+1,  -0x1.4abbce51c31dap+2, 0x1.466bc06900900p+1,
                                             -0x1.32d12ebe6b560p-1, 0x1.5014072bd9ca2p-4,  -0x1.cc9b5f3456b49p-8};

}  // namespace ember::ops::special
