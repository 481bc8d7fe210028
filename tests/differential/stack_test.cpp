// What ops take of the stack: a call may nest as long as kStackRoom is left, so no kernel may need more. Each op runs
// on a stack of zeros, in which the lowest byte that is none tells how deep it went.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <functional>

#include "tests/ops/samples.h"
#include "vm/exec/depth.h"

namespace ember::ops::testing {
namespace {

constexpr size_t kBytes = size_t{512} << 10;

void* run_given(void* f) {
  (*static_cast<const std::function<void()>*>(f))();
  return nullptr;
}

size_t stack_taken(std::function<void()> f) {
  void* const stack = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kBytes);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, &attributes, run_given, &f), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  const auto* words = static_cast<const uint64_t*>(stack);
  size_t untouched = 0;
  while (untouched < kBytes / sizeof *words && words[untouched] == 0) ++untouched;
  munmap(stack, kBytes);
  return kBytes - untouched * sizeof *words;
}

// Beyond what a thread takes by itself.
size_t taken_by(const Call& call) {
  static const size_t thread = stack_taken([] {});
  return stack_taken([&] {
           try {
             call.run();
           } catch (const OpError&) {  // as without LAPACK
           }
         }) -
         thread;
}

// The buffers of long rows, columns and lines, and of blocks of products and convolutions.
std::vector<std::pair<const char*, Sample>> large_calls(DType dtype) {
  const auto of = [&](const Shape& shape) { return SampleOperand{shape, dtype}; };
  const SampleOperand long_row = of({3000}), rows = of({40, 3000}), images = of({2, 16, 19, 21});
  std::vector<std::pair<const char*, Sample>> calls;
  for (const char* name : {"reduce_sum", "reduce_prod", "reduce_max"}) {
    for (const Attr& axis : {Attr(Ints{0}), Attr(Ints{1}), Attr()})
      calls.push_back({name, {{rows}, {{"axis", axis}}, {}}});
    calls.push_back({name, {{of({9, 70, 11, 30})}, {{"axis", Ints{1, 3}}}, {}}});
  }
  for (const char* name : {"sort", "cummax", "log_softmax", "softmax"})
    calls.push_back({name, {{rows}, {{"axis", int64_t{-1}}}, {}}});
  calls.push_back({"sort", {{of({100000})}, {}, {}}});
  calls.push_back({"argmax", {{rows}, {{"dim", int64_t{0}}}, {}}});
  calls.push_back({"layer_norm_with_statistics", {{rows, long_row, long_row}, {}, {}}});
  calls.push_back({"matmul", {{of({200, 300}), of({300, 100})}, {}, {}}});
  calls.push_back({"conv_forward", {{images, of({24, 16, 3, 3})}, {{"pad", Ints{1, 1, 1, 1}}}, {}}});
  calls.push_back({"conv_forward", {{images, of({24, 16, 3, 3})}, {{"stride", Ints{2, 2}}}, {}}});
  return calls;
}

TEST(Stack, OpsLeaveAQuarterOfWhatIsKeptForThem) {
  size_t most = 0;
  std::string which;
  const auto measure = [&](const Call& call) {
    const size_t taken = taken_by(call);
    EXPECT_LE(taken, vm::kStackRoom / 4 * 3) << call.op->name;
    if (taken > most) which = call.op->name;
    most = std::max(most, taken);
  };
  for (const Op& op : all_ops()) {
    if (op.flags.has(Flag::Memory) || op.flags.has(Flag::Io)) continue;
    for (const Sample& sample : op.samples())
      for (bool wide : {false, true}) measure(make_call(op, sample, 0, wide));
  }
  for (DType dtype : {DType::Float32, DType::Float64})
    for (const auto& [name, sample] : large_calls(dtype)) measure(make_call(op(name), sample));
  EXPECT_GT(most, size_t{8} << 10) << "nothing was measured";
  RecordProperty("most", std::to_string(most) + " by " + which);
}

}  // namespace
}  // namespace ember::ops::testing
