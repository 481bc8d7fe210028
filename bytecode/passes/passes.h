// The passes, each in its own file of bytecode/passes/, in the order of kPasses (pipeline.cpp). A pass takes a verified
// module and leaves a verified module with the same meaning and the same bits. Debug builds verify after each; a dump
// hook (save_graphs) sees the module after each.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "bytecode/graph/graph.h"

namespace ember::bytecode {

void inline_calls(Module& m);     // all calls but those of shared and recursive graphs; Ifs with a constant condition
void fold(Module& m);             // pure nodes whose inputs are all constant, below a size cap
void simplify(Module& m);         // algebra that keeps every bit
void cse(Module& m);              // equal pure nodes
void insert_copies(Module& m);    // TensorMove of a Load's value that is used after a write of the Ref
void dce(Module& m);              // dead nodes, operands and results; unreachable graphs
void expand_composed(Module& m);  // composed ops without a kernel become their parts
// Those with a kernel, too, but for what is to be kept.
void expand_composed(Module& m, const std::function<bool(const ops::Op&)>& keep);
void fuse(Module& m);  // elementwise chains, and reductions fed by them

// softmax(query @ key' * scale, masked) @ value becomes one node; and before the gradient of a graph is made, in the
// graph and what it calls.
void recognise_attention(Module& m);
void recognise_attention_before_gradient(Module& m, GraphId f);

struct Pass {
  std::string_view name;
  void (*run)(Module&);
};
std::span<const Pass> passes();

using PassHook = std::function<void(std::string_view pass, const Module&)>;
void optimise(Module& m, const PassHook& after_each = {});

// What runs a graph of a captured module: no more than it needs, optimised. The hook sees also what is optimised, as
// "capture". If `instrumented`, the float status checks all results.
Module runnable(Module m, GraphId entry, bool instrumented, const PassHook& hook = {});
// What has to be done to a graph, and to what it calls, before its gradient is made.
void prepare_gradient(Module& m, GraphId f);
// Whether passes do one thing or another by how matrices are multiplied.
bool depends_on_matmul_precision(const Module& m);
void drop_unreachable_graphs(Module& m);

// If the module has an op of the float status (ops/eager/float_status.h), or `all`, checks every result where it is
// computed, in all graphs of the module. To be called once, before the passes.
void instrument_float_status(Module& module, bool all);
bool has_float_status(const Module& module);

// Load elimination by MS_DEV_SIDE_EFFECT_LOAD_ELIM: 0 moves every load, 1 and 2 where a write may follow, 3 never.
void set_load_elimination(int level);
int load_elimination();

}  // namespace ember::bytecode
