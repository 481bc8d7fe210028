// GDB's JIT interface (GDB manual, 30): a list of object files in memory that a debugger finds by the name of its
// descriptor, and a function without content that it stops in where the list has changed.
#pragma once

#include <cstdint>

extern "C" {

struct jit_code_entry {
  jit_code_entry *next, *prev;
  const uint8_t* symfile_addr;
  uint64_t symfile_size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;  // 1: relevant_entry is new, 2: it goes
  jit_code_entry *relevant_entry, *first_entry;
};

[[gnu::visibility("default")]] extern jit_descriptor __jit_debug_descriptor;
[[gnu::visibility("default")]] void __jit_debug_register_code();
}
