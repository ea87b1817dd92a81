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

/// By every judge of judges.hpp. What one cannot judge is a row that keeps the whole from passing. Throws
/// core::Error for limits that cannot be parsed, std::runtime_error for records that cannot be read into a
/// store.
Judgement judge(const BundledEvidence& bundled, const Foretell& foretell = {});

}  // namespace assay::results
