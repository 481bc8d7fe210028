#include "tests/differential/tiers_agree.h"

#include <bit>
#include <cstdlib>
#include <set>

#include "bytecode/graph/verify.h"
#include "bytecode/passes/passes.h"
#include "bytecode/text/text.h"
#include "ops/base/isa.h"
#include "ops/base/parallel.h"
#include "ops/program/strided.h"
#include "tests/bytecode/graphs.h"
#include "tests/ops/samples.h"
#include "tiers/tiers.h"
#include "vm/exec/shadow.h"
#include "vm/state/hooks.h"

namespace ember::differential {

using ops::DType;
using ops::Isa;
using ops::Shape;
using ops::Tensor;

namespace {

constexpr uint32_t kSeed = 11;
constexpr ops::Isa kIsas[] = {Isa::Portable, Isa::Avx2, Isa::Avx512};

void start_once() {
  static const bool started = [] {
    tiers::start();
    tiers::options().enabled = false;
    tiers::options().background = false;
    return true;
  }();
  (void)started;
}

// Errors name the user's line only in vm.
std::string kind_and_first_line(const ops::OpError& e) {
  constexpr std::string_view kinds[] = {"ValueError: ", "TypeError: ", "IndexError: "};
  const std::string text = e.what();
  return std::string(kinds[static_cast<size_t>(e.kind)]) + text.substr(0, text.find('\n'));
}

Datum datum(const vm::Result& r) {
  switch (r.kind) {
    case ops::Kind::Bool:
      return (r.bits & 1) != 0;
    case ops::Kind::Int:
      return static_cast<int64_t>(r.bits);
    case ops::Kind::Float:
      return std::bit_cast<double>(r.bits);
    default:
      return r.tensor;
  }
}

uint64_t slot_bits(const Datum& d) {
  if (const auto* b = std::get_if<bool>(&d)) return static_cast<uint64_t>(*b);
  if (const auto* i = std::get_if<int64_t>(&d)) return static_cast<uint64_t>(*i);
  return std::bit_cast<uint64_t>(std::get<double>(d));
}

// What was observed is made up: one side of each branch.
void observe(vm::FunctionBinding& function, int side) {
  const bytecode::CodeFunction& fn = function.function();
  const vm::Profile& profile = function.profile();
  for (uint32_t b = 0; b < fn.branches; ++b) {
    profile.taken[b].set(side == 1 ? 20 : 0);
    profile.not_taken[b].set(side == 0 ? 20 : 0);
  }
}

std::vector<vm::Argument> passing(const Data& arguments) {
  std::vector<vm::Argument> passed;
  for (const Datum& d : arguments) {
    const auto* t = std::get_if<Tensor>(&d);
    passed.push_back({t, t ? 0 : slot_bits(d)});
  }
  return passed;
}

void observe_all(vm::FunctionBinding& function, int side, std::set<vm::FunctionBinding*>* seen) {
  if (!seen->insert(&function).second) return;
  observe(function, side);
  function.set_native(nullptr);
  for (const vm::Step& step : function.steps())
    if (step.kind == vm::Handler::Call) observe_all(*step.operands->callee, side, seen);
}

uint64_t forced_exits() { return bytecode::deopt_counts()[static_cast<size_t>(bytecode::DeoptReason::Forced)].load(); }

std::string shown(const Datum& d) {
  std::string text;
  for (double x : bytecode::numbers(d)) {
    text += (text.empty() ? "" : " ") + std::to_string(x);
    if (text.size() > 600) return text + " ...";
  }
  return text;
}

// Where two tensors differ first, and how often.
std::string difference(const Datum& have, const Datum& want) {
  const auto* a = std::get_if<Tensor>(&have);
  const auto* b = std::get_if<Tensor>(&want);
  if (!a || !b) return shown(have) + " instead of " + shown(want);
  if (a->dtype() != b->dtype() || !(a->shape() == b->shape())) return "another type";
  const Tensor x = to_contiguous(*a), y = to_contiguous(*b);
  const size_t size = itemsize(x.dtype());
  int64_t first = -1, count = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const Tensor p = x.view(ops::layout(x.dtype(), {}), i * static_cast<int64_t>(size));
    const Tensor q = y.view(ops::layout(y.dtype(), {}), i * static_cast<int64_t>(size));
    if (ops::testing::same_bits(p, q)) continue;
    if (first < 0) first = i;
    ++count;
  }
  char text[200];
  std::snprintf(text, sizeof text, "%lld of %lld elements differ, first number %lld: %.17g instead of %.17g",
                static_cast<long long>(count), static_cast<long long>(x.numel()), static_cast<long long>(first),
                ops::testing::element(x, first), ops::testing::element(y, first));
  return text;
}

// Answers what is wrong, or nothing.
std::string compare(const Outcome& have, const Outcome& want) {
  if (have.refused != want.refused) return "the guards were not asked alike";
  if (have.error != want.error) return "raised '" + have.error + "' instead of '" + want.error + "'";
  if (have.values.size() != want.values.size()) return "another number of results";
  for (size_t i = 0; i < have.values.size(); ++i)
    if (!same(have.values[i], want.values[i]))
      return "result " + std::to_string(i) + ": " + difference(have.values[i], want.values[i]);
  return "";
}

class Settings {
 public:
  ~Settings() {
    vm::hooks().deopt_every = 0;
    ops::set_threads(threads_);
    tiers::set_isa(isa_);
  }

 private:
  Isa isa_ = ops::isa();
  int threads_ = ops::threads();
};

}  // namespace

size_t case_factor() {
  const char* text = std::getenv("EMBERJIT_CASES");
  return text ? std::max(1, std::atoi(text)) : 1;
}

std::string_view name(Strides strides) {
  constexpr std::string_view names[] = {"contiguous", "transposed", "scattered", "offset", "expanded"};
  return names[static_cast<size_t>(strides)];
}

Tensor with_strides(const Tensor& t, Strides strides) {
  const Shape& shape = t.shape();
  const size_t rank = shape.size();
  const auto item = static_cast<int64_t>(itemsize(t.dtype()));
  if (t.numel() == 0 || strides == Strides::Contiguous) return ops::clone(t);
  if (strides == Strides::Scattered) return ops::testing::scattered(t);
  if (strides == Strides::Expanded) {
    if (rank == 0) return ops::clone(t);
    Shape repeated = ops::row_major_strides(shape);
    repeated[t.numel() % static_cast<int64_t>(rank)] = 0;
    return ops::clone(t).view(ops::layout(t.dtype(), shape, repeated));
  }
  Shape room, back;
  for (size_t d = rank; d-- > 0;) room.push_back(shape[d]);
  if (strides == Strides::Offset) {
    room = shape;
    if (rank > 0) room[rank - 1] += 3;
    room.insert(0, 2);
  }
  const Shape steps = ops::row_major_strides(room);
  for (size_t d = 0; d < rank; ++d) back.push_back(strides == Strides::Offset ? steps[d + 1] : steps[rank - 1 - d]);
  const int64_t offset = strides == Strides::Offset ? (steps[0] + (rank > 0 ? 1 : 0)) * item : 0;
  const Tensor block = Tensor::full(t.dtype(), room, 1);
  const Tensor out = block.view(ops::layout(t.dtype(), shape, back), offset);
  copy_into(t, out);
  return out;
}

Tensor random_elements(DType dtype, const Shape& shape, double high, std::mt19937& random) {
  static constexpr double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, 3e38, 1.0, -1.0, 0.5};
  const Tensor t = Tensor::empty(dtype, shape);
  std::uniform_real_distribution<double> uniform(-high, high);
  ops::dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < t.numel(); ++i) {
      double x = uniform(random);
      if (is_float(dtype) && random() % 24 == 0) x = special[random() % std::size(special)];
      if (!is_float(dtype)) x = std::floor(x);
      t.data_as<T>()[i] = ops::convert_value<T>(dtype == DType::Bool ? static_cast<double>(x > 0) : x);
    }
  });
  return t;
}

std::string to_string(const Setting& s) {
  return std::string(name(s.isa)) + (s.native ? ", native" : ", interpreter") + ", " + std::to_string(s.threads) +
         " threads" + (s.assumed < 0 ? "" : ", branches assumed " + std::to_string(s.assumed)) +
         (s.deopt_every ? ", out at every chance " + std::to_string(s.deopt_every) : "");
}

bool same(const Datum& a, const Datum& b) {
  if (a.index() != b.index()) return false;
  if (const auto* t = std::get_if<Tensor>(&a)) return ops::testing::same_bits(*t, std::get<Tensor>(b));
  if (const auto* x = std::get_if<double>(&a)) {
    const double y = std::get<double>(b);
    return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(y) || (std::isnan(*x) && std::isnan(y));
  }
  if (const auto* x = std::get_if<int64_t>(&a)) return *x == std::get<int64_t>(b);
  return std::get<bool>(a) == std::get<bool>(b);
}

Subject::Subject(bytecode::Module module) : module_(std::move(module)) {
  start_once();
  bytecode::verify(module_);
  bytecode::Module optimised = module_;
  bytecode::optimise(optimised);
  bytecode::verify(optimised);
  code_ = bytecode::lower(optimised);
  bytecode::verify(*code_);
  function_ = gc::make<vm::Function>(code_);
}

std::string Subject::text() const { return print(module_) + "\n" + disassemble(*code_); }

// A run may write its Refs, so every run gets its own; strides and shared elements stay as they are.
Data Subject::copies(const Data& arguments, bool contiguous) const {
  Data out = arguments;
  for (Datum& d : out) {
    auto* t = std::get_if<Tensor>(&d);
    if (!t) continue;
    if (contiguous) {
      d = ops::clone(*t);
      continue;
    }
    const gc::Ref<gc::Storage> block = gc::allocate(t->storage()->size());
    std::memcpy(block->data(), t->storage()->data(), t->storage()->size());
    d = Tensor(block, t->layout_ref(), t->offset());
  }
  return out;
}

void Subject::append_refs(const Data& arguments, Outcome* outcome) const {
  const bytecode::CodeFunction& fn = function_->entry();
  for (size_t i = 0; i < fn.params.size(); ++i)
    if (fn.registers[fn.params[i]].kind == ops::Kind::Ref) outcome->values.push_back(arguments[i]);
}

template <class F>
Outcome Subject::caught(const Data& own, F&& run) const {
  Outcome outcome;
  try {
    run(&outcome);
  } catch (const ops::OpError& e) {
    outcome.values.clear();
    outcome.error = kind_and_first_line(e);
  } catch (const vm::ShadowMismatch& e) {
    outcome.values.clear();
    outcome.error = e.what();
  }
  if (!outcome.refused) append_refs(own, &outcome);
  return outcome;
}

bool Subject::varies_with_isa() const {
  for (const bytecode::Graph& graph : module_.graphs)
    for (const bytecode::Node& node : graph.nodes)
      if (node.op && node.op->flags.has(ops::Flag::VariesWithIsa)) return true;
  return false;
}

Outcome Subject::reference(const Data& arguments, Isa isa) const {
  const Settings restore;
  tiers::set_isa(isa);
  ops::set_threads(1);
  ops::process_stream().seed(kSeed);
  const Data own = copies(arguments, true);
  return caught(own, [&](Outcome* outcome) {
    try {
      outcome->values = bytecode::evaluate(module_, module_.entry, own);
    } catch (const std::invalid_argument&) {
      outcome->refused = true;
    }
  });
}

void Subject::prepare(vm::FunctionBinding& function, int assumed) {
  if (function.has_native() && assumed == assumed_) return;
  std::set<vm::FunctionBinding*> seen;
  vm::hooks().deopt_every = 1;
  observe_all(function, assumed, &seen);
  std::string why;
  if (!tiers::compile(function, &why)) ADD_FAILURE() << "no native code: " << why;
  for (vm::FunctionBinding* f : seen) EXPECT_TRUE(f->has_native()) << f->function().name;
  assumed_ = assumed;
}

void Subject::call(vm::Function& function, std::span<const vm::Argument> passed, Outcome* outcome) const {
  ops::process_stream().seed(kSeed);
  std::vector<vm::Result> results;
  outcome->refused = !function.call(passed, &results);
  if (outcome->refused) return;
  for (const vm::Result& r : results) outcome->values.push_back(datum(r));
}

Outcome Subject::run(const Data& arguments, const Setting& setting, uint64_t* exits) {
  const Data own = copies(arguments, false);
  const std::vector<vm::Argument> passed = passing(own);
  return caught(own, [&](Outcome* outcome) {
    vm::FunctionBinding* function = function_->bind(passed);
    if (function && setting.native) prepare(*function, setting.assumed);
    vm::hooks().deopt_every = setting.deopt_every;
    ops::set_threads(setting.threads);
    const uint64_t before = forced_exits();
    call(*function_, passed, outcome);
    if (exits) *exits = forced_exits() - before;
  });
}

Outcome Subject::run_in_shadow(const Data& arguments) const {
  const Data own = copies(arguments, false);
  const tiers::Options before = tiers::options();
  tiers::options() = {.enabled = true, .eagerness = 0, .background = false, .speculate = false};
  vm::hooks().shadow = true;
  const gc::Ref<vm::Function> function = gc::make<vm::Function>(code_);
  const Outcome outcome = caught(own, [&](Outcome* o) { call(*function, passing(own), o); });
  vm::hooks().shadow = false;
  tiers::options() = before;
  return outcome;
}

bool expect_agreement(Subject& subject, const Data& arguments, const Effort& effort, const std::string& what) {
  const Settings restore;
  Outcome want = subject.reference(arguments, Isa::Portable);
  const auto right = [&](const Outcome& have, const std::string& setting) {
    const std::string wrong = compare(have, want);
    if (!wrong.empty()) ADD_FAILURE() << what << "\n" << setting << ": " << wrong << "\n" << subject.text();
    return wrong.empty();
  };
  const auto agrees = [&](const Setting& setting, uint64_t* exits = nullptr) {
    return right(subject.run(arguments, setting, exits), to_string(setting));
  };
  for (Isa isa : kIsas) {
    if (!tiers::set_isa(isa)) continue;
    if (subject.varies_with_isa()) want = subject.reference(arguments, isa);
    for (bool native : {false, true}) {
      if (native && isa == Isa::Portable) continue;
      for (int threads : effort.threads)
        if (!agrees({isa, native, threads, 0})) return false;
    }
    for (int assumed : {0, 1})
      if (isa != Isa::Portable && !agrees({isa, true, 1, 0, assumed})) return false;
    if (effort.shadow && isa != Isa::Portable && !right(subject.run_in_shadow(arguments), "shadow mode")) return false;
    uint64_t exits = isa == Isa::Portable ? 0 : 1;
    for (uint32_t every = 1; exits > 0 && every <= effort.most_exits; ++every)
      if (!agrees({isa, true, 1, every}, &exits)) return false;
  }
  return !want.refused;
}

}  // namespace ember::differential
