// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The health checks of a burn-in: before and after every room and round, and between points as often as
// asked. What is new is written down with the round and the room in whose window it appeared.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/health/finding.hpp"
#include "harness/suite/burn_in_log.hpp"

namespace assay::suite {

class BurnInHealth {
 public:
  /// `check` is one `assay check` with a logbook: its window is what passed since the one before.
  BurnInHealth(const BurnInLog& log, std::function<std::vector<health::Finding>()> check, double every_s)
      : log_(log), check_(std::move(check)), every_s_(every_s) {}

  /// `when`: "before", "after", "before memory.host.copy bytes=64". A check that fails to be made is a
  /// finding of its own. From any thread.
  void look(const RoundPlace& place, const std::string& when);
  /// Unless the last look was less than `every_s` ago, or another thread is looking.
  void look_if_due(const RoundPlace& place, const std::string& when);

  /// What failed or was not told anew since the last call.
  std::vector<health::Finding> take_new();

 private:
  void look_locked(const RoundPlace& place, const std::string& when);
  std::vector<health::Finding> findings() const;

  const BurnInLog& log_;
  std::function<std::vector<health::Finding>()> check_;
  double every_s_, last_s_ = 0;
  std::mutex looking_;
  std::map<std::pair<std::string, std::string>, health::Status> known_;  // by check and unit
  std::vector<health::Finding> fresh_;
};

}  // namespace assay::suite
