// The transform of one contiguous row of complex numbers, interleaved. Long rows are shared among threads, by panels,
// so that the bits of the result do not depend on their number.
#pragma once

#include "ops/fft/plan.h"

namespace ember::ops {

// out = scale times the transform of in, in the direction exp(-2 pi i) if sign is 1, and exp(2 pi i) if it is -1.
template <class T>
void transform_row(const FftPlan<T>& plan, const T* in, T* out, T sign, T scale);
// Contiguous rows; of such as go by steps.
template <class T>
void transform_rows(const FftPlan<T>& plan, const T* in, T* out, int64_t rows, T sign, T scale);

// Panels of n numbers that are read or written together.
template <class T>
int64_t fft_group(int64_t n);

}  // namespace ember::ops
