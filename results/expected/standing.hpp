// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a number stands against what is known of others like it: published values of this very setting, the
// site's own history, the bound of physics and a simulation. What is not known is said to be unknown: no
// value is derived from those of other sizes or machines.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/expected/causes.hpp"
#include "results/expected/physical_bound.hpp"
#include "results/expected/published.hpp"
#include "results/expected/question.hpp"

namespace assay::results::expected {

/// Values of the site's hosts, without the run that is asked about.
struct OwnHistory {
  std::string store;
  std::int64_t values = 0, hosts = 0;
  double lowest = 0, median = 0, highest = 0;
};

struct Evidence {
  std::optional<OwnHistory> history = {};
  std::optional<double> simulated = {};
  std::string simulated_by = {};
};

enum class StandingKind { usual, above, below, impossible, unknown };

struct Standing {
  Question question;
  StandingKind kind = StandingKind::unknown;
  std::vector<PublishedValue> usual, limits, near;  // of this setting; its minima; of other sizes or settings
  std::vector<PhysicalBound> bounds;
  Evidence evidence;
  double reference = 0;           // the lowest usual value; 0: none is known
  std::string reference_is = {};  // "published", "own history"
  std::vector<FittingCause> causes;
};

/// `margin`: the loss up to which a value counts as usual.
Standing standing_of(const Question& question, const Published& published, const Evidence& evidence,
                     double margin);

std::string text_of(const Standing& standing, double margin);
nlohmann::ordered_json json_of(const Standing& standing);
std::string_view to_string(StandingKind kind);

}  // namespace assay::results::expected
