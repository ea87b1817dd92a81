// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Compares the parts of the node, and their firmware, with those of the expectation.
#include <fmt/format.h>

#include <map>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

using machine::Fact;
using machine::KindOfFact;

const Advice other_part{"a node with another part, firmware or setting is not the equal of the others",
                        Action::configure};

std::map<std::string, std::string> by_unit(const std::vector<Fact>& facts, std::string_view kind) {
  std::map<std::string, std::string> units;
  for (const Fact& fact : facts)
    if (fact.kind == kind) units[fact.unit] = fact.value;
  return units;
}

void judge_kind(const Scene& scene, const KindOfFact& kind, Findings& findings) {
  const auto wanted = by_unit(scene.expected.parts, kind.name), found = by_unit(scene.now.parts, kind.name);
  const std::string name(kind.name), &source = scene.expected.source;
  if (wanted.empty()) return;
  if (found.empty())
    return findings.unknown(
        name, fmt::format("{} expected ({}), and nothing here reports any",
                          kind.units == machine::Units::single ? "'" + wanted.begin()->second + "'"
                                                               : std::to_string(wanted.size()),
                          source));
  std::size_t equal = 0;
  for (const auto& [unit, value] : wanted) {
    const auto here = found.find(unit);
    if (here != found.end() && here->second == value)
      ++equal;
    else
      findings.add(Status::failed, Fact{name, unit, ""}.name(),
                   fmt::format("{}, '{}' expected ({})",
                               here == found.end() ? "none" : "'" + here->second + "'", value, source),
                   other_part);
  }
  for (const auto& [unit, value] : found)
    if (kind.units == machine::Units::each && !wanted.contains(unit))
      findings.add(Status::failed, Fact{name, unit, ""}.name(),
                   fmt::format("'{}', none expected ({})", value, source), other_part);
  if (equal == wanted.size()) findings.passed(name, fmt::format("{} as expected ({})", equal, source));
}

void judge_parts(const Scene& scene, Findings& findings) {
  if (scene.expected.parts.empty()) return findings.absent("the expectation has no [parts]");
  for (const KindOfFact& kind : machine::kinds_of_facts()) judge_kind(scene, kind, findings);
}

constexpr Check listed_parts_checks[] = {
    {"host.parts",
     "BIOS, BMC, microcode, memory modules, power supplies, drives and firmware: as expected, each by name",
     judge_parts},
};

}  // namespace

std::span<const Check> parts_checks() { return listed_parts_checks; }

}  // namespace assay::health
