// Listings for people: with colours on a terminal, or as one page of HTML that folds.
#pragma once

#include <string>

#include "tiers/vmtool/options.h"

namespace ember::vmtool {

// To stdout, by --color auto, always or never (auto: on a terminal, unless NO_COLOR is set) and --html.
void show(const std::string& listing, const std::string& title, const Options& options);

std::string coloured(const std::string& listing);                        // ANSI
std::string page(const std::string& listing, const std::string& title);  // HTML; what needs it is escaped

}  // namespace ember::vmtool
