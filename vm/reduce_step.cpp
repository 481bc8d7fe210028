#include "vm/reduce_step.h"

namespace ember::vm {

void run_reduce_step(const StepSite& site, std::span<const ops::View> in, const ops::View& out) {
  gc::Ref<gc::Storage> block = gc::allocate(site.reduce_layout->bytes());
  ops::View whole{block->data(), site.reduce_layout.get()};
  site.program->run(in, {&whole, 1});
  site.kernel({{&whole, 1}, {&out, 1}, site.attrs});
}

}  // namespace ember::vm
