// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Error rates of a site's cables between two readings of their ports' counters.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::answers {

struct CountersQuestion {
  std::string topology;  // ibnetdiscover=FILE
  std::vector<std::string> ports = {};
  std::string before, after;
  double seconds = 0, bit_error_rate = 1e-12, gbit_per_s = 400;
  std::string located;  // JSON of assay fabric locate; may be empty
};

struct CountersAnswer {
  std::string text, json;
  std::optional<bool> holds;  // nothing: cables are unknown or undecided, and none is faulty
};

/// Throws a usage Error as the readers do, and for a list that is not by ibnetdiscover.
CountersAnswer judge_counters(const CountersQuestion& question);

}  // namespace assay::answers
