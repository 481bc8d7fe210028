// Where print ops write: standard output, until somebody (Python, for sys.stdout) sets another sink.
#pragma once

#include <functional>
#include <string>

namespace ember::ops {

using PrintSink = std::function<void(const std::string&)>;
void set_print_sink(PrintSink sink);  // an empty one: standard output; to be set before any op runs
void print(const std::string& text);

}  // namespace ember::ops
