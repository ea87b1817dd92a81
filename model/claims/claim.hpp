// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A published claim, the command of assay that tests it, and what must come out.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::model::claims {

/// The number that a claim is about: of one command, or of one over another.
struct Quantity {
  std::string command;  // words of `assay`, without --json
  std::string value;    // JSON pointer (RFC 6901) into what it prints
  std::string against;  // command whose value divides it; empty: none
  std::string against_value;
  std::string unit;
};

/// Both bounds, or one.
struct Expectation {
  std::optional<double> least, most;

  bool holds(double value) const { return (!least || value >= *least) && (!most || value <= *most); }
};

struct Claim {
  std::string id;               // of the row
  std::vector<std::string> of;  // ids of published claims that it tests: "D26"
  std::string source, says;
  std::optional<double> printed;  // by the source
  Quantity quantity;
  Expectation expected;
  std::string evidence;  // of the number: simulated, predicted, computed
};

}  // namespace assay::model::claims
