#include "tiers/dump/native_image.h"

#include "bytecode/code/bytes.h"
#include "tiers/emit/strip_loop.h"
#include "vm/exec/steps.h"

namespace ember::tiers {
namespace {

constexpr std::string_view kMagic = "EMBERNAT";
constexpr uint32_t kVersion = 1;
constexpr size_t kHead = kMagic.size() + 2 * sizeof(uint32_t);  // with version and checksum

std::vector<uint8_t> bytes_of(const CodeBlock& block) {
  const auto* code = static_cast<const uint8_t*>(block.address());
  return {code, code + block.size()};
}

NativeImage::Loop loop_of(const vm::FunctionBinding& bound, const vm::Step& step) {
  const vm::PreparedOperands& operands = *step.operands;
  const std::vector<ops::View> all = bound.layouts(operands);
  const std::span<const ops::View> views(all), in = views.first(operands.inputs);
  const ops::Expr& expr = operands.program->expr();
  NativeImage::Loop loop{step.pc, "", {}};
  const gc::Ref<CodeBlock> block =
      step.kind == vm::Handler::Reduce
          ? compile_reduce_loop(
                expr, ops::Program::uniform_in_reduce(in, operands.reduction->space, operands.reduction->by.axes),
                operands.reduction->by.kind, &loop.why_not)
          : compile_strip_loop(expr, ops::Program::uniform_in_run(in, views.subspan(operands.inputs)), &loop.why_not);
  if (!block) return loop;
  loop.code = bytes_of(*block);
  loop.why_not.clear();
  return loop;
}

std::string param_text(const vm::FunctionBinding& function, size_t i) {
  const bytecode::CodeFunction& f = function.function();
  const ops::Type& type = f.registers[f.params[i]];
  if (!type.is_tensor()) return f.param_names[i] + ": " + ops::to_string(type);
  const ops::Layout& layout = *function.reg(f.params[i]).layout;
  return f.param_names[i] + ": " + std::string(ops::name(layout.dtype)) + " " + ops::to_string(layout.shape);
}

template <class T>
void put_all(bytecode::Writer* out, const std::vector<T>& items) {
  out->put(static_cast<uint32_t>(items.size()));
  out->raw(items.data(), items.size() * sizeof(T));
}

std::vector<uint8_t> take_bytes(bytecode::Reader* in) {
  const std::span<const std::byte> raw = in->raw(in->take<uint32_t>());
  const auto* first = reinterpret_cast<const uint8_t*>(raw.data());
  return {first, first + raw.size()};
}

void check_places(const bytecode::Reader& in, const NativeImage& image) {
  in.check(image.end <= image.code.size(), "instructions beyond the end");
  uint32_t last = 0;
  for (const NativeImage::Place& step : image.steps) {
    in.check(step.offset >= last && step.offset <= image.end, "steps out of order");
    last = step.offset;
  }
  for (const NativeImage::Place& entry : image.entries) in.check(entry.offset <= image.end, "an entry beyond the end");
  for (const NativeImage::Exit& exit : image.exits) in.check(exit.offset <= image.end, "an exit beyond the end");
}

}  // namespace

NativeImage image_of(const vm::FunctionBinding& function, const NativeFunction& native) {
  NativeImage image;
  image.function = function.number();
  for (size_t i = 0; i < function.function().params.size(); ++i) image.params.push_back(param_text(function, i));
  image.address = reinterpret_cast<uintptr_t>(native.code->address());
  image.end = native.instructions_end;
  image.code = bytes_of(*native.code);
  image.code.resize(native.code_bytes);
  image.branches = native.speculation.branches;
  image.names[reinterpret_cast<uintptr_t>(&vm::execute_for_native)] = "vm::execute_for_native";
  for (const vm::Step& step : function.steps())
    image.names[reinterpret_cast<uintptr_t>(&step)] = "step " + std::to_string(step.pc);
  for (const vm::Native::EntryPoint& entry : native.entries)
    image.entries.push_back({entry.pc, static_cast<uint32_t>(reinterpret_cast<uintptr_t>(entry.run) - image.address)});
  for (size_t i = 0; i < native.exits.size(); ++i)
    image.exits.push_back(
        {native.exits[i].pc, native.exit_offsets[i], std::string(info(native.exits[i].reason).trace)});
  for (const NativeFunction::Mark& mark : native.marks) {
    image.steps.push_back({mark.pc, mark.offset});
    if (mark.loop) image.loops.push_back(loop_of(function, *mark.loop));
  }
  return image;
}

std::vector<std::byte> encode(const NativeImage& image) {
  bytecode::Writer body;
  const auto place = [&](const NativeImage::Place& p) {
    body.put(p.pc);
    body.put(p.offset);
  };
  body.put(image.function);
  body.list(image.params, [&](const std::string& text) { body.text(text); });
  body.put(image.address);
  body.put(image.end);
  put_all(&body, image.code);
  body.list(image.steps, place);
  body.list(image.entries, place);
  body.list(image.exits, [&](const NativeImage::Exit& exit) {
    place({exit.pc, exit.offset});
    body.text(exit.reason);
  });
  put_all(&body, image.branches);
  body.put(static_cast<uint32_t>(image.names.size()));
  for (const auto& [address, name] : image.names) {
    body.put(address);
    body.text(name);
  }
  body.list(image.loops, [&](const NativeImage::Loop& loop) {
    body.put(loop.pc);
    body.text(loop.why_not);
    put_all(&body, loop.code);
  });
  bytecode::Writer out;
  out.raw(kMagic.data(), kMagic.size());
  out.put(kVersion);
  out.put(bytecode::crc32c(body.bytes()));
  out.raw(body.bytes().data(), body.bytes().size());
  return std::move(out.bytes());
}

NativeImage decode_image(std::span<const std::byte> bytes) {
  bytecode::Reader in("native", bytes);
  const std::span<const std::byte> magic = in.raw(kMagic.size());
  in.check(std::memcmp(magic.data(), kMagic.data(), kMagic.size()) == 0, "no native code of emberjit");
  in.check(in.take<uint32_t>() == kVersion, "of another version");
  in.check(in.take<uint32_t>() == bytecode::crc32c(bytes.subspan(kHead)), "checksum differs");
  NativeImage image;
  const auto place = [&] {
    const auto pc = in.take<uint32_t>();
    return NativeImage::Place{pc, in.take<uint32_t>()};
  };
  image.function = in.take<uint32_t>();
  image.params = in.list(4, [&] { return in.text(); });
  image.address = in.take<uint64_t>();
  image.end = in.take<uint32_t>();
  image.code = take_bytes(&in);
  image.steps = in.list(8, place);
  image.entries = in.list(8, place);
  image.exits = in.list(12, [&] {
    const NativeImage::Place p = place();
    return NativeImage::Exit{p.pc, p.offset, in.text()};
  });
  for (const uint8_t side : take_bytes(&in)) image.branches.push_back(static_cast<int8_t>(side));
  const auto names = in.take<uint32_t>();
  for (uint32_t i = 0; i < names; ++i) {
    const auto address = in.take<uint64_t>();
    image.names[address] = in.text();
  }
  image.loops = in.list(12, [&] {
    const auto pc = in.take<uint32_t>();
    std::string why = in.text();
    return NativeImage::Loop{pc, std::move(why), take_bytes(&in)};
  });
  in.end();
  check_places(in, image);
  return image;
}

}  // namespace ember::tiers
