// MindSpore's flash_attention_score: layouts of heads, masks by number and by operand, over the attention op.
#include <limits>

#include "ops/table/rules.h"

namespace ember::ops {
namespace {

enum Operand : size_t { kRealShift = 3, kDropMask = 4, kPaddingMask = 5, kAttnMask = 6 };
enum Attribute : size_t {
  kHeadNum = 3,
  kPrefix = 8,
  kKeepProb = 11,
  kScale = 12,
  kPreTokens = 13,
  kNextTokens = 14,
  kLayout = 16,
  kSparseMode = 17,
};

[[noreturn]] void refuse(const std::string& why) { value_error("For 'flash_attention_score', " + why); }

// Between a layout and (batch, heads, length, depth).
class HeadLayout {
 public:
  HeadLayout(const std::string& name, Dim heads) : name_(name), heads_(heads) {
    if (name != "BSH" && name != "SBH" && name != "BNSD" && name != "BSND") {
      refuse("input_layout must be 'BSH', 'SBH', 'BNSD' or 'BSND', but is '" + name + "'.");
    }
  }

  Value heads_first(Builder& b, const Value& x) const {
    const Dims dims = b.dims(x);
    if (dims.size() != name_.size()) refuse("the layout " + name_ + " does not fit " + to_string(b.type(x)) + ".");
    if (name_ == "BNSD") return x;
    if (name_ == "BSND") return b.transpose(x, {0, 2, 1, 3});
    if (heads_ < Dim(1) || dims[2] % heads_ != Dim(0)) {
      refuse("the last axis of " + to_string(b.type(x)) + " must be a multiple of its heads, " +
             std::to_string(heads_.hint()) + ".");
    }
    const Value split = b.reshape(x, {dims[0], dims[1], heads_, dims[2] / heads_});
    return b.transpose(split, batch_first() ? Ints{0, 2, 1, 3} : Ints{1, 2, 0, 3});
  }
  Value as_given(Builder& b, const Value& x) const {
    if (name_ == "BNSD") return x;
    const Value transposed = b.transpose(x, batch_first() ? Ints{0, 2, 1, 3} : Ints{2, 0, 1, 3});
    if (name_ == "BSND") return transposed;
    const Dims dims = b.dims(transposed);
    return b.reshape(transposed, {dims[0], dims[1], dims[2] * dims[3]});
  }

 private:
  bool batch_first() const { return name_[0] == 'B'; }

  const std::string& name_;
  Dim heads_;
};

// True for keys more than `after` behind the query or more than `before` ahead of it.
Value outside_band(Builder& b, Dim length, Dim keys, int64_t before, int64_t after) {
  constexpr int64_t kUnlimited = std::numeric_limits<int32_t>::max();
  const Value all = b.call("ones", {}, {{"shape", Ints{length, keys}}, {"dtype", DType::Bool}});
  Value outside;
  if (after < kUnlimited) outside = b.call("triu", {all}, {{"diagonal", after + 1}});
  if (before >= kUnlimited) return outside;
  const Value ahead = b.call("tril", {all}, {{"diagonal", -before - 1}});
  return none(outside) ? ahead : b.call("logical_or", {outside, ahead});
}

struct Mask {
  Value hidden;  // bool
  bool causal = false;
};

Mask mask_of(Builder& b, const Value& mask, Dim length, Dim keys, const Attrs& attrs) {
  const int64_t mode = attrs.integer(kSparseMode), before = attrs.integer(kPreTokens);
  const int64_t after = attrs.integer(kNextTokens);
  if (mode == 2) return {{}, true};
  if (mode == 3 || mode == 4) {
    const int64_t shift = pinned(keys - length);
    if (mode == 3) return {outside_band(b, length, keys, std::numeric_limits<int64_t>::max(), shift), false};
    return {outside_band(b, length, keys, before - shift, after + shift), false};
  }
  if (mode != 0 && mode != 1) refuse("sparse_mode must be 0 to 4, but is " + std::to_string(mode) + ".");
  if (none(mask)) return {};
  const Value hidden = b.cast(mask, DType::Bool);
  const Value outside = mode == 0 ? outside_band(b, length, keys, before, after) : Value();
  return {none(outside) ? hidden : b.call("logical_or", {hidden, outside}), false};
}

void check_parameters(std::span<const Value> in, const Attrs& attrs) {
  const std::pair<size_t, const char*> absent[] = {{kDropMask, "drop_mask"}, {kPaddingMask, "padding_mask"}};
  for (const auto& [index, name] : absent) {
    if (!none(in[index])) refuse(std::string(name) + " must be None: emberjit has no dropout inside attention.");
  }
  for (size_t i = kPrefix; i < kKeepProb; ++i) {
    if (attrs.has(i)) refuse("prefix, actual_seq_qlen and actual_seq_kvlen must be None.");
  }
  if (attrs.number(kKeepProb) != 1) refuse("keep_prob must be 1: emberjit has no dropout inside attention.");
}

struct FlashAttentionScore {
  static constexpr const char* name = "flash_attention_score";
  static constexpr const char* primitive = "AttentionScore";
  static constexpr const char* signature =
      "query: tensor, key: tensor, value: tensor, head_num: int, real_shift: tensor? = None, drop_mask: tensor? = "
      "None, padding_mask: tensor? = None, attn_mask: tensor? = None, prefix: ints? = None, actual_seq_qlen: ints? = "
      "None, actual_seq_kvlen: ints? = None, keep_prob: float = 1.0, scalar_value: float = 1.0, pre_tokens: int = "
      "2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = 'BSH', sparse_mode: int "
      "= 0 -> tensor";
  static constexpr Flags flags = Flag::Pure;
  static constexpr const char* doc =
      "Attention of `head_num` heads, in the layouts 'BSH', 'SBH', 'BNSD' and 'BSND', any floating-point dtype; the "
      "heads of key and value divide those of query. Scores are query @ key' * `scalar_value` + `real_shift`, and -inf "
      "where `attn_mask` (bool or uint8) is true or the key is outside of `pre_tokens` and `next_tokens`, counted "
      "from the query, which takes an attn_mask. `sparse_mode` 1 takes attn_mask alone; 2, 3 and 4 make the mask: "
      "keys up to the query's, the same with the last query and key aligned, and the tokens so aligned. There is no "
      "dropout: drop_mask and the parameters of packed sequences must be None. Like attention it stores no scores.";
  static constexpr const char* numpy = "";
  static Values compose(Builder& b, std::span<const Value> in, const Attrs& attrs) {
    check_parameters(in, attrs);
    const HeadLayout layout(attrs.text(kLayout), attrs.integer(kHeadNum));
    const Value query = layout.heads_first(b, in[0]);
    const Dims q = b.dims(query);
    if (q[1] != Dim(attrs.integer(kHeadNum)))
      refuse("query has " + std::to_string(q[1].hint()) + " heads, not head_num.");
    const Dims k = b.dims(in[1]);
    const bool flat = attrs.text(kLayout).size() == 3;
    if (k.size() != b.dims(in[0]).size()) refuse("query and key must have as many dimensions.");
    const HeadLayout groups(attrs.text(kLayout), flat && q[3] > Dim(0) ? k[2] / q[3] : Dim(1));
    const Value key = groups.heads_first(b, in[1]), value = groups.heads_first(b, in[2]);
    const DType dtype = b.type(in[0]).dtype;
    const auto [hidden, causal] = mask_of(b, in[kAttnMask], q[2], b.dims(key)[2], attrs);
    const bool both = !none(hidden) && !none(in[kRealShift]);
    Value mask = none(hidden) ? in[kRealShift] : hidden;
    if (both) {
      const double low = -std::numeric_limits<double>::infinity();
      mask = b.select(hidden, b.call("full", {low}, {{"size", Ints{}}, {"dtype", dtype}}), in[kRealShift]);
    }
    const Value operands[] = {query, key, value, mask};
    const Values out = b.call_all("attention", operands, {{"scale", attrs.number(kScale)}, {"causal", causal}});
    return {layout.as_given(b, out[0])};
  }
  static std::vector<Sample> samples() {
    const SampleOperand absent = absent_operand();
    const auto sample = [&](const Shape& query, const Shape& key, std::vector<SampleOperand> more,
                            std::vector<std::pair<const char*, Attr>> attrs) {
      std::vector<SampleOperand> operands = {{query}, {key}, {key}};
      operands.insert(operands.end(), more.begin(), more.end());
      attrs.insert(attrs.begin(), {{"head_num", int64_t{4}}, {"scalar_value", 0.6}});
      return Sample{std::move(operands), std::move(attrs), {}};
    };
    const auto layout = [](const char* name) {
      return std::pair<const char*, Attr>{"input_layout", std::string(name)};
    };
    const auto number = [](const char* name, int64_t value) { return std::pair<const char*, Attr>{name, value}; };
    const SampleOperand shift{{2, 4, 5, 6}}, hidden{{5, 6}, DType::UInt8, 0, 0};
    return {sample({2, 5, 12}, {2, 6, 6}, {}, {}),
            sample({5, 2, 12}, {6, 2, 12}, {shift}, {layout("SBH")}),
            sample({2, 4, 5, 3}, {2, 2, 6, 3}, {shift, absent, absent}, {layout("BNSD"), number("sparse_mode", 2)}),
            sample({2, 5, 4, 3}, {2, 6, 4, 3}, {}, {layout("BSND"), number("sparse_mode", 3)}),
            sample({2, 4, 5, 3}, {2, 4, 6, 3}, {shift, absent, absent, {{2, 1, 5, 6}, DType::UInt8, 0, 0}},
                   {layout("BNSD"), number("sparse_mode", 1)}),
            sample({2, 5, 12}, {2, 6, 12}, {absent, absent, absent, hidden},
                   {number("pre_tokens", 2), number("next_tokens", 1)}),
            sample({2, 5, 12}, {2, 6, 12}, {},
                   {number("sparse_mode", 4), number("pre_tokens", 2), number("next_tokens", 0)})};
  }
};
EMBER_OP(FlashAttentionScore);

}  // namespace
}  // namespace ember::ops
