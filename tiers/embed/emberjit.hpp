// Saved programs without Python, for C++. Errors are values: what may fail returns a Result.
//
//   auto network = emberjit::Module::load("resnet.ebc");
//   if (!network) return complain(network.error());
//   std::vector<float> images(16 * 3 * 224 * 224);
//   auto results = network->run({emberjit::tensor(images.data(), {16, 3, 224, 224})});
//   if (!results) return complain(results.error());
//   const float* logits = (*results)[0].data<float>();
//
// What is said of memory and of threads in emberjit.h holds here too.
#pragma once

#include <emberjit/emberjit.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace emberjit {

struct Error {
  std::string message;
};

// A value, or why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }
  const std::string& error() const { return error_.message; }

 private:
  std::optional<T> value_;
  Error error_;
};

template <class T>
constexpr ember_dtype dtype_of();
template <>
constexpr ember_dtype dtype_of<bool>() { return EMBER_BOOL; }
template <>
constexpr ember_dtype dtype_of<int8_t>() { return EMBER_INT8; }
template <>
constexpr ember_dtype dtype_of<int16_t>() { return EMBER_INT16; }
template <>
constexpr ember_dtype dtype_of<int32_t>() { return EMBER_INT32; }
template <>
constexpr ember_dtype dtype_of<int64_t>() { return EMBER_INT64; }
template <>
constexpr ember_dtype dtype_of<uint8_t>() { return EMBER_UINT8; }
template <>
constexpr ember_dtype dtype_of<float>() { return EMBER_FLOAT32; }
template <>
constexpr ember_dtype dtype_of<double>() { return EMBER_FLOAT64; }

// Somebody's elements, dense and row-major.
class Tensor {
 public:
  Tensor(void* data, ember_dtype dtype, std::span<const int64_t> shape) : raw_{data, dtype, 0, {}} {
    raw_.rank = static_cast<int32_t>(shape.size());
    for (size_t i = 0; i < shape.size() && i < EMBER_MAX_RANK; ++i) raw_.shape[i] = shape[i];
  }
  explicit Tensor(const ember_tensor& raw) : raw_(raw) {}

  // Null where the elements are no T.
  template <class T>
  T* data() const {
    return raw_.dtype == dtype_of<T>() ? static_cast<T*>(raw_.data) : nullptr;
  }
  ember_dtype dtype() const { return raw_.dtype; }
  std::span<const int64_t> shape() const { return {raw_.shape, static_cast<size_t>(raw_.rank)}; }
  int64_t size() const {
    int64_t count = 1;
    for (const int64_t extent : shape()) count *= extent;
    return count;
  }
  const ember_tensor& raw() const { return raw_; }

 private:
  ember_tensor raw_;
};

template <class T>
Tensor tensor(T* data, std::initializer_list<int64_t> shape) {
  return {const_cast<std::remove_const_t<T>*>(data), dtype_of<std::remove_const_t<T>>(),
          std::span<const int64_t>(shape.begin(), shape.size())};
}

// A saved function; one of training goes on, in each call, from what the one before has left.
class Module {
 public:
  static Result<Module> load(const std::string& path) {
    ember_module* module = nullptr;
    if (ember_load(path.c_str(), &module)) return last_error();
    return Module(module);
  }

  std::vector<std::string> inputs() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < ember_inputs(module_.get()); ++i) names.emplace_back(ember_input_name(module_.get(), i));
    return names;
  }

  // The results lie in the module's memory until the next call.
  Result<std::vector<Tensor>> run(std::span<const Tensor> inputs) {
    std::vector<ember_tensor> raw;
    for (const Tensor& input : inputs) raw.push_back(input.raw());
    if (ember_run(module_.get(), raw.data(), raw.size())) return last_error();
    return all(ember_results(module_.get()),
               [&](size_t i, ember_tensor* found) { return ember_result(module_.get(), i, found); });
  }
  Result<std::vector<Tensor>> run(std::initializer_list<Tensor> inputs) {
    return run(std::span<const Tensor>(inputs.begin(), inputs.size()));
  }

  // What it writes, by name.
  Result<std::vector<std::pair<std::string, Tensor>>> state() {
    std::vector<std::pair<std::string, Tensor>> found;
    for (size_t i = 0; i < ember_states(module_.get()); ++i) {
      ember_tensor raw;
      if (ember_state(module_.get(), i, &raw)) return last_error();
      found.emplace_back(ember_state_name(module_.get(), i), raw);
    }
    return found;
  }

  // Why it has not been saved; nothing if it has.
  std::optional<Error> save(const std::string& path) const { return check(ember_save(module_.get(), path.c_str())); }
  std::optional<Error> save_state(const std::string& path) const {
    return check(ember_save_state(module_.get(), path.c_str()));
  }

 private:
  struct Free {
    void operator()(ember_module* module) const { ember_free(module); }
  };

  explicit Module(ember_module* module) : module_(module) {}
  static Error last_error() { return {ember_last_error()}; }
  static std::optional<Error> check(int failed) { return failed ? std::optional(last_error()) : std::nullopt; }

  template <class F>
  static Result<std::vector<Tensor>> all(size_t count, F&& get) {
    std::vector<Tensor> found;
    for (size_t i = 0; i < count; ++i) {
      ember_tensor raw;
      if (get(i, &raw)) return last_error();
      found.emplace_back(raw);
    }
    return found;
  }

  std::unique_ptr<ember_module, Free> module_;
};

}  // namespace emberjit
