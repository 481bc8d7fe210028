// A cursor over the header takes one token after the other and fails at the first that doesn't fit; nothing recurses.
// The checks that need all entries, unique names and offsets that cover the data, come last.
#include "ops/text/safetensors.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "ops/base/error.h"

namespace ember::ops {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeader = 100'000'000;

struct Code {
  std::string_view text;
  DType dtype;
};
constexpr Code kCodes[] = {{"BOOL", DType::Bool},          {"I8", DType::Int8},
                           {"I16", DType::Int16},          {"I32", DType::Int32},
                           {"I64", DType::Int64},          {"U8", DType::UInt8},
                           {"U16", DType::UInt16},         {"U32", DType::UInt32},
                           {"U64", DType::UInt64},         {"F16", DType::Float16},
                           {"BF16", DType::BFloat16},      {"F32", DType::Float32},
                           {"F64", DType::Float64},        {"C64", DType::Complex64},
                           {"C128", DType::Complex128},    {"F8_E4M3", DType::Float8E4M3FN},
                           {"F8_E5M2", DType::Float8E5M2}, {"I4", DType::Int4}};

[[noreturn]] void not_json() { value_error("its header is not JSON"); }

// The length in bytes of the UTF-8 sequence at the start of `text`, which is not empty; 0 if there is none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF)
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  return 0;
}

void append_utf8(uint32_t point, std::string* out) {
  const auto put = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | point >> 6);
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | point >> 18);
    put(0x80 | (point >> 12 & 0x3F));
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_space();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) not_json();
  }
  char peek() {
    skip_space();
    return text_.empty() ? '\0' : text_.front();
  }
  bool at_end() {
    skip_space();
    return text_.empty();
  }

  std::string string() {
    expect('"');
    std::string out;
    while (true) {
      if (text_.empty()) not_json();
      const unsigned char c = static_cast<unsigned char>(text_.front());
      if (c == '"') break;
      if (c < 0x20) not_json();
      if (c == '\\') {
        escape(&out);
        continue;
      }
      const size_t length = utf8_length(text_);
      if (length == 0) not_json();
      out += text_.substr(0, length);
      text_.remove_prefix(length);
    }
    text_.remove_prefix(1);
    return out;
  }

  // Digits without sign, point or leading zero. False, at an unknown place, for anything else.
  bool natural(uint64_t* out) {
    skip_space();
    size_t digits = 0;
    uint64_t value = 0;
    while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') {
      const uint64_t digit = static_cast<uint64_t>(text_[digits++] - '0');
      if (__builtin_mul_overflow(value, uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value))
        return false;
    }
    if (digits == 0 || (digits > 1 && text_[0] == '0')) return false;
    text_.remove_prefix(digits);
    *out = value;
    return true;
  }

 private:
  void skip_space() {
    while (!text_.empty() && std::string_view(" \t\n\r").find(text_.front()) != std::string_view::npos)
      text_.remove_prefix(1);
  }

  void escape(std::string* out) {
    if (text_.size() < 2) not_json();
    const char c = text_[1];
    text_.remove_prefix(2);
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const size_t at = kEscapes.find(c); at != std::string_view::npos) {
      out->push_back(kMeanings[at]);
      return;
    }
    if (c != 'u') not_json();
    uint32_t point = hex();
    if (point >= 0xDC00 && point < 0xE000) not_json();
    if (point >= 0xD800 && point < 0xDC00) {
      if (!text_.starts_with("\\u")) not_json();
      text_.remove_prefix(2);
      const uint32_t low = hex();
      if (low < 0xDC00 || low >= 0xE000) not_json();
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(point, out);
  }

  uint32_t hex() {
    if (text_.size() < 4) not_json();
    uint32_t value = 0;
    for (char c : text_.substr(0, 4)) {
      const size_t digit =
          std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (digit == std::string_view::npos) not_json();
      value = value << 4 | static_cast<uint32_t>(digit);
    }
    text_.remove_prefix(4);
    return value;
  }

  std::string_view text_;
};

// Calls member(key) at the value of every member of an object.
template <class F>
void object(Cursor& json, F&& member) {
  json.expect('{');
  if (json.take('}')) return;
  do {
    const std::string key = json.string();
    json.expect(':');
    member(key);
  } while (json.take(','));
  json.expect('}');
}

// The numbers of a list; false, at an unknown place, if it is something else or longer than `most`.
bool naturals(Cursor& json, size_t most, InlineVector<uint64_t, kMaxRank>* out) {
  if (!json.take('[')) return false;
  if (json.take(']')) return true;
  do {
    uint64_t value;
    if (out->size() == most || !json.natural(&value)) return false;
    out->push_back(value);
  } while (json.take(','));
  return json.take(']');
}

std::string_view code_of(DType dtype) {
  for (const Code& code : kCodes)
    if (code.dtype == dtype) return code.text;
  value_error("safetensors files have no such dtype");
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte >= 0x20)
      out += c;
    else
      out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
  }
  return out + '"';
}

DType dtype_named(const std::string& text, const std::string& name) {
  for (const Code& code : kCodes) {
    if (code.text == text) return code.dtype;
  }
  value_error("'" + name + "' has the unknown dtype '" + text + "'");
}

Shape shape_of(Cursor& json, const std::string& name) {
  InlineVector<uint64_t, kMaxRank> sizes;
  Shape shape;
  bool usable = naturals(json, kMaxRank, &sizes);
  for (uint64_t size : sizes) {
    usable &= size <= static_cast<uint64_t>(INT64_MAX);
    shape.push_back(static_cast<int64_t>(size));
  }
  if (!usable) value_error("'" + name + "' has an unusable shape");
  return shape;
}

[[noreturn]] void does_not_fit(const std::string& name) {
  value_error("the data of '" + name + "' does not fit its shape, or lies outside the file");
}

StoredTensor entry_of(Cursor& json, const std::string& name, size_t data_bytes) {
  StoredTensor entry;
  entry.name = name;
  unsigned seen = 0;
  const auto once = [&](unsigned bit) {
    if (seen & bit) value_error("the entry of '" + name + "' says the same thing twice");
    seen |= bit;
  };
  if (json.peek() != '{') value_error("the entry of '" + name + "' lacks dtype, shape or data_offsets");
  object(json, [&](const std::string& key) {
    if (key == "dtype") {
      once(1);
      if (json.peek() != '"') value_error("'" + name + "' has an unknown dtype");
      entry.dtype = dtype_named(json.string(), name);
    } else if (key == "shape") {
      once(2);
      entry.shape = shape_of(json, name);
    } else if (key == "data_offsets") {
      once(4);
      InlineVector<uint64_t, kMaxRank> offsets;
      if (!naturals(json, 2, &offsets) || offsets.size() != 2) value_error("'" + name + "' has unusable data_offsets");
      entry.begin = offsets[0];
      entry.end = offsets[1];
    } else {
      value_error("the entry of '" + name + "' has the unknown member '" + key + "'");
    }
  });
  if (seen != 7) value_error("the entry of '" + name + "' lacks dtype, shape or data_offsets");
  if (entry.begin > entry.end || entry.end > data_bytes) does_not_fit(name);
  return entry;
}

void check_size(const StoredTensor& entry) {
  uint64_t bytes = itemsize(entry.dtype);
  bool empty = false;
  bool overflow = false;
  for (int64_t size : entry.shape) {
    empty |= size == 0;
    overflow |= size != 0 && __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
  }
  constexpr uint64_t kMaxBytes = uint64_t{1} << 48;
  if (overflow || bytes > kMaxBytes) value_error("'" + entry.name + "' has an unusable shape");
  if ((empty ? 0 : bytes) != entry.end - entry.begin) does_not_fit(entry.name);
}

void check_metadata(Cursor& json) {
  if (json.peek() != '{') value_error("its __metadata__ is no object");
  object(json, [&](const std::string& key) {
    if (json.peek() != '"') value_error("'" + key + "' of its __metadata__ is no string");
    json.string();
  });
}

void check_cover(const std::vector<StoredTensor>& entries, size_t data_bytes) {
  std::vector<const StoredTensor*> sorted;
  for (const StoredTensor& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const StoredTensor* a, const StoredTensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  size_t at = 0;
  for (const StoredTensor* entry : sorted) {
    if (entry->begin != at) value_error("the data of '" + entry->name + "' leaves a gap or overlaps another's");
    at = entry->end;
  }
  if (at != data_bytes) value_error("its data is longer than its tensors");
}

}  // namespace

std::vector<StoredTensor> read_safetensors(std::span<const std::byte> file) {
  return read_safetensors(file, file.size());
}

std::vector<StoredTensor> read_safetensors(std::span<const std::byte> head, size_t size) {
  if (std::min(size, head.size()) < kLengthBytes) value_error("it is shorter than its length field");
  uint64_t length;
  std::memcpy(&length, head.data(), kLengthBytes);
  if (length > kMaxHeader || length > std::min(size, head.size()) - kLengthBytes)
    value_error("its header is longer than the file");
  const size_t data_at = kLengthBytes + length;
  const size_t data_bytes = size - data_at;
  Cursor json({reinterpret_cast<const char*>(head.data()) + kLengthBytes, length});
  if (length == 0 || head[kLengthBytes] != std::byte{'{'}) value_error("its header is no object");
  std::vector<StoredTensor> entries;
  std::unordered_set<std::string> names;
  object(json, [&](const std::string& name) {
    if (!names.insert(name).second) value_error("'" + name + "' occurs twice");
    if (name == "__metadata__") return check_metadata(json);
    entries.push_back(entry_of(json, name, data_bytes));
    check_size(entries.back());
  });
  if (!json.at_end()) not_json();
  check_cover(entries, data_bytes);
  for (StoredTensor& entry : entries) {
    entry.begin += data_at;
    entry.end += data_at;
  }
  return entries;
}

std::string safetensors_head(std::span<const StoredTensor> entries) {
  std::string json = "{";
  uint64_t begin = 0;
  for (const StoredTensor& entry : entries) {
    uint64_t elements = 1;
    std::string shape;
    for (const int64_t size : entry.shape) {
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
      elements *= static_cast<uint64_t>(size);
    }
    const uint64_t end = begin + elements * itemsize(entry.dtype);
    json += (json.size() == 1 ? "" : ",") + quoted(entry.name) + ":{\"dtype\":\"" + std::string(code_of(entry.dtype)) +
            "\",\"shape\":[" + shape + "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(end) +
            "]}";
    begin = end;
  }
  json += '}';
  json.resize((json.size() + 7) / 8 * 8, ' ');
  const uint64_t length = json.size();
  std::string head(kLengthBytes, '\0');
  std::memcpy(head.data(), &length, kLengthBytes);
  return head + json;
}

}  // namespace ember::ops
