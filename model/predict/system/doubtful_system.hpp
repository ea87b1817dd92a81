// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of a system that its generation of hardware does not reach: both directions of a link for one,
// Gbit/s or bytes/s for GB/s.
#pragma once

#include <string>
#include <vector>

#include "model/predict/system/system.hpp"

namespace assay::model {

struct DoubtfulNumber {
  std::string key, why;  // "networks[0].bandwidth"
};

/// Numbers beyond the bounds of model/fit/rows/possible_rates.hpp; a network counts with its efficiency.
std::vector<DoubtfulNumber> doubtful_numbers(const System& system);

/// "SYSTEM: KEY: WHY", for people.
std::vector<std::string> doubts_of(const System& system, const std::string& file);

}  // namespace assay::model
