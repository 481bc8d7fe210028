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
  EXPECT_EQ(error_at(*static_cast<const Program*>(program), 3), "");
  return nullptr;
}

TEST(Depth, EndsWithTheStackOfAnyThread) {
  const CallLimit limit(INT32_MAX);
  Program p(kCountdown);
  run_deep(&p);
  for (size_t kib : {64, 256, 1024}) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kib << 10);
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, &attributes, run_deep, &p), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }
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
