// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/retest.hpp"

#include "harness/core/text/glob.hpp"

namespace assay::results {

bool is_retest(const std::string& run_id) { return core::glob_matches("*.*-retest-[1-9]*.*", run_id); }

}  // namespace assay::results
