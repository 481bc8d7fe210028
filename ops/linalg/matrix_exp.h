// The exponential of a matrix, by scaling and squaring a Pade approximant (Higham 2005, "The scaling and squaring
// method for the matrix exponential revisited").
#pragma once

#include <cstdint>

namespace ember::ops {

// Of an n x n matrix in row-major order. Throws LapackMissing.
template <class T>
void matrix_exp(int64_t n, const T* a, T* out);

}  // namespace ember::ops
