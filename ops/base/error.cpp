#include "ops/base/error.h"

namespace ember::ops {

std::string in_name_of(std::string_view name, std::string_view message) {
  constexpr std::string_view kStart = "For '";
  size_t end = message.find("', ");
  if (!message.starts_with(kStart) || end == std::string_view::npos) return std::string(message);
  return std::string(kStart) + std::string(name) + std::string(message.substr(end));
}

void value_error(const std::string& message) { throw OpError(OpError::Kind::Value, message); }
void type_error(const std::string& message) { throw OpError(OpError::Kind::Type, message); }
void index_error(const std::string& message) { throw OpError(OpError::Kind::Index, message); }

}  // namespace ember::ops
