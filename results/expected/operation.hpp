// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Operations of questions (question.hpp) by the cases and axes of points.
#pragma once

#include <string>
#include <string_view>

#include "results/record/record.hpp"

namespace assay::results::expected {

/// Copies between two GPUs in both directions at once: their rates together have a bound, and no one
/// published any.
inline constexpr std::string_view both_ways = "device_to_device_both_ways";

/// "all_reduce" of "collectives.nccl.all_reduce", "memory" of a copy in a GPU's own memory; empty where
/// nothing is known of such a point.
std::string operation_of(std::string_view case_name, const Fields& axes);
/// The metric that a question about an operation has as its value.
std::string_view metric_of(const std::string& operation);

}  // namespace assay::results::expected
