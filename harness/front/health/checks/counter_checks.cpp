// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Counters of GPUs, PCIe links and memory controllers: a table of what it means that one moved, and that one
// is above zero. Sources of the limits: docs/reference/health-checks.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/checks/movement.hpp"

namespace assay::health {
namespace {

struct Meaning {
  Status status;
  std::string_view text;
  Action action;
};

struct CounterRule {
  std::string_view check, counter;
  Meaning moved;                  // within the window
  Meaning standing;               // above zero, and did not move
  double allowed_per_minute = 0;  // moves up to this are normal
};

constexpr Meaning normal{Status::passed, "", Action::none};
constexpr Meaning lost_data{Status::failed, "data was lost: do not trust results since then", Action::reset};
constexpr Meaning bad_signal{Status::failed, "an NVLink has a bad signal: it replays packets", Action::drain};
constexpr Meaning bad_c2c_signal{Status::failed, "a link to the CPU has a bad signal: it replays packets",
                                 Action::drain};
constexpr Meaning earlier{Status::noticed, "happened before this window", Action::monitor};
constexpr Meaning trend{Status::noticed, "corrected; a steady rate of them is a trend", Action::monitor};
constexpr Meaning failed_link{Status::failed, "the link failed since the node started", Action::drain};
constexpr Meaning lost_host_data{Status::failed, "host memory lost data since the node started",
                                 Action::replace};

constexpr std::array rules{
    CounterRule{"gpu.ecc_errors", "ecc_uncorrected", lost_data, lost_data},
    CounterRule{"gpu.ecc_errors", "ecc_uncorrected_lifetime", lost_data, earlier},
    CounterRule{"gpu.ecc_errors", "ecc_corrected", trend, normal},
    CounterRule{"gpu.ecc_errors", "ecc_corrected_lifetime", normal, normal},
    CounterRule{"gpu.throttle_time",
                "throttled_sw_thermal_ns",
                {Status::noticed, "slowed down by heat; drain it if that repeats", Action::monitor},
                normal},
    CounterRule{"gpu.throttle_time",
                "throttled_hw_thermal_ns",
                {Status::failed, "the board slowed down from heat: check cooling", Action::drain},
                earlier},
    CounterRule{"gpu.throttle_time",
                "throttled_power_brake_ns",
                {Status::failed, "the power supply throttled it: check feed and supply", Action::drain},
                earlier},
    // DCGM: lanes x rate x 1e-12 a minute, 31 on 16 lanes at 32 GT/s.
    CounterRule{"gpu.pcie_replays",
                "pcie_replays",
                {Status::failed, "the PCIe link replays more than its bit error rate allows", Action::reseat},
                normal,
                31},
    CounterRule{"gpu.nvlink_errors", "nvlink_replays", bad_signal, earlier},
    CounterRule{"gpu.nvlink_errors", "nvlink_recoveries", bad_signal, earlier},
    CounterRule{"gpu.nvlink_errors", "nvlink_crc_errors", bad_signal, earlier},
    CounterRule{"gpu.nvlink_errors", "nvlink_receive_errors", bad_signal, earlier},
    CounterRule{"gpu.nvlink_errors", "nvlink_integrity_errors", bad_signal, earlier},
    CounterRule{"gpu.c2c_errors", "c2c_crc_errors", bad_c2c_signal, earlier},
    CounterRule{"gpu.c2c_errors", "c2c_replays", bad_c2c_signal, earlier},
    CounterRule{"gpu.c2c_errors", "c2c_repeated_replays", bad_c2c_signal, earlier},
    CounterRule{
        "pcie.aer",
        "aer_correctable",
        {Status::noticed, "the link replays; the sum over hours shows whether it is faulty", Action::monitor},
        earlier},
    CounterRule{
        "pcie.aer", "aer_nonfatal", {Status::failed, "transactions were lost", Action::reseat}, earlier},
    CounterRule{"pcie.aer", "aer_fatal", failed_link, failed_link},
    CounterRule{"host.memory_errors", "edac_corrected", trend, earlier},
    CounterRule{"host.memory_errors", "edac_uncorrected", lost_host_data, lost_host_data},
};

Advice advice_of(const Meaning& meaning) { return {std::string(meaning.text), meaning.action}; }

const CounterRule* rule_of(std::string_view check, const Counter& counter) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const CounterRule& rule) {
    return rule.check == check && rule.counter == counter.name;
  });
  return found == rules.end() ? nullptr : &*found;
}

/// True where nothing counts against it; then `values` has grown.
bool judge_counter(const Scene& scene, const Counter& counter, const CounterRule& rule, Findings& findings,
                   std::vector<std::string>& values) {
  const Movement movement = movement_of(scene, counter);
  if (!movement.moved) {
    findings.unknown(counter.unit, movement.why_unknown);
    return false;
  }
  const double allowed = rule.allowed_per_minute * std::max(1.0, window_s(scene) / 60);
  if (static_cast<double>(*movement.moved) > allowed && rule.moved.status != Status::passed) {
    findings.add(rule.moved.status, counter.unit,
                 fmt::format("{} +{} within {:.0f} s, now {}", counter.name, *movement.moved, window_s(scene),
                             *counter.value),
                 advice_of(rule.moved), rule.moved.status == Status::failed);
    return false;
  }
  if (*counter.value > 0 && rule.standing.status != Status::passed) {
    findings.add(rule.standing.status, counter.unit,
                 fmt::format("{} {}, not moving", counter.name, *counter.value), advice_of(rule.standing));
    return false;
  }
  values.push_back(fmt::format("{} {}", counter.name, *counter.value));
  return true;
}

/// Reports counters that were there when the window began and have disappeared.
void judge_vanished(const Scene& scene, Findings& findings, std::string_view check) {
  for (const Counter& counter : scene.before.counters)
    if (rule_of(check, counter) != nullptr &&
        std::none_of(scene.now.counters.begin(), scene.now.counters.end(), [&](const Counter& now) {
          return now.unit == counter.unit && now.name == counter.name;
        }))
      findings.unknown(counter.unit, fmt::format("{} has disappeared", counter.name));
}

/// Every counter of the check, one `passed` a unit where all are good. Returns how many units it looked at.
int judge_counters(const Scene& scene, Findings& findings, std::string_view check) {
  int units = 0;
  judge_vanished(scene, findings, check);
  const auto& counters = scene.now.counters;
  for (std::size_t at = 0; at < counters.size();) {
    const std::string& unit = counters[at].unit;
    std::vector<std::string> values;
    bool looked = false, well = true;
    for (; at < counters.size() && counters[at].unit == unit; ++at)
      if (const CounterRule* rule = rule_of(check, counters[at])) {
        looked = true;
        well = judge_counter(scene, counters[at], *rule, findings, values) && well;
      }
    units += looked ? 1 : 0;
    if (looked && well) findings.passed(unit, fmt::format("{}", fmt::join(values, ", ")));
  }
  return units;
}

void of_gpus(const Scene& scene, Findings& findings, std::string_view check) {
  if (!no_gpu(scene, findings) && judge_counters(scene, findings, check) == 0)
    findings.unknown("", "no GPU reports its counters");
}

void judge_ecc(const Scene& scene, Findings& findings) { of_gpus(scene, findings, "gpu.ecc_errors"); }
void judge_throttle_time(const Scene& scene, Findings& findings) {
  of_gpus(scene, findings, "gpu.throttle_time");
}
void judge_replays(const Scene& scene, Findings& findings) { of_gpus(scene, findings, "gpu.pcie_replays"); }

void judge_nvlink_errors(const Scene& scene, Findings& findings) {
  if (!no_gpu(scene, findings) && judge_counters(scene, findings, "gpu.nvlink_errors") == 0)
    findings.absent("no GPU here reports NVLinks");
}

void judge_c2c_errors(const Scene& scene, Findings& findings) {
  if (!no_gpu(scene, findings) && judge_counters(scene, findings, "gpu.c2c_errors") == 0)
    findings.absent("no GPU here reports C2C links");
}

void judge_aer(const Scene& scene, Findings& findings) {
  if (judge_counters(scene, findings, "pcie.aer") == 0) findings.absent("no GPU and no adapter on a PCI bus");
}

void judge_memory_errors(const Scene& scene, Findings& findings) {
  if (judge_counters(scene, findings, "host.memory_errors") == 0)
    findings.unknown("", "no memory controller reports its errors (no EDAC driver, or a virtual machine)");
}

constexpr Check listed_counter_checks[] = {
    {"gpu.ecc_errors",
     "memory errors, corrected and not, since the driver was loaded and over the board's life", judge_ecc},
    {"gpu.throttle_time", "time for which heat or power held the clocks down", judge_throttle_time},
    {"gpu.pcie_replays", "PCIe replays, against the rate that 1e-12 allows", judge_replays},
    {"gpu.nvlink_errors", "replays, recoveries, checksum, receive and integrity errors of every NVLink",
     judge_nvlink_errors},
    {"gpu.c2c_errors", "checksum errors and replays of every C2C link", judge_c2c_errors},
    {"pcie.aer", "PCIe errors of GPUs, adapters and the switches above them", judge_aer},
    {"host.memory_errors", "errors of host memory, corrected and not", judge_memory_errors},
};

}  // namespace

std::span<const Check> counter_checks() { return listed_counter_checks; }

}  // namespace assay::health
