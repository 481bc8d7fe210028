// Bytes to Code. The header says how the sections must lie, so a file has one form only; what is in them is read with
// bounds, and verified as code at the end.
#include "bytecode/code/bytes.h"
#include "bytecode/code/verify_code.h"

namespace ember::bytecode {
namespace {

[[noreturn]] void fail(const std::string& what) { throw FileError("module file: " + what); }

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> file) : file_(file), in_("header", {}) {}

  gc::Ref<Code> run() {
    using Section = void (Decoder::*)();
    constexpr Section sections[] = {&Decoder::symbols, &Decoder::files, &Decoder::constants, &Decoder::scalars,
                                    &Decoder::calls,   &Decoder::fused, &Decoder::functions, &Decoder::state};
    static_assert(std::size(sections) == kSectionCount);
    check_header();
    size_t end = kTableEnd;
    for (size_t i = 0; i < kSectionCount; ++i) {
      in_ = section(i, &end);
      const Section read = sections[i];  // g++ 12's UBSan sees a wrong index in (this->*sections[i])()
      (this->*read)();
      in_.end();
    }
    if (end != file_.size()) fail("bytes after the last section");
    return code_;
  }

 private:
  void check_header() const;
  Reader section(size_t index, size_t* end) const;
  void symbols();
  void files() {
    code_->files = in_.list(4, [&] { return in_.text(); });
    code_->names = in_.list(4, [&] { return in_.text(); });
  }
  void constants() {
    code_->constants = in_.list(2, [&] { return constant(); });
  }
  void scalars() {
    code_->scalars = in_.list(8, [&] { return in_.take<uint64_t>(); });
  }
  void calls() {
    code_->calls = in_.list(8, [&] {
      const ops::Op* op = find(in_.text());
      return CallSite{op, attrs()};
    });
  }
  void fused() {
    code_->fused = in_.list(18, [&] { return fused_site(); });
  }
  void functions() {
    code_->entry = in_.take<uint32_t>();
    code_->functions = in_.list(40, [&] { return function(); });
  }
  void state() {
    code_->state = in_.list(6, [&] {
      const auto param = in_.take<uint32_t>();
      return std::pair(param, constant());
    });
  }
  ops::Tensor constant();
  FusedSite fused_site();
  CodeFunction function();
  ops::Attr attr();
  ops::Dim dim();
  Type type();

  const ops::Op* find(const std::string& primitive) const {
    const ops::Op* op = ops::find_op(primitive);
    if (!op) in_.fail("this emberjit has no op '" + primitive.substr(0, 100) + "'");
    return op;
  }
  ops::Attrs attrs() {
    return ops::Attrs(in_.list(1, [&] { return attr(); }));
  }
  ops::DType dtype() { return in_.item<ops::DType>(ops::kDTypes, "no such dtype"); }
  std::vector<Register> registers() {
    return in_.list(2, [&] { return in_.take<Register>(); });
  }

  std::span<const std::byte> file_;
  Reader in_;
  gc::Ref<Code> code_ = gc::make<Code>();
};

void Decoder::check_header() const {
  if (file_.size() < kTableEnd || std::memcmp(file_.data(), kMagic, sizeof(kMagic)) != 0)
    fail("this is no emberjit module");
  FileHeader header;
  std::memcpy(&header, file_.data(), sizeof(header));
  if (header.version != kFileVersion)
    fail("version " + std::to_string(header.version) + "; this emberjit reads version " + std::to_string(kFileVersion));
  if (header.size != file_.size())
    fail("it should have " + std::to_string(header.size) + " bytes and has " + std::to_string(file_.size()));
  if (header.checksum != table_checksum(file_)) fail("header: checksum differs");
  if (header.sections != kSectionCount || header.zero != 0) fail("header: malformed");
}

Reader Decoder::section(size_t index, size_t* end) const {
  const std::string name(kSections[index]);
  SectionEntry entry;
  std::memcpy(&entry, file_.data() + sizeof(FileHeader) + index * sizeof(entry), sizeof(entry));
  const size_t start = (*end + kAlignment - 1) / kAlignment * kAlignment;
  const bool fits =
      entry.number == index + 1 && entry.offset == start && start <= file_.size() && entry.size <= file_.size() - start;
  if (!fits) fail("section " + name + ": out of place");
  for (std::byte b : file_.subspan(*end, start - *end))
    if (b != std::byte{0}) fail("section " + name + ": padding is not zero");
  const std::span<const std::byte> bytes = file_.subspan(start, entry.size);
  if (crc32c(bytes) != entry.checksum) fail("section " + name + ": checksum differs");
  *end = start + entry.size;
  return Reader(name, bytes);
}

void Decoder::symbols() {
  auto exprs = in_.list(18, [&] {
    ops::SymbolExpr e;
    e.op = in_.item<ops::SymbolOp>(static_cast<size_t>(ops::SymbolOp::Call), "no such operation on numbers");
    e.kind = in_.item<ops::ScalarKind>(static_cast<size_t>(ops::ScalarKind::Float) + 1, "no such kind of number");
    e.a = in_.take<uint32_t>();
    e.b = in_.take<uint32_t>();
    e.hint = in_.take<int64_t>();
    return e;
  });
  auto guards = in_.list(5, [&] {
    ops::SymbolGuard g;
    g.condition = in_.take<uint32_t>();
    g.outcome = in_.item<uint8_t>(2, "no such outcome") != 0;
    return g;
  });
  in_.check(ops::SymbolTable::restore(std::move(exprs), std::move(guards), &code_->symbols),
            "a malformed expression or guard");
}

ops::Tensor Decoder::constant() {
  const ops::DType type = dtype();
  ops::Shape shape;
  const uint8_t rank = in_.take<uint8_t>();
  in_.check(rank <= ops::kMaxRank, "a constant of too many dimensions");
  uint64_t elements = 1;
  for (uint8_t i = 0; i < rank; ++i) {
    const int64_t size = in_.take<int64_t>();
    in_.check(size >= 0 && size < int64_t{1} << 48, "a constant of impossible size");
    if (__builtin_mul_overflow(elements, static_cast<uint64_t>(size), &elements)) elements = ~uint64_t{0};
    shape.push_back(size);
  }
  in_.align();
  in_.check(elements < uint64_t{1} << 48, "a constant of impossible size");
  const std::span<const std::byte> data = in_.raw(elements * itemsize(type));
  if (type == ops::DType::Bool)
    for (std::byte b : data) in_.check(b <= std::byte{1}, "a Bool that is neither true nor false");
  try {
    const ops::Tensor tensor = ops::Tensor::empty(type, shape);
    if (!data.empty()) std::memcpy(tensor.data(), data.data(), data.size());
    return tensor;
  } catch (const std::invalid_argument& e) {
    in_.fail(e.what());
  }
}

ops::Dim Decoder::dim() {
  const ops::ExprId expr = in_.take<uint32_t>();
  const int64_t value = in_.take<int64_t>();
  if (expr == 0) return value;
  in_.check(expr < code_->symbols.exprs().size() && value == 0, "an unknown dim");
  in_.check(code_->symbols.exprs()[expr].kind == ops::ScalarKind::Int, "a dim that is no Int");
  return {code_->symbols.exprs()[expr].hint, expr};
}

Type Decoder::type() {
  Type type;
  type.kind = in_.item<ops::Kind>(static_cast<size_t>(ops::Kind::Stack) + 1, "no such kind of value");
  type.dtype = dtype();
  const uint8_t rank = in_.take<uint8_t>();
  in_.check(rank <= ops::kMaxRank, "a type of too many dimensions");
  for (uint8_t i = 0; i < rank; ++i) type.dims.push_back(dim());
  if (is_scalar(type.kind)) type.expr = in_.take<ops::ExprId>();
  const auto& exprs = code_->symbols.exprs();
  in_.check(type.expr == 0 || (type.expr < exprs.size() && exprs[type.expr].kind == scalar_kind(type.kind)),
            "a number of an unknown expression");
  return type;
}

ops::Attr Decoder::attr() {
  switch (in_.take<uint8_t>()) {
    case 0:
      return {};
    case 1:
      return in_.item<bool>(2, "neither true nor false");
    case 2:
      return dim();
    case 3:
      return in_.take<double>();
    case 4:
      return in_.text();
    case 5:
      return dtype();
    case 6:
      return in_.list(12, [&] { return dim(); });
    default:
      in_.fail("no such kind of attribute");
  }
}

FusedSite Decoder::fused_site() {
  ops::Expr expr;
  expr.inputs = in_.take<uint16_t>();
  expr.nodes = in_.list(16, [&] {
    ops::ExprNode node;
    node.verb = in_.item<ops::Verb>(ops::kVerbs, "no such verb");
    node.dtype = dtype();
    for (ops::NodeId& arg : node.args) arg = in_.take<ops::NodeId>();
    node.bits = in_.take<uint64_t>();
    return node;
  });
  expr.outputs = in_.list(2, [&] { return in_.take<ops::NodeId>(); });
  FusedSite site;
  site.expr = std::make_shared<const ops::Expr>(std::move(expr));
  const std::string reduction = in_.text();
  if (!reduction.empty()) site.reduction.op = find(reduction);
  site.reduction.attrs = attrs();
  return site;
}

CodeFunction Decoder::function() {
  CodeFunction f;
  f.name = in_.text();
  f.loops = in_.take<uint32_t>();
  f.branches = in_.take<uint32_t>();
  f.registers = in_.list(3, [&] { return type(); });
  f.live_ranges = in_.list(8, [&] {
    const uint32_t begin = in_.take<uint32_t>();
    return LiveRange{begin, in_.take<uint32_t>()};
  });
  f.params = registers();
  f.param_names = in_.list(4, [&] { return in_.text(); });
  f.results = registers();
  f.sources = in_.list(16, [&] {
    SourceMark mark;
    mark.pc = in_.take<uint32_t>();
    mark.source.file = in_.take<uint32_t>();
    mark.source.line = in_.take<uint32_t>();
    mark.source.name = in_.take<uint32_t>();
    return mark;
  });
  f.words = in_.list(8, [&] { return Word{in_.take<uint64_t>()}; });
  return f;
}

}  // namespace

CodeRef decode_module(std::span<const std::byte> bytes, std::span<const uint32_t> paths) {
  const gc::Ref<Code> code = Decoder(bytes).run();
  auto path = paths.begin();
  for (CodeFunction& function : code->functions)
    for (SourceMark& mark : function.sources)
      if (path != paths.end()) mark.source.path = *path++;
  verify(*code);
  verify_entry(*code);
  return code;
}

}  // namespace ember::bytecode
