// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Questions to the services that a job needs, each with a deadline: a server that stays silent is an answer
// too.
#pragma once

#include <string>
#include <vector>

#include "harness/front/health/job/job_needs.hpp"

namespace assay::health {

struct ServiceAnswer {
  std::string of;  // the name or address that was asked for
  bool good = false;
  std::string evidence;
};

struct JobAnswers {
  std::vector<ServiceAnswer> names, registries, containers;
};

/// The resolver's answer for a host's name: its first address, or why there is none.
ServiceAnswer look_up(const std::string& name, double deadline_s);

/// The answer to HEAD /v2/ (OCI Distribution Specification 1.1): 200, and 401, which asks for credentials
/// that are not sent. Redirections are not followed, and no proxy is used.
ServiceAnswer ask_registry(const std::string& address, double deadline_s);

/// All names and registries at once. Containers are started elsewhere.
JobAnswers ask_for(const JobNeeds& needs);

}  // namespace assay::health
