// How many CPUs this process may use at once: its affinity, and the limit of its control group (v1 and v2, the tightest
// of the group and its parents).
#pragma once

#include <string>

namespace ember::ops {

int affinity_cpus();
int cgroup_cpus(const std::string& root = "");  // 0: no limit; root stands before /proc and /sys, for tests

}  // namespace ember::ops
