// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether numbers are normal: one that was given by hand, those of a log of another tool, or of a stored run.
#pragma once

#include <string>
#include <vector>

#include "results/expected/standing.hpp"

namespace assay::answers {

struct NormalQuestion {
  results::expected::Question asked = {};  // of a log or run: system and network alone
  std::string log_or_run = {};             // empty: `asked` has the number
  std::string store = {}, fabric = {};
  std::vector<std::string> published = {};
  double loss = 0;  // up to which a value is usual
};

struct NormalAnswer {
  std::vector<results::expected::Standing> standings;
  std::vector<std::string> notes = {};  // what was left out or refused
};

/// Answers a sweep for its largest size, and for sizes that someone published. Throws a
/// usage Error for what cannot be read or named.
NormalAnswer normal(const NormalQuestion& question);

}  // namespace assay::answers
