// Reads /proc/self/cgroup for the group and /sys/fs/cgroup for its limits. Inside a container the group's path may not
// exist below the mount; its parents, the mount itself last, are then what counts.
#include "ops/base/cpu_limit.h"

#include <sched.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace ember::ops {
namespace {

int tighter(int a, int b) { return a == 0 ? b : b == 0 ? a : a < b ? a : b; }

int cpus(double quota, double period) {
  return quota > 0 && period > 0 ? static_cast<int>(std::ceil(std::min(quota / period, 4096.0))) : 0;
}

int limit_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max") return 0;
  return cpus(std::strtod(quota.c_str(), nullptr), period);
}

int limit_v1(const std::string& folder) {
  double quota = 0;
  double period = 0;
  std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
  std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return cpus(quota, period);
}

int limit_upwards(const std::string& mount, std::string path, int (*limit)(const std::string&)) {
  int tightest = 0;
  while (true) {
    tightest = tighter(tightest, limit(mount + path));
    size_t slash = path.rfind('/');
    if (slash == std::string::npos) return tightest;
    path.resize(slash);
  }
}

bool names_cpu(const std::string& controllers) {
  std::istringstream list(controllers);
  for (std::string item; std::getline(list, item, ',');) {
    if (item == "cpu") return true;
  }
  return false;
}

}  // namespace

int affinity_cpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? count : 1;
}

int cgroup_cpus(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  int tightest = 0;
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) {
      tightest = tighter(tightest, limit_upwards(root + "/sys/fs/cgroup", path, limit_v2));
    } else if (names_cpu(controllers)) {
      tightest = tighter(tightest, limit_upwards(root + "/sys/fs/cgroup/" + controllers, path, limit_v1));
      tightest = tighter(tightest, limit_upwards(root + "/sys/fs/cgroup/cpu", path, limit_v1));
    }
  }
  return tightest;
}

}  // namespace ember::ops
