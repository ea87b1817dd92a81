// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Forms of lines: Linux 4.18 to 6.12, arch/x86/mm/fault.c (show_signal_msg), arch/x86/kernel/traps.c
// (show_signal), arch/arm64/kernel/traps.c, mm/oom_kill.c, mm/memcontrol.c, mm/page_alloc.c,
// kernel/hung_task.c, kernel/watchdog.c, kernel/cgroup/pids.c, lib/dump_stack.c.
#include "harness/front/health/kernel_log/process_names.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "harness/front/health/kernel_log/line_pattern.hpp"

namespace assay::health {
namespace {

constexpr std::size_t longest_name = 15;  // TASK_COMM_LEN, without the zero
constexpr std::string_view anonymous = "process";

struct Piece {
  std::size_t begin = 0, end = 0;
};

std::size_t digits_end(std::string_view line, std::size_t from) {
  while (from < line.size() && is_digit(line[from])) ++from;
  return from;
}

/// NAME of "NAME[4242]: segfault at 0 ...", with or without "traps: " before it. The last bracket that a name
/// can reach counts, since the name may hold one itself.
std::optional<Piece> crashed(std::string_view line) {
  constexpr std::string_view traps = "traps: ";
  const std::size_t begin = line.starts_with(traps) ? traps.size() : 0;
  std::optional<Piece> found;
  for (std::size_t bracket = line.find('[', begin); bracket <= begin + longest_name;
       bracket = line.find('[', bracket + 1)) {
    const std::size_t end = digits_end(line, bracket + 1);
    if (end > bracket + 1 && line.substr(end).starts_with("]") && bracket > begin)
      found = Piece{begin, bracket};
  }
  return found;
}

/// Between `before` and the last `after`.
std::optional<Piece> between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t begin = line.find(before);
  const std::size_t end = line.rfind(after);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + before.size())
    return {};
  return Piece{begin + before.size(), end};
}

std::optional<Piece> from_start_to(std::string_view line, std::string_view after) {
  const std::size_t end = line.find(after);
  if (end == std::string_view::npos || end == 0 || end > longest_name) return {};
  return Piece{0, end};
}

std::optional<Piece> rest_after(std::string_view line, std::string_view before, bool at_start = false) {
  const std::size_t begin = line.find(before);
  if (begin == std::string_view::npos || (at_start && begin != 0)) return {};
  return Piece{begin + before.size(), line.size()};
}

/// Behind "Killed process 4242 (" and "reaped process 4242 (": names, then sizes.
std::optional<Piece> killed(std::string_view line) {
  for (const std::string_view before : {"Killed process ", "reaped process "}) {
    const std::size_t begin = line.find(before);
    if (begin == std::string_view::npos) continue;
    return Piece{digits_end(line, begin + before.size()), line.size()};
  }
  return {};
}

/// The first form of a line of a process that fits; what no user names has none.
std::optional<Piece> name_in(std::string_view line) {
  using Form = std::optional<Piece> (*)(std::string_view);
  constexpr std::array<Form, 11> forms{
      killed,
      [](std::string_view text) { return rest_after(text, "oom-kill:", true); },
      [](std::string_view text) { return rest_after(text, "Memory cgroup stats for ", true); },
      [](std::string_view text) {
        return rest_after(text, "cgroup: fork rejected by pids controller in ", true);
      },
      [](std::string_view text) { return from_start_to(text, " invoked oom-killer"); },
      [](std::string_view text) { return from_start_to(text, ": page allocation failure"); },
      [](std::string_view text) -> std::optional<Piece> {
        return text.starts_with("INFO: task ") ? between(text, "INFO: task ", " blocked ") : std::nullopt;
      },
      [](std::string_view text) { return between(text, "s! [", "]"); },
      [](std::string_view text) { return rest_after(text, " Comm: "); },
      [](std::string_view text) -> std::optional<Piece> {
        return text.starts_with("NVRM: Xid (") ? between(text, ", name=", ", ") : std::nullopt;
      },
      crashed,
  };
  for (const Form form : forms)
    if (const auto found = form(line)) return found;
  return {};
}

}  // namespace

std::string without_process_names(std::string_view line) {
  const auto name = name_in(line);
  if (!name) return std::string(line);
  std::string clean(line.substr(0, name->begin));
  clean += anonymous;
  std::string_view rest = line.substr(name->end);
  // " in libc.so.6[7f00+1000]": the name of a file.
  if (rest.find("]: segfault at ") != std::string_view::npos || line.starts_with("traps: "))
    rest = rest.substr(0, rest.find(" in "));
  return clean.append(rest);
}

}  // namespace assay::health
