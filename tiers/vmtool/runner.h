// A module with arguments from the command line, ready to be called: what run, stats, trace and disasm --native share.
// Options: --input FILE.npy or number, one for each parameter in order; --tier 0 (interpreter only), 1 (native from the
// first call) or auto; --isa portable, avx2, avx512 or amx; --matmul-precision ieee, float32 or bfloat16; --deopt-every
// N; --threads N; --repeat N; --allow-foreign, without which a module that calls foreign functions is not run.
#pragma once

#include <vector>

#include "tiers/embed/saved_module.h"
#include "tiers/vmtool/options.h"

namespace ember::vmtool {

inline const std::vector<std::string> kRunFlags = {"allow-foreign"};
inline const std::vector<std::string> kRunOptions = {"input",       "tier",    "isa",   "matmul-precision",
                                                     "deopt-every", "threads", "repeat"};

void configure(const Options& options);  // starts tiers and applies the options but --input and --repeat

class Runner {
 public:
  explicit Runner(const Options& options);

  const std::vector<vm::Result>& run();  // --repeat calls; the results of the last
  const tiers::SavedModule& module() const { return module_; }
  vm::Function& function() { return module_.function(); }

 private:
  vm::Argument read_argument(size_t param, size_t input, const std::string& text);

  tiers::SavedModule module_;
  int64_t repeat_;
  bool native_;
  std::vector<ops::Tensor> tensors_;
  std::vector<vm::Argument> arguments_;
  std::vector<vm::Result> results_;
};

}  // namespace ember::vmtool
