// Checkpoints in the safetensors format: eight bytes with the header's length, the header (JSON), and the bytes
// of the tensors. Nothing in a file is trusted. The header is the subset of JSON that the format needs: one object of
// entries with exactly dtype, shape and data_offsets, besides `__metadata__`, an object of strings. Names are unique
// UTF-8, numbers are plain digits, and the offsets cover the data once, without gaps, overlaps or a rest.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ops/tensor/layout.h"

namespace ember::ops {

struct StoredTensor {
  std::string name;
  DType dtype = DType::Float32;
  Shape shape;
  size_t begin = 0, end = 0;  // of its bytes in the file
};

// The entries in the header's order. Throws OpError (Value) whose message completes "the file is not valid: ".
std::vector<StoredTensor> read_safetensors(std::span<const std::byte> file);
// The same of a file of `size` bytes, from those up to its header's end, or more.
std::vector<StoredTensor> read_safetensors(std::span<const std::byte> head, size_t size);

// What stands before the bytes of tensors, one behind the other, in the order of the entries, of which name, dtype and
// shape are read.
std::string safetensors_head(std::span<const StoredTensor> entries);

}  // namespace ember::ops
