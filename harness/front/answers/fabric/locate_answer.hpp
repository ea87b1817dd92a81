// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The element of a fabric that explains its slow pairs, as `assay fabric locate` answers it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/answers/fabric/fabric_text.hpp"

namespace assay::answers {

struct LocateQuestion {
  TomlSource fabric;
  std::string pairs, store, run, cases = "rdma.verbs.pairs";  // pairs: a CSV file; it, or a store
  std::string topology;                                       // "KIND=FILE" in place of the fabric's own
  std::vector<std::string> ports;                             // globs over its ports
  std::string rule = "auto", ran = "auto";
  std::vector<std::string> set;
  std::optional<std::uint32_t> hosts_per_machine;
  std::size_t next = 4;
};

struct LocateAnswer {
  std::string json, text;
  bool any_slow = false;
  bool all_crossed = true;  // false: links that no pair crossed may be slow
};

/// Throws a usage Error as fabric_answers.hpp says.
LocateAnswer locate(const LocateQuestion& question);

}  // namespace assay::answers
