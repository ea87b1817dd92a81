// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/origin.hpp"

#include "harness/machine/pretended_node.hpp"

namespace assay::run {

results::Origin origin_of_numbers() {
  return machine::pretended_root().empty() ? results::Origin::measured : results::Origin::simulated;
}

}  // namespace assay::run
