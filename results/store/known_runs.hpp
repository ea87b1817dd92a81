// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs that a store has.
#pragma once

#include <string>

#include "results/store/store.hpp"

namespace assay::results {

bool has_run(const Store& store, const std::string& run_id);

}  // namespace assay::results
