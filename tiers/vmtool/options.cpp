// See options.h. An unknown option is an error, never ignored.
#include "tiers/vmtool/options.h"

#include <algorithm>
#include <charconv>

namespace ember::vmtool {

Options::Options(const std::vector<std::string>& words, const std::vector<std::string>& valued,
                 const std::vector<std::string>& flags) {
  const auto knows = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].rfind("--", 0) != 0) {
      arguments_.push_back(words[i]);
      continue;
    }
    const std::string name = words[i].substr(2);
    if (knows(flags, name)) {
      values_[name].push_back("");
    } else if (knows(valued, name)) {
      if (++i == words.size()) throw UsageError("--" + name + " needs a value");
      values_[name].push_back(words[i]);
    } else {
      throw UsageError("unknown option --" + name);
    }
  }
}

const std::string& Options::argument(const char* what) const { return arguments(1, what)[0]; }

const std::vector<std::string>& Options::arguments(size_t count, const char* what) const {
  if (arguments_.size() < count) throw UsageError(std::string("missing ") + what);
  if (arguments_.size() > count) throw UsageError("unexpected argument '" + arguments_[count] + "'");
  return arguments_;
}

const std::vector<std::string>& Options::all(const std::string& name) const {
  static const std::vector<std::string> none;
  const auto it = values_.find(name);
  return it == values_.end() ? none : it->second;
}

std::string Options::text(const std::string& name, const std::string& otherwise) const {
  return has(name) ? all(name).back() : otherwise;
}

int64_t Options::number(const std::string& name, int64_t otherwise) const {
  if (!has(name)) return otherwise;
  const std::string& text = all(name).back();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw UsageError("--" + name + " must be a whole number, not '" + text + "'");
  return value;
}

}  // namespace ember::vmtool
