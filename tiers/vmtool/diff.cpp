// `diff`: what differs between the code of two modules. Instructions are compared without the numbers of registers and
// places, so that one more of either moves nothing else; functions by name, those of one name in their order.
#include <algorithm>
#include <iostream>
#include <map>

#include "bytecode/code/module_file.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/paint.h"
#include "tiers/vmtool/source_lines.h"

namespace ember::vmtool {
namespace {

constexpr size_t kContext = 2;         // lines of either side of a difference
constexpr int64_t kMostEdits = 1'000;  // beyond which the rest is told as one difference

struct Line {
  std::string text;  // that is compared
  uint32_t pc;
};

struct Side {
  const bytecode::Code& code;
  uint32_t function;
  std::vector<Line> lines;
};

// "r12" as "r": the instruction's text without what is numbered in order.
std::string without_registers(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    const bool word = i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '_');
    if (text[i] == 'r' && !word)
      while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]))) ++i;
  }
  return out;
}

Side side_of(const bytecode::Code& code, uint32_t function) {
  Side side{code, function, {}};
  const bytecode::CodeFunction& f = code.functions[function];
  for (uint32_t pc = 0; pc < f.words.size(); pc = bytecode::decode(f, pc).next) {
    const bytecode::Decoded d = bytecode::decode(f, pc);
    std::string text = bytecode::instruction_text(code, function, pc);
    if (d.op == bytecode::Instruction::Jump || d.op == bytecode::Instruction::Branch)
      text = text.substr(0, text.find_last_not_of("0123456789") + 1);
    for (const bytecode::Register r : d.outputs) text += " : " + to_string(f.registers[r], code.symbols);
    side.lines.push_back({without_registers(text), pc});
  }
  return side;
}

struct Edit {
  char kind;  // '-', '+', or ' ' for both
  size_t left, right;
};

// Myers, "An O(ND) difference algorithm and its variations", 1986: the furthest points of each number of edits, walked
// back from the end.
std::vector<Edit> edits(const std::vector<Line>& a, const std::vector<Line>& b) {
  const auto n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
  const int64_t most = std::min<int64_t>(n + m, kMostEdits);
  std::vector<std::vector<int64_t>> steps;
  std::vector<int64_t> furthest(static_cast<size_t>(2 * most + 3), 0);
  const auto at = [&](std::vector<int64_t>& v, int64_t k) -> int64_t& { return v[static_cast<size_t>(k + most + 1)]; };
  const auto comes_down = [&](std::vector<int64_t>& v, int64_t k, int64_t d) {
    return k == -d || (k != d && at(v, k - 1) < at(v, k + 1));
  };
  bool complete = false;
  for (int64_t d = 0; d <= most && !complete; ++d) {
    steps.push_back(furthest);
    for (int64_t k = -d; k <= d && !complete; k += 2) {
      int64_t x = comes_down(furthest, k, d) ? at(furthest, k + 1) : at(furthest, k - 1) + 1, y = x - k;
      while (x < n && y < m && a[static_cast<size_t>(x)].text == b[static_cast<size_t>(y)].text) ++x, ++y;
      at(furthest, k) = x;
      complete = x >= n && y >= m;
    }
  }
  std::vector<Edit> out;
  int64_t x = n, y = m;
  const auto both = [&] { out.push_back({' ', static_cast<size_t>(--x), static_cast<size_t>(--y)}); };
  for (auto d = static_cast<int64_t>(steps.size()) - 1; complete && d > 0; --d) {
    std::vector<int64_t>& v = steps[static_cast<size_t>(d)];
    const bool down = comes_down(v, x - y, d);
    const int64_t k = x - y + (down ? 1 : -1), start = at(v, k);
    while (x > start + !down && y > start - k + down) both();
    if (down)
      out.push_back({'+', static_cast<size_t>(x), static_cast<size_t>(--y)});
    else
      out.push_back({'-', static_cast<size_t>(--x), static_cast<size_t>(y)});
  }
  while (complete && x > 0 && y > 0) both();
  while (!complete && y > 0) out.push_back({'+', static_cast<size_t>(x), static_cast<size_t>(--y)});
  while (!complete && x > 0) out.push_back({'-', static_cast<size_t>(--x), 0});
  std::reverse(out.begin(), out.end());
  return out;
}

std::string shown(const Edit& edit, const Side& a, const Side& b, std::string* place) {
  const Side& side = edit.kind == '+' ? b : a;
  const uint32_t pc = side.lines[edit.kind == '+' ? edit.right : edit.left].pc;
  const bytecode::Source source = side.code.source(side.function, pc);
  std::string out;
  if (source.line != 0) {
    const std::string& file = side.code.files[source.file];
    const std::string here = file + ":" + std::to_string(source.line);
    if (here != *place) out = "  # " + here + source_line(file, source.line) + "\n";
    *place = here;
  }
  return out + edit.kind + " " + bytecode::disassemble_instruction(side.code, side.function, pc) + "\n";
}

std::string difference(const Side& a, const Side& b) {
  const std::vector<Edit> all = edits(a.lines, b.lines);
  std::vector<bool> near(all.size(), false);
  size_t removed = 0, added = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == ' ') continue;
    (all[i].kind == '-' ? removed : added) += 1;
    const size_t from = i < kContext ? 0 : i - kContext, to = std::min(all.size(), i + kContext + 1);
    std::fill(near.begin() + static_cast<ptrdiff_t>(from), near.begin() + static_cast<ptrdiff_t>(to), true);
  }
  if (removed + added == 0) return "";
  std::string out = "function " + a.code.functions[a.function].name + ": " + std::to_string(removed) +
                    " instructions removed, " + std::to_string(added) + " added, of " + std::to_string(a.lines.size()) +
                    " and " + std::to_string(b.lines.size()) + "\n";
  std::string place;
  for (size_t i = 0; i < all.size(); ++i) {
    if (near[i])
      out += shown(all[i], a, b, &place);
    else if (i > 0 && near[i - 1])
      out += "  ...\n";
  }
  return out + "\n";
}

std::multimap<std::string, uint32_t> by_name(const bytecode::Code& code) {
  std::multimap<std::string, uint32_t> functions;
  for (uint32_t f = 0; f < code.functions.size(); ++f) functions.emplace(code.functions[f].name, f);
  return functions;
}

// What the entries are called with, and under what guards.
std::string heads(const bytecode::Code& a, const bytecode::Code& b) {
  const auto lines = [](const bytecode::Code& code) {
    std::vector<Line> out;
    const bytecode::CodeFunction& entry = code.functions[code.entry];
    for (size_t i = 0; i < entry.params.size(); ++i)
      out.push_back({entry.param_names[i] + ": " + to_string(entry.registers[entry.params[i]], code.symbols), 0});
    for (const ops::SymbolGuard& guard : code.symbols.guards()) out.push_back({"guard " + code.symbols.text(guard), 0});
    return out;
  };
  const std::vector<Line> left = lines(a), right = lines(b);
  std::string out;
  for (const Edit& edit : edits(left, right)) {
    if (edit.kind == '-') out += "- " + left[edit.left].text + "\n";
    if (edit.kind == '+') out += "+ " + right[edit.right].text + "\n";
  }
  return out;
}

}  // namespace

void diff(const Words& words) {
  const Options options(words, {"color"}, {"html"});
  const std::vector<std::string>& paths = options.arguments(2, "MODULE MODULE");
  const bytecode::CodeRef a = bytecode::load(paths[0]), b = bytecode::load(paths[1]);
  std::string out = heads(*a, *b);
  if (!out.empty()) out += "\n";
  std::multimap<std::string, uint32_t> theirs = by_name(*b);
  for (const auto& [name, function] : by_name(*a)) {
    const auto it = theirs.lower_bound(name);
    if (it == theirs.end() || it->first != name) {
      out += "- function " + name + "\n";
      continue;
    }
    out += difference(side_of(*a, function), side_of(*b, it->second));
    theirs.erase(it);
  }
  for (const auto& [name, function] : theirs) out += "+ function " + name + "\n";
  show(out.empty() ? "no differences\n" : out, paths[0] + " and " + paths[1], options);
}

}  // namespace ember::vmtool
