// A strided tensor: storage, layout and an offset. It is a value; copies share the storage. Always real memory (a value
// still to be computed is vm::Value's business).
#pragma once

#include "gc/storage.h"
#include "ops/tensor/layout.h"

namespace ember::ops {

class Tensor {
 public:
  Tensor() = default;
  Tensor(gc::Ref<gc::Storage> storage, LayoutRef layout, int64_t offset_bytes = 0)
      : storage_(std::move(storage)), layout_(std::move(layout)), offset_(offset_bytes) {}

  static Tensor empty(DType dtype, const Shape& shape);
  static Tensor empty(const LayoutRef& contiguous_layout);
  static Tensor full(DType dtype, const Shape& shape, double value);
  template <class T>
  static Tensor scalar(T value) {
    Tensor t = empty(dtype_of<T>, {});
    *static_cast<T*>(t.data()) = value;
    return t;
  }

  bool defined() const { return static_cast<bool>(layout_); }
  void* data() const { return static_cast<std::byte*>(storage_->data()) + offset_; }
  template <class T>
  T* data_as() const {
    return static_cast<T*>(data());
  }
  const Layout& layout() const { return *layout_; }
  const LayoutRef& layout_ref() const { return layout_; }
  const gc::Ref<gc::Storage>& storage() const { return storage_; }
  int64_t offset() const { return offset_; }
  DType dtype() const { return layout_->dtype; }
  const Shape& shape() const { return layout_->shape; }
  size_t rank() const { return layout_->rank(); }
  int64_t numel() const { return layout_->numel; }
  bool contiguous() const { return layout_->contiguous; }

  Tensor view(LayoutRef layout, int64_t offset_bytes_from_here = 0) const {
    return Tensor(storage_, std::move(layout), offset_ + offset_bytes_from_here);
  }

 private:
  gc::Ref<gc::Storage> storage_;
  LayoutRef layout_;
  int64_t offset_ = 0;
};

}  // namespace ember::ops
