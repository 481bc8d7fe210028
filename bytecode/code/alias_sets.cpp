#include "bytecode/code/alias_sets.h"

namespace ember::bytecode {

bool aliases_memory(Instruction op, const ops::Op* applied) {
  const Makes makes = info(op).makes;
  return makes == Makes::Borrowed || (makes == Makes::AsOp && applied->view);
}

}  // namespace ember::bytecode
