// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of ranks of an operation of nccl-tests: from the devices that it lists, checked by busbw over
// algbw. With NCCL_TESTS_SPLIT an operation has fewer ranks than there are devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/peers/tools/nccl_run.hpp"

namespace assay::results::peers {

struct NcclRanks {
  std::optional<std::int64_t> ranks = {};
  bool derived = false;     // from busbw over algbw
  std::string detail = {};  // why
  std::int64_t groups = 1;  // that ran at once
  std::string fault = {};   // of all rows: the rates belong to no number of ranks
};
NcclRanks ranks_of(const NcclRun& run);

/// The busbw over the algbw of an operation by nccl-tests' name, such as all_reduce; nothing for an unknown
/// one.
std::optional<double> bus_factor(std::string_view operation, std::int64_t ranks);

}  // namespace assay::results::peers
