#include "bytecode/code/borrows.h"

namespace ember::bytecode {

bool borrows(Instruction op, const ops::Op* applied) {
  return op == Instruction::Const || op == Instruction::Load || op == Instruction::Pop ||
         (op == Instruction::Apply && applied->view);
}

}  // namespace ember::bytecode
