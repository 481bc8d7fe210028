// See runner.h. Arguments are checked here for their number and kind; whether shapes and guards admit them the vm says.
#include "tiers/vmtool/runner.h"

#include <bit>
#include <charconv>

#include "ops/base/parallel.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "tiers/tiers.h"
#include "tiers/vmtool/npy.h"
#include "vm/state/hooks.h"

namespace ember::vmtool {
namespace {

using ops::Kind;

template <class T>
bool parse_number(const std::string& text, T* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_scalar(Kind kind, const std::string& text, uint64_t* bits) {
  int64_t integer = 0;
  double number = 0;
  switch (kind) {
    case Kind::Bool:
      *bits = text == "True";
      return text == "True" || text == "False";
    case Kind::Int:
      if (!parse_number(text, &integer)) return false;
      *bits = static_cast<uint64_t>(integer);
      return true;
    default:
      if (!parse_number(text, &number)) return false;
      *bits = std::bit_cast<uint64_t>(number);
      return true;
  }
}

void choose_isa(const std::string& text) {
  ops::Isa isa;
  bool amx;
  if (!ops::parse_isa(text, &isa, &amx)) throw UsageError("--isa must be portable, avx2, avx512 or amx");
  if ((amx && !ops::has_amx()) || !tiers::set_isa(isa)) throw UsageError("this CPU does not have " + text);
  tiers::set_amx(amx);
}

tiers::SavedModule load(const Options& options) {
  try {
    return {options.argument("MODULE"), options.has("allow-foreign")};
  } catch (const tiers::ForeignCode& refused) {
    throw UsageError(std::string(refused.what()) + ": --allow-foreign if it is to");
  }
}

}  // namespace

void configure(const Options& options) {
  tiers::start();
  const std::string tier = options.text("tier", "auto");
  if (tier != "auto" && tier != "0" && tier != "1") throw UsageError("--tier must be 0, 1 or auto");
  if (tier != "auto") tiers::options().enabled = tier == "1";
  if (tier == "1") tiers::options().background = false;
  if (options.has("isa")) choose_isa(options.text("isa", ""));
  if (options.has("matmul-precision")) {
    ops::MatmulPrecision precision;
    if (!ops::parse_matmul_precision(options.text("matmul-precision", ""), &precision))
      throw UsageError("--matmul-precision must be ieee, float32 or bfloat16");
    ops::set_matmul_precision(precision);
  }
  const int64_t every = options.number("deopt-every", 0);
  if (every > UINT32_MAX) throw UsageError("--deopt-every is too large");
  vm::hooks().deopt_every = static_cast<uint32_t>(every);
  const int64_t threads = options.number("threads", 0);
  if (threads > 1024) throw UsageError("--threads must be at most 1024");
  if (threads > 0) ops::set_threads(static_cast<int>(threads));
}

Runner::Runner(const Options& options)
    : module_(load(options)), repeat_(options.number("repeat", 1)), native_(options.text("tier", "auto") == "1") {
  configure(options);
  const std::vector<std::string>& values = options.all("input");
  const std::vector<size_t>& inputs = module_.inputs();
  if (values.size() != inputs.size()) {
    std::string signature;
    for (const size_t i : inputs)
      signature += (signature.empty() ? "" : ", ") + module_.name(i) + ": " + module_.text(module_.type(i));
    throw UsageError("the module takes " + std::to_string(inputs.size()) + " inputs (" + signature + "), " +
                     std::to_string(values.size()) + " are given");
  }
  tensors_.reserve(values.size());
  arguments_ = module_.arguments();
  for (size_t i = 0; i < values.size(); ++i) arguments_[inputs[i]] = read_argument(inputs[i], i, values[i]);
}

vm::Argument Runner::read_argument(size_t param, size_t i, const std::string& text) {
  const ops::Type& type = module_.type(param);
  vm::Argument argument;
  if (type.is_tensor()) {
    tensors_.push_back(read_npy(text));
    argument.tensor = &tensors_.back();
  } else if (type.kind == Kind::Stack) {
    throw UsageError("input " + std::to_string(i) + " is a stack, which can't be given");
  } else if (!parse_scalar(type.kind, text, &argument.bits)) {
    throw UsageError("input " + std::to_string(i) + " (" + module_.name(param) + ") must be a " + to_string(type) +
                     ", not '" + text + "'");
  }
  return argument;
}

const std::vector<vm::Result>& Runner::run() {
  vm::Function& function = module_.function();
  if (native_) {
    vm::FunctionBinding* bound = function.bind(arguments_);
    if (!bound) throw UsageError(module_.refusal(arguments_));
    std::string why;
    if (!tiers::compile(*bound, &why)) throw UsageError("no native code: " + why);
  }
  for (int64_t i = 0; i < repeat_; ++i)
    if (!function.call(arguments_, &results_)) throw UsageError(module_.refusal(arguments_));
  tiers::wait_for_compiler();
  return results_;
}

}  // namespace ember::vmtool
