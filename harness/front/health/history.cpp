// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/history.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "harness/front/health/checks/checks.hpp"
#include "results/record/clock_watch.hpp"

namespace assay::health {
namespace {

std::vector<Stay> parts_of(const Snapshot& now) {
  std::vector<Stay> parts;
  for (const GpuState& gpu : now.gpus) {
    if (!gpu.lost.empty()) continue;
    const auto& identity = is_reported(gpu.serial) ? gpu.serial : gpu.uuid;
    parts.push_back({.kind = "gpu", .serial = is_reported(identity) ? *identity : "", .unit = gpu.unit()});
  }
  for (const machine::Hca& hca : now.hcas) {
    if (hca.software || hca.port != 1) continue;
    parts.push_back({.kind = "nic", .serial = hca.node_guid, .unit = hca.device + " " + hca.pcie.address});
  }
  return parts;
}

/// In seconds: see History::watched_s.
double window_of(const History& history, const Snapshot& before, const Snapshot& now,
                 const std::string& utc) {
  if (history.until.empty()) return 0;
  const auto last = results::seconds_of(history.until), here = results::seconds_of(utc);
  if (!now.boot_id.empty() && before.boot_id == now.boot_id && before.monotonic_s > 0)
    return std::max(0.0, now.monotonic_s - before.monotonic_s);
  return last && here ? std::clamp(*here - *last, 0.0, now.monotonic_s) : 0;
}

bool is_same_part(const Stay& one, const Stay& other) {
  const bool known = !one.serial.empty() || !other.serial.empty();
  return one.kind == other.kind && (known ? one.serial == other.serial : one.unit == other.unit);
}

void note_parts(History& history, const Snapshot& now, double window_s, const std::string& utc) {
  for (Stay& part : parts_of(now)) {
    const auto known = std::ranges::find_if(history.stays, [&](const Stay& stay) {
      return stay.until == history.until && is_same_part(stay, part) && stay.unit == part.unit;
    });
    if (known != history.stays.end() && !history.until.empty()) {
      known->until = utc;
      known->watched_s += window_s;
      continue;
    }
    part.since = part.until = utc;
    history.stays.push_back(std::move(part));
  }
}

/// "mlx5_2" of "mlx5_2/1" and of "mlx5_2 0000:4d:00.0".
std::string_view device_of(std::string_view unit) { return unit.substr(0, unit.find_first_of("/ ")); }

/// A finding's unit may be the part, a part of it, or name its PCI address in another way.
bool is_of(const std::string& unit, const Stay& stay) {
  if (unit.empty()) return false;
  const std::string_view address = std::string_view(stay.unit).substr(stay.unit.rfind(' ') + 1);
  if (unit == stay.unit || unit.starts_with(stay.unit + " ")) return true;
  if (address.find(':') != std::string_view::npos && unit.find(address) != std::string::npos) return true;
  return stay.kind == "nic" && device_of(unit) == device_of(stay.unit);
}

/// The part that is there now, or was last: a GPU that fell off the bus is not seen by the check of it.
const Stay* part_at(const History& history, const std::string& unit) {
  const Stay* found = nullptr;
  for (const Stay& stay : history.stays)
    if (is_of(unit, stay) && (found == nullptr || stay.until >= found->until)) found = &stay;
  return found;
}

void note_incident(History& history, const Finding& finding, const std::string& utc) {
  const Stay* const part = part_at(history, finding.unit);
  Incident now{.check = finding.check,
               .unit = finding.unit,
               .kind = part == nullptr ? "" : part->kind,
               .serial = part == nullptr ? "" : part->serial,
               .since = utc,
               .until = utc,
               .at_first = history.until.empty()};
  const auto place_of = [](const Incident& one) {
    return std::tie(one.check, one.unit, one.kind, one.serial);
  };
  for (Incident& earlier : history.incidents)
    if (place_of(earlier) == place_of(now) && (earlier.until == history.until || earlier.until == utc)) {
      earlier.until = utc;
      return;
    }
  history.incidents.push_back(std::move(now));
}

}  // namespace

void note_check(History& history, const Snapshot& before, const Snapshot& now,
                const std::vector<Finding>& findings, const std::string& utc) {
  const double window_s = window_of(history, before, now, utc);
  if (!now.host.empty()) history.host = now.host;
  if (history.since.empty()) history.since = utc;
  note_parts(history, now, window_s, utc);
  ++history.looks;
  std::set<std::string> read;
  for (const Finding& finding : findings) {
    if (finding.status == Status::failed) note_incident(history, finding, utc);
    const bool judged = finding.status == Status::passed || finding.status == Status::noticed ||
                        finding.status == Status::failed;
    if (judged && read.insert(finding.check).second) ++history.read[finding.check];
  }
  history.watched_s += window_s;
  history.until = utc;
}

}  // namespace assay::health
