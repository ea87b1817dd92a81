// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Digests of results across a fleet: the same problem on equal hardware by the same library must give the
// same bits, so units are compared with the majority of their equals, and the odd one is named.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "results/record/record.hpp"
#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// Equals that must agree with each other before one that differs is to blame.
inline constexpr std::size_t fewest_agreeing = 2;

struct UnitDigest {
  std::string unit, digest;
  Status status = Status::ok;
  std::string reason = {};  // where the point was wrong
  std::int64_t point = 0;
};

/// Points that must have one digest.
class DigestGroup {
 public:
  DigestGroup() = default;
  DigestGroup(std::string of_point, std::string of_hardware, std::string level, std::string of_origin = {})
      : point(std::move(of_point)),
        hardware(std::move(of_hardware)),
        unit_level(std::move(level)),
        origin(std::move(of_origin)) {}

  std::string point;       // case and key, without the GPU's number
  std::string hardware;    // with library, algorithm, version of assay and origin
  std::string unit_level;  // "gpu" or "host"
  std::string origin;

  void add(UnitDigest digest);
  const std::vector<UnitDigest>& digests() const { return digests_; }
  /// Units with a point that holds no digest.
  const std::set<std::string>& units_without() const { return without_; }
  std::size_t units() const { return by_unit_.size(); }
  /// Units that gave this digest.
  std::size_t agreeing(const std::string& digest) const;
  /// The digest of more than half of the units, and of two at least; nothing where there is none.
  std::optional<std::string> majority() const;
  /// Whether this unit gave another digest at another time.
  bool changing(const std::string& unit) const { return by_unit_.at(unit).size() > 1; }

 private:
  std::vector<UnitDigest> digests_;
  std::map<std::string, std::set<std::string>> by_unit_, by_digest_;
  std::set<std::string> without_;
};

enum class DigestVerdict {
  agrees,      // with the majority of its equals
  differs,     // from two agreeing equals at least, or from itself
  not_judged,  // too few equals, or no majority among them
};
DigestVerdict verdict_of(const DigestGroup& group, const UnitDigest& digest);
/// "differs from 5 agreeing equals", "agrees with 5 equals", "not judged: 1 equal, 2 are needed".
std::string explain(const DigestGroup& group, const UnitDigest& digest);

/// The digest groups of these runs, in the order given; points that this machine could not run are left out,
/// and one without a digest counts among units_without() of its group alone. `cases` is a glob over case
/// names.
std::vector<DigestGroup> digest_groups(const Store& store, const std::vector<StoredRun>& runs,
                                       const std::string& cases);

}  // namespace assay::results
