// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

namespace assay::host {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// Value in bytes of the line that holds `key` ("MemAvailable:  123 kB", "Node 0 MemFree:  123 kB").
std::optional<std::int64_t> kilobytes(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) continue;
    std::istringstream rest(line.substr(at + key.size()));
    std::int64_t value = 0;
    if (rest >> value) return value * 1024;
  }
  return std::nullopt;
}

std::optional<std::int64_t> number(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;  // "max" is not a number: there is no limit
  return std::nullopt;
}

std::int64_t node_available(int node, const std::string& root) {
  const std::string path = root + "/sys/devices/system/node/node" + std::to_string(node) + "/meminfo";
  const auto free = kilobytes(path, " MemFree:");
  if (!free) return no_limit;
  return *free + kilobytes(path, " Active(file):").value_or(0) +
         kilobytes(path, " Inactive(file):").value_or(0);
}

std::int64_t left(const std::optional<std::int64_t>& limit, const std::optional<std::int64_t>& used) {
  return limit ? std::max<std::int64_t>(0, *limit - used.value_or(0)) : no_limit;
}

/// The cgroup this process is in: "0::/user.slice/x" (version 2), "9:memory:/x" (version 1).
std::int64_t cgroup_available(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::int64_t least = no_limit;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::")) {
      const std::string base = root + "/sys/fs/cgroup" + line.substr(3);
      least = std::min(least, left(number(base + "/memory.max"), number(base + "/memory.current")));
    } else if (const std::size_t at = line.find(":memory:"); at != std::string::npos) {
      const std::string base = root + "/sys/fs/cgroup/memory" + line.substr(at + 8);
      least = std::min(
          least, left(number(base + "/memory.limit_in_bytes"), number(base + "/memory.usage_in_bytes")));
    }
  }
  return least;
}

}  // namespace

std::int64_t available_memory_bytes(int node, const std::string& root) {
  const std::int64_t machine = kilobytes(root + "/proc/meminfo", "MemAvailable:").value_or(no_limit);
  const std::int64_t near = node < 0 ? no_limit : node_available(node, root);
  return std::min({machine, near, cgroup_available(root)});
}

std::int64_t resident_bytes(const std::string& root) {
  return kilobytes(root + "/proc/self/status", "RssAnon:").value_or(0);
}

}  // namespace assay::host
