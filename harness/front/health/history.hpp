// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The history of a node as its checks have seen it: which parts were in it for how long, by serial number,
// and when each began to fail. Logbooks of many nodes make the history of a fleet, in which a part that moves
// keeps its own.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

/// A part in this node, from the first check that saw it to the last in a row.
struct Stay {
  std::string kind;    // gpu, nic
  std::string serial;  // of a GPU's board (else its UUID), of an adapter its node GUID; "": not reported
  std::string unit;    // "GPU 3 0000:4b:00.0", "mlx5_2 0000:4d:00.0"
  std::string since = {}, until = {};  // UTC, of checks
  double watched_s = 0;
};

/// A check of a unit that failed, in all checks of the node from one to another. What failed again after a
/// check that did not see it is another.
struct Incident {
  std::string check, unit;
  std::string kind, serial;            // of the part; "" and "": of the node
  std::string since = {}, until = {};  // UTC, of checks
  bool at_first = false;               // failed when watching began: since when is unknown
};

struct History {
  std::string host;
  std::string since, until;  // UTC, of the first check and of the last
  /// Between checks: what one start of the node ran for between them, or after a new start what it has run
  /// for. What it ran for between a check and its end is left out, though failures then are found.
  double watched_s = 0;
  std::int64_t looks = 0;                    // checks of the node
  std::map<std::string, std::int64_t> read;  // by check: looks in which it could judge anything
  std::vector<Stay> stays;
  std::vector<Incident> incidents;
};

/// Adds one check: what it found, and `before`, where its window began (not read by an earlier check: of
/// another start). Findings that only stand from earlier checks are left out by the caller.
void note_check(History& history, const Snapshot& before, const Snapshot& now,
                const std::vector<Finding>& findings, const std::string& utc);

}  // namespace assay::health
