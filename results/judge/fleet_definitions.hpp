// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What keeps hosts of a fleet from being equals at all: points of one name that mean something else on one
// host, and GPUs that a host has and did not measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace assay::results {

class FleetDefinitions {
 public:
  /// `definition`: PointEvidence::definition. `metric`: without the number of the GPU.
  void take(const std::string& host, const std::string& metric, const std::string& definition);
  /// One line for each host and point whose definition is not that of most hosts: bytes or FLOPs of an
  /// iteration, how bytes are counted, the quantile of the time, ranks, nodes, groups.
  std::vector<std::string> differences() const;

 private:
  using Hosts = std::vector<std::uint32_t>;  // numbers, perhaps several times
  using Meanings = std::unordered_map<std::string, Hosts>;
  std::uint32_t number_of(const std::string& host);
  void tell_differences(const std::string& metric, const Meanings& meanings,
                        std::vector<std::string>& lines) const;

  std::vector<std::string> hosts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_map<std::string, Meanings> metrics_;
};

class MeasuredGpus {
 public:
  /// The most GPUs that any of its contexts counts.
  void count(const std::string& host, std::size_t gpus);
  void take(const std::string& host, const std::string& gpu) { measured_[host].insert(gpu); }
  /// One line for each host of which some GPUs have points and others, which it counts, have none.
  std::vector<std::string> unmeasured() const;

 private:
  std::map<std::string, std::size_t> counted_;
  std::map<std::string, std::set<std::string>> measured_;
};

}  // namespace assay::results
