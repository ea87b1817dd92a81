// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The store that a question is asked of.
#pragma once

#include <chrono>
#include <string>

#include "results/store/store.hpp"

namespace assay::answers {

/// `create` also makes its folder. Throws a usage Error for what is not a store, and std::runtime_error where
/// another process holds it.
results::Store open_store(const std::string& path, results::StoreMode mode,
                          std::chrono::milliseconds patience = std::chrono::minutes(1));

/// Opens a store as open_store() does, but throws a usage Error when there is no such file or an empty one:
/// reading must not create a store.
results::Store open_existing_store(const std::string& path,
                                   std::chrono::milliseconds patience = std::chrono::minutes(1));

}  // namespace assay::answers
