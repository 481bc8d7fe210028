// The command line: a command, positional arguments, `--name value` options and `--name` flags.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ember::vmtool {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Options {
 public:
  // `valued` and `flags` are the options that the command knows; values may be given several times.
  Options(const std::vector<std::string>& words, const std::vector<std::string>& valued,
          const std::vector<std::string>& flags);

  const std::string& argument(const char* what) const;  // the only positional argument
  const std::vector<std::string>& arguments(size_t count, const char* what) const;
  bool has(const std::string& name) const { return values_.count(name) != 0; }
  const std::vector<std::string>& all(const std::string& name) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  int64_t number(const std::string& name, int64_t otherwise) const;  // not negative

 private:
  std::vector<std::string> arguments_;
  std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace ember::vmtool
