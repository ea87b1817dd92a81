// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/retest.hpp"

#include <fnmatch.h>

namespace assay::results {

bool is_retest(const std::string& run_id) { return fnmatch("*.*-retest-[1-9]*.*", run_id.c_str(), 0) == 0; }

}  // namespace assay::results
