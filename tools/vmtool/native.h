// `disasm --native`: the machine code of functions beside their bytecode.
#pragma once

#include <string>

#include "bytecode/code/code.h"

namespace ember::vmtool {

// Compiles the function for the hints of its dims and lists its code, each instruction's under its bytecode line.
std::string native_listing(const bytecode::CodeRef& code, uint32_t function);

}  // namespace ember::vmtool
