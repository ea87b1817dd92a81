// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The evidence of a bundle judged: by the same program the same evidence is always judged to the same bytes.
#pragma once

#include <string>
#include <vector>

#include "results/bundle/change_list.hpp"
#include "results/bundle/evidence.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/table/long_table.hpp"

namespace assay::results {

struct Judgement {
  Verdicts verdicts;
  core::LongText text;  // for people

  core::LongText json() const;  // of the verdicts; each call writes it again
};

/// Asks every judge of judges.hpp. What one cannot judge is a row that keeps the whole from passing. Throws
/// core::Error for limits that cannot be parsed, std::runtime_error for records that cannot be read into a
/// store.
Judgement judge(const BundledEvidence& bundled, const Models& models = {});
/// The verdicts of judge(), without the text.
Verdicts judged_verdicts(const BundledEvidence& bundled, const Models& models = {});

struct BundleDiff {
  std::string verdict_a, verdict_b;
  std::vector<std::string> differences;  // of what went in: "data: records.jsonl", "limit: limits/h100.toml"
  VerdictChanges changes = {};           // rows whose verdict is another; the whole is the row of unit "all"
};

/// Why two bundles do not say the same: each is judged again with the data or the limits of the other, and
/// what this program says is compared with what was said when the bundle was made. Throws as judge() does,
/// and std::runtime_error for verdicts that cannot be read.
BundleDiff diff_bundles(const BundledEvidence& a, const BundledEvidence& b, const Models& models = {});

LongTable to_table(const BundleDiff& diff);

}  // namespace assay::results
