// Forks while other threads are inside the tables of the process: the child can use them.
#include "gc/fork.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "ops/eager/eager.h"
#include "ops/program/program.h"

namespace ember::ops {
namespace {

// Takes every table's mutex: new constants, a new program and schedule, a new expression, a new layout, a large block.
void use_tables(int64_t number) {
  number %= 3000;
  ExprBuilder b;
  const Ex c = b.constant(DType::Float64, static_cast<double>(number));
  const Expr expr = b.finish({b.emit(Verb::Add, DType::Float64, b.input(0, DType::Float64), c)});
  Program::of(expr)->schedule(0, false);
  const Type type = Type::tensor(DType::Float32, {});
  Attrs attrs = make_attrs(op("leaky_relu"), {{"alpha", static_cast<double>(number)}});
  program(op("leaky_relu"), {&type, 1}, attrs);
  Tensor::empty(DType::Float32, {number + 10'000, 3});
}

TEST(Fork, LeavesTheTablesToTheChild) {
#ifdef EMBERJIT_SANITIZED
  GTEST_SKIP() << "the sanitizer's allocator does not survive a fork while another thread allocates";
#endif
  use_tables(0);  // C++ initialises the statics of functions under locks that no fork can free
  std::atomic<bool> done = false;
  std::vector<std::thread> others;
  for (int t = 0; t < 2; ++t)
    others.emplace_back([&, t] {
      for (int64_t i = t; !done; i += 2) use_tables(i);
    });
  for (int i = 0; i < 60; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      use_tables(5 * i);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "fork " << i << ", status " << status;
    if (HasFailure()) break;
  }
  done = true;
  for (std::thread& t : others) t.join();
}

TEST(Fork, MutexesAreFreeInBothProcesses) {
  static auto& recursive = *new gc::ForkMutex<gc::RecursiveMutex>(gc::ForkRank::Functions);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    bool taken = true;
#ifndef __SANITIZE_THREAD__  // which starts no thread in the child of a process that has several
    std::thread([&] {
      taken = recursive.try_lock();
      if (taken) recursive.unlock();
    }).join();
#endif
    for (const gc::ForkEntry* one : gc::fork_entries()) {
      if (one->lock) one->lock(one->object);
      if (one->lock) one->unlock(one->object);
    }
    _exit(taken ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::thread([&] {
    EXPECT_TRUE(recursive.try_lock());
    recursive.unlock();
  }).join();
}

}  // namespace
}  // namespace ember::ops
