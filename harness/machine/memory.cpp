// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory: how much, in which pages, and how much of it the control group lets this process have.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

std::int64_t meminfo_bytes(const std::string& meminfo, const std::string& name) {
  const auto text = value_in_lines(meminfo, name, ':');
  std::int64_t kilobytes = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), kilobytes);
  return kilobytes * 1024;
}

/// The word in brackets: "always [madvise] never".
std::string chosen(const std::string& text) {
  const auto open = text.find('['), close = text.find(']');
  return open == std::string::npos || close == std::string::npos ? ""
                                                                 : text.substr(open + 1, close - open - 1);
}

struct Limit {
  std::int64_t bytes = 0, used_bytes = 0;
};

/// The tightest limit from this group up to the root of its hierarchy.
std::optional<Limit> tightest(const Tree& tree, const std::string& mount, std::string group,
                              const std::string& limit_file, const std::string& usage_file) {
  std::optional<Limit> found;
  for (;;) {
    const std::string directory = mount + (group == "/" ? "" : group) + "/";
    const auto bytes = tree.read_integer(directory + limit_file);
    if (bytes && (!found || *bytes < found->bytes))
      found = Limit{*bytes, tree.read_integer(directory + usage_file).value_or(0)};
    if (group.empty() || group == "/") return found;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

/// Lines of /proc/self/cgroup are number:controllers:group; version 2 has number 0 and no controllers.
std::optional<Limit> control_group_limit(const Tree& tree) {
  std::istringstream lines(tree.text("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first, second - first);  // ":cpu,memory"
    const std::string group = line.substr(second + 1);
    std::optional<Limit> limit;
    if (controllers.find("memory") != std::string::npos)
      limit =
          tightest(tree, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes");
    else if (controllers == ":")
      limit = tightest(tree, "/sys/fs/cgroup", group, "memory.max", "memory.current");
    if (limit) return limit;
  }
  return {};
}

}  // namespace

Memory read_memory(const Tree& tree, Notes& notes) {
  Memory memory;
  const std::string meminfo = tree.text("/proc/meminfo");
  memory.bytes = meminfo_bytes(meminfo, "MemTotal");
  memory.available_bytes = meminfo_bytes(meminfo, "MemAvailable");
  if (memory.bytes == 0)
    notes.emplace_back(
        "/proc/meminfo has no MemTotal: footprints cannot be checked against this machine's memory");
  if (tree.is_this_machine()) memory.page_bytes = sysconf(_SC_PAGESIZE);
  memory.transparent_huge_pages = chosen(tree.text("/sys/kernel/mm/transparent_hugepage/enabled"));
  for (const std::string& name : tree.list("/sys/kernel/mm/hugepages")) {
    std::int64_t kilobytes = 0;
    constexpr std::string_view prefix = "hugepages-";
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), kilobytes);
    const auto free = tree.read_integer("/sys/kernel/mm/hugepages/" + name + "/free_hugepages");
    if (kilobytes > 0 && free) memory.huge_page_pools.emplace_back(kilobytes * 1024, *free);
  }
  std::sort(memory.huge_page_pools.begin(), memory.huge_page_pools.end());
  if (const auto limit = control_group_limit(tree); limit && limit->bytes < memory.bytes) {
    memory.limit_bytes = limit->bytes;
    memory.available_bytes =
        std::min(memory.available_bytes, std::max<std::int64_t>(0, limit->bytes - limit->used_bytes));
  }
  return memory;
}

}  // namespace assay::machine
