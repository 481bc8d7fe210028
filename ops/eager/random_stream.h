// Streams of keys of random ops. A key is an Int, seed << 32 | counter (ops/simd/philox.h); a random op takes one of
// the stream that its thread draws from, the process's unless a scope names another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ember::ops {

class RandomStream {
 public:
  explicit RandomStream(uint64_t next) : next_(next) {}
  void seed(uint32_t seed) { next_.store(uint64_t{seed} << 32); }
  int64_t take() { return static_cast<int64_t>(next_.fetch_add(1)); }
  uint64_t state() const { return next_.load(); }
  void restore(uint64_t state) { next_.store(state); }

 private:
  std::atomic<uint64_t> next_;
};

RandomStream& process_stream();
int64_t next_random_key();

// While one lives, this thread draws from another stream. They nest.
class StreamScope {
 public:
  explicit StreamScope(RandomStream& stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  RandomStream* const outer_;
};

// While one lives, the keys that this thread draws are noted; after rewind() the same come again, in order. They nest.
// One made with keys starts with those.
class KeyReplay {
 public:
  explicit KeyReplay(std::vector<int64_t> keys = {});
  ~KeyReplay();
  KeyReplay(const KeyReplay&) = delete;
  KeyReplay& operator=(const KeyReplay&) = delete;
  void rewind() { at_ = 0; }
  int64_t next();
  const std::vector<int64_t>& keys() const { return keys_; }

 private:
  KeyReplay* const outer_;
  std::vector<int64_t> keys_;
  size_t at_ = 0;
};

}  // namespace ember::ops
