#include "ops/base/whole_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "ops/base/interrupt.h"

namespace ember::ops {
namespace {

constexpr size_t kAtOnce = 64 << 20;  // bytes between looks for an interrupt

[[noreturn]] void fail(const std::string& path, int error = errno) {
  throw std::system_error(error, std::generic_category(), path);
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// Where the links end, which may be a name that is not there yet.
std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::string target = path;
  for (int links = 0;; ++links) {
    char buffer[PATH_MAX];
    const ssize_t length = ::readlink(target.c_str(), buffer, sizeof buffer);
    if (length < 0 && errno != EINVAL && errno != ENOENT) fail(path);
    if (length < 0) return target;
    if (links == kMostLinks) fail(path, ELOOP);
    const std::string next(buffer, static_cast<size_t>(length));
    target = next.starts_with('/') ? next : folder_of(target) + next;
  }
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      give_way();
      const ssize_t done = ::write(fd_, bytes.data(), std::min(bytes.size(), kAtOnce));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return false;
      bytes = bytes.subspan(static_cast<size_t>(done));
    }
    return true;
  }
  bool write(std::span<const std::span<const std::byte>> parts) const {
    for (const std::span<const std::byte>& part : parts)
      if (!write(part)) return false;
    return true;
  }

 private:
  int fd_;
};

// Removes a file, unless it is kept.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  ~Unfinished() {
    if (!kept_) ::unlink(path_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void keep() { kept_ = true; }

 private:
  const std::string path_;
  bool kept_ = false;
};

void write_through(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  const Descriptor file(path, O_WRONLY);
  if (file.get() < 0 || !file.write(parts)) fail(path);
}

std::string name_beside(const std::string& target) {
  static std::atomic<unsigned> count{0};
  return folder_of(target) + ".emberjit-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

}  // namespace

void write_whole(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  if (path.empty()) fail(path, ENOENT);
  const std::string target = target_of(path);
  struct stat old;
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail(path);
  if (target.ends_with('/') || (exists && S_ISDIR(old.st_mode))) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_through(target, parts);
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path);
  std::string beside = name_beside(target);
  while (::access(beside.c_str(), F_OK) == 0) beside = name_beside(target);  // of a process that was killed
  const Descriptor file(beside, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (file.get() < 0) fail(path);
  Unfinished unfinished(beside);
  const bool whole = file.write(parts) && (!exists || ::fchmod(file.get(), old.st_mode & 07777) == 0) &&
                     ::fsync(file.get()) == 0 && ::rename(beside.c_str(), target.c_str()) == 0;
  if (!whole) fail(path);
  unfinished.keep();
}

}  // namespace ember::ops
