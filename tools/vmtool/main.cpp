// vmtool: looks at module files and runs them, without Python.
#include "tiers/vmtool/commands.h"

int main(int argc, char** argv) { return ember::vmtool::run_command({argv + (argc > 0), argv + argc}); }
