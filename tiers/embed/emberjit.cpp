#include "tiers/embed/emberjit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "tiers/embed/saved_module.h"
#include "tiers/tiers.h"

using ember::ops::DType;
using ember::ops::Kind;

struct ember_module {
  explicit ember_module(const char* path) : saved(path, /*allow_foreign=*/false) {}

  ember::tiers::SavedModule saved;
  std::vector<ember::vm::Result> results;
};

namespace {

constexpr std::array kDTypes = {DType::Bool,  DType::Int8,    DType::Int16,    DType::Int32,   DType::Int64,
                                DType::UInt8, DType::Float16, DType::BFloat16, DType::Float32, DType::Float64};

thread_local std::string last_error;

struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect(bool holds, const std::string& what) {
  if (!holds) throw Misuse(what);
}

template <class F>
int guarded(F&& act) noexcept {
  try {
    act();
    return 0;
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "unknown error";
  }
  return 1;
}

ember_dtype dtype_of(DType dtype) {
  const auto* it = std::find(kDTypes.begin(), kDTypes.end(), dtype);
  expect(it != kDTypes.end(), "the tensor has a dtype that ember_tensor has not");
  return static_cast<ember_dtype>(it - kDTypes.begin());
}

ember::ops::Tensor borrowed(const ember_tensor& tensor, const std::string& input) {
  expect(tensor.rank >= 0 && tensor.rank <= EMBER_MAX_RANK, input + " has a rank of " + std::to_string(tensor.rank));
  expect(tensor.dtype >= 0 && static_cast<size_t>(tensor.dtype) < kDTypes.size(), input + " has no such dtype");
  ember::ops::Shape shape;
  int64_t bytes = static_cast<int64_t>(itemsize(kDTypes[tensor.dtype]));
  for (int32_t axis = 0; axis < tensor.rank; ++axis) {
    const int64_t size = tensor.shape[axis];
    expect(size >= 0 && !__builtin_mul_overflow(bytes, size, &bytes), input + " has an impossible size");
    shape.push_back(size);
  }
  expect(tensor.data || bytes == 0, input + " has no elements");
  const size_t item = itemsize(kDTypes[tensor.dtype]);
  expect(reinterpret_cast<uintptr_t>(tensor.data) % item == 0,
         input + " does not lie at a multiple of its items' size");
  return {ember::gc::adopt(tensor.data, static_cast<size_t>(bytes), [] {}),
          ember::ops::layout(kDTypes[tensor.dtype], shape)};
}

uint64_t number(const ember::ops::Tensor& tensor, const ember::ops::Type& wanted, const std::string& input) {
  expect(tensor.rank() == 0 && tensor.dtype() == ember::ops::slot_dtype(wanted.kind),
         input + " is to be a number: a tensor of rank 0, of Bool, Int64 or Float64 as the module says");
  if (wanted.kind == Kind::Bool) return *tensor.data_as<bool>();
  if (wanted.kind == Kind::Int) return static_cast<uint64_t>(*tensor.data_as<int64_t>());
  return std::bit_cast<uint64_t>(*tensor.data_as<double>());
}

ember_tensor described(const ember::ops::Tensor& tensor) {
  expect(tensor.rank() <= EMBER_MAX_RANK, "the tensor has more than EMBER_MAX_RANK dimensions");
  ember_tensor out{tensor.data(), dtype_of(tensor.dtype()), static_cast<int32_t>(tensor.rank()), {}};
  std::copy(tensor.shape().begin(), tensor.shape().end(), out.shape);
  return out;
}

ember::ops::Tensor as_tensor(const ember::vm::Result& result) {
  if (result.kind == Kind::Bool) return ember::ops::Tensor::scalar(result.bits != 0);
  if (result.kind == Kind::Int) return ember::ops::Tensor::scalar(static_cast<int64_t>(result.bits));
  if (result.kind == Kind::Float) return ember::ops::Tensor::scalar(std::bit_cast<double>(result.bits));
  expect(result.tensor.defined(), "the result is neither a tensor nor a number");
  return ember::ops::to_contiguous(result.tensor);
}

void call(ember_module& module, const ember_tensor* operands, size_t count) {
  const std::vector<size_t>& inputs = module.saved.inputs();
  expect(count == inputs.size(),
         "the module takes " + std::to_string(inputs.size()) + " inputs, " + std::to_string(count) + " are given");
  std::vector<ember::ops::Tensor> tensors(count);
  std::vector<ember::vm::Argument> arguments = module.saved.arguments();
  for (size_t i = 0; i < count; ++i) {
    const std::string input = "input " + std::to_string(i) + " (" + module.saved.name(inputs[i]) + ")";
    tensors[i] = borrowed(operands[i], input);
    const ember::ops::Type& type = module.saved.type(inputs[i]);
    if (type.is_tensor())
      arguments[inputs[i]].tensor = &tensors[i];
    else
      arguments[inputs[i]].bits = number(tensors[i], type, input);
  }
  std::vector<ember::vm::Result> results;
  expect(module.saved.function().call(arguments, &results), module.saved.refusal(arguments));
  for (ember::vm::Result& result : results) result = {Kind::Tensor, as_tensor(result), 0, {}};
  module.results = std::move(results);
}

}  // namespace

int ember_version(void) { return EMBER_API_VERSION; }

const char* ember_last_error(void) { return last_error.c_str(); }

int ember_load(const char* path, ember_module** module) {
  return guarded([&] {
    expect(path && module, "ember_load() takes a path and where to put the module");
    ember::tiers::start();
    *module = new ember_module(path);
  });
}

void ember_free(ember_module* module) { delete module; }

size_t ember_inputs(const ember_module* module) { return module->saved.inputs().size(); }

size_t ember_results(const ember_module* module) { return module->saved.entry().results.size(); }

const char* ember_input_name(const ember_module* module, size_t input) {
  const std::vector<size_t>& inputs = module->saved.inputs();
  return input < inputs.size() ? module->saved.name(inputs[input]).c_str() : nullptr;
}

int ember_run(ember_module* module, const ember_tensor* inputs, size_t count) {
  return guarded([&] {
    expect(module && (inputs || count == 0), "ember_run() takes a module and inputs");
    call(*module, inputs, count);
  });
}

int ember_result(const ember_module* module, size_t result, ember_tensor* tensor) {
  return guarded([&] {
    expect(module && tensor, "ember_result() takes a module and where to put the tensor");
    expect(result < module->results.size(), "the last call has given no result " + std::to_string(result));
    *tensor = described(module->results[result].tensor);
  });
}

size_t ember_states(const ember_module* module) { return module->saved.state().size(); }

const char* ember_state_name(const ember_module* module, size_t state) {
  const ember::bytecode::State& all = module->saved.state();
  return state < all.size() ? module->saved.name(all[state].first).c_str() : nullptr;
}

int ember_state(ember_module* module, size_t state, ember_tensor* tensor) {
  return guarded([&] {
    expect(module && tensor, "ember_state() takes a module and where to put the tensor");
    expect(state < module->saved.state().size(), "the module has no state " + std::to_string(state));
    *tensor = described(module->saved.state()[state].second);
  });
}

int ember_save(const ember_module* module, const char* path) {
  return guarded([&] {
    expect(module && path, "ember_save() takes a module and a path");
    module->saved.save(path);
  });
}

int ember_save_state(const ember_module* module, const char* path) {
  return guarded([&] {
    expect(module && path, "ember_save_state() takes a module and a path");
    module->saved.save_state(path);
  });
}

int ember_set_threads(int count) {
  return guarded([&] {
    expect(count > 0, "ember_set_threads() takes a positive number");
    ember::ops::set_threads(count);
  });
}
