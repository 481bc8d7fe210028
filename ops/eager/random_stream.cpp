#include "ops/eager/random_stream.h"

#include <random>
#include <utility>

namespace ember::ops {
namespace {

thread_local KeyReplay* replay = nullptr;
thread_local RandomStream* stream = nullptr;

int64_t take() { return (stream ? *stream : process_stream()).take(); }

}  // namespace

RandomStream& process_stream() {
  static RandomStream process(uint64_t{std::random_device()()} << 32);
  return process;
}

int64_t next_random_key() { return replay ? replay->next() : take(); }

StreamScope::StreamScope(RandomStream& wanted) : outer_(std::exchange(stream, &wanted)) {}
StreamScope::~StreamScope() { stream = outer_; }

KeyReplay::KeyReplay(std::vector<int64_t> keys) : outer_(std::exchange(replay, this)), keys_(std::move(keys)) {}
KeyReplay::~KeyReplay() { replay = outer_; }

int64_t KeyReplay::next() {
  if (at_ == keys_.size()) keys_.push_back(outer_ ? outer_->next() : take());
  return keys_[at_++];
}

}  // namespace ember::ops
