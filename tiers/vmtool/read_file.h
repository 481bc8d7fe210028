// Regular files alone: a device may have no end.
#pragma once

#include <optional>
#include <string>

namespace ember::vmtool {

// The file's bytes, or nothing and why.
std::optional<std::string> read_file(const std::string& path, std::string* why);

}  // namespace ember::vmtool
