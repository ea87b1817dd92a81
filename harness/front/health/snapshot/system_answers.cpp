// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/snapshot/system_answers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/nvme_ioctl.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/timex.h>

#include <cstdio>
#include <sstream>

#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/link/ethtool_statistics.hpp"
#include "harness/machine/tree.hpp"

namespace assay::health {
namespace {

constexpr std::size_t smart_bytes = 512;

std::string smart_log_of(const std::string& controller) {
  const core::Descriptor device(::open(("/dev/" + controller).c_str(), O_RDONLY | O_CLOEXEC));
  if (!device) return "";
  std::string page(smart_bytes, '\0');
  nvme_admin_cmd command{};
  constexpr std::uint8_t get_log_page = 0x02, smart = 0x02;
  command.opcode = get_log_page;
  command.nsid = 0xffffffff;  // of the whole controller
  command.addr = reinterpret_cast<std::uintptr_t>(page.data());
  command.data_len = smart_bytes;
  command.cdw10 = smart | (smart_bytes / 4 - 1) << 16;
  return ::ioctl(device.get(), NVME_IOCTL_ADMIN_CMD, &command) == 0 ? page : "";
}

std::optional<ClockState> clock_of_kernel() {
  timex clock{};
  if (::adjtimex(&clock) < 0) return {};
  const double us = (clock.status & STA_NANO) != 0 ? 1e-3 : 1;
  return ClockState{static_cast<std::uint64_t>(clock.status), static_cast<double>(clock.offset) * us,
                    static_cast<double>(clock.maxerror)};
}

std::optional<Space> space_at(const std::string& mount) {
  struct statvfs at{};
  if (::statvfs(mount.c_str(), &at) != 0) return {};
  return Space{std::uint64_t{at.f_blocks} * at.f_frsize, std::uint64_t{at.f_bavail} * at.f_frsize, at.f_files,
               at.f_favail};
}

/// "Fabric Manager version is : 535.161.08"
std::string installed_fabric_manager() {
  const core::Handle<FILE*, ::pclose> pipe(::popen("/usr/bin/nv-fabricmanager --version 2>/dev/null", "re"));
  std::string text;
  char block[512];
  while (pipe && std::fgets(block, sizeof(block), pipe.get()) != nullptr) text += block;
  const auto digits = text.find_first_of("0123456789");
  if (digits == std::string::npos) return "";
  return text.substr(digits, text.find_first_not_of("0123456789.", digits) - digits);
}

SystemAnswers of_this_machine() {
  return {.smart_log = smart_log_of,
          .module = link::module_in,
          .statistics = link::read_ethtool_statistics,
          .clock = clock_of_kernel,
          .space = space_at,
          .fabric_manager_version = installed_fabric_manager};
}

std::map<std::string, std::uint64_t> statistics_in(const std::string& text) {
  std::map<std::string, std::uint64_t> values;
  std::istringstream lines(text);
  std::string name, value;
  while (lines >> name >> value)
    if (const auto count = machine::count_from(value)) values[name] = *count;
  return values;
}

std::optional<ClockState> clock_in(const std::string& text) {
  ClockState clock;
  std::istringstream words(text);
  if (!(words >> clock.status >> clock.offset_us >> clock.largest_error_us)) return {};
  return clock;
}

std::optional<Space> space_in(const std::string& text, const std::string& wanted) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string mount;
    Space space;
    if (words >> mount >> space.bytes >> space.free_bytes >> space.files >> space.free_files &&
        mount == wanted)
      return space;
  }
  return {};
}

}  // namespace

SystemAnswers answers_below(const std::string& root) {
  const machine::Tree tree(root);
  if (tree.is_this_machine()) return of_this_machine();
  return {.smart_log =
              [tree](const std::string& controller) {
                return tree.read_bytes("/answers/" + controller + ".smart", smart_bytes).value_or("");
              },
          .module = [tree](const std::string& netdev) -> link::ReadModule {
            return [tree, netdev](int page, int offset) -> link::ModuleBytes {
              const std::string file = fmt::format("/answers/{}.module.{}.{}", netdev, page, offset);
              const auto bytes = tree.read_bytes(file, smart_bytes);
              return {bytes.value_or(""), bytes ? "" : "no " + file.substr(1)};
            };
          },
          .statistics =
              [tree](const std::string& netdev) {
                return statistics_in(tree.text("/answers/" + netdev + ".statistics"));
              },
          .clock = [tree] { return clock_in(tree.text("/answers/clock")); },
          .space = [tree](const std::string& mount) { return space_in(tree.text("/answers/space"), mount); },
          .fabric_manager_version = [tree] { return tree.text("/answers/fabric_manager"); }};
}

}  // namespace assay::health
