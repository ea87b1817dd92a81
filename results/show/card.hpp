// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node card: in some twenty lines for a terminal, what this node is and what it does.
#pragma once

#include <optional>
#include <string>

#include "results/store/store.hpp"

namespace assay::results {

/// `run`: a run id; none or "latest": the latest. `width` 0 is unlimited. Throws std::runtime_error with one
/// line when the store holds no such run.
std::string node_card(const Store& store, const std::optional<std::string>& run = {}, int width = 100);

}  // namespace assay::results
