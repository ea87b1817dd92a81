// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The module's lists of cases one by one, as its CMakeLists.txt names them.
#pragma once

#include <vector>

#include "offload/cases.hpp"

namespace assay::offload {

std::vector<core::Case> checkpoint_cases(const Surroundings& around);
std::vector<core::Case> checkpoint_declarations_cases(const Surroundings& around);
std::vector<core::Case> copy_cases(const Surroundings& around);
std::vector<core::Case> copy_declarations_cases(const Surroundings& around);
std::vector<core::Case> device_checkpoint_cases(const Surroundings& around);
std::vector<core::Case> device_checkpoint_declarations_cases(const Surroundings& around);
std::vector<core::Case> device_interference_cases(const Surroundings& around);
std::vector<core::Case> device_interference_declarations_cases(const Surroundings& around);
std::vector<core::Case> device_pipeline_cases(const Surroundings& around);
std::vector<core::Case> device_pipeline_declarations_cases(const Surroundings& around);
std::vector<core::Case> device_workload_cases(const Surroundings& around);
std::vector<core::Case> device_workload_declarations_cases(const Surroundings& around);
std::vector<core::Case> group_restore_cases(const Surroundings& around);
std::vector<core::Case> node_copy_cases(const Surroundings& around);
std::vector<core::Case> peer_copy_cases(const Surroundings& around);
std::vector<core::Case> storage_cases(const Surroundings& around);
std::vector<core::Case> storage_declarations_cases(const Surroundings& around);
std::vector<core::Case> workload_cases(const Surroundings& around);

}  // namespace assay::offload
