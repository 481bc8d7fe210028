// The header is a Python literal; only the form that NumPy writes is taken: three keys in any order.
#include "tiers/vmtool/npy.h"
#include "ops/program/strided.h"
#include "tiers/vmtool/read_file.h"

#include <cctype>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

namespace ember::vmtool {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran;
  std::optional<ops::Shape> shape;
};

class HeaderParser {
 public:
  HeaderParser(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  Header run() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !header.descr)
        header.descr = quoted();
      else if (key == "fortran_order" && !header.fortran)
        header.fortran = flag();
      else if (key == "shape" && !header.shape)
        header.shape = shape();
      else
        fail();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (!text_.empty() || !header.descr || !header.fortran || !header.shape) fail();
    return header;
  }

 private:
  [[noreturn]] void fail() const { throw NpyError(path_ + ": the header is malformed"); }
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front()))) text_.remove_prefix(1);
  }
  bool accept(char c) {
    skip();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string quoted() {
    skip();
    const char quote = text_.empty() ? '\0' : text_.front();
    const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) fail();
    std::string out(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return out;
  }
  bool flag() {
    skip();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    fail();
  }
  int64_t size() {
    skip();
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[digits])); ++digits) {
      value = value * 10 + (text_[digits] - '0');
      if (value > int64_t{1} << 48) throw NpyError(path_ + ": an array of impossible size");
    }
    if (digits == 0) fail();
    text_.remove_prefix(digits);
    return value;
  }
  ops::Shape shape() {
    ops::Shape shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == ops::kMaxRank) throw NpyError(path_ + ": more than 8 dimensions");
      shape.push_back(size());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return shape;
  }

  const std::string& path_;
  std::string_view text_;
};

ops::DType dtype_of(const std::string& path, const std::string& descr) {
  for (size_t d = 0; d < ops::kDTypes; ++d) {
    const auto dtype = static_cast<ops::DType>(d);
    if (numpy_name(dtype) == descr) return dtype;
  }
  throw NpyError(path + ": elements of type '" + descr.substr(0, 100) + "' are not supported");
}

// Splits the file into header text and data.
std::string_view header_text(const std::string& path, std::string_view file, std::string_view* data) {
  if (file.substr(0, kMagic.size()) != kMagic) throw NpyError(path + ": this is no .npy file");
  const size_t version = file.size() > 6 ? static_cast<uint8_t>(file[6]) : 0;
  const size_t field = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) throw NpyError(path + ": .npy version " + std::to_string(version) + " is not known");
  if (file.size() < 8 + field) throw NpyError(path + ": ends too early");
  uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, field);
  if (length > file.size() - 8 - field) throw NpyError(path + ": ends too early");
  *data = file.substr(8 + field + length);
  return file.substr(8 + field, length);
}

ops::LayoutRef layout_of(const std::string& path, ops::DType dtype, const ops::Shape& shape, bool fortran) {
  try {
    if (!fortran) return ops::layout(dtype, shape);
    ops::Shape strides(shape.size(), 1);
    for (size_t i = 1; i < shape.size(); ++i) strides[i] = strides[i - 1] * shape[i - 1];
    ops::layout(dtype, shape);
    return ops::layout(dtype, shape, strides);
  } catch (const std::invalid_argument& e) {
    throw NpyError(path + ": " + e.what());
  }
}

}  // namespace

ops::Tensor read_npy(const std::string& path) {
  std::string why;
  const std::optional<std::string> content = read_file(path, &why);
  if (!content) throw NpyError(path + ": " + why);
  const std::string& file = *content;
  std::string_view data;
  const Header header = HeaderParser(path, header_text(path, file, &data)).run();
  const ops::DType dtype = dtype_of(path, *header.descr);
  const ops::LayoutRef layout = layout_of(path, dtype, *header.shape, *header.fortran);
  if (data.size() != layout->bytes()) {
    throw NpyError(path + ": shape " + to_string(*header.shape) + " needs " + std::to_string(layout->bytes()) +
                   " bytes of data, and there are " + std::to_string(data.size()));
  }
  if (dtype == ops::DType::Bool && data.find_first_not_of(std::string_view("\0\1", 2)) != std::string_view::npos)
    throw NpyError(path + ": a bool that is neither true nor false");
  gc::Ref<gc::Storage> storage = gc::allocate(layout->bytes());
  if (!data.empty()) std::memcpy(storage->data(), data.data(), data.size());
  return ops::Tensor(std::move(storage), layout);
}

void write_npy(const ops::Tensor& tensor, const std::string& path) {
  const ops::Tensor dense = to_contiguous(tensor);
  std::string header = "{'descr': '" + std::string(numpy_name(dense.dtype())) +
                       "', 'fortran_order': False, 'shape': " + to_string(dense.shape()) + ", }";
  const size_t unpadded = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());
  std::ofstream out(path, std::ios::binary);
  out << kMagic << '\1' << '\0' << static_cast<char>(length & 0xFF) << static_cast<char>(length >> 8) << header;
  out.write(static_cast<const char*>(dense.data()), static_cast<std::streamsize>(dense.layout().bytes()));
  out.close();
  if (!out) throw NpyError(path + ": can't be written");
}

}  // namespace ember::vmtool
