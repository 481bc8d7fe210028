// CRC-32C (Castagnoli), as TFRecord files and iSCSI have it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ember::ops {

uint32_t crc32c(std::span<const std::byte> data);

}  // namespace ember::ops
