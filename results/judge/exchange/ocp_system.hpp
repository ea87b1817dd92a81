// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The part of OCP's testRunStart that describes what is tested.
#pragma once

#include <nlohmann/json.hpp>

#include "results/judge/exchange/tested_system.hpp"

namespace assay::results {

/// One dutInfo: hosts are its computer systems. It has no key for what is not known.
nlohmann::ordered_json ocp_system(const TestedSystem& system);

}  // namespace assay::results
