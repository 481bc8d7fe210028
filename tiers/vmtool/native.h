// `disasm --native`: the machine code of functions beside their bytecode.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bytecode/code/code.h"
#include "tiers/dump/native_image.h"

namespace ember::vmtool {

// Of a function, compiled now for the sizes of the module's first call. Throws UsageError if it can't be compiled.
tiers::NativeImage compiled_now(const bytecode::CodeRef& code, uint32_t function);

// What the process that wrote the module ran, in the order in which it was made (EMBERJIT_DUMP).
std::vector<tiers::NativeImage> dumped_beside(const std::string& module, const bytecode::Code& code);

std::string native_listing(const bytecode::Code& code, const tiers::NativeImage& image);

}  // namespace ember::vmtool
