#include "tiers/vmtool/machine_code.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>

namespace ember::vmtool {
namespace {

struct Decoded {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

bool decode(const MachineCode& code, size_t at, Decoded* out) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  return ZYAN_SUCCESS(
      ZydisDecoderDecodeFull(&decoder, code.bytes.data() + at, code.end - at, &out->instruction, out->operands));
}

std::optional<size_t> offset_of(const MachineCode& code, uint64_t address) {
  if (address < code.address || address - code.address >= code.bytes.size()) return std::nullopt;
  return address - code.address;
}

// "0x3f800000 = 1" of the constant at an offset.
std::string constant(const MachineCode& code, size_t at, size_t bits) {
  char text[80];
  if (bits != 32 && bits != 64) return "";
  if (at + bits / 8 > code.bytes.size()) return "";
  uint64_t value = 0;
  std::memcpy(&value, code.bytes.data() + at, bits / 8);
  const double number = bits == 64 ? std::bit_cast<double>(value)
                                   : static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value)));
  std::snprintf(text, sizeof text, "0x%" PRIx64 " = %.9g", value, number);
  return text;
}

class Formatter {
 public:
  explicit Formatter(const MachineCode& code) : code_(code) {
    ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_FORCE_SIZE, ZYAN_FALSE);
    hook(ZYDIS_FORMATTER_FUNC_PRINT_ADDRESS_ABS, &address_, &print_address);
    hook(ZYDIS_FORMATTER_FUNC_PRINT_IMM, &immediate_, &print_immediate);
  }

  std::string text(const Decoded& decoded, size_t at) {
    char buffer[256];
    const ZyanStatus status = ZydisFormatterFormatInstruction(&formatter_, &decoded.instruction, decoded.operands,
                                                              decoded.instruction.operand_count_visible, buffer,
                                                              sizeof buffer, code_.address + at, this);
    return ZYAN_SUCCESS(status) ? buffer : "?";
  }

 private:
  void hook(ZydisFormatterFunction function, ZydisFormatterFunc* before, ZydisFormatterFunc ours) {
    const void* callback = reinterpret_cast<const void*>(ours);
    ZydisFormatterSetHook(&formatter_, function, &callback);
    *before = reinterpret_cast<ZydisFormatterFunc>(const_cast<void*>(callback));
  }

  std::string name(uint64_t address, const ZydisDecodedOperand& operand) const {
    if (const auto other = code_.elsewhere.find(address); other != code_.elsewhere.end()) return other->second;
    const std::optional<size_t> at = offset_of(code_, address);
    if (!at) return "";
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) return constant(code_, *at, operand.element_size);
    const auto label = code_.labels.find(*at);
    return label == code_.labels.end() ? "" : label->second;
  }

  static ZyanStatus append(ZydisFormatterBuffer* buffer, const std::string& text) {
    ZyanString* out = nullptr;
    if (const ZyanStatus status = ZydisFormatterBufferGetString(buffer, &out); !ZYAN_SUCCESS(status)) return status;
    ZyanStringView view;
    if (const ZyanStatus status = ZyanStringViewInsideBuffer(&view, text.c_str()); !ZYAN_SUCCESS(status)) return status;
    return ZyanStringAppend(out, &view);
  }

  static ZyanStatus print_address(const ZydisFormatter* f, ZydisFormatterBuffer* buffer,
                                  ZydisFormatterContext* context) {
    const auto& self = *static_cast<const Formatter*>(context->user_data);
    ZyanU64 address = 0;
    const bool known = ZYAN_SUCCESS(
        ZydisCalcAbsoluteAddress(context->instruction, context->operand, context->runtime_address, &address));
    const std::string name = known ? self.name(address, *context->operand) : "";
    return name.empty() ? self.address_(f, buffer, context) : append(buffer, name);
  }

  static ZyanStatus print_immediate(const ZydisFormatter* f, ZydisFormatterBuffer* buffer,
                                    ZydisFormatterContext* context) {
    const auto& self = *static_cast<const Formatter*>(context->user_data);
    const auto named = self.code_.elsewhere.find(context->operand->imm.value.u);
    return named == self.code_.elsewhere.end() ? self.immediate_(f, buffer, context) : append(buffer, named->second);
  }

  const MachineCode& code_;
  ZydisFormatter formatter_;
  ZydisFormatterFunc address_ = nullptr, immediate_ = nullptr;
};

}  // namespace

size_t end_of_instructions(std::span<const uint8_t> bytes) {
  const MachineCode code{0, bytes, bytes.size(), {}, {}};
  Decoded decoded;
  for (size_t at = 0; at < bytes.size();) {
    if (!decode(code, at, &decoded)) return bytes.size();
    at += decoded.instruction.length;
    if (decoded.instruction.mnemonic == ZYDIS_MNEMONIC_RET) return at;
  }
  return bytes.size();
}

void add_labels(MachineCode* code, const std::map<size_t, std::string>& names) {
  std::set<size_t> targets;
  Decoded decoded;
  for (size_t at = 0; at < code->end;) {
    if (!decode(*code, at, &decoded)) {
      ++at;
      continue;
    }
    for (size_t i = 0; i < decoded.instruction.operand_count_visible; ++i) {
      const ZydisDecodedOperand& operand = decoded.operands[i];
      ZyanU64 address = 0;
      if (operand.type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !operand.imm.is_relative) continue;
      if (!ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&decoded.instruction, &operand, code->address + at, &address)))
        continue;
      const std::optional<size_t> target = offset_of(*code, address);
      if (target && *target < code->end && !code->labels.contains(*target)) targets.insert(*target);
    }
    at += decoded.instruction.length;
  }
  size_t number = 0;
  for (const size_t at : targets) {
    const auto name = names.find(at);
    code->labels[at] = name == names.end() ? "L" + std::to_string(++number) : name->second;
  }
}

std::string listing(const MachineCode& code, size_t from, size_t to) {
  Formatter formatter(code);
  std::string out;
  Decoded decoded;
  for (size_t at = from; at < std::min(to, code.end);) {
    if (const auto label = code.labels.find(at); label != code.labels.end()) out += "        " + label->second + ":\n";
    char head[32];
    std::snprintf(head, sizeof head, "          %6zx  ", at);
    if (decode(code, at, &decoded)) {
      out += head + formatter.text(decoded, at) + "\n";
      at += decoded.instruction.length;
    } else {
      char byte[16];
      std::snprintf(byte, sizeof byte, ".byte 0x%02x\n", code.bytes[at++]);
      out += std::string(head) + byte;
    }
  }
  return out;
}

}  // namespace ember::vmtool
