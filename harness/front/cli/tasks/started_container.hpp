// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A container that is started to see whether one starts.
#pragma once

#include <string>
#include <vector>

#include "harness/front/health/job/job_answers.hpp"

namespace assay::cli {

/// Runs a site's command, such as `podman run --rm IMAGE true`, and kills it at the deadline.
health::ServiceAnswer start_container(const std::vector<std::string>& command, double deadline_s);

/// health::ask_for(), and the container.
health::JobAnswers ask_on_this_machine(const health::JobNeeds& needs);

}  // namespace assay::cli
