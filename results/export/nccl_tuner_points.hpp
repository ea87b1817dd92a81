// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points of NCCL that may decide a tuner's row, and why the others may not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "results/points/run_points.hpp"

namespace assay::results {

/// The choice that NCCL ran, in the words of its example tuner plug-in.
struct NcclChoice {
  std::string algorithm, protocol;
  std::int64_t channels = 0;
  auto operator<=>(const NcclChoice&) const = default;
};

/// The values that the plug-in is asked about, but for the size.
struct NcclScope {
  std::string operation;
  std::int64_t nodes = 0, ranks = 0, registered = 0;
  auto operator<=>(const NcclScope&) const = default;
};

struct NcclPoint {
  NcclScope scope;
  std::int64_t bytes = 0;
  std::string setting;  // the other axes, which the plug-in does not see: "dtype=fp32 in_place=0"
  NcclChoice choice;
  std::string nccl_version;
  double time_s = 0, lower_s = 0, upper_s = 0;
};

struct NcclPoints {
  std::vector<NcclPoint> usable;                 // repetitions joined
  std::map<std::string, std::int64_t> left_out;  // reason to number of records
  std::int64_t records = 0, used = 0;
};

/// All records of the cases collectives.nccl.* of that run. Of each operation and communicator only the
/// setting that most points have is usable: points of different settings are no contest.
NcclPoints nccl_points(const RunPoints& run);

/// "allreduce" of "all_reduce"; empty where NCCL asks its tuner nothing.
std::string tuner_word(const std::string& operation);

}  // namespace assay::results
