// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/cpu_list.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>

#include "harness/machine/tree.hpp"

namespace assay::machine {

namespace {

constexpr int most_cpus = 1 << 16;

/// Reads a CPU number from the front of `text`; -1 when there is none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0 || number >= most_cpus) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::vector<int> affinity() {
  std::vector<int> cpus;
  const std::size_t bytes = CPU_ALLOC_SIZE(most_cpus);
  std::vector<unsigned char> storage(bytes);
  auto* set = reinterpret_cast<cpu_set_t*>(storage.data());
  if (sched_getaffinity(0, bytes, set) != 0) return cpus;
  for (int cpu = 0; cpu < most_cpus; ++cpu)
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set)) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  while (!text.empty()) {
    const int first = take_number(text);
    int last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      last = take_number(text);
    }
    if (first < 0 || last < first) return {};
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    if (text.empty()) break;
    if (text.front() != ',' || text.size() == 1) return {};
    text.remove_prefix(1);
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

std::string format_cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < cpus.size(); first = last + 1) {
    last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[first]);
    if (last > first) text += '-' + std::to_string(cpus[last]);
  }
  return text;
}

std::vector<int> usable_cpus(const Tree& tree) {
  if (tree.is_this_machine()) return affinity();
  return parse_cpu_list(tree.text("/sys/devices/system/cpu/online")).value_or(std::vector<int>{});
}

}  // namespace assay::machine
