// Errors of ops. Whatever a caller got wrong is an OpError; std::logic_error is a mistake of this program.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace ember::ops {

// The message names the op and its operands; Python raises ValueError, TypeError, IndexError or OverflowError.
struct OpError : std::runtime_error {
  enum class Kind { Value, Type, Index, Overflow } kind;
  uint32_t path;  // of the source of a graph's node
  OpError(Kind kind, const std::string& message, uint32_t path = 0)
      : std::runtime_error(message), kind(kind), path(path) {}
};
// A message that begins "For 'pick', " with another name there: in the name of what the user called.
std::string in_name_of(std::string_view name, std::string_view message);
[[noreturn]] void value_error(const std::string& message);
[[noreturn]] void type_error(const std::string& message);
[[noreturn]] void index_error(const std::string& message);

}  // namespace ember::ops
