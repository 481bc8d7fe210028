// The program itself: a module made from a graph text, looked at and run.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tiers/vmtool/npy.h"

namespace ember::vmtool {
namespace {

struct Outcome {
  int code;
  std::string text;  // stdout and stderr
};

class Vmtool : public ::testing::Test {
 protected:
  Vmtool() {
    folder_ = ::testing::TempDir() + "emberjit_vmtool_" + std::to_string(::getpid());
    std::filesystem::create_directory(folder_);
    std::ofstream(file("loop.ir")) << R"(symbols s0=4
subgraph @f(%x: Tensor[Float32](s0, 3), %n: Int) {
  %y, %i = While(%x, 0, %n, condition=@more, body=@body)
  %r = ReduceSum(%y, axis=(1,), keep_dims=False)          # user.py:4
  Return(%r, %i)
}
subgraph @more(%x: Tensor[Float32](s0, 3), %i: Int, %n: Int) {
  %0 = Less(%i, %n)
  Return(%0)
}
subgraph @body(%x: Tensor[Float32](s0, 3), %i: Int, %n: Int) {
  %0 = Add(%x, 1.5)
  %1 = Add(%i, 1)
  Return(%0, %1)
}
)";
    write_npy(ops::Tensor::full(ops::DType::Float32, {5, 3}, 2), file("x.npy"));
  }
  ~Vmtool() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  Outcome vmtool(const std::string& arguments) {
    const std::string command = "cd " + folder_ + " && " + EMBERJIT_VMTOOL + " " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    Outcome outcome{0, ""};
    char buffer[4096];
    while (size_t n = std::fread(buffer, 1, sizeof(buffer), pipe)) outcome.text.append(buffer, n);
    const int status = ::pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
  }
  void make_module() {
    const Outcome outcome = vmtool("graph loop.ir --output loop.ejm");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
  }

  std::string folder_;
};

TEST_F(Vmtool, DisassemblesAndVerifies) {
  make_module();
  const Outcome listing = vmtool("disasm loop.ejm");
  EXPECT_EQ(listing.code, 0);
  EXPECT_NE(listing.text.find("Loop #0"), std::string::npos);
  EXPECT_NE(listing.text.find("# user.py:4"), std::string::npos);
  std::ofstream(folder_ + "/user.py") << "one\ntwo\nthree\n    while x < 3:\n";
  EXPECT_NE(vmtool("disasm loop.ejm").text.find("# user.py:4  |    while x < 3:"), std::string::npos);
  EXPECT_EQ(vmtool("disasm loop.ejm --fn f").code, 0);
  EXPECT_EQ(vmtool("verify loop.ejm").text.substr(0, 3), "ok:");
}

TEST_F(Vmtool, ReadsRegularFiles) {
  make_module();
  for (const char* command : {"run loop.ejm --input /dev/zero --input 4", "graph /dev/zero", "verify /dev/zero"}) {
    const Outcome refused = vmtool(command);
    EXPECT_EQ(refused.code, 1) << command;
    EXPECT_NE(refused.text.find("/dev/zero"), std::string::npos) << refused.text;
    EXPECT_NE(refused.text.find("is no regular file"), std::string::npos) << refused.text;
  }
}

TEST_F(Vmtool, RefusesNonsenseInTheEnvironment) {
  make_module();
  ::setenv("EMBERJIT_ISA", "sse", 1);
  const Outcome refused = vmtool("verify loop.ejm");
  ::setenv("EMBERJIT_ISA", "", 1);
  const Outcome empty = vmtool("verify loop.ejm");
  ::unsetenv("EMBERJIT_ISA");
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.text.find("EMBERJIT_ISA must be one of"), std::string::npos) << refused.text;
  EXPECT_EQ(empty.code, 0) << empty.text;
}

TEST_F(Vmtool, ListsWhatBindingDecides) {
  make_module();
  const std::string hinted = vmtool("disasm loop.ejm --bound").text;
  EXPECT_NE(hinted.find("r0 x: Float32(4, 3) parameter 0"), std::string::npos) << hinted;
  EXPECT_NE(hinted.find(": Float32(4,) result 0"), std::string::npos) << hinted;
  EXPECT_NE(hinted.find("\n  # user.py:4\n"), std::string::npos) << hinted;
  const std::string shaped = vmtool("disasm loop.ejm --bound --fn f --shape 7,3").text;
  EXPECT_NE(shaped.find("r0 x: Float32(7, 3) parameter 0"), std::string::npos) << shaped;
  EXPECT_NE(shaped.find(": Float32(7,) result 0"), std::string::npos) << shaped;
  EXPECT_EQ(vmtool("disasm loop.ejm --bound --shape 7,4").code, 1);
  EXPECT_EQ(vmtool("disasm loop.ejm --bound --shape 7,3 --shape 1").code, 1);
  EXPECT_EQ(vmtool("disasm loop.ejm --bound --shape seven").code, 1);
}

TEST_F(Vmtool, RunsAlikeInEveryTier) {
  make_module();
  for (const char* options : {"--tier 0", "--tier 1", "--tier 1 --isa avx2", "--tier 1 --deopt-every 2"}) {
    const Outcome ran = vmtool(std::string("run loop.ejm --input x.npy --input 4 --output y.npy ") + options);
    if (ran.text.find("does not have") != std::string::npos) continue;
    ASSERT_EQ(ran.code, 0) << options << ran.text;
    EXPECT_EQ(ran.text, "result 1: 4\n");
    const ops::Tensor y = read_npy(file("y.npy"));
    ASSERT_EQ(y.numel(), 5);
    EXPECT_EQ(y.data_as<float>()[4], 24.0f) << options;
  }
}

// Nested loops, a branch, a callee and a Ref that is written, left at every N-th chance.
TEST_F(Vmtool, LeavesNativeCodeAtEveryNthChanceWithTheSameResults) {
  std::ofstream(file("nested.ir")) << R"(
subgraph @f(%x: Tensor[Float32](5, 3), %w: Ref[Float32](5, 3), %n: Int) {
  %0, %1, %2 = While(%x, %n, U, %w, condition=@more, body=@body)
  %3 = Load(%w, %2)
  %4 = UpdateState(%2, %3)
  %5 = Depend(%0, %4)
  Return(%5, %3, %1)
}
subgraph @more(%t: Tensor[Float32](5, 3), %i: Int, %u: Token, %w: Ref[Float32](5, 3)) {
  %0 = Less(0, %i)
  Return(%0)
}
subgraph @body(%t: Tensor[Float32](5, 3), %i: Int, %u: Token, %w: Ref[Float32](5, 3)) {
  %0 = Load(%w, %u)
  %1 = UpdateState(%u, %0)
  %2 = Add(%0, %t)
  %3 = Assign(%w, %2, %1)
  %4 = UpdateState(%1, %3)
  %5, %6 = While(%t, 2, condition=@few, body=@inner)
  %7 = ReduceMax(%5, axis=None, keep_dims=False)
  %8 = Less(%7, 9.0)
  %9 = Item(%8)
  %10 = If(%9, %5, then=@low, else=@high)
  %11 = Sub(%i, 1)
  Return(%10, %11, %4)
}
subgraph @few(%t: Tensor[Float32](5, 3), %j: Int) {
  %0 = Less(0, %j)
  Return(%0)
}
subgraph @inner(%t: Tensor[Float32](5, 3), %j: Int) {
  %0 = Call(%t, graph=@callee)
  %1 = Sub(%j, 1)
  Return(%0, %1)
}
shared subgraph @callee(%t: Tensor[Float32](5, 3)) {
  %0 = ReduceMax(%t, axis=None, keep_dims=False)
  %1 = Less(6.0, %0)
  %2 = Item(%1)
  %3 = If(%2, %t, then=@low, else=@high)
  Return(%3)
}
subgraph @low(%t: Tensor[Float32](5, 3)) {
  %0 = Add(%t, 1.25)
  Return(%0)
}
subgraph @high(%t: Tensor[Float32](5, 3)) {
  %0 = Mul(%t, 1.5)
  Return(%0)
}
)";
  ASSERT_EQ(vmtool("graph nested.ir --output nested.ejm").code, 0);
  const std::string run = "run nested.ejm --input x.npy --input x.npy --input 3 ";
  const Outcome want = vmtool(run + "--tier 0");
  ASSERT_EQ(want.code, 0) << want.text;
  if (vmtool(run + "--tier 1").text.find("no native code") != std::string::npos) GTEST_SKIP() << "the CPU lacks AVX2";
  EXPECT_EQ(vmtool(run + "--tier 1").text, want.text);
  bool left = true;
  for (int n = 1; left; ++n) {
    const std::string every = "--tier 1 --deopt-every " + std::to_string(n);
    EXPECT_EQ(vmtool(run + every).text, want.text) << every;
    left = vmtool("trace" + run.substr(3) + every).text.find("kind=forced") != std::string::npos;
    ASSERT_LT(n, 100);
  }
}

// A module that calls a foreign function can be looked at without running any of the library's code.
TEST_F(Vmtool, LoadsForeignLibrariesOnlyWhenAllowed) {
  std::ofstream(file("foreign.ir")) << R"(
subgraph @f(%x: Tensor[Float64]()) {
  %0 = ForeignCall(%x, U, library=")"
                                    << EMBERJIT_FOREIGN_PROBE
                                    << R"(", symbol="foreign_twice", signature="float64 -> float64")
  %1 = UpdateState(U, %0)
  %2 = Depend(%0, %1)
  Return(%2)
}
)";
  write_npy(ops::Tensor::scalar(21.0), file("number.npy"));
  const auto loads = [](const Outcome& o) { return o.text.find("foreign_probe is loaded") != std::string::npos; };
  for (const char* command : {"graph foreign.ir --output foreign.ejm", "verify foreign.ejm", "disasm foreign.ejm",
                              "disasm foreign.ejm --bound", "stats foreign.ejm"}) {
    const Outcome looked = vmtool(command);
    EXPECT_EQ(looked.code, 0) << command << looked.text;
    EXPECT_FALSE(loads(looked)) << command;
  }
  for (const char* command : {"run", "trace", "stats"}) {
    const std::string call = std::string(command) + " foreign.ejm --input number.npy";
    const Outcome refused = vmtool(call);
    EXPECT_EQ(refused.code, 1) << call;
    EXPECT_FALSE(loads(refused)) << call;
    EXPECT_NE(refused.text.find("'foreign_twice' of the library"), std::string::npos) << refused.text;
    EXPECT_NE(refused.text.find("--allow-foreign"), std::string::npos) << refused.text;
    const Outcome ran = vmtool(call + " --allow-foreign");
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_TRUE(loads(ran)) << ran.text;
  }
  EXPECT_NE(vmtool("run foreign.ejm --input number.npy --allow-foreign").text.find("42"), std::string::npos);
}

TEST_F(Vmtool, MultipliesAsThePrecisionSays) {
  std::ofstream(file("product.ir")) << R"(
subgraph @f(%x: Tensor[Float32](40, 40)) {
  %0 = MatMulExt(%x, %x)
  Return(%0)
}
)";
  write_npy(ops::Tensor::full(ops::DType::Float32, {40, 40}, 1 + 0x1p-10), file("near_one.npy"));
  ASSERT_EQ(vmtool("graph product.ir --output product.ejm").code, 0);
  const auto first = [&](const std::string& precision) {
    const Outcome ran =
        vmtool("run product.ejm --input near_one.npy --output product.npy --matmul-precision " + precision);
    EXPECT_EQ(ran.code, 0) << ran.text;
    return read_npy(file("product.npy")).data_as<float>()[0];
  };
  EXPECT_EQ(first("bfloat16"), 40.0f);
  EXPECT_GT(first("ieee"), 40.0f);
  EXPECT_EQ(vmtool("run product.ejm --input near_one.npy --matmul-precision half").text,
            "vmtool: --matmul-precision must be ieee, float32 or bfloat16\n");
  EXPECT_EQ(vmtool("run product.ejm --input near_one.npy --isa sse9").text,
            "vmtool: --isa must be portable, avx2, avx512 or amx\n");
}

TEST_F(Vmtool, ShowsWhatItDid) {
  make_module();
  const Outcome stats = vmtool("stats loop.ejm --input x.npy --input 4 --tier 0 --repeat 3");
  EXPECT_NE(stats.text.find("calls=3"), std::string::npos) << stats.text;
  EXPECT_NE(stats.text.find("loop 0: trips="), std::string::npos) << stats.text;
  const Outcome trace = vmtool("trace loop.ejm --input x.npy --input 4 --tier 1 --deopt-every 2");
  EXPECT_NE(trace.text.find("[bailout kind=forced f=f"), std::string::npos) << trace.text;
  const Outcome native = vmtool("disasm loop.ejm --native");
  EXPECT_NE(native.text.find("ret"), std::string::npos) << native.text;
}

TEST_F(Vmtool, ShowsTheLoopsThatNativeCodeCalls) {
  std::ofstream(file("fused.ir")) << R"(subgraph @f(%x: Tensor[Float32](320,)) {
  %a = Mul(%x, %x)
  %b = Sqrt(%a)
  Return(%b)
}
)";
  ASSERT_EQ(vmtool("graph fused.ir --output fused.ejm").code, 0) << vmtool("graph fused.ir").text;
  const Outcome native = vmtool("disasm fused.ejm --native");
  ASSERT_NE(native.text.find("native code of f"), std::string::npos) << native.text;
  const size_t loop = native.text.find("loop of ");
  ASSERT_NE(loop, std::string::npos) << native.text;
  for (const char* instruction : {"vmulps", "vsqrtps", "vmovups"})
    EXPECT_NE(native.text.find(instruction, loop), std::string::npos) << instruction << ": " << native.text;
  EXPECT_EQ(native.text.find(".byte", loop), std::string::npos) << "constants are no code: " << native.text;
  EXPECT_EQ(native.text.substr(native.text.size() - 4), "ret\n");
}

TEST_F(Vmtool, NamesAddressesAndConstants) {
  make_module();
  const Outcome native = vmtool("disasm loop.ejm --native --fn f");
  for (const char* text :
       {"entry:", "entry_at_", "exit_at_", "call rax", "mov rax, vm::execute_for_native", "mov rdi, step "})
    EXPECT_NE(native.text.find(text), std::string::npos) << text << ": " << native.text;
  std::ofstream(file("exp.ir")) << "subgraph @f(%x: Tensor[Float32](320,)) {\n  %a = Exp(%x)\n  Return(%a)\n}\n";
  ASSERT_EQ(vmtool("graph exp.ir --output exp.ejm").code, 0);
  const Outcome constants = vmtool("disasm exp.ejm --native");
  EXPECT_NE(constants.text.find("0x3f800000 = 1]"), std::string::npos) << constants.text;
}

TEST_F(Vmtool, ListsWhatAProcessDumped) {
  make_module();
  setenv("EMBERJIT_DUMP", file("dump").c_str(), 1);
  const Outcome run = vmtool("run loop.ejm --tier 1 --input x.npy --input 4");
  unsetenv("EMBERJIT_DUMP");
  ASSERT_EQ(run.code, 0) << run.text;
  const Outcome listing = vmtool("disasm dump --native");
  EXPECT_EQ(listing.code, 0);
  EXPECT_NE(listing.text.find("native code of f(x: Float32 (5, 3), n: Int)"), std::string::npos) << listing.text;
  for (const auto& entry : std::filesystem::directory_iterator(file("dump"))) {
    if (entry.path().extension() != ".vmb") continue;
    EXPECT_EQ(vmtool("run " + entry.path().string() + " --input x.npy --input 4").code, 0);
    std::ofstream(entry.path().string() + ".native-9") << "nonsense";
  }
  const Outcome damaged = vmtool("disasm dump --native");
  EXPECT_EQ(damaged.code, 1);
  EXPECT_NE(damaged.text.find("no native code of emberjit"), std::string::npos) << damaged.text;
  EXPECT_EQ(vmtool("disasm dump").code, 0);
  std::filesystem::create_directory(file("empty"));
  EXPECT_NE(vmtool("disasm empty").text.find("has no modules"), std::string::npos);
}

TEST_F(Vmtool, TellsWhenItCannotDump) {
  make_module();
  setenv("EMBERJIT_DUMP", file("x.npy").c_str(), 1);
  const Outcome run = vmtool("run loop.ejm --tier 1 --input x.npy --input 4");
  unsetenv("EMBERJIT_DUMP");
  EXPECT_EQ(run.code, 0) << run.text;
  const size_t told = run.text.find("emberjit: EMBERJIT_DUMP: ");
  EXPECT_NE(told, std::string::npos) << run.text;
  EXPECT_EQ(run.text.find("emberjit: EMBERJIT_DUMP: ", told + 1), std::string::npos) << run.text;
}

TEST_F(Vmtool, TellsWhatDiffers) {
  make_module();
  EXPECT_EQ(vmtool("diff loop.ejm loop.ejm").text, "no differences\n");
  const auto graph = [&](const std::string& name, const std::string& body) {
    std::ofstream(file(name + ".ir")) << "subgraph @f(%x: Tensor[Float32](4, 3)) {\n" << body << "}\n";
    const Outcome outcome = vmtool("graph " + name + ".ir --output " + name + ".ejm");
    ASSERT_EQ(outcome.code, 0) << outcome.text;
  };
  const std::string sum = "  %1 = ReduceSum(%0, axis=(1,), keep_dims=False)\n";
  graph("a", "  %0 = MatMul(%x, %x, transpose_a=True, transpose_b=False)\n" + sum + "  Return(%1)\n");
  graph("b", "  %n = MatMul(%x, %x, transpose_a=True, transpose_b=False)\n  %0 = Tril(%n, diagonal=0)\n" + sum +
                 "  Return(%1)\n");
  const Outcome diff = vmtool("diff a.ejm b.ejm");
  EXPECT_EQ(diff.code, 0);
  EXPECT_NE(diff.text.find("function f: 0 instructions removed, 1 added"), std::string::npos) << diff.text;
  EXPECT_NE(diff.text.find("\n+ "), std::string::npos) << diff.text;
  EXPECT_NE(diff.text.find("Apply Tril"), std::string::npos) << diff.text;
  const Outcome back = vmtool("diff b.ejm a.ejm");
  EXPECT_NE(back.text.find("function f: 1 instructions removed, 0 added"), std::string::npos) << back.text;
  const Outcome other = vmtool("diff a.ejm loop.ejm");
  EXPECT_NE(other.text.find("- x: Tensor[Float32](4, 3)"), std::string::npos) << other.text;
  EXPECT_NE(other.text.find("+ n: Int"), std::string::npos) << other.text;
  EXPECT_EQ(vmtool("diff a.ejm").code, 1);
  EXPECT_EQ(vmtool("diff a.ejm b.ejm a.ejm").code, 1);
}

TEST_F(Vmtool, PaintsForTerminalsAndBrowsers) {
  make_module();
  const Outcome plain = vmtool("disasm loop.ejm --native");
  EXPECT_EQ(plain.text.find('\033'), std::string::npos) << "a pipe is no terminal";
  EXPECT_EQ(vmtool("disasm loop.ejm --native --color never").text, plain.text);
  const Outcome colours = vmtool("disasm loop.ejm --native --color always");
  std::string stripped;
  for (size_t i = 0; i < colours.text.size(); ++i) {
    if (colours.text[i] == '\033')
      i = colours.text.find('m', i);
    else
      stripped += colours.text[i];
  }
  EXPECT_NE(colours.text, plain.text);
  EXPECT_EQ(stripped, plain.text);
  EXPECT_EQ(vmtool("disasm loop.ejm --color often").code, 1);
  const std::string page = vmtool("disasm loop.ejm --native --html").text;
  EXPECT_EQ(page.rfind("<!doctype html>", 0), 0u);
  const auto count = [&](const std::string& what) {
    size_t n = 0;
    for (size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++n;
    return n;
  };
  EXPECT_GT(count("<details"), 3u);
  EXPECT_EQ(count("<details"), count("</details>"));
  EXPECT_EQ(count("<summary"), count("<details"));
  EXPECT_NE(page.find("-&gt;"), std::string::npos) << "arrows are escaped";
}

TEST_F(Vmtool, CountsWhatAModuleConsistsOf) {
  std::ofstream(file("write.ir")) << R"(symbols s0=4
subgraph @f(%w: Ref[Float32](3,), %x: Tensor[Float32](s0, 3)) {
  %r = ReduceSum(%x, axis=(0,), keep_dims=False)          # user.py:4
  %a = Assign(%w, %r, U)                                  # user.py:5
  %u = UpdateState(U, %a)
  %c = Constant(Tensor(shape=[3], dtype=Float32, value=[1, 2, 3]))
  %y = Add(%r, %c)                                        # user.py:5
  %d = Depend(%y, %u)
  Return(%d)
}
)";
  ASSERT_EQ(vmtool("graph write.ir --output write.ejm").code, 0) << vmtool("graph write.ir").text;
  const Outcome stats = vmtool("stats write.ejm");
  EXPECT_EQ(stats.code, 0) << stats.text;
  for (const char* fact : {"function f: instructions=", "registers=", "effects=1", "constants=1 (12B)", "symbols=1",
                           "module: functions=1", "source_lines=2"})
    EXPECT_NE(stats.text.find(fact), std::string::npos) << fact << ": " << stats.text;
}

TEST_F(Vmtool, TellsWhatAModuleRaises) {
  std::ofstream(file("raise.ir")) << R"(subgraph @f(%x: Tensor[Float32](5, 3)) {
  Raise(%x, U, text="ValueError: too {{big}}", number=0)          # user.py:4
  %1 = UpdateState(U)
  %2 = Depend(%x, %1)
  Return(%2)
}
)";
  ASSERT_EQ(vmtool("graph raise.ir --output raise.ejm").code, 0) << vmtool("graph raise.ir").text;
  for (const char* tier : {"0", "1"}) {
    const Outcome outcome = vmtool(std::string("run raise.ejm --input x.npy --tier ") + tier);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.text, "vmtool: ValueError: too {big}   at user.py:4\n");
  }
}

TEST_F(Vmtool, ErrorsAreOneLine) {
  make_module();
  for (const char* arguments :
       {"", "frobnicate", "verify", "verify missing.ejm", "verify x.npy", "verify .", "disasm loop.ejm --fn g",
        "disasm loop.ejm --colour", "graph x.npy", "run loop.ejm", "run loop.ejm --input x.npy",
        "run loop.ejm --input x.npy --input two", "run loop.ejm --input loop.ir --input 2",
        "run loop.ejm --input x.npy --input 2 --tier 9", "run loop.ejm --input x.npy --input 2 --deopt-every -1",
        "run loop.ejm --input x.npy --input 2 --output a --output b --output c"}) {
    const Outcome outcome = vmtool(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(outcome.text.substr(0, 8), "vmtool: ") << arguments;
    EXPECT_EQ(outcome.text.find('\n'), outcome.text.size() - 1) << arguments << outcome.text;
  }
}

}  // namespace
}  // namespace ember::vmtool
