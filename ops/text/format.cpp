// Two printers. MindSpore's repr has fixed widths for floats, cuts axes of more than six elements (a vector only past a
// thousand) and breaks a vector's lines by count. NumPy's str cuts only tensors of more than a thousand elements,
// chooses one width for all elements shown, and breaks lines at 75 columns. bfloat16 is not NumPy's: its elements are
// written with six decimals, as MindSpore writes them.
#include "ops/text/format.h"

#include <cmath>
#include <cstdio>
#include <vector>

#include "ops/tensor/convert.h"
#include "ops/tensor/strided_iterator.h"
#include "ops/text/number_text.h"

namespace ember::ops {
namespace {

constexpr int64_t kEdge = 3;
constexpr int64_t kSummarised = 1000;  // elements from which a print is cut

template <class... Args>
std::string printed(const char* format, Args... args) {
  char buffer[400];
  int length = std::snprintf(buffer, sizeof buffer, format, args...);
  return {buffer, static_cast<size_t>(length)};
}

std::complex<double> complex_number(const Tensor& t, int64_t offset) {
  return dispatch_any(t.dtype(),
                      [&]<class T>() { return convert_value<std::complex<double>>(t.data_as<T>()[offset]); });
}

double number(const Tensor& t, int64_t offset) {
  return dispatch_any(t.dtype(), [&]<class T>() { return convert_value<double>(t.data_as<T>()[offset]); });
}

// The elements of a dtype of storage as numbers that are computed with.
Tensor widened(const Tensor& t) {
  const Tensor wide = Tensor::empty(compute_dtype(t.dtype()), t.shape());
  StridedDims strided;
  for (size_t d = 0; d < t.rank(); ++d) strided.add(t.shape()[d], t.layout().strides[d]);
  StridedIterator at(strided);
  for (int64_t i = 0; i < t.numel(); ++i, at.advance(1)) {
    dispatch(wide.dtype(), [&]<class T>() { wide.data_as<T>()[i] = convert_value<T>(number(t, at.offset())); });
  }
  return wide;
}

std::string whole(const Tensor& t, int64_t offset) {
  return dispatch_any(t.dtype(), [&]<class T>() {
    if constexpr (std::is_unsigned_v<T>) {
      return std::to_string(static_cast<uint64_t>(t.data_as<T>()[offset]));
    } else {
      return std::to_string(convert_value<int64_t>(t.data_as<T>()[offset]));
    }
  });
}

std::string unsigned_nan(std::string text) {
  size_t at = text.find("-nan");
  return at == std::string::npos ? text : text.replace(at, 1, " ");
}

void pad(std::vector<std::string>& words) {
  size_t width = 0;
  for (const std::string& w : words) width = std::max(width, w.size());
  for (std::string& w : words) w.insert(0, width - w.size(), ' ');
}

// Python's form of a complex number: "(1+2j)", "2j".
std::string complex_text(std::complex<double> value, DType dtype) {
  const auto part = [&](double x) {
    std::string text = scalar_text(x, part_dtype(dtype));
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
  };
  const std::string im = part(value.imag()) + "j";
  if (value.real() == 0 && !std::signbit(value.real())) return im;
  return "(" + part(value.real()) + (im[0] == '-' ? "" : "+") + im + ")";
}

// "+2.5" of "  2.5 ", and "j" before the spaces behind.
std::string imaginary_word(const std::string& text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ') + 1;
  return (text[first] == '-' ? "" : "+") + text.substr(first, last - first) + "j" + text.substr(last);
}

// Walks the axes and returns their text; leaves are words taken in order from a list made on a first walk.
class Printer {
 public:
  explicit Printer(const Tensor& t) : t_(t), shape_(t.shape()), strides_(t.layout().strides) {}
  virtual ~Printer() = default;

 protected:
  virtual bool cut(size_t axis) const = 0;

  // Offsets of the elements shown, in order.
  void offsets(size_t axis, int64_t at, std::vector<int64_t>& out) const {
    if (axis == shape_.size()) {
      out.push_back(at);
      return;
    }
    for (int64_t i = 0; i < shape_[axis]; ++i) {
      if (cut(axis) && i == kEdge) i = shape_[axis] - kEdge;
      offsets(axis + 1, at + i * strides_[axis], out);
    }
  }

  std::string next() { return words_[next_++]; }

  const Tensor& t_;
  const Shape& shape_;
  const Shape& strides_;
  std::vector<std::string> words_;
  size_t next_ = 0;
};

class MindSporePrinter : public Printer {
 public:
  MindSporePrinter(const Tensor& t, DType dtype) : Printer(t), dtype_(dtype) {}

  std::string print() {
    std::string out = "Tensor(shape=[";
    for (size_t i = 0; i < shape_.size(); ++i) out += (i ? ", " : "") + std::to_string(shape_[i]);
    out += "], dtype=" + std::string(name(dtype_)) + ", value=";
    out += shape_.size() > 1 ? "\n" : " ";
    if (t_.numel() == 0) return out + ")";
    if (shape_.empty()) return out + scalar() + ")";
    make_words();
    return out + (shape_.size() == 1 ? vector() : block(0)) + ")";
  }

 private:
  static constexpr int64_t kShown = 2 * kEdge;

  bool cut(size_t axis) const override { return shape_[axis] > (shape_.size() == 1 ? kSummarised : kShown); }

  std::string scalar() const {
    if (t_.dtype() == DType::Bool) return number(t_, 0) != 0 ? "True" : "False";
    if (is_complex(t_.dtype())) return complex_text(complex_number(t_, 0), t_.dtype());
    if (!is_float(t_.dtype())) return whole(t_, 0);
    double value = number(t_, 0);
    return std::isnan(value) ? "nan" : printed("%g", value);
  }

  void make_words() {
    std::vector<int64_t> shown;
    offsets(0, 0, shown);
    DType dtype = t_.dtype();
    for (int64_t at : shown) {
      if (dtype == DType::Bool) {
        words_.push_back(number(t_, at) != 0 ? " True" : "False");
      } else if (is_complex(dtype)) {
        const std::complex<double> z = complex_number(t_, at);
        words_.push_back(unsigned_nan(printed("%15.8e", z.real())) + imaginary_word(printed("%.8e", z.imag())));
      } else if (dtype == DType::BFloat16) {
        words_.push_back(unsigned_nan(printed("%g", number(t_, at))));
      } else if (is_float(dtype)) {
        words_.push_back(unsigned_nan(printed(dtype == DType::Float16 ? "%11.4e" : "%15.8e", number(t_, at))));
      } else {
        words_.push_back(whole(t_, at));
      }
    }
    if (!is_float(dtype) || dtype == DType::BFloat16) pad(words_);
  }

  std::string vector() {
    bool wide =
        t_.dtype() == DType::Bool || is_complex(t_.dtype()) || (is_float(t_.dtype()) && t_.dtype() != DType::BFloat16);
    int64_t line = wide ? 2 * kShown : 4 * kShown;
    if (cut(0)) return row();
    std::string out = "[";
    for (int64_t i = 0; i < shape_[0]; ++i) {
      out += next();
      if (i + 1 < shape_[0]) out += ", ";
      if (shape_[0] > kEdge && (i + 1) % line == 0) out += "\n ";
    }
    return out + "]";
  }

  std::string row() {
    int64_t size = shape_.back();
    bool short_row = cut(shape_.size() - 1);
    std::string out = "[";
    for (int64_t i = 0; i < (short_row ? kShown : size); ++i) {
      if (i != 0) out += short_row && i == kEdge ? " ... " : ", ";
      out += next();
    }
    return out + "]";
  }

  std::string block(size_t axis) {
    if (axis + 1 == shape_.size()) return row();
    std::string indent = "\n" + std::string(axis + 1, ' ');
    std::string out = "[";
    for (int64_t i = 0; i < (cut(axis) ? kShown : shape_[axis]); ++i) {
      if (cut(axis) && i == kEdge) {
        out += "," + indent + "..." + indent;
      } else if (i != 0) {
        out += "," + indent;
      }
      out += block(axis + 1);
    }
    return out + "]";
  }

  DType dtype_;  // that is told
};

class NumpyPrinter : public Printer {
 public:
  explicit NumpyPrinter(const Tensor& t) : Printer(t) {}

  std::string print() {
    if (shape_.empty()) return scalar();
    if (t_.numel() == 0) return "[]";
    make_words();
    return block(0);
  }

 private:
  static constexpr size_t kColumns = 75;

  bool cut(size_t axis) const override { return t_.numel() > kSummarised && shape_[axis] > 2 * kEdge; }

  std::string scalar() const {
    if (t_.dtype() == DType::Bool) return number(t_, 0) != 0 ? "True" : "False";
    if (is_complex(t_.dtype())) return complex_text(complex_number(t_, 0), t_.dtype());
    if (!is_float(t_.dtype())) return whole(t_, 0);
    return t_.dtype() == DType::BFloat16 ? decimals(0) : scalar_text(number(t_, 0), t_.dtype());
  }

  std::string decimals(int64_t at) const {
    double value = number(t_, at);
    return std::isnan(value) ? "nan" : printed("%f", value);
  }

  void make_words() {
    std::vector<int64_t> shown;
    offsets(0, 0, shown);
    DType dtype = t_.dtype();
    if (is_complex(dtype)) return make_complex_words(shown);
    if (is_float(dtype) && dtype != DType::BFloat16) {
      std::vector<double> values;
      for (int64_t at : shown) values.push_back(number(t_, at));
      FloatFormat format(values, dtype);
      for (double v : values) words_.push_back(format.text(v));
      return;
    }
    for (int64_t at : shown) {
      if (dtype == DType::Bool) {
        words_.push_back(number(t_, at) != 0 ? " True" : "False");
      } else {
        words_.push_back(dtype == DType::BFloat16 ? decimals(at) : whole(t_, at));
      }
    }
    if (dtype != DType::BFloat16) pad(words_);
  }

  // The real and the imaginary parts have a format each.
  void make_complex_words(const std::vector<int64_t>& shown) {
    std::vector<double> re, im;
    for (int64_t at : shown) {
      const std::complex<double> z = complex_number(t_, at);
      re.push_back(z.real());
      im.push_back(z.imag());
    }
    const DType part = part_dtype(t_.dtype());
    const FloatFormat of_re(re, part), of_im(im, part);
    std::vector<std::string> imaginary;
    for (double v : im) imaginary.push_back(imaginary_word(of_im.text(v)));
    pad(imaginary);
    for (size_t i = 0; i < shown.size(); ++i) words_.push_back(of_re.text(re[i]) + imaginary[i]);
  }

  std::string row(const std::string& indent) {
    int64_t size = shape_.back();
    bool short_row = cut(shape_.size() - 1);
    size_t width = kColumns - shape_.size();
    std::string out, line = indent;
    auto put = [&](const std::string& word) {
      if (line.size() + word.size() > width && line.size() > indent.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
        line = indent;
      }
      line += word;
    };
    for (int64_t i = 0; i < (short_row ? 2 * kEdge : size); ++i) {
      if (short_row && i == kEdge) {
        put("...");
        line += " ";
      }
      put(next());
      if (i + 1 < (short_row ? 2 * kEdge : size)) line += " ";
    }
    return "[" + (out + line).substr(indent.size()) + "]";
  }

  std::string block(size_t axis) {
    std::string indent(axis + 1, ' ');
    if (axis + 1 == shape_.size()) return row(indent);
    std::string gap(shape_.size() - axis - 1, '\n');
    std::string out = "[";
    for (int64_t i = 0; i < (cut(axis) ? 2 * kEdge : shape_[axis]); ++i) {
      if (i != 0) out += gap + indent;
      if (cut(axis) && i == kEdge) out += "..." + gap + indent;
      out += block(axis + 1);
    }
    return out + "]";
  }
};

}  // namespace

std::string format(const Tensor& tensor, bool repr) {
  const Tensor t = is_storage(tensor.dtype()) ? widened(tensor) : tensor;
  return repr ? MindSporePrinter(t, tensor.dtype()).print() : NumpyPrinter(t).print();
}

}  // namespace ember::ops
