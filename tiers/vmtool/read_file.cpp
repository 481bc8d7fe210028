#include "tiers/vmtool/read_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace ember::vmtool {

std::optional<std::string> read_file(const std::string& path, std::string* why) {
  std::error_code problem;
  if (std::filesystem::exists(path, problem) && !std::filesystem::is_regular_file(path, problem)) {
    *why = "is no regular file";
    return {};
  }
  std::ifstream in(path, std::ios::binary);
  std::string file{std::istreambuf_iterator<char>(in), {}};
  if (in.good() || in.eof()) return file;
  *why = "can't be read";
  return {};
}

}  // namespace ember::vmtool
