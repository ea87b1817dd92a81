// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The measurements of NCCL's algorithms, as a file for its example tuner plug-in: which algorithm, protocol
// and number of channels is fastest for which sizes on which communicator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

struct NcclTunerFile {
  std::string text;
  std::int64_t rows = 0, points = 0;  // written; used
  std::vector<std::string> left_out;  // "12 points: not ok"
};

/// The file of that run, or of the latest. Only points with a forced algorithm and protocol that NCCL is
/// known to have run count. Throws std::runtime_error with one line where the run has none.
NcclTunerFile nccl_tuner_file(const Store& store, const std::optional<std::string>& run_id);

}  // namespace assay::results
