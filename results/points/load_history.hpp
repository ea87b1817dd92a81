// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The time that each node and GPU of a store was under load, and what failed in it meanwhile: findings that a
// burn-in wrote, and wrong results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/store/stored_points.hpp"

namespace assay::results {

/// A node, a GPU or an adapter of one, by serial number as its machine's description has it.
struct LoadedUnit {
  std::string kind;    // node, gpu, nic
  std::string serial;  // of a node its name; of a GPU its board's, else its UUID; "": not reported
  std::string host;
  std::string unit = {};  // "GPU 3 0000:4b:00.0", "mlx5_2"; "" of a node
  double loaded_s = 0;    // while any point was measured on it; of an adapter: on its node
};

/// A check that a burn-in saw failing, or a wrong result ("" as the check): once a run, unit and check.
struct LoadedFailure {
  std::string host, check;
  std::string kind, serial;  // "" and "": of the node
  std::string since;         // UTC
};

struct LoadHistory {
  std::vector<LoadedUnit> units;
  std::vector<LoadedFailure> failures;
  std::int64_t unassigned = 0;    // points that failed or hung: which component that was is not known
  std::int64_t not_measured = 0;  // runs left out: imported, simulated, predicted
  std::int64_t not_checked = 0;   // runs left out: of no burn-in, so that no check would have seen a failure
  bool corruption_seen = false;   // a probe verified something
};

class LoadHistoryReader {
 public:
  /// All runs of the store that a burn-in measured.
  void add(const Store& store);
  /// Times at which several modules measured at once count once.
  LoadHistory take();

 private:
  using Machine = std::vector<LoadedUnit>;
  using Times = std::vector<std::pair<double, double>>;  // seconds since 1970, from and to

  void add_run(const Store& store, const StoredRun& run);
  void add_point(const PointRecord& record, const std::string& host, const Machine& machine);
  void add_failure(const PointRecord& record, const std::string& host, const Machine& machine);

  LoadHistory history_;
  std::map<std::string, std::pair<LoadedUnit, Times>> loads_;  // by kind, serial and host
};

}  // namespace assay::results
