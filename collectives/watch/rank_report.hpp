// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The reports of a hanging point's ranks about themselves, and who is late according to them.
#pragma once

#include <string>
#include <vector>

#include "collectives/watch/flight_ring.hpp"

namespace assay::collectives {

struct RankReport {
  int rank = 0;
  std::string host = {};
  std::string silent = {};  // why it reports nothing; empty where it answered
  double now_s = 0;         // by its own clock
  std::vector<FlightEntry> latest = {};
};

/// The text that travels; only of a report that is not silent.
std::string to_text(const RankReport& report);
/// Throws core::Error (team) for text of another form.
RankReport rank_report_from(const std::string& text);

struct Diagnosis {
  std::vector<int> late = {};  // ranks that others wait for; none where all wait for one another
  std::string text = {};       // one line
};

/// `reports` by rank. A rank is late that does not answer; else, where any waits, one that does not wait and
/// is not done; else one whose wait is behind the others' by operations or steps; else one that did less.
Diagnosis diagnosis_of(const std::vector<RankReport>& reports);

}  // namespace assay::collectives
