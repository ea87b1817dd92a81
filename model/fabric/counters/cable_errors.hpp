// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Errors of cables between two readings of their ports' counters, with intervals; congestion apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/words.hpp"
#include "model/fabric/counters/port_counters.hpp"
#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::counters {

struct ErrorLimits {
  double seconds = 1;             // between the readings, above 0
  double bit_error_rate = 1e-12;  // symbol errors a bit
  double confidence = 0.95;
};

enum class CableState { sound, faulty, undecided, unknown };
constexpr auto words_for(core::Type<CableState>) {
  return core::words_of<CableState>("sound", "faulty", "undecided", "unknown");
}

/// Errors of both ends. Rates are a Poisson count's: lower and upper limits of the two-sided interval.
struct CableErrors {
  LinkId cable = 0;  // its link up
  CableState state = CableState::unknown;
  std::uint64_t symbol_errors = 0, link_downs = 0, recoveries = 0, other_errors = 0;
  double bits = 0;              // both ways, at the line's rate
  double lower = 0, upper = 1;  // symbol errors a bit
  std::uint64_t discards = 0;   // PortXmitDiscards: dropped at an egress, no fault of the cable
  double wait_per_s = 0;        // PortXmitWait of the end that waits more, in its ticks
  std::string reason = {};      // why it is unknown, or faulty
};

/// Every cable, worst first: faulty, undecided, unknown, sound; by errors. Symbol errors and LinkDowned count
/// against the dose of bits; a counter that fell (cleared) or is full is unknown.
std::vector<CableErrors> cable_errors(const site::SiteFabric& site, const PortCounters& before,
                                      const PortCounters& after, const ErrorLimits& limits);

}  // namespace assay::model::fabric::counters
