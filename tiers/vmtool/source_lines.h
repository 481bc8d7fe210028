// The user's lines, where their files are there.
#pragma once

#include <cstddef>
#include <string>

namespace ember::vmtool {

// "  |" and the line; empty if there is no such.
std::string source_line(const std::string& path, size_t number);

}  // namespace ember::vmtool
