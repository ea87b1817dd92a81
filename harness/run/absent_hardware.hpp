// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Hardware that a case needs and this machine was built without. Its points are left out of the run, which is
// neither a failure nor a reason for no verdict. Hardware that is there and does not work is not absent.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/left_out.hpp"
#include "harness/plan/plan.hpp"

namespace assay::run {

/// By the back end in the case's name: "memory.cuda.read" needs a GPU, "rdma.verbs.latency" an adapter.
std::optional<machine::Hardware> needed_by(const std::string& case_name);

class AbsentHardware {
 public:
  AbsentHardware() = default;  // all is there
  explicit AbsentHardware(const machine::Machine& machine);

  /// What keeps this point from running here; nothing for a point that runs, or that something else keeps
  /// from it.
  std::optional<machine::Hardware> keeps_out(const plan::PlannedPoint& planned) const;
  /// What the case needs and this machine has.
  std::optional<machine::Hardware> used_by(const std::string& case_name) const;
  /// How many of the points each absent hardware keeps from running.
  machine::LeftOut left_out(const std::vector<plan::PlannedPoint>& points) const;

 private:
  std::set<machine::Hardware> absent_;
};

}  // namespace assay::run
