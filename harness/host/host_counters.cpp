// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/host_counters.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace assay::host {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::optional<double> cpuinfo_mhz(int cpu, const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  int processor = -1;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream value(line.substr(colon + 1));
    double mhz = 0;
    if (line.starts_with("processor")) value >> processor;
    if (processor == cpu && line.starts_with("cpu MHz") && value >> mhz) return mhz;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CpuTime> read_cpu_time(const std::string& root) {
  std::ifstream file(root + "/proc/stat");
  std::string label;
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  if (!(file >> label >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal) ||
      label != "cpu")
    return std::nullopt;
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return CpuTime{(user + nice + system + irq + softirq) / ticks, steal / ticks};
}

std::optional<double> read_cpu_mhz(int cpu, const std::string& root) {
  std::ifstream file(root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/cpufreq/scaling_cur_freq");
  double khz = 0;
  if (file >> khz) return khz * 1e-3;
  return cpuinfo_mhz(cpu, root);
}

HostCounters::Reading HostCounters::read() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {.voluntary_switches = usage.ru_nvcsw,
          .involuntary_switches = usage.ru_nivcsw,
          .major_faults = usage.ru_majflt,
          .minor_faults = usage.ru_minflt,
          .process_cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
          .machine = read_cpu_time(),
          .cpu_mhz = read_cpu_mhz(sched_getcpu())};
}

void HostCounters::begin() {
  before_ = read();
  after_ = before_;
}

void HostCounters::end() { after_ = read(); }

std::vector<core::Fact> HostCounters::facts() const {
  const auto counted = [](long before, long after) { return std::int64_t{after - before}; };
  std::vector<core::Fact> all = {
      {"voluntary_context_switches", counted(before_.voluntary_switches, after_.voluntary_switches)},
      {"involuntary_context_switches", counted(before_.involuntary_switches, after_.involuntary_switches)},
      {"major_page_faults", counted(before_.major_faults, after_.major_faults)},
      {"minor_page_faults", counted(before_.minor_faults, after_.minor_faults)}};
  if (before_.machine && after_.machine) {
    const double busy_s = after_.machine->busy_s - before_.machine->busy_s;
    const double own_s = after_.process_cpu_s - before_.process_cpu_s;
    all.emplace_back("steal_s", after_.machine->steal_s - before_.machine->steal_s);
    // CPU time that other processes took of this machine meanwhile; the kernel counts in ticks of 10 ms, so
    // small values are noise.
    all.emplace_back("other_processes_cpu_s", std::max(0.0, busy_s - own_s));
  }
  if (before_.cpu_mhz) all.emplace_back("cpu_mhz_before", *before_.cpu_mhz);
  if (after_.cpu_mhz) all.emplace_back("cpu_mhz_after", *after_.cpu_mhz);
  return all;
}

}  // namespace assay::host
