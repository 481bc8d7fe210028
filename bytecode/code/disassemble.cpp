// Code as text, for people: `12  r4 = Apply MatMul r0, r2 (transpose_a=False)  : Tensor[Float32](s0, 10)`. Needs
// verified code.
#include <bit>
#include <iomanip>
#include <sstream>

#include "bytecode/code/code.h"

namespace ember::bytecode {
namespace {

using ops::Kind;

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

std::string name(Register r) { return r == kNoRegister ? "none" : "r" + std::to_string(r); }

template <class T, class F>
std::string joined(const std::vector<T>& items, F&& text) {
  std::string out;
  for (const T& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

std::string number(double value) {
  std::ostringstream out;
  out << std::setprecision(17) << value;
  return out.str();
}

std::string hint_text(const ops::SymbolExpr& e) {
  return e.kind == ops::ScalarKind::Float ? number(std::bit_cast<double>(e.hint)) : std::to_string(e.hint);
}

class Listing {
 public:
  explicit Listing(const Code& code) : code_(code), symbols_(code.symbols) {}

  std::string module() const {
    std::string out = "module: " + std::to_string(code_.functions.size()) + " functions, entry " +
                      std::to_string(code_.entry) + ", " + std::to_string(code_.constants.size()) + " constants\n";
    for (const ops::SymbolExpr& e : code_.symbols.exprs())
      if (e.op == ops::SymbolOp::Symbol) out += "symbol s" + std::to_string(e.a) + " = " + hint_text(e) + "\n";
    for (const ops::SymbolGuard& g : code_.symbols.guards()) out += "guard " + symbols_.text(g) + "\n";
    for (const auto& [param, tensor] : code_.state)
      out += "state " + code_.functions[code_.entry].param_names[param] + "\n";
    for (uint32_t f = 0; f < code_.functions.size(); ++f) out += "\n" + function(f);
    return out;
  }

  std::string function(uint32_t index) const {
    const CodeFunction& f = code_.functions[index];
    std::string out = "function " + std::to_string(index) + " " + f.name + "(";
    for (size_t i = 0; i < f.params.size(); ++i)
      out += (i ? ", " : "") + name(f.params[i]) + " " + f.param_names[i] + ": " +
             to_string(f.registers[f.params[i]], symbols_);
    out += ") -> (" + joined(f.results, name) + ")\n";
    size_t mark = 0;
    Source shown;
    for (uint32_t pc = 0; pc < f.words.size(); pc = decode(f, pc).next) {
      for (; mark < f.sources.size() && f.sources[mark].pc <= pc; ++mark) {
        const Source& source = f.sources[mark].source;
        const bool moved = source.line != shown.line || source.file != shown.file;
        shown = source;
        if (source.line && moved) out += "  # " + code_.files[source.file] + ":" + std::to_string(source.line) + "\n";
      }
      out += instruction(f, pc) + "\n";
    }
    return out;
  }

  std::string instruction(const CodeFunction& f, uint32_t pc) const {
    const Decoded d = decode(f, pc);
    const std::string text = without_types(f, d);
    std::ostringstream line;
    line << std::setw(6) << pc << "  " << text;
    if (!d.outputs.empty()) {
      line << std::string(text.size() < 40 ? 40 - text.size() : 1, ' ') << " : "
           << joined(d.outputs, [&](Register r) { return to_string(f.registers[r], symbols_); });
    }
    return line.str();
  }

  std::string without_types(const CodeFunction& f, const Decoded& d) const {
    std::string text = joined(d.outputs, name);
    if (!text.empty()) text += " = ";
    text += info(d.op).name;
    const std::string what = detail(f, d);
    if (!what.empty()) text += " " + what;
    const std::string inputs = joined(d.inputs, name);
    if (!inputs.empty()) text += " " + inputs;
    if (d.op == Instruction::Apply)
      text += attributes(*code_.calls[d.word.wide()].op, code_.calls[d.word.wide()].attrs);
    if (d.op == Instruction::Branch) text += " else " + std::to_string(d.word.wide());
    if (d.op == Instruction::Return) text += " " + joined(f.results, name);
    return text;
  }

 private:
  std::string detail(const CodeFunction& f, const Decoded& d) const {
    const uint32_t wide = d.word.wide();
    switch (d.op) {
      case Instruction::Const:
        return "#" + std::to_string(wide);
      case Instruction::Scalar:
        return scalar(f.registers[d.word.a()].kind, code_.scalars[wide]);
      case Instruction::Size:
        return symbols_.text(wide);
      case Instruction::Apply:
        return std::string(code_.calls[wide].op->primitive);
      case Instruction::Fused:
        return ops::verbs(*code_.fused[wide].expr);
      case Instruction::FusedReduce: {
        const Reduction& reduction = code_.fused[wide].reduction;
        return std::string(reduction.op->primitive) + attributes(*reduction.op, reduction.attrs) + " of " +
               ops::verbs(*code_.fused[wide].expr);
      }
      case Instruction::Verb:
        return std::string(ops::info(static_cast<ops::Verb>(d.word.flags())).name);
      case Instruction::Jump:
        return std::to_string(wide);
      case Instruction::Loop:
        return "#" + std::to_string(wide);
      case Instruction::Call:
        return code_.functions[wide].name;
      default:
        return "";
    }
  }

  static std::string scalar(Kind kind, uint64_t bits) {
    if (kind == Kind::Bool) return bits ? "True" : "False";
    if (kind == Kind::Int) return std::to_string(static_cast<int64_t>(bits));
    return number(std::bit_cast<double>(bits));
  }

  std::string attribute(const ops::Attr& attr) const {
    const auto dim = [&](ops::Dim d) { return d.symbolic() ? symbols_.text(d.expr) : std::to_string(d.hint()); };
    return std::visit(
        Overload{[](std::monostate) -> std::string { return "None"; },
                 [](bool b) -> std::string { return b ? "True" : "False"; }, [&](ops::Dim d) { return dim(d); },
                 [](double d) { return number(d); }, [](const std::string& s) { return "'" + s + "'"; },
                 [](ops::DType d) { return std::string(name(d)); },
                 [&](ops::SymbolicFloat x) { return symbols_.text(x.expr); },
                 [&](const ops::Ints& ints) { return "(" + joined(ints, dim) + (ints.size() == 1 ? ",)" : ")"); }},
        attr);
  }

  std::string attributes(const ops::Op& op, const ops::Attrs& attrs) const {
    std::string out;
    for (size_t i = 0; i < op.signature.params.size() && i < attrs.values().size(); ++i)
      if (!is_operand(op.signature.params[i].kind))
        out += (out.empty() ? "" : ", ") + op.signature.params[i].name + "=" + attribute(attrs.values()[i]);
    return out.empty() ? out : " (" + out + ")";
  }

  const Code& code_;
  const ops::SymbolTable& symbols_;
};

}  // namespace

std::string disassemble(const Code& code) { return Listing(code).module(); }
std::string disassemble(const Code& code, uint32_t function) { return Listing(code).function(function); }
std::string disassemble_instruction(const Code& code, uint32_t function, uint32_t pc) {
  return Listing(code).instruction(code.functions[function], pc);
}
std::string instruction_text(const Code& code, uint32_t function, uint32_t pc) {
  const CodeFunction& f = code.functions[function];
  return Listing(code).without_types(f, decode(f, pc));
}

}  // namespace ember::bytecode
