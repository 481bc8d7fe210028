// What the printer and the parser of the text form share: the letters of bare names, and the names of verbs and kinds.
#pragma once

#include <string_view>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

inline bool name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}
// Null if there is no such kind.
const NodeKind* find_kind(std::string_view name);
const ops::Verb* find_verb(std::string_view name);

}  // namespace ember::bytecode
