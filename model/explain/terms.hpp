// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a step's time, and which of them takes more of the processors' time than before.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/explain/trial.hpp"

namespace assay::model {

struct Term {
  std::string_view name;
  double (*seconds)(const StepTime&);
};

/// They sum to StepTime::total_s.
std::span<const Term> terms();

/// Processor-seconds a sequence: processors * seconds of a step / batch. Their sum is what a sequence costs,
/// so what grows among them is what perfect scaling would have kept.
struct TermGrowth {
  std::string_view name;
  double from = 0, to = 0;
  double growth() const { return to - from; }
};

/// One a term, the largest growth first. Both findings have a best mapping.
std::vector<TermGrowth> growth(const Finding& from, const Finding& to);

}  // namespace assay::model
