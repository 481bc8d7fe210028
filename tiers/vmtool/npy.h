// NumPy's .npy files, versions 1 to 3, of emberjit's dtypes; little-endian only. Both orders are read, the result of a
// Fortran-ordered file being a transposed view.
#pragma once

#include <stdexcept>
#include <string>

#include "ops/tensor/tensor.h"

namespace ember::vmtool {

struct NpyError : std::runtime_error {
  using std::runtime_error::runtime_error;  // "x.npy: the header is malformed"
};

ops::Tensor read_npy(const std::string& path);
void write_npy(const ops::Tensor& tensor, const std::string& path);

}  // namespace ember::vmtool
