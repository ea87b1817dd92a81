// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The rate that no run can exceed, from data sheets: what each GPU or node must send and receive over its
// links at least. A busbw is 2 (n - 1) / n (all_reduce) or (n - 1) / n times bytes over time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/expected/published.hpp"
#include "results/expected/question.hpp"

namespace assay::results::expected {

struct PhysicalBound {
  double value = 0;
  std::string by;  // "NVLink of a GPU, 450 GB/s one way, if switches reduce"
};

/// All that are known, the lowest first; none where the data sheet does not say.
std::vector<PhysicalBound> physical_bounds(const Question& question, const System& system);

/// GB/s of all adapters of a node in one direction: 400 of "8x400G InfiniBand NDR"; nothing of other words.
std::optional<double> network_gb_per_s(const std::string& network);

}  // namespace assay::results::expected
