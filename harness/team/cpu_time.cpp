// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/cpu_time.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>

#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"

namespace assay::team {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// A name of this process, equal for ranks that are its threads, in whichever container.
std::string this_process() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  struct stat pids{};
  stat("/proc/self/ns/pid", &pids);
  return fmt::format("{}:{}:{}", boot, pids.st_ino, getpid());
}

}  // namespace

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

double CpuTime::gathered_s(Team& team, bool takes_part) const {
  const std::string own = takes_part ? fmt::format("{} {}", this_process(), spent_s_) : std::string();
  std::set<std::string> counted;
  double all_s = 0;
  for (const std::string& text : team.gather_at_leader(own, reply_limit_s)) {
    const std::size_t gap = text.find(' ');
    if (gap != std::string::npos && counted.insert(text.substr(0, gap)).second)
      all_s += std::stod(text.substr(gap + 1));
  }
  return all_s;
}

std::optional<core::Metric> cpu_metric(double cpu_s, double bytes) {
  if (bytes <= 0) return std::nullopt;
  return core::Metric{core::names::cpu_s_per_gb, "s/GB", cpu_s / (1e-9 * bytes)};
}

}  // namespace assay::team
