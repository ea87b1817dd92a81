// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/origin.hpp"

namespace assay::run {

results::Origin origin_of_numbers() { return results::Origin::simulated; }

}  // namespace assay::run
