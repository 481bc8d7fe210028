#include "tiers/dump/dump.h"

#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

#include "bytecode/code/module_file.h"
#include "gc/fork.h"
#include "ops/base/interrupt.h"
#include "ops/base/whole_file.h"
#include "tiers/dump/native_image.h"
#include "vm/state/hooks.h"

namespace ember::tiers {
namespace {

constexpr size_t kLongestName = 60;

struct Dump {
  std::string folder;
  gc::ForkMutex<std::mutex> mutex{gc::ForkRank::Symbols};
  std::map<const bytecode::Code*, std::string> paths;  // of modules; another one at an old one's address replaces it
  std::atomic<uint32_t> modules{0}, natives{0};
  std::atomic<bool> told{false};
};
std::atomic<Dump*> dumping{nullptr};

std::string plain(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.') c = '_';
  return name.substr(0, kLongestName);
}

template <class F>
void unless_it_fails(Dump& dump, F&& write) noexcept {
  try {
    write();
  } catch (const std::exception& e) {
    if (!dump.told.exchange(true)) std::fprintf(stderr, "emberjit: EMBERJIT_DUMP: %s\n", e.what());
  }
}

std::string write_module(Dump& dump, const bytecode::Code& code) {
  std::string path = dump.folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(++dump.modules) + "-" +
                     plain(code.functions[code.entry].name) + ".vmb";
  const ops::Uninterrupted whole;
  bytecode::save(code, path);
  std::lock_guard lock(dump.mutex);
  return dump.paths[&code] = path;
}

void dump_module(const bytecode::Code& code) {
  Dump& dump = *dumping.load();
  unless_it_fails(dump, [&] { write_module(dump, code); });
}

// Where the module is; one that was there before dumping started is written now.
std::string path_of(Dump& dump, const bytecode::Code& code) {
  {
    std::lock_guard lock(dump.mutex);
    if (const auto it = dump.paths.find(&code); it != dump.paths.end()) return it->second;
  }
  return write_module(dump, code);
}

}  // namespace

void start_dumping(std::string folder) {
  auto* dump = new Dump();
  dump->folder = std::move(folder);
  unless_it_fails(*dump, [&] { std::filesystem::create_directories(dump->folder); });
  dumping.store(dump);
  vm::hooks().on_function = dump_module;
}

void dump(const vm::FunctionBinding& function, const NativeFunction& native) {
  Dump* dump = dumping.load();
  if (!dump) return;
  unless_it_fails(*dump, [&] {
    const std::string path = path_of(*dump, function.code());
    const std::vector<std::byte> bytes = encode(image_of(function, native));
    const std::span<const std::byte> whole = bytes;
    ops::write_whole(path + ".native-" + std::to_string(++dump->natives), {&whole, 1});
  });
}

}  // namespace ember::tiers
