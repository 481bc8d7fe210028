// See runner.h. Arguments are checked here for their number and kind; whether shapes and guards admit them the vm says.
#include "tools/vmtool/runner.h"

#include <bit>
#include <charconv>

#include "bytecode/code/module_file.h"
#include "ops/base/parallel.h"
#include "ops/foreign/foreign.h"
#include "ops/matmul/bf16x3_gemm.h"
#include "tiers/tiers.h"
#include "tools/vmtool/npy.h"
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

// A module may name any library of the machine, whose code runs as soon as it is loaded.
void refuse_foreign(const bytecode::Code& code) {
  for (const bytecode::CallSite& call : code.calls)
    if (call.op->name == ops::kForeignCall)
      throw UsageError("the module calls '" + call.attrs.text(2) + "' of the library '" + call.attrs.text(1) +
                       "': --allow-foreign if it is to");
}

}  // namespace

// How many parameters are no expressions of others, which stand last.
static size_t inputs_of(const bytecode::Code& code) {
  const bytecode::CodeFunction& entry = code.functions[code.entry];
  const auto is_given = [&](bytecode::Register param) {
    const ops::ExprId id = entry.registers[param].expr;
    return id == 0 || code.symbols.exprs()[id].op == ops::SymbolOp::Symbol;
  };
  return static_cast<size_t>(std::ranges::count_if(entry.params, is_given));
}

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
    : function_(gc::make<vm::Function>(bytecode::load(options.argument("MODULE")))),
      repeat_(options.number("repeat", 1)),
      native_(options.text("tier", "auto") == "1") {
  if (!options.has("allow-foreign")) refuse_foreign(function_->code());
  configure(options);
  const bytecode::CodeFunction& entry = function_->entry();
  const std::vector<std::string>& inputs = options.all("input");
  const size_t taken = inputs_of(function_->code());
  if (inputs.size() != taken) {
    std::string wanted;
    for (size_t i = 0; i < taken; ++i)
      wanted += (i ? ", " : "") + entry.param_names[i] + ": " +
                to_string(entry.registers[entry.params[i]], function_->code().symbols);
    throw UsageError("the module takes " + std::to_string(taken) + " inputs (" + wanted + "), " +
                     std::to_string(inputs.size()) + " are given");
  }
  tensors_.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) arguments_.push_back(read_argument(i, inputs[i]));
  arguments_.resize(entry.params.size());
}

vm::Argument Runner::read_argument(size_t i, const std::string& text) {
  const bytecode::CodeFunction& entry = function_->entry();
  const ops::Type& type = entry.registers[entry.params[i]];
  vm::Argument argument;
  if (type.is_tensor()) {
    tensors_.push_back(read_npy(text));
    argument.tensor = &tensors_.back();
  } else if (type.kind == Kind::Stack) {
    throw UsageError("input " + std::to_string(i) + " is a stack, which can't be given");
  } else if (!parse_scalar(type.kind, text, &argument.bits)) {
    throw UsageError("input " + std::to_string(i) + " (" + entry.param_names[i] + ") must be a " + to_string(type) +
                     ", not '" + text + "'");
  }
  return argument;
}

void Runner::explain_refusal() const {
  const bytecode::CodeFunction& entry = function_->entry();
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ops::Type& type = entry.registers[entry.params[i]];
    if (!arguments_[i].tensor) continue;
    const ops::Tensor& t = *arguments_[i].tensor;
    bool fits = t.dtype() == type.dtype && t.rank() == type.dims.size();
    for (size_t axis = 0; fits && axis < t.rank(); ++axis)
      fits = type.dims[axis].symbolic() || type.dims[axis].hint() == t.shape()[axis];
    if (!fits) {
      throw UsageError("input " + std::to_string(i) + " (" + entry.param_names[i] + ") is " +
                       to_string(ops::Type::tensor(t.dtype(), ops::dims(t.shape()))) + " where " + to_string(type) +
                       " is needed");
    }
  }
  const vm::Prologue::Refusal refusal = function_->refusal(arguments_);
  throw UsageError("the module's guards do not admit these inputs: it needs " + refusal.expected + ", and got " +
                   refusal.met);
}

const std::vector<vm::Result>& Runner::run() {
  if (native_) {
    vm::FunctionBinding* bound = function_->bind(arguments_);
    if (!bound) explain_refusal();
    std::string why;
    if (!tiers::compile(*bound, &why)) throw UsageError("no native code: " + why);
  }
  for (int64_t i = 0; i < repeat_; ++i)
    if (!function_->call(arguments_, &results_)) explain_refusal();
  tiers::wait_for_compiler();
  return results_;
}

}  // namespace ember::vmtool
