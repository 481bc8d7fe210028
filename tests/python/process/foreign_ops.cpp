// Functions that tests call by foreign_call, with their gradients.
#include <cstdint>
#include <cstring>

extern "C" {

// x * by
void scaled(const float* x, float by, float* out, int64_t n) {
  for (int64_t i = 0; i < n; ++i) out[i] = x[i] * by;
}
void scaled_gradient(const float* x, float by, const float*, const float* dout, float* dx, float* dby, int64_t n) {
  *dby = 0;
  for (int64_t i = 0; i < n; ++i) {
    dx[i] = dout[i] * by;
    *dby += dout[i] * x[i];
  }
}

double cube(double x) { return x * x * x; }
double cube_gradient(double x, double, double dout) { return 3 * x * x * dout; }

// (x @ y, the sum of x), by rows of x, and how often it was called.
static int64_t calls = 0;
void product(const float* x, const float* y, const int32_t* shift, float* out, float* sum, int64_t m, int64_t n) {
  ++calls;
  for (int64_t i = 0; i < m; ++i) {
    out[i] = static_cast<float>(*shift);
    sum[i] = 0;
    for (int64_t j = 0; j < n; ++j) {
      out[i] += x[i * n + j] * y[j];
      sum[i] += x[i * n + j];
    }
  }
}
void product_gradient(const float* x, const float* y, const int32_t*, const float*, const float*, const float* dout,
                      const float* dsum, float* dx, float* dy, int64_t m, int64_t n) {
  for (int64_t j = 0; j < n; ++j) dy[j] = 0;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      dx[i * n + j] = dout[i] * y[j] + dsum[i];
      dy[j] += dout[i] * x[i * n + j];
    }
  }
}
int64_t product_calls() { return calls; }

// As MindSpore calls it: out[i, j] = x[i] * y[j], and how many axes that is; 7 where dtypes are others.
int outer(int count, void** data, int* ranks, int64_t** shapes, const char** dtypes, void* stream, void* extra) {
  if (count != 4 || stream || extra || std::strcmp(dtypes[0], "float32") || std::strcmp(dtypes[3], "int64")) return 7;
  const auto *x = static_cast<const float*>(data[0]), *y = static_cast<const float*>(data[1]);
  auto* out = static_cast<float*>(data[2]);
  for (int64_t i = 0; i < shapes[2][0]; ++i)
    for (int64_t j = 0; j < shapes[2][1]; ++j) out[i * shapes[1][0] + j] = x[i] * y[j];
  *static_cast<int64_t*>(data[3]) = ranks[0] + ranks[1] + 10 * ranks[2] + 100 * ranks[3];
  return 0;
}
}
