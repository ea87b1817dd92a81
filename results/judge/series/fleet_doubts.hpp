// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Doubts that keep units of a fleet from being compared with each other, whatever they measured: points of
// one name that mean something else on one host, GPUs that a host has and did not measure, and what a unit
// measured in some of its runs and not in others. A GPU or driver that is gone reports nothing or
// "unsupported", which alone does not put it in doubt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/judge/series/fleet_store.hpp"

namespace assay::results {

class FleetDefinitions {
 public:
  using Hosts = std::vector<std::uint32_t>;  // numbers, perhaps several times

  std::uint32_t number_of(const std::string& host);
  /// The hosts whose points mean that. `definition`: PointEvidence::definition. `metric`: without the number
  /// of the GPU. Lasts as long as this.
  Hosts& hosts_of(const std::string& metric, const std::string& definition) {
    return metrics_[metric][definition];
  }
  static void note(Hosts& hosts, std::uint32_t host) {
    if (hosts.empty() || hosts.back() != host) hosts.push_back(host);
  }
  /// One line for each host and point whose definition is not that of most hosts: bytes or FLOPs of an
  /// iteration, how bytes are counted, the quantile of the time, ranks, nodes.
  std::vector<std::string> differences() const;
  /// The definition of each metric on most hosts, by metric.
  std::map<std::string, std::string> usual() const;

 private:
  using Meanings = std::unordered_map<std::string, Hosts>;
  void add_differences(const std::string& metric, const Meanings& meanings,
                       std::vector<std::string>& lines) const;

  std::vector<std::string> hosts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::string, Meanings> metrics_;
};

class MeasuredGpus {
 public:
  /// The most GPUs that any of its contexts counts.
  void count(const std::string& host, std::size_t gpus);
  void take(const std::string& host, const std::string& gpu) {
    if (latest_ == nullptr || latest_->first != host) latest_ = &*hosts_.try_emplace(host).first;
    latest_->second.measured.insert(gpu);
  }
  /// One line for each host of which some GPUs have points and others, which it counts, have none.
  std::vector<std::string> unmeasured() const;

 private:
  struct OfHost {
    std::size_t counted = 0;
    std::set<std::string> measured;
  };
  std::map<std::string, OfHost> hosts_;
  std::pair<const std::string, OfHost>* latest_ = nullptr;
};

/// Hosts that have another number of GPUs than most: 0 for one with points of its own and of no GPU.
std::vector<FleetIssue> missing_gpus(const Fleet& gpus, const Fleet& hosts);

/// A value of one unit and metric in one run.
struct FleetValue {
  std::uint32_t metric = 0, unit = 0;
  double seconds = 0;
  double excess = 0;  // of the mean of its samples over that, as a share
};

using FleetRunValues = std::vector<std::vector<FleetValue>>;  // by run

/// Indexed by unit and name of the metric: how often it was called unsupported.
using UnsupportedPoints = std::map<std::pair<std::uint32_t, std::string>, std::size_t>;

/// Unsupported points that the same unit measured at another time.
std::vector<FleetIssue> contradicted_points(const Fleet& fleet, const FleetRunValues& runs,
                                            const UnsupportedPoints& unsupported);

/// Units that a run left out which measured others of their host, where the first place of units is their
/// host. A run that measured fewer than half of them was meant for those.
std::vector<FleetIssue> left_out_of_runs(const Fleet& fleet, const FleetRunValues& runs);

}  // namespace assay::results
