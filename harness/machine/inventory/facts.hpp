// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a node as a list of names and values that nodes can be compared by.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"

namespace assay::machine {

struct Fact {
  std::string kind;  // of kinds_of_facts()
  std::string unit;  // the slot or device; "" where a node has one of the kind
  std::string value;
  std::string shared = {};  // by nodes of one fleet, whoever made the part: "64 GiB DDR5"; empty: the value

  std::string name() const { return unit.empty() ? kind : kind + " " + unit; }
};

/// single: a node has one. each: of every unit, so that one too many is a difference. named: of units that
/// are compared by name where they are asked for.
enum class Units { single, each, named };
struct KindOfFact {
  std::string_view name;
  Units units = Units::single;
};
/// In the order in which facts are listed.
std::span<const KindOfFact> kinds_of_facts();

/// Known values only, by kind and unit. A kind of which nothing is known has none.
std::vector<Fact> facts_of(const Machine& machine);

/// Values that nodes of one fleet share, by kind, equal units counted: {"dimm": "16 x 64 GiB DDR5 4800
/// MT/s"}.
std::map<std::string, std::string> summary_of(const std::vector<Fact>& facts);

}  // namespace assay::machine
