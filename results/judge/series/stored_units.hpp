// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The units of a store, as the judge of fleets knows them, by when they were last measured: for a screen that
// looks again and again while others write.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "results/store/store.hpp"
#include "results/table/table.hpp"

namespace assay::results {

struct StoredUnit {
  std::string level;                       // gpu, host, port, link
  std::int64_t points = 0, bad = 0;        // of every status; bad: failed, wrong, timed out
  std::string latest_run, latest_started;  // of its youngest point
  std::set<std::string> origins;
};

class StoredUnits {
 public:
  /// Reads the runs that are new in the store or have grown since the last call. Throws as Store; then all is
  /// as it was.
  void look(const Store& store);
  /// The units, by name.
  std::map<std::string, StoredUnit> units() const;
  /// The number of points in the store. A point of several links is one.
  std::int64_t points() const;
  /// The unit that was measured last is first; `most` rows, 0: all.
  Table table(std::size_t most) const;

 private:
  struct Run {
    std::pair<std::int64_t, std::int64_t> version;  // points, and digest of the records
    std::map<std::string, StoredUnit> units;
  };
  std::map<std::string, std::shared_ptr<const Run>> runs_;
};

}  // namespace assay::results
