// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams of a workload that can be simulated apart from those before and after them.
#pragma once

#include <vector>

#include "model/fabric/file/workload_file.hpp"

namespace assay::model::fabric {

/// Streams that may run at the same time, as places in WorkloadFile::streams, those of a stream after those
/// it waits for.
struct StreamSection {
  std::vector<std::size_t> streams;
  bool together = false;  // by messages: each waits for those of its rank. Else one step after the other.
  std::size_t first_operation = 0, end_operation = 0;  // in the order of streams
};

/// One after the other: every stream of a section waits for all streams of the sections before it. Without
/// `barriers`, one section of all, together.
std::vector<StreamSection> sections_of(const WorkloadFile& workload, bool barriers);

}  // namespace assay::model::fabric
