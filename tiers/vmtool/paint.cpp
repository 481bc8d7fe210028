#include "tiers/vmtool/paint.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace ember::vmtool {
namespace {

enum class Kind { Heading, Source, Instruction, Machine, Removed, Added, Plain };

bool begins(const std::string& line, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (line.rfind(word, 0) == 0) return true;
  return false;
}

// By how a listing begins its lines.
Kind kind_of(const std::string& line) {
  const size_t indent = line.find_first_not_of(' ');
  if (indent == std::string::npos) return Kind::Plain;
  if (begins(line, {"function ", "native code of ", "loop of ", "no loop "})) return Kind::Heading;
  if (begins(line, {"- "})) return Kind::Removed;
  if (begins(line, {"+ "})) return Kind::Added;
  if (line[indent] == '#') return Kind::Source;
  if (indent >= 8) return Kind::Machine;
  return std::isdigit(static_cast<unsigned char>(line[indent])) && indent > 0 ? Kind::Instruction : Kind::Plain;
}

const char* ansi(Kind kind) {
  switch (kind) {
    case Kind::Heading:
      return "\033[1m";
    case Kind::Source:
      return "\033[36m";
    case Kind::Machine:
      return "\033[2m";
    case Kind::Removed:
      return "\033[31m";
    case Kind::Added:
      return "\033[32m";
    default:
      return "";
  }
}

const char* style(Kind kind) {
  constexpr const char* kStyles[] = {"heading", "source", "instruction", "machine", "removed", "added", "plain"};
  return kStyles[static_cast<size_t>(kind)];
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

constexpr const char* kStyle =
    "body{font:13px/1.5 ui-monospace,monospace;margin:2em;color:#222;background:#fff}"
    "summary{cursor:pointer;white-space:pre}div{white-space:pre;margin-left:1.2em}"
    ".heading{font-weight:bold}.source{color:#06789a}.machine{color:#777}.removed{color:#b00}.added{color:#070}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.source{color:#5cc8e8}.machine{color:#999}"
    ".removed{color:#f77}.added{color:#7d7}}";

// Sections fold, and within them an instruction folds the machine code behind it.
class Page {
 public:
  void add(const std::string& line, Kind kind, bool folds) {
    if (kind == Kind::Heading) {
      close(2);
      open(line, kind, " open");
    } else if (kind != Kind::Machine) {
      close(1);
      if (folds) return open(line, kind, "");
      leaf(line, kind);
    } else {
      leaf(line, kind);
    }
  }
  std::string finish() {
    close(2);
    return out_;
  }

 private:
  void open(const std::string& line, Kind kind, const char* state) {
    out_ += std::string("<details") + state + "><summary class=" + style(kind) + ">" + escaped(line) + "</summary>\n";
    folds_ += kind == Kind::Heading ? "h" : "i";
  }
  void leaf(const std::string& line, Kind kind) {
    out_ += std::string("<div class=") + style(kind) + ">" + (line.empty() ? "&nbsp;" : escaped(line)) + "</div>\n";
  }
  // Folds of instructions, and at level 2 those of sections.
  void close(int level) {
    for (; !folds_.empty() && (level == 2 || folds_.back() == 'i'); folds_.pop_back()) out_ += "</details>\n";
  }

  std::string out_, folds_;
};

std::vector<std::string> lines_of(const std::string& listing) {
  std::vector<std::string> lines;
  std::istringstream in(listing);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool wants_colours(const Options& options) {
  const std::string colour = options.text("color", "auto");
  if (colour != "auto" && colour != "always" && colour != "never")
    throw UsageError("--color must be auto, always or never");
  const char* none = std::getenv("NO_COLOR");
  return colour == "always" || (colour == "auto" && ::isatty(STDOUT_FILENO) && !(none && *none));
}

}  // namespace

std::string coloured(const std::string& listing) {
  std::string out;
  for (const std::string& line : lines_of(listing)) {
    const std::string colour = ansi(kind_of(line));
    out += colour.empty() ? line + "\n" : colour + line + "\033[0m\n";
  }
  return out;
}

std::string page(const std::string& listing, const std::string& title) {
  const std::vector<std::string> lines = lines_of(listing);
  Page page;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Kind kind = kind_of(lines[i]);
    const bool folds = kind == Kind::Instruction && i + 1 < lines.size() && kind_of(lines[i + 1]) == Kind::Machine;
    page.add(lines[i], kind, folds);
  }
  return "<!doctype html>\n<meta charset=utf-8>\n<title>" + escaped(title) + "</title>\n<style>" + kStyle +
         "</style>\n" + page.finish();
}

void show(const std::string& listing, const std::string& title, const Options& options) {
  const bool colours = wants_colours(options);
  std::cout << (options.has("html") ? page(listing, title) : colours ? coloured(listing) : listing);
}

}  // namespace ember::vmtool
