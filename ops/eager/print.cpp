#include "ops/eager/print.h"

#include <cstdio>

namespace ember::ops {
namespace {

PrintSink& sink() {
  static PrintSink sink;
  return sink;
}

}  // namespace

void set_print_sink(PrintSink wanted) { sink() = std::move(wanted); }

void print(const std::string& text) {
  if (sink()) return sink()(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace ember::ops
