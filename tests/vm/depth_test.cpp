// Calls that nest too deep end in an error, whatever runs them and however small the stack is.
#include "vm/exec/depth.h"

#include <pthread.h>

#include "bytecode/code/module_file.h"
#include "ops/base/interrupt.h"
#include "tests/vm/programs.h"

namespace ember::vm {
namespace {

using ops::Tensor;

const char* const kCountdown = R"(
subgraph @f(%x: Tensor[Float32](2,), %n: Tensor[Int64]()) {
  %0 = Call(%x, %n, graph=@down) : Tensor[Float32](2,)
  Return(%0)
}
subgraph @down(%x: Tensor[Float32](2,), %n: Tensor[Int64]()) {
  %0 = Less(0, %n)
  %1 = Item(%0)
  %2 = If(%1, %x, %n, then=@more, else=@done) : Tensor[Float32](2,)
  Return(%2)
}
subgraph @more(%x: Tensor[Float32](2,), %n: Tensor[Int64]()) {
  %0 = Sub(%n, 1)
  %1 = Add(%x, 1.0)
  %2 = Call(%1, %0, graph=@down) : Tensor[Float32](2,)
  %3 = Mul(%2, 0.5)
  Return(%3)
}
subgraph @done(%x: Tensor[Float32](2,), %n: Tensor[Int64]()) {
  Return(%x)
}
)";

Tensor number(int64_t n) { return Tensor::scalar(n); }

// The text of the error, empty if there is none.
std::string error_at(const Program& p, int64_t n) {
  try {
    p.run({iota({2}), number(n)});
  } catch (const TooDeep& e) {
    return e.what();
  }
  return "";
}

struct CallLimit {
  explicit CallLimit(int limit) { set_call_limit(limit); }
  ~CallLimit() { set_call_limit(1000); }
};

TEST(Depth, IsLimited) {
  const Program p(kCountdown);
  EXPECT_EQ(p.run({iota({2}), number(2)}).data_as<float>()[1], 0.75f);
  EXPECT_EQ(error_at(p, 999), "");
  EXPECT_NE(error_at(p, 1000).find("Exceed function call depth limit 1000, (function call depth: 1001)."),
            std::string::npos);
  const CallLimit limit(10);
  EXPECT_EQ(error_at(p, 9), "");
  EXPECT_NE(error_at(p, 10).find("limit 10, (function call depth: 11)"), std::string::npos);
}

void* run_deep(void* program) {
  const std::string error = error_at(*static_cast<const Program*>(program), int64_t{1} << 40);
  EXPECT_NE(error.find("limit of the thread's stack"), std::string::npos) << error;
  return nullptr;
}

void* run_deep_and_not(void* program) {
  run_deep(program);
  EXPECT_EQ(error_at(*static_cast<const Program*>(program), 3), "");
  return nullptr;
}

void run_in_thread(size_t stack, void* (*run)(void*), Program* program) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, run, program), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// ThreadSanitizer notes the whole stack of calls with each allocation, which takes memory and time by the square of the
// depth, and has hundreds of KiB of a thread's stack itself.
#ifdef __SANITIZE_THREAD__
constexpr size_t kStacks[] = {1536 << 10, 2048 << 10};
#else
constexpr size_t kStacks[] = {256 << 10, 1024 << 10, 8192 << 10};
#endif

TEST(Depth, EndsWithTheStackOfAnyThread) {
  const CallLimit limit(INT32_MAX);
  Program p(kCountdown);
  for (size_t stack : kStacks) run_in_thread(stack, run_deep_and_not, &p);
  for (size_t stack : {kStackRoom / 2, kStackRoom}) run_in_thread(stack, run_deep, &p);
}

// Each level sums columns, whose buffers are large; strided rows and a sort are no smaller.
const char* const kSums = R"(
subgraph @f(%x: Tensor[Float64](300, 200), %n: Tensor[Int64]()) {
  %0 = Call(%x, %n, graph=@down) : Tensor[Float64](300, 200)
  Return(%0)
}
subgraph @down(%x: Tensor[Float64](300, 200), %n: Tensor[Int64]()) {
  %0 = Less(0, %n)
  %1 = Item(%0)
  %2 = If(%1, %x, %n, then=@more, else=@done) : Tensor[Float64](300, 200)
  Return(%2)
}
subgraph @more(%x: Tensor[Float64](300, 200), %n: Tensor[Int64]()) {
  %0 = Sub(%n, 1)
  %1 = ReduceSum(%x, axis=(0,), keep_dims=True)
  %2 = Add(%x, %1)
  %3 = Transpose(%2, dims=(1, 0))
  %4 = ReduceSum(%3, axis=(1,), keep_dims=False)
  %5 = Add(%2, %4)
  %6 = Call(%5, %0, graph=@down) : Tensor[Float64](300, 200)
  %7 = ReduceSum(%6, axis=(0,), keep_dims=True)
  %8 = Mul(%6, %7)
  Return(%8)
}
subgraph @done(%x: Tensor[Float64](300, 200), %n: Tensor[Int64]()) {
  Return(%x)
}
)";

void* sum_deep(void* program) {
  const auto error = [&](int64_t n) -> std::string {
    try {
      static_cast<const Program*>(program)->run({ops::Tensor::full(ops::DType::Float64, {300, 200}, 1), number(n)});
    } catch (const TooDeep& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(error(int64_t{1} << 40).find("limit of the thread's stack"), std::string::npos);
  return nullptr;
}

TEST(Depth, KernelsHaveRoomBelowTheDeepestCall) {
  const CallLimit limit(INT32_MAX);
  Program p(kSums);
  for (size_t kib : {136, 144, 160, 200, 256, 512}) run_in_thread(kib << 10, sum_deep, &p);
}

TEST(Depth, CallsHearAnInterrupt) {
  const CallLimit limit(INT32_MAX);
  const Program p(kCountdown);
  ops::embedding().wants_to_stop = [] { return true; };
  const auto forever = [&] {
    for (;;) p.run({iota({2}), number(100)});
  };
  EXPECT_THROW(forever(), ops::Interrupted);
  ops::embedding().wants_to_stop = nullptr;
}

TEST(Depth, RecursionComesBackFromAFile) {
  const Program p(kCountdown);
  const bytecode::CodeRef again = bytecode::decode_module(bytecode::encode(*p.code));
  EXPECT_EQ(bytecode::disassemble(*again), bytecode::disassemble(*p.code));
  const Tensor x = iota({2}), n = number(3);
  const Argument arguments[] = {{&x, 0}, {&n, 0}};
  std::vector<Result> results;
  ASSERT_TRUE(gc::make<Function>(again)->call(arguments, &results));
  EXPECT_EQ(results.at(0).tensor.data_as<float>()[1], 0.5f);
}

}  // namespace
}  // namespace ember::vm
