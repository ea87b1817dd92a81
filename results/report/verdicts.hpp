// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The verdicts of judges at the top of a report: the verdict with what to do, to be read in ten seconds, and
// every row with its evidence. Without a judge the page says so. Private to the report.
#pragma once

#include <string>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {

/// The box below the head. The whole is the worst of the parts; without any part it is "NOT JUDGED".
std::string verdict_summary(const std::vector<Verdicts>& parts);

/// Every row, the worst first, with its evidence in a part that opens; "" without any part.
std::string verdict_table(const std::vector<Verdicts>& parts);

}  // namespace assay::results
