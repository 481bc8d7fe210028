// The list of gdb.h, which a lock of its own guards.
#include "tiers/symbols/gdb.h"

#include <list>
#include <mutex>

#include "gc/fork.h"
#include "tiers/symbols/symbols.h"

[[gnu::used]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::noinline, gnu::used]] void __jit_debug_register_code() { asm volatile("" ::: "memory"); }

namespace ember::tiers {
namespace {

enum Action : uint32_t { kRegister = 1, kUnregister = 2 };

struct Object {
  const void* code;
  std::vector<uint8_t> file;
  jit_code_entry entry;
};

struct Objects {
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Symbols};
  std::list<Object> list;
};
Objects& objects() {
  static auto* all = new Objects();
  return *all;
}

void tell(Action action, jit_code_entry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
}

}  // namespace

void add_to_gdb(std::span<const uint8_t> code, const Symbol& symbol) {
  std::vector<uint8_t> file = elf_of(code, symbol);
  std::lock_guard lock(objects().mutex);
  Object& object = objects().list.emplace_front(Object{code.data(), std::move(file), {}});
  jit_code_entry*& first = __jit_debug_descriptor.first_entry;
  object.entry = {first, nullptr, object.file.data(), object.file.size()};
  if (first) first->prev = &object.entry;
  first = &object.entry;
  tell(kRegister, &object.entry);
}

void remove_from_gdb(const void* code) {
  std::lock_guard lock(objects().mutex);
  std::list<Object>& list = objects().list;
  for (auto object = list.begin(); object != list.end(); ++object) {
    if (object->code != code) continue;
    jit_code_entry& entry = object->entry;
    (entry.prev ? entry.prev->next : __jit_debug_descriptor.first_entry) = entry.next;
    if (entry.next) entry.next->prev = entry.prev;
    tell(kUnregister, &entry);
    list.erase(object);
    return;
  }
}

}  // namespace ember::tiers
