// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/schedule.hpp"

namespace assay::rdma {

Schedule schedule_of(const std::vector<std::vector<Pair>>& rounds, Ways ways, const Settings& settings) {
  Schedule schedule;
  schedule.pairs_apart = true;
  for (const std::vector<Pair>& pairs : rounds) {
    Round& round = schedule.rounds.emplace_back();
    for (const auto& [from, to] : pairs) round.push_back(flow_between(from, to, settings));
    if (ways == Ways::both)
      for (const auto& [from, to] : pairs) round.push_back(flow_between(to, from, settings));
  }
  return schedule;
}

}  // namespace assay::rdma
