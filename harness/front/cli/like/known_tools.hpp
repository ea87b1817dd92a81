// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tools whose commands assay like translates, each by what follows its name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/front/cli/like/like.hpp"

namespace assay::cli {

struct ForeignCall {
  std::string program;                 // "all_reduce_perf", without folder
  std::span<const std::string> words;  // after it
  std::string launcher = {};           // "mpirun" or "srun" before it, or nothing
  long ranks = 0;                      // that the launcher starts; 0: not said
};

struct KnownTool {
  std::string_view program;  // as typed
  std::string_view means;    // "all_reduce": the translator's key
  LikeAnswer (*translate)(const ForeignCall& call, std::string_view means);
};

LikeAnswer like_nccl_tests(const ForeignCall& call, std::string_view operation);
LikeAnswer like_perftest(const ForeignCall& call, std::string_view operation);
LikeAnswer like_nvbandwidth(const ForeignCall& call, std::string_view means);
LikeAnswer like_dcgm(const ForeignCall& call, std::string_view means);
LikeAnswer like_gpu_burn(const ForeignCall& call, std::string_view means);
LikeAnswer like_stream(const ForeignCall& call, std::string_view means);
LikeAnswer like_mpi_benchmark(const ForeignCall& call, std::string_view operation);

}  // namespace assay::cli
