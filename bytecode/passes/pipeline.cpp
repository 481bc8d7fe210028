// The passes in their order. Attention is recognised in the ops that users write. Composed ops are expanded before all
// else, so that their parts fold and fuse; copies of loads are inserted when no later pass moves a use behind a write;
// fusion comes last, since nothing looks into fused nodes.
#include "bytecode/passes/passes.h"
#include "bytecode/transforms/transforms.h"
#ifdef EMBERJIT_VERIFY
#include "bytecode/graph/verify.h"
#endif

namespace ember::bytecode {

std::span<const Pass> passes() {
  static constexpr Pass list[] = {
      {"inline", inline_calls},
      {"attention", recognise_attention},
      {"expand_composed", expand_composed},
      {"fold", fold},
      {"simplify", simplify},
      {"cse", cse},
      {"insert_copies", insert_copies},
      {"dce", dce},
      {"fuse", fuse},
  };
  return list;
}

void optimise(Module& m, const PassHook& after_each) {
  const ops::SymbolScope scope(&m.symbols);
  for (const Pass& pass : passes()) {
    pass.run(m);
#ifdef EMBERJIT_VERIFY
    verify(m);
#endif
    if (after_each) after_each(pass.name, m);
  }
}

Module runnable(Module m, GraphId entry, bool instrumented, const PassHook& hook) {
  m.entry = entry;
  for (Graph& graph : m.graphs) graph.gradient = kNoId;
  drop_unreachable_graphs(m);
  if (hook) hook("capture", m);
  instrument_float_status(m, instrumented);
  optimise(m, hook);
  return m;
}

void prepare_gradient(Module& m, GraphId f) { recognise_attention_before_gradient(m, f); }

}  // namespace ember::bytecode
