// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Limits of NCCL: what it defines otherwise than this module, or cannot run as asked; known without NCCL.
#pragma once

#include <string>

#include "collectives/algorithms/table.hpp"
#include "collectives/content.hpp"
#include "collectives/nccl/nccl_way.hpp"

namespace assay::collectives {

/// Why NCCL cannot run a problem as this module defines it; empty where it can.
std::string why_not_nccl(const Problem& problem);
/// Why it cannot run the problem this way; empty where it may be able to.
std::string why_not_nccl(const Problem& problem, const Content& content, const NcclWay& way);

/// Why assay's algorithm cannot solve it over NCCL's sends and receives this way; empty where it can.
std::string why_not_scheduled(const Algorithm& algorithm, const Problem& problem, const NcclWay& way);

/// Why NCCL of that version (22809 is 2.28.9) does not reduce the type; empty where it does.
std::string why_not_reduced(int version, DataType type, Operation operation);

/// Why NCCL of that version knows no such policy; empty where it does.
std::string why_not_policy(int version, CtaPolicy policy);

/// Whether the operation may run many times at once on the same buffers: it writes what it does not read, and
/// always the same.
bool may_run_at_once(const Problem& problem);

}  // namespace assay::collectives
