// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of a burn-in's files that cannot be read: what they said may have been a failure.
#pragma once

#include <filesystem>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

/// An inconclusive row for each file with damaged lines. Lines that a kill cut short do not count: what they
/// would have said is reported or measured again.
std::vector<results::VerdictRow> damage_rows(const std::filesystem::path& timeline_file,
                                             const results::Timeline& timeline,
                                             const std::vector<std::filesystem::path>& journals);

}  // namespace assay::suite
