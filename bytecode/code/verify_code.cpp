// The definition of bytecode, executable. A file may hold anything, so nothing is used before it is checked: first the
// tables of the module, then of each function, then its control flow, the types of its instructions, its live ranges.
// Types are inferred anew under a copy of the symbols: a rule that leaves a new guard there has compared what the
// module's guards do not promise.
#include "bytecode/code/verify_code.h"

#include <algorithm>

#include "bytecode/code/live_ranges.h"
#include "bytecode/graph/verify.h"

namespace ember::bytecode {
namespace {

using ops::Kind;

constexpr uint64_t kMaxElements = uint64_t{1} << 48;
constexpr size_t kMaxDepth = 5'000;

void check(bool condition, const std::string& rule) {
  if (!condition) throw VerifyError(rule);
}

// Expressions may be looked through by recursion, so their depth is bounded.
void check_symbols(const ops::SymbolTable& symbols) {
  std::vector<size_t> depths;
  for (const ops::SymbolExpr& e : symbols.exprs()) {
    size_t depth = 1;
    if (e.op > ops::SymbolOp::Symbol) depth += std::max(depths[e.a], e.b < depths.size() ? depths[e.b] : depths[e.a]);
    check(depth <= kMaxDepth, "a dim expression is too deep");
    depths.push_back(depth);
  }
}

// A symbol is an entry parameter, or the size of some axis of one, so that a call defines it.
void check_symbols_bound(const Code& code) {
  std::vector<bool> bound(code.symbols.symbols());
  const CodeFunction& entry = code.functions[code.entry];
  for (Register param : entry.params) {
    for (ops::Dim dim : entry.registers[param].dims) {
      const ops::SymbolExpr& e = code.symbols.exprs()[dim.expr];
      if (dim.symbolic() && e.op == ops::SymbolOp::Symbol) bound[e.a] = true;
    }
    const ops::SymbolExpr& number = code.symbols.exprs()[entry.registers[param].expr];
    if (number.op == ops::SymbolOp::Symbol) bound[number.a] = true;
  }
  check(std::find(bound.begin(), bound.end(), false) == bound.end(), "a symbol is the size of no parameter");
}

void check_no_stacks(const CodeFunction& entry) {
  const auto is_stack = [&](Register r) { return entry.registers[r].kind == Kind::Stack; };
  check(std::none_of(entry.params.begin(), entry.params.end(), is_stack), "the entry takes a stack");
  check(std::none_of(entry.results.begin(), entry.results.end(), is_stack), "the entry returns a stack");
}

void check_dim(const Code& code, ops::Dim dim) {
  const auto& exprs = code.symbols.exprs();
  check(!dim.symbolic() || (dim.expr < exprs.size() && exprs[dim.expr].hint == dim.hint()),
        "a dim whose expression is unknown");
}

void check_dims(const Code& code, const ops::Attrs& attrs) {
  all_dims(attrs, [&](ops::Dim dim) { return check_dim(code, dim), true; });
}

void check_tables(const Code& code) {
  for (const CallSite& call : code.calls) {
    check(call.op != nullptr, "a call without op");
    check_dims(code, call.attrs);
  }
  for (const FusedSite& site : code.fused) {
    check(site.expr != nullptr, "a fused site without expression");
    check_dims(code, site.reduction.attrs);
  }
  for (const ops::Tensor& constant : code.constants)
    check(constant.defined() && constant.contiguous(), "a constant that is not contiguous");
}

void check_state(const Code& code) {
  const CodeFunction& entry = code.functions[code.entry];
  for (size_t i = 0; i < code.state.size(); ++i) {
    const auto& [param, tensor] = code.state[i];
    check(param < entry.params.size() && (i == 0 || code.state[i - 1].first < param), "state of no parameter");
    const Type& type = entry.registers[entry.params[param]];
    check(tensor.defined() && tensor.contiguous(), "state that is not contiguous");
    check(type.kind == Kind::Ref && type.dtype == tensor.dtype() && type.dims.size() == tensor.rank(),
          "state of another type than its parameter's");
  }
}

void check_type(const Code& code, const Type& type) {
  check(type.kind != Kind::Token && type.kind <= Kind::Stack, "a register of no kind");
  check(static_cast<size_t>(type.dtype) < ops::kDTypes, "a register of no dtype");
  if (ops::is_scalar(type.kind)) check(type.dtype == ops::slot_dtype(type.kind), "a scalar register of a wrong dtype");
  if (!type.is_tensor()) check(type.dims.empty(), "dims of what is no tensor");
  uint64_t elements = 1;
  for (ops::Dim dim : type.dims) {
    check_dim(code, dim);
    check(dim.hint() >= 0, "a negative dim");
    elements *= std::min(static_cast<uint64_t>(dim.hint()), kMaxElements);
    check(elements < kMaxElements, "a tensor of 2^48 elements or more");
  }
}

void check_lists(const CodeFunction& f) {
  const size_t registers = f.registers.size();
  check(f.param_names.size() == f.params.size(), "parameters and their names differ in number");
  std::vector<bool> is_param(registers);
  for (Register param : f.params) {
    check(param < registers, "a parameter without register");
    check(!is_param[param], "two parameters in one register");
    is_param[param] = true;
  }
  for (size_t r = 0; r < registers; ++r)
    check(f.registers[r].kind != Kind::Ref || is_param[r], "a Ref that is no parameter");
  for (Register result : f.results) {
    check(result < registers, "a result without register");
    check(f.registers[result].kind != Kind::Ref, "a Ref as result");
  }
}

void check_sources(const Code& code, const CodeFunction& f) {
  for (size_t i = 0; i < f.sources.size(); ++i) {
    const SourceMark& mark = f.sources[i];
    check(mark.pc < f.words.size() && (i == 0 || f.sources[i - 1].pc < mark.pc), "source marks out of order");
    check(mark.source.line == 0 || mark.source.file < code.files.size(), "an unknown source file");
    check(mark.source.name < code.names.size(), "an unknown name in a source mark");
  }
}

void check_live_ranges(const CodeFunction& f) {
  const std::vector<LiveRange> live_ranges = live_ranges_of(f);
  check(f.live_ranges.size() == f.registers.size(), "registers and live ranges differ in number");
  for (size_t r = 0; r < live_ranges.size(); ++r) {
    const std::string name = "register r" + std::to_string(r);
    check(live_ranges[r].begin <= live_ranges[r].end, name + " is never used");
    check(f.live_ranges[r].begin == live_ranges[r].begin && f.live_ranges[r].end == live_ranges[r].end,
          name + " does not live where it is stated to");
  }
}

void verify_function(const Code& code, const CodeFunction& f) {
  check_sources(code, f);
  verify_flow(code, f);
  verify_types(code, f);
  check_live_ranges(f);
}

// Runs the checks of one function; their errors get its name in front.
template <class F>
void within(const CodeFunction& function, F&& checks) {
  const std::string where = "function " + function.name;
  try {
    checks();
  } catch (const std::exception& e) {
    const std::string what = e.what();
    throw VerifyError(what.rfind(where, 0) == 0 ? what : where + ": " + what);
  }
}

}  // namespace

void verify(const Code& code) {
  check(code.entry < code.functions.size(), "the entry function does not exist");
  check_symbols(code.symbols);
  check_tables(code);
  for (const CodeFunction& f : code.functions) {
    within(f, [&] {
      check(f.registers.size() <= kNoRegister, "too many registers");
      check(!f.words.empty() && f.words.size() <= kMaxWords, "no words, or too many");
      for (const Type& type : f.registers) check_type(code, type);
      check_lists(f);
    });
  }
  check_state(code);
  check_symbols_bound(code);
  ops::SymbolTable symbols = code.symbols;
  const ops::SymbolScope scope(&symbols);
  for (const CodeFunction& f : code.functions) within(f, [&] { verify_function(code, f); });
}

void verify_entry(const Code& code) {
  within(code.functions[code.entry], [&] { check_no_stacks(code.functions[code.entry]); });
}

}  // namespace ember::bytecode
