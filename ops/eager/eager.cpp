// Running one op at once.
//
// A call's key is the op, its attributes, and for every operand the layout's number or the kind of number. Under it a
// thread keeps a specialisation: which way the op runs, its program, the layouts of its results. A specialisation holds
// for every call of the same key, since shape rules see types and attributes only. The table is direct-mapped, so it
// can't grow; a specialisation that loses its place is made again. Whoever runs one holds it: meanwhile the thread may
// run other ops, those of a kernel, or of a signal's handler where work looks for an interrupt.
#include "ops/eager/eager.h"

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "ops/base/interrupt.h"
#include "ops/base/pinned_isa.h"
#include "ops/base/timeline.h"
#include "ops/eager/float_status.h"
#include "ops/program/program.h"
#include "ops/program/strided.h"

namespace ember::ops {
namespace {

enum class How : uint8_t { Express, Kernel, View, Compose };

struct Specialisation {
  How how = How::Compose;
  gc::Ref<const Program> program;
  std::vector<Kind> kinds;         // of the results
  std::vector<LayoutRef> layouts;  // of the results
  int64_t view_offset = 0;
  int ref_operand = -1;
  uint32_t holders = 0;
};

// A specialisation's holders are of one thread.
class SpecialisationRef {
 public:
  SpecialisationRef() = default;
  explicit SpecialisationRef(Specialisation specialisation)
      : specialisation_(new Specialisation(std::move(specialisation))) {
    specialisation_->holders = 1;
  }
  SpecialisationRef(const SpecialisationRef& other) : specialisation_(other.specialisation_) {
    ++specialisation_->holders;
  }
  SpecialisationRef(SpecialisationRef&& other) noexcept
      : specialisation_(std::exchange(other.specialisation_, nullptr)) {}
  SpecialisationRef& operator=(SpecialisationRef other) noexcept {
    std::swap(specialisation_, other.specialisation_);
    return *this;
  }
  ~SpecialisationRef() {
    if (specialisation_ && --specialisation_->holders == 0) delete specialisation_;
  }
  const Specialisation& operator*() const { return *specialisation_; }

 private:
  Specialisation* specialisation_ = nullptr;
};

struct CacheEntry {
  const Op* op = nullptr;
  std::vector<uint64_t> codes;
  Attrs attrs;
  SpecialisationRef specialisation;
};

constexpr size_t kCacheEntries = 512;
constexpr size_t kInline = 8;

enum Code : uint64_t { None, BoolCode, IntCode, FloatCode, Codes };

uint64_t code_of(const Value& v) {
  switch (v.index()) {
    case 0:
      return None;
    case 1:
      return std::get<Tensor>(v).layout().id + Codes;
    case 2:
      return BoolCode;
    case 3:
      return IntCode;
    case 4:
      return FloatCode;
    default:
      throw std::logic_error("an eager op is given a value of a graph");
  }
}

// Room for n items, on the stack if they are few.
template <class T>
class Items {
 public:
  explicit Items(size_t n) : size_(n), many_(n > kInline ? new T[n] : nullptr) {}
  T* data() { return many_ ? many_.get() : few_.data(); }
  T& operator[](size_t i) { return data()[i]; }
  std::span<const T> span() { return {data(), size_}; }

 private:
  size_t size_;
  std::array<T, kInline> few_;
  std::unique_ptr<T[]> many_;
};

const LayoutRef& slot_layout(Kind kind) {
  static const std::array<LayoutRef, 3> layouts = {layout(DType::Bool, {}), layout(DType::Int64, {}),
                                                   layout(DType::Float64, {})};
  return layouts[kind == Kind::Bool ? 0 : kind == Kind::Int ? 1 : 2];
}

View view_of(const Value& v, uint64_t* slot) {
  switch (v.index()) {
    case 0:
      return {};
    case 1: {
      const Tensor& t = std::get<Tensor>(v);
      return {t.data(), &t.layout()};
    }
    case 2:
      *slot = std::get<bool>(v);
      return {slot, slot_layout(Kind::Bool).get()};
    case 3:
      *slot = static_cast<uint64_t>(std::get<int64_t>(v));
      return {slot, slot_layout(Kind::Int).get()};
    default:
      *slot = std::bit_cast<uint64_t>(std::get<double>(v));
      return {slot, slot_layout(Kind::Float).get()};
  }
}

Value number(Kind kind, uint64_t slot) {
  if (kind == Kind::Bool) return (slot & 0xFF) != 0;
  if (kind == Kind::Int) return static_cast<int64_t>(slot);
  return std::bit_cast<double>(slot);
}

int ref_position(const Op& op) {
  int position = 0;
  for (const Param& p : op.signature.params) {
    if (p.kind == ParamKind::Ref) return position;
    position += is_operand(p.kind);
  }
  return -1;
}

Specialisation make_plan(const Op& op, std::span<const Value> operands, const Attrs& attrs) {
  Specialisation specialisation;
  specialisation.ref_operand = ref_position(op);
  Types in;
  for (const Value& v : operands) in.push_back(type_of(v));
  if (specialisation.ref_operand >= 0 && static_cast<size_t>(specialisation.ref_operand) < in.size()) {
    Type& target = in[static_cast<size_t>(specialisation.ref_operand)];
    if (target.is_tensor()) target.kind = Kind::Ref;
  }
  for (const Type& t : infer(op, in, attrs)) {
    specialisation.kinds.push_back(t.kind);
    specialisation.layouts.push_back(is_scalar(t.kind) ? slot_layout(t.kind) : layout(t.dtype, hints(t.dims)));
  }
  if (op.elementwise()) {
    specialisation.how = How::Express;
    specialisation.program = program(op, in, attrs);
  } else if (op.view) {
    const Tensor& source = std::get<Tensor>(operands[0]);
    LayoutRef viewed;
    bool possible = op.view(source.layout(), attrs, &viewed, &specialisation.view_offset);
    specialisation.how = possible ? How::View : How::Kernel;
    if (possible) specialisation.layouts[0] = viewed;
  } else if (op.kernel) {
    specialisation.how = How::Kernel;
  }
  return specialisation;
}

SpecialisationRef find_plan(const Op& op, std::span<const Value> operands, const Attrs& attrs) {
  static thread_local std::unique_ptr<CacheEntry[]> table;
  if (!table) table = std::make_unique<CacheEntry[]>(kCacheEntries);
  Items<uint64_t> codes(operands.size());
  uint64_t key = reinterpret_cast<uintptr_t>(&op) ^ hash(attrs);
  for (size_t i = 0; i < operands.size(); ++i) {
    codes[i] = code_of(operands[i]);
    key = (key ^ codes[i]) * 0x9E3779B97F4A7C15;
  }
  CacheEntry& entry = table[(key ^ key >> 32) % kCacheEntries];
  bool hit = entry.op == &op && std::ranges::equal(entry.codes, codes.span()) && identical(entry.attrs, attrs);
  if (hit) return entry.specialisation;
  SpecialisationRef specialisation(make_plan(op, operands, attrs));
  std::span<const uint64_t> all = codes.span();
  entry = {&op, {all.begin(), all.end()}, attrs, specialisation};
  return specialisation;
}

// Operands that share memory with the one that is written are read before the writing starts.
Values disjoint(std::span<const Value> operands, size_t written) {
  Values out(operands.begin(), operands.end());
  const gc::Ref<gc::Storage>& target = std::get<Tensor>(operands[written]).storage();
  for (size_t i = 0; i < out.size(); ++i) {
    const Tensor* t = std::get_if<Tensor>(&out[i]);
    if (i == written || !t || t->storage() != target) continue;
    out[i] = clone(*t);
  }
  return out;
}

Values run_plan(const Op& op, const Specialisation& specialisation, std::span<const Value> operands,
                const Attrs& attrs) {
  size_t results = specialisation.kinds.size();
  Items<uint64_t> slots(operands.size());
  Items<uint64_t> numbers(results);
  Items<View> in(operands.size());
  Items<View> out(results);
  Values values(results);
  for (size_t i = 0; i < operands.size(); ++i) in[i] = view_of(operands[i], &slots[i]);
  for (size_t i = 0; i < results; ++i) {
    if (is_scalar(specialisation.kinds[i])) {
      out[i] = {&numbers[i], slot_layout(specialisation.kinds[i]).get()};
      continue;
    }
    bool written = specialisation.kinds[i] == Kind::Ref;
    values[i] = written ? operands[static_cast<size_t>(specialisation.ref_operand)]
                        : Value(Tensor::empty(specialisation.layouts[i]));
    const Tensor& t = std::get<Tensor>(values[i]);
    out[i] = {t.data(), &t.layout()};
  }
  if (specialisation.how == How::Express) {
    specialisation.program->run(in.span(), out.span());
  } else {
    const Tensor* cacheable = operands.size() > 1 ? std::get_if<Tensor>(&operands[1]) : nullptr;
    run_kernel(op, in.span(), out.span(), attrs, cacheable ? cacheable->storage().get() : nullptr);
  }
  for (size_t i = 0; i < results; ++i) {
    if (is_scalar(specialisation.kinds[i])) values[i] = number(specialisation.kinds[i], numbers[i]);
  }
  return values;
}

// What a step complains of is said in the composed op's name.
Values run_steps(const Op& op, std::span<const Value> operands, const Attrs& attrs) {
  EagerBuilder b;
  try {
    return op.compose(b, operands, attrs);
  } catch (const OpError& e) {
    throw OpError(e.kind, in_name_of(op.name, e.what()));
  }
}

}  // namespace

Type type_of(const Value& v) {
  switch (v.index()) {
    case 0:
      return Type::token();
    case 1: {
      const Tensor& t = std::get<Tensor>(v);
      return Type::tensor(t.dtype(), dims(t.shape()));
    }
    case 2:
      return Type::scalar(Kind::Bool);
    case 3:
      return Type::scalar(Kind::Int);
    case 4:
      return Type::scalar(Kind::Float);
    default:
      throw std::logic_error("a value of a graph has no type here");
  }
}

namespace {

Values run_op(const Op& op, std::span<const Value> operands, const Attrs& attrs) {
  const SpecialisationRef held = find_plan(op, operands, attrs);
  const Specialisation& specialisation = *held;
  if (specialisation.how == How::View) {
    return {std::get<Tensor>(operands[0]).view(specialisation.layouts[0], specialisation.view_offset)};
  }
  if (specialisation.how == How::Compose) return run_steps(op, operands, attrs);
  if (!op.flags.has(Flag::Memory) || specialisation.ref_operand < 0)
    return run_plan(op, specialisation, operands, attrs);
  auto written = static_cast<size_t>(specialisation.ref_operand);
  const Values read = disjoint(operands, written);
  const gc::WriteScope writing(*std::get<Tensor>(operands[written]).storage());
  const Uninterrupted whole;
  return run_plan(op, specialisation, read, attrs);
}

Tensor borrow(const View& view) {
  return Tensor(gc::adopt(view.data, view.layout->bytes(), nullptr), LayoutRef(view.layout));
}

void run_view(const Op& op, const View& in, const View& out, const Attrs& attrs) {
  Tensor source = borrow(in);
  LayoutRef viewed;
  int64_t offset = 0;
  if (!op.view(source.layout(), attrs, &viewed, &offset)) {
    source = to_contiguous(source);
    if (!op.view(source.layout(), attrs, &viewed, &offset)) {
      throw std::logic_error("op '" + std::string(op.name) + "' has no view of a contiguous tensor");
    }
  }
  copy_into(source.view(viewed, offset), borrow(out));
}

}  // namespace

Values run(const Op& op, std::span<const Value> operands, const Attrs& attrs) {
  const TimedSpan span("op", [&] { return std::string(op.name); });
  const PinnedIsa pinned;
  Values results = run_op(op, operands, attrs);
  if (watching_floats()) {
    for (const Value& v : results)
      if (const Tensor* t = std::get_if<Tensor>(&v)) note_floats({t->data(), &t->layout()});
  }
  return results;
}

bool run_into(const Op& op, std::span<const Value> operands, const Attrs& attrs, const Tensor& target) {
  if (!op.elementwise() || op.signature.results != 1) return false;
  const SpecialisationRef held = find_plan(op, operands, attrs);
  const Specialisation& specialisation = *held;
  if (specialisation.kinds[0] != Kind::Tensor || specialisation.layouts[0]->dtype != target.dtype()) return false;
  if (!broadcasts_to(specialisation.layouts[0]->shape, target.shape())) return false;
  Items<uint64_t> slots(operands.size());
  Items<View> in(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    in[i] = view_of(operands[i], &slots[i]);
    const Tensor* t = std::get_if<Tensor>(&operands[i]);
    if (t && t->storage() == target.storage() && (t->data() != target.data() || t->layout().id != target.layout().id))
      return false;
  }
  const View out{target.data(), &target.layout()};
  const TimedSpan span("op", [&] { return std::string(op.name) + "_"; });
  const PinnedIsa pinned;
  const gc::WriteScope writing(*target.storage());
  const Uninterrupted whole;
  specialisation.program->run(in.span(), {&out, 1});
  if (watching_floats()) note_floats(out);
  return true;
}

void run_kernel(const Op& op, std::span<const View> in, std::span<const View> out, const Attrs& attrs,
                const gc::Storage* cacheable) {
  if (op.kernel) return op.kernel({in, out, attrs, nullptr, cacheable});
  if (!op.view) throw std::logic_error("op '" + std::string(op.name) + "' has no kernel");
  run_view(op, in[0], out[0], attrs);
}

Type EagerBuilder::type(const Value& v) const { return type_of(v); }
Value EagerBuilder::next_random() { return next_random_key(); }

}  // namespace ember::ops
