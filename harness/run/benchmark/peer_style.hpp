// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module's run as the program prints its own whose columns a site's scripts read.
#pragma once

#include <optional>
#include <string>

#include "results/store/store.hpp"

namespace assay::run {

/// "nccl-tests" for the module collectives; empty where no program is known.
std::optional<std::string> peer_style_of(const std::string& module);

/// The latest run of the store in that style. `module` must have one.
std::string text_in_peer_style(const std::string& module, const results::Store& store);

}  // namespace assay::run
