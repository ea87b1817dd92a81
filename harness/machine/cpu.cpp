// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The processor: identity and features from /proc/cpuinfo, cores from sysfs, clocks and governor from
// cpufreq.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

const std::string cpu_root = "/sys/devices/system/cpu/";

/// Features that a case, a library or a reader asks for; /proc/cpuinfo lists some 150.
constexpr std::array asked = {"sse4_2",      "avx",          "f16c",        "fma",      "avx2",
                              "avx_vnni",    "avx512f",      "avx512bw",    "avx512dq", "avx512vl",
                              "avx512_vnni", "avx512_bf16",  "avx512_fp16", "amx_tile", "amx_bf16",
                              "amx_int8",    "amx_fp16",     "clflushopt",  "clwb",     "erms",
                              "movdir64b",   "constant_tsc", "nonstop_tsc", "pdpe1gb"};

int to_int(const std::optional<std::string>& text) {
  int value = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

std::optional<double> to_double(const std::optional<std::string>& text) {
  double value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc{}) return {};
  return value;
}

std::optional<double> mhz_from_khz(const Tree& tree, const std::string& path) {
  const auto khz = tree.read_integer(path);
  return khz && *khz > 0 ? std::optional(static_cast<double>(*khz) / 1e3) : std::nullopt;
}

void read_identity(const std::string& cpuinfo, Cpu& cpu) {
  cpu.vendor = value_in_lines(cpuinfo, "vendor_id", ':').value_or("");
  cpu.model = value_in_lines(cpuinfo, "model name", ':').value_or("");
  cpu.family = to_int(value_in_lines(cpuinfo, "cpu family", ':'));
  cpu.model_number = to_int(value_in_lines(cpuinfo, "model", ':'));
  cpu.stepping = to_int(value_in_lines(cpuinfo, "stepping", ':'));
  cpu.microcode = value_in_lines(cpuinfo, "microcode", ':').value_or("");
  std::istringstream flags(value_in_lines(cpuinfo, "flags", ':').value_or(""));
  std::set<std::string> present;
  for (std::string flag; flags >> flag;) present.insert(flag);
  for (const char* feature : asked)
    if (present.contains(feature)) cpu.features.emplace_back(feature);
}

void read_clocks(const Tree& tree, const std::string& cpuinfo, int cpu_number, Cpu& cpu, Notes& notes) {
  const std::string one = cpu_root + "cpu" + std::to_string(cpu_number);
  cpu.base_mhz = mhz_from_khz(tree, one + "/cpufreq/base_frequency");
  if (!cpu.base_mhz)
    if (const auto nominal = tree.read_integer(one + "/acpi_cppc/nominal_freq"); nominal && *nominal > 0)
      cpu.base_mhz = static_cast<double>(*nominal);
  cpu.max_mhz = mhz_from_khz(tree, one + "/cpufreq/cpuinfo_max_freq");
  cpu.current_mhz = mhz_from_khz(tree, one + "/cpufreq/scaling_cur_freq");
  if (!cpu.current_mhz) cpu.current_mhz = to_double(value_in_lines(cpuinfo, "cpu MHz", ':'));
  cpu.governor = tree.text(one + "/cpufreq/scaling_governor");
  if (const auto off = tree.read_integer(cpu_root + "intel_pstate/no_turbo"))
    cpu.boost = *off == 0;
  else if (const auto on = tree.read_integer(cpu_root + "cpufreq/boost"))
    cpu.boost = *on != 0;
  if (!cpu.max_mhz)
    notes.emplace_back("no cpufreq in " + cpu_root +
                       ": the maximum clock and the governor are unknown, so a throttled host looks like a "
                       "slow processor");
}

void count_cores(const Tree& tree, const std::vector<int>& cpus, Cpu& cpu, Notes& notes) {
  std::set<std::string> cores;
  std::set<std::int64_t> sockets;
  for (int number : cpus) {
    const std::string topology = cpu_root + "cpu" + std::to_string(number) + "/topology/";
    if (const auto siblings = tree.read(topology + "thread_siblings_list")) cores.insert(*siblings);
    if (const auto socket = tree.read_integer(topology + "physical_package_id")) sockets.insert(*socket);
  }
  cpu.threads = static_cast<int>(cpus.size());
  cpu.cores = static_cast<int>(cores.size());
  cpu.sockets = static_cast<int>(sockets.size());
  if (cores.empty() || sockets.empty())
    notes.emplace_back("no CPU topology in " + cpu_root +
                       ": cores and sockets are unknown, so hardware threads may share a core unseen");
}

}  // namespace

bool Cpu::has(const std::string& feature) const {
  return std::find(features.begin(), features.end(), feature) != features.end();
}

Cpu read_cpu(const Tree& tree, const std::vector<int>& cpus, Notes& notes) {
  Cpu cpu;
  // Every CPU has a block in /proc/cpuinfo; the first says it all.
  const std::string cpuinfo = tree.read("/proc/cpuinfo", 8 * 1024).value_or("");
  if (cpuinfo.empty())
    notes.emplace_back(
        "/proc/cpuinfo cannot be read: the processor's features are unknown, and cases that need one "
        "are unsupported");
  read_identity(cpuinfo, cpu);
  count_cores(tree, cpus, cpu, notes);
  read_clocks(tree, cpuinfo, cpus.empty() ? 0 : cpus.front(), cpu, notes);
  cpu.caches = read_caches(tree, cpus, notes);
  const auto online = parse_cpu_list(tree.text("/sys/devices/system/cpu/online"));
  if (online && online->size() > cpus.size())
    notes.push_back("this process may use " + std::to_string(cpus.size()) + " of " +
                    std::to_string(online->size()) +
                    " online CPUs: results are of that share of the machine");
  return cpu;
}

}  // namespace assay::machine
