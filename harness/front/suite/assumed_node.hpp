// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A node that a dry run is counted for, where the machine that plans has no GPU: `--as h100x8`.
#pragma once

#include <string>
#include <vector>

namespace assay::suite {

struct AssumedNode {
  std::string gpu;  // as the user calls it; counts depend on the number alone
  int gpus = 0;
  bool adapters = true;  // RDMA
};

/// Reads "h100x8". Throws a usage Error that names the flag.
AssumedNode assumed_node(const std::string& text);

/// "as if a node had 8 h100 and RDMA adapters; all else as here"
std::string to_text(const AssumedNode& node);
/// Flags for modules that count their points.
std::vector<std::string> words_of(const AssumedNode& node);

}  // namespace assay::suite
