// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The system that `assay fit all` and `assay calibrate` measured, as a system file that Calculon reads. What
// Calculon cannot be without and what was not measured comes from a base, and each is named.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::model::calculon {

struct SystemOfCoefficients {
  nlohmann::ordered_json system;
  std::vector<std::string> notes;  // what was not measured, and what is the base's
};

/// `base`: a system file of Calculon, or empty. Throws a usage error for a file that describes no system, an
/// unusable base, and where Calculon needs something that was not measured and there is no base.
SystemOfCoefficients system_of_coefficients(const std::string& coefficients, const std::string& base);

}  // namespace assay::model::calculon
