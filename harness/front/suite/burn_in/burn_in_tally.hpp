// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The tally of a module's records for a burn-in: how its points went, how many bytes were verified on which
// unit, and whether the planted corruption was caught.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/front/suite/burn_in/burn_in_limits.hpp"
#include "harness/front/suite/burn_in/burn_in_rates.hpp"
#include "results/record/record.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

struct Verified {
  double bytes = 0;
  std::int64_t corruptions = 0;  // points whose result was wrong: one event each, however many bytes
};

/// The planted corruption was caught; all else but unsupported means that the probe proves nothing.
bool is_caught(const results::Answer& self_test);
bool is_unsupported(const results::Answer& self_test);
/// One point that missed outweighs all others, and the first of them is kept.
const results::Answer& worse_of(const results::Answer& kept, const results::Answer& now);

struct ModuleTally {
  std::int64_t ok = 0, unsupported = 0, bad = 0;
  std::string first_bad;                              // "memory.host.copy/bytes=64 wrong: element 3 ..."
  std::map<std::string, Verified> verified;           // by unit
  std::map<std::string, results::Answer> self_tests;  // by case, of the worst of its points
  std::vector<Reached> reached;                       // of limits, by GPU
  std::vector<GpuRate> rates;                         // of points on all GPUs at once
};

/// The tally of this module's points in the journal; empty where there is no journal. A point cut short by an
/// interrupt counts for nothing.
ModuleTally tally_of(const std::filesystem::path& journal, const std::string& module);

/// The part of `now` beyond `before`, both of the same module and journal.
ModuleTally since(const ModuleTally& before, ModuleTally now);

}  // namespace assay::suite
