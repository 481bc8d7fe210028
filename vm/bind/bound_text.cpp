// The text form:
//
//   function f(r0 x: Float32(64, 64) parameter 0, r1 n: Int) -> (r4 result 0), arena of 16384 bytes
//        0  r2 = Apply MatMulExt r0, r0        : Float32(64, 64) arena+0 live 0-0; with epilogue 4
//        2  r3 = Scalar 0.5                    : Float; before 0
//        4  r4 = Fused {Mul} r2, r3            : Float32(64, 64) result 0; epilogue of 0
#include "ops/kernels/images.h"
#include "vm/bind/binding.h"

namespace ember::vm {
namespace {

template <class Items, class F>
std::string joined(const Items& items, F&& text) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

std::string name(Register r) { return "r" + std::to_string(r); }

std::string plus(int64_t offset) { return (offset < 0 ? "" : "+") + std::to_string(offset); }

class Listing {
 public:
  explicit Listing(const BoundFunction& bound) : bound_(bound) {}

  std::string text() const {
    const bytecode::CodeFunction& fn = *bound_.function;
    std::string params;
    for (size_t i = 0; i < fn.params.size(); ++i)
      params += (i ? ", " : "") + name(fn.params[i]) + " " + fn.param_names[i] + ": " + described(fn.params[i]);
    std::string out = "function " + fn.name + "(" + params + ") -> (";
    out += joined(bound_.results, [&](const BoundResult& r) { return result(r); }) + ")";
    if (bound_.arena_bytes) out += ", arena of " + std::to_string(*bound_.arena_bytes) + " bytes";
    bytecode::Source shown;
    for (const BoundInstruction& d : bound_.instructions) {
      const bytecode::Source source = bound_.code->source(bound_.number, d.pc);
      const bool moved = source.line != shown.line || source.file != shown.file;
      if (source.line && moved) out += "\n  # " + bound_.code->files[source.file] + ":" + std::to_string(source.line);
      out += "\n" + instruction(d);
      shown = source;
    }
    return out + "\n";
  }

 private:
  std::string instruction(const BoundInstruction& d) const {
    std::string line = std::to_string(d.pc);
    line.insert(0, line.size() < 6 ? 6 - line.size() : 0, ' ');
    std::string text = bytecode::instruction_text(*bound_.code, bound_.number, d.pc);
    std::string decided = joined(d.outputs, [&](Register r) { return described(r); });
    const std::string how = runs(d);
    if (!how.empty()) decided += (decided.empty() ? "" : "; ") + how;
    if (!decided.empty()) text += std::string(text.size() < 40 ? 40 - text.size() : 1, ' ') + " : " + decided;
    return line + "  " + text;
  }

  std::string described(Register r) const {
    if (!bound_.tensor(r)) return to_string(bound_.function->registers[r]);
    const BoundRegister& reg = bound_.registers[r];
    if (!reg.layout) return "unplaced";
    std::string text = layout(*reg.layout) + " " + place(r);
    if (reg.place != Place::Arena) return text;
    text += " live " + std::to_string(reg.live.begin) + "-" + std::to_string(reg.live.end);
    return reg.in_place_of == kNoRegister ? text : text + " in place of " + name(reg.in_place_of);
  }

  static std::string layout(const ops::Layout& layout) {
    std::string text = std::string(ops::name(layout.dtype)) + to_string(layout.shape);
    if (layout.contiguous) return text;
    return text + (ops::channels_last(layout) ? " channels-last" : " strides " + to_string(layout.strides));
  }

  std::string place(Register r) const {
    const BoundRegister& reg = bound_.registers[r];
    const std::string number = std::to_string(reg.index);
    switch (reg.place) {
      case Place::Arena:
        return bound_.arena_bytes ? "arena" + plus(reg.offset) : "arena";
      case Place::Param:
        return "parameter " + number;
      case Place::Result:
        return "result " + number;
      case Place::Constant:
        return "constant " + number;
      case Place::Alias:
        return "in " + name(reg.parent) + (reg.dynamic ? "+?" : reg.offset ? plus(reg.offset) : "");
      case Place::Scalar:
        break;
    }
    return "slot";
  }

  std::string result(const BoundResult& result) const {
    if (!bound_.tensor(result.reg)) return name(result.reg);
    const BoundRegister& reg = bound_.registers[result.reg];
    const std::string offset = reg.dynamic ? "+?" : bound_.whole(result.reg) ? "" : plus(reg.offset);
    return name(result.reg) + " " + place(result.root) + offset;
  }

  std::string runs(const BoundInstruction& d) const {
    const auto at = [&](uint32_t index) { return std::to_string(bound_.instructions[index].pc); };
    switch (d.runs) {
      case Runs::Step:
        return d.epilogue == kNoInstruction ? "" : "with epilogue " + at(d.epilogue);
      case Runs::Epilogue:
        return "epilogue of " + at(d.with);
      case Runs::Early:
        return "before " + at(d.with);
      case Runs::Updated:
        return "updated in place";
      case Runs::Alias:
      case Runs::Constant:
        break;
    }
    return "";
  }

  const BoundFunction& bound_;
};

}  // namespace

std::string to_string(const BoundFunction& bound) { return Listing(bound).text(); }

}  // namespace ember::vm
