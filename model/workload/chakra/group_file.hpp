// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// ASTRA-sim's file of communicator groups, --comm-group-configuration (518bd51, Workload.cc): each name with
// its ranks, {"1": [0, 1, 2, 3]}, for all traces of a job.
#pragma once

#include <map>
#include <span>
#include <string>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// Throws a usage Error naming the file, and the group, for what is not such a file.
std::map<std::string, TraceGroup> read_group_file(const std::string& file);

/// States these groups in every trace, before what it states itself.
void state_groups(std::span<Trace> traces, const std::map<std::string, TraceGroup>& groups);

}  // namespace assay::model::workload
