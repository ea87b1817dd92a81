// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Forms: Fabric Manager 550 to 580; leptonai/gpud 4a8de33a, components/accelerator/nvidia/fabric-manager.
#include "harness/front/health/kernel_log/manager_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/core/printable.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/tree.hpp"

namespace assay::health {
namespace {

constexpr const char* configuration = "/usr/share/nvidia/nvswitch/fabricmanager.cfg";
constexpr const char* usual_file = "/var/log/fabricmanager.log";

struct Level {
  std::string_view name;
  int kernel_level;
};
constexpr int critical = 2, error = 3, warning = 4;
constexpr std::array levels{Level{"CRITICAL", critical}, Level{"ERROR", error}, Level{"WARNING", warning},
                            Level{"INFO", informational_level}};

/// Takes "[text] " off the start of `line`; nothing where it does not begin so.
std::optional<std::string> take_bracket(std::string_view& line) {
  const std::size_t close = line.find("] ");
  if (!line.starts_with('[') || close == std::string_view::npos) return {};
  std::string inside(line.substr(1, close - 1));
  line.remove_prefix(close + 2);
  return inside;
}

std::optional<std::uint64_t> seconds_of(const std::string& stamp) {
  std::tm local{};
  local.tm_isdst = -1;
  const char* const end = ::strptime(stamp.c_str(), "%b %d %Y %H:%M:%S", &local);
  if (end == nullptr || *end != '\0') return {};
  const std::time_t seconds = ::mktime(&local);
  return seconds > 0 ? std::optional(static_cast<std::uint64_t>(seconds)) : std::nullopt;
}

/// The number behind `word`, such as " port 61".
std::optional<int> number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return {};
  int number = 0;
  const char* const first = line.data() + at + word.size();
  return std::from_chars(first, line.data() + line.size(), number).ec == std::errc() ? std::optional(number)
                                                                                     : std::nullopt;
}

std::optional<KernelEvent> switch_error(std::string_view text) {
  for (const auto& [words, fatal] :
       {std::pair{std::string_view("detected NVSwitch fatal error "), true},
        std::pair{std::string_view("detected NVSwitch non-fatal error "), false}}) {
    if (!text.starts_with(words)) continue;
    const auto code = number_behind(text, words);
    if (!code) return {};
    KernelEvent event = nvswitch_event(*code, fatal, text);
    event.check = manager_log_check;
    if (const auto port = number_behind(text, " port ")) event.label += fmt::format(", port {}", *port);
    return event;
  }
  return {};
}

std::optional<KernelEvent> meaning_of(std::string_view text, int level) {
  if (auto event = switch_error(text)) return event;
  KernelEvent event{.check = manager_log_check, .address = address_in(text), .label = "", .advice = {}};
  if (level > error) return {};
  if (level == critical) {
    event.label = "critical error";
    event.status = Status::unknown;
    event.advice = {"the manager gave up something that this version does not know", Action::drain};
  } else {
    const bool no_gpu = text.starts_with("failed to find the GPU handle");
    event.label = no_gpu ? "a GPU is missing from a multicast team" : "error";
    event.status = Status::noticed;
    event.advice = {no_gpu ? "a program asked for NVLink SHARP on a GPU that the manager does not know"
                           : "the manager reports an error that this version does not know",
                    Action::monitor};
  }
  return event;
}

std::optional<KernelRecord> record_in(std::string_view line) {
  std::string_view rest = line;
  const auto stamp = take_bracket(rest);
  const auto level = stamp ? take_bracket(rest) : std::nullopt;
  const auto thread = level ? take_bracket(rest) : std::nullopt;
  const auto seconds = thread ? seconds_of(*stamp) : std::nullopt;
  const auto* const known = std::ranges::find(levels, level.value_or(""), &Level::name);
  if (!seconds || known == levels.end() || !thread->starts_with("tid ")) return {};
  constexpr std::size_t longest = 4096;
  return KernelRecord{.sequence = 0,
                      .microseconds = *seconds * 1'000'000,
                      .level = known->kernel_level,
                      .text = core::printable(line, longest),
                      .event = meaning_of(rest, known->kernel_level)};
}

/// A file's last bytes, from the start of a line; nothing where it cannot be read, with errno.
std::optional<std::string> end_of_file(const std::string& path) {
  constexpr std::streamoff most = std::streamoff{32} << 20;
  errno = 0;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - most));
  std::string cut;
  if (size > most) std::getline(file, cut);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

ManagerLog without(std::string why, bool absent) {
  ManagerLog log;
  log.unavailable = std::move(why);
  log.absent = absent;
  return log;
}

}  // namespace

KernelLog parse_manager_log(const std::string& text) {
  KernelLog log;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (auto record = record_in(line))
      log.records.push_back(std::move(*record));
    else if (log.records.empty() && !line.empty())
      ++log.malformed;
  }
  number_by_time(log);
  return log;
}

ManagerLog read_manager_log(const std::string& root, std::uint64_t started_s) {
  const std::string settings = machine::Tree(root).text(configuration);
  if (machine::value_in_lines(settings, "LOG_USE_SYSLOG", '=') == "1")
    return without(std::string(configuration) + " sends it to syslog", true);
  const std::string file = machine::value_in_lines(settings, "LOG_FILE_NAME", '=').value_or(usual_file);
  const auto newest = end_of_file(root + file);
  if (!newest) return without(fmt::format("{}: {}", file, std::strerror(errno)), errno == ENOENT);
  ManagerLog log{parse_manager_log(end_of_file(root + file + ".1").value_or("") + *newest)};
  if (log.records.empty() && log.malformed > 0)
    return without(file + ": not in the form of a fabric manager's log", false);
  std::erase_if(log.records,
                [&](const KernelRecord& record) { return record.microseconds < started_s * 1'000'000; });
  return log;
}

}  // namespace assay::health
