// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One request over TCP or TLS, and the first line of its answer, before a deadline.
#pragma once

#include <string>

#include "harness/front/health/job/job_needs.hpp"

namespace assay::health {

/// Throws std::runtime_error saying why there is none.
std::string first_line_of_answer(const RegistryAddress& server, const std::string& request,
                                 double deadline_s);

}  // namespace assay::health
