// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The evidence of a bundle judged: by the same program the same evidence is always judged to the same bytes.
#pragma once

#include <string>

#include "results/bundle/evidence.hpp"
#include "results/judge/verdicts.hpp"

namespace assay::results {

struct Judgement {
  Verdicts verdicts;
  std::string text;  // for people
};

/// What a judge cannot judge is a row that keeps the whole from passing, as is a line of the records that is
/// damaged or doubtful. Throws core::Error for limits that cannot be parsed, std::runtime_error for records
/// that cannot be read into a store.
Judgement judge(const Evidence& evidence);

}  // namespace assay::results
