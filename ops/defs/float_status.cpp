// The ops clear and read the status, and tell it of a result.
#include "ops/eager/float_status.h"

#include "ops/program/strided.h"
#include "ops/table/movement.h"

namespace ember::ops {
namespace {

Types check_flag(const InferCall& c, std::string_view op_name) {
  const DType dtype = c.in[0].dtype;
  if (dtype != DType::Float32 && dtype != DType::Float16)
    type_error(about(op_name) + "'x' must be a Tensor of Float16 or Float32, but got " + std::string(name(dtype)) +
               ".");
  return {c.in[0]};
}

struct ClearFloatStatus {
  static constexpr const char* name = "clear_float_status";
  static constexpr const char* primitive = "NPUClearFloatStatus";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::FloatStatus;
  static constexpr const char* doc = "Clears the float status: from now on results count. Returns zeros like x.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return check_flag(c, name); }
  static void kernel(const KernelCall& c) {
    clear_float_status();
    fill(c.out[0], 0);
  }
  static std::vector<Sample> samples() { return {}; }
};
EMBER_OP(ClearFloatStatus);

struct GetFloatStatus {
  static constexpr const char* name = "get_float_status";
  static constexpr const char* primitive = "GetFloatStatus";
  static constexpr const char* signature = "x: tensor -> tensor";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::FloatStatus;
  static constexpr const char* doc =
      "The float status, in a Tensor like x: ones if a result was not finite since it was cleared, zeros if all were. "
      "Results are not looked at any longer.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall& c) { return check_flag(c, name); }
  static void kernel(const KernelCall& c) { fill(c.out[0], read_float_status() ? 1 : 0); }
  static std::vector<Sample> samples() { return {{{{{8}}}, {}, {}}}; }
};
EMBER_OP(GetFloatStatus);

struct NoteFloatStatus {
  static constexpr const char* name = "note_float_status";
  static constexpr const char* primitive = "NoteFloatStatus";
  static constexpr const char* signature = "x: tensor -> none";
  static constexpr Flags flags = Flag::Io | Flag::NoGradient | Flag::FloatStatus;
  static constexpr const char* doc = "Lets the float status look at a Tensor.";
  static constexpr const char* numpy = "";
  static Types infer(const InferCall&) { return {}; }
  static void kernel(const KernelCall& c) { note_floats(c.in[0]); }
  static std::vector<Sample> samples() { return {{{{{2, 3}}}, {}, {}}}; }
};
EMBER_OP(NoteFloatStatus);

}  // namespace

}  // namespace ember::ops
