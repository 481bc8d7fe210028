#include "tiers/vmtool/source_lines.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

namespace ember::vmtool {
namespace {

const std::vector<std::string>& lines_of(const std::string& path) {
  static std::map<std::string, std::vector<std::string>> files;
  const auto [at, added] = files.try_emplace(path);
  constexpr uintmax_t kMaxBytes = 1 << 24;
  std::error_code problem;
  const bool readable = added && std::filesystem::is_regular_file(path, problem) && !problem &&
                        std::filesystem::file_size(path, problem) <= kMaxBytes;
  if (!readable) return at->second;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) at->second.push_back(line);
  return at->second;
}

}  // namespace

std::string source_line(const std::string& path, size_t number) {
  const std::vector<std::string>& lines = lines_of(path);
  return number >= 1 && number <= lines.size() ? "  |" + lines[number - 1] : "";
}

}  // namespace ember::vmtool
