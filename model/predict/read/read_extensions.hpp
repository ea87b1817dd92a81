// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The keys that only `--model assay` reads, every one optional, and the refusal of all others.
#pragma once

#include "model/json/json_keys.hpp"
#include "model/predict/system/execution.hpp"

namespace assay::model {

/// `own` are the keys that Calculon knows there. Each throws a usage Error naming file and key.
void read_extensions(const JsonKeys& keys, Application& application);
void read_extensions(const JsonKeys& keys, Execution& execution);
void read_extensions(const JsonKeys& keys, std::span<const std::string_view> own, Network& network);

/// All of a system but its networks: refuses what Calculon leaves alone there.
void only_known_keys(const JsonKeys& system);

}  // namespace assay::model
