// Nodes form a tree of regions, each within what one side of a Select alone needs. The region of a node is the nearest
// that holds all its users; one that takes little time is merged into the region around it. Then the regions are put
// in order, each before the Select that takes its values.
#include "ops/expr/predication.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ember::ops {
namespace {

constexpr int kWorthSkipping = 24;

int time_of(const ExprNode& n) {
  if (n.verb == Verb::Input || n.verb == Verb::Const) return 0;
  if (is_composite(n.verb)) return 24;
  const bool slow = n.verb == Verb::Div || n.verb == Verb::Rem || n.verb == Verb::Sqrt || n.verb == Verb::Lookup;
  return slow ? 6 : 1;
}

class Regions {
 public:
  explicit Regions(const Expr& expr) : expr_(expr), of_(expr.nodes.size(), kNowhere) {
    regions_.push_back({});
    for (NodeId id : expr.outputs) of_[id] = 0;
    for (size_t i = expr.nodes.size(); i-- > 0;) place_operands(i);
    merge();
  }

  PredicatedExpr ordered() {
    for (size_t i = 0; i < expr_.nodes.size(); ++i) regions_[of_[i]].members.push_back(static_cast<NodeId>(i));
    place_.resize(expr_.nodes.size());
    result_.expr.inputs = expr_.inputs;
    emit(0, expr_.nodes.size());
    for (NodeId id : expr_.outputs) result_.expr.outputs.push_back(place_[id]);
    return std::move(result_);
  }

 private:
  static constexpr uint32_t kNowhere = static_cast<uint32_t>(-1);

  struct Region {
    uint32_t parent = 0;
    NodeId condition = 0;
    bool when = false;
    int depth = 0, time = 0;
    std::vector<NodeId> members;
    size_t emitted = 0;
  };

  const ExprNode& node(size_t i) const { return expr_.nodes[i]; }
  bool plain(NodeId i) const { return node(i).verb == Verb::Input || node(i).verb == Verb::Const; }

  uint32_t within(uint32_t parent, NodeId condition, bool when) {
    const auto [at, fresh] = numbers_.try_emplace({parent, condition, when}, static_cast<uint32_t>(regions_.size()));
    if (fresh) regions_.push_back({parent, condition, when, regions_[parent].depth + 1, 0, {}, 0});
    return at->second;
  }

  uint32_t common(uint32_t a, uint32_t b) const {
    if (a == kNowhere || b == kNowhere) return a == kNowhere ? b : a;
    while (a != b) {
      uint32_t& deeper = regions_[a].depth >= regions_[b].depth ? a : b;
      deeper = regions_[deeper].parent;
    }
    return a;
  }

  void place_operands(size_t i) {
    if (of_[i] == kNowhere) of_[i] = 0;
    const ExprNode& n = node(i);
    regions_[of_[i]].time += time_of(n);
    const bool chooses = n.verb == Verb::Select && !plain(n.args[1]) && !plain(n.args[2]);
    for (int k = 0; k < info(n.verb).operands; ++k) {
      const NodeId arg = n.args[static_cast<size_t>(k)];
      const uint32_t from = chooses && k > 0 ? within(of_[i], n.args[0], k == 1) : of_[i];
      of_[arg] = common(of_[arg], from);
    }
  }

  void merge() {
    std::vector<uint32_t> into(regions_.size(), 0);
    for (size_t r = regions_.size(); r-- > 1;) regions_[regions_[r].parent].time += regions_[r].time;
    for (uint32_t r = 1; r < regions_.size(); ++r) {
      regions_[r].parent = into[regions_[r].parent];
      into[r] = regions_[r].time >= kWorthSkipping ? r : regions_[r].parent;
    }
    for (uint32_t& r : of_) r = into[r];
  }

  // The nodes of a region up to one, those of the regions within it before the Select that needs them.
  void emit(uint32_t region, size_t limit) {
    for (size_t& next = regions_[region].emitted; next < regions_[region].members.size(); ++next) {
      const NodeId id = regions_[region].members[next];
      if (id >= limit) return;
      ExprNode n = node(id);
      for (int k = 0; k < info(n.verb).operands; ++k) {
        NodeId& arg = n.args[static_cast<size_t>(k)];
        if (of_[arg] != region && regions_[of_[arg]].parent == region) emit_guarded(of_[arg], id);
        arg = place_[arg];
      }
      place_[id] = static_cast<NodeId>(result_.expr.nodes.size());
      result_.expr.nodes.push_back(n);
    }
  }

  void emit_guarded(uint32_t region, size_t limit) {
    const size_t number = result_.regions.size();
    const auto begin = static_cast<NodeId>(result_.expr.nodes.size());
    result_.regions.push_back({begin, begin, {place_[regions_[region].condition]}, regions_[region].when});
    emit(region, limit);
    result_.regions[number].end = static_cast<NodeId>(result_.expr.nodes.size());
    if (result_.regions[number].end == begin) result_.regions.pop_back();
  }

  const Expr& expr_;
  std::vector<uint32_t> of_;  // by node
  std::vector<Region> regions_;
  std::map<std::tuple<uint32_t, NodeId, bool>, uint32_t> numbers_;
  std::vector<NodeId> place_;
  PredicatedExpr result_;
};

}  // namespace

PredicatedExpr predicate(const Expr& expr) { return Regions(expr).ordered(); }

}  // namespace ember::ops
