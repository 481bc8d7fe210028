// Code to bytes: one function a section, then header and table in front. Fields of attributes and expressions are
// written in the order in which module_decode.cpp reads them.
#include "bytecode/code/bytes.h"

namespace ember::bytecode {
namespace {

class Encoder {
 public:
  explicit Encoder(const Code& code) : code_(code) {}

  std::vector<std::byte> run() {
    using Section = void (Encoder::*)();
    constexpr Section sections[] = {&Encoder::symbols, &Encoder::files, &Encoder::constants, &Encoder::scalars,
                                    &Encoder::calls,   &Encoder::fused, &Encoder::functions, &Encoder::state};
    static_assert(std::size(sections) == kSectionCount);
    std::vector<std::byte> file(kTableEnd);
    SectionEntry table[kSectionCount];
    for (uint32_t i = 0; i < kSectionCount; ++i) {
      out_ = Writer();
      const Section write = sections[i];  // g++ 12's UBSan sees a wrong index in (this->*sections[i])()
      (this->*write)();
      file.resize((file.size() + kAlignment - 1) / kAlignment * kAlignment);
      table[i] = {i + 1, crc32c(out_.bytes()), file.size(), out_.bytes().size()};
      file.insert(file.end(), out_.bytes().begin(), out_.bytes().end());
    }
    FileHeader header{{}, kFileVersion, kSectionCount, file.size(), 0, 0};
    std::memcpy(header.magic, kMagic, sizeof(kMagic));
    std::memcpy(file.data() + sizeof(header), table, sizeof(table));
    std::memcpy(file.data(), &header, sizeof(header));
    header.checksum = table_checksum(file);
    std::memcpy(file.data(), &header, sizeof(header));
    return file;
  }

 private:
  void symbols() {
    out_.list(code_.symbols.exprs(), [&](const ops::SymbolExpr& e) {
      if (e.function)
        ops::value_error("a number is computed by Python's " + e.function->name() + ", which no file can hold.");
      out_.put(e.op);
      out_.put(e.kind);
      out_.put(e.a);
      out_.put(e.b);
      out_.put(e.hint);
    });
    out_.list(code_.symbols.guards(), [&](const ops::SymbolGuard& g) {
      out_.put(g.condition);
      out_.put(g.outcome);
    });
  }
  void files() {
    out_.list(code_.files, [&](const std::string& file) { out_.text(file); });
    out_.list(code_.names, [&](const std::string& name) { out_.text(name); });
  }
  void constants() {
    out_.list(code_.constants, [&](const ops::Tensor& tensor) { constant(tensor); });
  }
  void constant(const ops::Tensor& tensor) {
    out_.put(tensor.dtype());
    out_.put(static_cast<uint8_t>(tensor.rank()));
    for (int64_t size : tensor.shape()) out_.put(size);
    out_.align();
    out_.raw(tensor.data(), tensor.layout().bytes());
  }
  void state() {
    out_.list(code_.state, [&](const auto& held) {
      out_.put(held.first);
      constant(held.second);
    });
  }
  void scalars() {
    out_.list(code_.scalars, [&](uint64_t bits) { out_.put(bits); });
  }
  void calls() {
    out_.list(code_.calls, [&](const CallSite& call) {
      out_.text(call.op->primitive);
      attrs(call.attrs);
    });
  }
  void fused();
  void functions();
  void attrs(const ops::Attrs& attrs);
  void dim(ops::Dim d) {
    out_.put(d.expr);
    out_.put(d.symbolic() ? int64_t{0} : d.hint());
  }
  void type(const Type& type) {
    out_.put(type.kind);
    out_.put(type.dtype);
    out_.put(static_cast<uint8_t>(type.dims.size()));
    for (ops::Dim d : type.dims) dim(d);
    if (is_scalar(type.kind)) out_.put(type.expr);
  }
  void registers(const std::vector<Register>& list) {
    out_.list(list, [&](Register r) { out_.put(r); });
  }

  const Code& code_;
  Writer out_;
};

void Encoder::attrs(const ops::Attrs& attrs) {
  out_.list(attrs.values(), [&](const ops::Attr& attr) {
    out_.put(static_cast<uint8_t>(attr.index()));
    if (const auto* flag = std::get_if<bool>(&attr)) out_.put(*flag);
    if (const auto* number = std::get_if<ops::Dim>(&attr)) dim(*number);
    if (const auto* number = std::get_if<double>(&attr)) out_.put(*number);
    if (const auto* text = std::get_if<std::string>(&attr)) out_.text(*text);
    if (const auto* dtype = std::get_if<ops::DType>(&attr)) out_.put(*dtype);
    if (const auto* ints = std::get_if<ops::Ints>(&attr)) out_.list(*ints, [&](ops::Dim d) { dim(d); });
  });
}

void Encoder::fused() {
  out_.list(code_.fused, [&](const FusedSite& site) {
    out_.put(site.expr->inputs);
    out_.list(site.expr->nodes, [&](const ops::ExprNode& node) {
      out_.put(node.verb);
      out_.put(node.dtype);
      for (ops::NodeId arg : node.args) out_.put(arg);
      out_.put(node.bits);
    });
    out_.list(site.expr->outputs, [&](ops::NodeId output) { out_.put(output); });
    out_.text(site.reduction.op ? site.reduction.op->primitive : "");
    attrs(site.reduction.attrs);
  });
}

void Encoder::functions() {
  out_.put(code_.entry);
  out_.list(code_.functions, [&](const CodeFunction& f) {
    out_.text(f.name);
    out_.put(f.loops);
    out_.put(f.branches);
    out_.list(f.registers, [&](const Type& t) { type(t); });
    out_.list(f.live_ranges, [&](const LiveRange& life) {
      out_.put(life.begin);
      out_.put(life.end);
    });
    registers(f.params);
    out_.list(f.param_names, [&](const std::string& name) { out_.text(name); });
    registers(f.results);
    out_.list(f.sources, [&](const SourceMark& mark) {
      out_.put(mark.pc);
      out_.put(mark.source.file);
      out_.put(mark.source.line);
      out_.put(mark.source.name);
    });
    out_.list(f.words, [&](Word word) { out_.put(word.bits); });
  });
}

}  // namespace

std::vector<std::byte> encode(const Code& code) { return Encoder(code).run(); }

}  // namespace ember::bytecode
