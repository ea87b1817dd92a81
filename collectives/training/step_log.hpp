// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Marks of a rank's steps, and the first thing wrong with them: a number that is not finite, or bits that are
// not those of the first run, which began with the same weights and data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "harness/integrity/digest.hpp"

namespace assay::collectives {

struct ArrayMark {
  integrity::Digest digest = {};
  std::int64_t not_finite = 0;  // elements
};
ArrayMark mark_of(std::span<const float> array);

struct StepMark {
  double loss = 0;           // of this rank's tokens, before the step
  ArrayMark gradients = {};  // before the exchange
  ArrayMark weights = {};    // after the step
};

/// In the order in which a step makes them.
enum class StepPhase { loss, gradients, weights };

/// Something wrong at a rank. The earliest over all ranks is where it began: the exchange spreads it.
struct Finding {
  std::int64_t run = 0, step = 0;  // the first run is 0
  StepPhase phase = StepPhase::loss;
  std::string what = {};
  auto order() const { return std::tuple(run, step, phase); }
};
/// "step 17 of run 2: ..."; both are counted from 1.
std::string to_text(const Finding& finding);

class StepLog {
 public:
  void add(std::int64_t run, std::int64_t step, const StepMark& mark);
  const std::vector<StepMark>& first_run() const { return first_run_; }
  const std::optional<Finding>& finding() const { return finding_; }

 private:
  std::vector<StepMark> first_run_;
  std::optional<Finding> finding_;
};

}  // namespace assay::collectives
