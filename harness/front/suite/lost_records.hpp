// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records that a supervisor writes into a journal for a module that could not. A rank may outlive its
// launcher: each record is made of what the journal says at that moment.
#pragma once

#include <cstdint>
#include <filesystem>

#include "harness/front/suite/processes/module_run.hpp"
#include "harness/front/suite/processes/supervise.hpp"

namespace assay::suite {

/// How often this module's rank 0 has started behind a launcher in its journal.
std::int64_t starts_in(const ModuleRequest& request);

/// The exit code of a launcher may be its own: mpirun that is ended has 1, as a rank 0 with a failed point.
void look_for_end(const ModuleRequest& request, std::int64_t starts_before, Watched& watched);

/// True when it did not end by itself: hung, crashed, or a library ended the process with a code of its own.
bool fell(const Watched& watched);

/// Records the latest point that had begun: it ended the module, or the module failed after it.
void record_lost_point(const ModuleRequest& request, const Watched& watched);

/// Every point that was asked for has a record: a process that did not live to write its end lacks nothing.
void write_missing_end(const ModuleRequest& request);

}  // namespace assay::suite
