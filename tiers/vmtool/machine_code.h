// Machine code as text, with names for addresses instead of numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

namespace ember::vmtool {

struct MachineCode {
  uint64_t address = 0;  // where it ran
  std::span<const uint8_t> bytes;
  size_t end = 0;                             // of instructions; constants follow
  std::map<size_t, std::string> labels;       // by offset
  std::map<uint64_t, std::string> elsewhere;  // by address
};

// Behind the first return.
size_t end_of_instructions(std::span<const uint8_t> bytes);

// Labels for the places that are jumped to and have none: as `names` has them by offset, or L1, L2, ...
void add_labels(MachineCode* code, const std::map<size_t, std::string>& names);

// The instructions of [from, to), a line each, and labels before them. A constant is shown where it is read.
std::string listing(const MachineCode& code, size_t from, size_t to);

}  // namespace ember::vmtool
