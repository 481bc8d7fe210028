#include "bytecode/code/borrows.h"

namespace ember::bytecode {

bool borrows(Instruction op, const ops::Op* applied) {
  const Makes makes = info(op).makes;
  return makes == Makes::Borrowed || (makes == Makes::AsOp && applied->view);
}

}  // namespace ember::bytecode
