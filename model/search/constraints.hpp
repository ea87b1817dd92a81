// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The limits of a configuration besides the capacities of the system: METRIC=VALUE, at most or at least.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/predict/step/step.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

enum class Quantity { count, bytes, bytes_per_s, seconds, percent };

/// Taken from the execution alone, from its memory, or from the evaluated step: one of the functions is not
/// null.
struct Metric {
  std::string_view name;
  Quantity quantity;
  double (*of_execution)(const Execution&);
  double (*of_memory)(const StepMemory&);
  double (*of_step)(const Step&);
};
std::span<const Metric> metrics();

/// "memory, second-memory, ...", for help and messages.
std::string metric_names();

class Constraints {
 public:
  enum class Side { at_most, at_least };
  struct Bound {
    const Metric* metric;
    Side side;
    double limit;      // bytes, bytes/s, seconds, a share of 1
    std::string text;  // as it was given: "80GB"
  };

  /// Adds "memory=80GB", "offload=100GB/s", "tensor=8", "step=12.5s", "mfu=50%". Throws a usage Error naming
  /// the flag for an unknown metric or a value without its unit.
  void add(Side side, std::string_view text);

  bool empty() const { return bounds_.empty(); }
  const std::vector<Bound>& bounds() const { return bounds_; }
  /// Checks what the execution alone determines (degrees, microbatch, batch).
  bool allow(const Execution& execution) const;
  /// Checks the memory that it needs.
  bool allow(const StepMemory& memory) const;
  /// Checks the step's memory and what takes an evaluation.
  bool allow(const Step& step) const;
  /// Whether some limit takes an evaluation.
  bool need_evaluation() const;

 private:
  std::vector<Bound> bounds_;
};

/// "memory at most 80GB, tensor at least 2".
std::string to_string(const Constraints& constraints);

}  // namespace assay::model
