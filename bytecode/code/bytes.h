// Little-endian bytes of the module file. Reader trusts nothing: every take is checked against what is left, and a
// count is accepted only if that many items could still follow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bytecode/code/module_file.h"

namespace ember::bytecode {

static_assert(std::endian::native == std::endian::little);

inline constexpr size_t kAlignment = 64;

class Writer {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    raw(&value, sizeof(T));
  }
  void raw(const void* data, size_t size) {
    const std::byte* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  void text(std::string_view s) {
    put(static_cast<uint32_t>(s.size()));
    raw(s.data(), s.size());
  }
  template <class T, class F>
  void list(const std::vector<T>& items, F&& item) {
    put(static_cast<uint32_t>(items.size()));
    for (const T& i : items) item(i);
  }
  void align() { bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment); }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  Reader(std::string section, std::span<const std::byte> bytes) : section_(std::move(section)), bytes_(bytes) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError("module file: section " + section_ + ": " + what);
  }
  void check(bool condition, const char* what) const {
    if (!condition) fail(what);
  }

  std::span<const std::byte> raw(size_t size) {
    check(size <= bytes_.size() - at_, "ends too early");
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }
  template <class T>
  T take() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, raw(sizeof(T)).data(), sizeof(T));
    return value;
  }
  // An enumerator of `count`.
  template <class E>
  E item(size_t count, const char* what) {
    const uint8_t value = take<uint8_t>();
    check(value < count, what);
    return static_cast<E>(value);
  }
  std::string text() {
    const std::span<const std::byte> chars = raw(take<uint32_t>());
    return {reinterpret_cast<const char*>(chars.data()), chars.size()};
  }
  // A list whose items take at least `smallest` bytes each.
  template <class F>
  auto list(size_t smallest, F&& item) {
    const uint32_t count = take<uint32_t>();
    check(count <= (bytes_.size() - at_) / smallest, "a list longer than the section");
    std::vector<decltype(item())> items;
    items.reserve(count);
    for (uint32_t i = 0; i < count; ++i) items.push_back(item());
    return items;
  }
  void align() {
    const size_t aligned = (at_ + kAlignment - 1) / kAlignment * kAlignment;
    for (std::byte b : raw(std::min(aligned, bytes_.size()) - at_)) check(b == std::byte{0}, "padding is not zero");
  }
  void end() const { check(at_ == bytes_.size(), "holds more than it should"); }

 private:
  std::string section_;
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

// The sections, in the order in which they stand in the file; numbers start at 1.
inline constexpr std::string_view kSections[] = {"symbols", "files", "constants", "scalars",
                                                 "calls",   "fused", "functions", "state"};
inline constexpr size_t kSectionCount = std::size(kSections);
inline constexpr char kMagic[8] = {'E', 'M', 'B', 'E', 'R', 'J', 'I', 'T'};

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t sections;
  uint64_t size;      // of the whole file
  uint32_t checksum;  // of header and section table, with this field zero
  uint32_t zero;
};

struct SectionEntry {
  uint32_t number;
  uint32_t checksum;
  uint64_t offset;  // a multiple of 64; the bytes between sections are zero
  uint64_t size;
};
static_assert(sizeof(FileHeader) == 32 && sizeof(SectionEntry) == 24);

inline constexpr size_t kTableEnd = sizeof(FileHeader) + kSectionCount * sizeof(SectionEntry);

uint32_t table_checksum(std::span<const std::byte> file);  // of a file of at least kTableEnd bytes

}  // namespace ember::bytecode
