// The commands of vmtool, each in a file of its own. They write to stdout and throw on errors; run_command prints these
// as one line.
#pragma once

#include <string>
#include <vector>

namespace ember::vmtool {

using Words = std::vector<std::string>;

int run_command(const Words& arguments);  // the name of one and its words; the program's exit code

void disasm(const Words& words);   // disasm MODULE|FOLDER [--fn F] [--bound] [--native]
void diff(const Words& words);     // diff MODULE MODULE
void verify(const Words& words);   // verify MODULE
void graph(const Words& words);    // graph FILE [--output MODULE]
void run(const Words& words);      // run MODULE --input ... [--output FILE.npy ...]
void stats(const Words& words);    // stats MODULE [--input ...]
void trace(const Words& words);    // trace MODULE --input ...
void profile(const Words& words);  // profile MODULE --input ...

}  // namespace ember::vmtool
