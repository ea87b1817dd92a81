// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Absences: hardware that a point needs and this machine was built without, or a component that this program
// was built without. Such points are left out of the run, which is neither a failure nor a reason for no
// verdict. Hardware that is there and does not work is not absent.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/left_out.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/plan.hpp"

namespace assay::run {

/// The hardware that a case needs, by the back end in its name: "memory.cuda.read" needs a GPU,
/// "rdma.verbs.latency" an adapter.
std::optional<machine::Hardware> needed_by(const std::string& case_name);

/// Whether points of the case are counted as if the hardware that they need were here.
bool is_assumed(const std::string& case_name);

/// The component that this build lacks for the point; nothing also where the point's words are refused.
std::optional<std::string> not_built(const core::Case& benchmark, const core::Point& point);

class Absences {
 public:
  Absences() = default;  // all hardware is there
  explicit Absences(const machine::Machine& machine);

  /// The absence that keeps this point from running here ("no GPU", "built without CUDA"); nothing for a
  /// point that runs, or that something else keeps from it.
  std::optional<std::string> keeps_out(const plan::PlannedPoint& planned) const;
  /// The hardware that the point needs, where this machine has it and this build can use it.
  std::optional<machine::Hardware> used_by(const plan::PlannedPoint& planned) const;
  /// How many of the points each absence keeps from running.
  machine::LeftOut left_out(const std::vector<plan::PlannedPoint>& points) const;

 private:
  std::set<machine::Hardware> hardware_;
};

}  // namespace assay::run
