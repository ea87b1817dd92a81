// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_doubts.hpp"

#include <vector>

#include "results/judge/inventories.hpp"
#include "results/store/host_doubts.hpp"

namespace assay::results {
namespace {

void add_doubts(Verdicts& doubts, const std::vector<std::string>& lines, const std::string& meaning) {
  for (const std::string& line : lines)
    doubts.rows.push_back({.kind = "host",
                           .metric = "records",
                           .verdict = Verdict::inconclusive,
                           .because = line,
                           .meaning = meaning,
                           .action = Action::retest});
}

}  // namespace

Verdicts fleet_doubts(const Store& store) {
  Verdicts doubts{.command = "accept", .subject = "hosts that cannot be judged as equals"};
  const char* const two =
      "what one machine measured says nothing of another; judge the runs of one of them, in a store of their "
      "own";
  add_doubts(doubts, overlaps_of(store), two);
  add_doubts(doubts, exchanged_parts_of(store), two);
  add_doubts(doubts, shared_parts_of(store), "one machine cannot vouch for itself under another name");
  add_doubts(doubts, doubtful_inventories_of(store),
             "equals are equal by inventory, and this one does not hold together");
  settle(doubts);
  return doubts;
}

}  // namespace assay::results
