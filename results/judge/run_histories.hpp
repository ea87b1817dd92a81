// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What each unit of a host measured run after run: one value a run and point, the median over its
// repetitions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/judge/change_point.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// Of one host, by rising time.
struct HostRun {
  std::string run_id, started;
  ContextRecord context;  // of its first process
};

struct HistorySeries {
  std::string unit = {}, kind = {}, metric = {}, origin = {};
  std::vector<std::size_t> runs = {};  // of the host's
  std::vector<RunLevel> levels = {};
};

struct HostHistory {
  std::vector<HostRun> runs;
  std::map<std::pair<std::string, std::string>, HistorySeries> series;  // by unit and metric
  /// What they have in common: of each run the mean over them, each less its own median. A change of all
  /// shows here before it shows in any. No runs where the host has only one series.
  HistorySeries common = {};
};

struct RunHistories {
  std::map<std::string, HostHistory> hosts;
  std::size_t together = 0;  // points left out: measured in a burn-in's rounds together
};

/// `filter` as in points_in_order().
RunHistories run_histories(const Store& store, const std::string& filter);

}  // namespace assay::results
