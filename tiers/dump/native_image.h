// Native code of a function as data: what `vmtool disasm --native` lists, made now or written by a process that ran
// it (EMBERJIT_DUMP). Decoding trusts nothing; what is decoded is only looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tiers/emit/function_code.h"

namespace ember::tiers {

struct NativeImage {
  struct Place {
    uint32_t pc, offset;
  };
  struct Exit {
    uint32_t pc, offset;
    std::string reason;
  };
  // A loop over elements that the step at `pc` calls, or why it has none.
  struct Loop {
    uint32_t pc;
    std::string why_not;
    std::vector<uint8_t> code;
  };

  uint32_t function = 0;
  std::vector<std::string> params;  // what they were bound to: "x: Float32 (64, 3)"
  uint64_t address = 0;             // where the code ran
  uint32_t end = 0;                 // of instructions; constants follow
  std::vector<uint8_t> code;
  std::vector<Place> steps, entries;
  std::vector<Exit> exits;
  std::vector<int8_t> branches;           // by number: the side that is assumed, -1 none
  std::map<uint64_t, std::string> names;  // of addresses outside the code
  std::vector<Loop> loops;
};

NativeImage image_of(const vm::FunctionBinding& function, const NativeFunction& native);
std::vector<std::byte> encode(const NativeImage& image);
NativeImage decode_image(std::span<const std::byte> bytes);  // throws bytecode::FileError

}  // namespace ember::tiers
