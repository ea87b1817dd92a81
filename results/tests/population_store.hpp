// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The records of synthetic hosts of one cluster, each run at an hour of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results::test {

class PopulationStore {
 public:
  using Change = std::function<void(PointRecord&)>;
  /// Hosts are CLUSTER0, CLUSTER1 ...
  explicit PopulationStore(std::string cluster) : cluster_(std::move(cluster)) {}

  /// One run of a host; times in us of the points n=0, n=1 ...
  void add_run(const std::string& host, int run, const std::vector<double>& times_us,
               const Change& change = nullptr, const std::string& run_id = "");
  /// A run whose points n=0 ... all failed.
  void add_failed_run(const std::string& host, int run, int points);
  /// Hosts with two runs each of `points` points, all about `us` and spread evenly by `spread` to either
  /// side.
  void add_hosts(int hosts, double us, int points = 2, double spread = 0.002, const Change& change = nullptr);
  /// The store, with what was added so far written into it.
  const Store& store() const;
  /// Writes what was added so far to a file.
  void write(const std::string& file) const;

 private:
  void take(std::vector<Record> records, const std::string& host, int run);
  double next_noise();

  TemporaryFolder folder_;
  std::string cluster_, lines_;
  mutable std::optional<Store> store_;
  double state_ = 0;
};

}  // namespace assay::results::test
