// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/names.hpp"
#include "model/fabric/measured/run_operations.hpp"
#include "results/points/kinds/fabric_points.hpp"

namespace assay::model::fabric::measured {

namespace {

using results::FabricPoint;

constexpr std::array<std::string_view, 6> patterns_of_flows = {"pairs",       "incast",    "ring_shift",
                                                               "permutation", "bisection", "bidirectional"};

/// Bytes of each flow: enough to make its latency negligible.
constexpr std::uint64_t stream_bytes = std::uint64_t{1} << 40U;

std::string why_no_pattern(const FabricPoint& point) {
  if (!point.stamp.empty()) return "not a performance measurement: " + point.stamp;
  if (point.flows.empty()) return "records of more flows than are listed";
  if (!(point.point.time_s > 0) || results::field_integer(point.point.axes, {"bytes"}).value_or(0) < 1)
    return "streams without a time";
  return "";
}

/// In which every host has at most one peer.
class PeerRounds {
 public:
  void add(std::uint32_t from, std::uint32_t to) {
    std::size_t at = 0;
    while (at < peers_.size() && !fits(at, from, to)) ++at;
    if (at == peers_.size()) {
      peers_.emplace_back();
      rounds_.emplace_back();
    }
    peers_[at][from] = to;
    peers_[at][to] = from;
    rounds_[at].emplace_back(from, to);
  }
  std::vector<PairRound> take() { return std::move(rounds_); }

 private:
  bool fits(std::size_t round, std::uint32_t from, std::uint32_t to) const {
    const auto meets = [&](std::uint32_t host, std::uint32_t peer) {
      const auto found = peers_[round].find(host);
      return found == peers_[round].end() || found->second == peer;
    };
    return meets(from, to) && meets(to, from);
  }

  std::vector<std::map<std::uint32_t, std::uint32_t>> peers_;
  std::vector<PairRound> rounds_;
};

std::vector<PairRound> rounds_of(const FabricPoint& point) {
  const bool apart = results::field_text(point.conditions, {core::names::pairs_apart}) == "yes";
  PeerRounds peers;
  PairRound together;
  for (const results::FlowReport& flow : point.flows) {
    const auto from = static_cast<std::uint32_t>(flow.from), to = static_cast<std::uint32_t>(flow.to);
    if (apart)
      peers.add(from, to);
    else
      together.emplace_back(from, to);
  }
  std::vector<PairRound> rounds = apart ? peers.take() : std::vector<PairRound>{std::move(together)};
  for (PairRound& round : rounds) std::ranges::sort(round);
  return rounds;
}

double most_of_a_sender(const std::vector<PairRound>& rounds) {
  double most = 0;
  for (const PairRound& round : rounds)
    for (const auto& [from, to] : round)
      most =
          std::max(most, static_cast<double>(std::ranges::count(round, from, &PairRound::value_type::first)));
  return most;
}

MeasuredOperation measured_of(const FabricPoint& point, const RankHosts& hosts) {
  MeasuredOperation one{
      .case_name = point.point.case_name,
      .point = point.point.key,
      .ranks = point.ranks_of_flows(),
      .bytes = static_cast<std::uint64_t>(*results::field_integer(point.point.axes, {"bytes"})),
      .measured_us = {1e6 * point.point.time_s, 1e6 * point.point.lower_s, 1e6 * point.point.upper_s}};
  one.operation = {.kind = OperationKind::listed,
                   .collective = point.point.benchmark(),
                   .where = point.point.key + ": ",
                   .groups = {hosts.hosts_of(point, one.ranks)},
                   .bytes = stream_bytes,
                   .rounds = rounds_of(point)};
  one.iterations = static_cast<double>(stream_bytes) / static_cast<double>(one.bytes) *
                   static_cast<double>(one.operation.rounds.size());
  one.queue_pairs = static_cast<int>(
      std::clamp<std::int64_t>(results::field_integer(point.point.axes, {"qps"}).value_or(1), 1, 4096));
  one.messages = most_of_a_sender(one.operation.rounds);
  return one;
}

}  // namespace

void add_patterns(const results::RunPoints& run, const RankHosts& hosts, RunOperations& found) {
  for (const std::string_view pattern : patterns_of_flows)
    for (const FabricPoint& point : results::fabric_points(run, "rdma.*." + std::string(pattern))) {
      const std::string why = why_no_pattern(point);
      if (why.empty())
        found.operations.push_back(measured_of(point, hosts));
      else
        ++found.left_out[why];
    }
}

RunOperations run_operations(const results::RunPoints& run, const RankHosts& hosts,
                             std::uint32_t gpus_per_server) {
  RunOperations found;
  add_collectives(run, hosts, gpus_per_server, found);
  add_patterns(run, hosts, found);
  return found;
}

}  // namespace assay::model::fabric::measured
