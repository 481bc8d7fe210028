// Files that are written whole or not at all: beside the target, and renamed, so that a reader sees the old or the new.
// What a link points at is replaced, not the link; an existing file keeps its mode; devices and pipes are written to.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <system_error>

namespace ember::ops {

// Throws std::system_error with the system's error number. Gives way (interrupt.h).
void write_whole(const std::string& path, std::span<const std::span<const std::byte>> parts);

}  // namespace ember::ops
