// ops/kernels/pixels.h over arrays of bytes of axes H, W, C in any memory, written to contiguous ones, without the GIL;
// and the memory of Pillow's images, which these give as Arrow's C data interface.
#include "python/src/conversion/pixels.h"

#include "ops/kernels/pixels.h"
#include "python/src/conversion/object.h"

namespace py = pybind11;

namespace ember::python {
namespace {

// Of https://arrow.apache.org/docs/format/CDataInterface.html.
struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

// The bytes of an array of bytes, or of lists of as many bytes each.
struct ArrowBytes {
  py::capsule owner;
  const ArrowArray* bytes;

  explicit ArrowBytes(py::capsule capsule) : owner(std::move(capsule)), bytes(nullptr) {
    if (!owner.name() || std::string_view(owner.name()) != "arrow_array")
      throw py::value_error("there must be a capsule of an ArrowArray");
    bytes = owner.get_pointer<ArrowArray>();
    if (bytes->n_children == 1) bytes = bytes->children[0];
    if (bytes->n_buffers != 2 || bytes->n_children != 0 || bytes->offset != 0)
      throw py::value_error("the ArrowArray must be of bytes");
  }
};

ops::Pixels pixels_of(const py::buffer_info& image) {
  if (image.ndim != 3 || image.itemsize != 1 || image.size == 0 || (image.shape[2] > 1 && image.strides[2] != 1))
    throw py::value_error("an image must be of bytes, of axes H, W, C, of adjacent channels");
  return {static_cast<const uint8_t*>(image.ptr),
          image.shape[0],
          image.shape[1],
          image.shape[2],
          image.strides[0],
          image.strides[1]};
}

template <class T>
T* contiguous(const py::buffer_info& array, int64_t count) {
  int64_t stride = sizeof(T);
  for (auto d = static_cast<size_t>(array.ndim); d-- > 0; stride *= array.shape[d])
    if (array.shape[d] > 1 && array.strides[d] != stride) throw py::value_error("the array must be contiguous");
  if (array.itemsize != sizeof(T) || array.size != count) throw py::value_error("the array is of another size");
  return static_cast<T*>(array.ptr);
}

void copy(const py::buffer& image, const py::buffer& out) {
  const py::buffer_info from = image.request(), to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  auto* bytes = contiguous<uint8_t>(to, from.size);
  const WithoutGil released;
  ops::copy_pixels(pixels, bytes);
}

void resize(const py::buffer& image, int64_t rows, int64_t columns, bool by_area, const py::buffer& out) {
  const py::buffer_info from = image.request(), to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  int64_t pixels_out = 0, size = 0;
  if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &pixels_out) ||
      __builtin_mul_overflow(pixels_out, pixels.channels, &size))
    throw py::value_error("sizes are not negative, and their product is one of 64 bits");
  auto* bytes = contiguous<uint8_t>(to, size);
  const WithoutGil released;
  ops::resize_pixels(pixels, rows, columns, by_area, bytes);
}

void look_up(const py::buffer& image, const py::buffer& tables, bool planes, const py::buffer& out) {
  const py::buffer_info from = image.request(), table = tables.request(), to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  const auto* values = contiguous<float>(table, 256 * pixels.channels);
  auto* floats = contiguous<float>(to, from.size);
  const WithoutGil released;
  ops::look_up_pixels(pixels, values, planes, floats);
}

void remap(const py::buffer& image, const py::buffer& x, const py::buffer& y, const py::object& weights, int64_t taps,
           const py::buffer& fill, const py::buffer& out) {
  const py::buffer_info from = image.request(), across = x.request(), down = y.request(), value = fill.request();
  const py::buffer_info to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  if (taps != 1 && taps != 2 && taps != 4) throw py::value_error("a pixel is of 1, 2 or 4 in each direction");
  const py::buffer_info table = taps == 1 ? py::buffer_info() : weights.cast<py::buffer>().request();
  const ops::Places places{across.size,
                           contiguous<int64_t>(across, across.size),
                           contiguous<int64_t>(down, across.size),
                           taps,
                           taps == 1 ? nullptr : contiguous<int32_t>(table, 32 * 32 * taps * taps),
                           contiguous<uint8_t>(value, pixels.channels)};
  auto* bytes = contiguous<uint8_t>(to, places.count * pixels.channels);
  const WithoutGil released;
  ops::remap_pixels(pixels, places, bytes);
}

void smooth(const py::buffer& image, const py::buffer& across, const py::buffer& down, const py::buffer& out) {
  const py::buffer_info from = image.request(), first = across.request(), second = down.request();
  const py::buffer_info to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  const auto weights = [](const py::buffer_info& info) {
    return std::span(contiguous<int32_t>(info, info.size), static_cast<size_t>(info.size));
  };
  const ops::Smoothing smoothing{weights(first), weights(second)};
  auto* bytes = contiguous<uint8_t>(to, from.size);
  const WithoutGil released;
  ops::smooth_pixels(pixels, smoothing, bytes);
}

void turn_hues(const py::buffer& image, int64_t turn, const py::buffer& out) {
  const py::buffer_info from = image.request(), to = out.request(true);
  const ops::Pixels pixels = pixels_of(from);
  if (pixels.channels != 3) throw py::value_error("an image of hues must be of three channels");
  auto* bytes = contiguous<uint8_t>(to, from.size);
  const WithoutGil released;
  ops::turn_hues(pixels, turn, bytes);
}

}  // namespace

void bind_pixels(py::module_& m) {
  py::class_<ArrowBytes>(m, "ArrowBytes", py::buffer_protocol())
      .def(py::init<py::capsule>())
      .def_buffer([](const ArrowBytes& array) {
        return py::buffer_info(static_cast<const uint8_t*>(array.bytes->buffers[1]), array.bytes->length, true);
      });
  m.def("copy_pixels", &copy);
  m.def("resize_pixels", &resize);
  m.def("look_up_pixels", &look_up);
  m.def("remap_pixels", &remap);
  m.def("smooth_pixels", &smooth);
  m.def("turn_hues", &turn_hues);
}

}  // namespace ember::python
