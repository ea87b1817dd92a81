// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass through layers at one rank, with the exchanges that go with it, run again and again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/overlap/pass_times.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

class TimedPass {
 public:
  TimedPass() = default;
  TimedPass(const TimedPass&) = delete;
  TimedPass& operator=(const TimedPass&) = delete;
  virtual ~TimedPass() = default;

  /// All ranks at the same time. Throws core::Error.
  virtual PassTimes run() = 0;
  /// Brings the exchanges' input, and spoils what they left.
  virtual void refill() = 0;
  /// The first fault of the last exchanges and products; nothing where all are right.
  virtual std::optional<std::string> wrong() = 0;
  /// Facts that every rank records, then those that only rank 0 does.
  virtual std::vector<core::Fact> facts() const = 0;
  virtual std::vector<core::Fact> leaders_facts() const = 0;
};

}  // namespace assay::collectives
