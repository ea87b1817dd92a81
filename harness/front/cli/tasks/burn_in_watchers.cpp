// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/burn_in_watchers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <optional>
#include <sstream>
#include <thread>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/clock.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/health/check_node.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/logbook.hpp"
#include "harness/front/health/snapshot/vitals.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/machine/pretended_node.hpp"
#include "results/record/timeline.hpp"

namespace assay::cli {
namespace {

using health::Finding;
using results::TimelineEntry;

constexpr double window_s = 2;        // between the two readings of a first check
constexpr double interrupted_s = 10;  // longest check once the burn-in was interrupted
constexpr double dies_within_s = 10;  // it has mapped and pinned nothing

TimelineEntry entry_of(const Finding& finding, const std::string& utc) {
  return {.time = utc,
          .kind = "finding",
          .unit = finding.unit,
          .value = std::string(to_string(finding.status)),
          .more = health::fields_of(finding)};
}

Finding finding_from(const TimelineEntry& entry) {
  return {.check = entry.text("check"),
          .unit = entry.unit,
          .status = health::status_from(entry.word(), "the health check"),
          .evidence = entry.text("evidence"),
          .meaning = entry.text("meaning"),
          .action = health::action_from(entry.text("action"), "the health check")};
}

TimelineEntry entry_of(const health::Vital& vital, double at_s) {
  TimelineEntry entry{.time = core::iso_time_now(), .at_s = at_s, .kind = vital.kind, .unit = vital.unit};
  if (vital.value)
    entry.value = *vital.value;
  else
    entry.value = results::entry_word::unknown, entry.more = {{"why", vital.why_unknown}};
  return entry;
}

}  // namespace

void refuse_bad_look(const LookFlags& flags) {
  if (!flags.expect.empty())
    health::read_expectation(flags.expect, health::name_of_node(machine::pretended_root()));
  health::read_logbook(flags.logbook);
  health::require_known({flags.without.begin(), flags.without.end()});
}

std::vector<std::string> look_words(const LookFlags& flags) {
  std::vector<std::string> words{"--look", "--logbook", flags.logbook};
  if (!flags.expect.empty()) words.insert(words.end(), {"--expect", flags.expect});
  for (const std::string& check : flags.without) words.insert(words.end(), {"--without", check});
  return words;
}

int look_once(const LookFlags& flags) {
  health::CheckOrder order;
  if (!flags.expect.empty())
    order.expected = health::read_expectation(flags.expect, health::name_of_node(machine::pretended_root()));
  order.expected.job = {};  // load does not change what jobs find before they start
  order.waived = {flags.without.begin(), flags.without.end()};
  order.logbook = flags.logbook;
  order.read = [] {
    return health::read_snapshot(machine::pretended_root(), health::read_gpus(machine::Nvml::shared()));
  };
  order.wait = [] { std::this_thread::sleep_for(std::chrono::duration<double>(window_s)); };
  order.utc = core::iso_time_now();
  for (const Finding& finding : health::check_node(order)) std::cout << to_line(entry_of(finding, order.utc));
  return 0;
}

std::vector<Finding> findings_of(const std::vector<std::string>& command, double limit_s,
                                 const std::atomic<int>& signals) {
  const auto cannot = [](const std::string& why) {
    return core::Error(core::ErrorKind::system, "the health check gave no answer: " + why);
  };
  const suite::Output output = suite::run_and_read(
      command, {.limit_s = limit_s, .dies_within_s = dies_within_s, .interrupted_s = interrupted_s},
      &signals);
  const std::string& behind = output.ending.left_behind;
  if (output.timed_out)
    throw cannot(fmt::format("none within {:g} s{}{}", limit_s, behind.empty() ? "" : "; ", behind));
  if (signals > 0 && output.ending.signal != 0) return {};
  if (output.ending.signal != 0) throw cannot(fmt::format("ended by signal {}", output.ending.signal));
  if (output.ending.exit_code != 0) throw cannot(fmt::format("exit code {}", output.ending.exit_code));
  std::vector<Finding> findings;
  std::istringstream lines(output.text);
  for (std::string line; std::getline(lines, line);) {
    const auto entry = results::timeline_entry_from(line);
    if (!entry) throw cannot(fmt::format("it said '{}'", line));
    findings.push_back(finding_from(*entry));
  }
  if (findings.empty()) throw cannot("it said nothing");
  return findings;
}

std::vector<std::string> sample_words(const SampleFlags& flags) {
  return {"--sample-into",  flags.into,
          "--sample-from",  fmt::format("{}", flags.from_s),
          "--sample-every", fmt::format("{}", flags.every_s)};
}

int sample_until_stopped(const SampleFlags& flags) {
  const std::atomic<int>& stops = count_interrupts();
  health::VitalsReader reader(machine::pretended_root(), machine::Nvml::shared());
  const results::TimelineWriter writer(flags.into);
  core::SteadyClock clock;
  const double began_s = clock.seconds();
  for (bool last = false; !last;) {
    last = stops > 0;
    const double at_s = flags.from_s + clock.seconds() - began_s;
    for (const health::Vital& vital : reader.read()) writer.write(entry_of(vital, at_s));
    const double until_s = clock.seconds() + flags.every_s;
    while (!last && stops == 0 && clock.seconds() < until_s)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return 0;
}

}  // namespace assay::cli
