// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The logbook that one check leaves for the next: the state of counters and of the kernel's log, and brief
// failures (a link that flapped, an Xid), which stay until someone clears them and says why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "harness/front/health/history.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {

struct Latched {
  Finding finding;
  std::string since;            // UTC
  std::string cleared, reason;  // when and why; "" until then
};

struct Logbook {
  /// The part of the Snapshot that the next check compares: boot id, time, UUIDs, counters, ports, place in
  /// the log.
  Snapshot last;
  std::vector<Latched> latched;
  History history = {};  // empty in logbooks of earlier versions
};

enum class LogbookUse { read, write };
/// Empty where there is no such file. Throws a usage Error for one that is damaged or of a later version: it
/// is never taken for an empty one. `write`: the message says how to begin a new one.
std::optional<Logbook> read_logbook(const std::string& file, LogbookUse use = LogbookUse::write);
/// Writes the whole logbook or nothing. Throws core::Error.
void write_logbook(const std::string& file, const Logbook& logbook);

/// Adds what latches among `findings`, once a check and unit; later evidence replaces earlier evidence
/// that is not more severe.
void latch(Logbook& logbook, const std::vector<Finding>& findings, const std::string& utc);
/// Latched findings that are not cleared and not among `findings`, each with the time since when.
std::vector<Finding> standing(const Logbook& logbook, const std::vector<Finding>& findings);
/// Clears the failures of this check (and unit, unless ""). Throws a usage Error where there are none.
void clear(Logbook& logbook, const std::string& check, const std::string& unit, const std::string& reason,
           const std::string& utc);

}  // namespace assay::health
