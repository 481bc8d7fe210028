#include "python/src/conversion/document.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "python/src/conversion/bridge.h"
#include "python/src/conversion/object.h"

namespace py = pybind11;

namespace ember::python {
namespace {

// Numbers are base 128, the least digit first, with a bit on all but the last.
enum class Tag : uint8_t { None, False, True, Int, NegativeInt, LongInt, Text, KnownText, List, Dict };

class Encoder {
 public:
  void put(PyObject* value) {
    if (value == Py_None) return tag(Tag::None);
    if (PyBool_Check(value)) return tag(value == Py_True ? Tag::True : Tag::False);
    if (PyLong_CheckExact(value)) return integer(value);
    if (PyUnicode_CheckExact(value)) return text(value);
    const Recursion level(" while a document is written");
    if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) return sequence(value);
    if (!PyDict_CheckExact(value))
      raise(PyExc_TypeError, std::string("no part of a document is a ") + Py_TYPE(value)->tp_name);
    tag(Tag::Dict);
    number(static_cast<uint64_t>(PyDict_GET_SIZE(value)));
    PyObject *key, *item;
    for (Py_ssize_t at = 0; PyDict_Next(value, &at, &key, &item);) {
      if (!PyUnicode_CheckExact(key)) raise(PyExc_TypeError, "a document's keys are text");
      text(key);
      put(item);
    }
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void tag(Tag t) { bytes_ += static_cast<char>(t); }
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void raw(std::string_view data) {
    number(data.size());
    bytes_ += data;
  }
  void integer(PyObject* value) {
    int overflow = 0;
    const int64_t n = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0) {
      tag(n < 0 ? Tag::NegativeInt : Tag::Int);
      return number(n < 0 ? ~static_cast<uint64_t>(n) : static_cast<uint64_t>(n));
    }
    const Object hexadecimal = check(PyNumber_ToBase(value, 16));
    tag(Tag::LongInt);
    raw(ember::python::text(hexadecimal.get()));
  }
  void text(PyObject* value) {
    const Object utf8 = check(PyUnicode_AsEncodedString(value, "utf-8", "surrogatepass"));
    std::string content(PyBytes_AS_STRING(utf8.get()), static_cast<size_t>(PyBytes_GET_SIZE(utf8.get())));
    const auto [known, added] = texts_.try_emplace(std::move(content), texts_.size());
    tag(added ? Tag::Text : Tag::KnownText);
    if (added)
      raw(known->first);
    else
      number(known->second);
  }
  void sequence(PyObject* value) {
    const bool list = PyList_CheckExact(value);
    tag(Tag::List);
    number(static_cast<uint64_t>(list ? PyList_GET_SIZE(value) : PyTuple_GET_SIZE(value)));
    for (Py_ssize_t i = 0; i < (list ? PyList_GET_SIZE(value) : PyTuple_GET_SIZE(value)); ++i)
      put(list ? PyList_GET_ITEM(value, i) : PyTuple_GET_ITEM(value, i));
  }

  std::string bytes_;
  std::unordered_map<std::string, size_t> texts_;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  Object take() {
    switch (static_cast<Tag>(byte())) {
      case Tag::None:
        return Object::borrow(Py_None);
      case Tag::False:
        return Object::borrow(Py_False);
      case Tag::True:
        return Object::borrow(Py_True);
      case Tag::Int:
        return check(PyLong_FromUnsignedLongLong(number()));
      case Tag::NegativeInt:
        return check(PyLong_FromLongLong(static_cast<int64_t>(~(number() & INT64_MAX))));
      case Tag::LongInt:
        return check(PyLong_FromString(std::string(raw()).c_str(), nullptr, 16));
      case Tag::Text:
        return new_text();
      case Tag::KnownText:
        return known_text();
      case Tag::List:
        return list();
      case Tag::Dict:
        return dict();
    }
    fail();
  }
  void end() const {
    if (!rest_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { raise(PyExc_ValueError, "it is no document"); }
  uint8_t byte() {
    if (rest_.empty()) fail();
    const auto value = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return value;
  }
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t digit = byte();
      value |= static_cast<uint64_t>(digit & 0x7f) << shift;
      if (digit < 0x80) return value;
    }
    fail();
  }
  // Each item takes a byte at least.
  Py_ssize_t count() {
    const uint64_t n = number();
    if (n > rest_.size()) fail();
    return static_cast<Py_ssize_t>(n);
  }
  std::string_view raw() {
    const auto size = static_cast<size_t>(count());
    const std::string_view data = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return data;
  }
  Object new_text() {
    const std::string_view data = raw();
    texts_.push_back(check(PyUnicode_DecodeUTF8(data.data(), static_cast<Py_ssize_t>(data.size()), "surrogatepass")));
    return texts_.back();
  }
  Object known_text() {
    const uint64_t n = number();
    if (n >= texts_.size()) fail();
    return texts_[n];
  }
  Object list() {
    const Recursion level(" while a document is read");
    return make_sequence(true, count(), [&](Py_ssize_t) { return take(); });
  }
  Object dict() {
    const Recursion level(" while a document is read");
    Object dict = check(PyDict_New());
    for (Py_ssize_t left = count(); left > 0; --left) {
      const Object key = take(), item = take();
      if (!PyUnicode_CheckExact(key.get())) fail();
      check(PyDict_SetItem(dict.get(), key.get(), item.get()));
    }
    return dict;
  }

  std::string_view rest_;
  std::vector<Object> texts_;
};

py::bytes document_bytes(py::object value) {
  return bridged([&] {
    Encoder encoder;
    encoder.put(value.ptr());
    return py::bytes(encoder.bytes());
  });
}

py::object document_from(py::bytes bytes) {
  return bridged([&] {
    Decoder decoder{std::string_view(bytes)};
    Object value = decoder.take();
    decoder.end();
    return py::reinterpret_steal<py::object>(value.release());
  });
}

}  // namespace

void bind_documents(py::module_& m) {
  m.def("document_bytes", &document_bytes);
  m.def("document_from", &document_from);
}

}  // namespace ember::python
