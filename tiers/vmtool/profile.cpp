// `profile`: which lines of the user's, and which instructions of these, a module's time goes into. Each instruction
// runs by itself, in the interpreter, with the kernels that native code has; what runs between them is the rest.
#include <algorithm>
#include <cstdio>
#include <map>

#include "ops/base/timeline.h"
#include "tiers/vmtool/commands.h"
#include "tiers/vmtool/runner.h"
#include "tiers/vmtool/source_lines.h"
#include "vm/exec/interpreter.h"

namespace ember::vmtool {
namespace {

constexpr int64_t kLines = 12, kInstructions = 3;  // that are shown: of all, of each line
constexpr size_t kWidest = 110;

struct Spent {
  int64_t ns = 0;
  std::vector<std::pair<int64_t, uint64_t>> instructions;  // nanoseconds, place
};

using Lines = std::map<std::pair<uint32_t, uint32_t>, Spent>;  // by file and line

Lines by_line(const bytecode::Code& code, const std::vector<ops::Span>& spans) {
  std::map<uint64_t, int64_t> by_place;
  for (const ops::Span& span : spans)
    if (span.place) by_place[*span.place] += span.end - span.begin;
  Lines lines;
  for (const auto& [place, ns] : by_place) {
    const bytecode::Source source = code.source(static_cast<uint32_t>(place >> 32), static_cast<uint32_t>(place));
    Spent& spent = lines[{source.file, source.line}];
    spent.ns += ns;
    spent.instructions.emplace_back(ns, place);
  }
  return lines;
}

template <class T>
std::vector<T> largest(std::vector<T> items, int64_t count) {
  std::sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.first > b.first; });
  if (items.size() > static_cast<size_t>(count)) items.resize(static_cast<size_t>(count));
  return items;
}

class Report {
 public:
  Report(const bytecode::Code& code, int64_t total, int64_t calls) : code_(code), total_(total), calls_(calls) {}

  void print(const Lines& lines, int64_t shown) const {
    int64_t instructions = 0;
    std::vector<std::pair<int64_t, Lines::key_type>> sorted;
    for (const auto& [line, spent] : lines) {
      instructions += spent.ns;
      sorted.emplace_back(spent.ns, line);
    }
    std::printf("%.1f us a call, of %lld calls after as many to warm up: %.1f%% in instructions, %.1f%% between them\n",
                microseconds(total_), static_cast<long long>(calls_), share(instructions),
                share(total_ - instructions));
    const std::vector<std::pair<int64_t, Lines::key_type>> first = largest(sorted, shown);
    for (const auto& [ns, line] : first) {
      print(line, lines.at(line));
      instructions -= ns;
    }
    if (sorted.size() > first.size())
      std::printf("\n%5.1f%% %11.1f us  in %zu more lines (--lines)\n", share(instructions), microseconds(instructions),
                  sorted.size() - first.size());
  }

 private:
  double microseconds(int64_t ns) const { return 1e-3 * static_cast<double>(ns) / static_cast<double>(calls_); }
  double share(int64_t ns) const { return 100.0 * static_cast<double>(ns) / static_cast<double>(total_); }

  void print(const Lines::key_type& line, const Spent& spent) const {
    const std::string& file = code_.files[line.first];
    const std::string place = line.second == 0 ? "no line of the program's" : file + ":" + std::to_string(line.second);
    std::printf("\n%5.1f%% %11.1f us  %s%s\n", share(spent.ns), microseconds(spent.ns), place.c_str(),
                line.second == 0 ? "" : source_line(file, line.second).c_str());
    int64_t rest = spent.ns;
    for (const auto& [ns, at] : largest(spent.instructions, kInstructions)) {
      rest -= ns;
      const auto function = static_cast<uint32_t>(at >> 32), pc = static_cast<uint32_t>(at);
      std::string text = bytecode::instruction_text(code_, function, pc);
      if (text.size() > kWidest) text = text.substr(0, kWidest - 3) + "...";
      std::printf("       %5.1f%% %11.1f us  @%s %u: %s\n", share(ns), microseconds(ns),
                  code_.functions[function].name.c_str(), pc, text.c_str());
    }
    if (spent.instructions.size() > kInstructions)
      std::printf("       %5.1f%% %11.1f us  in %zu more\n", share(rest), microseconds(rest),
                  spent.instructions.size() - kInstructions);
  }

  const bytecode::Code& code_;
  int64_t total_, calls_;
};

}  // namespace

void profile(const Words& words) {
  std::vector<std::string> known = kRunOptions;
  known.emplace_back("lines");
  const Options options(words, known, kRunFlags);
  if (options.text("tier", "0") != "0")
    throw UsageError("profile runs each instruction by itself, in the interpreter: no --tier but 0");
  Runner runner(options);
  const vm::InterpreterOnly only;
  runner.run();
  ops::record_spans(true);
  const int64_t begin = ops::now_ns();
  runner.run();
  const int64_t total = std::max<int64_t>(1, ops::now_ns() - begin);
  ops::record_spans(false);
  const bytecode::Code& code = runner.function().code();
  const std::vector<ops::Span> spans = ops::take_spans();
  if (ops::spans_lost() > 0) throw UsageError("there are too many instructions to be recorded: --repeat less");
  Report(code, total, options.number("repeat", 1)).print(by_line(code, spans), options.number("lines", kLines));
}

}  // namespace ember::vmtool
