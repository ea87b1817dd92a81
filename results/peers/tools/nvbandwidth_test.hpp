// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One test of nvbandwidth, as its text and its JSON state it, and the points that follow. The printed arrow
// between GPUs points against the data: the test's name decides the direction.
#pragma once

#include <string>
#include <vector>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

struct NvbandwidthTest {
  std::string name = {};                            // "host_to_device_memcpy_ce"
  std::vector<std::vector<std::string>> rows = {};  // of the last matrix, as printed
  std::vector<long> row_lines = {};                 // one each; JSON: that of the test
  std::string sum = {};                             // as printed; empty: none
  std::string failure = {};                         // the tool's message
  bool waived = false;
  long line = 0;
};

/// All points, or the refusal of a matrix whose sum is another.
void add_nvbandwidth_test(const NvbandwidthTest& test, const PeerPoint& outline, Findings& findings);

}  // namespace assay::results::peers
