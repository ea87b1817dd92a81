// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The health checks of a burn-in: before and after every module and round, and as often as asked while
// modules run. Looks are numbered; every point is between two of them. What is new is written down with
// the round, the module and the points in whose window it appeared.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/front/health/finding.hpp"
#include "harness/front/suite/burn_in/burn_in_log.hpp"

namespace assay::suite {

class BurnInHealth {
 public:
  /// `check` is one `assay check` with a logbook: its window is what passed since the one before. It finds
  /// nothing at all where it was interrupted, which does not count. `looks`: made by earlier sessions.
  BurnInHealth(const BurnInLog& log, std::function<std::vector<health::Finding>()> check, double every_s,
               std::int64_t looks)
      : log_(log), check_(std::move(check)), every_s_(every_s), began_s_(log.at_s()), looks_(looks) {}

  /// `when`: "before round 2 turn", "after memory", "during memory". A check that cannot be made is a
  /// finding, too. From any thread.
  void look(const RoundPlace& place, const std::string& when);
  /// Looks unless the last look was less than `every_s` ago, or another thread is looking.
  void look_if_due(const RoundPlace& place, const std::string& when);

  /// Written down with the number of the look before it. From any thread; waits for no look.
  void point_begins(const RoundPlace& place, const std::string& module, const std::string& point);
  void module_ends(const std::string& module);

  /// Findings that have newly failed or become unknown since the last call.
  std::vector<health::Finding> take_new();

 private:
  void look_locked(const RoundPlace& place, const std::string& when);
  std::vector<health::Finding> findings() const;
  /// When a look begins: how many points of its window have begun, and which still run.
  struct PointsBefore {
    std::size_t begun = 0;
    std::vector<std::string> flying = {};
  };
  PointsBefore points_before();
  /// Ends the window: the points that ran in it.
  std::vector<std::string> take_points(PointsBefore before);

  const BurnInLog& log_;
  std::function<std::vector<health::Finding>()> check_;
  double every_s_, began_s_, last_s_ = 0;  // `began_s_`: of the last look
  std::mutex looking_;
  std::map<std::pair<std::string, std::string>, health::Status> known_;  // by check and unit
  std::vector<health::Finding> fresh_;

  std::mutex points_guard_;
  std::int64_t looks_;
  std::map<std::string, std::string> flying_;  // the point that each module has begun last
  std::vector<std::string> in_window_;         // points that ran since the last look began
};

}  // namespace assay::suite
