// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A run as other programs print theirs, for scripts that read their columns: a line a record, repetitions
// apart. What was not measured is N/A.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

/// Collectives as nccl-tests prints them: a block for each case and setting, a row for each size, type,
/// operator and root, out of place and in place next to each other. `filter`: a glob over cases; empty: all.
std::string nccl_tests_text(const RunPoints& run, const std::string& filter);

/// RDMA as perftest prints it: bandwidth in MiB/s, with its mean as average and its fastest sample as peak;
/// latency in microseconds. Extremes and percentiles are of single operations, N/A where a sample has
/// several.
std::string perftest_text(const RunPoints& run, const std::string& filter);

/// A program whose columns are known, and the module that measures what it does.
struct PeerStyle {
  const char *program, *module;
  std::string (*text)(const RunPoints& run, const std::string& filter);
};
inline constexpr std::array<PeerStyle, 2> peer_styles{
    {{"nccl-tests", "collectives", nccl_tests_text}, {"perftest", "rdma", perftest_text}}};

/// For both. Axes as " name=value", but for those named.
std::string other_axes(const Fields& axes, const std::vector<std::string>& but);

}  // namespace assay::results
