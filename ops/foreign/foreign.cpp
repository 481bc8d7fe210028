// Libraries stay loaded and prepared calls are kept for ever: a graph may hold the call as long as the process lives.
// What a foreign function does is unknown, so the op counts as an outside effect: it is called once, and in order.
#include "ops/foreign/foreign.h"

#include <dlfcn.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <numeric>

#include "gc/fork.h"
#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

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
  if (symbol.find('\0') != std::string::npos)
    value_error(about(kForeignCall) + "the symbol's name has an embedded null byte.");
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

// The sizes that names of sizes and of loops stand for; -1 until an operand has said.
struct Bound {
  explicit Bound(const ForeignSignature& s) : names(s.names.size(), Dim(-1)), loops(s.loops.size(), Dim(-1)) {}
  std::vector<Dim> names, loops;
};

bool bind(Dim& known, const Dim& size) {
  if (identical(known, Dim(-1))) known = size;
  return known == size;
}

void bind(const ForeignValue& declared, const Type& operand, size_t position, Bound& bound) {
  const size_t loops = declared.loops.size();
  bool fits = operand.dtype == declared.dtype && operand.dims.size() == loops + declared.sizes.size();
  for (size_t d = 0; fits && d < loops; ++d) fits = bind(bound.loops[declared.loops[d]], operand.dims[d]);
  for (size_t d = 0; fits && d < declared.sizes.size(); ++d) {
    const int64_t* number = std::get_if<int64_t>(&declared.sizes[d]);
    const Dim& size = operand.dims[loops + d];
    fits = number ? size == Dim(*number) : bind(bound.names[std::get<size_t>(declared.sizes[d])], size);
  }
  if (!fits) {
    value_error(about(kForeignCall) + "operand " + std::to_string(position) + " is " + to_string(operand) +
                ", which the signature does not allow.");
  }
}

std::string lowercase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// The calls of one kernel: one, or one for each index of the loops, in row-major order.
class Calls {
 public:
  Calls(const Foreign& foreign, const KernelCall& c) : foreign_(foreign), call_(c), cif_(foreign.cif) {
    const ForeignSignature& s = foreign.signature;
    names_.resize(s.names.size());
    extents_.resize(s.loops.size());
    for (size_t i = 0; i < c.in.size(); ++i) operand(s.operands[i], c.in[i]);
    std::vector<size_t> all(s.loops.size());
    std::iota(all.begin(), all.end(), 0);
    for (size_t i = 0; i < c.out.size(); ++i) place(s.results[i], all, c.out[i]);
  }

  void run() {
    std::vector<int64_t> index(extents_.size());
    if (std::ranges::count(extents_, 0)) return;
    do one(index);
    while (next(index));
  }

 private:
  struct Place {
    std::byte* data;
    std::vector<int64_t> steps;  // bytes, by loop
    std::vector<int64_t> shape;  // what the function sees
    std::string dtype;
  };

  void operand(const ForeignValue& v, View in) {
    for (size_t d = 0; d < v.loops.size(); ++d) extents_[v.loops[d]] = in.layout->shape[d];
    for (size_t d = 0; d < v.sizes.size(); ++d)
      if (const size_t* name = std::get_if<size_t>(&v.sizes[d])) names_[*name] = in.layout->shape[v.loops.size() + d];
    if (!in.layout->contiguous) {
      copies_.push_back(Tensor::empty(in.layout->dtype, in.layout->shape));
      copy_view(in, {copies_.back().data(), &copies_.back().layout()});
      in.data = copies_.back().data();
    }
    place(v, v.loops, in);
  }

  void place(const ForeignValue& v, std::span<const size_t> loops, const View& view) {
    const Shape& shape = view.layout->shape;
    Place place{static_cast<std::byte*>(view.data),
                std::vector<int64_t>(extents_.size()),
                {shape.begin() + static_cast<ptrdiff_t>(loops.size()), shape.end()},
                lowercase(name(v.dtype))};
    auto step = static_cast<int64_t>(itemsize(v.dtype));
    for (const int64_t size : place.shape) step *= size;
    for (size_t d = loops.size(); d-- > 0; step *= shape[d]) place.steps[loops[d]] = step;
    places_.push_back(std::move(place));
  }

  void one(std::span<const int64_t> index) {
    std::vector<void*> pointers;
    for (const Place& place : places_) {
      std::byte* data = place.data;
      for (size_t d = 0; d < index.size(); ++d) data += index[d] * place.steps[d];
      pointers.push_back(data);
    }
    foreign_.signature.aot ? by_aot(pointers) : by_ffi(pointers);
  }

  void by_ffi(std::vector<void*>& pointers) {
    const size_t operands = foreign_.signature.operands.size();
    std::vector<void*> values;
    for (size_t i = 0; i < operands + (foreign_.returns() ? 0 : call_.out.size()); ++i) {
      const bool by_value = i < operands && foreign_.signature.operands[i].by_value;
      values.push_back(by_value ? pointers[i] : &pointers[i]);
    }
    for (int64_t& size : names_) values.push_back(&size);
    alignas(16) unsigned char result[16] = {};
    ffi_call(&cif_, foreign_.function, result, values.data());
    if (foreign_.returns())
      std::copy_n(result, itemsize(foreign_.signature.results[0].dtype),
                  static_cast<unsigned char*>(pointers[operands]));
  }

  void by_aot(std::vector<void*>& pointers) {
    std::vector<int> ranks;
    std::vector<int64_t*> shapes;
    std::vector<const char*> dtypes;
    for (Place& place : places_) {
      ranks.push_back(static_cast<int>(place.shape.size()));
      shapes.push_back(place.shape.data());
      dtypes.push_back(place.dtype.c_str());
    }
    const auto function = reinterpret_cast<int (*)(int, void**, int*, int64_t**, const char**, void*, void*)>(
        reinterpret_cast<void*>(foreign_.function));
    const int count = static_cast<int>(pointers.size());
    if (const int code = function(count, pointers.data(), ranks.data(), shapes.data(), dtypes.data(), nullptr, nullptr))
      throw std::runtime_error(about(kForeignCall) + "'" + call_.attrs.text(2) + "' of the library '" +
                               call_.attrs.text(1) + "' answered " + std::to_string(code) + ", which is an error.");
  }

  bool next(std::vector<int64_t>& index) const {
    for (size_t d = index.size(); d-- > 0; index[d] = 0)
      if (++index[d] < extents_[d]) return true;
    return false;
  }

  const Foreign& foreign_;
  const KernelCall& call_;
  ffi_cif cif_;
  std::vector<Tensor> copies_;
  std::vector<Place> places_;  // of operands, then results
  std::vector<int64_t> names_, extents_;
};

}  // namespace

Types foreign_results(const InferCall& c) {
  const ForeignSignature s = parse_foreign_signature(c.attrs.text(3));
  if (s.operands.size() != c.in.size()) {
    type_error(about(kForeignCall) + "the signature has " + std::to_string(s.operands.size()) + " operands, but " +
               std::to_string(c.in.size()) + " are given.");
  }
  Bound bound(s);
  for (size_t i = 0; i < c.in.size(); ++i) bind(s.operands[i], c.in[i], i, bound);
  Types out;
  for (const ForeignValue& v : s.results) {
    if (s.loops.size() + v.sizes.size() > kMaxRank)
      value_error(about(kForeignCall) + "a result would have more than 8 dimensions.");
    Dims dims;
    for (const Dim& loop : bound.loops) dims.push_back(loop);
    for (const auto& size : v.sizes) {
      const size_t* name = std::get_if<size_t>(&size);
      dims.push_back(name ? bound.names[*name] : Dim(std::get<int64_t>(size)));
    }
    out.push_back(Type::tensor(v.dtype, dims));
  }
  return out;
}

void call_foreign(const KernelCall& c) { Calls(foreign(c.attrs), c).run(); }

}  // namespace ember::ops
