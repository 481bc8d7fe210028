// The tests of ops find LAPACK where CMake found it.
#include "ops/linalg/lapack.h"

namespace {
const bool loaded = (ember::ops::set_lapack(EMBERJIT_LAPACK), true);
}
