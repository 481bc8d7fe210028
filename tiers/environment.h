// The variables of the environment that are emberjit's, and the values that they may have.
#pragma once

#include <string>
#include <vector>

namespace ember::tiers {

struct Variable {
  std::string name;
  std::vector<std::string> values;  // none: any
};
const std::vector<Variable>& environment_variables();

// "NAME must be one of ..., but is ..."; empty if each variable that is set has one of its values.
std::string environment_problem();

}  // namespace ember::tiers
