// What a Python Tensor holds: a real tensor, or one that is still pending. Pending values are made by captures (a value
// of the graph under construction) and stand for Tensors of unknown shape; whoever needs the elements calls force().
#pragma once

#include "ops/tensor/tensor.h"
#include "ops/tensor/type.h"

namespace ember::vm {

class Pending : public gc::Counted {
 public:
  virtual ops::Type type() const = 0;
  virtual ops::Tensor force(const char* wanted) = 0;  // throws where the value can't be had; `wanted`: what asks for it
};

class Value {
 public:
  Value() = default;
  Value(ops::Tensor tensor) : tensor_(std::move(tensor)) {}  // NOLINT
  explicit Value(gc::Ref<Pending> pending) : pending_(std::move(pending)) {}

  bool pending() const { return static_cast<bool>(pending_); }
  Pending* pending_value() const { return pending_.get(); }
  const ops::Tensor& tensor(const char* wanted) {
    if (pending_) {
      tensor_ = pending_->force(wanted);
      pending_ = nullptr;
    }
    return tensor_;
  }
  const ops::Tensor& tensor_now() const { return tensor_; }  // only if !pending()

 private:
  ops::Tensor tensor_;
  gc::Ref<Pending> pending_;
};

}  // namespace ember::vm
