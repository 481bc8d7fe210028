#include "tiers/code_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

namespace ember::tiers {
namespace {

// mov eax, n; ret
std::vector<uint8_t> returning(uint8_t n) { return {0xB8, n, 0, 0, 0, 0xC3}; }

int run(const CodeBlock& block) { return reinterpret_cast<int (*)()>(reinterpret_cast<uintptr_t>(block.address()))(); }

TEST(CodeCache, RunsAndGivesMemoryBack) {
  CodeCache& cache = CodeCache::instance();
  size_t before = cache.used();
  {
    gc::Ref<CodeBlock> a = cache.add(returning(7), {"test"}), b = cache.add(returning(9), {"test"});
    ASSERT_TRUE(a && b);
    EXPECT_EQ(run(*a), 7);
    EXPECT_EQ(run(*b), 9);
    EXPECT_GT(cache.used(), before);
  }
  EXPECT_EQ(cache.used(), before);
}

TEST(CodeCache, NoMappingIsWritableAndExecutable) {
  gc::Ref<CodeBlock> block = CodeCache::instance().add(returning(1), {"test"});
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) EXPECT_EQ(line.find("rwx"), std::string::npos) << line;
}

TEST(CodeCache, RefusesBeyondItsCap) {
  CodeCache& cache = CodeCache::instance();
  size_t cap = cache.cap();
  cache.set_cap(cache.used() + 64);
  gc::Ref<CodeBlock> fits = cache.add(returning(1), {"test"});
  EXPECT_TRUE(fits);
  EXPECT_FALSE(cache.add(returning(2), {"test"}));
  cache.set_cap(cap);
  EXPECT_TRUE(cache.add(returning(2), {"test"}));
}

TEST(CodeCache, AChildDoesNotSeeTheParentsLaterCode) {
  CodeCache& cache = CodeCache::instance();
  gc::Ref<CodeBlock> old = cache.add(returning(3), {"test"});
  int ready[2], done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    bool ok = run(*old) == 3;
    gc::Ref<CodeBlock> mine = cache.add(returning(5), {"test"});
    ok = ok && run(*mine) == 5 && write(ready[1], "r", 1) == 1 && read(done[0], &byte, 1) == 1;
    _exit(ok && run(*mine) == 5 && run(*old) == 3 ? 0 : 1);
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  gc::Ref<CodeBlock> ours = cache.add(returning(11), {"test"});
  EXPECT_EQ(run(*ours), 11);
  ASSERT_EQ(write(done[1], "d", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace ember::tiers
