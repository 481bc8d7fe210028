// Libraries stay loaded and prepared calls are kept for ever: a graph may hold the call as long as the process lives.
// What a foreign function does is unknown, so the op counts as an outside effect: it is called once, and in order.
#include "ops/foreign/foreign.h"

#include <dlfcn.h>
#include <ffi.h>

#include <cctype>
#include <charconv>
#include <map>
#include <memory>

#include "gc/fork.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

class SignatureParser {
 public:
  explicit SignatureParser(const std::string& text) : text_(text) {}

  ForeignSignature parse() {
    if (!at("->")) out_.operands = values(true);
    if (!take("->")) fail("expected '->'");
    skip();
    if (at_ != text_.size()) out_.results = values(false);
    if (at_ != text_.size()) fail("unexpected text");
    for (const ForeignValue& v : out_.results) {
      if (v.by_value && out_.results.size() > 1) fail("a result by value must be the only one");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    value_error(about(kForeignCall) + "in signature '" + text_ + "' at " + std::to_string(at_) + ": " + what + ".");
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at(std::string_view token) {
    skip();
    return std::string_view(text_).substr(at_).starts_with(token);
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  std::string word() {
    skip();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (at_ == start) fail("expected a name or a number");
    return text_.substr(start, at_ - start);
  }

  std::vector<ForeignValue> values(bool binds) {
    std::vector<ForeignValue> out;
    do {
      out.push_back(value(binds));
    } while (take(","));
    return out;
  }

  ForeignValue value(bool binds) {
    ForeignValue out;
    std::string dtype = word();
    if (!parse_dtype(dtype, &out.dtype)) fail("unknown dtype '" + dtype + "'");
    if (!take("[")) {
      if (out.dtype == DType::Float16 || out.dtype == DType::BFloat16) fail(dtype + " cannot be passed by value");
      return out;
    }
    out.by_value = false;
    while (!take("]")) {
      out.sizes.push_back(size(binds));
      if (!at("]") && !take(",")) fail("expected ',' or ']'");
    }
    if (out.sizes.size() > kMaxRank) fail("more than 8 dimensions");
    return out;
  }

  std::variant<int64_t, size_t> size(bool binds) {
    std::string text = word();
    if (std::isdigit(static_cast<unsigned char>(text[0]))) {
      int64_t number = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size()) fail("'" + text + "' is no size");
      return number;
    }
    for (size_t i = 0; i < out_.names.size(); ++i) {
      if (out_.names[i] == text) return i;
    }
    if (!binds) fail("no operand has the size '" + text + "'");
    out_.names.push_back(text);
    return out_.names.size() - 1;
  }

  const std::string& text_;
  size_t at_ = 0;
  ForeignSignature out_;
};

ffi_type* ffi_type_of(DType dtype) {
  switch (dtype) {
    case DType::Bool:
    case DType::UInt8:
      return &ffi_type_uint8;
    case DType::Int8:
      return &ffi_type_sint8;
    case DType::Int16:
      return &ffi_type_sint16;
    case DType::Int32:
      return &ffi_type_sint32;
    case DType::Int64:
      return &ffi_type_sint64;
    case DType::UInt16:
      return &ffi_type_uint16;
    case DType::UInt32:
      return &ffi_type_uint32;
    case DType::UInt64:
      return &ffi_type_uint64;
    case DType::Float32:
      return &ffi_type_float;
    default:
      return &ffi_type_double;
  }
}

// One prepared call. The cif points into `types`, so it never moves.
struct Foreign {
  ForeignSignature signature;
  void (*function)() = nullptr;
  std::vector<ffi_type*> types;
  ffi_cif cif{};

  bool returns() const { return !signature.results.empty() && signature.results[0].by_value; }
};

void* load(const std::string& library) {
  if (library.find('\0') != std::string::npos) {
    value_error(about(kForeignCall) + "the library's name has an embedded null byte.");
  }
  void* handle = library.empty() ? nullptr : dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = library.empty() ? "it has no name" : dlerror();
    value_error(about(kForeignCall) + "the library '" + library +
                "' cannot be loaded: " + (why ? why : "unknown reason") + ".");
  }
  return handle;
}

std::unique_ptr<Foreign> prepare(const std::string& library, const std::string& symbol, const std::string& signature) {
  auto out = std::make_unique<Foreign>();
  out->signature = parse_foreign_signature(signature);
  out->function = reinterpret_cast<void (*)()>(dlsym(load(library), symbol.c_str()));
  if (!out->function)
    value_error(about(kForeignCall) + "the library '" + library + "' has no symbol '" + symbol + "'.");
  for (const ForeignValue& v : out->signature.operands) {
    out->types.push_back(v.by_value ? ffi_type_of(v.dtype) : &ffi_type_pointer);
  }
  for (const ForeignValue& v : out->signature.results) {
    if (!v.by_value) out->types.push_back(&ffi_type_pointer);
  }
  out->types.insert(out->types.end(), out->signature.names.size(), &ffi_type_sint64);
  ffi_type* result = out->returns() ? ffi_type_of(out->signature.results[0].dtype) : &ffi_type_void;
  auto count = static_cast<unsigned>(out->types.size());
  if (ffi_prep_cif(&out->cif, FFI_DEFAULT_ABI, count, result, out->types.data()) != FFI_OK) {
    value_error(about(kForeignCall) + "the signature '" + signature + "' cannot be called.");
  }
  return out;
}

const Foreign& foreign(const Attrs& attrs) {
  static auto& mutex = *new gc::ForkMutex<std::mutex>(gc::ForkRank::Libraries);
  static auto& known = *new std::map<std::array<std::string, 3>, std::unique_ptr<Foreign>>;
  std::array<std::string, 3> key = {attrs.text(1), attrs.text(2), attrs.text(3)};
  std::lock_guard lock(mutex);
  auto it = known.find(key);
  if (it == known.end()) it = known.emplace(key, prepare(key[0], key[1], key[2])).first;
  return *it->second;
}

// The sizes that the names stand for; -1 until an operand has said.
void bind(const ForeignValue& wanted, const Type& given, size_t position, std::vector<Dim>& names) {
  bool fits = given.dtype == wanted.dtype && given.dims.size() == wanted.sizes.size();
  for (size_t d = 0; fits && d < wanted.sizes.size(); ++d) {
    if (const int64_t* number = std::get_if<int64_t>(&wanted.sizes[d])) {
      fits = given.dims[d] == Dim(*number);
      continue;
    }
    Dim& name = names[std::get<size_t>(wanted.sizes[d])];
    if (identical(name, Dim(-1))) name = given.dims[d];
    fits = name == given.dims[d];
  }
  if (!fits) {
    value_error(about(kForeignCall) + "operand " + std::to_string(position) + " is " + to_string(given) +
                ", which the signature does not allow.");
  }
}

void call(const Foreign& f, std::vector<void*>& pointers, std::vector<int64_t>& names, const KernelCall& c) {
  std::vector<void*> values;
  for (size_t i = 0; i < pointers.size(); ++i) {
    bool by_value = i < f.signature.operands.size() && f.signature.operands[i].by_value;
    values.push_back(by_value ? pointers[i] : &pointers[i]);
  }
  for (int64_t& size : names) values.push_back(&size);
  alignas(16) unsigned char result[16] = {};
  auto cif = f.cif;
  ffi_call(&cif, f.function, result, values.data());
  if (f.returns()) std::copy_n(result, itemsize(f.signature.results[0].dtype), c.out[0].as<unsigned char>());
}

}  // namespace

ForeignSignature parse_foreign_signature(const std::string& text) { return SignatureParser(text).parse(); }

Types foreign_results(const InferCall& c) {
  const ForeignSignature s = parse_foreign_signature(c.attrs.text(3));
  if (s.operands.size() != c.in.size()) {
    type_error(about(kForeignCall) + "the signature has " + std::to_string(s.operands.size()) + " operands, but " +
               std::to_string(c.in.size()) + " are given.");
  }
  std::vector<Dim> names(s.names.size(), Dim(-1));
  for (size_t i = 0; i < c.in.size(); ++i) bind(s.operands[i], c.in[i], i, names);
  Types out;
  for (const ForeignValue& v : s.results) {
    Dims dims;
    for (const auto& size : v.sizes) {
      const size_t* bound = std::get_if<size_t>(&size);
      dims.push_back(bound ? names[*bound] : Dim(std::get<int64_t>(size)));
    }
    out.push_back(Type::tensor(v.dtype, dims));
  }
  return out;
}

void call_foreign(const KernelCall& c) {
  const Foreign& f = foreign(c.attrs);
  const ForeignSignature& s = f.signature;
  std::vector<Tensor> copies;
  std::vector<void*> pointers;
  std::vector<int64_t> names(s.names.size());
  for (size_t i = 0; i < c.in.size(); ++i) {
    View in = c.in[i];
    for (size_t d = 0; d < s.operands[i].sizes.size(); ++d) {
      if (const size_t* bound = std::get_if<size_t>(&s.operands[i].sizes[d])) names[*bound] = in.layout->shape[d];
    }
    if (!in.layout->contiguous) {
      copies.push_back(Tensor::empty(in.layout->dtype, in.layout->shape));
      copy_view(in, {copies.back().data(), &copies.back().layout()});
      in.data = copies.back().data();
    }
    pointers.push_back(in.data);
  }
  for (size_t i = 0; i < c.out.size() && !f.returns(); ++i) pointers.push_back(c.out[i].data);
  call(f, pointers, names, c);
}

}  // namespace ember::ops
