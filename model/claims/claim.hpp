// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A published claim, the command of assay that tests it, and what must come out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/words.hpp"

namespace assay::model::claims {

/// The value to take where several points of records have the metric.
enum class Pick { median, least, most };
constexpr auto words_for(core::Type<Pick>) { return core::words_of<Pick>("median", "least", "most"); }

/// A number or a word, from one of three places.
struct Quantity {
  std::optional<double> given;  // by the source itself: nothing runs
  std::string command = {};     // words of `assay`; " && " joins commands, of which the last one answers
  std::string value = {};       // JSON pointer into what it prints, as at_pointer() reads it; or elapsed_s
  std::string point = {},
              metric = {};  // instead of `value`: of records, whose points this glob of case/key names
  Pick pick = Pick::median;

  bool of_records() const { return !point.empty(); }
};

inline constexpr const char* elapsed_s = "elapsed_s";  // of the command, instead of a pointer

/// Both bounds, one, a word, or a part of what is said.
struct Expectation {
  std::optional<double> least, most;
  std::string word = {}, part = {};

  bool holds(double value) const { return (!least || value >= *least) && (!most || value <= *most); }
};

/// Kinds of evidence for the number of a row. A number of records has the kind that the records say.
namespace evidence {
inline constexpr const char *computed = "computed", *predicted = "predicted", *simulated = "simulated",
                            *imported = "imported", *measured = "measured", *host_twin = "host twin";
}

struct Claim {
  std::string id;               // of the row
  std::vector<std::string> of;  // ids of published claims that it tests: "D26"
  std::string source, says;
  std::optional<double> printed;  // by the source
  Quantity quantity;
  std::optional<Quantity> against;  // divides it
  std::string unit;
  Expectation expected;
  std::optional<double> scenario;  // its number in the table of what a fabric simulation must show
  bool contradicts = false;        // what must come out is not what the source says
  std::string evidence;
  std::string needs;  // what a site must have to measure it

  /// `measured`: its points come from a store, and its command says how they get there. `host twin`: its
  /// command measures them on this host.
  bool from_store() const { return evidence == evidence::measured; }
  bool on_this_host() const { return evidence == evidence::host_twin; }
};

}  // namespace assay::model::claims
