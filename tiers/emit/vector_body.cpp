#include "tiers/emit/vector_body.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace ember::tiers {

using ops::DType;
using ops::ExprNode;
using ops::NodeId;
using ops::Verb;

namespace {

DType operand_dtype(const ops::Expr& expr, const ExprNode& node) {
  int n = info(node.verb).operands;
  return n == 0 ? node.dtype : expr.nodes[node.args[static_cast<size_t>(n - 1)]].dtype;
}

constexpr size_t kSpillSlots = 64;

bool leaf(const ExprNode& node) { return node.verb == Verb::Input || node.verb == Verb::Const; }

}  // namespace

ops::PredicatedExpr interleave(const ops::PredicatedExpr& predicated, uint64_t uniform, size_t ways) {
  const ops::Expr& expr = predicated.expr;
  ops::PredicatedExpr interleaved;
  ops::Expr& result = interleaved.expr;
  result.inputs = static_cast<uint16_t>(expr.inputs * ways);
  std::vector<std::vector<NodeId>> copies(expr.nodes.size());
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    const ExprNode& node = expr.nodes[i];
    bool shared = node.verb == Verb::Input ? node.bits < 64 && (uniform >> node.bits & 1) : true;
    for (int k = 0; k < info(node.verb).operands; ++k)
      shared = shared && copies[node.args[static_cast<size_t>(k)]].size() == 1;
    for (size_t w = 0; w < (shared ? 1 : ways); ++w) {
      ExprNode copy = node;
      if (node.verb == Verb::Input) copy.bits += w * expr.inputs;
      for (int k = 0; k < info(node.verb).operands; ++k) {
        const auto& of = copies[node.args[static_cast<size_t>(k)]];
        copy.args[static_cast<size_t>(k)] = of[std::min(w, of.size() - 1)];
      }
      copies[i].push_back(static_cast<NodeId>(result.nodes.size()));
      result.nodes.push_back(copy);
    }
  }
  for (size_t w = 0; w < ways; ++w)
    for (NodeId out : expr.outputs) result.outputs.push_back(copies[out][std::min(w, copies[out].size() - 1)]);
  for (const ops::PredicatedRegion& g : predicated.regions)
    interleaved.regions.push_back(
        {copies[g.begin][0], static_cast<NodeId>(copies[g.end - 1].back() + 1), copies[g.conditions[0]], g.when});
  return interleaved;
}

std::optional<VectorBody> VectorBody::build(ops::Isa isa, const ops::PredicatedExpr& predicated, uint64_t uniform) {
  const ops::Expr& expr = predicated.expr;
  if (isa == ops::Isa::Portable || expr.nodes.size() > 4000) return std::nullopt;
  VectorBody body(predicated);
  body.uniform_slot_.assign(expr.nodes.size(), -1);
  auto uniform_input = [&](const ExprNode& n) {
    return n.verb == Verb::Input && n.bits < 64 && (uniform >> n.bits & 1);
  };
  // A uniform input that is only converted is done before the loop, and its dtype does not matter within.
  std::vector<bool> in_loop(expr.nodes.size(), false);
  for (NodeId out : expr.outputs) in_loop[out] = true;
  for (const ExprNode& user : expr.nodes)
    for (int k = 0; k < info(user.verb).operands; ++k)
      if (user.verb != Verb::Convert) in_loop[user.args[static_cast<size_t>(k)]] = true;
  size_t widest = 4;
  bool halves = false;
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    const ExprNode& node = expr.nodes[i];
    if (uniform_input(node) && !in_loop[i]) continue;
    if (uniform_input(node) && is_half_dtype(node.dtype)) return std::nullopt;
    bool converts = node.verb == Verb::Convert && uniform_input(expr.nodes[node.args[0]]);
    if (converts)
      body.uniform_slot_[i] = static_cast<int32_t>(body.uniform_slots_++);
    else if (!VectorVerbs::supports(isa, node, operand_dtype(expr, node)))
      return std::nullopt;
    widest = std::max(widest, VectorVerbs::lane_bytes(node.dtype));
    halves = halves || is_half_dtype(node.dtype);
  }
  if (halves && widest == 8 && isa == ops::Isa::Avx2) return std::nullopt;
  size_t vector = isa == ops::Isa::Avx512 ? 64 : 32;
  body.lanes_ = static_cast<int>(vector / widest);
  for (size_t i = 0; i < expr.nodes.size(); ++i) {
    if (body.uniform_slot_[i] < 0) continue;
    DType from = expr.nodes[expr.nodes[i].args[0]].dtype, to = expr.nodes[i].dtype;
    bool known = (from == DType::Float64 || from == DType::Int64 || from == DType::Bool || from == to) &&
                 (to == DType::Float32 || to == DType::Float64 || to == DType::Int32 || to == DType::Int64);
    known = known && !(from == DType::Float64 && to != DType::Float32 && to != DType::Float64);
    known = known || (is_half_dtype(from) && to == DType::Float32);
    if (!known) return std::nullopt;
  }
  body.slots_ = kSpillSlots;
  return body;
}

void VectorBody::emit_prologue(Assembler& a, const OperandAccess& access) const {
  using namespace Xbyak::util;
  for (size_t i = 0; i < expr_.nodes.size(); ++i) {
    if (uniform_slot_[i] < 0) continue;
    const ExprNode& from = expr_.nodes[expr_.nodes[i].args[0]];
    Xbyak::RegExp at = access.input(from.bits);
    DType to = expr_.nodes[i].dtype;
    Xbyak::RegExp slot = rsp + static_cast<size_t>(slots_ + static_cast<size_t>(uniform_slot_[i])) * 64;
    if (from.dtype == DType::Float64) {
      a.vmovsd(xmm0, a.ptr[at]);
      if (to == DType::Float32) a.vcvtsd2ss(xmm0, xmm0, xmm0);
      a.vmovsd(a.ptr[slot], xmm0);
      continue;
    }
    if (is_half_dtype(from.dtype)) {
      a.movzx(eax, a.word[at]);
      if (from.dtype == DType::BFloat16) a.shl(eax, 16);
      a.vmovd(xmm0, eax);
      if (from.dtype == DType::Float16) a.vcvtph2ps(xmm0, xmm0);
      a.vmovss(a.ptr[slot], xmm0);
      continue;
    }
    if (from.dtype == DType::Bool)
      a.movzx(eax, a.byte[at]);
    else if (from.dtype == DType::Int64)
      a.mov(rax, a.ptr[at]);
    else
      a.mov(eax, a.dword[at]);
    a.vxorps(xmm0, xmm0, xmm0);
    if (to == DType::Float32 && from.dtype != DType::Float32) {
      a.vcvtsi2ss(xmm0, xmm0, rax);
      a.vmovss(a.ptr[slot], xmm0);
    } else if (to == DType::Float64) {
      a.vcvtsi2sd(xmm0, xmm0, rax);
      a.vmovsd(a.ptr[slot], xmm0);
    } else {
      a.mov(a.ptr[slot], rax);
    }
  }
}

// Assigns registers in one pass over the nodes.
class BodyEmitter {
 public:
  BodyEmitter(VectorBody& body, Assembler& a, const OperandAccess& access, Xbyak::RegExp stack)
      : body_(body),
        expr_(body.expr_),
        a_(a),
        access_(access),
        stack_(stack),
        scratch_(a.vector_registers() - access.reserved - 2),
        verbs_(a, body.lanes_, scratch_, scratch_ + 1, access.tail),
        in_register_(expr_.nodes.size(), -1),
        slot_of_(expr_.nodes.size(), kEmpty),
        uses_(expr_.nodes.size()),
        node_in_(static_cast<size_t>(scratch_), kEmpty) {
    for (size_t i = 0; i < expr_.nodes.size(); ++i)
      for (int k = 0; k < info(expr_.nodes[i].verb).operands; ++k)
        uses_[expr_.nodes[i].args[static_cast<size_t>(k)]].push_back(static_cast<uint32_t>(i));
    for (NodeId out : expr_.outputs) uses_[out].push_back(static_cast<uint32_t>(expr_.nodes.size()));
    for (const ops::PredicatedRegion& g : body.regions_)
      for (NodeId c : g.conditions) use(c, g.begin);
    match_patterns();
    drop_dead_uses();
    for (auto& u : uses_) std::reverse(u.begin(), u.end());
  }

  void run() {
    auto region = body_.regions_.begin();
    for (size_t i = 0; i < expr_.nodes.size(); ++i) {
      for (; region != body_.regions_.end() && region->begin == i; ++region) open(*region);
      if (!reloadable(static_cast<NodeId>(i)) && !uses_[i].empty()) emit(i);
      while (!opened_.empty() && opened_.back().region->end == i + 1) close();
    }
    for (size_t o = 0; o < expr_.outputs.size(); ++o) ensure_loaded(expr_.outputs[o]);
    for (size_t o = 0; o < expr_.outputs.size(); ++o) store(o);
  }

 private:
  // A selection between the operands of its own comparison is one instruction, and so is the smaller or larger of an
  // element and a constant that is neither zero nor NaN. With AVX-512 so is scaling by a power of two (math.h), which
  // rounds once either way. Other selections of real numbers take their comparison as it is, of wide ones again.
  struct Pattern {
    enum class Kind : uint8_t { None, Min, Max, Scale, CompareSelect };
    Kind kind = Kind::None;
    std::array<NodeId, 4> of{};  // the second if they are unordered or equal; of what is scaled the exponent

    int operands() const { return kind == Kind::CompareSelect ? 4 : 2; }
    bool folds(int k) const { return kind == Kind::CompareSelect ? k < 3 : kind != Kind::Scale && k == 1; }
  };

  void match_patterns() {
    using Kind = Pattern::Kind;
    patterns_.assign(expr_.nodes.size(), {});
    for (size_t i = 0; i < expr_.nodes.size(); ++i) {
      const ExprNode& node = expr_.nodes[i];
      if (node.dtype != DType::Float32 && node.dtype != DType::Float64) continue;
      const auto [x, y, z] = node.args;
      NodeId value, exponent;
      if (a_.avx512() && scaled(static_cast<NodeId>(i), &value, &exponent)) {
        patterns_[i] = {Kind::Scale, {value, exponent}};
        for (NodeId arg : {x, y}) std::erase(uses_[arg], static_cast<uint32_t>(i));
        for (NodeId arg : {value, exponent}) use(arg, i);
      }
      if (node.verb == Verb::Min || node.verb == Verb::Max) {
        const Kind kind = node.verb == Verb::Min ? Kind::Min : Kind::Max;
        if (plain_number(y)) {
          patterns_[i] = {kind, {y, x}};
        } else if (plain_number(x)) {
          patterns_[i] = {kind, {x, y}};
        }
      }
      if (node.verb != Verb::Select) continue;
      const ExprNode& condition = expr_.nodes[x];
      auto& users = uses_[x];
      const auto [left, right, none] = condition.args;
      const bool alone = users.size() == 1;
      if (alone && condition.verb == Verb::Lt && left == y && right == z) {
        patterns_[i] = {Kind::Min, {y, z}};
      } else if (alone && condition.verb == Verb::Lt && left == z && right == y) {
        patterns_[i] = {Kind::Max, {y, z}};
      } else if ((alone || itemsize(node.dtype) == 8) && compares(condition) && expr_.nodes[left].dtype == node.dtype) {
        patterns_[i] = {Kind::CompareSelect, {left, right, y, z}};
        for (NodeId arg : {left, right}) use(arg, i);
      }
      if (patterns_[i].kind != Kind::None) std::erase(users, static_cast<uint32_t>(i));
    }
  }

  static bool compares(const ExprNode& node) {
    return node.verb == Verb::Eq || node.verb == Verb::Ne || node.verb == Verb::Lt || node.verb == Verb::Le;
  }
  void use(NodeId id, size_t user) {
    auto& users = uses_[id];
    users.insert(std::upper_bound(users.begin(), users.end(), static_cast<uint32_t>(user)),
                 static_cast<uint32_t>(user));
  }

  // Operand k of a node if that is of the verb.
  NodeId operand(NodeId id, Verb verb, size_t k) const {
    return id != kNone && expr_.nodes[id].verb == verb ? expr_.nodes[id].args[k] : kNone;
  }
  bool is_constant(NodeId id, uint64_t bits) const {
    return id != kNone && expr_.nodes[id].verb == Verb::Const && expr_.nodes[id].bits == bits;
  }

  // Whether the node is value * 2^exponent as math::scale has it: twice half the exponent, from the bits of a sum whose
  // difference from the rounder is the exponent.
  bool scaled(NodeId id, NodeId* value, NodeId* exponent) const {
    const bool wide = expr_.nodes[id].dtype == DType::Float64;
    const uint64_t mantissa = wide ? 52 : 23, twice_bias = wide ? 2046 : 254;
    const uint64_t rounder = wide ? 0x4338000000000000 : 0x4B400000;
    const auto power = [&](NodeId product) {
      const NodeId shifted = operand(operand(product, Verb::Mul, 1), Verb::Bitcast, 0);
      return is_constant(operand(shifted, Verb::Shl, 1), mantissa) ? operand(shifted, Verb::Shl, 0) : kNone;
    };
    const NodeId product = operand(id, Verb::Mul, 0), first = power(product), second = power(id);
    const NodeId both = operand(first, Verb::Shr, 0);
    if (both == kNone || !is_constant(operand(first, Verb::Shr, 1), 1)) return false;
    if (operand(second, Verb::Sub, 0) != both || operand(second, Verb::Sub, 1) != first) return false;
    if (!is_constant(operand(both, Verb::Add, 1), twice_bias)) return false;
    const NodeId difference = operand(both, Verb::Add, 0), from = operand(difference, Verb::Sub, 1);
    if (!is_constant(from, rounder) && !is_constant(operand(from, Verb::Bitcast, 0), rounder)) return false;
    const NodeId sum = operand(operand(difference, Verb::Sub, 0), Verb::Bitcast, 0);
    *value = operand(product, Verb::Mul, 0);
    for (NodeId n = sum; sum != kNone && n < id; ++n) {
      *exponent = n;
      if (operand(n, Verb::Sub, 0) == sum && is_constant(operand(n, Verb::Sub, 1), rounder)) return true;
    }
    return false;
  }

  struct Opened {
    const ops::PredicatedRegion* region;
    std::vector<int32_t> node_in;
    Xbyak::Label end;
  };

  void open(const ops::PredicatedRegion& region) {
    std::vector<int> registers;
    for (NodeId c : region.conditions) registers.push_back(fetch(c, region.conditions));
    for (NodeId c : region.conditions) {
      auto& uses = uses_[c];
      while (uses.back() < region.begin) uses.pop_back();
      uses.pop_back();
    }
    for (NodeId c : region.conditions) release(c);
    for (int32_t held : node_in_)
      if (held != kEmpty && uses_[static_cast<size_t>(held)].front() >= region.end) keep(static_cast<NodeId>(held));
    verbs_.any(registers, region.when);
    opened_.push_back({&region, node_in_, {}});
    a_.jz(opened_.back().end, Assembler::T_NEAR);
  }

  // What is in another register than where the jump was is not in one where it leads to.
  void close() {
    const Opened& at = opened_.back();
    for (size_t r = 0; r < node_in_.size(); ++r) {
      const int32_t held = node_in_[r];
      if (held == kEmpty || held == at.node_in[r]) continue;
      if (held >= at.region->begin && held < at.region->end && !reloadable(static_cast<NodeId>(held))) continue;
      in_register_[static_cast<size_t>(held)] = -1;
      node_in_[r] = kEmpty;
    }
    a_.L(opened_.back().end);
    opened_.pop_back();
  }

  void drop_dead_uses() {
    for (size_t i = expr_.nodes.size(); i-- > 0;) {
      if (!uses_[i].empty() || patterns_[i].kind == Pattern::Kind::Scale) continue;
      for (int k = 0; k < info(expr_.nodes[i].verb).operands; ++k)
        std::erase(uses_[expr_.nodes[i].args[static_cast<size_t>(k)]], static_cast<uint32_t>(i));
    }
  }

  bool plain_number(NodeId id) const {
    const ExprNode& node = expr_.nodes[id];
    if (node.verb != Verb::Const) return false;
    const double value = node.dtype == DType::Float32 ? std::bit_cast<float>(static_cast<uint32_t>(node.bits))
                                                      : std::bit_cast<double>(node.bits);
    return value < 0 || value > 0;
  }

  void emit(size_t i) {
    const ExprNode& node = expr_.nodes[i];
    const Pattern& pattern = patterns_[i];
    const bool matched = pattern.kind != Pattern::Kind::None;
    const int n = matched ? pattern.operands() : info(node.verb).operands;
    const DType of = operand_dtype(expr_, node);
    std::array<NodeId, 4> args = pattern.of;
    if (!matched) std::copy(node.args.begin(), node.args.end(), args.begin());
    const ExprNode* folded = nullptr;
    if (!matched) constant_second(node, args);
    std::array<int, 4> regs{};
    for (int k = 0; k < n; ++k) {
      NodeId arg = args[static_cast<size_t>(k)];
      const bool folds = matched ? pattern.folds(k) : VectorVerbs::folds(node, of, k);
      if (!folded && folds && expr_.nodes[arg].verb == Verb::Const && in_register_[arg] < 0) {
        folded = &expr_.nodes[arg];
        regs[static_cast<size_t>(k)] = VectorVerbs::kFolded;
      } else {
        regs[static_cast<size_t>(k)] = fetch(arg, {args.data(), static_cast<size_t>(n)});
      }
    }
    for (int k = 0; k < n; ++k) {
      auto& uses = uses_[args[static_cast<size_t>(k)]];
      while (!uses.empty() && uses.back() <= i) uses.pop_back();
    }
    for (int k = 0; k < n; ++k) release(args[static_cast<size_t>(k)]);
    int to = allocate(static_cast<NodeId>(i), regs);
    if (pattern.kind == Pattern::Kind::Scale)
      verbs_.scale(of, to, regs[0], regs[1]);
    else if (pattern.kind == Pattern::Kind::CompareSelect)
      verbs_.compare_select(expr_.nodes[node.args[0]].verb, of, to, regs, folded);
    else if (matched)
      verbs_.native_min_max(pattern.kind == Pattern::Kind::Max, of, to, regs[0], regs[1], folded);
    else
      verbs_.emit(node, of, to, {regs[0], regs[1], regs[2]}, folded);
  }

  // A constant factor or summand becomes the second operand, which the instruction may read from memory.
  void constant_second(const ExprNode& node, std::array<NodeId, 4>& args) const {
    bool commutes = node.verb == Verb::Add || node.verb == Verb::Mul || node.verb == Verb::Fma ||
                    node.verb == Verb::And || node.verb == Verb::Or || node.verb == Verb::Xor;
    if (commutes && expr_.nodes[args[0]].verb == Verb::Const) std::swap(args[0], args[1]);
  }

  static constexpr int32_t kEmpty = -1;
  static constexpr NodeId kNone = static_cast<NodeId>(-1);

  // An output that only memory has (an input passed through) is loaded before any store.
  void ensure_loaded(NodeId id) {
    if (in_register_[id] < 0 && slot_of_[id] == kEmpty) fetch(id);
  }

  void store(size_t output) {
    NodeId id = expr_.outputs[output];
    int reg = fetch(id);
    if (access_.consume) return access_.consume(verbs_, output, reg);
    DType dtype = expr_.nodes[id].dtype;
    Xbyak::RegExp to = access_.output(output);
    access_.masked ? verbs_.store_masked(dtype, to, reg) : verbs_.store(dtype, to, reg);
  }

  Xbyak::RegExp slot(size_t index) const { return stack_ + index * 64; }

  // The register that holds a node, loaded if need be, which must not push out what is needed beside it.
  int fetch(NodeId id, std::span<const NodeId> pinned = {}) {
    if (in_register_[id] >= 0) return in_register_[id];
    pinned_ = pinned;
    int to = allocate(id);
    pinned_ = {};
    const ExprNode& node = expr_.nodes[id];
    if (slot_of_[id] != kEmpty) {
      a_.vmovups(verbs_.reg(to, node.dtype), a_.ptr[slot(static_cast<size_t>(slot_of_[id]))]);
    } else if (node.verb == Verb::Const) {
      size_t bytes = VectorVerbs::lane_bytes(node.dtype);
      uint64_t bits = node.dtype == DType::Bool ? (node.bits ? 0xFFFFFFFFu : 0) : node.bits;
      DType as = node.dtype == DType::Bool ? DType::Int32 : node.dtype;
      verbs_.broadcast(as, to, a_.ptr[a_.constant(bits, bytes)]);
    } else if (body_.uniform_slot_[id] >= 0) {
      verbs_.broadcast(node.dtype, to, a_.ptr[slot(body_.slots_ + static_cast<size_t>(body_.uniform_slot_[id]))]);
    } else if (node.bits < 64 && (access_.uniform >> node.bits & 1)) {
      Xbyak::RegExp from = access_.input(node.bits);
      verbs_.broadcast(node.dtype, to, node.dtype == DType::Bool ? a_.byte[from] : a_.ptr[from]);
    } else {
      Xbyak::RegExp from = access_.input(node.bits);
      access_.masked ? verbs_.load_masked(node.dtype, to, from) : verbs_.load(node.dtype, to, from);
    }
    return to;
  }

  bool is_pinned(int32_t id) const {
    return std::find(pinned_.begin(), pinned_.end(), static_cast<NodeId>(id)) != pinned_.end();
  }
  int32_t allocate_slot() {
    if (!free_slots_.empty()) {
      int32_t slot = free_slots_.back();
      free_slots_.pop_back();
      return slot;
    }
    if (next_slot_ == static_cast<int32_t>(kSpillSlots)) throw Xbyak::Error(Xbyak::ERR_INTERNAL);
    return next_slot_++;
  }

  void release(NodeId id) {
    if (!uses_[id].empty()) return;
    if (slot_of_[id] != kEmpty) free_slots_.push_back(std::exchange(slot_of_[id], kEmpty));
    if (in_register_[id] < 0) return;
    node_in_[static_cast<size_t>(in_register_[id])] = kEmpty;
    in_register_[id] = -1;
  }

  int farthest_use() const {
    int best = -1;
    uint32_t farthest = 0;
    for (int r = 0; r < scratch_; ++r) {
      int32_t held = node_in_[static_cast<size_t>(r)];
      if (is_pinned(held)) continue;
      uint32_t next = uses_[static_cast<size_t>(held)].back();
      if (best >= 0 && next <= farthest) continue;
      best = r;
      farthest = next;
    }
    return best;
  }

  // A register for a node: a free one, those `near` first, else the one whose value is needed last. A result may take
  // the register of one of its operands: every sequence of VectorVerbs reads all of them before it writes.
  int allocate(NodeId id, std::span<const int> near = {}) {
    int best = -1;
    auto empty = [&](int r) { return node_in_[static_cast<size_t>(r)] == kEmpty; };
    for (int r : near)
      if (best < 0 && r >= 0 && empty(r)) best = r;
    for (int r = 0; best < 0 && r < scratch_; ++r)
      if (empty(r)) best = r;
    if (best < 0) best = farthest_use();
    int32_t held = node_in_[static_cast<size_t>(best)];
    if (held != kEmpty) spill(static_cast<NodeId>(held));
    node_in_[static_cast<size_t>(best)] = id;
    in_register_[id] = best;
    return best;
  }

  bool reloadable(NodeId id) const { return leaf(expr_.nodes[id]) || body_.uniform_slot_[id] >= 0; }

  // In memory, beside its register.
  void keep(NodeId id) {
    if (reloadable(id) || slot_of_[id] != kEmpty) return;
    slot_of_[id] = allocate_slot();
    const Xbyak::Xmm from = verbs_.reg(in_register_[id], expr_.nodes[id].dtype);
    a_.vmovups(a_.ptr[slot(static_cast<size_t>(slot_of_[id]))], from);
  }

  void spill(NodeId id) {
    keep(id);
    in_register_[id] = -1;
  }

  VectorBody& body_;
  const ops::Expr& expr_;
  Assembler& a_;
  const OperandAccess& access_;
  Xbyak::RegExp stack_;
  int scratch_;
  VectorVerbs verbs_;
  std::vector<int> in_register_;
  std::vector<int32_t> slot_of_;  // spill slot, kEmpty without
  std::vector<int32_t> free_slots_;
  int32_t next_slot_ = 0;
  std::vector<std::vector<uint32_t>> uses_;  // users still to come, the next one last
  std::vector<int32_t> node_in_;
  std::span<const NodeId> pinned_;
  std::vector<Pattern> patterns_;  // by node
  std::vector<Opened> opened_;
};

void VectorBody::emit(Assembler& a, const OperandAccess& access, Xbyak::RegExp stack) {
  BodyEmitter(*this, a, access, stack).run();
}

}  // namespace ember::tiers
