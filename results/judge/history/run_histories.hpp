// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The measurements of each unit of a host, run after run: one value a run and point, the median over its
// repetitions. The values of all series are held by number, the series made one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/judge/statistics/change_point.hpp"
#include "results/judge/verdict/shared_texts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

/// One run of a host, whose runs are in order of rising time.
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
  /// The deviation that its series have in common: in each run the mean over them, each less its own median.
  /// A change of all shows here before it shows in any. No runs where the host has only one series.
  HistorySeries common = {};
  std::size_t series = 0;
  std::size_t first_value = 0, last_value = 0;  // of the host, in RunHistories
};

class RunHistories {
 public:
  /// `filter` as in points_in_order().
  RunHistories(const Store& store, const std::string& filter);

  const std::map<std::string, HostHistory>& hosts() const { return hosts_; }
  std::size_t together() const { return together_; }  // points left out: of a burn-in's rounds together
  /// Calls `take` with each series, by unit and metric; a series lasts for the call.
  void each_series(const HostHistory& host,
                   const std::function<void(const HistorySeries& series)>& take) const;

 private:
  friend class HistoryReader;
  /// The value of a series in one run; texts by number.
  struct Value {
    std::uint32_t host = 0, unit = 0, metric = 0, run = 0;  // run: of the host's
    RunLevel level;
    bool is_gpu = false;
    Origin origin = Origin::measured;
  };
  static bool are_of_one_series(const Value& one, const Value& other);

  void sort();
  void add_common(const std::string& name, HostHistory& host);

  SharedTexts texts_;
  std::vector<Value> values_;
  std::map<std::string, HostHistory> hosts_;
  std::size_t together_ = 0;
};

}  // namespace assay::results
