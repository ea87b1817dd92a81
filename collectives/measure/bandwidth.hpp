// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From a time to algbw and busbw: algbw = S / t with S the bytes of Problem::count; busbw = algbw x factor.
#pragma once

#include <optional>

#include "collectives/problem.hpp"

namespace assay::collectives {

/// The factor from algbw to busbw that nccl-tests' doc/PERFORMANCE.md derives: busbw is what a
/// bandwidth-optimal algorithm on a flat network would show as its wire rate. None for a barrier, and for
/// all_to_all_v, where it depends on the matrix.
std::optional<double> busbw_factor(Operation operation, int ranks);

/// S: bytes of the whole; of all_to_all_v, what the rank that sends most sends.
double counted_bytes(const Problem& problem, std::int64_t element_bytes);

}  // namespace assay::collectives
